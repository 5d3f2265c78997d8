/// One message of pairing, in the order of their kinds: kind u8, then the fields.
public enum PairingFrame: Sendable {
    /// Kind 1, gate to hub: version u8 = 1 · the gate's public key 32.
    case gateKey(publicKey: [UInt8])
    /// Kind 2, hub to gate: gate id 16 · hub identity 32 · the hub's public key 32 · confirmation of domain 9, 32.
    case hubKey(gateID: ID16, hubIdentity: [UInt8], publicKey: [UInt8], confirmation: Tag)
    /// Kind 3, gate to hub: confirmation of domain 10, 32.
    case gateConfirmation(Tag)
    /// Kind 4, hub to gate: length u16 · bytes sealed under the new key.
    case sealed([UInt8])

    /// The only version of these frames.
    public static let version: UInt8 = 1

    /// Exactly the bytes of one frame. Throws `unknownType`, `unknownVersion`, `truncated`, `trailingBytes`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        switch try reader.u8() {
        case 1:
            guard try reader.u8() == Self.version else { throw .unknownVersion }
            self = .gateKey(publicKey: try reader.bytes(32))
        case 2:
            let gateID = try reader.id()
            let hubIdentity = try reader.bytes(32)
            let publicKey = try reader.bytes(32)
            self = .hubKey(
                gateID: gateID, hubIdentity: hubIdentity, publicKey: publicKey, confirmation: try reader.tag())
        case 3: self = .gateConfirmation(try reader.tag())
        case 4: self = .sealed(try reader.lengthPrefixed())
        default: throw .unknownType
        }
        try reader.end()
    }

    /// The bytes. Throws `badValue` for a key or identity that is not 32 bytes, `tooLong` for more than 65,535 sealed
    /// bytes.
    public func encoded() throws(WireError) -> [UInt8] {
        var writer = ByteWriter(capacity: 128)
        switch self {
        case .gateKey(let publicKey):
            guard publicKey.count == 32 else { throw .badValue }
            writer.u8(1)
            writer.u8(Self.version)
            writer.append(publicKey)
        case .hubKey(let gateID, let hubIdentity, let publicKey, let confirmation):
            guard hubIdentity.count == 32, publicKey.count == 32 else { throw .badValue }
            writer.u8(2)
            writer.id(gateID)
            writer.append(hubIdentity)
            writer.append(publicKey)
            writer.tag(confirmation)
        case .gateConfirmation(let tag):
            writer.u8(3)
            writer.tag(tag)
        case .sealed(let bytes):
            guard let count = UInt16(exactly: bytes.count) else { throw .tooLong }
            writer.u8(4)
            writer.u16(count)
            writer.append(bytes)
        }
        return writer.bytes
    }
}
