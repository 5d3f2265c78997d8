import Crypto
import Identity
import Ledger
import Store
import System

extension Accounts {
    /// Everything by which somebody gets in.
    public func waysIn(of person: PersonID) throws -> WaysIn {
        try store.read { try WayRecords.ways(of: person, in: $0) }
    }

    /// Begins a browser's session of somebody who has proven who they are by something else than a password.
    /// - Parameter way: how; whoever calls has checked it.
    public func signIn(
        _ person: PersonID, by way: ProofWay, from visitor: Visitor
    ) async throws -> SignedIn {
        let key = try await deviceKey()
        let found = try store.read { database in
            (
                person: try AccountRecords.person(person, in: database),
                hash: try AccountRecords.passwordHash(of: person, in: database)
            )
        }
        guard let known = found.person else { throw AccountRefusal.wrongPassword }
        return try await begin(known, found.hash ?? AccountRecords.noPassword, way, visitor, isProgram: false, key)
    }

    /// Notes that the holder of a session has proven who they are once more, so that dangerous acts are open to them for ten minutes.
    /// - Throws: `AccountRefusal.wrongPassword` when the way was taken away meanwhile.
    public func prove(_ principal: Principal, by way: ProofWay) async throws {
        let stored = try store.read { try AccountRecords.storedPassword(of: principal.person.id, in: $0) }
        try await prove(principal, by: way, stored ?? AccountRecords.noPassword)
    }

    private func prove(_ principal: Principal, by way: ProofWay, _ hash: String) async throws {
        let now = clock.now
        try await change { database in
            guard try SessionProofs.holds(way, of: principal.person.id, hash, in: database) else {
                throw AccountRefusal.wrongPassword
            }
            try SessionProofs.prove(principal.session, by: way, at: now, in: database)
        }
    }

    /// Proves by the password who holds a session.
    /// - Throws: `AccountRefusal`.
    public func prove(_ principal: Principal, password: String, from visitor: Visitor) async throws {
        let stored = try store.read { try AccountRecords.passwordHash(of: principal.person.id, in: $0) }
        guard try await isRight(password, stored, .init(of: principal, from: visitor), principal.person.id), let stored
        else {
            throw AccountRefusal.wrongPassword
        }
        try await prove(principal, by: .password, stored)
    }

    /// Unlinks one of somebody's own identities, takes away what it gave (`SessionProofs.takeAway`), and tells them by a letter.
    /// - Throws: `WayRefusal`.
    public func removeIdentity(issuer: String, subject: String, of principal: Principal) async throws {
        let (way, person) = (ProofWay.identity(issuer: issuer, subject: subject), principal.person.id)
        try await takeAway(way, from: person, by: principal) { now, database in
            try WayRecords.removeIdentity(issuer: issuer, subject: subject, of: person, at: now, in: database)
        }
        tell(principal.person, of: .removed)
    }

    /// Takes a way in away and, in the same transaction, what it gave.
    /// - Parameter principal: the session in which it is done; nil: none.
    func takeAway(
        _ way: ProofWay, from person: PersonID, by principal: Principal?,
        _ remove: @escaping @Sendable (Timestamp, Database) throws -> Void
    ) async throws {
        let now = clock.now
        let changed = try await change { database in
            try remove(now, database)
            return try SessionProofs.takeAway(way, from: person, by: principal?.session, at: now, in: database)
        }
        announceEnd(of: changed)
    }

    /// Has a site open itself only to whoever has proven who they are in a strong way, or to everybody again; what hangs on sessions that
    /// do not meet it is cut.
    public func askSecondFactor(_ isAsked: Bool, at site: SiteID, by principal: Principal) async throws {
        let (now, person) = (clock.now, principal.person.id)
        let weak = try await change { database in
            // The route that leads here writes before, and is open to managers.
            try Routes.judge(principal, (site, [.owner]), at: now, in: database)
            try WayRecords.askSecondFactor(isAsked, at: site, now: now, by: person, in: database)
            return isAsked ? try SessionProofs.weak(at: site, in: database) : []
        }
        announceEnd(of: weak)
    }
}
