import Ledger
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("The health of a gate")
struct HealthTests {
    private func hello(
        _ lock: Lock, utc: Timestamp = noon, waiting: UInt32 = 0, troubles: GateStatus.Troubles = [],
        clock: ClockState = .trusted
    ) throws -> GateFrame {
        .hello(
            try GateHello(
                session: Random.bytes(8), uptime: 5000, bootCount: 3, journalID: lock.journal, lastSequence: 9,
                rightsVersion: 1, clock: clock, timeNonce: nonce(),
                status: GateStatus(
                    utc: utc.seconds, waiting: waiting, kept: 9, troubles: troubles,
                    software: Array("soglia 0.2.0".utf8)),
                gateKey: lock.key))
    }

    @Test("What a gate says of itself is known, and still known after the hub was started anew")
    func known() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            #expect(try house.gates.health(of: lock.gate.id) == nil)
            try await house.say(try hello(lock, utc: noon.adding(milliseconds: 3000), waiting: 4), lock)
            let report = try #require(try house.gates.health(of: lock.gate.id))
            #expect((report.clockOffset, report.waiting, report.kept) == (3, 4, 9))
            #expect((report.software, report.starts, report.at) == ("soglia 0.2.0", 3, noon))
            #expect(report.troubles.isEmpty)
            let later = Gates(accounts: house.accounts, carrier: house.carrier, clock: house.gates.clock)
            #expect(try later.health(of: lock.gate.id) == report)
        }
    }

    @Test("A gate of before, which says nothing of itself, is heard all the same")
    func oldHello() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let report = try #require(try house.gates.health(of: lock.gate.id))
            #expect(report.software == nil && report.clockOffset == nil && report.waiting == nil)
            #expect(house.gates.state(of: lock.gate) == .ready)
        }
    }

    @Test("A trouble that begins is an event, and one that ends is another; in between there is none")
    func troubles() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            func troubles() throws -> [String] {
                try house.ledger.events(of: house.site.id, after: 0, limit: 100).filter { $0.kind == "gate.troubles" }
                    .map { String(decoding: $0.payload ?? [], as: UTF8.self) }
            }
            try await house.say(try hello(lock), lock)
            #expect(try troubles().isEmpty)
            for _ in 0..<3 { try await house.say(try hello(lock, troubles: .journalFull), lock) }
            #expect(try troubles().count == 1)
            #expect(try troubles()[0].contains(#""began":["journalFull"],"ended":[]"#))
            for _ in 0..<2 { try await house.say(try hello(lock), lock) }
            #expect(try troubles().count == 2)
            #expect(try troubles()[1].contains(#""began":[],"ended":["journalFull"]"#))
        }
    }

    @Test(
        "A gate that starts has no time to trust yet, which is no trouble; one that still has none a moment later is told"
    )
    func start() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            func troubles() throws -> Int {
                try house.ledger.events(of: house.site.id, after: 0, limit: 100).filter { $0.kind == "gate.troubles" }
                    .count
            }
            try await house.say(try hello(lock, clock: .untrusted), lock)
            try await house.say(try hello(lock), lock)
            #expect(try troubles() == 0)
            for _ in 0..<2 { try await house.say(try hello(lock, clock: .untrusted), lock) }
            #expect(try troubles() == 1)
            #expect(try house.gates.health(of: lock.gate.id)?.troubles == [.clockUntrusted])
        }
    }

    @Test("A gate that lies about its time is told, and its transits have the hub's time")
    func lyingClock() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            try await house.say(try hello(lock, utc: noon.adding(milliseconds: 3_600_000)), lock)
            #expect(try house.gates.health(of: lock.gate.id)?.troubles == [.clockOff])
            let pass = try #require(
                try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first?.pass)
            try await house.say(
                try lock.record(of: pass, sequence: 1, at: noon.adding(milliseconds: 3_600_000)), lock)
            let line = try #require(try house.openingEvents().last.flatMap { house.gates.line(of: $0) })
            #expect(line.at == noon)
        }
    }

    @Test("A gate that tells two things under one number is found out: the first stays, and the second is acknowledged")
    func contradiction() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let pass = try #require(
                try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first?.pass)
            let first = try lock.record(of: pass, sequence: 1)
            for _ in 0..<2 { try await house.say(first, lock) }
            func contradictions() throws -> Int {
                try house.ledger.events(of: house.site.id, after: 0, limit: 100).filter {
                    $0.kind == "gate.journal.contradiction"
                }.count
            }
            #expect(try contradictions() == 0)
            for _ in 0..<3 { try await house.say(try lock.record(of: pass, sequence: 1), lock) }
            #expect(try contradictions() == 1)
            #expect(try house.openingKinds() == ["opening.opened"])
            #expect(house.carrier.acknowledgements.count == 5)
            try await house.say(try hello(lock), lock)
            #expect(try house.gates.health(of: lock.gate.id)?.troubles == [.contradiction])
        }
    }
}

@Suite("Rights that could not be sent")
struct UnsentRightsTests {
    @Test("What was taken away while the carrier was gone is sent the moment it is back, and once")
    func unsent() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            _ = try await house.gates.issuePasses(to: house.person.id, at: house.site.id)
            let (site, person) = (house.site.id, house.person.id)
            house.carrier.isBroken.change { $0 = true }
            let changed = try await house.gates.changeRights(at: site) {
                try GateRecords.denyPasses(of: person, at: site, now: noon, in: $0)
            }
            #expect(changed == [lock.gate.id])
            house.carrier.isBroken.change { $0 = false }
            #expect(house.carrier.rights.isEmpty)
            for _ in 0..<2 { house.gates.sendUnsentRights() }
            #expect(house.carrier.rights.map(\.denied.count) == [1])
        }
    }
}
