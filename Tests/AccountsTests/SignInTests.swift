import Accounts
import Crypto
import Store
import System
import Testing

@Suite("Signing in")
struct SignInTests {
    private func refusal(_ house: House, _ email: String, _ password: String, from address: String = "::1") async
        -> AccountRefusal?
    {
        do {
            _ = try await house.accounts.signIn(email: email, password: password, address: address, isProgram: false)
            return nil
        } catch { return error as? AccountRefusal }
    }

    @Test("The right password gives a token that proves who it is; what is stored of it is its hash")
    func right() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let (token, person) = try await house.accounts.signIn(
                email: "  ADA@Example.ORG ", password: House.password, address: "::1", isProgram: true)
            #expect(person == ada)
            let principal = try #require(try house.accounts.principal(token: token.text))
            #expect(principal.person == ada)
            #expect(principal.isProgram)
            #expect(principal.session == Token.hash(token.text))
            let file =
                try Files.read(house.store.path + "-wal", limit: 64 << 20)
                + Files.read(house.store.path, limit: 64 << 20)
            #expect(!file.contains(Array(token.text.utf8)))
            #expect(!file.contains(Array(House.password.utf8)))
        }
    }

    @Test("A wrong password and an unknown address are refused with the same words")
    func wrong() async throws {
        try await House.run { house in
            try await house.person("Ada")
            for (email, password) in [
                ("ada@example.org", "wrong"), ("ada@example.org", ""), ("nobody@example.org", House.password), ("", ""),
                ("ada@example.org", String(repeating: "x", count: 5000)),
                ("nobody@example.org", String(repeating: "x", count: 5000)),
            ] { #expect(await refusal(house, email, password, from: "\(email)\(password.count)") == .wrongPassword) }
        }
    }

    @Test("Tokens that were never given, were changed or are no tokens prove nobody")
    func strangers() async throws {
        try await House.run { house in
            let ada = try await house.person("Ada")
            let token = try await house.token(ada)
            var changed = Array(token)
            changed[5] = changed[5] == "A" ? "B" : "A"
            for text in [
                String(changed), "", token + "=", String(token.dropLast()), Token().text, token.lowercased() + "x",
            ] {
                #expect(try house.accounts.principal(token: text) == nil)
            }
            #expect(try house.accounts.principal(token: token) != nil)
        }
    }

    @Test("Ten wrong ones from one address close that account to that address for ten minutes, and nobody else's")
    func attempts() async throws {
        try await House.run { house in
            try await house.person("Ada")
            try await house.person("Bruno")
            for _ in 0..<10 {
                #expect(await refusal(house, "ada@example.org", "wrong", from: "10.0.0.1") == .wrongPassword)
            }
            #expect(
                await refusal(house, "ada@example.org", House.password, from: "10.0.0.1")
                    == .tooManyAttempts(retryAfterSeconds: 600))
            house.wait(milliseconds: 1)
            #expect(
                await refusal(house, " ADA@example.org", House.password, from: "10.0.0.1")
                    == .tooManyAttempts(retryAfterSeconds: 600))
            #expect(await refusal(house, "ada@example.org", House.password, from: "10.0.0.2") == nil)
            #expect(await refusal(house, "bruno@example.org", House.password, from: "10.0.0.1") == nil)
            house.wait(milliseconds: 599_998)
            #expect(
                await refusal(house, "ada@example.org", House.password, from: "10.0.0.1")
                    == .tooManyAttempts(retryAfterSeconds: 1))
            house.wait(milliseconds: 1)
            #expect(await refusal(house, "ada@example.org", House.password, from: "10.0.0.1") == nil)
        }
    }

    @Test("Twenty-five wrong ones at the same moment are ten that are looked at")
    func attemptsAtOnce() async throws {
        try await House.run { house in
            try await house.person("Ada")
            let refusals = await withTaskGroup(of: AccountRefusal?.self) { group in
                for _ in 0..<25 { group.addTask { await refusal(house, "ada@example.org", "wrong") } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(refusals.count { $0 == .wrongPassword } == 10)
            #expect(refusals.count { $0 == .tooManyAttempts(retryAfterSeconds: 600) } == 15)
        }
    }

    @Test("Addresses without an account are closed in the same way, so that nobody learns which exist")
    func attemptsOfUnknown() async throws {
        try await House.run { house in
            for _ in 0..<10 { #expect(await refusal(house, "nobody@example.org", "x") == .wrongPassword) }
            #expect(await refusal(house, "nobody@example.org", "x") == .tooManyAttempts(retryAfterSeconds: 600))
        }
    }

    @Test("The right password in between starts the count anew, and after the pause it does too")
    func attemptsReset() async throws {
        try await House.run { house in
            try await house.person("Ada")
            for _ in 0..<2 {
                for _ in 0..<9 { #expect(await refusal(house, "ada@example.org", "wrong") == .wrongPassword) }
                #expect(await refusal(house, "ada@example.org", House.password) == nil)
            }
            for _ in 0..<10 { #expect(await refusal(house, "ada@example.org", "wrong") == .wrongPassword) }
            house.wait(milliseconds: 600_000)
            for _ in 0..<10 { #expect(await refusal(house, "ada@example.org", "wrong") == .wrongPassword) }
            #expect(await refusal(house, "ada@example.org", "wrong") == .tooManyAttempts(retryAfterSeconds: 600))
        }
    }
}

extension [UInt8] {
    /// Whether some bytes stand in these.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard let first = part.first, count >= part.count else { return part.isEmpty }
        return (0...count - part.count).contains { self[$0] == first && Array(self[$0..<$0 + part.count]) == part }
    }
}
