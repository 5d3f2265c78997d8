import Crypto
import Testing
import WebAuthn

@Suite struct AssertionTests {
    private static let user: [UInt8] = Array(40...55)

    private func verify(
        _ device: SoftAuthenticator, _ answer: Assertion.Answer? = nil, counter: UInt32 = 0, mayBeShared: Bool = false,
        isUserNeeded: Bool = true
    ) throws(CeremonyRefusal) -> Assertion.Outcome {
        try Assertion(challenge: [UInt8](repeating: 7, count: 32), party: device.relyingParty).verify(
            answer ?? device.assertion,
            by: .init(
                publicKey: device.publicKey, counter: counter, isBackupEligible: mayBeShared, user: Self.user),
            isUserNeeded: isUserNeeded)
    }

    private func refusal(
        counter: UInt32 = 0, mayBeShared: Bool = false, isUserNeeded: Bool = true,
        _ change: (inout SoftAuthenticator) -> Void
    ) -> CeremonyRefusal? {
        var device = SoftAuthenticator()
        change(&device)
        do throws(CeremonyRefusal) {
            _ = try verify(device, counter: counter, mayBeShared: mayBeShared, isUserNeeded: isUserNeeded)
            return nil
        } catch { return error }
    }

    @Test func `A right ceremony tells the counter, and whether devices share the key`() throws {
        var device = SoftAuthenticator()
        (device.flags, device.counter) = (0x05 | 0x08 | 0x10, 12)
        let outcome = try verify(device, counter: 11, mayBeShared: true)
        #expect(outcome.counter == 12 && outcome.isBackedUp)
    }

    @Test func `The authenticator has to say whose it is, unless that is known already`() {
        #expect(refusal { $0.user = nil } == .wrongUser)
        #expect(refusal(isUserNeeded: false) { $0.user = nil } == nil)
        for isUserNeeded in [true, false] {
            #expect(refusal(isUserNeeded: isUserNeeded) { $0.user = Array(41...56) } == .wrongUser)
            #expect(refusal(isUserNeeded: isUserNeeded) { $0.user = [] } == .wrongUser)
        }
    }

    @Test func `Client data of another ceremony, challenge or page is refused`() {
        #expect(refusal { $0.type = "webauthn.create" } == .wrongType)
        #expect(refusal { $0.challenge[0] ^= 1 } == .wrongChallenge)
        #expect(refusal { $0.origin = "https://soglia.example.attacker.net" } == .wrongOrigin)
        #expect(refusal { $0.more = #","crossOrigin":true"# } == .crossOrigin)
        #expect(refusal { $0.more = #","topOrigin":"https://other.example""# } == .crossOrigin)
        #expect(refusal { $0.more = "x" } == .malformedClientData)
    }

    @Test func `Authenticator data for another party, without a touch or without its person is refused`() {
        #expect(refusal { $0.party = "other.example" } == .wrongParty)
        #expect(refusal { $0.flags = 0x04 } == .notPresent)
        #expect(refusal { $0.flags = 0x01 } == .notVerified)
        #expect(refusal { $0.flags = 0x05 | 0x10 } == .inconsistentBackup)
        #expect(refusal { $0.trailing = [1] } == .malformedAuthenticatorData)
    }

    @Test func `Whether a key may be shared never changes`() {
        #expect(refusal { $0.flags = 0x05 | 0x08 } == .otherBackup)
        #expect(refusal(mayBeShared: true) { $0.flags = 0x05 } == .otherBackup)
        #expect(refusal(mayBeShared: true) { $0.flags = 0x05 | 0x08 } == nil)
    }

    @Test func `A signature by another key, or over anything else, is refused`() {
        let device = SoftAuthenticator()
        let right = device.assertion
        func answer(
            client: [UInt8]? = nil, data: [UInt8]? = nil, signature: [UInt8]? = nil
        ) -> Assertion.Answer {
            .init(
                id: right.id, clientDataJSON: client ?? right.clientDataJSON,
                authenticatorData: data ?? right.authenticatorData, signature: signature ?? right.signature,
                userHandle: right.userHandle)
        }
        var counted = right.authenticatorData
        counted[36] = 200
        let signed = right.authenticatorData + Digest.sha256(right.clientDataJSON)
        let raw = device.key.sign(signed)
        let wrong = [
            answer(signature: SoftAuthenticator.der(P256PrivateKey().sign(signed))), answer(data: counted),
            answer(client: right.clientDataJSON + [0x20]), answer(signature: []), answer(signature: raw),
            answer(signature: right.signature + [0]),
            answer(signature: SoftAuthenticator.der(device.key.sign(right.authenticatorData))),
        ]
        for one in wrong { #expect(throws: CeremonyRefusal.wrongSignature) { _ = try verify(device, one) } }
    }

    @Test func `A counter that goes back, or stands still, tells of a copy`() {
        #expect(refusal(counter: 5) { $0.counter = 6 } == nil)
        #expect(refusal(counter: 5) { $0.counter = 5 } == .counterWentBack)
        #expect(refusal(counter: 5) { $0.counter = 4 } == .counterWentBack)
        #expect(refusal(counter: 5) { $0.counter = 0 } == .counterWentBack)
        #expect(refusal(counter: .max) { $0.counter = .max } == .counterWentBack)
        #expect(refusal(counter: 0) { $0.counter = 0 } == nil, "one that does not count")
    }

    @Test func `A counter is believed only once the signature is right`() {
        var device = SoftAuthenticator()
        device.counter = 3
        let right = device.assertion
        let forged = Assertion.Answer(
            id: right.id, clientDataJSON: right.clientDataJSON, authenticatorData: right.authenticatorData,
            signature: SoftAuthenticator.der(P256PrivateKey().sign([1])), userHandle: right.userHandle)
        #expect(throws: CeremonyRefusal.wrongSignature) { _ = try verify(device, forged, counter: 9) }
    }

    @Test func `A key of RSA signs as well`() throws {
        let party = try #require(RelyingParty(origin: "https://soglia.example"))
        let challenge: [UInt8] = Array(0..<32)
        let text = Base64.urlText(challenge)
        let client = Array(
            #"{"type":"webauthn.get","challenge":"\#(text)","origin":"https://soglia.example"}"#.utf8)
        let data = Digest.sha256(Array("soglia.example".utf8)) + [0x05, 0, 0, 0, 0]
        let known = Assertion.Known(
            publicKey: try #require(Base64.bytes(urlText: Self.rsaKey)), counter: 0, isBackupEligible: false,
            user: Self.user)
        let signature = try #require(Base64.bytes(urlText: Self.rsaSignature))
        func answer(_ signature: [UInt8]) -> Assertion.Answer {
            .init(id: [1], clientDataJSON: client, authenticatorData: data, signature: signature, userHandle: nil)
        }
        let assertion = Assertion(challenge: challenge, party: party)
        _ = try assertion.verify(answer(signature), by: known, isUserNeeded: false)
        var wrong = signature
        wrong[200] ^= 1
        #expect(throws: CeremonyRefusal.wrongSignature) {
            _ = try assertion.verify(answer(wrong), by: known, isUserNeeded: false)
        }
    }

    /// Made by another library (Python's cryptography): a key of 2,048 bits in COSE, and its signature over the ceremony above.
    private static let rsaKey =
        "pAEDAzkBACBZAQDYmAWmsUqFX0xJSQ-gEbHpm9Um17cy-4h1X5wLbo4pMRb7oaiu7zLjR5-Bj6ZVhuY0ugJQgJJn6IPIF4fjG7bL"
        + "NFajFZmEEl_GLLf4IBsMlYHr43Xes3xUp-DbXn-fD38uS5OtJYo46StFf_9h-x7iBoXdsbNNYvQDpIGdCt9IdM_B_B7hdcUynwz-"
        + "o1NvyJ3nkzfDzScRKbZIC3v5KtPVRNUN0Qyz-eQW6sk87A8P1oHU2hncdv2K2sSr3duX5IhGHsOAbX3OIX6jjIm-TmiWs7_rMHM9"
        + "tUR9Ju9-AmWgSEhri3KLHgWohhYEaILbKkmIU8crAQWMdjuTQgWqqiAjIUMBAAE"
    private static let rsaSignature =
        "EucRxf_LMAvrJG9WVdx4K-uuOnxXbzxASQ5mYPAhdJGfDm5NbCVuSkgg9R11PjJ38r_DsMl9lKGbnFk_iTD03fkSktQLskNAJza0"
        + "ZAqzy6Pe3UyEBBQ62tVvLIKBxRKTOE-Uy4kRTz7czY0sE1N61tdeHaaaIfzUdBv1o7Y1ZXALX3ed6EbqyhPRqwfon0vFJHJAEv3K"
        + "zcL5pTmWOFd39ydlhdfVnhIFaICZFyp3UlL_lXdLfFnFWOqRzwoPQ_LqGZP9k4dAob6TVZ3uGr4zTnJXKy-wom0Y0QyjeBeGAita"
        + "pnSgPOXccTQ-PwVSGgSelCt7wmd6L5FG7YzMr1CW2A"
}
