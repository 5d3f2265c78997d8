import Household

/// Topics below a gateway's own that mean something by themselves, whatever is bound to them.
enum GatewayTopics {
    /// What all topics of Home Assistant's discovery begin with.
    static let discovery = "homeassistant/"
    /// Where whoever reads discovery says that it is there: devices then tell of themselves again.
    static let status = discovery + "status"
    /// What those begin with on which a home's own broker is told what the hub's devices are, and how they are.
    static let (ownDescriptions, ownStates) = (discovery + "device/soglia_", "soglia/")

    /// Whether devices may describe themselves there.
    static func isDescription(_ topic: some StringProtocol) -> Bool {
        topic.hasPrefix(discovery) && topic.hasSuffix("/config")
    }

    /// Where a home's own broker is told something: what is heard there the hub has said itself.
    static func isTold(_ topic: String) -> Bool { topic.hasPrefix(Gateway.downOfBridge) }

    /// Whether a home's own broker is told there what the hub's devices are, or how they are.
    static func isOwn(_ topic: Substring) -> Bool { topic.hasPrefix(ownStates) || topic.hasPrefix(ownDescriptions) }
}
