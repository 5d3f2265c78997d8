/// One message on the bus between a home's box and the hub: kind u8, then the bytes of the message. Kinds from 1 go from box
/// to hub, kinds from 16 from hub to box. Decoding says that the bytes are well formed, not that their tag is right.
public enum BoxFrame: Sendable {
    /// Kind 1, box to hub: the box's state.
    case hello(BoxHello)
    /// Kind 2, box to hub: a journal record.
    case record(BoxRecord)
    /// Kind 3, box to hub: an order was not obeyed.
    case refused(BoxOrderRefused)
    /// Kind 16, hub to box: an order.
    case order(BoxOrder)
    /// Kind 17, hub to box: what the house has chosen.
    case settings(BoxSettings)
    /// Kind 18, hub to box: the time.
    case time(TimeAnswer)
    /// Kind 19, hub to box: a record is in the ledger.
    case acknowledgement(Acknowledgement)

    /// Exactly the bytes of one frame. Throws `unknownType` for an unknown kind, and what the message throws.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        switch try reader.u8() {
        case 1: self = .hello(try BoxHello(decoding: reader.rest()))
        case 2: self = .record(try BoxRecord(decoding: reader.rest()))
        case 3: self = .refused(try BoxOrderRefused(decoding: reader.rest()))
        case 16: self = .order(try BoxOrder(decoding: reader.rest()))
        case 17: self = .settings(try BoxSettings(decoding: reader.rest()))
        case 18: self = .time(try TimeAnswer(decoding: reader.rest()))
        case 19: self = .acknowledgement(try Acknowledgement(decoding: reader.rest()))
        default: throw .unknownType
        }
    }

    /// The kind byte.
    public var kind: UInt8 {
        switch self {
        case .hello: 1
        case .record: 2
        case .refused: 3
        case .order: 16
        case .settings: 17
        case .time: 18
        case .acknowledgement: 19
        }
    }

    /// Kind and message.
    public func encoded() -> [UInt8] {
        let message: [UInt8] =
            switch self {
            case .hello(let hello): hello.encoded()
            case .record(let record): record.encoded()
            case .refused(let refused): refused.encoded()
            case .order(let order): order.encoded()
            case .settings(let settings): settings.encoded()
            case .time(let time): time.encoded()
            case .acknowledgement(let acknowledgement): acknowledgement.encoded()
            }
        var writer = ByteWriter(capacity: 1 + message.count)
        writer.u8(kind)
        writer.append(message)
        return writer.bytes
    }
}
