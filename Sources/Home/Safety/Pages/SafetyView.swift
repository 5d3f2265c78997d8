import Household
import Ledger
import Pages
import Safeguard
import System

/// The page on which a house is armed and disarmed.
struct SafetyView {
    /// A sensor or a box, by name.
    struct Named: Sendable {
        /// Nil: it is no sensor.
        let id: SensorID?
        var name: String
        /// In words.
        var why = ""
    }
    /// A sensor that watches.
    struct Watcher: Sendable {
        let sensor: Sensor
        let face: Face
    }

    let root: LocalPath
    let words: SafetyWords
    let live: HomeLiveWords
    let now: Timestamp
    let zone: Zone
    let house: HousePanel
    /// Whether this reader arms and disarms; looks after the house.
    var acts = false
    var manages = false
    /// Whether disarming takes a code, for this reader now.
    var asksCode = false
    var weak: [Named] = []
    /// Why a siren may sound although the house is silent; nil: none does.
    var sirenDoubt: SirenDoubt?
    /// Boxes that do not obey, with what they do not do.
    var refusing: [Named] = []
    var bypassed: [Named] = []
    var trips: [Named] = []
    /// What stands open now; what keeps the house from being armed, and in which mode.
    var open: [Named] = []
    var obstacles: (mode: ArmMode, sensors: [Named])?
    var watchers: [Watcher] = []
    var boxes: [Gateway] = []
    /// Who did what last, in words.
    var last: (at: Timestamp, text: String)?
    var refused: String?
    var notice: String?

    var content: HTML {
        div(.css("pile")) {
            if let refused { Part.notice(.no, refused) }
            if let notice { Part.notice(.go, notice) }
            if let obstacles { ask(obstacles.mode, obstacles.sensors) }
            section(.css("plate pile"), .id("panel"), .data("fresh", "panel"), .aria("labelledby", "state")) {
                state
                facts
                if acts { hands } else { p(.css("soft")) { words.mayNot } }
            }
            section(.css("pile"), .aria("labelledby", "watchers")) { sensors }
            if acts, !boxes.isEmpty { valves }
            if manages { p { a(.css("button quiet"), .href(root.under("settings"))) { words.settings } } }
        }
    }

    // MARK: how it stands

    @HTMLBuilder private var state: HTML {
        let panel = house.panel
        div(.css("row panel-state")) {
            Part.sign(panel.state.tone, open: panel.state == .disarmed)
            h2(.id("state")) { live.panel(panel.state) }
            // Of a siren that is silent already nothing is counted down.
            if panel.state != .triggered || panel.isSounding,
                let deadline = panel.deadline.map({ Timestamp(milliseconds: $0) })
            {
                island(
                    "count-down", .data("until", deadline.iso8601), .data("now", now.iso8601),
                    .data("left", words.left(panel.state))
                ) {
                    Part.moment(deadline.iso8601, "\(words.until) \(zone.clockText(at: deadline))")
                }
            }
        }
        if house.isDrill { Part.notice(.wait, words.exercise) }
        if let sirenDoubt {
            Part.notice(.no, sirenDoubt.text(live.language))
        } else if panel.state == .triggered, !panel.isSounding {
            Part.notice(.wait, words.silenced)
        }
        if let last {
            p(.css("soft")) {
                last.text
                " · "
                LivePart.age(last.at, now, live, part: nil)
            }
        }
    }

    @HTMLBuilder private var facts: HTML {
        if !refusing.isEmpty { list(words.disobeys, refusing, .no) }
        if house.isDegraded { list(words.degraded, weak, .wait) }
        if !bypassed.isEmpty {
            list(words.bypassed, bypassed, .idle)
            if acts, !house.panel.isDisturbed, let mode = house.panel.mode {
                form(.method(.post), .action(root.under("arm"))) {
                    button(.css("quiet"), .type(.submit), .name("mode"), .value(mode.name)) { words.watchAgain }
                }
            }
        }
        if house.panel.isDisturbed, !trips.isEmpty { list(words.trips, trips, .no) }
        if house.panel.mode == nil, !open.isEmpty { list(words.openNow, open, .wait) }
    }

    private func list(_ title: String, _ sensors: [Named], _ tone: Tone) -> HTML {
        div(.css("named")) {
            h3 { Part.chip(tone, title) }
            ul {
                for one in sensors {
                    li {
                        bdi { one.name }
                        if !one.why.isEmpty { span(.css("soft")) { " \(one.why)" } }
                    }
                }
            }
        }
    }

    // MARK: what one does

    @HTMLBuilder private var hands: HTML {
        let state = house.panel.state
        if state == .triggered {
            div(.css("pair")) {
                if house.panel.isSounding { act("silence", words.silence, isQuiet: true) }
                act("reset", words.reset, isQuiet: true)
            }
        }
        if state != .disarmed {
            form(.css("stack"), .method(.post), .action(root.under("disarm"))) {
                if asksCode {
                    Part.field(
                        words.code, name: "code", kind: .password, autocomplete: "off", hint: words.codeHint,
                        verbatim: true, longest: 8)
                }
                button(.css("large"), .type(.submit)) { words.disarm }
            }
            if asksCode {
                form(.method(.post), .action(root.under("disarm"))) {
                    input(.type(.hidden), .name("prove"), .value("1"))
                    button(.css("plain"), .type(.submit)) { words.proveInstead }
                }
            }
        }
        if !house.panel.isDisturbed {
            form(.css("modes"), .method(.post), .action(root.under("arm")), .aria("label", words.arm)) {
                for mode in ArmMode.allCases where house.panel.mode != mode {
                    button(
                        .css(state == .disarmed && mode == .away ? "" : "quiet"), .type(.submit), .name("mode"),
                        .value(mode.name)
                    ) { "\(words.arm): \(words.mode(mode))" }
                }
            }
        }
    }

    private func act(_ segment: StaticString, _ label: String, isQuiet: Bool) -> HTML {
        form(.method(.post), .action(root.under(segment))) {
            button(.css(isQuiet ? "quiet" : ""), .type(.submit)) { label }
        }
    }

    private func ask(_ mode: ArmMode, _ sensors: [Named]) -> HTML {
        form(.css("stack plate"), .method(.post), .action(root.under("arm"))) {
            Part.notice(.wait, words.closeOrLeave)
            fieldset {
                legend { words.leaveOut }
                for one in sensors {
                    Part.check(one.name, name: "bypass", value: one.id?.text ?? "", isChecked: false)
                }
            }
            button(.type(.submit), .name("mode"), .value(mode.name)) { "\(words.armAnyway): \(words.mode(mode))" }
        }
    }

    // MARK: what watches

    @HTMLBuilder private var sensors: HTML {
        h2(.id("watchers")) { words.sensors }
        if watchers.isEmpty {
            Part.empty(title: words.noSensors, detail: words.noSensorsDetail)
        } else {
            ul(.css("cards")) {
                for one in watchers {
                    li(.css("card"), .data("sensor", one.sensor.id.text)) {
                        div(.css("card-words")) {
                            strong { bdi { one.sensor.name } }
                            span(.css("soft")) { words.kind(one.sensor.alarmClass) }
                        }
                        LivePart.value(one.face)
                        LivePart.status(one.face)
                    }
                }
            }
        }
    }

    private var valves: HTML {
        section(.css("plate pile"), .aria("labelledby", "valves")) {
            h2(.id("valves")) { words.openValve }
            p(.css("soft")) { words.openValveDetail }
            for box in boxes {
                form(.method(.post), .action(root.under("open-valve"))) {
                    input(.type(.hidden), .name("box"), .value(box.id.text))
                    button(.css("quiet"), .type(.submit)) { "\(words.openValve): \(box.name)" }
                }
            }
        }
    }
}
