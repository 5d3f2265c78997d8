/// The hub's time, for the gate that asked with this nonce. An answer to an earlier nonce is a replay.
///
/// Layout, 56 bytes: gate nonce 16 · UTC u64 · tag 32.
public struct TimeAnswer: Sendable {
    /// The nonce of the gate's hello.
    public let nonce: Nonce
    /// Unix seconds; 0: the hub is there, and not sure what time it is.
    public let utc: UInt64
    /// Domain 7 under the gate's key.
    public let tag: Tag

    /// Answers a nonce: the hub's side.
    public init(nonce: Nonce, utc: UInt64, gateKey: Key, mac: MAC = HMACSHA256.tag) {
        self.nonce = nonce
        self.utc = utc
        tag = Self.tag(nonce: nonce, utc: utc, gateKey: gateKey, mac)
    }

    /// Exactly 56 bytes. Throws `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        nonce = try reader.nonce()
        utc = try reader.u64()
        tag = try reader.tag()
        try reader.end()
    }

    /// 56 bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 56)
        writer.nonce(nonce)
        writer.u64(utc)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether it is the hub's answer to `nonce`, the one that the gate gave out last. In constant time.
    public func verifies(gateKey: Key, nonce: Nonce) -> Bool {
        Self.tag(nonce: nonce, utc: utc, gateKey: gateKey, HMACSHA256.tag).matches(tag) && nonce == self.nonce
    }

    private static func tag(nonce: Nonce, utc: UInt64, gateKey: Key, _ mac: MAC) -> Tag {
        var writer = ByteWriter(.time, capacity: 25)
        writer.nonce(nonce)
        writer.u64(utc)
        return writer.tag(gateKey, by: mac)
    }
}
