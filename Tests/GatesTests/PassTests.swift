import Accounts
import Crypto
import Identity
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
            let changed = try await house.gates.changeRights(at: site) {
                try GateRecords.denyPasses(of: person, at: site, now: noon, in: $0)
            }
            #expect(Set(changed) == Set([near.gate.id, far.gate.id]))
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

    /// Whose gates took them away, or not yet, and that have not ended.
    private func live(_ house: House) throws -> Int {
        try house.store.read {
            try GateRecords.goodPasses(of: house.person.id, at: house.site.id, now: house.time.value, in: $0).count
        }
    }

    @Test("However often somebody asks for passes, few are out, and each answer holds for eighteen hours at least")
    func few() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            var most = 0
            for minute in stride(from: 0, to: 3 * 1440, by: 10) {
                house.time.change { $0 = noon.adding(milliseconds: Int64(minute) * 60_000) }
                let now = house.time.value
                let pass = try #require(try await issue(house).first).pass
                #expect(try verdict(pass, lock, at: now) == .none)
                #expect(try verdict(pass, lock, at: now.adding(milliseconds: 18 * 3_600_000 - 1_000)) == .none)
                most = max(most, try live(house))
            }
            #expect((3...5).contains(most))
        }
    }

    @Test("A pass that was taken away, or that is of an earlier epoch, is not given again")
    func notAgain() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let (first, same) = (try await issue(house)[0].pass, try await issue(house)[0].pass)
            #expect(first.header == same.header && first.key.bytes == same.key.bytes)
            let (site, person) = (house.site.id, house.person.id)
            _ = try await house.store.write { try GateRecords.denyPasses(of: person, at: site, now: noon, in: $0) }
            let second = try await issue(house)[0].pass
            #expect(second.header.passID != first.header.passID)
            _ = try await house.store.write { database in
                try database.execute("UPDATE gates SET epoch = epoch + 1 WHERE id = ?", lock.gate.id)
            }
            let third = try await issue(house)[0].pass
            #expect(third.header.passID != second.header.passID && third.header.epoch == 2)
            // Nor is one that the hub cannot make again, since it was issued by an older one.
            _ = try await house.store.write { try $0.execute("UPDATE passes SET header = NULL, intervals = x''") }
            #expect(try await issue(house)[0].pass.header.passID != third.header.passID)
        }
    }

    @Test("A pass that holds less than somebody may now is replaced, and one that holds more never given")
    func wider() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            func issued(until end: Int64) async throws -> Pass {
                house.policy.verdict.change { $0 = .granted(until: noon.adding(milliseconds: end * 60_000)) }
                return try #require(try await issue(house).first).pass
            }
            // Every ten minutes more: eight times a new one, and then the one that holds longest.
            var ids: [ID16] = []
            for step in 1...12 { ids.append(try await issued(until: Int64(step) * 10).header.passID) }
            #expect(Set(ids).count == Gates.mostPasses && ids[7...].allSatisfy { $0 == ids[7] })
            #expect(try live(house) == Gates.mostPasses)
            // Less again, before anybody looked through the passes that are out.
            let less = try await issued(until: 35)
            #expect(less.header.passID == ids[2])
            let end = noon.adding(milliseconds: 35 * 60_000)
            #expect(try verdict(less, lock, at: end) == .expired)
            try await house.gates.changeRights(at: house.site.id) { _ in }
            #expect(try live(house) == 3)
        }
    }

    @Test("All of a hundred and twenty-eight people's passes have room on a gate's list")
    func listHoldsMany() { #expect(128 * Gates.mostPasses <= Rights.maxDenied) }

    @Test("More denied passes than a gate can hold still leave none of them good")
    func fullList() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            var passes: [Pass] = []
            passes += try await issue(house).map(\.pass)
            let (site, person) = (house.site.id, house.person.id)
            // Those of one person are not enough.
            let header = try #require(passes.first).header
            try await house.store.write { database in
                for _ in 0...Rights.maxDenied {
                    let other = try PassHeader(
                        flags: [], epoch: 1, passID: EventID.new(at: noon).raw, gateID: lock.gate.id.raw,
                        issued: header.issued, notBefore: header.notBefore, notAfter: header.notAfter)
                    try GateRecords.add(other, of: person, in: database)
                }
            }
            try await house.gates.changeRights(at: site) {
                _ = try GateRecords.denyPasses(of: person, at: site, now: noon, in: $0)
            }
            let rights = try #require(house.carrier.rights.last)
            let good = passes.filter { !rights.isDenied($0.header.passID) && $0.header.epoch >= rights.epoch }.count
            #expect(good == 0)
            #expect(rights.verifies(gateKey: lock.key))
        }
    }
}
