import Accounts
import Ledger
import Notices
import Pages
import System

/// One alarm: what to do, whom to call, who was told.
enum AlarmView {
    struct Model {
        let sheet: AlarmSheet
        let settings: AlarmSettings
        /// What became of the last round of telling; nil: nobody was told, or the reader may not know whom.
        let delivery: Delivery?
        let rounds: Int
        /// Whether there is somebody to tell, and nothing is known of it yet.
        var isBeingTold = false
        /// Whether the reader silences and takes care here.
        let mayAct: Bool
        /// Whether people say that it is over.
        let canBeEnded: Bool
        let street: String
        /// Whether the siren of the house sounds, also after the cause is over.
        var isSounding = false
        var isDone = false
    }

    static func content(_ model: Model) -> HTML {
        let (sheet, words) = (model.sheet, model.sheet.words)
        return div(.css("pile narrow")) {
            // Of a siren that sounds for another alarm nothing was done.
            if model.isDone, sheet.sirenDoubt == nil, sheet.isStanding || !model.isSounding {
                Part.notice(.go, words.done)
            }
            div(.css("row"), .id("alarm-state"), .data("fresh", "alarms")) { sheet.chips }
            div(.id("alarm-siren"), .data("fresh", "alarms")) {
                if let doubt = sheet.sirenDoubt { Part.notice(.no, doubt.text(sheet.language)) }
            }
            if sheet.alarm.isDrill { Part.notice(.wait, words.drillNoCall) }
            div(.id("alarm-todo"), .data("fresh", "alarms panel")) { todo(model, words) }
            div(.id("alarm-acts"), .data("fresh", "alarms panel")) { if model.mayAct { acts(model, words) } }
            div(.id("alarm-facts"), .data("fresh", "alarms")) { facts(model, words) }
            if model.mayAct { told(model, words) }
        }
    }

    /// What to do now. Of what is over only what still holds; of a fault what mends it, and no emergency number.
    @HTMLBuilder private static func todo(_ model: Model, _ words: AlarmPageWords) -> HTML {
        let sheet = model.sheet
        let steps = AlarmWords.in(sheet.language).todo(sheet.hazard)
        if sheet.alarm.kind == .fault {
            if sheet.isStanding, sheet.alarm.message.isAboutConnection {
                section(.css("plate"), .aria("labelledby", "todo")) {
                    h2(.id("todo")) { words.todo }
                    ol(.css("steps urgent")) { for step in steps { li { step } } }
                }
            }
        } else {
            let isOn = sheet.isStanding && !sheet.alarm.message.isLate
            let after = [.gas, .carbonMonoxide].contains(sheet.hazard) ? steps.suffix(1) : []
            section(.css("plate"), .aria("labelledby", "todo")) {
                h2(.id("todo")) { words.todo }
                if isOn || !after.isEmpty {
                    ol(.css("steps urgent")) { for step in isOn ? steps : Array(after) { li { step } } }
                } else {
                    if !model.isSounding { p { words.nothingToDo } }
                }
                numbers(model.settings, isLoud: isOn && !sheet.alarm.isDrill, words)
            }
        }
    }

    /// Telephone numbers, the largest first.
    private static func numbers(_ settings: AlarmSettings, isLoud: Bool, _ words: AlarmPageWords) -> HTML {
        div(.css("stack")) {
            a(.css(isLoud ? "button large" : "button quiet"), .href(settings.emergency)) {
                words.callEmergency(settings.emergency.text)
            }
            for one in settings.contacts {
                a(.css("button quiet"), .href(one.number)) { words.callContact("\(one.name) · \(one.number.text)") }
            }
            p(.css("hint")) { words.callHint }
        }
    }

    private static func acts(_ model: Model, _ words: AlarmPageWords) -> HTML {
        let sheet = model.sheet
        let (isStanding, alarm) = (sheet.isStanding, sheet.alarm)
        let isLoud = model.isSounding && !isStanding || sheet.sirenDoubt != nil
        let canSilence = alarm.kind != .fault && (isStanding && sheet.logged.silenced == nil || isLoud)
        let canTake = sheet.logged.taken == nil && isStanding
        let canEnd = isStanding && model.canBeEnded
        guard canSilence || canTake || canEnd else { return .empty }
        return section(.css("plate"), .aria("labelledby", "acts")) {
            h2(.id("acts")) { words.act }
            div(.css("row")) {
                if canSilence { act(words.silence, sheet.path.under("silence"), "") }
                if canTake { act(words.take, sheet.path.under("take"), "quiet") }
                if canEnd { act(words.end, sheet.path.under("end"), "quiet") }
            }
            if canSilence, isStanding { p(.css("hint")) { words.silenceHint } }
        }
    }

    private static func act(_ label: String, _ path: LocalPath, _ look: String) -> HTML {
        form(.method(.post), .action(path)) { button(.css(look), .type(.submit)) { label } }
    }

    private static func facts(_ model: Model, _ words: AlarmPageWords) -> HTML {
        let (sheet, logged) = (model.sheet, model.sheet.logged)
        return section(.css("plate"), .aria("labelledby", "facts")) {
            h2(.id("facts")) { AlarmWords.in(sheet.language).name(sheet.hazard) }
            dl(.css("pairs")) {
                dt { words.what }
                dd {
                    bdi { sheet.text.title }
                    if !sheet.text.body.isEmpty { p(.css("soft")) { sheet.text.body } }
                }
                if let reading = sheet.reading { fact(words.reading, reading) }
                if let sensor = sheet.sensor {
                    dt { words.place }
                    dd {
                        a(.href("/houses/\(sensor.site.text)/sensors/\(sensor.id.text)")) {
                            bdi {
                                [sheet.device?.area, sheet.device?.name, sensor.name].compactMap { $0 }
                                    .filter { !$0.isEmpty }.joined(separator: ", ")
                            }
                        }
                    }
                }
                if !model.street.isEmpty { fact(words.street, model.street) }
                dt { words.when }
                dd {
                    Part.moment(sheet.alarm.at.iso8601, sheet.moment(sheet.alarm.at))
                    if !sheet.lasting.isEmpty { " · \(sheet.lasting)" }
                    if model.mayAct, let name = sheet.name(sheet.alarm.raisedBy) { " · \(words.raisedBy(name))" }
                }
                if model.mayAct {
                    let done = [
                        sheet.name(logged.takenBy).map(words.takenBy),
                        sheet.name(logged.silencedBy).map(words.silencedBy),
                        sheet.name(logged.endedBy).map(words.endedBy),
                    ].compactMap { $0 }
                    if sheet.isStanding || !done.isEmpty {
                        fact(words.care, done.isEmpty ? words.nobodyYet : done.joined(separator: ", "))
                    }
                }
            }
        }
    }

    @HTMLBuilder private static func fact(_ name: String, _ value: String) -> HTML {
        dt { name }
        dd { bdi { value } }
    }

    private static func told(_ model: Model, _ words: AlarmPageWords) -> HTML {
        section(.css("plate"), .aria("labelledby", "told"), .id("alarm-told"), .data("fresh", "alarms")) {
            h2(.id("told")) { words.told }
            if let delivery = model.delivery {
                p(.css("soft")) { words.toldAgain(model.rounds) }
                ul(.css("pile")) {
                    for one in delivery.recipients { li { recipient(one, model.sheet, words) } }
                }
            } else {
                p { model.isBeingTold ? words.beingTold : words.toldNobody }
            }
        }
    }

    private static func recipient(
        _ one: Delivery.Recipient, _ sheet: AlarmSheet, _ words: AlarmPageWords
    ) -> HTML {
        div(.css("stack-tight")) {
            p {
                strong { bdi { one.name } }
                " "
                if let time = one.acknowledged {
                    Part.chip(.go, words.takesCare(sheet.moment(time)))
                } else if let time = one.read {
                    Part.chip(.go, words.reads(sheet.moment(time)))
                } else if let time = one.shown {
                    Part.chip(.go, words.onScreen(sheet.moment(time)))
                } else if !one.isReachable {
                    Part.chip(.wait, words.notReached)
                } else if one.told == nil {
                    Part.chip(.wait, words.notYet)
                }
            }
            for parcel in one.parcels {
                p(.css("soft")) {
                    "\(words.way[parcel.channel.rawValue] ?? ""): \(words.sentAs[parcel.state.rawValue] ?? "")"
                }
            }
        }
    }
}
