import Ledger
import Store
import System
import Testing

@testable import Accounts

@Suite("The renewal of sessions")
struct SessionRenewalTests {
    @Test("A browser's session is renewed once; again only when the fresh token was lost on its way; a program's never")
    func rule() {
        typealias Successor = SessionRenewal.Successor
        let soon = noon.adding(milliseconds: SessionRenewal.grace - 1)
        let late = noon.adding(milliseconds: SessionRenewal.grace)
        let cases: [(isProgram: Bool, successor: Successor?, now: Timestamp, renews: Bool)] = [
            (false, nil, noon, true), (true, nil, noon, false),
            (false, Successor(issued: noon, isConfirmed: false), noon, false),
            (false, Successor(issued: noon, isConfirmed: false), soon, false),
            (false, Successor(issued: noon, isConfirmed: false), late, true),
            (false, Successor(issued: noon, isConfirmed: true), soon, false),
            (false, Successor(issued: noon, isConfirmed: true), late, false),
            (true, Successor(issued: noon, isConfirmed: false), late, false),
            // The clock was put back.
            (false, Successor(issued: late, isConfirmed: false), noon, false),
        ]
        for one in cases {
            #expect(
                SessionRenewal.renews(isProgram: one.isProgram, successor: one.successor, at: one.now) == one.renews,
                "\(one)")
        }
    }

    private func principal(_ token: String, _ house: House) throws -> Principal {
        try #require(try house.accounts.principal(token: token))
    }

    private func count(_ house: House) throws -> Int {
        try #require(try house.store.read { try $0.row("SELECT count(*) FROM sessions") { $0[0] as Int } })
    }

    @Test("The old token ends a moment after the fresh one was shown, and what hangs on it is cut at once")
    func renewed() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let old = try await house.token(ada, isProgram: false)
            let ended = Shared<[[UInt8]]>([])
            house.accounts.whenSessionEnds { hash in ended.change { $0.append(hash) } }
            let before = try principal(old, house)
            let fresh = try #require(try await house.accounts.renew(before)).text
            #expect(fresh != old)
            house.wait(milliseconds: 86_400_000)
            #expect(try house.accounts.principal(token: old) != nil, "nobody has shown the fresh one yet")
            try await house.accounts.confirmRenewal(try principal(fresh, house))
            #expect(ended.value == [before.session])
            house.wait(milliseconds: SessionRenewal.grace - 1)
            #expect(try house.accounts.principal(token: old) != nil)
            house.wait(milliseconds: 1)
            #expect(try house.accounts.principal(token: old) == nil)
            #expect(try principal(fresh, house).person == ada)
            // Said twice, it changes nothing.
            try await house.accounts.confirmRenewal(try principal(fresh, house))
            #expect(ended.value.count == 1)
        }
    }

    @Test("A fresh token lasts thirty days from its making")
    func lifetime() async throws {
        try await House.run { house in
            let old = try await house.token(try await house.person("Ada"), isProgram: false)
            house.wait(milliseconds: 29 * 86_400_000)
            let fresh = try #require(try await house.accounts.renew(try principal(old, house))).text
            house.wait(milliseconds: 30 * 86_400_000 - 1)
            #expect(try house.accounts.principal(token: fresh) != nil)
            house.wait(milliseconds: 1)
            #expect(try house.accounts.principal(token: fresh) == nil)
        }
    }

    @Test("Of two tabs that start at once one gets the token, before and after it was shown")
    func race() async throws {
        try await House.run { house in
            let old = try await house.token(try await house.person("Ada"), isProgram: false)
            let tabs = try (principal(old, house), principal(old, house))
            async let one = house.accounts.renew(tabs.0)
            async let other = house.accounts.renew(tabs.1)
            let tokens = try await [one, other].compactMap { $0?.text }
            #expect(tokens.count == 1)
            try await house.accounts.confirmRenewal(try principal(tokens[0], house))
            #expect(try await house.accounts.renew(try principal(old, house)) == nil)
            #expect(try count(house) == 2)
        }
    }

    @Test("A fresh token that never came back makes room for another one, and is refused")
    func lost() async throws {
        try await House.run { house in
            let old = try await house.token(try await house.person("Ada"), isProgram: false)
            let lost = try #require(try await house.accounts.renew(try principal(old, house))).text
            house.wait(milliseconds: SessionRenewal.grace)
            let found = try #require(try await house.accounts.renew(try principal(old, house))).text
            #expect(try house.accounts.principal(token: lost) == nil)
            #expect(try house.accounts.principal(token: found) != nil)
            #expect(try count(house) == 2)
        }
    }

    @Test("Who renews with a token has shown it, so that what it replaced ends too")
    func chain() async throws {
        try await House.run { house in
            let first = try await house.token(try await house.person("Ada"), isProgram: false)
            let second = try #require(try await house.accounts.renew(try principal(first, house))).text
            let third = try #require(try await house.accounts.renew(try principal(second, house))).text
            house.wait(milliseconds: SessionRenewal.grace)
            #expect(try house.accounts.principal(token: first) == nil)
            #expect(try house.accounts.principal(token: second) != nil)
            #expect(try house.accounts.principal(token: third) != nil)
        }
    }

    @Test("Signing out ends the session with the one it replaces and the one that replaces it", arguments: [0, 1])
    func signOut(_ which: Int) async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let (old, other) = (try await house.token(ada, isProgram: false), try await house.token(ada))
            let fresh = try #require(try await house.accounts.renew(try principal(old, house))).text
            try await house.accounts.signOut(try principal([old, fresh][which], house))
            #expect(try house.accounts.principal(token: old) == nil)
            #expect(try house.accounts.principal(token: fresh) == nil)
            #expect(try house.accounts.principal(token: other) != nil)
        }
    }

    @Test("Work that was begun with a token goes on when the session is renewed meanwhile, and not when it ended")
    func longWork() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let old = try principal(try await house.token(ada, isProgram: false), house)
            let fresh = try principal(try #require(try await house.accounts.renew(old)).text, house)
            try await house.accounts.confirmRenewal(fresh)
            house.wait(milliseconds: SessionRenewal.grace)
            #expect(try house.accounts.principal(session: old.session) == nil)
            func stands() throws -> Bool {
                let now = house.time.value
                return try house.store.read { try SessionRecords.stands(old, at: now, in: $0) }
            }
            #expect(try stands())
            try await house.accounts.signOut(fresh)
            #expect(try !stands())
        }
    }

    @Test("A session that was renewed twice in a moment ends with all its tokens", arguments: [0, 1, 2])
    func everyToken(_ which: Int) async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            var tokens = [try await house.token(ada, isProgram: false)]
            for _ in 0..<2 {
                let fresh = try #require(try await house.accounts.renew(try principal(tokens.last!, house))).text
                try await house.accounts.confirmRenewal(try principal(fresh, house))
                tokens.append(fresh)
            }
            let other = try principal(try await house.token(ada), house)
            let listed = try #require(try house.accounts.sessions(of: other).first { !$0.isProgram })
            if which == 2 {
                #expect(try await house.accounts.endSession(listed.id, of: other))
            } else {
                try await house.accounts.signOut(try principal(tokens[which], house))
            }
            for token in tokens { #expect(try house.accounts.principal(token: token) == nil) }
            #expect(try house.accounts.principal(session: other.session) != nil)
        }
    }

    @Test("Nothing grows out of a session that was signed out, or has ended, in the meantime")
    func gone() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let one = try principal(try await house.token(ada, isProgram: false), house)
            try await house.accounts.signOut(one)
            #expect(try await house.accounts.renew(one) == nil)
            let other = try principal(try await house.token(ada, isProgram: false), house)
            house.wait(milliseconds: 30 * 86_400_000)
            #expect(try await house.accounts.renew(other) == nil)
        }
    }
}
