import System
import Testing
import Wire

@testable import Gates

/// Gates by a machine's clocks that a test moves.
private struct Doubted {
    static let day: Int64 = 86_400_000
    let machine = Shared(noon)
    let steady = Shared(UInt64(7_000_000))
    let clock: CheckedClock
    let gates: Gates

    init(_ house: House) {
        let (machine, steady) = (machine, steady)
        let source = CheckedClock.Source(
            machine: { machine.value }, steady: { steady.value }, isKept: { false },
            boot: [UInt8](repeating: 3, count: 16))
        clock = CheckedClock(source, mark: nil, newest: nil)
        gates = Gates(
            accounts: house.accounts, carrier: house.carrier, clock: WallClock(clock), uptime: { house.uptime.value })
        gates.register(house.policy)
    }

    func pass(_ milliseconds: Int64) {
        machine.change { $0 = $0.adding(milliseconds: milliseconds) }
        steady.change { $0 += UInt64(milliseconds) }
    }

    func jump(_ milliseconds: Int64) { machine.change { $0 = $0.adding(milliseconds: milliseconds) } }
}

extension Lock {
    /// A hello of a gate whose clock shows that.
    fileprivate func hello(uptime: UInt64, at time: Timestamp) throws -> GateFrame {
        .hello(
            try GateHello(
                session: session, uptime: uptime, bootCount: 1, journalID: journal, lastSequence: 0, rightsVersion: 1,
                clock: .trusted, timeNonce: nonce(),
                status: GateStatus(utc: time.seconds, waiting: 0, kept: 0, troubles: [], software: []), gateKey: key))
    }
}

@Suite("A hub that is not sure what time it is")
struct ClockDoubtTests {
    @Test(
        "It signs no time and makes no pass, and opens all the same; it goes on when the clock is right again",
        arguments: [150_000, -150_000, 300 * Doubted.day, -1_100 * Doubted.day])
    func stops(by jump: Int64) async throws {
        try await House.run { house in
            let (lock, doubted) = (try await house.lock(), Doubted(house))
            func hello(_ uptime: UInt64) async throws {
                try await doubted.gates.receive(try lock.hello(uptime: uptime), from: lock.gate.id, at: house.site.id)
            }
            try await hello(50_000)
            #expect(house.carrier.times.map(\.utc) == [noon.seconds])
            doubted.pass(1_000)
            doubted.jump(jump)
            try await hello(51_000)
            #expect(house.carrier.times.map(\.utc) == [noon.seconds, 0], "it is there, and says no time")
            await #expect(throws: Gates.ClockInDoubt.self) {
                try await doubted.gates.issuePasses(to: house.person.id, at: house.site.id)
            }
            doubted.jump(-jump)
            try await hello(52_000)
            #expect(house.carrier.times.map(\.utc) == [noon.seconds, 0, noon.seconds + 1])
            let passes = try await doubted.gates.issuePasses(to: house.person.id, at: house.site.id)
            #expect(passes.map(\.pass.header.issued) == [noon.seconds + 1])
        }
    }

    @Test("Gates that went on while the machine stood still say that its clock is right")
    func gatesAgree() async throws {
        try await House.run { house in
            let (locks, doubted) = (
                [try await house.lock(), try await house.lock("Cortile")], Doubted(house)
            )
            // A machine that was frozen for an hour.
            doubted.jump(3_600_000)
            #expect(doubted.clock.doubt?.cause == .jumped)
            for second in stride(from: 0 as Int64, through: 12, by: 4) {
                doubted.pass(4_000)
                for lock in locks {
                    try await doubted.gates.receive(
                        try lock.hello(uptime: 60_000 + UInt64(second * 1_000), at: doubted.machine.value),
                        from: lock.gate.id, at: house.site.id)
                }
            }
            #expect(doubted.clock.doubt == nil)
            #expect(house.carrier.times.last?.utc == doubted.machine.value.seconds)
        }
    }

    @Test("A pass that was made ahead of time opens nothing after the correction, and others are left alone")
    func madeAhead() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let (site, person) = (house.site.id, house.person.id)
            let good = try #require(try await house.gates.issuePasses(to: person, at: site).first).pass
            #expect(try await house.gates.endPassesMadeAhead() == 0)
            house.time.change { $0 = $0.adding(milliseconds: 300 * Doubted.day) }
            let ahead = try #require(try await house.gates.issuePasses(to: person, at: site).first).pass
            #expect(ahead.header.passID != good.header.passID)
            house.time.change { $0 = noon }
            #expect(try await house.gates.endPassesMadeAhead() == 1)
            #expect(try await house.gates.endPassesMadeAhead() == 0)
            let rights = try #require(house.carrier.rights.last)
            #expect(rights.isDenied(ahead.header.passID))
            #expect(!rights.isDenied(good.header.passID))
            let again = try #require(try await house.gates.issuePasses(to: person, at: site).first).pass
            #expect(again.header.notAfter <= noon.seconds + UInt64(PassHeader.maxLifetime))
            _ = lock
        }
    }

    @Test("Revocations are sent again once the clock is set: a gate that was led ahead may have dropped them")
    func deniedAgain() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let (site, person) = (house.site.id, house.person.id)
            let pass = try #require(try await house.gates.issuePasses(to: person, at: site).first).pass
            try await house.gates.changeRights(at: site) { database in
                _ = try GateRecords.denyPasses(of: person, at: site, now: noon, in: database)
            }
            house.time.change { $0 = $0.adding(milliseconds: 2 * Doubted.day) }
            try await house.gates.changeRights(at: site) {
                try GateRecords.raiseRightsVersion(of: lock.gate.id, in: $0)
            }
            #expect(house.carrier.rights.last?.isDenied(pass.header.passID) == false)
            house.time.change { $0 = noon }
            let before = try #require(house.carrier.rights.last).version
            _ = try await house.gates.endPassesMadeAhead(isSet: true)
            let rights = try #require(house.carrier.rights.last)
            #expect(rights.version > before && rights.isDenied(pass.header.passID))
        }
    }
}
