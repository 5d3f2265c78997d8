/// A condition that the holder of a pass added to it. It only narrows: a gate that cannot judge one refuses.
///
/// Layout: type u8 · length u16 · value. `from` and `until` (types 1, 2): u64, the clock of the header. `intents` (3):
/// 1 to 4 kinds u8 without a repetition. `label` (4): 1 to 64 bytes of text. `last` (5): no value.
public enum Caveat: Hashable, Sendable {
    /// Not before this second.
    case from(UInt64)
    /// Only before this second.
    case until(UInt64)
    /// Only for these intents: 1 to 4, each once.
    case intents([IntentKind])
    /// Whom it was handed to, for the journal: 1 to 64 bytes of UTF-8, which whoever shows it takes as text from
    /// outside.
    case label([UInt8])
    /// Nothing may follow.
    case last

    /// The most caveats on a pass.
    public static let maxCount = 4
    /// The longest label, in bytes.
    public static let maxLabel = 64

    /// The type byte on the wire.
    public var type: UInt8 {
        switch self {
        case .from: 1
        case .until: 2
        case .intents: 3
        case .label: 4
        case .last: 5
        }
    }

    /// Type, length and value, as they are authenticated. Throws `badValue` for a list or label out of range.
    public func encoded() throws(WireError) -> [UInt8] {
        try validate()
        var writer = ByteWriter(capacity: 16)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads one caveat. Throws `truncated`, `unknownType`, `badValue`.
    public static func decode(from reader: inout Reader) throws(WireError) -> Caveat {
        let type = try reader.u8()
        guard type >= 1, type <= 5 else { throw .unknownType }
        let value = try reader.lengthPrefixed()
        let caveat: Caveat
        switch type {
        case 1: caveat = .from(try time(value))
        case 2: caveat = .until(try time(value))
        case 3: caveat = .intents(try kinds(value))
        case 4: caveat = .label(value)
        default:
            guard value.isEmpty else { throw .badValue }
            caveat = .last
        }
        try caveat.validate()
        return caveat
    }

    /// Whether the condition holds for an intent at a time of the header's clock.
    public func holds(for intent: Intent, at time: UInt64) -> Bool {
        switch self {
        case .from(let start): time >= start
        case .until(let end): time < end
        case .intents(let kinds): kinds.contains(intent.kind)
        case .label, .last: true
        }
    }

    func validate() throws(WireError) {
        switch self {
        case .from, .until, .last:
            break
        case .intents(let kinds):
            var seen: UInt8 = 0
            for kind in kinds {
                let bit: UInt8 = 1 << kind.rawValue
                guard seen & bit == 0 else { throw .badValue }
                seen |= bit
            }
            guard seen != 0 else { throw .badValue }
        case .label(let text):
            guard (1...Self.maxLabel).contains(text.count) else { throw .badValue }
        }
    }

    /// The caller has validated the caveat.
    func write(to writer: inout ByteWriter) {
        writer.u8(type)
        switch self {
        case .from(let time), .until(let time):
            writer.u16(8)
            writer.u64(time)
        case .intents(let kinds):
            writer.u16(UInt16(kinds.count))
            for kind in kinds { writer.u8(kind.rawValue) }
        case .label(let text):
            writer.u16(UInt16(text.count))
            writer.append(text)
        case .last:
            writer.u16(0)
        }
    }

    /// The key after this caveat.
    func narrowing(_ key: Key) -> Key {
        HMACSHA256(key: key).authenticate(narrowingInput()).asKey
    }

    /// The input of the next key: 2 · type u8 · length u16 · value.
    func narrowingInput() -> ByteWriter {
        var writer = ByteWriter(.narrowing, capacity: 72)
        write(to: &writer)
        return writer
    }

    private static func time(_ value: [UInt8]) throws(WireError) -> UInt64 {
        guard value.count == 8 else { throw .badValue }
        var reader = Reader(value)
        return try reader.u64()
    }

    private static func kinds(_ value: [UInt8]) throws(WireError) -> [IntentKind] {
        var kinds: [IntentKind] = []
        for byte in value {
            guard let kind = IntentKind(rawValue: byte) else { throw .badValue }
            kinds.append(kind)
        }
        return kinds
    }
}

/// The caveats of one pass, in the order of their narrowing: count u8, then each.
enum CaveatList {
    /// Throws `tooManyCaveats`, `afterLast`, `badValue`.
    static func validate(_ caveats: [Caveat]) throws(WireError) {
        guard caveats.count <= Caveat.maxCount else { throw .tooManyCaveats }
        for (index, caveat) in caveats.enumerated() {
            try caveat.validate()
            if caveat == .last, index + 1 < caveats.count { throw .afterLast }
        }
    }

    /// Also throws `notNarrowable` for any caveat under a header that allows none.
    static func validate(_ caveats: [Caveat], under header: PassHeader) throws(WireError) {
        guard caveats.isEmpty || header.flags.contains(.narrowable) else { throw .notNarrowable }
        try validate(caveats)
    }

    static func write(_ caveats: [Caveat], to writer: inout ByteWriter) {
        writer.u8(UInt8(caveats.count))
        for caveat in caveats { caveat.write(to: &writer) }
    }

    static func read(from reader: inout Reader) throws(WireError) -> [Caveat] {
        let count = Int(try reader.u8())
        guard count <= Caveat.maxCount else { throw .tooManyCaveats }
        var caveats: [Caveat] = []
        caveats.reserveCapacity(count)
        for _ in 0..<count { caveats.append(try Caveat.decode(from: &reader)) }
        try validate(caveats)
        return caveats
    }
}
