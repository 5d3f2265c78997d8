import TestSupport
import Testing

@testable import Wire

@Suite("Every binary format")
struct FormatTests {
    @Test("What was encoded decodes to the same bytes", arguments: Format.allCases)
    func roundTrip(format: Format) throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let bytes = try generator.encoding(of: format)
            #expect(try format.recode(bytes) == bytes)
        }
    }

    @Test("Every proper beginning is refused as truncated", arguments: Format.allCases)
    func truncations(format: Format) throws {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<12 {
            let bytes = try generator.encoding(of: format)
            for count in 0..<bytes.count {
                #expect(format.refusal(of: Array(bytes.prefix(count))) == .truncated)
            }
        }
    }

    @Test("Every single trailing byte is refused", arguments: Format.allCases)
    func trailing(format: Format) throws {
        var generator = SeededGenerator(seed: 13)
        let bytes = try generator.encoding(of: format)
        for byte in UInt8.min...UInt8.max {
            #expect(format.refusal(of: bytes + [byte]) == .trailingBytes)
        }
    }

    @Test("No decoder traps, and what it takes it writes back the same: 50,000 random and damaged inputs")
    func fuzz() async throws {
        var generator = SeededGenerator(seed: 14)
        var samples: [Format: [[UInt8]]] = [:]
        for format in Format.allCases {
            samples[format] = try (0..<40).map { _ in try generator.encoding(of: format) }
        }
        var taken = 0
        for round in 0..<50_000 {
            await giveWay(round)
            let format = Format.allCases[round % Format.allCases.count]
            var bytes: [UInt8]
            if round.isMultiple(of: 5) {
                bytes = generator.bytes(Int.random(in: 0...260, using: &generator))
                if !bytes.isEmpty, Bool.random(using: &generator) { bytes[0] = generator.pick([1, 2, 3, 16, 17]) }
            } else {
                bytes = generator.pick(samples[format]!)
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                    case 1: bytes[index] = generator.pick([0, 1, 4, 5, 8, 9, 127, 128, 255])
                    case 2: bytes.insert(generator.bytes(1)[0], at: index)
                    default: if bytes.count > 1 { bytes.remove(at: index) }
                    }
                }
            }
            if let again = try? format.recode(bytes) {
                taken += 1
                if again != bytes { Issue.record("\(format): \(hex(bytes)) became \(hex(again))") }
            }
        }
        #expect(taken > 2_500)
    }

    @Test("A header equals its decoded bytes, field by field")
    func headerEquality() throws {
        var generator = SeededGenerator(seed: 15)
        for _ in 0..<500 {
            let header = try generator.header()
            #expect(try PassHeader(decoding: header.encoded()) == header)
            let intent = generator.intent()
            #expect(try Intent(decoding: intent.encoded()) == intent)
            let caveat = generator.caveat()
            var reader = Reader(try caveat.encoded())
            #expect(try Caveat.decode(from: &reader) == caveat)
            #expect(reader.remaining == 0)
        }
    }

    @Test("A tag under another key verifies nothing")
    func otherKey() throws {
        var generator = SeededGenerator(seed: 16)
        let (key, other) = (generator.key(), generator.key())
        let gate = generator.id()
        let nonce = generator.nonce()
        let message = try generator.message(gateKey: key)
        let receipt = generator.receipt(gateKey: key, message: message)
        let record = JournalRecord(message: message, carrier: .ble, receipt: receipt, gateKey: key)
        #expect(record.verifies(gateKey: key, gateID: message.header.gateID))
        #expect(!record.verifies(gateKey: other, gateID: message.header.gateID))
        #expect(!record.verifies(gateKey: key, gateID: ID16(high: 77, low: 77)))
        let settings = GateSettings(pulseMilliseconds: 1)
        let rights = try Rights(version: 1, epoch: 1, denied: [], settings: settings, gateKey: key)
        #expect(rights.verifies(gateKey: key) && !rights.verifies(gateKey: other))
        let time = TimeAnswer(nonce: nonce, utc: 1, gateKey: key)
        #expect(time.verifies(gateKey: key, nonce: nonce) && !time.verifies(gateKey: other, nonce: nonce))
        let head = generator.bytes(32)
        let ack = try Acknowledgement(
            journalID: gate, sequence: 1, ledgerSequence: 2, ledgerHead: head, gateKey: key)
        #expect(ack.verifies(gateKey: key) && !ack.verifies(gateKey: other))
        let absent = RecordAbsent(eventID: gate, gateKey: key)
        #expect(absent.verifies(gateKey: key) && !absent.verifies(gateKey: other))
        let hello = try GateHello(
            session: generator.bytes(8), uptime: 1, bootCount: 1, journalID: gate, lastSequence: 0, rightsVersion: 0,
            clock: .untrusted, timeNonce: nonce, gateKey: key)
        #expect(hello.verifies(gateKey: key) && !hello.verifies(gateKey: other))
    }

    @Test("Any damaged bit in a control message breaks its tag")
    func damagedBits() throws {
        var generator = SeededGenerator(seed: 17)
        let key = generator.key()
        let nonce = generator.nonce()
        let denied = (0..<3).map { Denied(passID: ID16(high: 0, low: $0), until: 9) }
        let rights = try Rights(
            version: 5, epoch: 2, denied: denied, settings: GateSettings(pulseMilliseconds: 500), gateKey: key
        ).encoded()
        let time = TimeAnswer(nonce: nonce, utc: 99, gateKey: key).encoded()
        let ack = try Acknowledgement(
            journalID: generator.id(), sequence: 1, ledgerSequence: 2, ledgerHead: generator.bytes(32), gateKey: key
        ).encoded()
        func damaged(_ bytes: [UInt8], _ verifies: ([UInt8]) -> Bool) {
            #expect(verifies(bytes))
            for bit in 0..<bytes.count * 8 {
                var other = bytes
                other[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(!verifies(other))
            }
        }
        damaged(rights) { (try? Rights(decoding: $0))?.verifies(gateKey: key) ?? false }
        damaged(time) { (try? TimeAnswer(decoding: $0))?.verifies(gateKey: key, nonce: nonce) ?? false }
        damaged(ack) { (try? Acknowledgement(decoding: $0))?.verifies(gateKey: key) ?? false }
    }

    @Test("Rights are sorted, each pass once with its later end, and found again")
    func rightsList() throws {
        var generator = SeededGenerator(seed: 18)
        let key = generator.key()
        let ids = (0..<50).map { _ in ID16(generator.bytes(16))! }
        let denied = ids.flatMap { [Denied(passID: $0, until: 20), Denied(passID: $0, until: 10)] }
        let rights = try Rights(
            version: 1, epoch: 1, denied: denied, settings: GateSettings(pulseMilliseconds: 500), gateKey: key)
        #expect(rights.denied == ids.sorted().map { Denied(passID: $0, until: 20) })
        #expect(ids.allSatisfy(rights.isDenied))
        #expect(!rights.isDenied(ID16.zero))
        let many = (0...1024).map { Denied(passID: ID16(high: 1, low: $0), until: 1) }
        #expect(throws: WireError.tooLong) {
            try Rights(
                version: 1, epoch: 1, denied: many, settings: GateSettings(pulseMilliseconds: 1), gateKey: key)
        }
    }

    @Test("An answer to an invalid message has the size of every other and tells nothing")
    func invalidReceipt() throws {
        var generator = SeededGenerator(seed: 19)
        let invalid = Receipt.invalid(random: generator.bytes(32))
        #expect(invalid.encoded().count == Receipt.encodedCount)
        #expect(invalid.gateReason == .notValid && invalid.outcome == .refused)
        #expect(Array(invalid.encoded()[3..<52]) == [UInt8](repeating: 0, count: 49))
        #expect(!Receipt.invalid(random: generator.bytes(32)).tag.matches(invalid.tag))
    }
}
