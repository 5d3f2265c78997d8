import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Accounts

@Suite struct InvitationTests {
    private static let address = "ada@example.org"

    /// A person whom a site expects, at that address.
    private func expect(_ house: House, at site: Site, password: String? = nil) async throws -> Person {
        let now = house.time.value
        return try await house.accounts.change { database in
            let person = try InvitationRecords.add(
                name: "A. Neri", address: Self.address, passwordHash: password, at: now, in: database)
            let membership = Membership(
                id: .new(at: now), person: person.id, site: site.id, permission: .member, role: nil, firstDay: nil,
                lastDay: nil)
            try AccountRecords.add(membership, at: now, by: nil, in: database)
            return person
        }
    }

    @Test
    func
        `A site's list and files show where a person is invited, and of an account without an address what stands for it`()
    {
        let id = PersonID.new(at: Timestamp(milliseconds: 0))
        let account = Person(id: id, name: "A", email: Person.placeholder(for: id), language: nil)
        #expect(account.address == nil && account.shownAddress == account.email)
        var expected = account
        expected.invited = Self.address
        #expect(expected.address == nil && expected.shownAddress == Self.address)
    }

    @Test(arguments: [nil, "a hash"]) func `An address that an account has is never taken for that account`(
        password: String?
    ) async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let site = try await house.site("Officina")
            let expected = try await expect(house, at: site, password: password)
            #expect(expected.id != ada.id && expected.invited == Self.address)
            let known = try house.store.read {
                try InvitationRecords.known(Self.address, at: site.id, in: $0)
            }
            #expect(known.person?.id == expected.id && known.people == [expected.id])
            #expect(try !house.accounts.hasJoined(expected.id))
        }
    }

    @Test func `Whose account was deleted in the same moment is told so`() async throws {
        try await House.run { house in
            let site = try await house.site("Officina")
            let (olga, gone) = (try await house.person("Olga"), try await house.person("Gone"))
            try await house.member(olga, of: site, .owner)
            let person = try await expect(house, at: site)
            let paper = try await house.accounts.invitationOnPaper(for: person.id, at: site.id, by: olga.id)
            let signedIn = try await house.accounts.signIn(gone.id, by: .password, from: .init(address: "192.0.2.1"))
            let principal = try #require(try house.accounts.principal(token: signedIn.token.text))
            let (accounts, now) = (house.accounts, house.time.value)
            try await house.accounts.change { database in
                try database.execute("DELETE FROM sessions WHERE person = ?", gone.id)
                try database.execute("DELETE FROM people WHERE id = ?", gone.id)
            }
            await #expect(throws: JoiningRefusal.isGone) {
                try await accounts.change { database in
                    _ = try accounts.join(paper.code.text, as: principal, [], in: database, at: now)
                }
            }
            #expect(try accounts.invitation(paper.code.text) != nil, "the invitation is as good as before")
        }
    }

    @Test func `A code holds for less than a week, and a newer one of the same way ends it`() async throws {
        try await House.run { house in
            let site = try await house.site("Officina")
            let olga = try await house.person("Olga")
            try await house.member(olga, of: site, .owner)
            let person = try await expect(house, at: site)
            func paper() async throws -> String {
                try await house.accounts.invitationOnPaper(for: person.id, at: site.id, by: olga.id).code.text
            }
            let first = try await paper()
            let second = try await paper()
            #expect(try house.accounts.invitation(first) == nil)
            #expect(try house.accounts.invitation(second)?.standIn.id == person.id)
            house.wait(milliseconds: Invitation.lifetime - 1)
            #expect(try house.accounts.invitation(second) != nil)
            house.wait(milliseconds: 1)
            #expect(try house.accounts.invitation(second) == nil)
        }
    }

    /// Whom a site knows by the address of all these tests.
    private func known(_ house: House, at site: Site) throws -> KnownAddress {
        try house.store.read { try InvitationRecords.known(Self.address, at: site.id, in: $0) }
    }

    @Test func `By an address that nobody has shown to be theirs an account that is in use gets nothing`() async throws
    {
        try await House.run { house in
            let site = try await house.site("Officina")
            let hash = try await house.accounts.passwordHash("long enough, is it?")
            let squatter = try await expect(house, at: site, password: hash)
            #expect(try known(house, at: site).person?.id == squatter.id, "nobody has come in yet")
            _ = try await house.accounts.signIn(
                email: Self.address, password: "long enough, is it?", address: "::1", isProgram: true)
            #expect(try known(house, at: site).person == nil)
            #expect(try known(house, at: site).people == [squatter.id])
            let awaited = try await expect(house, at: site)
            #expect(awaited.id != squatter.id)
            #expect(try known(house, at: site).person?.id == awaited.id, "the one whom a letter reaches")
            let now = house.time.value
            try await house.accounts.change { database in
                _ = try database.execute("UPDATE people SET confirmed = ? WHERE id = ?", now, squatter.id)
            }
            #expect(try known(house, at: site).person?.id == squatter.id)
        }
    }

    @Test
    func `A first password ends when its person is to change the place, and is kept when they get what it was for`()
        async throws
    {
        try await House.run { house in
            let site = try await house.site("Officina")
            let person = try await expect(house, at: site, password: "a hash")
            func add(_ permission: Permission) async throws {
                house.wait(milliseconds: 1)
                let now = house.time.value
                try await house.accounts.change { database in
                    try AccountRecords.add(
                        Membership(
                            id: .new(at: now), person: person.id, site: site.id, permission: permission, role: nil,
                            firstDay: nil, lastDay: nil), at: now, by: nil, in: database)
                }
            }
            func hash() throws -> String? {
                try house.store.read { try AccountRecords.passwordHash(of: person.id, in: $0) }
            }
            try await add(.guest)
            #expect(try hash() == "a hash")
            try await add(.owner)
            #expect(try hash() == nil)
            let now = try house.store.read { try AccountRecords.person(person.id, in: $0) }
            #expect(now?.invited == Self.address, "they are to be invited")
        }
    }

    @Test(arguments: [Permission.guest, .member, .installer, .manager, .owner])
    func `A code is worth what its person was to have when it was made, and nothing when that is over`(
        permission: Permission
    ) async throws {
        try await House.run { house in
            let site = try await house.site("Officina")
            let olga = try await house.person("Olga")
            try await house.member(olga, of: site, .owner)
            let person = try await expect(house, at: site)
            let code = try await house.accounts.invitationOnPaper(for: person.id, at: site.id, by: olga.id).code.text
            let membership = try #require(
                try house.store.read { try AccountRecords.memberships(of: person.id, at: site.id, in: $0) }.first)
            func change(_ alter: @escaping @Sendable (inout Membership) -> Void) async throws {
                let now = house.time.value
                try await house.accounts.change { database in
                    var after = try #require(try AccountRecords.membership(membership.id, in: database))
                    alter(&after)
                    try AccountRecords.change(after, at: now, by: olga.id, in: database)
                }
            }
            try await change { $0.lastDay = Day(iso8601: "2099-01-01") }
            #expect(try house.accounts.invitation(code) != nil)
            try await change { $0.permission = permission }
            #expect(try (house.accounts.invitation(code) != nil) == [.member, .guest].contains(permission))
            let next = try await house.accounts.invitationOnPaper(for: person.id, at: site.id, by: olga.id).code.text
            let now = house.time.value
            try await change { $0.revoked = now }
            #expect(try house.accounts.invitation(next) == nil)
            await #expect(throws: InvitingRefusal.isOver) {
                _ = try await house.accounts.invitationOnPaper(for: person.id, at: site.id, by: olga.id)
            }
        }
    }

    @Test func `A last day that is over ends a code, too, and none is taken after it`() async throws {
        try await House.run { house in
            let site = try await house.site("Officina")
            let (olga, guest) = (try await house.person("Olga"), try await house.person("Gina"))
            try await house.member(olga, of: site, .owner)
            let person = try await expect(house, at: site)
            let today = site.zone.day(at: house.time.value)
            func change(_ lastDay: Day?) async throws {
                let now = house.time.value
                try await house.accounts.change { database in
                    var after = try #require(
                        try AccountRecords.memberships(of: person.id, at: site.id, in: database).first)
                    after.lastDay = lastDay
                    try AccountRecords.change(after, at: now, by: olga.id, in: database)
                }
            }
            func paper() async throws -> String {
                try await house.accounts.invitationOnPaper(for: person.id, at: site.id, by: olga.id).code.text
            }
            let code = try await paper()
            try await change(today)
            #expect(try house.accounts.invitation(code) != nil)
            try await change(today.adding(days: -1))
            #expect(try house.accounts.invitation(code) == nil)
            await #expect(throws: InvitingRefusal.isOver) { _ = try await paper() }
            try await change(nil)
            #expect(try house.accounts.invitation(code) == nil, "what ended is not given back")
            // And where the day goes by.
            let late = try await paper()
            try await change(today)
            house.wait(milliseconds: 2 * 86_400_000)
            let principal = try #require(try house.accounts.principal(token: try await house.token(guest)))
            let then = house.time.value
            func join() async throws {
                try await house.accounts.change { [accounts = house.accounts] database in
                    _ = try accounts.join(late, as: principal, [], in: database, at: then)
                }
            }
            await #expect(throws: LinkIsSpent.self) { try await join() }
            try await change(nil)
            await #expect(throws: LinkIsSpent.self) { try await join() }
        }
    }

    @Test func `What became of an earlier letter says nothing of the one that is out`() async throws {
        try await House.run { house in
            let site = try await house.site("Officina")
            let olga = try await house.person("Olga")
            try await house.member(olga, of: site, .owner)
            let person = try await expect(house, at: site)
            func invite() async throws -> Invitation.LetterID {
                try await house.accounts.inviteByLetter(person.id, at: site.id, by: olga.id, act: house.time.value)
                    .letter
            }
            func note(_ trouble: Invitation.LetterTrouble?, of letter: Invitation.LetterID) async throws {
                try await house.store.write { try InvitationRecords.note(trouble, of: letter, to: person.id, in: $0) }
            }
            func state() throws -> Invitation.State? {
                try house.store.read { try InvitationRecords.state(of: person.id, at: house.time.value, in: $0) }
            }
            #expect(try state() == nil)
            let first = try await invite()
            for (trouble, expected) in [(.held, .open), (.refused, .refused), (nil, .open), (.refused, .refused)]
                as [(Invitation.LetterTrouble?, Invitation.State)]
            {
                try await note(trouble, of: first)
                #expect(try state() == expected)
            }
            // Asked for again, nothing is known of the new one yet.
            let second = try await invite()
            #expect(try state() == .open)
            try await note(.refused, of: first)
            #expect(try state() == .open)
            try await note(.refused, of: second)
            try await note(nil, of: first)
            #expect(try state() == .refused)
            // The same address, after another one: a new invitation.
            for address in ["other@example.org", Self.address] {
                try await house.accounts.change {
                    try InvitationRecords.readdress(
                        person.id, to: address, at: site.id, now: house.time.value, by: olga.id, in: $0)
                }
            }
            #expect(try state() == nil)
            let third = try await invite()
            for letter in [first, second] { try await note(.refused, of: letter) }
            #expect(try state() == .open)
            // One on paper is good whatever became of the letter.
            try await note(.refused, of: third)
            _ = try await house.accounts.invitationOnPaper(for: person.id, at: site.id, by: olga.id)
            #expect(try state() == .open)
        }
    }
}
