import Household
import Wire

/// Where a discovery message lies, below its gateway's topics: `homeassistant/<component>/[<node>/]<object>/config`, or with `device` for
/// the component, which then tells of a device with all of its components.
public struct DiscoveryTopic: Sendable, Equatable {
    /// `sensor`, `switch`, …; nil: the message is of a whole device.
    public let component: String?
    /// What the device calls its part of the house; often left out.
    public let node: String?
    /// What it calls the component, or itself.
    public let object: String

    /// Nil for what is no topic of discovery.
    public init?(_ topic: String) {
        guard topic.utf8.count <= DiscoveryLimit.topic, topic.hasPrefix(GatewayTopics.discovery) else { return nil }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.count == 4 || levels.count == 5, levels.last == "config",
            levels[1..<(levels.count - 1)].allSatisfy({ Self.isID($0) })
        else { return nil }
        component = levels[1] == "device" ? nil : levels[1]
        node = levels.count == 5 ? levels[2] : nil
        object = levels[levels.count - 2]
    }

    /// Node and object as one, for what has no other name.
    var id: String { node.map { $0 + "_" + object } ?? object }

    /// Letters, digits, `_` and `-`.
    private static func isID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= DiscoveryLimit.id
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}

/// What a device may be called by in tables: letters, digits, `_` and `-`, at most 64.
enum DiscoveryKey {
    static let longest = 64

    /// The id itself where it is one already, and not what things added by hand hang on; otherwise what is left of it, with the beginning of
    /// its hash so that two that differ stay two.
    static func of(_ id: String) -> String {
        let plain = String(
            decoding: id.utf8.prefix(longest).map { byte -> UInt8 in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"), UInt8(ascii: "-"): byte
                default: UInt8(ascii: "_")
                }
            }, as: UTF8.self)
        if plain == id, id != Device.keyByHand { return id }
        let hash = Hex.text(Array(SHA256.hash(Array(id.utf8))[..<6]))
        return String(plain.prefix(longest - 13)) + "-" + hash
    }
}
