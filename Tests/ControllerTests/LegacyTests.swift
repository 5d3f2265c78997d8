import Controller
import Radio
import System
import Testing
import Wire

private let code = Array("7K2MQ0W9ZB4TXR5E1HVC".utf8)
private let ended = Array("X5T9RB4E1HVCZ7K2MQ0W".utf8)
private let hours = Array("N8D3JY6PGS0FK7A2MWQ1".utf8)

extension Bench {
    /// The hub makes it a legacy gate with a badge that opens, one that was taken away, and one that opens from tomorrow on.
    fileprivate func becomesLegacy(_ version: UInt64 = 5) async throws {
        let now = wall.value.seconds
        func name(_ code: [UInt8]) -> ID16 { LocalRights.name(of: code, gateKey: identity.key) }
        let local = try LocalRights(
            calendars: [[Interval(start: now + 3600, end: now + 7200)]],
            holders: [
                .init(badge: name(code), notBefore: now - 60, notAfter: now + 86_400, calendar: nil),
                .init(badge: name(ended), notBefore: 0, notAfter: now - 10, calendar: nil),
                .init(badge: name(hours), notBefore: now - 60, notAfter: now + 86_400, calendar: 0),
            ])
        await controller.receive(
            .rights(
                try Rights(
                    version: version, epoch: 1, denied: [], settings: GateSettings(pulseMilliseconds: 700),
                    local: local, gateKey: identity.key)))
    }

    fileprivate func show(_ badge: [UInt8], key: [UInt8] = Random.bytes(16), isFresh: Bool = true) async throws -> Bool
    {
        await controller.open(legacy: try Legacy.cipher(badge: badge, key: key), key: key, isFresh: isFresh)
    }
}

@Suite("A legacy gate")
struct LegacyTests {
    @Test(
        "A badge that the hub told of opens, is in the journal before the relay moves, and is told under the badge's name"
    )
    func opens() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await bench.becomesLegacy()
            #expect(try await bench.show(code))
            #expect(bench.relay.journalled.value == [1] && bench.relay.pulses.value == [700])
            let record = try #require(bench.records.last)
            #expect(record.passID == LocalRights.name(of: code, gateKey: bench.identity.key))
            #expect(record.outcome == .opened && record.carrier == .ble && record.clock == .trusted)
            #expect(record.verifies(gateKey: bench.identity.key, gateID: bench.identity.gate))
        }
    }

    @Test(
        "One that was taken away, and one out of hours, are refused and journalled; an unknown one is counted and no more"
    )
    func refuses() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await bench.becomesLegacy()
            #expect(try await !bench.show(ended))
            #expect(bench.records.last?.gateReason == .expired)
            #expect(try await !bench.show(hours))
            #expect(bench.records.last?.gateReason == .outsideInterval)
            let before = await bench.controller.refusedUnverified
            #expect(try await !bench.show(Array("000001".utf8)))
            #expect(try await !bench.show(Array(code.dropLast())))
            #expect(try await !bench.show(code, isFresh: false))
            #expect(await !bench.controller.open(legacy: code, key: [], isFresh: true))
            #expect(await !bench.controller.open(legacy: [], key: [1], isFresh: true))
            #expect(await !bench.controller.open(legacy: code + code, key: [0], isFresh: true))
            #expect(await bench.controller.refusedUnverified == before + 6)
            #expect(bench.journalCount == 2 && bench.relay.pulses.value.isEmpty)
        }
    }

    @Test("A revoked badge is written once, however often it is tried; one that opens each time")
    func repeated() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await bench.becomesLegacy()
            for _ in 0..<20 {
                #expect(try await !bench.show(ended))
                #expect(try await bench.show(code))
            }
            #expect(bench.journalCount == 21)
        }
    }

    @Test("On a full disk a refused badge takes no room that is kept")
    func fullDisk() async throws {
        try await Bench.run(hasReserve: true) { bench in
            await bench.connect()
            await bench.tellTime()
            try await bench.becomesLegacy()
            bench.free.change { $0 = 0 }
            #expect(try await !bench.show(ended))
            #expect(bench.journalCount == 0 && bench.hellos.last?.status?.troubles == [])
            #expect(try await bench.show(code))
            #expect(bench.journalCount == 1)
        }
    }

    @Test("Without a trusted clock it opens to no badge")
    func clock() async throws {
        try await Bench.run { bench in
            try await bench.becomesLegacy()
            #expect(try await !bench.show(code))
            #expect(bench.relay.pulses.value.isEmpty && bench.journalCount == 1)
        }
    }

    @Test("It takes no pass in the air, and a gate for passes no badge, whatever is written; the hub opens both")
    func exclusive() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            let pass = try bench.pass()
            #expect(try await bench.show(pass).outcome == .opened)
            #expect(try await !bench.show(code))
            #expect(await bench.controller.mode == .pass)

            try await bench.becomesLegacy()
            #expect(await bench.controller.mode == .legacy)
            let refused = try await bench.show(pass)
            #expect(refused.outcome == .refused && refused.gateReason == .notValid)
            #expect(try await bench.show(code))
            await bench.controller.receive(try bench.opening())
            #expect(bench.records.last?.carrier == .bus && bench.records.last?.outcome == .opened)

            try await bench.rights(6)
            #expect(await bench.controller.mode == .pass)
            #expect(try await !bench.show(code))
            #expect(try await bench.show(pass).outcome == .opened)
        }
    }

    @Test("It knows its badges again after a cut of the power, and older rights do not bring them back")
    func durable() async throws {
        try await Bench.run { bench in
            await bench.tellTime()
            try await bench.becomesLegacy(5)
            try await bench.restarted { again in
                await again.connect()
                await again.tellTime()
                #expect(await again.controller.mode == .legacy)
                #expect(try await again.show(code))
                try await again.rights(6)
                try await again.becomesLegacy(5)
                #expect(await again.controller.mode == .pass)
            }
        }
    }

    @Test("A hub that went back without a word is noticed by the acknowledgement of a badge's opening")
    func silentlyBack() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await bench.becomesLegacy()
            for ledger in [101, 102] as [UInt64] {
                #expect(try await bench.show(code))
                try await bench.acknowledge(ledger - 100, ledger: ledger)
            }
            #expect(try await bench.show(code))
            bench.said.change { $0.removeAll { if case .record = $0 { true } else { false } } }
            try await bench.acknowledge(3, ledger: 102)
            #expect(bench.records.map(\.sequence).contains(1))
            #expect(try bench.memory.heads().last.map { ($0.branch, $0.sequence) } ?? (0, 0) == (1, 102))
        }
    }

    @Test("A relay that does not move is told as such, and the phone is not told that it opened")
    func stuck() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await bench.becomesLegacy()
            bench.relay.isStuck.change { $0 = true }
            #expect(try await !bench.show(code))
            #expect(bench.records.last?.gateReason == .relayFailed && bench.records.last?.outcome == .refused)
        }
    }

    @Test("In the air it has two characteristics of its own; a key is good once, for ten seconds and for one link")
    func peripheral() async throws {
        try await Bench.run { bench in
            await bench.connect()
            await bench.tellTime()
            try await bench.becomesLegacy()
            let (air, profile) = (InProcessAir(), LegacyProfile(gate: bench.identity.gate))
            let (service, key) = (UUID128(profile.service)!, UUID128(profile.key)!)
            let badge = UUID128(profile.badge)!
            let uptime = bench.uptime
            let peripheral = LegacyPeripheral(bench.controller, uptime: { uptime.value })
            let serving = Task { try await air.advertise(peripheral.advertisement(), peripheral) }
            #expect(try await eventually { try await !air.scan(for: service).isEmpty })
            let heard = try #require(try await air.scan(for: service).first)
            #expect(heard.name == profile.systemName && heard.serviceData.isEmpty)
            let link = try await air.connect(to: heard)
            #expect(try await link.discover() == [key, badge])

            func cipher(_ key: [UInt8]) throws -> [UInt8] { try Legacy.cipher(badge: code, key: key) }
            let first = try await link.read(key)
            #expect(first.count == 16)
            #expect(try await link.write(cipher(first), to: badge) == nil)
            await #expect(throws: RadioError.attribute(0x80)) { try await link.write(cipher(first), to: badge) }
            let second = try await link.read(key)
            #expect(second != first)
            uptime.change { $0 += 10_000 }
            await #expect(throws: RadioError.attribute(0x80)) { try await link.write(cipher(second), to: badge) }
            let third = try await link.read(key)
            let other = try await air.connect(to: heard)
            await #expect(throws: RadioError.attribute(0x80)) { try await other.write(cipher(third), to: badge) }
            await #expect(throws: RadioError.attribute(0x0d)) {
                try await link.write([UInt8](repeating: 0, count: 21), to: badge)
            }
            await #expect(throws: RadioError.attribute(0x02)) { try await link.read(badge) }
            await #expect(throws: RadioError.attribute(0x03)) { try await link.write([1], to: key) }
            #expect(bench.relay.pulses.value.count == 1)
            serving.cancel()
        }
    }

    @Test("The air shows what the hub says that the gate is, one or the other")
    func air() async throws {
        try await Bench.run { bench in
            await bench.tellTime()
            let air = InProcessAir()
            let running = Task { await GateAir(bench.controller, radio: air).run() }
            let old = UUID128(LegacyProfile(gate: bench.identity.gate).service)!
            func shown() async throws -> [Bool] {
                [try await !air.scan(for: GateProfile.service).isEmpty, try await !air.scan(for: old).isEmpty]
            }
            #expect(try await eventually { try await shown() == [true, false] })
            try await bench.becomesLegacy()
            #expect(try await eventually { try await shown() == [false, true] })
            try await bench.rights(6)
            #expect(try await eventually { try await shown() == [true, false] })
            running.cancel()
            await running.value
            #expect(try await shown() == [false, false])
        }
    }
}
