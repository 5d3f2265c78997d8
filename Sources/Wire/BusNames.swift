/// The names that hub and controllers use on the bus.
///
/// Topics: `soglia/<site>/gates/<gate>/hello` (retained), `…/up` and `…/down`; while pairing `soglia/pair/<user>/up`
/// and `…/down`. Ids are 32 hexadecimal digits.
public enum BusNames {
    /// What the name of every exchange of pairing begins with.
    public static let pairingPrefix = "pair-"
    /// What the name of every gate's controller begins with.
    public static let gatePrefix = "gate-"
    /// What the name of every home's gateway begins with.
    public static let gatewayNamePrefix = "home-"

    /// Where a controller says that it is there, retained; its will empties it.
    public static func hello(site: ID16, gate: ID16) -> String { topic(site, gate, "/hello") }

    /// Where a controller sends records.
    public static func up(site: ID16, gate: ID16) -> String { topic(site, gate, "/up") }

    /// Where the hub sends openings, rights, time and acknowledgements.
    public static func down(site: ID16, gate: ID16) -> String { topic(site, gate, "/down") }

    /// The name of a gate's controller on the bus.
    public static func username(gate: ID16) -> String { gatePrefix + gate.hex }

    /// What all topics of a home's gateway begin with, `soglia/<site>/<gateway>/`.
    public static func gatewayPrefix(site: ID16, gateway: ID16) -> String {
        "soglia/" + site.hex + "/" + gateway.hex + "/"
    }

    /// The name of a home's gateway on the bus.
    public static func username(gateway: ID16) -> String { gatewayNamePrefix + gateway.hex }

    /// The password of a controller or gateway on the bus: both sides make it out of its key, so that it is never
    /// sent during pairing. 64 hexadecimal digits of `HKDF-SHA256(K; "soglia bus password")`.
    public static func password(key: Key) -> String { Hex.text(derived(key.bytes, "soglia bus password")) }

    /// The key under which the end of pairing is sealed: `HKDF-SHA256(K; "soglia pairing seal")`, 32 bytes.
    public static func sealKey(_ key: Key) -> [UInt8] { derived(key.bytes, "soglia pairing seal") }

    /// The way onto the bus that a pairing code opens, for one exchange.
    public struct PairingWay: Sendable {
        /// `pair-` and 16 hexadecimal digits of `HKDF-SHA256(code; "soglia pairing user")`.
        public let username: String
        /// 64 hexadecimal digits of `HKDF-SHA256(code; "soglia pairing password")`.
        public let password: String

        /// The way of a code.
        public init(_ code: PairingCode) {
            let user = BusNames.derived(code.bytes, "soglia pairing user")
            username = BusNames.pairingPrefix + Hex.text(Array(user[..<8]))
            password = Hex.text(BusNames.derived(code.bytes, "soglia pairing password"))
        }

        /// Where the controller sends.
        public var up: String { "soglia/pair/" + username + "/up" }
        /// Where the hub answers.
        public var down: String { "soglia/pair/" + username + "/down" }
    }

    private static func topic(_ site: ID16, _ gate: ID16, _ end: String) -> String {
        "soglia/" + site.hex + "/gates/" + gate.hex + end
    }

    private static func derived(_ secret: [UInt8], _ purpose: StaticString) -> [UInt8] {
        let info = [UInt8](UnsafeBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount))
        return HKDFSHA256.expandKey(HKDFSHA256.extract(salt: [], inputKeyMaterial: secret), info: info).bytes
    }
}
