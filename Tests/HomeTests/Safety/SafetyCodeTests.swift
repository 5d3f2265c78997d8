import Accounts
import Commands
import Identity
import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

struct SafetyCodeTests {
    @Test func `A house that asks for a code is disarmed by one, or by whoever has just shown who they are`()
        async throws
    {
        try await TestHouse.run { house in
            let session = try await house.principal("Anna", .member)
            let anna = session.person.id
            let (desk, site) = (house.parts.safetyDesk, house.site.id)
            try await house.parts.safety.settings.set(HouseRules(asksCode: true), of: site, by: anna)
            let code = try await house.parts.safety.codes.add("280417", name: "Anna", at: site, by: anna)
            try await desk.arm(.home, at: site, by: .person(anna))
            await #expect(throws: SafetyRefusal.codeNeeded) {
                try await desk.disarm(site, by: anna, code: nil)
            }
            await #expect(throws: SafetyRefusal.wrongCode) {
                try await desk.disarm(site, by: anna, code: "280418", in: session)
            }
            #expect(house.panel.state == .armedHome)
            try await desk.disarm(site, by: anna, code: "280417")
            #expect(house.panel.state == .disarmed)
            #expect(house.panels.house(site).last?.by == .code(code.id, anna))
            try await desk.arm(.home, at: site, by: .person(anna))
            try await desk.disarm(site, by: anna, code: nil, in: session)
            #expect(house.panel.state == .disarmed)
        }
    }

    @Test func `Wrong codes are heard three times, then after a pause that grows, and shut out nobody else`()
        async throws
    {
        try await TestHouse.run { house in
            let anna = try await house.principal("Anna", .member).person.id
            let bruno = try await house.principal("Bruno", .member).person.id
            let (uptime, told) = (Shared<UInt64>(0), Shared<[Int]>([]))
            let codes = HouseCodes(house.parts.given.accounts, uptime: { uptime.value }) { _, _, count in
                told.change { $0.append(count) }
            }
            let site = house.site.id
            _ = try await codes.add("280417", name: "Anna", at: site, by: anna)
            for _ in 0..<3 {
                await #expect(throws: SafetyRefusal.wrongCode) { try await codes.check("1111", at: site, by: anna) }
            }
            #expect(told.value == [3])
            await #expect(throws: SafetyRefusal.wait(seconds: 30)) {
                try await codes.check("280417", at: site, by: anna)
            }
            _ = try await codes.check("280417", at: site, by: bruno)
            uptime.change { $0 = 30_000 }
            await #expect(throws: SafetyRefusal.wrongCode) { try await codes.check("1111", at: site, by: anna) }
            await #expect(throws: SafetyRefusal.wait(seconds: 60)) {
                try await codes.check("280417", at: site, by: anna)
            }
            uptime.change { $0 = 90_000 }
            _ = try await codes.check("280417", at: site, by: anna)
            await #expect(throws: SafetyRefusal.wrongCode) { try await codes.check("1111", at: site, by: anna) }
        }
    }

    @Test func `A code is digits that nobody tries first and that nobody else of the house has`() async throws {
        try await TestHouse.run { house in
            let anna = try await house.principal("Anna", .owner).person.id
            let (codes, site) = (house.parts.safety.codes, house.site.id)
            for (text, why) in [
                ("123", HouseCodes.Refusal.notDigits), ("12a4", .notDigits), ("123456789", .notDigits),
                ("1234", .wellKnown), ("0000", .wellKnown), ("87654", .wellKnown),
            ] {
                await #expect(throws: why) { try await codes.add(text, name: "Anna", at: site, by: anna) }
            }
            _ = try await codes.add("2804", name: "Anna", at: site, by: anna)
            await #expect(throws: HouseCodes.Refusal.taken) {
                try await codes.add("2804", name: "Bruno", at: site, by: anna)
            }
            let list = try codes.codes(of: site)
            #expect(list.map(\.name) == ["Anna"])
            let removed = try await codes.remove(list[0].id, at: site, by: anna)
            #expect(removed)
            await #expect(throws: SafetyRefusal.wrongCode) { try await codes.check("2804", at: site, by: anna) }
        }
    }

    @Test(arguments: [["280417"], ["280417", "731950", "864213"]])
    func `Of those that add the same digits in one moment one does, and each that adds others`(digits: [String])
        async throws
    {
        try await TestHouse.run { house in
            let anna = try await house.principal("Anna", .owner).person.id
            let (codes, site) = (house.parts.safety.codes, house.site.id)
            let added = await withTaskGroup(of: Bool.self) { group in
                for (number, name) in ["Anna", "Bruno", "Carla"].enumerated() {
                    let own = digits[number % digits.count]
                    group.addTask { (try? await codes.add(own, name: name, at: site, by: anna)) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            let kept = try codes.codes(of: site).count
            #expect(added == digits.count && kept == digits.count)
        }
    }

    @Test func `A command arms for the hub and for members, and disarms for a person alone`() async throws {
        try await TestHouse.run { house in
            let member = try await house.principal("Anna", .member).person.id
            let guest = try await house.principal("Gast", .guest).person.id
            let commands = Commands()
            SafetyCommands(desk: house.parts.safetyDesk).register(commands)
            let site = house.site.id
            await #expect(throws: PanelCommandRefusal.notAllowed) {
                try await commands.send(Arm(house: site, mode: "home"), by: .person(guest))
            }
            await #expect(throws: PanelCommandRefusal.unknown) {
                try await commands.send(Arm(house: site, mode: "holiday"), by: .hub)
            }
            let state = try await commands.send(Arm(house: site, mode: "home"), by: .hub)
            #expect(state == "armed_home")
            let number = house.panel.number
            _ = try await commands.send(Arm(house: site, mode: "home"), by: .hub)
            #expect(house.panel.number == number, "twice is as good as once")
            await #expect(throws: PanelCommandRefusal.nobodyAsked) {
                try await commands.send(Disarm(house: site), by: .hub)
            }
            #expect(house.panel.state == .armedHome)
            let after = try await commands.send(Disarm(house: site), by: .person(member))
            #expect(after == "disarmed")
        }
    }

    @Test func `A code that could not be looked at is no wrong one`() {
        let (anna, site) = (PersonID.new(at: noon), SiteID.new(at: noon))
        var limit = CodeLimit()
        func fail(_ now: UInt64) {
            _ = limit.take(anna, at: site, now)
            limit.failed(anna, at: site, now)
        }
        for _ in 0..<20 {
            #expect(limit.take(anna, at: site, 0) == 1)
            limit.giveBack(anna, at: site)
            #expect(limit.wait(anna, at: site, 0) == 0)
        }
        // Several at once that may all be right wait for one another, not for a pause.
        for _ in 0..<CodeLimit.free { _ = limit.take(anna, at: site, 0) }
        #expect(limit.wait(anna, at: site, 0) == 1_000)
        for _ in 0..<CodeLimit.free { limit.giveBack(anna, at: site) }
        for _ in 0..<CodeLimit.free { fail(0) }
        #expect(limit.wait(anna, at: site, 0) == CodeLimit.pause)
        // After the pause nobody waits once more for what was not looked at, in whatever order it is given back.
        for _ in 0..<2 { _ = limit.take(anna, at: site, CodeLimit.pause) }
        #expect(limit.wait(anna, at: site, CodeLimit.pause) == 4 * CodeLimit.pause, "many at once are no more")
        for _ in 0..<2 { limit.giveBack(anna, at: site) }
        #expect(limit.wait(anna, at: site, CodeLimit.pause) == 0)
        // A wrong one counts.
        _ = limit.take(anna, at: site, CodeLimit.pause)
        fail(CodeLimit.pause + 1)
        limit.giveBack(anna, at: site)
        #expect(limit.wait(anna, at: site, CodeLimit.pause + 1) == 2 * CodeLimit.pause)
        // A right one forgets all.
        limit.succeeded(anna, at: site)
        #expect(limit.take(anna, at: site, CodeLimit.pause + 2) == 1)
    }

    @Test func `What people do at their houses makes the hub forget no wrong code at another`() {
        let (anna, victim) = (PersonID.new(at: noon), SiteID.new(at: noon))
        var limit = CodeLimit()
        func fail(_ person: PersonID, at site: SiteID) {
            _ = limit.take(person, at: site, 0)
            limit.failed(person, at: site, 0)
        }
        for wrong in 1...CodeLimit.free {
            fail(anna, at: victim)
            for _ in 0..<1_000 {
                let (stranger, own) = (PersonID.new(at: noon), SiteID.new(at: noon))
                for _ in 0...wrong { fail(stranger, at: own) }
            }
        }
        #expect(limit.wait(anna, at: victim, 0) == CodeLimit.pause)
        // Not even a crowd of the same house, each with a wrong one.
        for _ in 0..<200 { fail(.new(at: noon), at: victim) }
        #expect(limit.wait(anna, at: victim, 0) == CodeLimit.pause)
        #expect(limit.count(at: victim) == CodeLimit.capacity)
    }

    @Test func `A right code forgets wrong ones, and none that are still looked at`() {
        let (anna, site) = (PersonID.new(at: noon), SiteID.new(at: noon))
        var limit = CodeLimit()
        for _ in 0..<CodeLimit.free { _ = limit.take(anna, at: site, 0) }
        limit.succeeded(anna, at: site)
        for _ in 1..<CodeLimit.free { limit.failed(anna, at: site, 0) }
        #expect(limit.wait(anna, at: site, 0) == 0)
        #expect(limit.take(anna, at: site, 0) == CodeLimit.free)
        limit.giveBack(anna, at: site)
        limit.succeeded(anna, at: site)
        #expect(limit.count(at: site) == 0)
    }
}
