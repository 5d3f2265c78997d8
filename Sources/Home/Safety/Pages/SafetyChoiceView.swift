import Household
import Ledger
import Pages
import Safeguard

/// The pages on which a house chooses how it is watched: delays, codes, tags; and one sensor.
struct SafetyChoiceView {
    /// The fields of the delays, as forms call them, in the order of the modes.
    static let exitFields: [StaticString] = ["exit_home", "exit_away", "exit_night", "exit_vacation"]
    static let entryFields: [StaticString] = ["entry_home", "entry_away", "entry_night", "entry_vacation"]

    let root: LocalPath
    let words: SafetyChoiceWords
    let modes: SafetyWords
    var rules = HouseRules()
    var codes: [HouseCode] = []
    var tags: [(tag: HouseTag, box: String)] = []
    var boxes: [Gateway] = []
    var sensors: [Sensor] = []
    /// Whose tag a box waits for.
    var learning: String?
    var saved = false
    var refused: [String: String] = [:]
    var written: [String: String] = [:]
    /// Whether this reader looks after devices.
    var installs = false

    var content: HTML {
        div(.css("pile narrow")) {
            if saved { Part.notice(.go, words.saved) }
            if let text = refused["rules"] ?? refused["box"] { Part.notice(.no, text) }
            if let learning { Part.notice(.wait, words.waiting(learning)) }
            delays
            section(.css("plate pile"), .aria("labelledby", "codes")) { codesPart }
            section(.css("plate pile"), .aria("labelledby", "tags")) { tagsPart }
            if installs, !sensors.isEmpty {
                section(.css("plate pile"), .aria("labelledby", "sensors")) {
                    h2(.id("sensors")) { words.sensors }
                    ul(.css("pile")) {
                        for sensor in sensors {
                            li {
                                a(.href("/houses/\(sensor.site.text)/safety/sensors/\(sensor.id.text)")) {
                                    bdi { sensor.name }
                                }
                                span(.css("soft")) { " \(modes.kind(sensor.alarmClass))" }
                            }
                        }
                    }
                }
            }
        }
    }

    private var delays: HTML {
        form(.css("stack plate"), .method(.post), .action(root.under("settings"))) {
            h2 { words.delays }
            for (index, mode) in ArmMode.allCases.enumerated() {
                div(.css("pair")) {
                    seconds("\(modes.mode(mode)): \(words.exit)", Self.exitFields[index], rules.panel.exitDelay[mode])
                    seconds(
                        "\(modes.mode(mode)): \(words.entry)", Self.entryFields[index], rules.panel.entryDelay[mode])
                }
            }
            Part.field(
                words.alarmTime, name: "alarm", kind: .number, value: "\(rules.panel.alarmTime)",
                hint: words.alarmTimeHint, longest: 3)
            Part.check(
                words.disarms, name: "disarms", value: "1", isChecked: rules.panel.disarmsAfterAlarm,
                detail: words.disarmsDetail)
            Part.check(
                words.asksCode, name: "asks_code", value: "1", isChecked: rules.asksCode, detail: words.asksCodeDetail)
            div(.css("thumb")) { button(.type(.submit)) { words.save } }
        }
    }

    private func seconds(_ label: String, _ name: StaticString, _ value: UInt16) -> HTML {
        Part.field(label, name: name, kind: .number, value: "\(value)", hint: words.secondsHint, longest: 3)
    }

    @HTMLBuilder private var codesPart: HTML {
        h2(.id("codes")) { words.codes }
        p(.css("soft")) { words.codesDetail }
        for code in codes { removal(code.name, "remove-code", code.id.text) }
        form(.css("stack"), .method(.post), .action(root.under("codes"))) {
            Part.field(
                words.name, name: "name", value: written["name"] ?? "", refused: refused["name"], longest: 80)
            Part.field(
                words.code, name: "code", kind: .password, autocomplete: "new-password", refused: refused["code"],
                verbatim: true, longest: 8)
            div { button(.css("quiet"), .type(.submit)) { words.addCode } }
        }
    }

    @HTMLBuilder private var tagsPart: HTML {
        h2(.id("tags")) { words.tags }
        p(.css("soft")) { words.tagsDetail }
        p(.css("soft")) { words.plainTags }
        for one in tags { removal("\(one.tag.name) · \(one.box)", "remove-tag", one.tag.id.text) }
        if boxes.isEmpty {
            p { words.noBox }
        } else {
            form(.css("stack"), .method(.post), .action(root.under("tags"))) {
                Part.field(
                    words.name, name: "tag_name", value: written["tag_name"] ?? "", refused: refused["tag_name"],
                    longest: 80)
                Part.choice(
                    words.box, name: "box", options: boxes.map { ($0.id.text, $0.name) }, chosen: boxes.first?.id.text)
                div { button(.css("quiet"), .type(.submit)) { words.learn } }
            }
        }
    }

    private func removal(_ name: String, _ segment: StaticString, _ id: String) -> HTML {
        form(.css("row"), .method(.post), .action(root.under(segment))) {
            input(.type(.hidden), .name("id"), .value(id))
            bdi { name }
            button(.css("plain"), .type(.submit), .aria("label", "\(words.remove): \(name)")) { words.remove }
        }
    }

    /// The form of one sensor.
    static func sensor(
        _ sensor: Sensor, _ guarding: SensorGuard, own: LocalPath, words: SafetyChoiceWords, modes: SafetyWords,
        saved: Bool, refused: String?
    ) -> HTML {
        div(.css("pile narrow")) {
            if saved { Part.notice(.go, words.saved) }
            form(.css("stack plate"), .method(.post), .action(own)) {
                Part.choice(
                    words.meaning, name: "class",
                    options: [("", modes.nothing)] + SensorClass.allCases.map { ($0.name, modes.kind($0)) },
                    chosen: sensor.alarmClass?.name ?? "")
                if sensor.kind == .distance {
                    Part.field(
                        words.distance, name: "distance", kind: .number, value: "\(Int(guarding.distance))",
                        hint: words.distanceHint, refused: refused, longest: 3)
                }
                Part.check(
                    words.whenSilent, name: "when_silent", value: "1", isChecked: guarding.tripsWhenSilent,
                    detail: words.whenSilentDetail)
                div(.css("thumb")) { button(.type(.submit)) { words.save } }
            }
        }
    }
}
