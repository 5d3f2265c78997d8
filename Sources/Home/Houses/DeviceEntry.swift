import Accounts
import Safeguard

/// What somebody says of a sensor, before any of it is believed.
struct SensorEntry: Sendable, Equatable {
    var name = ""
    var unit = ""
    var low = ""
    var high = ""
    var period = ""
    /// By its name; empty: tripping it means nothing.
    var alarmClass = ""

    // Of one that is added by hand.
    var kind = ""
    var gateway = ""
    var topic = ""
    var member = ""
    var on = ""
    var off = ""
}

/// What somebody says of an actuator that is added by hand.
struct ActuatorEntry: Sendable, Equatable {
    var name = ""
    var kind = ""
    var gateway = ""
    var topic = ""
    var on = ""
    var off = ""
}

/// What of those will do. The one place where it is decided, for forms and programs.
enum DeviceRules {
    /// The most bytes of a topic below a gateway's.
    static let longestTopic = 120
    /// The most names that lead to a value in JSON.
    static let deepestMember = 8
    /// In seconds.
    static let periods = 0.1...86_400.0
    /// What gateways say of themselves, and no sensor does.
    private static let reserved: Set<Substring> = [
        "hello", "up", "down", "availability", "homeassistant", "from-soglia",
    ]

    static func name(_ text: String) throws(DeviceFault) -> String {
        guard let name = GivenName.parse(text) else { throw .name }
        return name
    }

    /// Empty is none.
    static func area(_ text: String) throws(DeviceFault) -> String {
        if text.allSatisfy(\.isWhitespace) { return "" }
        guard let area = GivenName.parse(text) else { throw .area }
        return area
    }

    static func unit(_ text: String) throws(DeviceFault) -> String {
        if text.allSatisfy(\.isWhitespace) { return "" }
        guard let unit = GivenName.parse(text, longest: 16) else { throw .unit }
        return unit
    }

    static func range(_ low: String, _ high: String) throws(DeviceFault) -> ClosedRange<Double>? {
        if low.isEmpty && high.isEmpty { return nil }
        guard let low = number(low), let high = number(high), low < high else { throw .range }
        return low...high
    }

    static func period(_ text: String) throws(DeviceFault) -> Double? {
        if text.isEmpty { return nil }
        guard let seconds = number(text), periods.contains(seconds) else { throw .period }
        return seconds
    }

    static func alarmClass(_ text: String) throws(DeviceFault) -> SensorClass? {
        if text.isEmpty { return nil }
        guard let found = SensorClass(name: text) else { throw .alarmClass }
        return found
    }

    /// Below the gateway's own, without wildcards. Makers and people name theirs as they like, with blanks and colons.
    static func topic(_ text: String) throws(DeviceFault) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard DiscoveryFields.isTopic(text), text.utf8.count <= longestTopic, (1...8).contains(parts.count),
            parts.allSatisfy({ GivenName.isSeen(String($0)) }), !reserved.contains(parts[0]),
            !text.unicodeScalars.contains(where: GivenName.steers), text.first != " ", text.last != " "
        else { throw .topic }
        return text
    }

    static func member(_ text: String) throws(DeviceFault) -> [String] {
        if text.isEmpty { return [] }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= deepestMember,
            parts.allSatisfy({ (1...64).contains($0.count) && !$0.unicodeScalars.contains { $0.value < 0x20 } })
        else { throw .member }
        return parts
    }

    /// What stands for yes and no; nil: as usual.
    static func words(_ on: String, _ off: String) throws(DeviceFault) -> (on: String?, off: String?) {
        for text in [on, off] where text.count > 64 || text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            throw .text
        }
        if on == off && !on.isEmpty { throw .text }
        return (on.isEmpty ? nil : on, off.isEmpty ? nil : off)
    }

    /// Digits with at most one point or comma and a sign; finite.
    static func number(_ text: String) -> Double? {
        guard (1...24).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2b, 0x2c, 0x2d, 0x2e].contains($0) }),
            let value = Double(String(text.map { $0 == "," ? "." : $0 })), value.isFinite
        else { return nil }
        return value
    }

    /// As people type it: `1023`, `0.5`.
    static func text(_ value: Double) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : value.description
    }
}
