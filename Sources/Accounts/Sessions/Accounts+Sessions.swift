import Crypto
import HTTPServer
import Identity
import Ledger
import Store
import System

extension Accounts {
    /// At most so many are remembered.
    static let rememberedSessions = 4096
    /// A session in a browser lasts so long, in milliseconds: 30 days.
    static let browserLifetime: Int64 = 30 * 86_400_000
    /// A program's lasts so long: a day.
    static let programLifetime: Int64 = 86_400_000
    /// The use of a session is noted once in so many milliseconds: ten minutes.
    static let useInterval: Int64 = 600_000
    /// What was noted is written down together after so long.
    static let useDelay = Duration.seconds(5)

    // MARK: who it is

    /// Whom a shown token proves, nil when nobody.
    /// - Parameter address: where it was shown, to be noted now and then.
    public func principal(token: String, from address: String? = nil) throws -> Principal? {
        guard token.utf8.count == 43 else { return nil }
        return try principal(session: Token.hash(token), from: address)
    }

    /// Whom a session proves, by the hash of its token; nil when it has ended.
    /// - Parameter address: where it was used, to be noted now and then; nil: nobody used it, we look it up ourselves.
    public func principal(session hash: [UInt8], from address: String? = nil) throws -> Principal? {
        let now = clock.now
        let (remembered, generation) = known.withLock { ($0.sessions[hash], $0.generation) }
        if let remembered {
            guard remembered.expires > now else { return nil }
            if let address, isDue(remembered, now) { note(hash, address, now) }
            return remembered.principal
        }
        guard let found = try store.read({ try AccountRecords.principal(hash, in: $0) }), found.expires > now
        else { return nil }
        known.withLock { known in
            // Something changed while we looked: what we found may be older than that change.
            guard known.generation == generation else { return }
            if known.sessions.count >= Self.rememberedSessions { known.sessions.removeAll(keepingCapacity: true) }
            known.sessions[hash] = found
        }
        if let address, isDue(found, now) { note(hash, address, now) }
        return found.principal
    }

    // MARK: when it was used

    /// Also after a clock was put back: else nothing would be noted until it is where it was.
    private func isDue(_ remembered: Remembered, _ now: Timestamp) -> Bool {
        let since = now.milliseconds - remembered.seen.milliseconds
        return since >= Self.useInterval || since < 0
    }

    private func note(_ hash: [UInt8], _ address: String, _ now: Timestamp) {
        known.withLock { $0.sessions[hash]?.seen = now }
        let isFirst = uses.withLock { uses in
            uses[hash] = SessionUse(at: now, address: String(address.prefix(64)))
            return uses.count == 1
        }
        guard isFirst else { return }
        Task {
            try? await Task.sleep(for: Self.useDelay)
            do { try await writeUses() } catch {
                Log.warning("accounts", "when sessions were last used was not written", ["why": "\(error)"])
            }
        }
    }

    /// Writes down when sessions were last used; also what was not due yet, before the hub stops.
    public func writeUses() async throws {
        let noted = uses.withLock { uses in
            defer { uses = [:] }
            return uses
        }
        if noted.isEmpty { return }
        try await store.write(.vital) { database in
            for (hash, use) in noted { try SessionRecords.note(use, of: hash, in: database) }
        }
    }

    // MARK: the list

    /// Where somebody is signed in now, the last used first.
    public func sessions(of principal: Principal) throws -> [Session] {
        try store.read { try SessionRecords.sessions(of: principal.person.id, at: clock.now, in: $0) }
    }

    /// Begins a session, and answers its token, which is shown once and stored hashed. Where another one had to end for it, a letter tells.
    /// - Parameter hash: of the password as it was when the way was looked at.
    /// - Throws: `AccountRefusal.wrongPassword` when the way was taken away meanwhile: checking it takes time, and who took it away was
    ///   told that nobody comes in by it any more.
    func beginSession(
        of person: PersonID, by way: ProofWay, _ hash: String, for visitor: Visitor, isProgram: Bool
    ) async throws -> Token {
        let (token, now, sweeps) = (Token(), clock.now, clock.mayRemoveByAge)
        let session = Session(
            id: .new(at: now), hash: Token.hash(token.text), created: now, seen: now,
            expires: now.adding(milliseconds: isProgram ? Self.programLifetime : Self.browserLifetime),
            address: String(visitor.address.prefix(64)), client: visitor.client, isProgram: isProgram)
        let (ended, deprived) = try await store.write(.vital) { database in
            guard try SessionProofs.holds(way, of: person, hash, in: database) else {
                throw AccountRefusal.wrongPassword
            }
            let (ended, isMissed) = try SessionRecords.add(
                session, of: person, openedBy: way, sweeps: sweeps, in: database)
            return (ended, isMissed ? try AccountRecords.person(person, in: database) : nil)
        }
        if !ended.isEmpty {
            known.withLock { known in
                known.generation += 1
                known.sessions.removeAll(keepingCapacity: true)
            }
            announceEnd(of: ended)
        }
        if let deprived { tell(deprived, of: .signedOut) }
        return token
    }

    /// Ends a session and cuts what hangs on it.
    public func signOut(_ principal: Principal) async throws {
        let hash = principal.session
        announceEnd(of: try await change(.vital) { try AccountRecords.removeSession(hash, in: $0) })
    }

    /// Ends one of somebody's own sessions and cuts what hangs on it. Another one than this takes a fresh proof: the device that it is on
    /// rings for no alarm any more, and a letter tells of it. One that has shown a passkey is ended by one that has, too: whoever has lost
    /// the only one changes the password, of which a letter tells, or removes the passkey.
    /// - Returns: whether there was such a session.
    public func endSession(_ id: SessionID, of principal: Principal) async throws -> Bool {
        let (person, now) = (principal.person.id, clock.now)
        let (ended, isOther) = try await change(.vital) { database -> ([[UInt8]], Bool) in
            guard let found = try SessionRecords.beginning(of: id, of: person, in: database) else { return ([], false) }
            let isOther = found.origin != principal.origin
            if isOther {
                // The passkey first: it is the fresh proof, too.
                if found.isStrong, !principal.proof.isStrong { throw Problem.passkeyNeeded }
                try Routes.requireFreshProof(principal, at: now)
            }
            return (try SessionRecords.end(id, of: person, in: database), isOther)
        }
        announceEnd(of: ended)
        if isOther { tell(principal.person, of: .signedOut) }
        return !ended.isEmpty
    }

    /// What is left when somebody has shut out everybody else.
    public struct Alone: Sendable {
        /// What their browser goes on with; nil: a program, which keeps its token.
        public let token: Token?
        /// How many other sessions ended.
        public let ended: Int
    }

    /// Ends all of somebody's sessions but this one, and cuts what hangs on them. It takes the proof that it takes to end
    /// each of them.
    public func endOtherSessions(of principal: Principal) async throws -> Alone {
        let now = clock.now
        let alone = try await shutOut(by: principal, at: now) { database in
            if !principal.proof.isStrong,
                try SessionRecords.sessions(of: principal.person.id, at: now, in: database).contains(where: {
                    try SessionRecords.beginning(of: $0.id, of: principal.person.id, in: database)?.isStrong == true
                })
            {
                throw Problem.passkeyNeeded
            }
            try Routes.requireFreshProof(principal, at: now)
        }
        if alone.ended > 0 { tell(principal.person, of: .signedOut) }
        return alone
    }

    /// Ends all other sessions and what else gave others a way in. A browser goes on with another token: a copy of the one that it has is
    /// shut out, too, with every one that was made of it and with what is under way in them.
    /// - Parameter first: what goes before it in the same transaction.
    /// - Throws: what `first` throws; 401 when the session has ended meanwhile.
    func shutOut(
        by principal: Principal, at now: Timestamp, _ first: @escaping @Sendable (Database) throws -> Void
    ) async throws -> Alone {
        let (person, own) = (principal.person.id, principal.session)
        let token: Token? = principal.isProgram ? nil : Token()
        let expires = now.adding(milliseconds: Self.browserLifetime)
        let (ended, count) = try await change(.vital) { [self] database in
            try first(database)
            try endOffshoots(of: person, at: now, in: database)
            let others = try SessionRecords.sessions(of: person, at: now, in: database).count { $0.hash != own }
            guard let token else {
                return (try SessionRecords.endOthers(than: own, of: person, in: database), others)
            }
            let successor = Token.hash(token.text)
            try SessionRenewal.replace(own, by: successor, at: now, expires: expires, in: database)
            return (try SessionRecords.endOthers(than: successor, of: person, in: database), others)
        }
        announceEnd(of: ended)
        return Alone(token: token, ended: count)
    }
}
