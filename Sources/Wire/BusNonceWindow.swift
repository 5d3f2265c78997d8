/// Which nonces of the bus a gate has seen: session 8 · counter u64. Each is used once, in a sliding window of 64, so
/// that openings may overtake one another a little and none is taken twice.
public struct BusNonceWindow: Sendable {
    /// How far a counter may lie behind the highest one.
    public static let width: UInt64 = 64

    private let session: UInt64?
    private var highest: UInt64?
    /// Bit n: the counter `highest - n` was used.
    private var used: UInt64 = 0

    /// A new window for a new connection: `session` is 8 bytes, and a window with any other length accepts nothing.
    public init(session: [UInt8]) {
        self.session = session.count == 8 ? session.withUnsafeBytes { $0.bigEndian(at: 0) } : nil
    }

    /// The bus nonce of a session (8 bytes, else nil) and a counter: the hub's side.
    public static func nonce(session: [UInt8], counter: UInt64) -> Nonce? {
        guard session.count == 8 else { return nil }
        return Nonce(high: session.withUnsafeBytes { $0.bigEndian(at: 0) }, low: counter)
    }

    /// Uses a nonce up; false if it is of another session, was used, or lies 64 or more behind the highest. Only for a
    /// message that verified: anybody else could push the window forward.
    public mutating func accept(_ nonce: Nonce) -> Bool {
        guard let session, nonce.high == session else { return false }
        let counter = nonce.low
        guard let highest, counter <= highest else {
            let step = counter - (highest ?? counter)
            used = step < Self.width ? used << step : 0
            used |= 1
            self.highest = counter
            return true
        }
        let behind = highest - counter
        guard behind < Self.width, used & (1 << behind) == 0 else { return false }
        used |= 1 << behind
        return true
    }
}
