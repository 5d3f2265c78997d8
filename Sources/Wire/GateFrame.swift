/// One message on the bus between a gate and the hub: kind u8, then the bytes of the message. Kinds from 1 go from gate
/// to hub, kinds from 16 from hub to gate. Decoding says that the bytes are well formed, not that their tag is right.
public enum GateFrame: Sendable {
    /// The most bytes of a frame: the longest payload that both ends of the bus take.
    public static let maxBytes = 262_144

    /// Kind 1, gate to hub: the gate's state.
    case hello(GateHello)
    /// Kind 2, gate to hub: a journal record.
    case record(JournalRecord)
    /// Kind 3, gate to hub: no record of an event.
    case absent(RecordAbsent)
    /// Kind 4, gate to hub: what it knows beyond a backup.
    case witness(Witness)
    /// Kind 16, hub to gate: bus nonce 16 · a `PassMessage`, still undecoded (a bad one is answered, not dropped).
    case open(nonce: Nonce, message: [UInt8])
    /// Kind 17, hub to gate: rights.
    case rights(Rights)
    /// Kind 18, hub to gate: the time.
    case time(TimeAnswer)
    /// Kind 19, hub to gate: a record is in the ledger.
    case acknowledgement(Acknowledgement)
    /// Kind 20, hub to gate: what became of an event.
    case query(RecordQuery)
    /// Kind 21, hub to gate: the hub went back to a backup.
    case recall(Recall)

    /// Exactly the bytes of one frame. Throws `unknownType` for an unknown kind, `tooLong` for an opening above 512
    /// bytes, and what the message throws.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        switch try reader.u8() {
        case 1: self = .hello(try GateHello(decoding: reader.rest()))
        case 2: self = .record(try JournalRecord(decoding: reader.rest()))
        case 3: self = .absent(try RecordAbsent(decoding: reader.rest()))
        case 4: self = .witness(try Witness(decoding: reader.rest()))
        case 16:
            let nonce = try reader.nonce()
            guard reader.remaining <= PassMessage.maxLength else { throw .tooLong }
            self = .open(nonce: nonce, message: reader.rest())
        case 17: self = .rights(try Rights(decoding: reader.rest()))
        case 18: self = .time(try TimeAnswer(decoding: reader.rest()))
        case 19: self = .acknowledgement(try Acknowledgement(decoding: reader.rest()))
        case 20: self = .query(try RecordQuery(decoding: reader.rest()))
        case 21: self = .recall(try Recall(decoding: reader.rest()))
        default: throw .unknownType
        }
    }

    /// The kind byte.
    public var kind: UInt8 {
        switch self {
        case .hello: 1
        case .record: 2
        case .absent: 3
        case .witness: 4
        case .open: 16
        case .rights: 17
        case .time: 18
        case .acknowledgement: 19
        case .query: 20
        case .recall: 21
        }
    }

    /// Kind and message.
    public func encoded() -> [UInt8] {
        let message: [UInt8] =
            switch self {
            case .hello(let hello): hello.encoded()
            case .record(let record): record.encoded()
            case .absent(let absent): absent.encoded()
            case .witness(let witness): witness.encoded()
            case .open(let nonce, let message): nonce.bytes + message
            case .rights(let rights): rights.encoded()
            case .time(let time): time.encoded()
            case .acknowledgement(let acknowledgement): acknowledgement.encoded()
            case .query(let query): query.encoded()
            case .recall(let recall): recall.encoded()
            }
        var writer = ByteWriter(capacity: 1 + message.count)
        writer.u8(kind)
        writer.append(message)
        return writer.bytes
    }
}
