import Accounts
import Household
import Identity
import Ledger
import Pages

/// What the sensors of a house have told, and how long it is kept.
struct HistoryView {
    let language: Language
    let site: SiteID
    /// With the name of the device, and how it is now.
    let sensors: [(sensor: Sensor, device: String, face: Face)]
    let rules: HistoryRetention
    let isOwner: Bool
    let isSaved: Bool
    let isRefused: Bool

    static func path(_ site: SiteID) -> LocalPath { "/houses/\(site.text)/history" }

    private var words: HistoryWords { .in(language) }

    var content: HTML {
        div(.css("pile")) {
            if isSaved { Part.notice(.go, words.saved) }
            if isRefused { Part.notice(.no, words.refused) }
            if sensors.isEmpty {
                Part.empty(title: words.noSensors, detail: words.noSensorsDetail)
            } else {
                p(.css("lead")) { words.historyLead }
                ul(.css("cards")) {
                    for one in sensors {
                        li(.css("card"), .data("sensor", one.sensor.id.text)) {
                            div(.css("card-words")) {
                                a(.css("whole"), .href(SensorChartView.path(site, one.sensor.id))) {
                                    bdi { one.sensor.name }
                                }
                                p(.css("soft")) { bdi { one.device } }
                            }
                            if one.sensor.retired == nil { LivePart.value(one.face) }
                        }
                    }
                }
            }
            retention
        }
    }

    private var retention: HTML {
        section(.css("plate narrow"), .aria("labelledby", "kept")) {
            h2(.id("kept")) { words.kept }
            p(.css("soft")) { words.keptLead }
            if isOwner {
                form(.css("stack"), .method(.post), .action(Self.path(site))) {
                    choice(words.keptRaw, "raw", [7, 30, 90, 180, 366], rules.raw)
                    choice(words.keptFive, "five", [90, 365, 730, 1_825, 3_650], rules.fiveMinutes)
                    choice(words.keptHours, "hours", [730, 1_825, 3_650, 0], rules.hours, hint: words.keptHoursHint)
                    div(.css("row")) { button(.type(.submit)) { words.save } }
                }
            } else {
                dl(.css("pairs")) {
                    for (name, days) in [
                        (words.keptRaw, rules.raw), (words.keptFive, rules.fiveMinutes), (words.keptHours, rules.hours),
                    ] {
                        dt { name }
                        dd { words.length(days) }
                    }
                }
            }
        }
    }

    private func choice(
        _ label: String, _ name: StaticString, _ offered: [Int], _ days: Int, hint: String? = nil
    ) -> HTML {
        let all = offered.contains(days) ? offered : [days] + offered
        return Part.choice(
            label, name: name, options: all.map { ("\($0)", words.length($0)) }, chosen: "\(days)", hint: hint)
    }
}
