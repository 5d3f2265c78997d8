import Crypto
import Ledger
import Store
import Synchronization
import System
import Wire

/// Why somebody is not signed in, or cannot become the owner.
public enum AccountRefusal: Error, Sendable, Equatable {
    /// The address and the password do not belong together, or there is no such account: nobody is told which.
    case wrongPassword
    /// Too many wrong passwords for this account from this address.
    case tooManyAttempts(retryAfterSeconds: Int)
    /// Too many sign-ins at this moment.
    case busy
    /// The set-up code is not the one in the folder of data, or was used.
    case wrongSetupCode
    /// Somebody has that address already.
    case addressTaken
    /// The new account's fields: which, and why, as codes that a page has words for.
    case invalid(field: String)
}

/// Who people are, and how they prove it.
public final class Accounts: Sendable {
    /// The database.
    public let store: Store
    /// The clock.
    public let clock: WallClock
    private let passwords: Passwords
    private let known = Mutex(Known())
    private let attempts = Mutex(AttemptLimit())
    private let endings = Mutex<[@Sendable ([UInt8]) -> Void]>([])

    /// Sessions seen lately, so that a request that nothing changed for needs no query.
    private struct Known {
        var generation: UInt64 = 0
        var sessions: [[UInt8]: (principal: Principal, expires: Timestamp)] = [:]
    }

    /// At most so many are remembered.
    static let rememberedSessions = 4096
    /// A session in a browser lasts so long, in milliseconds: 30 days.
    static let browserLifetime: Int64 = 30 * 86_400_000
    /// A program's lasts so long: a day.
    static let programLifetime: Int64 = 86_400_000

    /// - Parameters:
    ///   - store: opened with `AccountRecords.migrations`.
    ///   - passwords: shared by all who check passwords, since its queue is what bounds them.
    ///   - clock: the clock.
    public init(store: Store, passwords: Passwords, clock: WallClock) {
        (self.store, self.passwords, self.clock) = (store, passwords, clock)
    }

    // MARK: changes

    /// Runs a change of anything that a principal is made of, and forgets the remembered principals after it.
    public func change<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        let result = try await store.write(body)
        known.withLock {
            $0.generation += 1
            $0.sessions.removeAll(keepingCapacity: true)
        }
        return result
    }

    /// Calls a closure with the hash of every session that ends, so that what hangs on it (a live stream) is cut.
    public func whenSessionEnds(_ body: @escaping @Sendable ([UInt8]) -> Void) { endings.withLock { $0.append(body) } }

    // MARK: sessions

    /// Whom a shown token proves, nil when nobody.
    public func principal(token: String) throws -> Principal? {
        guard token.utf8.count == 43 else { return nil }
        return try principal(session: Token.hash(token))
    }

    /// Whom a session proves, by the hash of its token; nil when it has ended.
    public func principal(session hash: [UInt8]) throws -> Principal? {
        let now = clock.now
        let (remembered, generation) = known.withLock { ($0.sessions[hash], $0.generation) }
        if let remembered { return remembered.expires > now ? remembered.principal : nil }
        guard let (principal, expires) = try store.read({ try AccountRecords.principal(hash, in: $0) }), expires > now
        else { return nil }
        known.withLock { known in
            // Something changed while we looked: what we found may be older than that change.
            guard known.generation == generation else { return }
            if known.sessions.count >= Self.rememberedSessions { known.sessions.removeAll(keepingCapacity: true) }
            known.sessions[hash] = (principal, expires)
        }
        return principal
    }

    /// Signs somebody in.
    /// - Parameters:
    ///   - email: in any case, with or without blanks around it.
    ///   - address: where the request came from, for the limit on attempts.
    ///   - isProgram: whether the token is for a program, which sends it as a bearer token.
    /// - Returns: the token, which is shown once and stored hashed.
    public func signIn(
        email: String, password: String, address: String, isProgram: Bool
    ) async throws -> (token: Token, person: Person) {
        let email = Self.normalised(email)
        let attempt = AttemptLimit.Key(account: email, address: address)
        let start = clock.now
        if let seconds = attempts.withLock({ $0.begin(attempt, start) }) {
            throw AccountRefusal.tooManyAttempts(retryAfterSeconds: seconds)
        }
        let found = try store.read { database -> (Person, String)? in
            guard let person = try AccountRecords.person(email: email, in: database) else { return nil }
            return (person, try AccountRecords.passwordHash(of: person.id, in: database) ?? "")
        }
        let matches: Bool
        do {
            matches = password.utf8.count <= 1024 ? try await passwords.verify(password, against: found?.1) : false
        } catch {
            attempts.withLock { $0.withdraw(attempt) }
            throw AccountRefusal.busy
        }
        guard matches, let person = found?.0 else { throw AccountRefusal.wrongPassword }
        attempts.withLock { $0.succeeded(attempt) }
        let token = Token()
        let now = clock.now
        let expires = now.adding(milliseconds: isProgram ? Self.programLifetime : Self.browserLifetime)
        try await store.write { database in
            try AccountRecords.addSession(
                Token.hash(token.text), of: person.id, isProgram: isProgram, created: now, expires: expires,
                in: database)
        }
        return (token, person)
    }

    /// Ends a session and cuts what hangs on it.
    public func signOut(_ principal: Principal) async throws {
        let hash = principal.session
        try await change { try AccountRecords.removeSession(hash, in: $0) }
        cut(hash)
    }

    /// Tells those who asked that a session has ended.
    func cut(_ session: [UInt8]) {
        for ending in endings.withLock({ $0 }) { ending(session) }
    }

    /// Cuts what hangs on sessions that a change has removed.
    public func ended(_ sessions: [[UInt8]]) {
        for session in sessions { cut(session) }
    }

    // MARK: new accounts

    /// An address as it is stored and looked for.
    public static func normalised(_ email: String) -> String {
        var text = Substring(email)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text.lowercased()
    }

    /// Checks the fields of an account that is to be.
    /// - Throws: `AccountRefusal.invalid` with the first field that will not do.
    public static func check(name: String, email: String, password: String?) throws(AccountRefusal) {
        guard (1...120).contains(name.count),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
        else {
            throw .invalid(field: "name")
        }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard email.utf8.count <= 254, parts.count == 2, !parts[0].isEmpty, parts[1].contains("."),
            !parts[1].hasPrefix("."),
            !parts[1].hasSuffix("."),
            !email.contains(where: { $0.isWhitespace || $0.isNewline || ",;<>()[]\\\"".contains($0) })
        else { throw .invalid(field: "email") }
        if let password, !(10...1024).contains(password.utf8.count) { throw .invalid(field: "password") }
    }

    /// The hash to store for a new password.
    public func passwordHash(_ password: String) async throws -> String {
        do { return try await passwords.hash(password) } catch { throw AccountRefusal.busy }
    }

    // MARK: the first run

    /// Whether the first-run page is still open.
    public func isEmpty() throws -> Bool { try store.read { try AccountRecords.isEmpty(in: $0) } }

    /// While nobody has an account, makes sure that there is a set-up code in the folder of data.
    public func prepareFirstRun(folder: String) async throws {
        guard try isEmpty() else { return Files.remove(folder + "/setup-code") }
        let code = PairingCode(Random.bytes(16))!
        try await store.write { try AccountRecords.setHubValue("setup-code", Token.hash(code.text), in: $0) }
        try Files.replace(folder + "/setup-code", with: Array((code.text + "\n").utf8))
    }

    /// Makes the first owner and the first site, for whoever brings the set-up code.
    public func firstRun(code: String, person: Person, password: String, site: Site, folder: String) async throws {
        try Self.check(name: person.name, email: person.email, password: password)
        guard (1...120).contains(site.name.count) else { throw AccountRefusal.invalid(field: "site") }
        guard let code = PairingCode(text: code) else { throw AccountRefusal.wrongSetupCode }
        // Looked at before the slow hash, and once more in the transaction that uses the code up.
        guard try store.read({ try Self.isSetupCode(code, in: $0) }) else { throw AccountRefusal.wrongSetupCode }
        let hash = try await passwordHash(password)
        let now = clock.now
        try await change { database in
            guard try AccountRecords.isEmpty(in: database), try Self.isSetupCode(code, in: database) else {
                throw AccountRefusal.wrongSetupCode
            }
            try database.execute("DELETE FROM hub WHERE name = 'setup-code'")
            try AccountRecords.add(person, passwordHash: hash, at: now, in: database)
            try AccountRecords.add(site, at: now, by: person.id, in: database)
            let owner = Membership(
                id: .new(at: now), person: person.id, site: site.id, permission: .owner, role: nil, firstDay: nil,
                lastDay: nil)
            try AccountRecords.add(owner, at: now, by: person.id, in: database)
        }
        Files.remove(folder + "/setup-code")
    }

    private static func isSetupCode(_ code: PairingCode, in database: Database) throws -> Bool {
        guard let stored = try AccountRecords.hubValue("setup-code", in: database) else { return false }
        return constantTimeEquals(stored, Token.hash(code.text))
    }
}
