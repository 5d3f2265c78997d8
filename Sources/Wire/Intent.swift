/// What an opening asks for. On the wire: kind u8, then for `enter` and `leave` the reason u16; 1 or 3 bytes.
public enum Intent: Hashable, Sendable {
    /// Open.
    case apri
    /// Close.
    case chiudi
    /// Go in, with a reason code of the site's own (0: none).
    case enter(reason: UInt16)
    /// Go out, with a reason code of the site's own (0: none).
    case leave(reason: UInt16)

    /// Exactly the bytes of one intent. Throws `unknownType`, `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        guard let kind = IntentKind(rawValue: try reader.u8()) else { throw .unknownType }
        switch kind {
        case .apri: self = .apri
        case .chiudi: self = .chiudi
        case .enter: self = .enter(reason: try reader.u16())
        case .leave: self = .leave(reason: try reader.u16())
        }
        try reader.end()
    }

    /// The intent without its reason.
    public var kind: IntentKind {
        switch self {
        case .apri: .apri
        case .chiudi: .chiudi
        case .enter: .enter
        case .leave: .leave
        }
    }

    /// The site's own reason code; nil where the intent has none.
    public var reason: UInt16? {
        switch self {
        case .apri, .chiudi: nil
        case .enter(let reason), .leave(let reason): reason
        }
    }

    /// 1 byte, or 3 with a reason.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 3)
        writer.u8(kind.rawValue)
        switch self {
        case .apri, .chiudi: break
        case .enter(let reason), .leave(let reason): writer.u16(reason)
        }
        return writer.bytes
    }

    /// Length u16, then the bytes: as in a message, a record and the input of `open`.
    func write(to writer: inout ByteWriter) {
        let bytes = encoded()
        writer.u16(UInt16(bytes.count))
        writer.append(bytes)
    }

    static func read(from reader: inout Reader) throws(WireError) -> Intent {
        try Intent(decoding: try reader.lengthPrefixed())
    }
}
