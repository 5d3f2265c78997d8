import Identity
import Notices
import Safeguard
import Store
import System
import TestSupport
import Testing
import Wire

@testable import Accounts
@testable import Home
@testable import Household
@testable import Ledger

/// Of what was taken away from a house, or changed in it, its other owners are told.
struct OwnersToldTests {
    @Test func `What warns at any time is not taken away unsaid, though the house is not armed`() async throws {
        try await TestHouse.run { house in
            let (site, parts) = (house.site.id, house.parts)
            let olga = try await house.principal("Olga", .owner).person.id
            let ivo = try await house.principal("Ivo", .installer)
            let person = ivo.person.id
            func told() throws -> Int {
                try parts.store.read { database in
                    try database.row(
                        """
                        SELECT count(*) FROM notice_recipients r JOIN notices n ON n.id = r.notice
                        WHERE r.person = ? AND n.kind = 'home.protection'
                        """, olga
                    ) { $0[0] as Int } ?? 0
                }
            }
            let smoke = try await house.sensor("smoke", .smoke)
            let gas = try await house.sensor("gas", .gas, unit: "V")
            let carbon = try await house.sensor("carbon", .gas, unit: "ppm")
            let window = try await house.sensor("window", .contact)
            let siren = try await house.actuator("siren", .siren)
            let lamp = try await house.actuator("lamp", .light)
            let fan = try await house.actuator("fan", .fan)
            let (devices, care) = (parts.devicesDesk, parts.care)
            try await care.change(Threshold(level: 3, risePerMinute: 1), of: gas, by: nil)
            let usual = FanRule(fan: fan.id, site: site, sensor: gas.id, most: 6, shortestRun: 300)
            @Sendable func follow(_ change: (inout FanRule) -> Void) async throws {
                var rule = usual
                change(&rule)
                try await care.change(rule, of: fan, by: person)
            }
            try await follow { _ in }
            @Sendable func edit(_ change: @escaping @Sendable (inout SensorEntry) -> Void) async throws {
                try await devices.change(gas.id, at: site, by: person) { entry in
                    var entry = entry
                    change(&entry)
                    return entry
                }
            }
            let gateway = house.gateway
            let lowering: [@Sendable () async throws -> Void] = [
                {
                    try await parts.registry.change(at: house.site.id) { database in
                        var other = smoke
                        other.binding.on = "another word"
                        try HomeRecords.change(other, in: database)
                    }
                },
                {
                    try await parts.registry.change(at: house.site.id) { database in
                        var other = siren
                        other.binding.commandTopic = "elsewhere/set"
                        try HomeRecords.put(other, in: database)
                    }
                },
                // What is so far below the level that it would be over is no reading.
                { try await edit { ($0.low, $0.high) = ("2.9", "1000") } },
                { try await edit { ($0.low, $0.high) = ("900", "1000") } }, { try await edit { $0.unit = "ppb" } },
                // Once it has warned it warns no more, until it is nearly at nothing.
                { try await care.change(Threshold(level: 3, hysteresis: 2.9, risePerMinute: 1), of: gas, by: person) },
                { try await care.change(Threshold(level: 3), of: gas, by: person) },
                {
                    try await parts.registry.change(at: house.site.id) { database in
                        var other = gateway
                        other.key = Key([UInt8](repeating: 9, count: 32))
                        try HomeRecords.put(other, in: database)
                    }
                }, { try await follow { $0.most = 9 } }, { try await follow { ($0.most, $0.shortestRun) = (9, 60) } },
                { try await parts.careDesk.runByHand(fan, percent: 0, minutes: 1440, by: ivo) },
                { try await care.change(nil, of: fan, by: person) },
                { try await devices.change(fan.id, at: site, name: nil, isInUse: false, by: person) },
                { try await devices.change(siren.id, at: site, name: nil, isInUse: false, by: person) },
                { try await care.change(Threshold(level: 4), of: gas, by: person) },
                { try await care.change(isEnabled: false, at: site, by: person) },
                { try await devices.change(smoke.id, at: site, isInUse: false, by: person) },
                { try await devices.change(gas.device, at: site, name: nil, area: nil, isInUse: false, by: person) },
            ]
            let others: [@Sendable () async throws -> Void] = [
                // What does not warn yet loses nothing by its first threshold.
                { try await care.change(Threshold(level: 900, hysteresis: 100), of: carbon, by: person) },
                { try await devices.change(lamp.id, at: site, name: nil, isInUse: false, by: person) },
                { try await devices.change(window.id, at: site, isInUse: false, by: person) },
                { try await care.change(Threshold(level: 2, risePerMinute: 1), of: gas, by: person) },
                { try await parts.careDesk.runByHand(fan, percent: 100, minutes: 1440, by: ivo) },
                { try await edit { ($0.low, $0.high) = ("0", "10") } },
                { try await edit { ($0.low, $0.high) = ("", "") } },
                { try await devices.change(siren.id, at: site, name: "Horn", by: person) },
                { try await follow { $0.most = 5 } }, { try await follow { ($0.most, $0.shortestRun) = (5, 600) } },
                { try await follow { ($0.most, $0.shortestRun) = (5, 600) } },
            ]
            for (number, way) in (others + lowering).enumerated() {
                _ = try await parts.access.weakensNow(.devices).run(ivo, at: site) {
                    try await way()
                    return .empty()
                }
                let expected = max(number + 1 - others.count, 0)
                // Before the answer: a hub that is killed right after it has told them.
                try #require(try told() == expected, "\(number)")
            }
            let texts = try parts.store.read { database in
                try database.rows("SELECT content FROM notices WHERE kind = 'home.protection'") { $0[0] as String }
            }
            #expect(texts.contains { $0.contains("at any time: Smoke") } && !texts.contains { $0.contains("armed") })
            // Two in one minute are two.
            try await devices.change(gas.device, at: site, name: nil, area: nil, isInUse: true, by: person)
            try await devices.change(smoke.id, at: site, isInUse: true, by: person)
            try await devices.change(siren.id, at: site, name: nil, isInUse: true, by: person)
            let before = try told()
            for way in [lowering[13], lowering[16]] {
                _ = try await parts.access.weakensNow(.devices).run(ivo, at: site) {
                    try await way()
                    return .empty()
                }
            }
            try #require(await eventually { try told() == before + 2 })
            // Out, back and out again within the minute is told again.
            for isInUse in [true, false, true, false] {
                _ = try await parts.access.weakensNow(.devices).run(ivo, at: site) {
                    try await devices.change(smoke.id, at: site, isInUse: isInUse, by: person)
                    return .empty()
                }
            }
            try #require(await eventually { try told() == before + 4 })
            // A little, and then so much that it never warns.
            try await devices.change(gas.device, at: site, name: nil, area: nil, isInUse: true, by: person)
            try await care.change(isEnabled: true, at: site, by: person)
            for level in [4.5, 900] {
                _ = try await parts.access.weakensNow(.devices).run(ivo, at: site) {
                    try await care.change(Threshold(level: level), of: gas, by: person)
                    return .empty()
                }
            }
            try #require(await eventually { try told() == before + 6 })
        }
    }

    @Test func `An owner whose ownership is taken is told, whatever else changes in that minute`() async throws {
        try await TestHouse.run { house in
            let (ada, bruno) = (
                try await house.principal("Ada", .owner).person.id, try await house.principal("Bruno", .owner).person.id
            )
            let guest = try await house.principal("Gina", .guest).person.id
            let work = Task { try await house.parts.owners.run() }
            defer { work.cancel() }
            let accounts = house.parts.given.accounts
            func told(_ person: PersonID) throws -> Int {
                try house.parts.store.read {
                    try NoticeRecords.inbox(of: person, limit: 100, in: $0).items.count {
                        $0.notice.content.kind == "home.protection"
                    }
                }
            }
            func change(_ person: PersonID, to permission: Permission) async throws {
                try await accounts.change { database in
                    var membership = try #require(
                        try AccountRecords.memberships(of: person, at: house.site.id, in: database).first)
                    membership.permission = permission
                    try accounts.change(membership, at: house.time.value, by: ada, in: database)
                }
            }
            // The follower begins with what comes from now on.
            func isFollowed() throws -> Bool {
                try house.parts.store.read {
                    try $0.row("SELECT count(*) FROM followers WHERE name = 'home.protection'") { $0[0] > 0 } ?? false
                }
            }
            try #require(await eventually { try isFollowed() })
            try await change(guest, to: .member)
            try #require(await eventually { try told(bruno) == 1 })
            try await change(bruno, to: .member)
            try await change(bruno, to: .owner)
            #expect(await eventually { (try? told(bruno)) == 3 }, "of the end and of the new beginning")
            #expect(try told(ada) == 0, "who did it")
            // What a guest becomes is told as often.
            try await change(guest, to: .guest)
            try await change(guest, to: .manager)
            #expect(await eventually { (try? told(bruno)) == 5 })
            // Very many changes of people are told as many, and hide neither a code nor the end of an ownership.
            for _ in 0...ProtectionBudget.most {
                await house.parts.owners.tell(of: .people, at: house.site.id, by: ada)
            }
            let all = 5 + ProtectionBudget.most + 1
            try #require(await eventually { try told(bruno) == all })
            await house.parts.owners.tell(of: .codes, at: house.site.id, by: ada)
            try #require(await eventually { try told(bruno) == all + 1 })
            try await change(bruno, to: .member)
            #expect(await eventually { (try? told(bruno)) == all + 2 })
            // Who knows an owner's password can do it to them in their name.
            try await change(ada, to: .member)
            #expect(await eventually { (try? told(ada)) == 1 })
        }
    }

    @Test func `Owners are told who changed the protection, and who did it is not`() async throws {
        try await TestHouse.run { house in
            let (olga, otto) = (
                try await house.principal("Olga", .owner).person.id, try await house.principal("Otto", .owner).person.id
            )
            let site = house.site.id
            func told(_ person: PersonID) throws -> Int {
                try house.parts.store.read { database in
                    try database.row(
                        """
                        SELECT count(*) FROM notice_recipients r JOIN notices n ON n.id = r.notice
                        WHERE r.person = ? AND n.kind = 'home.protection'
                        """, person
                    ) { $0[0] as Int } ?? 0
                }
            }
            // The second code within a minute is another one.
            let changes = ProtectionChange.allCases + [.codes]
            for change in changes { await house.parts.owners.tell(of: change, at: site, by: olga) }
            try #require(await eventually { try told(otto) == changes.count })
            #expect(try told(olga) == 0)
            // Who did it cannot take it away by leaving.
            let erasure = Erasure(id: .new(at: noon), person: olga, site: site, at: noon)
            try await house.parts.store.write { try Notices.eraser.erase(erasure, $0) }
            #expect(try told(otto) == changes.count)
        }
    }

    @Test func `What one change takes away is named, sirens and detectors first, however many fans stand beside them`()
        async throws
    {
        try await TestHouse.run { house in
            _ = try await house.principal("Olga", .owner)
            let (parts, site) = (house.parts, house.site.id)
            for number in 0..<14 { _ = try await house.actuator("a\(number)", .fan) }
            for name in ["siren", "valve"] {
                _ = try await house.actuator(name, name == "siren" ? .siren : .valve)
            }
            _ = try await house.sensor("smoke", .smoke)
            let before = parts.care.alwaysOn(at: site)
            try await parts.devicesDesk.change(
                house.device.id, at: site, name: nil, area: nil, isInUse: false, by: anna)
            let lost = try #require(before.lost(in: parts.care.alwaysOn(at: site)))
            #expect(lost.names.prefix(3) == ["Siren", "Smoke", "Valve"] && lost.names.count == 17)
            #expect(lost.parts(of: 5, most: 10).map(\.names.count) == [5, 5, 5, 2])
            #expect(lost.parts(of: 5, most: 2).map(\.names.count) == [5, 12], "the rest stands in the last")
            await parts.owners.tell(of: lost, at: site, by: nil, through: house.gateway)
            func told() throws -> [String] {
                try parts.store.read { database in
                    try database.rows("SELECT content FROM notices WHERE kind = 'home.protection'") { $0[0] as String }
                }
            }
            try #require(await eventually { try told().count == 4 })
            for name in lost.names { #expect(try told().contains { $0.contains(name) }, "\(name)") }
        }
    }

    @Test func `What was taken away is told by what it is, whatever it is called, and who did it in quotation marks`() {
        let site = Site(id: .new(at: noon), name: "Casa", kind: .home, zone: .utc)
        let lost = LostProtection(things: [
            .init(id: "1", name: "Old lamp (test)", kind: .detector(.smoke), gateway: nil),
            .init(id: "2", name: "Siren", kind: .protector(.siren), gateway: nil),
        ])
        let text = ProtectionNotice.content(.alwaysOn, lost, by: .named("x”. The hub’s “administrator"), at: site).text
        #expect(text[.en].body.hasPrefix("“x. The hub’s administrator” took away"))
        #expect(text[.en].body.contains(": Old lamp (test) (smoke), Siren."))
        #expect(text[.it].body.contains(": Old lamp (test) (fumo), Siren (sirena)."))
    }

    @Test func `What comes while very much is told as that is told when the minute is over`() {
        let bruno = PersonID.new(at: noon)
        var many = ManyChanges()
        #expect(many.begins("ada", about: bruno) && many.begins("bruno", about: nil))
        #expect(many.ends("bruno") == nil, "nothing came")
        #expect(!many.begins("ada", about: anna) && !many.begins("ada", about: nil))
        #expect(many.ends("ada") == [anna])
        #expect(many.begins("ada", about: nil) && !many.begins("ada", about: nil))
        #expect(many.ends("ada") == [] && many.ends("ada") == nil)
    }

    @Test func `Who takes very much away is told as that, and what was not named is named`() async throws {
        try await TestHouse.run { house in
            let (olga, otto) = (
                try await house.principal("Olga", .owner).person.id, try await house.principal("Otto", .owner).person.id
            )
            let (parts, site) = (house.parts, house.site.id)
            @Sendable func told(_ words: String) throws -> Int {
                try parts.store.read { database in
                    try database.rows("SELECT content FROM notices WHERE kind = 'home.protection'") { $0[0] as String }
                        .count { $0.contains(words) }
                }
            }
            func lose(_ name: String, by author: PersonID? = nil) async {
                let lost = LostProtection(things: [.init(id: name, name: name, kind: .connection, gateway: nil)])
                if let author { return await parts.owners.tell(of: lost, at: site, by: author) }
                await parts.owners.tell(of: lost, at: site, by: nil, through: house.gateway)
            }
            // A device that describes its detector to and fro.
            for _ in 0..<(2 * ProtectionBudget.most) { await lose("Smoke") }
            try #require(await eventually { try told("Smoke") == 1 + ProtectionBudget.most })
            try #require(await eventually { try told("made many changes") == 1 })
            // What was not named is, and so is what others do.
            await lose("Siren")
            await lose("Valve", by: olga)
            try #require(await eventually { try told("Siren") == 1 && told("Valve") == 1 })
            for number in 0..<(2 * ProtectionBudget.mostThings) { await lose("Fan \(number)") }
            try #require(await eventually { try told("Fan") == ProtectionBudget.mostThings - 2 })
            house.time.change { $0 = $0.adding(milliseconds: ProtectionBudget.hour) }
            await lose("Smoke")
            try #require(await eventually { try told("Smoke") == 2 + ProtectionBudget.most })
            _ = otto
        }
    }

    @Test func `What any page changes of a house is read from the ledger`() throws {
        func told(_ kind: String, _ payload: String?) -> (changes: [ProtectionChange], by: PersonID?)? {
            ProtectionChange.told(
                by: Event(
                    id: .new(at: noon), site: .new(at: noon), sequence: 1, position: 1, kind: kind, at: noon,
                    person: nil,
                    payload: payload.map { Array($0.utf8) }))
        }
        let by = #""by":"\#(anna.text)""#
        for kind in ["membership.added", "membership.changed", "membership.removed", "ledger.erased"] {
            let found = try #require(told(kind, "{\(by)}"))
            #expect(found.changes == [.people] && found.by == anna)
            // Somebody was erased since: nothing is left to read.
            #expect(told(kind, nil) == nil)
        }
        let byCommand = try #require(told("membership.added", "{}"))
        #expect(byCommand.changes == [.people] && byCommand.by == nil)
        #expect(told("ledger.erased", "{}") == nil, "again, after a restore")
        let own = try #require(told("ledger.erased", #"{"told":true}"#))
        #expect(own.changes == [.people] && own.by == nil)
        #expect(told("webhook.changed", #"{"before":{"host":"a"},\#(by)}"#)?.changes == [.server])
        func site(_ before: String, _ after: String) -> [ProtectionChange]? {
            told("site.changed", #"{"before":{\#(before)},"after":{\#(after)},\#(by)}"#)?.changes
        }
        #expect(site(#""name":"A","zone":"Z""#, #""name":"A","zone":"Z""#) == nil)
        #expect(site(#""name":"A","zone":"Z""#, #""name":"B","zone":"Z""#) == [.place])
        #expect(site(#""name":"A","zone":"Z""#, #""name":"B","zone":"Y""#) == [.access, .place])
        #expect(told("house.changed", #"{"before":{"street":"a"},\#(by)}"#)?.changes == [.place])
        #expect(site(#""name":"A","zone":"Z""#, #""name":"A","zone":"Y""#) == [.access])
        #expect(site(#""secondFactor":"asked""#, #""secondFactor":"not asked""#) == [.access])
        // An invitation that goes to somebody else, and who comes with it.
        func joined(as permission: String) -> [ProtectionChange]? {
            told("membership.joined", #"{"after":{"permission":"\#(permission)"},\#(by)}"#)?.changes
        }
        #expect(joined(as: "owner") == [.ownerJoined] && joined(as: "guest") == [.joined])
        for kind in ["membership.readdressed", "membership.invited.paper"] {
            #expect(told(kind, "{\(by)}")?.changes == [.invitation])
        }
        #expect(told("membership.invited.letter", "{\(by)}") == nil, "where it goes was told")
        #expect(told("home.armed", "{}") == nil)
    }
}
