import Household
import Identity
import JSON
import Safeguard
import System
import Wire

/// How the panel of a house stands, as people of the house see it.
struct PanelRow: JSONObject {
    let site: SiteID
    let house: HousePanel
    let asksCode: Bool
    let weak: [WeakSensorRow]
    let refused: [RefusedOrderRow]
    let open: [NamedSensorRow]
    let bypassed: [NamedSensorRow]
    let trips: [TripRow]
    let last: PanelActRow?

    static let shape = Shape<PanelRow> {
        JSONField("site", "the house's id") { $0.site }
        JSONField("state") { $0.house.panel.state }
        JSONField("mode") { $0.house.panel.mode }
        JSONField("until", "when the state ends by itself") {
            $0.house.panel.deadline.map { Timestamp(milliseconds: $0) }
        }
        JSONField("isSounding", "whether the sirens sound") { $0.house.panel.isSounding }
        JSONField("number", "how often it was armed, disarmed or reset") { $0.house.panel.number }
        JSONField("isDrill", "whether what sounds is an exercise") { $0.house.isDrill }
        JSONField(
            "isDegraded",
            "whether something does not do its part: a sensor while it is armed, or a box that does not obey"
        ) { $0.house.isDegraded || !$0.refused.isEmpty }
        JSONField("asksCode", "whether disarming takes a code, or a fresh proof of who asks") { $0.asksCode }
        JSONField("weak") { $0.weak }
        JSONField("refused") { $0.refused }
        JSONField("open") { $0.open }
        JSONField("bypassed") { $0.bypassed }
        JSONField("trips") { $0.trips }
        JSONField("last") { $0.last }
    }
}

/// A sensor by its name.
struct NamedSensorRow: JSONObject {
    let id: SensorID
    let name: String

    static let shape = Shape<NamedSensorRow> {
        JSONField("id", "the sensor's id") { $0.id }
        JSONField("name", "what people call it") { $0.name }
    }
}

/// A sensor that does not do its part.
struct WeakSensorRow: JSONObject {
    let sensor: NamedSensorRow
    let why: AlarmMessage.Weakness

    static let shape = Shape<WeakSensorRow> {
        NamedSensorRow.shape.fields { (row: WeakSensorRow) in row.sensor }
        JSONField("why") { $0.why }
    }
}

/// An order that a box did not obey.
struct RefusedOrderRow: JSONObject {
    let gateway: Gateway
    let order: RefusedOrder

    static let shape = Shape<RefusedOrderRow> {
        JSONField("id", "the box's id") { $0.gateway.id }
        JSONField("name", "what people call it") { $0.gateway.name }
        JSONField("order") { $0.order.kind }
        JSONField("why", .choice(RefusedOrder.reasons)) { row, json in json.value(row.order.reason) }
        JSONField("since", "when") { $0.order.since }
    }
}

/// A sensor that was tripped.
struct TripRow: JSONObject {
    let sensor: NamedSensorRow
    let trip: HousePanel.Trip

    static let shape = Shape<TripRow> {
        NamedSensorRow.shape.fields { (row: TripRow) in row.sensor }
        JSONField("class") { $0.trip.kind }
        JSONField("at", "when") { $0.trip.at }
    }
}

/// What was done to the panel last.
struct PanelActRow: JSONObject {
    let act: HousePanel.Act
    let name: String?

    static let shape = Shape<PanelActRow> {
        JSONField("act") { $0.act.kind }
        JSONField("by") { $0.act.by.kind }
        JSONField("name", "who, or what, as people call it") { $0.name }
        JSONField("at", "when") { $0.act.at }
    }
}
