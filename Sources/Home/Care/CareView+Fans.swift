import Accounts
import Ledger
import Pages

/// The fans and valves of the page of the air.
extension CareView {
    /// What a fan is offered by hand, in per cent; under 50 it does not turn.
    static let speeds = [0, 50, 60, 70, 80, 90, 100]
    /// For so many minutes.
    static let durations = [15, 60, 240, 1440]

    var fanParts: HTML {
        HTMLBuilder.buildArray([h2(.id("fans")) { words.fans }] + fans.map { part(of: $0) })
    }

    private func part(of one: Fan) -> HTML {
        let id = one.fan.id.text
        let base = LocalPath(root.description + "/fans/" + id) ?? root
        // What it says itself; what it was told where it says nothing.
        let shown = one.face.number ?? Double(one.run.percent)
        return section(.css("plate fan"), .data("actuator", id), .aria("labelledby", "name-" + id)) {
            div(.css("row between")) {
                h3(.id("name-" + id)) { bdi { one.fan.name } }
                LivePart.status(one.face)
            }
            island("fan-gauge", .css("dial"), .data("fan", id)) {
                Part.gauge(Int(min(max(shown, 0), 100)), mark: 50)
                p(.css("level")) { LivePart.value(one.face) }
            }
            div(.id("fan-" + id), .data("fresh", "alarms")) {
                p { one.run.percent == 0 ? words.fanOff : words.fanRuns(Int(one.run.percent)) }
                p(.css("soft")) {
                    if let byHand = one.byHand {
                        byHand
                    } else {
                        one.follows.map { words.fanFollows($0) } ?? words.fanFree
                    }
                }
            }
            if chooses { byHand(one, base) }
            if manages { rule(one, base) }
        }
    }

    private func byHand(_ one: Fan, _ base: LocalPath) -> HTML {
        let id = one.fan.id.text
        return form(.css("filter"), .method(.post), .action(base.under("run"))) {
            choice(
                words.speed, name: "percent", id: "percent-" + id,
                Self.speeds.map { ("\($0)", $0 == 0 ? words.off : "\($0) %") },
                chosen: "\(one.run.byHand?.percent ?? 100)")
            choice(
                words.duration, name: "minutes", id: "minutes-" + id,
                Self.durations.map { ("\($0)", $0 < 60 ? words.minutes($0) : words.hours($0 / 60)) }, chosen: "15")
            div(.css("actions")) {
                button(.css("quiet"), .type(.submit)) { words.run }
                if one.run.byHand != nil {
                    button(.css("plain"), .type(.submit), .name("rule"), .value("1")) { words.byRule }
                }
            }
        }
    }

    private func rule(_ one: Fan, _ base: LocalPath) -> HTML {
        let id = one.fan.id.text
        let isRefused = refused?.id == id
        func written(_ field: String, _ value: String) -> String {
            isRefused ? refused?.written[field] ?? value : value
        }
        let unit = sensors.first { $0.sensor.id == one.rule?.sensor }?.sensor.unit ?? ""
        return details(.open(isRefused)) {
            summary { words.rule }
            form(.css("stack tight"), .method(.post), .action(base.under("rule"))) {
                choice(
                    words.follows, name: "sensor", id: "sensor-" + id,
                    [("", words.followsNothing)] + sensors.map { ($0.sensor.id.text, $0.name) },
                    chosen: written("sensor", one.rule?.sensor.text ?? ""))
                div(.css("pair")) {
                    Part.amount(
                        words.most, name: "most", id: "most-" + id,
                        value: written("most", one.rule.map { Figure.field($0.most) } ?? ""), unit: unit,
                        optional: true, hint: words.mostHint,
                        refused: isRefused && refused?.field == "most" ? refused?.words : nil)
                    Part.amount(
                        words.shortestRun, name: "minutes", id: "run-" + id,
                        value: written(
                            "minutes", Figure.field(Double(one.rule?.shortestRun ?? FanRule.usualRun) / 60)),
                        unit: "", refused: isRefused && refused?.field == "minutes" ? refused?.words : nil)
                }
                div(.css("actions")) { button(.css("quiet"), .type(.submit)) { words.save } }
            }
        }
    }

    private func choice(
        _ text: String, name: StaticString, id: String, _ options: [(value: String, label: String)], chosen: String
    ) -> HTML {
        div(.css("row-field")) {
            label(.for(id)) { text }
            select(.css("field"), .id(id), .name(name)) {
                for one in options { option(.value(one.value), .selected(one.value == chosen)) { one.label } }
            }
        }
    }

    var valveParts: HTML {
        section(.css("plate"), .aria("labelledby", "valves")) {
            h2(.id("valves")) { words.valves }
            ul(.css("rows")) {
                for one in valves {
                    li(.data("actuator", one.valve.id.text)) {
                        div(.css("card-words")) {
                            strong { bdi { one.valve.name } }
                            LivePart.value(one.face)
                        }
                        LivePart.status(one.face)
                    }
                }
            }
            p(.css("soft")) { words.valveDetail }
        }
    }
}
