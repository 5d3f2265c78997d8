/// What a gate must know to judge alone: epoch, denied passes, settings, and on a legacy gate whose badges open it when.
///
/// The version is durable at the gate and only grows.
///
/// Layout: version u64 · body · tag 32. Body: epoch u32 · denied count u16 · (pass id 16 · until u64) each, strictly
/// ascending by pass id · settings · the `LocalRights` of a legacy gate, where bit 15 of the settings says so. Tag, domain 6: version u64 · SHA-256
/// of the body.
public struct Rights: Sendable {
    /// The most denied passes; a fuller list takes a new epoch.
    public static let maxDenied = 1024

    private static let hasLocal: UInt16 = 0x8000

    /// Grows with every change.
    public let version: UInt64
    /// Passes of an earlier epoch are refused.
    public let epoch: UInt32
    /// The denied passes, ascending by id, each once.
    public let denied: [Denied]
    /// The gate's settings.
    public let settings: GateSettings
    /// The badges of a gate in legacy mode; nil: this gate takes passes, and no badge.
    public let local: LocalRights?
    /// Domain 6 under the gate's key.
    public let tag: Tag

    /// Signs rights for a gate: the hub's side. Sorts the list; of two entries for one pass the later end stays. Throws
    /// `tooLong` above 1,024 entries, and `badValue` for a pulse above 32,767 ms.
    public init(
        version: UInt64, epoch: UInt32, denied: [Denied], settings: GateSettings, local: LocalRights? = nil,
        gateKey: Key
    ) throws(WireError) {
        var unique: [Denied] = []
        unique.reserveCapacity(denied.count)
        for entry in denied.sorted(by: { ($0.passID, $0.until) < ($1.passID, $1.until) }) {
            if unique.last?.passID == entry.passID { unique.removeLast() }
            unique.append(entry)
        }
        guard unique.count <= Self.maxDenied else { throw .tooLong }
        guard settings.pulseMilliseconds & Self.hasLocal == 0 else { throw .badValue }
        self.version = version
        self.epoch = epoch
        self.denied = unique
        self.settings = settings
        self.local = local
        let body = Self.body(epoch: epoch, denied: unique, settings: settings, local: local)
        tag = Self.tag(version: version, body: body, gateKey: gateKey)
    }

    /// Exactly the bytes of one message. Throws `truncated`, `trailingBytes`, `tooLong`, `badValue` for a list that is
    /// not strictly ascending.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        version = try reader.u64()
        epoch = try reader.u32()
        let count = Int(try reader.u16())
        guard count <= Self.maxDenied else { throw .tooLong }
        var denied: [Denied] = []
        denied.reserveCapacity(count)
        for _ in 0..<count {
            let passID = try reader.id()
            if let previous = denied.last, previous.passID >= passID { throw .badValue }
            denied.append(Denied(passID: passID, until: try reader.u64()))
        }
        self.denied = denied
        let settings = try reader.u16()
        self.settings = GateSettings(pulseMilliseconds: settings & ~Self.hasLocal)
        local = settings & Self.hasLocal != 0 ? try LocalRights.decode(from: &reader) : nil
        tag = try reader.tag()
        try reader.end()
    }

    /// How many bytes rights with so many denied passes and no local rights have.
    static func byteCount(denied: Int) -> Int { 48 + 24 * denied }

    /// The bytes: as many as `byteCount(denied:)` says, and those of the local rights.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: Self.byteCount(denied: denied.count) + (local?.encodedLength ?? 0))
        writer.u64(version)
        writer.append(Self.body(epoch: epoch, denied: denied, settings: settings, local: local))
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the hub made them for the gate with this key. In constant time. See also `isNewer`.
    public func verifies(gateKey: Key) -> Bool {
        let body = Self.body(epoch: epoch, denied: denied, settings: settings, local: local)
        return Self.tag(version: version, body: body, gateKey: gateKey).matches(tag)
    }

    /// Whether they replace those of `version`: an older or equal one is a replay and changes nothing.
    public func isNewer(than version: UInt64) -> Bool {
        self.version > version
    }

    /// Whether the list holds a pass.
    public func isDenied(_ passID: ID16) -> Bool {
        var range = denied.startIndex..<denied.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if denied[middle].passID == passID { return true }
            range = denied[middle].passID < passID ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    private static func body(
        epoch: UInt32, denied: [Denied], settings: GateSettings, local: LocalRights?
    ) -> [UInt8] {
        var writer = ByteWriter(capacity: 8 + 24 * denied.count + (local?.encodedLength ?? 0))
        writer.u32(epoch)
        writer.u16(UInt16(denied.count))
        for entry in denied {
            writer.id(entry.passID)
            writer.u64(entry.until)
        }
        writer.u16(settings.pulseMilliseconds | (local == nil ? 0 : hasLocal))
        local?.write(to: &writer)
        return writer.bytes
    }

    private static func tag(version: UInt64, body: [UInt8], gateKey: Key) -> Tag {
        var writer = ByteWriter(.rights, capacity: 41)
        writer.u64(version)
        writer.append(SHA256.hash(body))
        return HMACSHA256(key: gateKey).authenticate(writer)
    }
}
