import Accounts
import Crypto
import Ledger
import Store
import System
import Testing

@Suite("Sessions")
struct SessionTests {
    private static let day: Int64 = 86_400_000

    @Test(
        "A program's session lasts a day, a browser's thirty, to the millisecond; remembered or not",
        arguments: [true, false])
    func expiry(isProgram: Bool) async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let token = try await house.token(ada, isProgram: isProgram)
            house.wait(milliseconds: (isProgram ? 1 : 30) * Self.day - 1)
            #expect(try house.accounts.principal(token: token) != nil)
            house.wait(milliseconds: 1)
            #expect(try house.accounts.principal(token: token) == nil)
            // Another process, which remembers nothing, says the same.
            let other = Accounts(
                store: house.store, passwords: Passwords(memory: 64 << 10), clock: house.accounts.clock)
            #expect(try other.principal(token: token) == nil)
        }
    }

    @Test("Signing out ends that session and no other, and what hangs on it is told")
    func signOut() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let (first, second) = (try await house.token(ada), try await house.token(ada, isProgram: false))
            let ended = Shared<[[UInt8]]>([])
            house.accounts.whenSessionEnds { hash in ended.change { $0.append(hash) } }
            house.accounts.whenSessionEnds { hash in ended.change { $0.append(hash) } }
            let principal = try #require(try house.accounts.principal(token: first))
            try await house.accounts.signOut(principal)
            #expect(try house.accounts.principal(token: first) == nil)
            #expect(try house.accounts.principal(session: principal.session) == nil)
            #expect(try house.accounts.principal(token: second) != nil)
            #expect(ended.value == [principal.session, principal.session])
        }
    }

    @Test("What changes about somebody is seen by the next request, also by one that was remembered")
    func changed() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let site = try await house.site("Officina")
            let token = try await house.token(ada)
            #expect(try house.accounts.principal(token: token)?.memberships.count == 0)
            let membership = try await house.member(ada, of: site)
            #expect(try house.accounts.principal(token: token)?.memberships.map(\.membership) == [membership])
            try await house.accounts.change { try AccountRecords.rename(ada.id, to: "Ada Rossi", in: $0) }
            #expect(try house.accounts.principal(token: token)?.person.name == "Ada Rossi")
        }
    }

    @Test("While changes and requests run at the same time, nobody is remembered as they were before the last change")
    func race() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let token = try await house.token(ada)
            for n in 0..<60 {
                async let looking: Void = {
                    for _ in 0..<5 { _ = try house.accounts.principal(token: token) }
                }()
                try await house.accounts.change { try AccountRecords.rename(ada.id, to: "Ada \(n)", in: $0) }
                #expect(try house.accounts.principal(token: token)?.person.name == "Ada \(n)")
                try await looking
            }
        }
    }

    @Test("A membership holds on its days, both inclusive, by the site's own clock")
    func days() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let site = try await house.site("Officina")
            try await house.member(ada, of: site, .manager, from: "2026-11-21", to: "2026-11-22")
            let token = try await house.token(ada, isProgram: false)
            let principal = try #require(try house.accounts.principal(token: token))
            for (time, holds) in [
                ("2026-11-20T22:59:59.999Z", false), ("2026-11-20T23:00:00.000Z", true),
                ("2026-11-22T22:59:59.999Z", true),
                ("2026-11-22T23:00:00.000Z", false),
            ] {
                let time = try #require(Timestamp(iso8601: time))
                #expect(principal.may([.manager], at: site.id, time) == holds)
                #expect(principal.sites(at: time) == (holds ? [site] : []))
                #expect(!principal.may([.owner], at: site.id, time))
                #expect(!principal.may([.manager], at: .hub, time))
            }
        }
    }

    @Test("Sessions that ended a week ago are swept away when another begins, and none before: a clock may have jumped")
    func swept() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            for _ in 0..<5 { _ = try await house.token(ada) }
            func count(after days: Int64) async throws -> Int? {
                house.wait(milliseconds: days * Self.day)
                _ = try await house.token(ada)
                return try house.store.read { try $0.row("SELECT count(*) FROM sessions") { $0[0] as Int } }
            }
            #expect(try await count(after: 2) == 6)
            #expect(try await count(after: 7) == 2)
        }
    }
}
