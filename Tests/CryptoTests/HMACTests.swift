import Foundation
import Testing
import Wire

@testable import Crypto

@Suite("HMAC-SHA256 by libcrypto")
struct HMACTests {
    /// What Wire's own is held to, by a second implementation.
    private struct Vectors: Decodable {
        struct RFC: Decodable { let hmacSHA256: [Vector] }
        struct Vector: Decodable { let key, data, tag: String }
        struct Domain: Decodable { let key, input, tag: String }
        let rfc: RFC
        let domains: [Domain]
    }
    private let vectors: Vectors

    init() throws {
        let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
        vectors = try JSONDecoder().decode(
            Vectors.self, from: try Data(contentsOf: tests.appendingPathComponent("Vectors/pass.json")))
    }

    @Test("The tags of RFC 4231 come out")
    func rfc() {
        #expect(vectors.rfc.hmacSHA256.count == 7)
        for vector in vectors.rfc.hmacSHA256 {
            let (tag, data) = (hex(vector.tag), hex(vector.data))
            #expect(Array(data.withUnsafeBytes { HMAC.sha256(hex(vector.key), $0) }.prefix(tag.count)) == tag)
        }
    }

    @Test("Each input of Wire's vectors has its tag")
    func domains() throws {
        #expect(!vectors.domains.isEmpty)
        for vector in vectors.domains {
            let key = try #require(Key(hex(vector.key)))
            #expect(hex(vector.input).withUnsafeBytes { HMAC.sha256(key, $0) }.bytes == hex(vector.tag))
        }
    }

    @Test("It says the same as Wire's, for every length of key and bytes")
    func sameAsWire() throws {
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let wires = HMACSHA256(key: bytes).authenticate(bytes).bytes
            #expect(bytes.withUnsafeBytes { HMAC.sha256(bytes, $0) } == wires)
            let key = try #require(Key(Digest.sha256(bytes)))
            #expect(bytes.withUnsafeBytes { HMAC.sha256(key, $0).matches(HMACSHA256.tag(key, $0)) })
        }
    }

    @Test("A pass, its message and what hub and gate say of it are the same by both")
    func messages() throws {
        let key = try #require(Key(Array(1...32)))
        let (pass, gate) = (try #require(ID16(Array(1...16))), try #require(ID16(Array(2...17))))
        let nonce = try #require(Nonce(Array(3...18)))
        let header = try PassHeader(
            flags: .hub, epoch: 1, passID: pass, gateID: gate, issued: 1, notBefore: 1, notAfter: 4)
        let (own, ours) = (Pass(header: header, gateKey: key), Pass(header: header, gateKey: key, mac: HMAC.sha256))
        #expect(own.encoded() == ours.encoded())
        let message = try own.message(carrier: .bus, gateNonce: nonce, openerNonce: nonce, intent: .apri)
        #expect(
            try ours.message(carrier: .bus, gateNonce: nonce, openerNonce: nonce, intent: .apri, mac: HMAC.sha256)
                .encoded() == message.encoded())
        let record = JournalRecord(
            message: message, carrier: .bus,
            receipt: message.receipt(
                gateKey: key, outcome: .opened, reason: 0, gateTime: 2, clock: .trusted, journalID: gate, sequence: 1,
                eventID: pass), gateKey: key)
        let other = try #require(Key(Array(0...31)))
        #expect(record.verifies(gateKey: key, gateID: gate, mac: HMAC.sha256))
        #expect(!record.verifies(gateKey: other, gateID: gate, mac: HMAC.sha256))
        let hello = try GateHello(
            session: Array(1...8), uptime: 1, bootCount: 1, journalID: gate, lastSequence: 0, rightsVersion: 1,
            clock: .trusted, timeNonce: nonce, gateKey: key)
        #expect(hello.verifies(gateKey: key, mac: HMAC.sha256))
        #expect(!hello.verifies(gateKey: other, mac: HMAC.sha256))
        #expect(
            TimeAnswer(nonce: nonce, utc: 5, gateKey: key, mac: HMAC.sha256).verifies(gateKey: key, nonce: nonce))
        #expect(
            try Acknowledgement(
                journalID: gate, sequence: 1, ledgerSequence: 1, ledgerHead: Array(1...32), gateKey: key,
                mac: HMAC.sha256
            ).verifies(gateKey: key))
    }
}
