import Identity
import Ledger
import System
import Testing
import Wire

@testable import Accounts
@testable import Gates

struct PairingTests {
    @Test func `A new code ends the one before it, and those that nobody brought in time, by their names on the bus`()
        async throws
    {
        try await House.run { house in
            let (lock, other) = (try await house.lock(), try await house.lock("Retro"))
            func prepare(_ lock: Lock) async throws -> String {
                let code = try await PairingDesk.prepare(lock.gate.id, house.store, house.gates.clock).code
                return BusNames.PairingWay(code).username
            }
            func open() throws -> Set<String> {
                Set(try house.store.read { try PairingRecords.all(in: $0) }.map(\.username))
            }
            let (first, second) = (try await prepare(lock), try await prepare(other))
            #expect(try open() == [first, second])
            let third = try await prepare(lock)
            #expect(try open() == [second, third])
            let over = try await house.store.write { database in
                try PairingRecords.removeOver(
                    PairedGates.kind, lock.gate.id.raw, now: house.gates.clock.now, sweeps: true,
                    in: database)
            }
            #expect(over == [third])
            let late = house.gates.clock.now.adding(milliseconds: PairingDesk.lifetime)
            let expired = try await house.store.write { database in
                try PairingRecords.removeOver(
                    PairedGates.kind, lock.gate.id.raw, now: late, sweeps: true, in: database)
            }
            #expect(expired == [second])
            #expect(try open().isEmpty)
        }
    }

    @Test func `A code pairs by the rights that its maker has when it is brought, and nothing that is out of use`()
        async throws
    {
        try await House.run { house in
            let lock = try await house.lock()
            let other = Key(Random.bytes(32))!
            let pairing = PairedGates(gates: house.gates)
            func bring(by maker: PersonID?) async throws -> Bool {
                try await pairing.accept(other, for: lock.gate.id.raw, by: maker, at: noon) != nil
            }
            func key() throws -> [UInt8]? {
                try house.store.read { try GateRecords.gate(lock.gate.id, in: $0) }?.key?.bytes
            }
            var membership = Membership(
                id: .new(at: noon), person: house.person.id, site: house.site.id, permission: .manager, role: nil,
                firstDay: nil, lastDay: nil)
            let first = membership
            try await house.store.write { try AccountRecords.add(first, at: noon, by: nil, in: $0) }
            for (revoked, permission) in [(noon, Permission.manager), (nil, .member)] as [(Timestamp?, Permission)] {
                (membership.revoked, membership.permission) = (revoked, permission)
                let ended = membership
                try await house.store.write { try AccountRecords.change(ended, at: noon, by: nil, in: $0) }
                #expect(try await !bring(by: house.person.id))
                #expect(try key() == lock.key.bytes)
            }
            membership.permission = .manager
            let again = membership
            try await house.store.write { try AccountRecords.change(again, at: noon, by: nil, in: $0) }
            #expect(try await bring(by: house.person.id))
            #expect(try key() == other.bytes)
            // From the hub's machine, by nobody with an account.
            #expect(try await bring(by: nil))
            _ = try await house.gates.retire(lock.gate.id, at: house.site.id, by: house.person.id)
            #expect(try await !bring(by: house.person.id))
            #expect(try await !bring(by: nil))
        }
    }
}
