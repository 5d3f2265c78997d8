/// What a legacy gate is called in the air: every gate has a service, two characteristics and a name of its own, made out of its id, so
/// that hub and controller need not tell one another.
///
/// An identifier is the first 16 bytes of SHA-256(purpose ‖ id), marked as version 8 (RFC 9562, 5.8).
public struct LegacyProfile: Hashable, Sendable {
    /// The service that the gate offers, 16 bytes.
    public let service: [UInt8]
    /// Written: badge ⊕ key; 16 bytes.
    public let badge: [UInt8]
    /// Read: the key; 16 bytes.
    public let key: [UInt8]
    private let gate: ID16
    /// The name that the gate sends for everybody to hear, 19 bytes. Made when it is asked for: comparing a stored text would bring
    /// Unicode's tables into firmware.
    public var systemName: String { "soglia-" + Hex.text(Array(gate.bytes[10...])) }

    /// The profile of a gate.
    public init(gate: ID16) {
        service = Self.identifier("soglia legacy service", gate)
        badge = Self.identifier("soglia legacy badge", gate)
        key = Self.identifier("soglia legacy key", gate)
        self.gate = gate
    }

    /// The beacons of a site's gates, 16 bytes; which one it is their numbers say.
    public static func beacon(site: ID16) -> [UInt8] { identifier("soglia legacy beacon", site) }

    /// 36 characters, as RFC 9562 writes an identifier of 16 bytes.
    public static func text(_ identifier: [UInt8]) -> String {
        var result = ""
        for (index, byte) in identifier.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { result += "-" }
            result += Hex.text([byte])
        }
        return result
    }

    private static func identifier(_ purpose: StaticString, _ id: ID16) -> [UInt8] {
        let words = [UInt8](UnsafeBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount))
        var bytes = Array(SHA256.hash(words + id.bytes)[..<16])
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes
    }
}
