import JSON
import System

extension SensorReport: JSONObject {
    public static let shape = Shape<SensorReport> {
        JSONField("id", "the sensor's id") { $0.sensor.id }
        JSONField("name", "what people call it") { $0.sensor.name }
        JSONField("site", "the house's id") { $0.sensor.site }
        JSONField("device", "the device's id") { $0.sensor.device }
        JSONField("kind") { $0.sensor.kind }
        JSONField("value", "a number, true or false, or a text; null: nothing yet") { $0.state.value }
        JSONField("unit", "of the value; empty: none") { $0.sensor.unit }
        JSONField("at", "when it told that") { $0.state.at }
        JSONField("status", "waiting, live, warming, late, unavailable or isolated") { $0.state.status.rawValue }
    }
}
