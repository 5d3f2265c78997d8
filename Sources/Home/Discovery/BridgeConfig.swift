import Identity
import JSON
import Safeguard

/// A device of ours as Home Assistant's discovery describes one.
struct BridgeConfig: JSONObject {
    let about: About
    let components: [Component]

    static let shape = Shape<BridgeConfig> {
        JSONField("device") { $0.about }
        JSONField("origin") { _ in Origin() }
        JSONField("components", .anything("each under its id")) { config, json in
            json.object { json in
                for component in config.components {
                    json.key(component.id)
                    component.write(to: &json)
                }
            }
        }
    }

    /// What it is called, and who made it; what is empty is left out.
    struct About: JSONObject {
        let id: String
        let name: String
        var maker = ""
        var model = ""
        var area = ""

        static let shape = Shape<About> {
            JSONField("identifiers", "its id") { ["soglia_" + $0.id] }
            JSONField("name", "what people call it") { $0.name }
            JSONField(unlessNil: "manufacturer", "who made it") { $0.maker.isEmpty ? nil : $0.maker }
            JSONField(unlessNil: "model", "what it is") { $0.model.isEmpty ? nil : $0.model }
            JSONField(unlessNil: "suggested_area", "its room") { $0.area.isEmpty ? nil : $0.area }
        }
    }

    /// Who says so.
    struct Origin: JSONObject {
        static let shape = Shape<Origin> {
            JSONField("name", "the hub") { _ in DiscoveryMessage.ownOrigin }
            JSONField("sw_version", "its version") { _ in Version.current }
        }
    }

    /// Something that it measures or does.
    struct Component: JSONObject {
        /// After so many seconds without a word a value counts no more over there: the hub may be away.
        private static let expiry = 300

        let id: String
        let name: String
        let isTruth: Bool
        var deviceClass: String?
        var unit: String?
        var stateClass: String?
        var options: [PanelState]?

        static let shape = Shape<Component> {
            JSONField("platform", "binary_sensor or sensor") { $0.isTruth ? "binary_sensor" : "sensor" }
            JSONField("unique_id", "its id") { "soglia_" + $0.id }
            JSONField("name", "what people call it") { $0.name }
            JSONField("state_topic", "where its value is told") { BridgeMessage.topic($0.id, "state") }
            JSONField("availability_topic", "where it is told whether that counts") {
                BridgeMessage.topic($0.id, "availability")
            }
            JSONField("expire_after", "in seconds") { _ in expiry }
            JSONField(unlessNil: "device_class", "Home Assistant's class") { $0.deviceClass }
            JSONField(unlessNil: "unit_of_measurement", "of its value") { $0.unit }
            JSONField(unlessNil: "state_class", "what a number is") { $0.stateClass }
            JSONField(unlessNil: "options") { $0.options }
        }
    }
}
