import Household
import JSON

/// What happened to a device that describes itself, as the events `home.device.found`, `.changed` and `.removed` hold it.
struct DeviceEventPayload: JSONObject {
    /// What happened to a part of it.
    struct Change: JSONObject {
        let name: String
        let what: String

        static let shape = Shape<Change> {
            JSONField("name", "what the part is called") { $0.name }
            JSONField("what", "what happened to it") { $0.what }
        }
    }

    let device: Device
    let changes: [Change]

    static let shape = Shape<DeviceEventPayload> {
        JSONField("device", "the device's id") { $0.device.id }
        JSONField("gateway", "the id of what it came in by") { $0.device.gateway }
        JSONField("name", "what people call it") { $0.device.name }
        JSONField("changes") { $0.changes }
    }
}
