import Household
import JSON
import System

/// A device of a house with what its sensors told last and what its actuators do.
struct DeviceRow: JSONObject {
    let id: DeviceID
    let name: String
    let area: String
    let gateway: GatewayID
    let sensors: [SensorRow]
    let actuators: [ActuatorRow]

    init(_ device: Device, _ sensors: [SensorRow], _ actuators: [ActuatorRow]) {
        (id, name, area, gateway) = (device.id, device.name, device.area, device.gateway)
        (self.sensors, self.actuators) = (sensors, actuators)
    }

    static let shape = Shape<DeviceRow> {
        JSONField("id", "the device's id") { $0.id }
        JSONField("name", "what people call it") { $0.name }
        JSONField("area", "its room; empty: not told") { $0.area }
        JSONField("gateway", "the id of what it came in by") { $0.gateway }
        JSONField("sensors") { $0.sensors }
        JSONField("actuators") { $0.actuators }
    }
}

/// A sensor with what it told last, and what of it was refused.
struct SensorRow: JSONObject {
    let id: SensorID
    let name: String
    let kind: SensorKind
    let unit: String
    let state: SensorState
    let refused: RefusedReadings?

    init(_ sensor: Sensor, _ state: SensorState, _ refused: RefusedReadings?) {
        (id, name, kind, unit) = (sensor.id, sensor.name, sensor.kind, sensor.unit)
        (self.state, self.refused) = (state, refused)
    }

    static let shape = Shape<SensorRow> {
        JSONField("id", "the sensor's id") { $0.id }
        JSONField("name", "what people call it") { $0.name }
        JSONField("kind") { $0.kind }
        JSONField("value", "a number, true or false, or a text; null: nothing yet") { $0.state.value }
        JSONField("unit", "of the value; empty: none") { $0.unit }
        JSONField("at", "when it told that") { $0.state.at }
        JSONField("status") { $0.state.status }
        JSONField("refused") { $0.refused }
    }
}

/// What of a sensor was refused, with words in the caller's language.
struct RefusedReadings: JSONObject {
    let refusals: SensorRefusals
    let text: String

    static let shape = Shape<RefusedReadings> {
        JSONField("count", "how much of it was refused since the hub started") { $0.refusals.count }
        JSONField("code") { $0.refusals.reason }
        JSONField("text", "why the last of it was, for people, in their language") { $0.text }
        JSONField("at", "when that was") { $0.refusals.at }
    }
}

/// An actuator with what it says that it does.
struct ActuatorRow: JSONObject {
    let id: ActuatorID
    let name: String
    let kind: ActuatorKind
    let state: SensorState

    init(_ actuator: Actuator, _ state: SensorState) {
        (id, name, kind, self.state) = (actuator.id, actuator.name, actuator.kind, state)
    }

    static let shape = Shape<ActuatorRow> {
        JSONField("id", "the actuator's id") { $0.id }
        JSONField("name", "what people call it") { $0.name }
        JSONField("kind", "siren, fan, valve, light, display, plug, number or other") { $0.kind.rawValue }
        JSONField("value", "a number, true or false, or a text; null: nothing yet") { $0.state.value }
        JSONField("at", "when it told that") { $0.state.at }
        JSONField("status", "as of a sensor") { $0.state.status.rawValue }
    }
}

/// What became of listening to a gateway again.
struct ReleasedAnswer: JSONObject {
    let released: Bool

    static let shape = Shape<ReleasedAnswer> {
        JSONField("released", "whether it had been put aside") { $0.released }
    }
}
