import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Accounts
@testable import Home
@testable import Household

/// What a code for pairing a box is worth when it is brought.
struct PairingCodeTests {
    @Test func `A code for pairing is worth what its maker may when it is brought, and nothing for what is out of use`()
        async throws
    {
        try await TestHouse.run { house in
            let (ines, box) = (
                try await house.principal("Ines", .installer).person.id, try await house.gateway("Box", .box).0
            )
            let pairing = PairedGateways(desk: house.parts.gatewayDesk)
            func bring(by maker: PersonID?) async throws -> Bool {
                try await pairing.accept(Key(Random.bytes(32))!, for: box.id.raw, by: maker, at: noon) != nil
            }
            // A house that is armed gets no box by a code of before, whether it has one there or not.
            try house.panels.arm(.away, at: house.site.id, by: .hub)
            #expect(try await !bring(by: ines))
            // One made since is for who may disarm, also when it is brought: its maker may have become an installer.
            let mara = try await house.principal("Mara", .manager).person.id
            house.parts.replacing.note(box.id, isArmed: true)
            #expect(try await !bring(by: ines))
            #expect(try await bring(by: mara))
            house.panels.disarm(house.site.id, by: .hub)
            try house.panels.arm(.away, at: house.site.id, by: .hub)
            #expect(try await !bring(by: mara), "it was armed anew since")
            house.panels.disarm(house.site.id, by: .hub)
            #expect(try await bring(by: ines))
            let membership = try #require(
                try house.parts.store.read {
                    try AccountRecords.memberships(of: ines, at: house.site.id, in: $0).first
                })
            var ended = membership
            ended.revoked = noon
            let after = ended
            try await house.parts.given.accounts.change {
                try AccountRecords.change(after, at: noon, by: nil, in: $0)
            }
            let key = house.parts.registry.catalog.gateways[box.id]?.key?.bytes
            #expect(try await !bring(by: ines))
            #expect(house.parts.registry.catalog.gateways[box.id]?.key?.bytes == key)
            #expect(try await bring(by: nil))
            try await house.parts.gatewayDesk.retire(box.id, at: house.site.id, by: ines)
            #expect(try await !bring(by: nil))
        }
    }
}
