import Bus
import Crypto
import Ledger
import Store
import System
import Testing
import Wire

@testable import Accounts
@testable import Gates

@Suite("The one way to change rights")
struct RightsChangeTests {
    private struct Refused: Error, Equatable {}

    private func takeAway(_ house: House) { house.policy.verdict.change { $0 = .denied(Reason("ended")) } }

    private func version(_ lock: Lock, _ house: House) throws -> UInt64? {
        try house.store.read { try GateRecords.gate(lock.gate.id, in: $0)?.rightsVersion }
    }

    @Test("The longest rights that a hub signs are a payload that the bus carries")
    func longest() { #expect(GateFrame.maxBytes <= BusClient.payloadLimit) }

    @Test("What was taken away is denied in the change itself, and sent once it is on disk")
    func denied() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let pass = try #require(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first)
                .pass
            takeAway(house)
            let carrier = house.carrier
            let answer = try await house.gates.changeRights(at: house.site.id) { _ in
                #expect(carrier.rights.isEmpty)
                return "done"
            }
            #expect(answer == "done")
            #expect(house.carrier.rights.count == 1)
            #expect(house.carrier.rights.last?.isDenied(pass.header.passID) == true)
            #expect(try version(lock, house) == 2)
        }
    }

    @Test("A change that takes nothing away is told to no gate")
    func nothing() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            _ = try await house.gates.issuePasses(to: house.person.id, at: house.site.id)
            try await house.gates.changeRights(at: house.site.id) { _ in }
            #expect(house.carrier.rights.isEmpty)
            #expect(try version(lock, house) == 1)
        }
    }

    @Test("Whose rights a change touches is everybody's unless it says whose")
    func touched() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let (site, person) = (house.site.id, house.person.id)
            _ = try await house.gates.issuePasses(to: person, at: site)
            takeAway(house)
            let others: [Touched] = [.nobody, .noPass, .people([]), .people([.new(at: noon)])]
            for whose in others { try await house.gates.changeRights(at: site) { $1 = whose } }
            #expect(try version(lock, house) == 1)
            try await house.gates.changeRights(at: [site]) { _, _ in }
            #expect(try version(lock, house) == 2)
            #expect(house.carrier.rights.count == 1)
        }
    }

    @Test("A change that throws writes nothing, and what it threw comes through")
    func refused() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            _ = try await house.gates.issuePasses(to: house.person.id, at: house.site.id)
            takeAway(house)
            await #expect(throws: Refused()) {
                try await house.gates.changeRights(at: house.site.id) { database in
                    try GateRecords.raiseRightsVersion(of: lock.gate.id, in: database)
                    throw Refused()
                }
            }
            #expect(try version(lock, house) == 1)
            #expect(house.carrier.rights.isEmpty)
        }
    }

    @Test("A change inside another sends each gate its rights once, after the whole")
    func nested() async throws {
        try await House.run { house in
            let (first, second) = (try await house.ready("A"), try await house.ready("B"))
            let (gates, site, carrier) = (house.gates, house.site.id, house.carrier)
            try await gates.changeRights(at: site) { database in
                try gates.changeRights(at: [site], in: database) { touched in
                    touched = .nobody
                    try GateRecords.raiseRightsVersion(of: first.gate.id, in: database)
                }
                try GateRecords.raiseRightsVersion(of: second.gate.id, in: database)
                #expect(carrier.rights.isEmpty)
            }
            #expect(carrier.rights.map(\.version) == [2, 2])
            // Also inside a change that began for another reason.
            try await house.store.write { database in
                try gates.changeRights(at: [site], in: database) { _ in
                    try GateRecords.raiseRightsVersion(of: first.gate.id, in: database)
                }
            }
            #expect(carrier.rights.map(\.version) == [2, 2, 3])
        }
    }

    @Test("Rights that were committed and not sent, since the hub was killed in between, are sent after its start")
    func killed() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            let pass = try #require(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).first)
                .pass
            takeAway(house)
            // A process that ends there sends nothing, and what it remembered is gone with it.
            house.carrier.isBroken.change { $0 = true }
            try await house.gates.changeRights(at: house.site.id) { _ in }
            house.carrier.isBroken.change { $0 = false }
            #expect(house.carrier.rights.isEmpty)
            let store = try Store(
                path: house.store.path,
                migrations: Ledger.migrations + AccountRecords.migrations + GateRecords.migrations)
            let clock = WallClock { noon }
            let started = Gates(
                accounts: Accounts(store: store, passwords: Passwords(memory: 64 << 10), clock: clock),
                carrier: house.carrier, clock: clock)
            started.register(house.policy)
            try await started.receive(try lock.hello(rights: 1), from: lock.gate.id, at: house.site.id)
            let rights = try #require(house.carrier.rights.last)
            #expect(rights.version == 2 && rights.isDenied(pass.header.passID))
            #expect(rights.verifies(gateKey: lock.key))
            // A gate that has them is left alone.
            try await started.receive(try lock.hello(rights: 2), from: lock.gate.id, at: house.site.id)
            #expect(house.carrier.rights.count == 1)
            await store.close()
        }
    }
}
