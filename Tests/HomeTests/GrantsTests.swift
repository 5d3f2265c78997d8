import Safeguard
import Testing

@testable import Home
@testable import Household

struct GrantsTests {
    private static let modes: [ArmMode?] = [nil, .home, .night, .away, .vacation]

    /// Which modes watch more.
    private func level(_ mode: ArmMode?) -> Int {
        switch mode {
        case nil: 0
        case .home, .night: 1
        case .away, .vacation: 2
        }
    }

    @Test(arguments: modes)
    func `A restore tells of a house that is armed less in the backup, and of no other`(mode: ArmMode?) async throws {
        try await TestHouse.run { house in
            let kind = try #require(Home.grants.first { $0.name == "houses that are armed less" })
            func weak(_ mode: ArmMode?) async throws -> Set<[UInt8]> {
                try await house.parts.store.write { [site = house.site.id] database in
                    try database.execute(
                        """
                        INSERT OR REPLACE INTO home_panels (site, revision, state, mode, sounding, number, drill, details)
                        VALUES (?, 1, 'disarmed', ?, 0, 0, 0, '{}')
                        """, site, mode?.name)
                    return Set(try kind.valid(noon, database).map(\.key))
                }
            }
            let backup = try await weak(mode)
            for present in Self.modes {
                let isListed = try await !backup.subtracting(weak(present)).isEmpty
                #expect(isListed == (level(mode) < level(present)))
            }
        }
    }

    @Test func `A restore names the sensors that are bypassed in an armed house, and in no other`() async throws {
        try await TestHouse.run { house in
            let kind = try #require(Home.grants.first { $0.name == "sensors that are bypassed in an armed house" })
            func named() async throws -> [String] {
                try await house.panels.write()
                return try await house.parts.store.write { try kind.valid(noon, $0).map(\.label) }
            }
            let (window, door) = (
                try await house.sensor("window", .contact), try await house.sensor("door", .contact)
            )
            house.rest(door)
            house.tell(window, .truth(true))
            #expect(try await named().isEmpty)
            try await house.parts.safetyDesk.arm(.home, at: house.site.id, by: .person(anna), bypassing: [window.id])
            #expect(try await named() == ["Window at \(house.site.name)"])
            house.panels.disarm(house.site.id, by: .person(anna))
            #expect(try await named().isEmpty)
        }
    }

    @Test func `A restore names houses that are disarmed without a code there`() async throws {
        try await TestHouse.run { house in
            let kind = try #require(Home.grants.first { $0.name == "houses that are disarmed without a code" })
            let settings = house.parts.safety.settings
            for (asksCode, names) in [(true, []), (false, [house.site.name])] {
                try await settings.set(HouseRules(asksCode: asksCode), of: house.site.id, by: anna)
                #expect(try await house.parts.store.write { try kind.valid(noon, $0).map(\.label) } == names)
            }
        }
    }
}
