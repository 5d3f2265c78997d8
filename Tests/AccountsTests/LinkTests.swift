import Identity
import Ledger
import Store
import System
import Testing

@testable import Accounts

@Suite struct LinkTests {
    private static let other = "a threshold in the evening"

    private func link(
        _ purpose: LinkPurpose, of person: Person?, to address: String, in house: House
    ) async throws -> String {
        let now = house.time.value
        let link = OneTimeLink(
            purpose: purpose, person: person?.id, address: address, name: "Bruno",
            expires: now.adding(milliseconds: purpose.lifetime))
        return try await house.store.write { try LinkRecords.add(link, at: now, sweeps: true, in: $0).text }
    }

    @Test func `A restore tells of every link in a letter, also of one that was asked for by the address alone`()
        async throws
    {
        try await House.run { house in
            let kind = try #require(AccountRecords.grants.first { $0.name == "links in letters" })
            let ada = try await house.person("Ada")
            _ = try await link(.reset, of: nil, to: ada.email, in: house)
            _ = try await link(.address, of: ada, to: "new@example.org", in: house)
            _ = try await link(.register, of: nil, to: "guest@example.org", in: house)
            let now = house.time.value
            let found = try house.store.read { try kind.valid(now, $0) }
            #expect(
                found.map(\.label) == [
                    "reset for \(ada.email)", "register for guest@example.org", "address for new@example.org",
                ])
        }
    }

    @Test
    func `While none is swept out no more than a number of links that have ended are kept, and all that are open`()
        async throws
    {
        try await House.run { house in
            let count = LinkRecords.mostEnded + 5
            @Sendable func add(_ number: Int, expires: Timestamp, in database: Database) throws {
                let link = OneTimeLink(
                    purpose: .register, person: nil, address: "a\(number)@example.org", expires: expires)
                _ = try LinkRecords.add(link, at: noon, sweeps: false, in: database)
            }
            let kept = try await house.store.write { database in
                try add(-1, expires: noon.adding(milliseconds: 1), in: database)
                for number in 0..<count {
                    try add(number, expires: noon.adding(milliseconds: Int64(number - count)), in: database)
                }
                try add(count, expires: noon.adding(milliseconds: 1), in: database)
                return try database.rows("SELECT address FROM links ORDER BY expires, address") { $0[0] as String }
            }
            #expect(kept.count == LinkRecords.mostEnded + 2)
            #expect(kept.first == "a5@example.org", "the first to end are the first to go")
            #expect(kept.suffix(2) == ["a-1@example.org", "a\(count)@example.org"], "what is open stays")
        }
    }

    @Test func `A password is set once by a link, and every session and link ends`() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let session = try await house.token(ada)
            let address = try await link(.address, of: ada, to: "new@example.org", in: house)
            let reset = try await link(.reset, of: ada, to: ada.email, in: house)
            #expect(try house.accounts.link(reset, for: [.reset])?.person == ada.id)
            _ = try await house.accounts.setPassword(Self.other, by: reset)
            #expect(try house.accounts.principal(token: session) == nil)
            #expect(try house.accounts.isConfirmed(ada.id))
            #expect(try house.accounts.link(address, for: [.address]) == nil)
            await #expect(throws: LinkIsSpent.self) { _ = try await house.accounts.setPassword(Self.other, by: reset) }
            await #expect(throws: AccountRefusal.wrongPassword) { _ = try await house.token(ada) }
            let signedIn = try await house.accounts.signIn(
                email: ada.email, password: Self.other, address: "::1", isProgram: true)
            #expect(signedIn.person == ada)
        }
    }

    @Test(arguments: [false, true])
    func `Who uses an address that is not theirs takes no letter from its holder`(isConfirmed: Bool) async throws {
        try await House.run { house in
            let (ada, now) = (try await house.person("Ada"), house.time.value)
            if isConfirmed {
                try await house.accounts.change {
                    _ = try $0.execute("UPDATE people SET confirmed = ? WHERE id = ?", now, ada.id)
                }
            }
            let principal = try #require(try house.accounts.principal(token: try await house.token(ada)))
            let reset = try await link(.reset, of: ada, to: ada.email, in: house)
            let wish = try await link(.address, of: ada, to: "eve@example.org", in: house)
            _ = try await house.accounts.changePassword(
                of: principal, current: House.password, new: Self.other, from: Visitor(address: "192.0.2.7"))
            #expect(try house.accounts.link(wish, for: [.address]) == nil)
            #expect(try (house.accounts.link(reset, for: [.reset]) == nil) == isConfirmed)
            if !isConfirmed {
                _ = try await house.accounts.setPassword("a doorstep in the morning", by: reset)
                await #expect(throws: AccountRefusal.wrongPassword) {
                    _ = try await house.accounts.signIn(
                        email: ada.email, password: Self.other, address: "::1", isProgram: true)
                }
            }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `Whoever shows first that an address is theirs is alone in its account`(
        wasConfirmed: Bool, hadPassword: Bool
    ) async throws {
        try await House.run { house in
            let now = house.time.value
            let eve = Person(id: .new(at: now), name: "Eve", email: "ada@example.org", language: nil)
            let identity = Identity(issuer: "https://id.example.org", subject: "7", label: "Eve", added: now)
            let passkey = Passkey(
                id: [7], party: "localhost", name: "Eve's phone", publicKey: [], counter: 0, isBackedUp: false,
                added: now)
            let hash: String? = hadPassword ? try await house.accounts.passwordHash(House.password) : nil
            try await house.accounts.change { database in
                try AccountRecords.add(eve, passwordHash: hash, at: now, in: database)
                try WayRecords.add(identity, to: eve.id, in: database)
                try WayRecords.add(passkey, to: eve.id, in: database)
                try AccountRecords.setLanguage("es", of: eve.id, in: database)
                if wasConfirmed { try database.execute("UPDATE people SET confirmed = ? WHERE id = ?", now, eve.id) }
            }
            let reset = try await link(.reset, of: eve, to: eve.email, in: house)
            _ = try await house.accounts.setPassword(Self.other, by: reset)
            let ways = try house.accounts.waysIn(of: eve.id)
            #expect(ways.hasPassword && ways.identities == (wasConfirmed ? [identity] : []))
            #expect(ways.passkeys.map(\.id) == (wasConfirmed ? [[7]] : []))
            // And none of what whoever was there before chose for them.
            let holder = try house.accounts.store.read { try AccountRecords.person(eve.id, in: $0) }
            #expect(holder?.language == (wasConfirmed ? "es" : nil))
        }
    }

    @Test func `A link for another password holds for less than thirty minutes, and not after`() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let reset = try await link(.reset, of: ada, to: ada.email, in: house)
            house.wait(milliseconds: 30 * 60_000 - 1)
            #expect(try house.accounts.link(reset, for: [.reset]) != nil)
            house.wait(milliseconds: 1)
            #expect(try house.accounts.link(reset, for: [.reset]) == nil)
            await #expect(throws: LinkIsSpent.self) { _ = try await house.accounts.setPassword(Self.other, by: reset) }
        }
    }

    @Test func `A newer link of the same purpose ends the older one, and no other`() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let first = try await link(.reset, of: ada, to: ada.email, in: house)
            let others = try await link(.reset, of: bruno, to: bruno.email, in: house)
            let another = try await link(.address, of: ada, to: "other@example.org", in: house)
            let second = try await link(.reset, of: ada, to: ada.email, in: house)
            #expect(try house.accounts.link(first, for: [.reset]) == nil)
            for kept in [others, second] { #expect(try house.accounts.link(kept, for: [.reset]) != nil) }
            #expect(try house.accounts.link(another, for: [.address]) != nil)
        }
    }

    @Test func `A link is good for its own purpose alone, and a text that is none opens nothing`() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let address = try await link(.address, of: ada, to: "new@example.org", in: house)
            await #expect(throws: LinkIsSpent.self) {
                _ = try await house.accounts.setPassword(Self.other, by: address)
            }
            await #expect(throws: LinkIsSpent.self) {
                _ = try await house.accounts.register(name: "Eva", password: Self.other, by: address)
            }
            for text in ["", "x", String(repeating: "A", count: 43), address + "A", String(address.dropLast())] {
                #expect(try house.accounts.link(text, for: Set(LinkPurpose.allCases)) == nil)
            }
        }
    }

    @Test func `An account is made when its address is confirmed, and not for an address that got one meanwhile`()
        async throws
    {
        try await House.run { house in
            func set(open: Bool) async throws {
                try await AccountRecords.setRegistration(open: open, at: house.time.value, in: house.store)
            }
            try await set(open: true)
            let text = try await link(.register, of: nil, to: "eva@example.org", in: house)
            try await set(open: false)
            #expect(try house.accounts.link(text, for: [.register]) == nil)
            await #expect(throws: LinkIsSpent.self) {
                _ = try await house.accounts.register(name: "Eva", password: Self.other, by: text)
            }
            try await set(open: true)
            await #expect(throws: AccountRefusal.weakPassword(.tooShort)) {
                _ = try await house.accounts.register(name: "Eva", password: "short", by: text)
            }
            let eva = try await house.accounts.register(name: "Eva", password: Self.other, by: text)
            #expect(eva.email == "eva@example.org")
            #expect(try house.accounts.isConfirmed(eva.id))
            let late = try await link(.register, of: nil, to: "ada@example.org", in: house)
            let ada = try await house.person("Ada")
            await #expect(throws: AccountRefusal.addressTaken) {
                _ = try await house.accounts.register(name: "Mallory", password: Self.other, by: late)
            }
            #expect(try await house.token(ada).isEmpty == false)
        }
    }

    @Test func `Another address holds from its link on, and ends links that went to the old one`() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let her = try #require(try house.accounts.principal(token: try await house.token(ada)))
            let reset = try await link(.reset, of: ada, to: ada.email, in: house)
            let text = try await link(.address, of: ada, to: "new@example.org", in: house)
            #expect(try house.store.read { try AccountRecords.person(ada.id, in: $0) }?.email == ada.email)
            let (before, after) = try await house.accounts.changeAddress(by: text, as: her)
            #expect((before.email, after.email) == (ada.email, "new@example.org"))
            #expect(try house.accounts.link(reset, for: [.reset]) == nil)
            let taken = try await link(.address, of: ada, to: bruno.email, in: house)
            await #expect(throws: AccountRefusal.addressTaken) {
                _ = try await house.accounts.changeAddress(by: taken, as: her)
            }
        }
    }

    @Test func `A letter alone confirms no account: its link is for who asked for it`() async throws {
        try await House.run { house in
            let (eve, ada) = (try await house.person("Eve"), try await house.person("Ada"))
            let (its, hers) = (
                try #require(try house.accounts.principal(token: try await house.token(eve))),
                try #require(try house.accounts.principal(token: try await house.token(ada)))
            )
            let text = try await link(.address, of: eve, to: "carla@example.org", in: house)
            await #expect(throws: LinkIsSpent.self) { _ = try await house.accounts.changeAddress(by: text, as: hers) }
            for person in [eve, ada] { #expect(try !house.accounts.isConfirmed(person.id)) }
            #expect(try await house.accounts.changeAddress(by: text, as: its).after.email == "carla@example.org")
            // Nobody had confirmed the account before, so its ways in may be a stranger's: it still is not.
            #expect(try !house.accounts.isConfirmed(eve.id))
            try await house.accounts.change {
                _ = try $0.execute("UPDATE people SET confirmed = 1 WHERE id = ?", eve.id)
            }
            let again = try await link(.address, of: eve, to: "dora@example.org", in: house)
            _ = try await house.accounts.changeAddress(by: again, as: its)
            #expect(try house.accounts.isConfirmed(eve.id))
        }
    }

    @Test func `At most three letters an hour that anybody asks for go to one address, whoever has it`() async throws {
        try await House.run { house in
            for address in ["ada@example.org", "nobody@example.org"] {
                for _ in 1...3 { #expect(house.accounts.admitLetter(to: address, .forgotten)) }
                #expect(!house.accounts.admitLetter(to: address, .forgotten))
            }
            // Who is signed in has letters of their own, each.
            for person in [PersonID.new(at: house.time.value), .new(at: house.time.value)] {
                for _ in 1...3 { #expect(house.accounts.admitLetter(to: "ada@example.org", .claim(person))) }
                #expect(!house.accounts.admitLetter(to: "ada@example.org", .claim(person)))
            }
            // And all of them together so many: twelve accounts are no way to fill a mailbox.
            let others = (0..<9).map { _ in PersonID.new(at: house.time.value) }
            // Of those that anybody may have asked for, none is the letter by which somebody shows that their own address is theirs.
            for _ in 1...4 { _ = house.accounts.admitLetter(to: "ada@example.org", .forgotten) }
            #expect(house.accounts.admitLetter(to: "ada@example.org", .confirmation(others[0])))
            #expect(others.count { house.accounts.admitLetter(to: "ada@example.org", .claim($0)) } == 6)
            let one = PersonID.new(at: house.time.value)
            // None of that keeps an invitation, or who wants an account, from it.
            for _ in 1...3 { #expect(house.accounts.admitLetter(to: "ada@example.org", .invitation(one))) }
            for _ in 1...3 { #expect(house.accounts.admitLetter(to: "ada@example.org", .account)) }
            #expect(!house.accounts.admitLetter(to: "ada@example.org", .account))
            for _ in 1...3 { #expect(house.accounts.admitLetter(to: "bruno@example.org", .claim(one))) }
            house.accounts.giveBackLetter(to: "bruno@example.org", .claim(one))
            #expect(house.accounts.admitLetter(to: "bruno@example.org", .claim(one)))
            house.wait(milliseconds: 20 * 60_000)
            #expect(house.accounts.admitLetter(to: "ada@example.org", .forgotten))
            #expect(!house.accounts.admitLetter(to: "ada@example.org", .forgotten))
        }
    }

    @Test func `The first sign-in ever is told apart from the next`() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let noted = try await house.store.write { database in
                try (0..<2).map { _ in try LinkRecords.noteSignIn(of: ada.id, at: noon, in: database) }
            }
            #expect(noted == [true, false])
        }
    }
}
