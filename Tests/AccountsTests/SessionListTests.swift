import Crypto
import HTTPServer
import Ledger
import Store
import System
import Testing

@testable import Accounts

@Suite("The list of sessions")
struct SessionListTests {
    private func signIn(
        _ house: House, _ person: Person, _ userAgent: String? = nil, password: String = House.password,
        isProgram: Bool = false
    ) async throws -> String {
        try await house.accounts.signIn(
            email: person.email, password: password,
            from: Visitor(address: "192.0.2.1", client: Client(userAgent: userAgent)), isProgram: isProgram
        ).token.text
    }

    private func principal(_ house: House, _ token: String, from address: String? = nil) throws -> Principal {
        try #require(try house.accounts.principal(token: token, from: address))
    }

    @Test("It says when each began, when and whence it was last used, and with what; nobody else's are in it")
    func list() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
            let one = try await signIn(house, ada, firefox)
            house.wait(milliseconds: 1000)
            _ = try await signIn(house, ada, isProgram: true)
            _ = try await signIn(house, bruno)
            let own = try principal(house, one)
            let sessions = try house.accounts.sessions(of: own)
            #expect(sessions.map(\.isProgram) == [true, false])
            #expect(sessions.map(\.created) == [noon.adding(milliseconds: 1000), noon])
            #expect(sessions.map(\.address) == ["192.0.2.1", "192.0.2.1"])
            #expect(sessions.map { $0.client.text(on: "on") } == [nil, "Firefox on Linux"])
            #expect(sessions.map { $0.hash == own.session } == [false, true])
            #expect(Set(sessions.map(\.id)).count == 2)
            house.wait(milliseconds: Accounts.programLifetime)
            #expect(try house.accounts.sessions(of: own).map(\.isProgram) == [false])
        }
    }

    @Test("For the hundred and first the longest unused ends, and before it all that have shown no passkey")
    func most() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            var strong: [String] = []
            for number in 0..<3 {
                strong.append(try await signIn(house, ada))
                let session = try principal(house, strong[number]).session
                try await house.accounts.store.write {
                    _ = try $0.execute("UPDATE sessions SET strong_at = ? WHERE hash = ?", noon, session)
                }
            }
            house.wait(milliseconds: 1000)
            for _ in 0..<SessionRecords.mostOfOne + 5 {
                house.wait(milliseconds: 1)
                _ = try await signIn(house, ada)
            }
            // Nor does one that has shown none end them; a strong one does.
            let weak = try principal(house, try await signIn(house, ada))
            let others = try house.accounts.sessions(of: weak)
            let target = try #require(others.first { $0.hash == (try? principal(house, strong[0]).session) })
            await #expect(throws: Problem.self) { try await house.accounts.endSession(target.id, of: weak) }
            await #expect(throws: Problem.self) { try await house.accounts.endOtherSessions(of: weak) }
            for token in strong { #expect(try house.accounts.principal(token: token, from: nil) != nil) }
            let own = try principal(house, strong[0])
            #expect(try house.accounts.sessions(of: own).count == SessionRecords.mostOfOne)
            #expect(try await house.accounts.endOtherSessions(of: own).ended == SessionRecords.mostOfOne - 1)
        }
    }

    @Test("Its use is noted once in ten minutes, with the address that it was used from")
    func use() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let token = try await signIn(house, ada)
            func seen() throws -> (Timestamp, String?) {
                let session = try house.accounts.sessions(of: try principal(house, token))[0]
                return (session.seen, session.address)
            }
            func use(after milliseconds: Int64, from address: String) async throws {
                house.wait(milliseconds: milliseconds)
                _ = try principal(house, token, from: address)
                try await house.accounts.writeUses()
            }
            try await use(after: Accounts.useInterval - 1, from: "192.0.2.2")
            #expect(try seen() == (noon, "192.0.2.1"))
            let before = house.store.commits
            for _ in 0..<100 { _ = try principal(house, token, from: "192.0.2.2") }
            #expect(house.store.commits == before)
            try await use(after: 1, from: "192.0.2.3")
            let then = noon.adding(milliseconds: Accounts.useInterval)
            #expect(try seen() == (then, "192.0.2.3"))
            try await use(after: 1000, from: "192.0.2.4")
            #expect(try seen() == (then, "192.0.2.3"))
            // Put back by a day, the clock still tells something.
            try await use(after: -86_400_000, from: "192.0.2.5")
            #expect(try seen() == (then.adding(milliseconds: 1000 - 86_400_000), "192.0.2.5"))
            // A look of our own, for a live page, is no use.
            house.wait(milliseconds: 2 * Accounts.useInterval)
            _ = try principal(house, token)
            try await house.accounts.writeUses()
            #expect(try seen().1 == "192.0.2.5")
        }
    }

    @Test("One that is ended proves nobody from then on, and what hangs on it is told; those of others cannot be ended")
    func end() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let (one, two, brunos) = (
                try await signIn(house, ada), try await signIn(house, ada), try await signIn(house, bruno)
            )
            let (own, stranger) = (try principal(house, one), try principal(house, brunos))
            let other = try #require(try house.accounts.sessions(of: own).first { $0.hash != own.session })
            let told = Shared<[[UInt8]]>([])
            house.accounts.whenSessionEnds { hash in told.change { $0.append(hash) } }
            #expect(try await !house.accounts.endSession(other.id, of: stranger))
            #expect(try house.accounts.principal(token: two) != nil)
            #expect(try await house.accounts.endSession(other.id, of: own))
            #expect(try house.accounts.principal(token: two) == nil)
            #expect(told.value == [Token.hash(two)])
            #expect(try await !house.accounts.endSession(other.id, of: own))
            #expect(try await !house.accounts.endSession(.new(at: noon), of: own))
            #expect(try house.accounts.principal(token: one) != nil)
        }
    }

    @Test("One that was renewed is ended under any of its ids alike: by a passkey where it has shown one, and whole")
    func endRenewed() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let thief = try principal(house, try await signIn(house, ada))
            for isStrong in [true, false] {
                var token = try await signIn(house, ada)
                let first = try principal(house, token)
                if isStrong {
                    try await house.accounts.change {
                        try SessionProofs.prove(first.session, by: .passkey(.new(at: noon)), at: noon, in: $0)
                    }
                }
                let ids = try house.accounts.sessions(of: first).filter { $0.hash == first.session }.map(\.id)
                var hashes: [[UInt8]] = [first.session]
                for _ in 0..<2 {
                    token = try #require(try await house.accounts.renew(try principal(house, token))).text
                    try await house.accounts.confirmRenewal(try principal(house, token))
                    hashes.append(Token.hash(token))
                    house.wait(milliseconds: SessionRenewal.grace)
                }
                let told = Shared<[[UInt8]]>([])
                house.accounts.whenSessionEnds { hash in told.change { $0.append(hash) } }
                if isStrong {
                    await #expect(throws: Problem.self) { try await house.accounts.endSession(ids[0], of: thief) }
                    #expect(try house.accounts.principal(token: token) != nil)
                } else {
                    #expect(try await house.accounts.endSession(ids[0], of: thief))
                    #expect(try house.accounts.principal(token: token) == nil)
                    #expect(Set(told.value) == Set(hashes), "what hangs on any of its tokens is cut")
                }
            }
        }
    }

    @Test("All others are ended at once, and this one goes on: a browser with another token, a program with its own")
    func endOthers() async throws {
        try await House.run { house in
            let (ada, bruno) = (try await house.person("Ada"), try await house.person("Bruno"))
            let brunos = try await signIn(house, bruno)
            var tokens: [String] = []
            for n in 0..<4 { tokens.append(try await signIn(house, ada, isProgram: n == 0)) }
            let own = try principal(house, tokens[3])
            let alone = try await house.accounts.endOtherSessions(of: own)
            #expect(alone.ended == 3)
            let token = try #require(alone.token).text
            #expect(try tokens.allSatisfy { try house.accounts.principal(token: $0) == nil })
            let now = try principal(house, token)
            #expect(now.origin == own.origin, "ending others gives no new count of tries")
            #expect(now.line != own.line && now.proof == own.proof)
            #expect(try house.accounts.principal(token: brunos) != nil)
            #expect(try await house.accounts.endOtherSessions(of: now).ended == 0)
            let program = try principal(house, try await signIn(house, ada, isProgram: true))
            let left = try await house.accounts.endOtherSessions(of: program)
            #expect(left.token == nil && left.ended == 1)
            #expect(try house.accounts.principal(session: program.session) != nil)
        }
    }

    @Test("A copy of this browser's token, and what was made of it, is shut out with the others")
    func endCopies() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            for (age, byPassword) in [(0, false), (SessionRenewal.grace, false), (7_000, true)] {
                let own = try await signIn(house, ada)
                var copies = [own]
                for _ in 0..<3 {
                    if let copy = try await house.accounts.renew(principal(house, own)) { copies.append(copy.text) }
                    house.wait(milliseconds: age)
                }
                let alone =
                    byPassword
                    ? try await house.accounts.changePassword(
                        of: try principal(house, own), current: House.password, new: "another long one",
                        from: Visitor(address: "192.0.2.1")
                    ).alone : try await house.accounts.endOtherSessions(of: try principal(house, own))
                for copy in copies { #expect(try house.accounts.principal(token: copy) == nil) }
                #expect(try house.accounts.principal(token: try #require(alone.token).text) != nil)
            }
        }
    }

    @Test("Of two ends of all others at once one is done, and the other is told to sign in")
    func endOthersTwice() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let own = try principal(house, try await signIn(house, ada))
            @Sendable func end() async -> Result<Accounts.Alone, any Error> {
                do { return .success(try await house.accounts.endOtherSessions(of: own)) } catch {
                    return .failure(error)
                }
            }
            async let (one, two) = (end(), end())
            let both = await [one, two]
            let done = both.compactMap { try? $0.get().token }
            #expect(done.count == 1)
            #expect(try house.accounts.principal(token: done[0].text) != nil)
            let refusals = both.compactMap { result -> Problem? in
                if case .failure(let error) = result { error as? Problem } else { nil }
            }
            #expect(refusals.map(\.status) == [401])
        }
    }

    @Test("Another password takes the one that there is, ends all other sessions and stands in the hub's chain")
    func password() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let (one, two) = (try await signIn(house, ada), try await signIn(house, ada))
            let own = try principal(house, one)
            let visitor = Visitor(address: "192.0.2.1")
            func change(_ current: String, _ new: String) async throws -> Accounts.Alone {
                try await house.accounts.changePassword(of: own, current: current, new: new, from: visitor).alone
            }
            await #expect(throws: AccountRefusal.wrongPassword) { _ = try await change("wrong", "another long one") }
            let refused: [(String, AccountRefusal)] = [
                ("short", .weakPassword(.tooShort)), (House.password, .invalid(field: "password")),
                (String(repeating: "x", count: 1025), .weakPassword(.tooLong)),
            ]
            for (bad, refusal) in refused {
                await #expect(throws: refusal) { _ = try await change(House.password, bad) }
            }
            #expect(try house.accounts.principal(token: two) != nil)
            let alone = try await change(House.password, "another long one")
            #expect(alone.ended == 1)
            for token in [one, two] { #expect(try house.accounts.principal(token: token) == nil) }
            #expect(try house.accounts.principal(token: try #require(alone.token).text) != nil)
            await #expect(throws: AccountRefusal.wrongPassword) { _ = try await signIn(house, ada) }
            _ = try await signIn(house, ada, password: "another long one")
            let events = try Ledger(house.store).events(of: .hub, after: 0, limit: 10)
            #expect(events.map(\.kind) == ["password.changed"])
            #expect(events.map(\.person) == [ada.id])
        }
    }

    @Test("A session without its password gets ten tries at it")
    func passwordGuesses() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let own = try principal(house, try await signIn(house, ada))
            for n in 0..<12 {
                await #expect(
                    throws: n < 10 ? AccountRefusal.wrongPassword : .tooManyAttempts(retryAfterSeconds: 600)
                ) {
                    _ = try await house.accounts.changePassword(
                        of: own, current: "wrong \(n)", new: "another long one", from: Visitor(address: "192.0.2.1"))
                }
            }
            _ = try await signIn(house, ada)
        }
    }

    @Test(
        "What a browser says of itself becomes two words at most",
        arguments: [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                "Chrome on Linux"
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
                "Chromium on Linux"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0",
                "Edge on Windows"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari on iPhone"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
                "Safari on macOS"
            ),
            ("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"),
            (
                "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
                "Samsung Internet on Android"
            ),
            ("curl/8.14.1", nil), ("", nil), ("<script>alert(1)</script> Firefox/1", nil), ("Mozilla/5.0", nil),
            (String(repeating: "x", count: 600) + "Linux", nil),
        ] as [(String, String?)])
    func clients(_ userAgent: String, _ text: String?) {
        let client = Client(userAgent: userAgent)
        #expect(client.text(on: "on") == text)
        #expect(Client(stored: client.stored) == client)
    }

    @Test("What cannot be read of a stored client is unknown")
    func storedClients() {
        for text in [nil, "", "|", "x", "Firefox", "Firefox|Linux|x", "||||", "Netscape|BeOS"] as [String?] {
            #expect(Client(stored: text).system == nil)
        }
    }
}
