import Identity
import Ledger
import Store
import System
import Testing

@testable import Accounts

@Suite("How many sessions a person has")
struct SessionLimitTests {
    @Test(
        "For one browser too many the one that was used longest ago ends, and is cut; a program and a renewed one stay")
    func most() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let program = try await house.token(ada)
            let app = try await house.token(ada, isProgram: false)
            house.wait(milliseconds: 1_000)
            let oldest = try await house.token(ada, isProgram: false)
            // The app was signed in first, and has had a fresh token since.
            house.wait(milliseconds: 1_000)
            let principal = try #require(try house.accounts.principal(token: app))
            let renewed = try #require(try await house.accounts.renew(principal)).text
            try await house.accounts.confirmRenewal(#require(try house.accounts.principal(token: renewed)))
            house.wait(milliseconds: 20_000)
            let ended = Shared<[[UInt8]]>([])
            house.accounts.whenSessionEnds { hash in ended.change { $0.append(hash) } }
            let told = Shared<[Accounts.WayChange]>([])
            house.accounts.whenWaysChange { _, change in told.change { $0.append(change) } }
            let cut = try #require(try house.accounts.principal(token: oldest)).session
            for _ in 0..<98 { _ = try await house.token(ada, isProgram: false) }
            #expect(try house.accounts.principal(token: oldest) != nil)
            #expect(told.value.isEmpty)
            _ = try await house.token(ada, isProgram: false)
            #expect(try house.accounts.principal(token: oldest) == nil)
            #expect(ended.value == [cut])
            #expect(told.value == [.signedOut], "it rings for no alarm any more")
            #expect(try house.accounts.principal(token: renewed) != nil)
            #expect(try house.accounts.principal(token: program) != nil)
            #expect(try house.accounts.sessions(of: principal).count == 101)
        }
    }

    @Test func `A program is new from another network or with another client, and the longest unused of many is again`()
        async throws
    {
        var places = ProgramPlaces()
        let (ada, bruno) = (PersonID.new(at: noon), PersonID.new(at: noon))
        func isNew(_ address: String, _ client: Client = .unknown, of person: PersonID) -> Bool {
            places.note(Visitor(address: address, client: client), of: person)
        }
        #expect(isNew("192.0.2.1", of: ada) && !isNew("192.0.2.1", of: ada))
        #expect(isNew("192.0.2.1", of: bruno) && isNew("192.0.2.1", Client(stored: "Chrome|Linux"), of: ada))
        for number in 2..<ProgramPlaces.mostOfOne { #expect(isNew("192.0.2.\(number)", of: ada)) }
        #expect(!isNew("192.0.2.1", of: ada))
        #expect(isNew("198.51.100.1", of: ada))
        #expect(!isNew("192.0.2.1", of: ada) && isNew("192.0.2.1", Client(stored: "Chrome|Linux"), of: ada))
        for number in 0..<ProgramPlaces.capacity {
            _ = isNew("192.0.2.1", of: .new(at: noon.adding(milliseconds: Int64(number))))
        }
        #expect(isNew("192.0.2.1", of: bruno))
    }

    @Test func `A program that signs in each time is told nothing by letter; one that stays signed in is missed`()
        async throws
    {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let told = Shared<[Accounts.WayChange]>([])
            house.accounts.whenWaysChange { _, change in told.change { $0.append(change) } }
            for _ in 0..<SessionRecords.mostOfOne + 1 {
                house.wait(milliseconds: 1_000)
                _ = try await house.token(ada)
            }
            #expect(told.value.isEmpty)
            let used = try await house.token(ada)
            house.wait(milliseconds: Accounts.useInterval)
            _ = try house.accounts.principal(token: used, from: "192.0.2.1")
            try await house.accounts.writeUses()
            for _ in 0..<SessionRecords.mostOfOne {
                house.wait(milliseconds: 1_000)
                _ = try await house.token(ada)
            }
            #expect(try house.accounts.principal(token: used) == nil)
            #expect(told.value == [.signedOut])
        }
    }

    @Test func `An address is taken for its holder's once they confirmed it, or a day after they first came in`()
        async throws
    {
        try await House.run { house in
            let ada = try await house.person("Ada")
            func isSettled(after milliseconds: Int64) throws -> Bool {
                let then = house.accounts.clock.now.adding(milliseconds: milliseconds)
                return try house.store.read { try LinkRecords.isSettled(ada.id, at: then, in: $0) }
            }
            #expect(try !isSettled(after: 10 * LinkRecords.settling), "there was no sign-in yet")
            _ = try await house.token(ada)
            #expect(try !isSettled(after: 0) && !isSettled(after: LinkRecords.settling - 1_000))
            #expect(try isSettled(after: LinkRecords.settling))
            try await house.store.write { database in
                _ = try database.execute("UPDATE people SET confirmed = ? WHERE id = ?", noon, ada.id)
            }
            #expect(try isSettled(after: 0))
            let unknown = try house.store.read { try LinkRecords.isSettled(.new(at: noon), at: noon, in: $0) }
            #expect(!unknown)
        }
    }

    @Test func `One account after another for an address gets no more letters than one`() async throws {
        try await House.run { house in
            func admitted(_ email: String, _ change: Accounts.WayChange) -> Int {
                (0..<30).count { _ in
                    let person = Person(id: .new(at: noon), name: "Ada", email: email, language: nil)
                    return house.accounts.admitsLetter(to: person, of: change)
                }
            }
            #expect(admitted("ada@example.org", .deleted) == 10)
            #expect(admitted("ada@example.org", .password) == 10 && admitted("bruno@example.org", .deleted) == 10)
        }
    }

    @Test("However often an app starts, no more than a hundred sessions that it had are kept")
    func renewals() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            var token = try await house.token(ada, isProgram: false)
            for _ in 0..<150 {
                let before = try #require(try house.accounts.principal(token: token))
                token = try #require(try await house.accounts.renew(before)).text
                try await house.accounts.confirmRenewal(#require(try house.accounts.principal(token: token)))
                house.wait(milliseconds: 16_000)
            }
            #expect(try house.accounts.principal(token: token) != nil)
            let rows = try house.store.read { try $0.row("SELECT count(*) FROM sessions") { $0[0] as Int } }
            #expect(try #require(rows) <= 102)
        }
    }
}
