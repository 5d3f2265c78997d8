import Crypto
import Testing
import WebAuthn

@Suite struct RegistrationTests {
    private func verify(
        _ device: SoftAuthenticator, _ answer: Registration.Answer? = nil
    ) throws(CeremonyRefusal) -> Registration.Credential {
        try Registration(challenge: [UInt8](repeating: 7, count: 32), party: device.relyingParty)
            .verify(answer ?? device.registration)
    }

    private func refusal(_ change: (inout SoftAuthenticator) -> Void) -> CeremonyRefusal? {
        var device = SoftAuthenticator()
        change(&device)
        do throws(CeremonyRefusal) {
            _ = try verify(device)
            return nil
        } catch { return error }
    }

    @Test func `A right ceremony gives the key, its name and what is told of it`() throws {
        var device = SoftAuthenticator()
        device.flags = 0x05 | 0x08 | 0x10
        let credential = try verify(device)
        #expect(credential.id == device.id && credential.counter == 1)
        #expect(credential.isBackupEligible && credential.isBackedUp)
        #expect(try COSEKey(credential.publicKey) == .es256(device.key.publicKey))
    }

    @Test func `What browsers add to their data is passed over`() {
        #expect(refusal { $0.more = "" } == nil)
        #expect(refusal { $0.more = #","crossOrigin":false,"other_keys_can_be_added_here":{"a":[1]}"# } == nil)
        #expect(refusal { $0.more = #","crossOrigin":null"# } == nil)
    }

    @Test func `Data that is no JSON, or lacks something, is refused`() {
        #expect(refusal { $0.more = "," } == .malformedClientData)
        #expect(refusal { $0.more = #","origin":"https://other.example""# } == .malformedClientData, "a key twice")
        #expect(refusal { $0.more = #","x":""# + String(repeating: "x", count: 4096) + #"""# } == .malformedClientData)
    }

    @Test func `The other ceremony is refused`() {
        #expect(refusal { $0.type = "webauthn.get" } == .wrongType)
        #expect(refusal { $0.type = "payment.get" } == .wrongType)
    }

    @Test func `Another challenge is refused`() {
        #expect(refusal { $0.challenge[31] ^= 1 } == .wrongChallenge)
        #expect(refusal { $0.challenge.removeLast() } == .wrongChallenge)
        #expect(refusal { $0.challenge = [] } == .wrongChallenge)
    }

    @Test(arguments: [
        "https://soglia.example.attacker.net", "http://soglia.example", "https://soglia.example:8443",
        "https://SOGLIA.example", "https://www.soglia.example", "android:apk-key-hash:x", "",
    ])
    func `Another origin is refused`(origin: String) {
        #expect(refusal { $0.origin = origin } == .wrongOrigin)
    }

    @Test func `A ceremony in somebody else's frame is refused`() {
        #expect(refusal { $0.more = #","crossOrigin":true"# } == .crossOrigin)
        #expect(refusal { $0.more = #","crossOrigin":false,"topOrigin":"https://other.example""# } == .crossOrigin)
    }

    @Test func `An attestation object that is not what authenticators write is refused`() throws {
        let device = SoftAuthenticator()
        let right = device.registration
        for bytes in [[], [0xa0], Array(right.attestationObject.dropLast()), right.attestationObject + [0]] {
            let answer = Registration.Answer(
                id: right.id, clientDataJSON: right.clientDataJSON, attestationObject: bytes)
            #expect(throws: CeremonyRefusal.malformedAttestation) { _ = try verify(device, answer) }
        }
    }

    @Test func `Authenticator data with something behind it, or without all of it, is refused`() {
        #expect(refusal { $0.trailing = [0] } == .malformedAuthenticatorData)
        #expect(refusal { $0.flags |= 0x80 } == .malformedAuthenticatorData, "extensions that are not there")
    }

    @Test func `Extensions that nobody asked for are passed over, when they are a map`() {
        #expect(refusal { ($0.flags, $0.trailing) = ($0.flags | 0x80, [0xa0]) } == nil)
        #expect(refusal { ($0.flags, $0.trailing) = ($0.flags | 0x80, [0x80]) } == .malformedAuthenticatorData)
    }

    @Test func `A credential for another party is refused`() {
        #expect(refusal { $0.party = "other.example" } == .wrongParty)
    }

    @Test func `Without a touch, and without having seen its person, a device is refused`() {
        #expect(refusal { $0.flags = 0x04 } == .notPresent)
        #expect(refusal { $0.flags = 0x01 } == .notVerified)
    }

    @Test func `A key that is shared and cannot be shared does not exist`() {
        #expect(refusal { $0.flags = 0x05 | 0x10 } == .inconsistentBackup)
    }

    @Test func `A registration without a credential is refused`() throws {
        let device = SoftAuthenticator()
        let data = device.authenticatorData(withCredential: false)
        let object = SoftAuthenticator.Item.map([
            (.text("fmt"), .text("none")), (.text("attStmt"), .map([])), (.text("authData"), .bytes(data)),
        ])
        let answer = Registration.Answer(
            id: device.id, clientDataJSON: device.registration.clientDataJSON, attestationObject: object.encoded)
        #expect(throws: CeremonyRefusal.noCredential) { _ = try verify(device, answer) }
    }

    @Test func `A name of none or more than 1,023 bytes is refused`() {
        #expect(refusal { $0.id = [] } == .wrongIDLength)
        #expect(refusal { $0.id = [UInt8](repeating: 1, count: 1024) } == .wrongIDLength)
        #expect(refusal { $0.id = [UInt8](repeating: 1, count: 1023) } == nil)
    }

    @Test func `Another name outside than inside is refused`() throws {
        let device = SoftAuthenticator()
        let right = device.registration
        let answer = Registration.Answer(
            id: right.id + [1], clientDataJSON: right.clientDataJSON, attestationObject: right.attestationObject)
        #expect(throws: CeremonyRefusal.otherID) { _ = try verify(device, answer) }
    }

    @Test func `A key of an algorithm that was not offered is refused`() {
        // EdDSA, and ES384.
        for algorithm in [-8, -35] {
            let key = SoftAuthenticator.Item.map([(.int(1), .int(2)), (.int(3), .int(algorithm))])
            #expect(refusal { $0.coseKey = key.encoded } == .wrongAlgorithm)
        }
    }

    @Test func `A key that is no key is refused`() {
        let point = SoftAuthenticator().key.publicKey.bytes
        let (x, y) = (Array(point[1...32]), Array(point[33...]))
        func key(_ pairs: (Int, SoftAuthenticator.Item)...) -> [UInt8] {
            SoftAuthenticator.Item.map(pairs.map { (.int($0.0), $0.1) }).encoded
        }
        let wrong = [
            key((1, .int(2)), (3, .int(-7)), (-1, .int(1)), (-2, .bytes(x)), (-3, .bytes(x))),
            key((1, .int(2)), (3, .int(-7)), (-1, .int(2)), (-2, .bytes(x)), (-3, .bytes(y))),
            key((1, .int(3)), (3, .int(-7)), (-1, .int(1)), (-2, .bytes(x)), (-3, .bytes(y))),
            key((1, .int(2)), (3, .int(-7)), (-1, .int(1)), (-2, .bytes(x))),
            key((1, .int(2)), (3, .int(-7)), (-1, .int(1)), (-2, .bytes(x)), (-3, .bytes(y)), (-4, .bytes(x))),
            key((1, .int(2)), (-1, .int(1)), (-2, .bytes(x)), (-3, .bytes(y))),
            key((1, .int(3)), (3, .int(-257)), (-1, .bytes(x)), (-2, .bytes([1, 0, 1]))),
            [0x00],
        ]
        for bytes in wrong { #expect(refusal { $0.coseKey = bytes } == .malformedKey) }
    }

    @Test func `A statement where none was asked for is refused`() {
        #expect(refusal { $0.statement = [("alg", .int(-7))] } == .wrongAttestation)
        for format in ["fido-u2f", "tpm", "android-key", "apple", "None", ""] {
            #expect(refusal { $0.format = format } == .wrongAttestation)
        }
    }

    @Test func `A key may attest itself, and then has to sign`() throws {
        let device = SoftAuthenticator()
        _ = try verify(device, device.selfAttested())
        #expect(throws: CeremonyRefusal.wrongAttestation) {
            _ = try verify(device, device.selfAttested(algorithm: -257))
        }
        #expect(throws: CeremonyRefusal.wrongAttestationSignature) {
            _ = try verify(device, device.selfAttested(by: P256PrivateKey()))
        }
    }
}
