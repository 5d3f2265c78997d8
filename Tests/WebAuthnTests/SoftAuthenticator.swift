import Crypto
import WebAuthn

/// An authenticator in software, and the browser before it: right unless told to be wrong. It shares nothing with what it tests but the keys.
struct SoftAuthenticator {
    var origin = "https://soglia.example"
    var party = "soglia.example"
    var challenge = [UInt8](repeating: 7, count: 32)
    var type: String?
    /// Written into the client's data, after the origin.
    var more = #","crossOrigin":false"#
    /// UP and UV; BE 8, BS 16.
    var flags: UInt8 = 0x05
    var counter: UInt32 = 1
    var id: [UInt8] = Array(1...32)
    var user: [UInt8]? = Array(40...55)
    var format = "none"
    var statement: [(String, Item)] = []
    /// Instead of the key's own.
    var coseKey: [UInt8]?
    /// Behind the authenticator's data.
    var trailing: [UInt8] = []
    let key = P256PrivateKey()

    var relyingParty: RelyingParty { RelyingParty(origin: "https://soglia.example")! }

    func clientData(_ type: String) -> [UInt8] {
        let text = Base64.urlText(challenge)
        return Array(
            #"{"type":"\#(self.type ?? type)","challenge":"\#(text)","origin":"\#(origin)"\#(more)}"#.utf8)
    }

    var publicKey: [UInt8] {
        let point = key.publicKey.bytes
        return coseKey
            ?? Item.map([
                (.int(1), .int(2)), (.int(3), .int(-7)), (.int(-1), .int(1)), (.int(-2), .bytes(Array(point[1...32]))),
                (.int(-3), .bytes(Array(point[33...]))),
            ]).encoded
    }

    func authenticatorData(withCredential: Bool) -> [UInt8] {
        var bytes = Digest.sha256(Array(party.utf8))
        bytes.append(flags | (withCredential ? 0x40 : 0))
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: counter >> shift)) }
        if withCredential {
            bytes += [UInt8](repeating: 0, count: 16)
            bytes += [UInt8(id.count >> 8), UInt8(id.count & 255)] + id + publicKey
        }
        return bytes + trailing
    }

    // MARK: the ceremonies

    var registration: Registration.Answer {
        let data = authenticatorData(withCredential: true)
        return answer(statement: statement, data)
    }

    /// The attestation of a key over itself.
    func selfAttested(algorithm: Int = -7, by other: P256PrivateKey? = nil) -> Registration.Answer {
        var own = self
        own.format = "packed"
        let data = authenticatorData(withCredential: true)
        let signed = data + Digest.sha256(clientData("webauthn.create"))
        let statement: [(String, Item)] = [
            ("alg", .int(algorithm)), ("sig", .bytes(Self.der((other ?? key).sign(signed)))),
        ]
        return own.answer(statement: statement, data)
    }

    private func answer(statement: [(String, Item)], _ data: [UInt8]) -> Registration.Answer {
        let object = Item.map([
            (.text("fmt"), .text(format)), (.text("attStmt"), .map(statement.map { (.text($0.0), $0.1) })),
            (.text("authData"), .bytes(data)),
        ])
        return .init(id: id, clientDataJSON: clientData("webauthn.create"), attestationObject: object.encoded)
    }

    var assertion: Assertion.Answer {
        let (client, data) = (clientData("webauthn.get"), authenticatorData(withCredential: false))
        let signature = Self.der(key.sign(data + Digest.sha256(client)))
        return .init(
            id: id, clientDataJSON: client, authenticatorData: data, signature: signature, userHandle: user)
    }

    /// r and s as DER writes them: two whole numbers, without zeros before them unless the first bit is set.
    static func der(_ raw: [UInt8]) -> [UInt8] {
        func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.first.map({ $0 & 0x80 != 0 }) ?? true { digits.insert(0, at: 0) }
            return [2, UInt8(digits.count)] + digits
        }
        let content = number(raw[..<32]) + number(raw[32...])
        return [0x30, UInt8(content.count)] + content
    }

    // MARK: CBOR, written

    indirect enum Item {
        case int(Int)
        case bytes([UInt8])
        case text(String)
        case map([(Item, Item)])

        var encoded: [UInt8] {
            switch self {
            case .int(let value): value < 0 ? Self.head(1, -1 - value) : Self.head(0, value)
            case .bytes(let bytes): Self.head(2, bytes.count) + bytes
            case .text(let text): Self.head(3, text.utf8.count) + Array(text.utf8)
            case .map(let pairs): Self.head(5, pairs.count) + pairs.flatMap { $0.0.encoded + $0.1.encoded }
            }
        }

        private static func head(_ major: UInt8, _ argument: Int) -> [UInt8] {
            switch argument {
            case ..<24: [major << 5 | UInt8(argument)]
            case ..<256: [major << 5 | 24, UInt8(argument)]
            default: [major << 5 | 25, UInt8(argument >> 8), UInt8(argument & 255)]
            }
        }
    }
}
