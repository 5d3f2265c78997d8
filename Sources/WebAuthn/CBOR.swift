/// A value of CBOR (RFC 8949), of the part of it that authenticators write.
public indirect enum CBOR: Sendable, Equatable {
    /// 0 and above.
    case unsigned(UInt64)
    /// −1 − n.
    case negative(UInt64)
    case bytes([UInt8])
    /// UTF-8.
    case text(String)
    /// A list.
    case array([CBOR])
    /// In the order in which they came, which is the canonical one: no key twice.
    case map([Entry])
    /// Yes or no.
    case bool(Bool)
    /// Nothing.
    case null

    /// One pair of a map.
    public struct Entry: Sendable, Equatable {
        /// A whole number or a text.
        public let key: CBOR
        /// Anything.
        public let value: CBOR
    }

    /// A whole number, as keys and algorithms are written.
    public static func int(_ value: Int) -> CBOR {
        value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
    }

    /// The bytes, where it is bytes.
    var asBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    /// The text, where it is one.
    var asText: String? { if case .text(let text) = self { text } else { nil } }
    /// The entries, where it is a map.
    var asMap: [Entry]? { if case .map(let entries) = self { entries } else { nil } }

    /// What a map says of a text.
    subscript(key: String) -> CBOR? { asMap?.first { $0.key == .text(key) }?.value }
    /// What a map says of a number.
    subscript(key: Int) -> CBOR? { asMap?.first { $0.key == .int(key) }?.value }

    /// Why bytes are not such a value.
    public enum Fault: Error, Sendable {
        /// They end in the middle.
        case truncated
        /// There are more behind the value.
        case trailing
        /// A kind that authenticators do not write: tags, floating point, lengths that are not told before.
        case unsupported
        /// Not in the canonical form of CTAP2: a longer head than needed, keys out of order or twice.
        case notCanonical
        /// Nested too deeply.
        case tooDeep
        /// A text that is not UTF-8.
        case notText
    }

    /// Reads one value that takes up all of the bytes.
    public static func read(_ bytes: [UInt8]) throws(Fault) -> CBOR {
        var reader = CBORReader(bytes)
        let value = try reader.value()
        guard reader.position == bytes.count else { throw .trailing }
        return value
    }
}

/// Reads values in the canonical form of CTAP2 (section 8, "Message Encoding"), the only one that authenticators may write and that a
/// relying party need take (WebAuthn, 2.4). Memory is bounded by the bytes themselves: no head is believed before its content is there.
struct CBORReader {
    /// CTAP2 allows no deeper nesting.
    static let depth = 4

    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], from position: Int = 0) { (self.bytes, self.position) = (bytes, position) }

    /// The next value.
    mutating func value() throws(CBOR.Fault) -> CBOR { try value(inside: 0) }

    private mutating func value(inside depth: Int) throws(CBOR.Fault) -> CBOR {
        let head = try byte()
        let (major, info) = (head >> 5, head & 31)
        if major == 7 {
            switch info {
            case 20: return .bool(false)
            case 21: return .bool(true)
            case 22: return .null
            default: throw .unsupported
            }
        }
        let argument = try argument(info)
        switch major {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(try take(argument))
        case 3:
            guard let text = String(validating: try take(argument), as: UTF8.self) else { throw .notText }
            return .text(text)
        case 4:
            let count = try count(argument, inside: depth)
            var items: [CBOR] = []
            for _ in 0..<count { items.append(try value(inside: depth + 1)) }
            return .array(items)
        case 5: return .map(try entries(count(argument, inside: depth), inside: depth))
        default: throw .unsupported
        }
    }

    private mutating func entries(_ count: Int, inside depth: Int) throws(CBOR.Fault) -> [CBOR.Entry] {
        var entries: [CBOR.Entry] = []
        var before: ArraySlice<UInt8>?
        for _ in 0..<count {
            let start = position
            let key = try value(inside: depth + 1)
            switch key {
            case .unsigned, .negative, .text: break
            default: throw .unsupported
            }
            let encoded = bytes[start..<position]
            if let before, !Self.isAhead(before, of: encoded) { throw .notCanonical }
            before = encoded
            entries.append(CBOR.Entry(key: key, value: try value(inside: depth + 1)))
        }
        return entries
    }

    /// The order of keys: the lower major type, then the shorter, then byte by byte. Equal ones are not in order.
    private static func isAhead(_ a: ArraySlice<UInt8>, of b: ArraySlice<UInt8>) -> Bool {
        let (major, other) = (a.first! >> 5, b.first! >> 5)
        if major != other { return major < other }
        if a.count != b.count { return a.count < b.count }
        return a.lexicographicallyPrecedes(b)
    }

    /// The number behind a head, in the shortest form that holds it.
    private mutating func argument(_ info: UInt8) throws(CBOR.Fault) -> UInt64 {
        let (count, least): (Int, UInt64)
        switch info {
        case 0..<24: return UInt64(info)
        case 24: (count, least) = (1, 24)
        case 25: (count, least) = (2, 1 << 8)
        case 26: (count, least) = (4, 1 << 16)
        case 27: (count, least) = (8, 1 << 32)
        default: throw .unsupported
        }
        var number: UInt64 = 0
        for _ in 0..<count { number = number << 8 | UInt64(try byte()) }
        guard number >= least else { throw .notCanonical }
        return number
    }

    /// How many items a list or map has: each takes at least one byte.
    private func count(_ argument: UInt64, inside depth: Int) throws(CBOR.Fault) -> Int {
        guard depth < Self.depth else { throw .tooDeep }
        guard argument <= UInt64(bytes.count - position) else { throw .truncated }
        return Int(argument)
    }

    private mutating func byte() throws(CBOR.Fault) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: UInt64) throws(CBOR.Fault) -> [UInt8] {
        guard count <= UInt64(bytes.count - position) else { throw .truncated }
        defer { position += Int(count) }
        return Array(bytes[position..<position + Int(count)])
    }
}
