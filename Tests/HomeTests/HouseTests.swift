import Accounts
import Identity
import Ledger
import Platform
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

struct HouseTests {
    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
    func `Who joins is called once, where they or the person in their place came first`(order: [Int]) async throws {
        try await TestHouse.run { house in
            let (people, site) = ((0..<3).map { _ in PersonID.new(at: noon) }, house.site.id)
            let (account, standIn) = (people[0], people[2])
            let called = try await house.parts.registry.change(at: house.site.id) { database in
                var settings = AlarmSettings()
                settings.first = order.map { people[$0] }
                try AlarmCallRecords.put(settings, of: site, in: database)
                for handover in Home.handovers { try handover.run(standIn, account, site, database) }
                return try AlarmCallRecords.settings(of: site, in: database).first
            }
            let expected = order.map { people[$0 == 2 ? 0 : $0] }
            #expect(called == expected.enumerated().filter { expected.firstIndex(of: $1) == $0 }.map(\.element))
        }
    }

    // MARK: where it stands

    @Test(arguments: [
        ("45.4642", "9.19"), ("45,4642", "9,19"), (" 45.4642 ", " 9.19"), ("45.4642, 9.19", ""), ("45.4642,9.19", ""),
        ("45,4642 9,19", ""), ("45.4642; 9.19", ""),
    ])
    func `A place is read as people write it, and as maps give it`(latitude: String, longitude: String) throws {
        let place = try #require(try MapPlace.parse(latitude: latitude, longitude: longitude))
        #expect(place == MapPlace(latitude: 45.4642, longitude: 9.19))
    }

    @Test(arguments: [
        ("90.0001", "0", CoordinateFault.latitude), ("-91", "0", .latitude), ("0", "180.5", .longitude),
        ("0", "-181", .longitude), ("45.4", "", .half), ("", "9", .half), ("nan", "9", .notANumber),
        ("inf", "9", .notANumber), ("1e300", "9", .notANumber), ("0x10", "9", .notANumber), ("--1", "2", .notANumber),
        ("999999999999999999999999", "9", .latitude), ("45.4642,9.19,3", "", .half),
    ])
    func `What is not on the earth is refused in words`(
        latitude: String, longitude: String, fault: CoordinateFault
    ) {
        #expect(throws: fault) { try MapPlace.parse(latitude: latitude, longitude: longitude) }
    }

    @Test func `Nothing written is no place, and no mistake`() throws {
        #expect(try MapPlace.parse(latitude: " ", longitude: "") == nil)
    }

    @Test func `Distance and direction are those of the globe`() throws {
        let milan = try #require(MapPlace(latitude: 45.4642, longitude: 9.19))
        let rome = try #require(MapPlace(latitude: 41.9028, longitude: 12.4964))
        #expect(abs(milan.distance(to: rome) - 476_800) < 1_500)
        #expect(abs(milan.bearing(to: rome) - 145) < 1.5)
        let (words, italian) = (HomeHousesWords.in(.en), HomeHousesWords.in(.it))
        #expect(words.distance(milan.distance(to: rome)) == "477\u{a0}km")
        #expect(words.direction(milan.bearing(to: rome)) == "south-east")
        #expect(italian.distance(3_240) == "3,2\u{a0}km")
        #expect(words.distance(454) == "450\u{a0}m")
    }

    @Test func `The other side of the date line is near`() throws {
        let (east, west) = (MapPlace(latitude: 0, longitude: 179.9)!, MapPlace(latitude: 0, longitude: -179.9)!)
        #expect(abs(east.distance(to: west) - 22_239) < 10)
        #expect(abs(east.bearing(to: west) - 90) < 0.001)
        #expect(east.distance(to: east) == 0)
        #expect(HomeHousesWords.in(.en).direction(359.9) == "north")
    }

    @Test func `The drawing keeps directions, and keeps the next village and another continent on one field`() throws {
        let centre = MapPlace(latitude: 45, longitude: 9)!
        let near = MapPlace(latitude: 45.01, longitude: 9)!
        let far = MapPlace(latitude: -33.9, longitude: 151.2)!
        let points = Schematic.points(of: [centre, near, far], around: centre)
        #expect(points[0].x == Schematic.middle && points[0].y == Schematic.middle)
        #expect(
            abs(points[1].x - Schematic.middle) < 0.001 && points[1].y < Schematic.middle - Schematic.nearest + 0.001)
        for point in points {
            #expect((0...Double(Schematic.side)).contains(point.x) && (0...Double(Schematic.side)).contains(point.y))
        }
    }

    @Test func `Tiles come from one https address with three numbers, and from nowhere else`() {
        #expect(
            Tiles(address: "https://tiles.example.org/{z}/{x}/{y}.png", credit: "© somebody")?.origin
                == "https://tiles.example.org")
        for bad in [
            "http://tiles.example.org/{z}/{x}/{y}.png", "https://tiles.example.org/{z}/{x}.png",
            "https://{s}.example.org/{z}/{x}/{y}.png", "https://a b/{z}/{x}/{y}", "https://a;script-src *//{z}{x}{y}",
            "https:///{z}/{x}/{y}", "https://a/{z}/{x}/{y}\"", "https://a/{z}/{x}/{y};x",
        ] { #expect(Tiles(address: bad, credit: "somebody") == nil) }
        #expect(Tiles(address: "https://a.example/{z}/{x}/{y}", credit: "") == nil)
    }

    // MARK: words

    @Test func `An age is said as people say it`() {
        let words = HomeLiveWords.in(.en)
        func age(_ seconds: Int64) -> String { words.age(of: noon.adding(milliseconds: -seconds * 1000), at: noon) }
        #expect(
            [-5, 1, 12, 59, 60, 3_599, 3_600, 172_800].map(age) == [
                "now", "now", "12 s ago", "59 s ago", "1 min ago", "59 min ago", "1 h ago", "2 d ago",
            ])
        #expect(words.age(of: nil, at: noon) == "not yet")
        #expect(HomeLiveWords.in(.es).age(of: noon.adding(milliseconds: -12_000), at: noon) == "hace 12 s")
    }

    @Test func `A value has three figures, and the sign of its language`() {
        #expect(
            [412, 21.46, 0.254, 99.96, -3.5, 0].map { ValueText.number($0, .en) } == [
                "412", "21.5", "0.25", "100", "−3.5", "0",
            ])
        #expect(ValueText.number(21.5, unit: "°C", .it) == "21,5\u{a0}°C")
        #expect(ValueText.number(1e300, .en) == "1e+300")
    }

    @Test(arguments: Language.allCases)
    func `Every kind of sensor and actuator says what it is, what it means and how to read it`(language: Language) {
        let words = HomeDevicesWords.in(language)
        for kind in SensorKind.allCases.map(words.kinds.kind) + ActuatorKind.allCases.map(words.kinds.kind) {
            #expect(!kind.name.isEmpty && !kind.meaning.isEmpty && !kind.reading.isEmpty)
        }
        for fault in DeviceFault.allCases { #expect(!words.faults(fault).isEmpty) }
    }

    // MARK: who may what

    @Test(arguments: ["owner", "manager", "member"])
    func `Whoever made something for a guest of a house hears when the guest may change it`(
        permission: String
    ) async throws {
        try await TestHouse.run { house in
            let owner = try await house.principal("Olga", .owner)
            let people = house.parts.sharing
            var entry = ShareEntry(email: "gino@example.org", name: "Gino", permission: "guest")
            let told = Shared<[PersonID]>([])
            house.parts.given.accounts.whenRaised { raise, _ in told.change { $0.append(raise.person) } }
            _ = try await people.share(entry, at: house.site, by: owner)
            #expect(told.value == [])
            entry.permission = permission
            _ = try await people.share(entry, at: house.site, by: owner)
            let gino = try #require(try people.list(of: house.site).first { $0.person.name == "Gino" }?.person.id)
            #expect(told.value == (permission == "member" ? [] : [gino]))
        }
    }

    @Test func `A house is shared by role, and nobody gives more than they have`() async throws {
        try await TestHouse.run { house in
            let owner = try await house.principal("Olga", .owner)
            let manager = try await house.principal("Mara", .manager)
            let people = house.parts.sharing
            var entry = ShareEntry(
                email: "Gino@Example.org ", name: "Gino", permission: "guest")
            _ = try await people.share(entry, at: house.site, by: owner)
            #expect(try people.list(of: house.site).map(\.person.name).sorted() == ["Gino", "Mara", "Olga"])
            await #expect(throws: ShareFault.already) { try await people.share(entry, at: house.site, by: owner) }
            entry.permission = "owner"
            await #expect(throws: ShareFault.permission) { try await people.share(entry, at: house.site, by: manager) }
            entry = ShareEntry(email: "no address", name: "X", permission: "member")
            await #expect(throws: ShareFault.email) { try await people.share(entry, at: house.site, by: owner) }
            entry = ShareEntry(email: "new@example.org", name: "a\nb", permission: "member")
            await #expect(throws: ShareFault.name) { try await people.share(entry, at: house.site, by: owner) }
            entry.name = ""
            #expect(try await people.share(entry, at: house.site, by: owner).needsPaper)
            #expect(try people.list(of: house.site).map(\.person.name).contains("new@example.org"))
        }
    }

    @Test func `Access ends at once; never one's own, and never the last owner's`() async throws {
        try await TestHouse.run { house in
            let owner = try await house.principal("Olga", .owner)
            let manager = try await house.principal("Mara", .manager)
            let people = house.parts.sharing
            func membership(of principal: Principal) -> MembershipID { principal.memberships[0].membership.id }
            await #expect(throws: ShareFault.yourself) {
                try await people.end(membership(of: owner), at: house.site, by: owner)
            }
            await #expect(throws: ShareFault.permission) {
                try await people.end(membership(of: owner), at: house.site, by: manager)
            }
            try await people.end(membership(of: manager), at: house.site, by: owner)
            let after = try #require(try house.parts.given.accounts.principal(session: manager.session))
            #expect(after.current(at: house.site.id, house.time.value).isEmpty)
        }
    }
}
