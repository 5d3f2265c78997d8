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
            #expect(known?.id == expected.id)
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
}
