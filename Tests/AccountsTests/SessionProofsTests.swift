import HTTPServer
import Identity
import Ledger
import Store
import Synchronization
import System
import Testing

@testable import Accounts

@Suite struct SessionProofsTests {
    private let visitor = Visitor(address: "::1")

    private func passkey(_ number: UInt8) -> Passkey {
        Passkey(
            id: [number], party: "localhost", name: "Phone \(number)", publicKey: [], counter: 0, isBackedUp: false,
            added: noon)
    }

    /// Somebody with a password and two passkeys, and the session in which they were added.
    private func inHouse(_ test: (House, Person, Principal, [Passkey]) async throws -> Void) async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let token = try await house.token(ada, isProgram: false)
            let her = try principal(house, token)
            let passkeys = [passkey(1), passkey(2)]
            for one in passkeys { try await house.accounts.addPasskey(one, to: her) }
            // The second one was added by the password alone: as if that were long ago.
            try await house.accounts.change {
                _ = try $0.execute("UPDATE people SET passkeys_changed = NULL WHERE id = ?", ada.id)
            }
            try await test(house, ada, her, passkeys)
        }
    }

    @Test("A letter tells of each other password") func anotherPassword() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let told = Mutex<[Accounts.WayChange]>([])
            house.accounts.whenWaysChange { _, change in told.withLock { $0.append(change) } }
            func change(_ from: String, _ to: String) async throws {
                let token = try await house.accounts.signIn(
                    email: ada.email, password: from, from: visitor, isProgram: false
                ).token.text
                _ = try await house.accounts.changePassword(
                    of: try principal(house, token), current: from, new: to, from: visitor)
            }
            try await change(House.password, "a sentence of my own")
            #expect(told.withLock(\.self) == [.password])
            await #expect(throws: AccountRefusal.invalid(field: "password")) {
                try await change("a sentence of my own", "a sentence of my own")
            }
            #expect(told.withLock(\.self) == [.password])
        }
    }

    @Test func `Another session that is ended is told by a letter; one's own is not`() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let told = Mutex<[Accounts.WayChange]>([])
            house.accounts.whenWaysChange { _, change in told.withLock { $0.append(change) } }
            let (own, other) = (
                try principal(house, try await house.token(ada)), try principal(house, try await house.token(ada))
            )
            func id(_ one: Principal) throws -> SessionID {
                try #require(try house.accounts.sessions(of: one).first { $0.hash == one.session }?.id)
            }
            #expect(try await house.accounts.endSession(try id(other), of: own))
            #expect(told.withLock(\.self) == [.signedOut])
            #expect(try await house.accounts.endOtherSessions(of: own).ended == 0)
            #expect(told.withLock(\.self) == [.signedOut], "there was nothing to end")
            _ = try await house.token(ada)
            #expect(try await house.accounts.endOtherSessions(of: own).ended == 1)
            #expect(told.withLock(\.self) == [.signedOut, .signedOut])
            #expect(try await house.accounts.endSession(try id(own), of: own))
            #expect(told.withLock(\.count) == 2)
        }
    }

    @Test func `Letters that others can cause use up none of those that tell who takes an account over`() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let told = Mutex<[Accounts.WayChange]>([])
            house.accounts.whenWaysChange { _, change in told.withLock { $0.append(change) } }
            for _ in 0..<50 { house.accounts.tell(ada, of: .originalApp) }
            #expect(told.withLock(\.count) == 10)
            for change in [Accounts.WayChange.added, .removed, .password] { house.accounts.tell(ada, of: change) }
            #expect(told.withLock { $0.suffix(3) } == [.added, .removed, .password])
        }
    }

    @Test func `A way in that is taken away is told by a letter`() async throws {
        try await inHouse { house, ada, her, passkeys in
            let told = Mutex<[Accounts.WayChange]>([])
            house.accounts.whenWaysChange { _, change in told.withLock { $0.append(change) } }
            let identity = Identity(issuer: "https://id.example.org", subject: "7", label: "Ada", added: noon)
            try await house.accounts.change { try WayRecords.add(identity, to: ada.id, in: $0) }
            try await house.accounts.removePasskey(passkeys[0], of: her)
            #expect(told.withLock(\.self) == [.removed])
            try await house.accounts.removeIdentity(issuer: identity.issuer, subject: identity.subject, of: her)
            #expect(told.withLock(\.self) == [.removed, .removed])
            // What was not done is not told.
            await #expect(throws: WayRefusal.unknown) { try await house.accounts.removePasskey(passkeys[0], of: her) }
            #expect(told.withLock(\.self).count == 2)
        }
    }

    private func principal(_ house: House, _ token: String) throws -> Principal {
        try #require(try house.accounts.principal(token: token))
    }

    private func open(_ house: House, _ ada: Person, _ passkey: Passkey) async throws -> String {
        try await house.accounts.signIn(ada.id, by: .passkey(passkey.reference), from: visitor).token.text
    }

    private func isThere(_ house: House, _ token: String) throws -> Bool {
        try house.accounts.principal(token: token) != nil
    }

    @Test func `What another passkey opened or made strong goes on, and stays strong`() async throws {
        try await inHouse { house, ada, her, passkeys in
            let other = try await open(house, ada, passkeys[1])
            let both = try await house.token(ada, isProgram: false)
            for one in passkeys { try await house.accounts.prove(principal(house, both), by: .passkey(one.reference)) }
            try await house.accounts.removePasskey(passkeys[0], of: her)
            for token in [other, both] { #expect(try principal(house, token).proof.isStrong) }
        }
    }

    @Test func `Where a lost phone had shown its passkey it is signed out, and who removes that goes on without it`()
        async throws
    {
        try await inHouse { house, ada, her, passkeys in
            let lost = try await house.token(ada, isProgram: false)
            let own = try principal(house, try await house.token(ada))
            for one in [try principal(house, lost), own] {
                try await house.accounts.prove(one, by: .passkey(passkeys[0].reference))
            }
            try await house.accounts.removePasskey(passkeys[0], of: own)
            #expect(try !isThere(house, lost))
            let after = try #require(try house.accounts.principal(session: own.session))
            #expect(!after.proof.isStrong)
            #expect(try house.accounts.principal(session: her.session) != nil, "it never showed it")
        }
    }

    @Test func `Whatever else was proven in a session that a lost phone opened, it ends with that phone's passkey`()
        async throws
    {
        try await inHouse { house, ada, her, passkeys in
            let lost = try await open(house, ada, passkeys[0])
            try await house.accounts.prove(principal(house, lost), by: .passkey(passkeys[1].reference))
            try await house.accounts.prove(principal(house, lost), password: House.password, from: visitor)
            try await house.accounts.removePasskey(passkeys[0], of: her)
            #expect(try !isThere(house, lost))
        }
    }

    @Test func `Who signs in while their way in is taken away is not signed in, and proves nothing by it`() async throws
    {
        try await inHouse { house, ada, her, passkeys in
            let key = try await house.accounts.deviceKey()
            let before = try #require(try house.store.read { try AccountRecords.passwordHash(of: ada.id, in: $0) })
            let identity = Identity(issuer: "https://id.example.org", subject: "7", label: "Ada", added: noon)
            try await house.accounts.change { try WayRecords.add(identity, to: ada.id, in: $0) }
            let ways: [ProofWay] = [
                .password, .letter, .passkey(passkeys[0].reference),
                .identity(issuer: identity.issuer, subject: identity.subject),
            ]
            func begin(_ way: ProofWay) async throws {
                _ = try await house.accounts.begin(ada, before, way, visitor, isProgram: false, key)
            }
            // All of them good when they were looked at.
            for way in ways { try await begin(way) }
            _ = try await house.accounts.changePassword(
                of: her, current: House.password, new: "a threshold in the evening", from: visitor)
            try await house.accounts.removePasskey(passkeys[0], of: her)
            try await house.accounts.removeIdentity(issuer: identity.issuer, subject: identity.subject, of: her)
            let count = try house.accounts.sessions(of: her).count
            for way in ways { await #expect(throws: AccountRefusal.wrongPassword) { try await begin(way) } }
            #expect(try house.accounts.sessions(of: her).count == count)
            for way in ways.suffix(2) {
                await #expect(throws: AccountRefusal.wrongPassword) {
                    try await house.accounts.prove(her, by: way)
                }
            }
        }
    }

    @Test func `Another address takes a passkey that was shown just now, where the account has one`() async throws {
        try await inHouse { house, ada, her, passkeys in
            #expect(throws: Problem.self) { try house.accounts.requireStrongestProof(her) }
            let strong = try principal(house, try await open(house, ada, passkeys[0]))
            try house.accounts.requireStrongestProof(strong)
            let bruno = try principal(house, try await house.token(try await house.person("Bruno")))
            try house.accounts.requireStrongestProof(bruno)
            // Whose passkeys went with a letter deletes nothing at once, either.
            try await house.accounts.change { try WayRecords.removeAll(of: ada.id, at: noon, in: $0) }
            #expect(try house.accounts.changeWaits(for: her) != nil)
        }
    }

    @Test func `Another address that was asked for before there was a passkey is not taken afterwards`() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let her = try principal(house, try await house.token(ada, isProgram: false))
            let link = OneTimeLink(
                purpose: .address, person: ada.id, address: "thief@example.org", name: ada.name,
                expires: noon.adding(milliseconds: LinkPurpose.address.lifetime))
            let wish = try await house.store.write { try LinkRecords.add(link, at: noon, sweeps: true, in: $0).text }
            try await house.accounts.addPasskey(passkey(1), to: her)
            await #expect(throws: LinkIsSpent.self) { _ = try await house.accounts.changeAddress(by: wish, as: her) }
        }
    }

    @Test func `Who changes passkeys by the password alone deletes the account only a week later`() async throws {
        try await inHouse { house, ada, her, passkeys in
            // The first one of an account, and what is done after one was shown, hold up nothing.
            let bruno = try await house.person("Bruno")
            let his = try principal(house, try await house.token(bruno, isProgram: false))
            try await house.accounts.addPasskey(passkey(9), to: his)
            #expect(try house.accounts.changeWaits(for: his) == nil)
            let strong = try principal(house, try await open(house, ada, passkeys[0]))
            try await house.accounts.addPasskey(passkey(3), to: strong)
            #expect(try house.accounts.changeWaits(for: strong) == nil)
            // A thief with the password: removes them all, or adds one of their own.
            for act in [true, false] {
                if act {
                    try await house.accounts.addPasskey(passkey(4), to: her)
                } else {
                    try await house.accounts.removePasskey(passkeys[1], of: her)
                }
                let thief = try principal(house, try await open(house, ada, act ? passkey(4) : passkeys[0]))
                #expect(
                    try house.accounts.changeWaits(for: thief)
                        == house.time.value.adding(milliseconds: WayRecords.pauseAfterChange))
                #expect(throws: Problem.self) { try house.accounts.requireStrongestProof(thief) }
                house.wait(milliseconds: WayRecords.pauseAfterChange)
                #expect(try house.accounts.changeWaits(for: thief) == nil)
            }
        }
    }

    @Test func `A proof by what is taken away is fresh no more`() async throws {
        try await inHouse { house, ada, her, passkeys in
            try await house.accounts.prove(her, by: .passkey(passkeys[0].reference))
            try await house.accounts.removePasskey(passkeys[0], of: her)
            let after = try #require(try house.accounts.principal(session: her.session))
            #expect(!after.proof.isFresh(at: noon) && !after.proof.isStrong)
        }
    }

    @Test func `The session in which it is done goes on with what it is being renewed to, and not with an old proof`()
        async throws
    {
        try await inHouse { house, ada, _, passkeys in
            for (index, age) in [0, Proof.freshness].enumerated() {
                let old = try await open(house, ada, passkeys[index])
                let fresh = try #require(try await house.accounts.renew(principal(house, old))).text
                try await house.accounts.prove(principal(house, old), password: House.password, from: visitor)
                house.wait(milliseconds: age)
                try await house.accounts.removePasskey(passkeys[index], of: principal(house, old))
                for token in [old, fresh] { #expect(try isThere(house, token) == (age == 0)) }
            }
        }
    }

    @Test func `What is proven while a session is renewed counts for the token that comes`() async throws {
        try await inHouse { house, ada, her, passkeys in
            let old = try await house.token(ada, isProgram: false)
            house.wait(milliseconds: Proof.freshness)
            let fresh = try #require(try await house.accounts.renew(principal(house, old))).text
            try await house.accounts.prove(principal(house, old), by: .passkey(passkeys[0].reference))
            let after = try principal(house, fresh)
            #expect(after.proof.isFreshlyStrong(at: house.time.value))
            // Another browser of hers has shown nothing by it.
            let other = try #require(try house.accounts.principal(session: her.session))
            #expect(!other.proof.isStrong && !other.proof.isFresh(at: house.time.value))
        }
    }

    @Test func `Ending all other sessions ends what other parts of the hub gave that person, and no other`()
        async throws
    {
        try await inHouse { house, ada, her, _ in
            let ended = Shared<[PersonID]>([])
            house.accounts.whenOthersAreShutOut { person, _, database in
                // In the transaction that does it.
                _ = try database.row("SELECT id FROM people WHERE id = ?", person) { $0[0] as PersonID }
                ended.change { $0.append(person) }
            }
            let alone = try await house.accounts.endOtherSessions(of: her)
            let now = try principal(house, try #require(alone.token).text)
            _ = try await house.accounts.changePassword(
                of: now, current: House.password, new: "a threshold in the evening", from: visitor)
            let link = OneTimeLink(
                purpose: .reset, person: ada.id, address: ada.email, name: ada.name,
                expires: house.time.value.adding(milliseconds: LinkPurpose.reset.lifetime))
            let reset = try await house.store.write { try LinkRecords.add(link, at: noon, sweeps: true, in: $0).text }
            _ = try await house.accounts.setPassword("a lamp beside the door", by: reset)
            #expect(ended.value == [ada.id, ada.id, ada.id])
            let bruno = try await house.person("Bruno")
            try await house.accounts.signOut(try principal(house, try await house.token(bruno)))
            #expect(ended.value.count == 3)
        }
    }

    @Test func `Deleting takes the strongest proof where it is written, too`() async throws {
        try await inHouse { house, ada, her, passkeys in
            let bruno = try principal(house, try await house.token(try await house.person("Bruno"), isProgram: false))
            try house.accounts.requireStrongestProof(bruno)
            // Looked at before a passkey was added, by somebody who has only the password.
            try await house.accounts.addPasskey(passkey(8), to: bruno)
            try await house.store.write { database in
                #expect(throws: Problem.self) {
                    try Accounts.requireStrongestProof(bruno, at: house.time.value, in: database)
                }
                let strong = Principal(
                    person: bruno.person, memberships: [], locked: [], session: bruno.session, origin: bruno.origin,
                    line: bruno.line,
                    isProgram: false, proof: Proof(at: house.time.value, isStrong: true))
                try Accounts.requireStrongestProof(strong, at: house.time.value, in: database)
            }
        }
    }

    @Test
    func `Of a session of before nobody knows what opened it: it ends with any way, and is strong by any passkey`()
        async throws
    {
        try await inHouse { house, ada, her, passkeys in
            let (ends, weakens) = (
                try await open(house, ada, passkeys[1]), try await house.token(ada, isProgram: false)
            )
            try await house.accounts.prove(principal(house, weakens), by: .passkey(passkeys[1].reference))
            let hashes = try [ends, weakens].map { try principal(house, $0).session }
            try await house.accounts.change { database in
                try database.execute("UPDATE sessions SET opened_by = NULL WHERE hash = ?", hashes[0])
                try database.execute("UPDATE sessions SET strong_by = NULL WHERE hash = ?", hashes[1])
            }
            try await house.accounts.removePasskey(passkeys[0], of: her)
            #expect(try !isThere(house, ends))
            #expect(try !principal(house, weakens).proof.isStrong)
        }
    }

    @Test func `The last act needs a passkey that was shown just now, where the account has one, else any fresh proof`()
        async throws
    {
        try await inHouse { house, ada, her, passkeys in
            func refusal(_ token: String) throws -> String? {
                do { try house.accounts.requireStrongestProof(principal(house, token)) } catch let problem as Problem {
                    return problem.type
                }
                return nil
            }
            let token = try await open(house, ada, passkeys[0])
            #expect(try refusal(token) == nil)
            house.wait(milliseconds: Proof.freshness)
            try await house.accounts.prove(principal(house, token), password: House.password, from: visitor)
            #expect(try principal(house, token).proof.isStrong)
            #expect(try refusal(token) == "second-factor-needed")
            try await house.accounts.prove(principal(house, token), by: .passkey(passkeys[0].reference))
            #expect(try refusal(token) == nil)
            let bruno = try await house.token(try await house.person("Bruno"))
            #expect(try refusal(bruno) == nil)
            house.wait(milliseconds: Proof.freshness)
            #expect(try refusal(bruno) == "fresh-proof-needed")
        }
    }

    @Test func `A site that begins to ask tells which sessions of its people do not meet it, and no others`()
        async throws
    {
        try await inHouse { house, ada, her, passkeys in
            let site = try await house.site("Works")
            try await house.member(ada, of: site, .owner)
            let strong = try await open(house, ada, passkeys[0])
            _ = try await house.token(try await house.person("Bruno"))
            let ended = Shared<[[UInt8]]>([])
            house.accounts.whenSessionEnds { session in ended.change { $0.append(session) } }
            try await house.accounts.askSecondFactor(true, at: site.id, by: principal(house, strong))
            #expect(ended.value == [her.session])
            #expect(try isThere(house, strong) && principal(house, strong).locked.isEmpty)
            let now = try #require(try house.accounts.principal(session: her.session))
            #expect(now.locked == [site])
            try await house.accounts.askSecondFactor(false, at: site.id, by: principal(house, strong))
            #expect(ended.value.count == 1)
        }
    }

    @Test func `Who owns the site no more when it is written switches no second factor`() async throws {
        try await inHouse { house, ada, _, passkeys in
            let site = try await house.site("Works")
            var membership = try await house.member(ada, of: site, .owner)
            let strong = try principal(house, try await open(house, ada, passkeys[0]))
            membership.permission = .manager
            let demoted = membership
            try await house.accounts.change { try AccountRecords.change(demoted, at: noon, by: nil, in: $0) }
            for isAsked in [true, false] {
                await #expect(throws: Problem.self) {
                    try await house.accounts.askSecondFactor(isAsked, at: site.id, by: strong)
                }
            }
            #expect(try !house.store.read { try WayRecords.asksSecondFactor(site.id, in: $0) })
        }
    }
}
