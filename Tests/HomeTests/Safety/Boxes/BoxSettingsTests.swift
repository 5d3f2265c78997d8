import Identity
import Ledger
import Safeguard
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Accounts
@testable import Home
@testable import Household

/// What a box is told of the choices of its house, and the tags that it learns.
struct BoxSettingsTests {
    @Test func `A box gets new settings when they changed, and no others`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            try box.hello(Panel())
            await box.boxes.settle()
            #expect(box.settings.map(\.version) == [1])
            #expect(box.settings.first?.sensors.map(\.name) == ["door"])
            #expect(box.settings.first?.verifies(boxKey: box.key) == true)
            try box.hello(Panel(), uptime: 2_000, version: 1)
            await box.boxes.settle()
            #expect(box.settings.count == 1)
            try await house.parts.safety.settings.set(
                HouseRules(panel: PanelRules(alarmTime: 300)), of: house.site.id, by: anna)
            await box.boxes.settle()
            #expect(box.settings.map(\.version) == [1, 2])
            #expect(box.settings.last?.rules.alarmTime == 300)
        }
    }

    @Test func `A tag is learnt by the box that was asked to, under the name that somebody gave it`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let anna = try await house.principal("Anna", .owner).person.id
            #expect(try box.boxes.learn(name: "Anna's key", at: box.gateway, by: anna) == nil)
            try box.hello(Panel())
            let wish = try #require(try box.boxes.learn(name: "Anna's key", at: box.gateway, by: anna))
            #expect(box.orders == [.learnTag])
            let digest = [UInt8](repeating: 4, count: 32)
            // What nobody asked for makes nothing known.
            try box.record(1, .tagLearnt, Panel(), .order, credential: EventID.new(at: noon).raw, digest: digest)
            #expect(try box.boxes.tags(of: house.site.id).isEmpty)
            try box.record(2, .tagLearnt, Panel(), .order, credential: wish.id.raw, digest: digest)
            await box.write()
            #expect(try box.boxes.tags(of: house.site.id).map(\.name) == ["Anna's key"])
            await box.boxes.settle()
            #expect(box.settings.last?.tags.map(\.id) == [wish.id.raw])
            let removed = try await box.boxes.remove(wish.id, at: house.site.id, by: anna)
            #expect(removed)
            await box.boxes.settle()
            #expect(box.settings.last?.tags.isEmpty == true)
        }
    }

    @Test func `A tag asked for by who may not any more, or before the house was armed, is not learnt`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            let mara = try await house.principal("Mara", .manager).person.id
            try box.hello(Panel())
            var sequence: UInt64 = 0
            /// Asks for a tag, lets something happen, holds the tag to the box, and says whether it disarms now.
            func isLearnt(after what: () async throws -> Void = {}) async throws -> Bool {
                let wish = try #require(try box.boxes.learn(name: "A key", at: box.gateway, by: mara))
                try await what()
                sequence += 1
                let digest = [UInt8](repeating: UInt8(sequence), count: 32)
                try box.record(sequence, .tagLearnt, house.panel, .order, credential: wish.id.raw, digest: digest)
                await box.write()
                return try box.boxes.tags(of: house.site.id).contains { $0.id == wish.id }
            }
            #expect(try await isLearnt())
            func arm() throws { _ = try house.panels.arm(.away, at: house.site.id, by: .hub) }
            #expect(try await !isLearnt(after: arm))
            #expect(box.boxes.learning(at: house.site.id) == nil)
            // Asked for while it is armed, as a code may be added, it is.
            #expect(try await isLearnt())
            #expect(try await isLearnt { house.panels.disarm(house.site.id, by: .hub) })
            func armAndDisarm() throws {
                try arm()
                house.panels.disarm(house.site.id, by: .hub)
            }
            #expect(try await !isLearnt(after: armAndDisarm))
            var ended = try #require(
                try house.parts.store.read {
                    try AccountRecords.memberships(of: mara, at: house.site.id, in: $0).first
                })
            ended.revoked = noon
            let after = ended
            func leave() async throws {
                try await house.parts.given.accounts.change {
                    _ = try AccountRecords.change(after, at: noon, by: nil, in: $0)
                }
            }
            #expect(try await !isLearnt(after: leave))
        }
    }
}
