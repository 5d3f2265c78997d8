import Household
import Identity
import JSON
import Pages
import Safeguard
import System

/// A house as it is now, with words in the reader's language.
struct HouseNow: JSONObject {
    let summary: HouseSummary
    let text: String
    let contact: Contact
    let panelText: String
    let sensors: [FaceRow]
    let actuators: [FaceRow]
    let gateways: [GatewayFace]
    let changed: [HouseNews.Part]

    static let shape = Shape<HouseNow> {
        JSONField("site", "the site's id") { $0.summary.site }
        JSONField("state") { $0.summary.condition }
        JSONField("text", "the same in words") { $0.text }
        JSONField("tone") { $0.summary.condition.tone }
        JSONField("stamp", "another one when its panel or its alarms are others") { $0.summary.stamp }
        JSONField("contact") { $0.contact }
        JSONField("heard", "when anything of it spoke last") { $0.summary.heard }
        JSONField("panel") { PanelFace(panel: $0.summary.panel, text: $0.panelText) }
        JSONField("alarms", "how many have not ended") { $0.summary.alarms.count }
        JSONField("sensors") { $0.sensors }
        JSONField("actuators") { $0.actuators }
        JSONField("gateways") { $0.gateways }
        JSONField("changed") { $0.changed }
    }
}

/// How a panel looks.
struct PanelFace: JSONObject {
    let panel: Panel
    let text: String

    static let shape = Shape<PanelFace> {
        JSONField("state") { $0.panel.state }
        JSONField("text", "the same in words") { $0.text }
        JSONField("tone") { $0.panel.state.tone }
        JSONField("deadline", "when the state ends by itself") { $0.panel.deadline.map(Timestamp.init(milliseconds:)) }
        JSONField("sounding", "whether the siren sounds") { $0.panel.isSounding }
    }
}

/// How a sensor or an actuator looks, and which it is.
struct FaceRow: JSONObject {
    let id: String
    let face: Face

    static let shape = Shape<FaceRow> {
        JSONField("id", "its id") { $0.id }
        JSONField("text", "its value in words") { $0.face.text }
        JSONField("number", "the value where it is one; 1 for yes, 0 for no") { $0.face.number }
        JSONField("status") { $0.face.status }
        JSONField("word", "the status in words") { $0.face.word }
        JSONField("tone") { $0.face.tone }
        JSONField("at", "when it was told") { $0.face.at }
    }
}

/// How a gateway looks, and which it is.
struct GatewayFace: JSONObject {
    let id: GatewayID
    let state: LiveReadings.GatewayState
    let word: String

    static let shape = Shape<GatewayFace> {
        JSONField("id", "its id") { $0.id }
        JSONField("there", "whether it is connected") { $0.state.isThere }
        JSONField("word", "the same in words") { $0.word }
        JSONField("tone") { $0.state.isThere ? Tone.go : .wait }
        JSONField("at", "when it spoke last") { $0.state.heard }
    }
}

/// What pages that live are told of houses.
struct HomeEvent: JSONObject {
    let at: Timestamp
    /// Of each a `HouseNow`, written: one text for all who read the same language.
    let houses: [[UInt8]]

    static let shape = Shape<HomeEvent> {
        JSONField("at", "when that was") { $0.at }
        JSONField("houses", .list(HouseNow.schema)) { event, json in
            json.array { json in for house in event.houses { json.raw(house) } }
        }
    }
}
