import Accounts
import Crypto
import HTTPServer
import Ledger
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("Passes")
struct PassTests {
    private func issue(_ house: House) async throws -> [Gates.IssuedPass] {
        try await house.gates.issuePasses(to: house.person.id, at: house.site.id)
    }

    /// What a gate would say to the pass at a time.
    private func verdict(_ pass: Pass, _ lock: Lock, at time: Timestamp = noon, rights: Rights? = nil) throws
        -> GateReason
    {
        let given = nonce()
        let message = try pass.message(carrier: .ble, gateNonce: given, openerNonce: nonce(), intent: .apri)
        return GateCheck.decide(
            try PassMessage(decoding: message.encoded()),
            in: .init(
                gateID: lock.gate.id.raw, gateKey: lock.key, carrier: .ble, gateNonce: given, utc: time.seconds,
                uptimeSeconds: 0, epoch: 1,
                isDenied: { rights?.isDenied($0) ?? false }, hubContactAge: nil))
    }

    @Test("There is one for every paired gate that is granted, each good at its own gate for a day")
    func issued() async throws {
        try await House.run { house in
            let (a, b) = (try await house.lock("A"), try await house.lock("B"))
            _ = try await house.lock("C", isPaired: false)
            let issued = try await issue(house)
            #expect(issued.map(\.gate.name) == ["A", "B"])
            let day: Int64 = 86_400_000
            #expect(try verdict(issued[0].pass, a) == .none)
            #expect(try verdict(issued[0].pass, a, at: noon.adding(milliseconds: day - 1)) == .none)
            #expect(try verdict(issued[0].pass, a, at: noon.adding(milliseconds: day)) == .expired)
            #expect(try verdict(issued[1].pass, b) == .none)
            #expect(try verdict(issued[1].pass, a) == .notValid)
            #expect(issued.allSatisfy { $0.pass.header.flags.isEmpty })
            #expect(Set(issued.map(\.pass.header.passID)).count == 2)
            #expect(Set(issued.map { Digest.sha256($0.pass.key.bytes) }).count == 2)
        }
    }

    @Test("Where the policy denies there is none, and one cut to the membership's end ends there")
    func cut() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            house.policy.verdict.change { $0 = .denied(Reason("ended")) }
            #expect(try await issue(house).isEmpty)
            let end = noon.adding(milliseconds: 5000)
            house.policy.verdict.change { $0 = .granted(until: end) }
            let pass = try #require(try await issue(house).first).pass
            #expect(pass.header.notAfter == end.seconds)
            #expect(try verdict(pass, lock, at: end.adding(milliseconds: -1)) == .none)
            #expect(try verdict(pass, lock, at: end) == .expired)
            house.policy.verdict.change { $0 = .granted(until: noon.adding(milliseconds: 999)) }
            #expect(try await issue(house).isEmpty)
        }
    }

    @Test(
        "After something was taken away, the gate that is there hears at once that the pass is denied; others with their hello"
    )
    func denied() async throws {
        try await House.run { house in
            let (near, far) = (try await house.ready("A"), try await house.lock("B"))
            let issued = try await issue(house)
            let (site, person) = (house.site.id, house.person.id)
            let changed = try await house.store.write {
                try GateRecords.denyPasses(of: person, at: site, now: noon, in: $0)
            }
            #expect(Set(changed) == Set([near.gate.id, far.gate.id]))
            house.gates.rightsChanged(of: changed)
            let rights = try #require(house.carrier.rights.first)
            #expect(house.carrier.rights.count == 1)
            #expect(rights.version == 2)
            #expect(rights.verifies(gateKey: near.key))
            #expect(try verdict(issued[0].pass, near, rights: rights) == .revoked)
            try await house.say(try far.hello(rights: 1), far)
            let others = try #require(house.carrier.rights.last)
            #expect(others.verifies(gateKey: far.key))
            #expect(try verdict(issued[1].pass, far, rights: others) == .revoked)
            // One that is given out afterwards is another pass.
            let again = try #require(try await issue(house).first).pass
            #expect(try verdict(again, near, rights: rights) == .none)
        }
    }

    @Test("A pass that has ended is not on the list, and with nothing live nothing changes")
    func ended() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            _ = try await issue(house)
            let (site, person) = (house.site.id, house.person.id)
            let later = noon.adding(milliseconds: 86_401_000)
            let changed = try await house.store.write {
                try GateRecords.denyPasses(of: person, at: site, now: later, in: $0)
            }
            #expect(changed.isEmpty)
            let nobody = try await house.store.write {
                try GateRecords.denyPasses(of: .new(at: noon), at: site, now: noon, in: $0)
            }
            #expect(nobody.isEmpty)
            let gate = try house.store.read { try GateRecords.gate(lock.gate.id, in: $0) }
            #expect(gate?.rightsVersion == 1)
        }
    }

    @Test("Somebody who has a hundred passes for a gate waits for another one, and nobody else does")
    func most() async throws {
        try await House.run { house in
            _ = try await house.ready()
            for _ in 0..<Gates.mostPasses { _ = try await issue(house) }
            await #expect(throws: Problem.self) { try await issue(house) }
            let other = Person(id: .new(at: noon), name: "Bruno", email: "bruno@example.org", language: nil)
            try await house.store.write { try AccountRecords.add(other, passwordHash: "", at: noon, in: $0) }
            _ = try await house.gates.issuePasses(to: other.id, at: house.site.id)
        }
    }

    @Test("More denied passes than a gate can hold still leave none of them good")
    func fullList() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            var passes: [Pass] = []
            for _ in 0..<Gates.mostPasses { passes += try await issue(house).map(\.pass) }
            let (site, person) = (house.site.id, house.person.id)
            // Those of one person are not enough.
            let header = try #require(passes.first).header
            try await house.store.write { database in
                for _ in 0...Rights.maxDenied {
                    try GateRecords.addPass(
                        LivePass(
                            id: EventID.new(at: noon).raw, gate: lock.gate.id, person: person,
                            notAfter: header.notAfter, intervals: []), in: database)
                }
            }
            let changed = try await house.store.write {
                try GateRecords.denyPasses(of: person, at: site, now: noon, in: $0)
            }
            house.gates.rightsChanged(of: changed)
            let rights = try #require(house.carrier.rights.last)
            let good = passes.filter { !rights.isDenied($0.header.passID) && $0.header.epoch >= rights.epoch }.count
            #expect(good == 0)
            #expect(rights.verifies(gateKey: lock.key))
        }
    }
}
