import Controller
import Radio
import System
import Testing
import Wire

@Suite("A gate in the air")
struct PeripheralTests {
    /// A bench whose gate is in an air, with the time known.
    private func inTheAir(_ test: (Bench, InProcessAir, Advertisement) async throws -> Void) async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let (air, uptime) = (InProcessAir(), bench.uptime)
            let peripheral = GatePeripheral(bench.controller, uptime: { uptime.value })
            let advertisement = peripheral.advertisement()
            let offering = Task { try await air.advertise(advertisement, peripheral) }
            let outcome: Result<Void, any Error>
            do {
                _ = try await eventually { try await !air.scan(for: GateProfile.service).isEmpty }
                outcome = .success(try await test(bench, air, advertisement))
            } catch { outcome = .failure(error) }
            offering.cancel()
            try await offering.value
            try outcome.get()
        }
    }

    /// A phone's side, up to the receipt.
    private func open(_ pass: Pass, _ connection: any CentralConnection, given: Nonce? = nil) async throws -> (
        Receipt, PassMessage
    ) {
        var gateNonce = given
        if gateNonce == nil { gateNonce = Nonce(try await connection.read(GateProfile.key)) }
        let message = try pass.message(
            carrier: .ble, gateNonce: try #require(gateNonce), openerNonce: nonce(), intent: .apri)
        let ready = try await connection.write(message.encoded(), to: GateProfile.badge)
        #expect(ready?.count == 20)
        #expect(ready?.first == 1)
        let bytes = try await connection.read(GateProfile.badge)
        #expect(bytes.count == Receipt.encodedCount)
        return (try Receipt(decoding: bytes), message)
    }

    @Test(
        "The whole conversation of a phone: found by its gate's id, a nonce, the message, ready, and a receipt that proves the gate"
    )
    func conversation() async throws {
        try await inTheAir { bench, air, advertisement in
            let found = try #require(try await air.scan(for: GateProfile.service).first)
            #expect(ID16(found.serviceData) == bench.identity.gate)
            #expect(found.name == "Ingresso")
            let connection = try await air.connect(to: found)
            #expect(try await connection.discover() == [GateProfile.key, GateProfile.badge])
            let pass = try bench.pass()
            let (receipt, message) = try await open(pass, connection)
            #expect(receipt.outcome == .opened)
            #expect(pass.verifies(receipt: receipt, for: message))
            #expect(bench.relay.journalled.value == [1])
            #expect(bench.records.last?.carrier == .ble)
            #expect(bench.records.last?.passID == pass.header.passID)
            #expect(bench.records.last?.eventID == receipt.eventID)
            await connection.disconnect()
        }
    }

    @Test("A nonce opens once; heard by another connection it opens nothing there")
    func nonceOnce() async throws {
        try await inTheAir { bench, air, advertisement in
            let (connection, other) = (
                try await air.connect(to: advertisement), try await air.connect(to: advertisement)
            )
            let given = try #require(Nonce(try await connection.read(GateProfile.key)))
            let pass = try bench.pass()
            #expect(try await open(pass, other, given: given).0.gateReason == .notValid)
            let message = try pass.message(carrier: .ble, gateNonce: given, openerNonce: nonce(), intent: .apri)
            _ = try await connection.write(message.encoded(), to: GateProfile.badge)
            #expect(try Receipt(decoding: try await connection.read(GateProfile.badge)).outcome == .opened)
            _ = try await connection.write(message.encoded(), to: GateProfile.badge)
            #expect(try Receipt(decoding: try await connection.read(GateProfile.badge)).gateReason == .notValid)
            #expect(bench.relay.pulses.value.count == 1)
            #expect(bench.journalCount == 1)
        }
    }

    @Test("A nonce is used up by whatever is written with it, and a new one takes the place of the old")
    func nonceUsedUp() async throws {
        try await inTheAir { bench, air, advertisement in
            let connection = try await air.connect(to: advertisement)
            let pass = try bench.pass()
            let first = try #require(Nonce(try await connection.read(GateProfile.key)))
            _ = try await connection.write([1, 2, 3], to: GateProfile.badge)
            #expect(try await open(pass, connection, given: first).0.gateReason == .notValid)
            let second = try #require(Nonce(try await connection.read(GateProfile.key)))
            let third = try #require(Nonce(try await connection.read(GateProfile.key)))
            #expect(Set([first, second, third]).count == 3)
            #expect(try await open(pass, connection, given: second).0.gateReason == .notValid)
            #expect(try await open(pass, connection).0.outcome == .opened)
        }
    }

    @Test("A nonce is good for ten seconds of the gate's uptime")
    func nonceAge() async throws {
        try await inTheAir { bench, air, advertisement in
            let connection = try await air.connect(to: advertisement)
            let pass = try bench.pass()
            for (age, opens) in [(9_999, true), (10_001, false)] as [(UInt64, Bool)] {
                let given = try #require(Nonce(try await connection.read(GateProfile.key)))
                bench.uptime.change { $0 += age }
                let receipt = try await open(pass, connection, given: given).0
                #expect((receipt.gateReason == GateReason.none) == opens)
            }
            #expect(bench.journalCount == 1)
        }
    }

    @Test("Whatever is written, the answer is ready and a receipt of one size; random where nothing was proven")
    func sameSize() async throws {
        try await inTheAir { bench, air, advertisement in
            let connection = try await air.connect(to: advertisement)
            let good = try bench.pass().message(carrier: .ble, gateNonce: nonce(), openerNonce: nonce(), intent: .apri)
                .encoded()
            var tags: Set<[UInt8]> = []
            for bytes in [
                [], [0], good, Array(good.dropLast()), good + [0], [UInt8](repeating: 255, count: 512),
                [UInt8](repeating: 0, count: 600),
            ] {
                #expect(try await connection.write(bytes, to: GateProfile.badge)?.count == 20)
                let receipt = try await connection.read(GateProfile.badge)
                #expect(receipt.count == Receipt.encodedCount)
                #expect(try Receipt(decoding: receipt).gateReason == .notValid)
                tags.insert(Array(receipt.suffix(32)))
            }
            #expect(tags.count == 7)
            #expect(bench.journalCount == 0)
        }
    }

    @Test(
        "Nothing is read before something was written, nothing is written where nothing belongs, and a link that went is forgotten"
    )
    func attributes() async throws {
        try await inTheAir { bench, air, advertisement in
            let connection = try await air.connect(to: advertisement)
            await #expect(throws: RadioError.attribute(0x02)) { try await connection.read(GateProfile.badge) }
            await #expect(throws: RadioError.attribute(0x03)) { try await connection.write([1], to: GateProfile.key) }
            _ = try await open(try bench.pass(), connection)
            await connection.disconnect()
            await #expect(throws: RadioError.attribute(0x02)) { try await connection.read(GateProfile.badge) }
        }
    }
}
