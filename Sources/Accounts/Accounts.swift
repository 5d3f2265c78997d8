import Crypto
import HTTPServer
import Identity
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
    /// The new password is one that others would try.
    case weakPassword(PasswordFault)
}

/// Who people are, and how they prove it.
public final class Accounts: Sendable {
    /// The database.
    public let store: Store
    public let clock: WallClock
    let passwords: Passwords
    /// Addresses to which letters are counted: by why they go and who asks for them, and by all who want the address.
    /// - Key: hub
    static let lettersCapacity = 10_000
    /// Milliseconds of a clock that never jumps: what limits are counted by.
    let uptime: @Sendable () -> UInt64
    let known = Mutex(Known())
    let attempts = Mutex(AttemptLimit())
    let requests = Mutex(RequestLimits())
    let changes = Mutex(ChangeLimit())
    let programs = Mutex(ProgramPlaces())
    private let waysTold = Mutex(Allowances<Told>(LimitedAction.lettersOfWays, capacity: lettersCapacity))
    let invitations = Mutex(Allowances<SiteID>(LimitedAction.lettersOfSite, capacity: lettersCapacity))
    let letters = Mutex(Allowances<AskedLetter>(LimitedAction.lettersToOne, capacity: lettersCapacity))
    let claims = Mutex(Allowances<AttemptLimit.Account>(LimitedAction.lettersOfClaims, capacity: lettersCapacity))
    /// What sessions were used for since it was last written down.
    let uses = Mutex<[[UInt8]: SessionUse]>([:])
    private let endings = Mutex<[@Sendable ([UInt8]) -> Void]>([])
    private let beginnings = Mutex<[@Sendable (SignIn) -> Void]>([])
    private let wayChanges = Mutex<[@Sendable (Person, WayChange) -> Void]>([])
    private let offshoots = Mutex<[@Sendable (PersonID, Timestamp, Database) throws -> Void]>([])
    private let takeovers = Mutex<[@Sendable (PersonID, Database) throws -> Void]>([])
    private let raises = Mutex<[@Sendable (Raise, Database) throws -> Void]>([])

    /// Sessions seen lately, so that a request that nothing changed for needs no query.
    struct Known {
        var generation: UInt64 = 0
        var sessions: [[UInt8]: Remembered] = [:]
    }

    /// A session as it is remembered.
    struct Remembered {
        let principal: Principal
        let expires: Timestamp
        /// When its last use was noted.
        var seen: Timestamp
    }

    /// - Parameters:
    ///   - store: opened with `AccountRecords.migrations`.
    ///   - passwords: shared by all who check passwords, since its queue is what bounds them.
    ///   - clock: the clock.
    ///   - uptime: milliseconds of a clock that never jumps, for limits.
    public init(
        store: Store, passwords: Passwords, clock: WallClock,
        uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }
    ) {
        (self.store, self.passwords, self.clock, self.uptime) = (store, passwords, clock, uptime)
    }

    /// Calls a closure with the hash of every session that ends or reaches less than it did, so that what hangs on it (a live stream) is
    /// cut; that of one that goes on comes back with what is left.
    public func whenSessionEnds(_ body: @escaping @Sendable ([UInt8]) -> Void) { endings.withLock { $0.append(body) } }

    /// Calls a closure with every sign-in, after its session has begun.
    public func whenSomebodySignsIn(_ body: @escaping @Sendable (SignIn) -> Void) {
        beginnings.withLock { $0.append(body) }
    }

    /// What has changed in how somebody gets in.
    public enum WayChange: Sendable, Equatable {
        /// A passkey or another service opens the account from now on.
        case added
        /// A passkey or another service opens it no more.
        case removed
        /// The original system's app opens old gates from now on.
        case originalApp
        /// There is another password.
        case password
        /// Another session of theirs was ended.
        case signedOut
        /// Another device of theirs gets no notices any more.
        case unheard
        /// Their account is no more. What the letter takes is only in it.
        case deleted
    }

    /// What letters about an account are counted by: where they go, so that one account made after another for an address counts as one.
    private struct Told: Hashable {
        let address: String
        /// Nil: that they signed in on a device that was not seen before.
        let change: WayChange?
        /// Whether a program signed in.
        var isProgram = false
    }

    /// Says who wants to know that somebody gets in by something else than before.
    public func whenWaysChange(_ body: @escaping @Sendable (Person, WayChange) -> Void) {
        wayChanges.withLock { $0.append(body) }
    }

    /// Says how to take away what another part of the hub gave somebody to get in by. It runs in the transaction in which they shut out
    /// everybody else: by another password, by ending all other sessions, by the letter that shows that an account is theirs.
    public func whenOthersAreShutOut(_ body: @escaping @Sendable (PersonID, Timestamp, Database) throws -> Void) {
        offshoots.withLock { $0.append(body) }
    }

    func endOffshoots(of person: PersonID, at now: Timestamp, in database: Database) throws {
        for end in offshoots.withLock({ $0 }) { try end(person, now, database) }
    }

    /// Says how to take back what another part of the hub let somebody choose. It runs in the transaction in which the holder of an address
    /// takes over an account that nobody had confirmed, invited by a letter or by choosing a forgotten password: whoever made it, and chose for it, may
    /// have been another.
    public func whenTakenOver(_ body: @escaping @Sendable (PersonID, Database) throws -> Void) {
        takeovers.withLock { $0.append(body) }
    }

    /// Takes from an account what was there before its holder showed that it is theirs: ways in, photo, and what was chosen.
    func takeOver(_ person: PersonID, at now: Timestamp, in database: Database) throws {
        try WayRecords.removeAll(of: person, at: now, in: database)
        try PhotoRecords.remove(of: person, in: database)
        try AccountRecords.setLanguage(nil, of: person, in: database)
        try AccountRecords.setZone(nil, of: person, in: database)
        for take in takeovers.withLock({ $0 }) { try take(person, database) }
    }

    /// Somebody is to change a site who could not: what another made for them there by less must not follow them.
    public struct Raise: Sendable {
        /// Whose rights they are.
        public let person: PersonID
        /// Where.
        public let site: SiteID
        /// Who gives them; nil: nobody who is known.
        public let author: PersonID?
        /// When.
        public let at: Timestamp
    }

    /// Says how to take away what another part of the hub gave somebody to get in by, where they are raised. It runs in the transaction of
    /// the raise.
    public func whenRaised(_ body: @escaping @Sendable (Raise, Database) throws -> Void) {
        raises.withLock { $0.append(body) }
    }

    func tell(_ raise: Raise, in database: Database) throws {
        for end in raises.withLock({ $0 }) { try end(raise, database) }
    }

    /// Tells somebody by a letter that they get in by something else than before.
    public func tell(_ person: Person, of change: WayChange) {
        guard admitsLetter(to: person, of: change) else { return }
        for body in wayChanges.withLock({ $0 }) { body(person, change) }
    }

    /// Counts a letter about an account: who has had ten of a kind in a row knows, and a letter that matters waits behind no hundreds. Each
    /// kind for itself: those of the app come from others, too.
    public func admitsLetter(to person: Person, of change: WayChange) -> Bool {
        admits(Told(address: person.email, change: change))
    }

    /// The same for a letter about a sign-in.
    public func admitsLetter(of signIn: SignIn) -> Bool {
        admits(Told(address: signIn.person.email, change: nil, isProgram: signIn.isProgram))
    }

    private func admits(_ told: Told) -> Bool {
        let now = uptime()
        return waysTold.withLock { ways in
            if ways.wait(told, now) > 0 { return false }
            ways.take(told, now)
            return true
        }
    }

    func tell(_ signIn: SignIn) { for beginning in beginnings.withLock({ $0 }) { beginning(signIn) } }

    /// Tells whoever wants to know that sessions have ended, or reach less than they did.
    public func announceEnd(of hashes: [[UInt8]]) {
        for ending in endings.withLock({ $0 }) { for hash in hashes { ending(hash) } }
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
    /// - Parameter site: the name of its site, where there is one: no part of a good password.
    /// - Throws: `AccountRefusal.invalid` with the first field that will not do; `weakPassword`.
    public static func check(
        name: String, email: String, password: String?, site: String? = nil
    ) throws(AccountRefusal) {
        guard GivenName.fits(name, longest: GivenName.longestOfPerson),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
        else {
            throw .invalid(field: "name")
        }
        guard EmailAddress.isOne(email) else { throw .invalid(field: "email") }
        if let password, let fault = PasswordQuality.fault(of: password, about: [name, email, site ?? ""]) {
            throw .weakPassword(fault)
        }
    }

    /// The hash to store for a new password.
    /// - Throws: `AccountRefusal.busy`.
    public func passwordHash(_ password: String, for asker: Passwords.Asker = .stranger) async throws -> String {
        do { return try await passwords.hash(password, for: asker) } catch { throw AccountRefusal.busy }
    }

    /// The same for somebody who is signed in. Who sets many at once waits for their own.
    /// - Throws: 503 after a few seconds.
    public func passwordHash(_ password: String, by person: PersonID) async throws -> String {
        do { return try await passwordHash(password, showing: person.raw.bytes, of: person) } catch AccountRefusal.busy
        {
            throw Problem.unavailable("Many passwords are set at this moment.", retryAfter: 2)
        }
    }

    /// The same for one of several secrets that are tried together.
    /// - Parameters:
    ///   - others: the hashes of the others.
    ///   - site: whose they are.
    /// - Throws: 503 after a few seconds.
    public func passwordHash(
        _ secret: String, beside others: [String], at site: SiteID, by person: PersonID
    ) async throws -> String {
        let asker = Passwords.Asker.known(person.raw.bytes, of: site.raw.bytes)
        do {
            return try await waiting(as: asker) { try await passwords.hash(secret, beside: others, for: asker) }
        } catch AccountRefusal.busy {
            throw Problem.unavailable("Many passwords are set at this moment.", retryAfter: 2)
        }
    }

    /// The same for who shows what strangers do not have: a session, the link of a letter, an invitation.
    /// - Parameters:
    ///   - name: whose it is.
    ///   - person: who they are; nil: they have no account yet.
    /// - Throws: `AccountRefusal.busy` after a few seconds.
    public func passwordHash(_ password: String, showing name: [UInt8], of person: PersonID?) async throws -> String {
        let asker = try asker(name, person)
        return try await waiting(as: asker) { try await passwords.hash(password, for: asker) }
    }

    /// To which of a site's hashes a secret belongs, for secrets that are kept as passwords are. For a person who is signed in, and waits for
    /// their turn: among those of that site.
    /// - Throws: `AccountRefusal.busy` after a few seconds.
    public func matches(
        _ secret: String, hashes: [String], at site: SiteID, by person: PersonID
    ) async throws -> [Bool] {
        let asker = Passwords.Asker.known(person.raw.bytes, of: site.raw.bytes)
        return try await waiting(as: asker) { try await passwords.verify(secret, againstEach: hashes, for: asker) }
    }

    /// Looks at a password. Who is known waits for their turn.
    /// - Throws: `AccountRefusal.busy`: for strangers at once, for others after a few seconds.
    func verify(_ secret: String, against hash: String?, for asker: Passwords.Asker) async throws -> Bool {
        try await waiting(as: asker) { try await passwords.verify(secret, against: hash, for: asker) }
    }

    /// Somebody who is known, among those of their site: a thousand accounts of another one do not come before them.
    func asker(_ name: [UInt8], _ person: PersonID?) throws -> Passwords.Asker {
        let site = try person.flatMap { person in try store.read { try AccountRecords.firstSite(of: person, in: $0) } }
        return .known(name, of: site?.raw.bytes ?? [])
    }

    /// So often, 50 ms apart, who is known asks for a place in the queue of passwords.
    private static let tries = 100

    private func waiting<T>(
        as asker: Passwords.Asker, _ body: nonisolated(nonsending) () async throws -> T
    ) async throws -> T {
        let tries = if case .known = asker { Self.tries } else { 1 }
        for number in 1...tries {
            do { return try await body() } catch is Passwords.Busy {
                if number < tries { try await Task.sleep(for: .milliseconds(50)) }
            }
        }
        throw AccountRefusal.busy
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
        try Self.check(name: person.name, email: person.email, password: password, site: site.name)
        guard GivenName.fits(site.name, longest: 120) else { throw AccountRefusal.invalid(field: "site") }
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
