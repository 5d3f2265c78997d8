import Accounts
import Household
import Identity
import JSON
import Ledger
import Safeguard
import System

/// What of a house is told.
struct HouseNews: Sendable, Equatable {
    var sensors: Set<SensorID> = []
    var actuators: Set<ActuatorID> = []
    var gateways: Set<GatewayID> = []
    var panel = false
    var alarms = false
    /// There are others than before, or they are called otherwise.
    var devices = false
}

extension HouseSight {
    static let faceSchema: [(String, Schema)] = [
        ("id", .text("its id")), ("text", .text("its value in words")),
        ("number", .optional(.number("the value where it is one; 1 for yes, 0 for no"))),
        ("status", .choice(["waiting", "live", "warming", "late", "unavailable", "isolated"])),
        ("word", .text("the status in words")), ("tone", .choice(["go", "wait", "no", "idle"])),
        ("at", .optional(.text("when it was told"))),
    ]

    /// What `write` writes.
    static let schema = Schema.object([
        ("site", .text("the site's id")), ("state", .choice(HouseCondition.allCases.map(\.rawValue))),
        ("text", .text("the same in words")), ("tone", .choice(["go", "wait", "no", "idle"])),
        ("stamp", .text("another one when its panel or its alarms are others")),
        ("contact", .choice(Contact.allCases.map(\.rawValue))),
        ("heard", .optional(.text("when anything of it spoke last"))),
        (
            "panel",
            .object([
                ("state", .choice(PanelState.allCases.map(\.name))), ("text", .text("the same in words")),
                ("tone", .choice(["go", "wait", "no", "idle"])),
                ("deadline", .optional(.text("when the state ends by itself"))),
                ("sounding", .truth("whether the siren sounds")),
            ])
        ),
        ("alarms", .integer("how many have not ended")), ("sensors", .list(.object(faceSchema))),
        ("actuators", .list(.object(faceSchema))),
        (
            "gateways",
            .list(
                .object([
                    ("id", .text("its id")), ("there", .truth("whether it is connected")),
                    ("word", .text("the same in words")), ("tone", .choice(["go", "wait", "no", "idle"])),
                    ("at", .optional(.text("when it spoke last"))),
                ]))
        ), ("changed", .list(.choice(["panel", "alarms", "connection", "devices"]))),
    ])

    /// A house as it is now.
    /// - Parameter news: of which sensors, actuators and gateways; nil: of all.
    func write(_ site: SiteID, _ news: HouseNews?, _ language: Language, to json: inout JSONWriter) {
        let (words, catalog, summary) = (HomeLiveWords.in(language), registry.catalog, summary(of: site))
        json.object { json in
            json.field("site", site.text)
            json.field("state", summary.condition.rawValue)
            json.field("text", words.condition(summary.condition))
            json.field("tone", summary.condition.tone.rawValue)
            json.field("stamp", summary.stamp)
            json.field("contact", summary.contact(at: clock.now).rawValue)
            json.field("heard", summary.heard?.iso8601)
            json.object("panel") { json in
                json.field("state", summary.panel.state.name)
                json.field("text", words.panel(summary.panel.state))
                json.field("tone", summary.panel.state.tone.rawValue)
                json.field("deadline", summary.panel.deadline.map { Timestamp(milliseconds: $0).iso8601 })
                json.field("sounding", summary.panel.isSounding)
            }
            json.field("alarms", summary.alarms.count)
            json.array("sensors") { json in
                for one in catalog.sensors(at: site) where news?.sensors.contains(one.id) ?? true {
                    Self.write(face(of: one, words), one.id.text, to: &json)
                }
            }
            json.array("actuators") { json in
                for one in catalog.actuators(at: site) where news?.actuators.contains(one.id) ?? true {
                    Self.write(face(of: one, words), one.id.text, to: &json)
                }
            }
            json.array("gateways") { json in
                for one in catalog.gateways(of: site) where news?.gateways.contains(one.id) ?? true {
                    let state = live.gateway(one.id)
                    json.object { json in
                        json.field("id", one.id.text)
                        json.field("there", state.isThere)
                        json.field("word", state.isThere ? words.there : words.away)
                        json.field("tone", state.isThere ? "go" : "wait")
                        json.field("at", state.heard?.iso8601)
                    }
                }
            }
            json.array("changed") { json in
                if news?.panel ?? true { json.value("panel") }
                if news?.alarms ?? true { json.value("alarms") }
                if news.map({ !$0.gateways.isEmpty }) ?? true { json.value("connection") }
                if news?.devices ?? true { json.value("devices") }
            }
        }
    }

    private static func write(_ face: Face, _ id: String, to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("text", face.text)
            json.field("number", face.number)
            json.field("status", face.status.rawValue)
            json.field("word", face.word)
            json.field("tone", face.tone.rawValue)
            json.field("at", face.at?.iso8601)
        }
    }
}
