import Crypto
import HTTPServer
import Identity
import Ledger
import Store
import System
import Wire

extension Accounts {
    /// A good sign-in.
    public struct SignedIn: Sendable {
        /// Shown once and stored hashed.
        public let token: Token
        /// Who it is.
        public let person: Person
        /// What a browser keeps to be known again: the value of `KnownDevice.cookie`.
        public let device: String
    }

    /// That somebody has just signed in.
    public struct SignIn: Sendable {
        /// Who.
        public let person: Person
        /// By what.
        public let method: ProofMethod
        /// Whence, and with what.
        public let visitor: Visitor
        /// Whether this browser never was signed in as them before, as far as it can tell; of a program: see `ProgramPlaces`.
        public let isNewDevice: Bool
        /// Whether it is a program's session.
        public let isProgram: Bool
        /// When.
        public let at: Timestamp
    }

    /// The longest password that is looked at, in bytes.
    static let longestPassword = 1024

    /// Signs somebody in who shows nothing but a password.
    /// - Parameters:
    ///   - email: in any case, with or without blanks around it.
    ///   - address: where the request came from, for the limits on attempts.
    ///   - isProgram: whether the token is for a program, which sends it as a bearer token.
    /// - Returns: the token, which is shown once and stored hashed.
    public func signIn(
        email: String, password: String, address: String, isProgram: Bool
    ) async throws -> (token: Token, person: Person) {
        let signedIn = try await signIn(
            email: email, password: password, from: Visitor(address: address), isProgram: isProgram)
        return (signedIn.token, signedIn.person)
    }

    /// Signs somebody in.
    /// - Parameters:
    ///   - email: in any case, with or without blanks around it.
    ///   - visitor: where the request came from and with what, for the limits on attempts and the list of sessions.
    ///   - isProgram: whether the token is for a program, which sends it as a bearer token.
    /// - Throws: `AccountRefusal`.
    public func signIn(
        email: String, password: String, from visitor: Visitor, isProgram: Bool
    ) async throws -> SignedIn {
        let email = Self.normalised(email)
        let key = try await deviceKey()
        let found = try store.read { database -> (person: Person, hash: String?)? in
            guard let person = try AccountRecords.person(email: email, in: database) else { return nil }
            // Nil, too, for an account that has no password yet: the same work as for one that does not exist.
            return (person, try AccountRecords.passwordHash(of: person.id, in: database))
        }
        let now = clock.now
        let device = found.flatMap { found -> [UInt8]? in
            guard let shown = visitor.device, let hash = found.hash else { return nil }
            return KnownDevice.name(in: shown, of: found.person.id, passwordHash: hash, at: now, key: key)
        }
        let attempt = AttemptLimit.Attempt(
            account: .init(email), network: ClientNetwork(visitor.address), device: device)
        guard try await isRight(password, found?.hash, attempt, found?.person.id), let found, let hash = found.hash
        else {
            throw AccountRefusal.wrongPassword
        }
        return try await begin(found.person, hash, .password, visitor, isProgram: isProgram, key)
    }

    /// Begins a session of somebody who has proven who they are, and tells whoever wants to know of it.
    /// - Parameter hash: of their password, or what stands in its place: another one makes every device a stranger.
    /// - Throws: `AccountRefusal.wrongPassword` when that way in was taken away meanwhile.
    func begin(
        _ person: Person, _ hash: String, _ way: ProofWay, _ visitor: Visitor, isProgram: Bool, _ key: Key
    ) async throws -> SignedIn {
        let now = clock.now
        let isKnown =
            visitor.device.flatMap { KnownDevice.name(in: $0, of: person.id, passwordHash: hash, at: now, key: key) }
            != nil
        let token = try await beginSession(of: person.id, by: way, hash, for: visitor, isProgram: isProgram)
        let isNew = isProgram ? programs.withLock { $0.note(visitor, of: person.id) } : !isKnown
        tell(
            SignIn(
                person: person, method: way.method, visitor: visitor, isNewDevice: isNew, isProgram: isProgram, at: now)
        )
        return SignedIn(
            token: token, person: person,
            device: KnownDevice.make(for: person.id, passwordHash: hash, at: now, key: key))
    }

    /// Checks a secret under the limits on attempts, with the same work whether there is an account or not.
    /// - Parameters:
    ///   - stored: from `passwordHash`; nil when there is no such account.
    ///   - account: what attempts are counted under, together with the network that they come from.
    /// - Throws: `AccountRefusal` unless it is right.
    public func check(_ secret: String, against stored: String?, account: String, address: String) async throws {
        let attempt = AttemptLimit.Attempt(account: .init(account), network: ClientNetwork(address), device: nil)
        guard try await isRight(secret, stored, attempt, nil) else { throw AccountRefusal.wrongPassword }
    }

    /// Looks at a password, within the limits.
    /// - Parameter person: whose it is to be; nil: there is no such account.
    func isRight(
        _ password: String, _ hash: String?, _ attempt: AttemptLimit.Attempt, _ person: PersonID?
    ) async throws -> Bool {
        let now = uptime()
        if let seconds = attempts.withLock({ $0.begin(attempt, now) }) {
            throw AccountRefusal.tooManyAttempts(retryAfterSeconds: seconds)
        }
        guard password.utf8.count <= Self.longestPassword else { return false }
        let isRight: Bool
        do {
            let asker = attempt.device == nil ? .stranger : try asker(attempt.account.bytes, person)
            isRight = try await verify(password, against: hash, for: asker)
        } catch {
            attempts.withLock { $0.withdraw(attempt) }
            throw AccountRefusal.busy
        }
        if isRight { attempts.withLock { $0.succeeded(attempt) } }
        return isRight
    }

    /// Changes somebody's own password, ends all their other sessions, and tells them by a letter.
    /// - Parameters:
    ///   - current: the password that they have.
    ///   - new: 10 to 1,024 bytes, and another one.
    /// - Returns: what this browser keeps to be known again, and what it goes on with.
    /// - Throws: `AccountRefusal`: `wrongPassword`, `invalid` (field `password`), `tooManyAttempts`, `busy`.
    public func changePassword(
        of principal: Principal, current: String, new: String, from visitor: Visitor
    ) async throws -> (device: String, alone: Alone) {
        let person = principal.person
        try Self.check(name: person.name, email: person.email, password: new)
        guard new != current else { throw AccountRefusal.invalid(field: "password") }
        let key = try await deviceKey()
        let before = try store.read { try AccountRecords.passwordHash(of: person.id, in: $0) }
        guard try await isRight(current, before, .init(of: principal, from: visitor), person.id), let before else {
            throw AccountRefusal.wrongPassword
        }
        let after: String
        do { after = try await passwordHash(new, by: person.id) } catch is Problem { throw AccountRefusal.busy }
        let now = clock.now
        let alone = try await shutOut(by: principal, at: now) { database in
            guard
                try SessionRecords.changePassword(of: person.id, from: before, to: after, at: now, in: database)
            else { throw AccountRefusal.wrongPassword }
            // Who uses an address without having shown that it is theirs takes no letter from its holder.
            if try LinkRecords.confirmed(person.id, in: database) == nil {
                try LinkRecords.endWishes(of: person.id, in: database)
            } else {
                try LinkRecords.end(of: person.id, in: database)
            }
        }
        tell(person, of: .password)
        return (KnownDevice.make(for: person.id, passwordHash: after, at: now, key: key), alone)
    }

    /// The hub's key for known devices; made when it is first needed.
    func deviceKey() async throws -> Key {
        if let kept = try store.read({ try AccountRecords.deviceKey(in: $0) }) { return kept }
        let (name, new) = (AccountRecords.deviceKeyName, Random.bytes(32))
        let kept = try await store.write(.vital) { database -> [UInt8] in
            if let kept = try AccountRecords.hubValue(name, in: database) { return kept }
            try AccountRecords.setHubValue(name, new, in: database)
            return new
        }
        guard let key = Key(kept) else { throw SystemError("the hub's key for known devices is damaged") }
        return key
    }
}

extension AccountRecords {
    static let deviceKeyName = "device-key"

    /// The hub's key for known devices; nil: nobody has signed in yet.
    static func deviceKey(in database: Database) throws -> Key? {
        try hubValue(deviceKeyName, in: database).flatMap { Key($0) }
    }
}
