import Crypto
import HTTPServer
import Ledger
import Store
import System

extension Accounts {
    /// Everything by which somebody gets in.
    public func waysIn(of person: PersonID) throws -> WaysIn {
        try store.read { try WayRecords.ways(of: person, in: $0) }
    }

    /// Begins a browser's session of somebody who has proven who they are by something else than a password.
    /// - Parameter method: how; whoever calls has checked it.
    public func signIn(
        _ person: PersonID, by method: ProofMethod, from visitor: Visitor
    ) async throws -> SignedIn {
        let key = try await deviceKey()
        let found = try store.read { database in
            (
                person: try AccountRecords.person(person, in: database),
                hash: try AccountRecords.passwordHash(of: person, in: database)
            )
        }
        guard let known = found.person else { throw AccountRefusal.wrongPassword }
        return try await begin(known, found.hash ?? AccountRecords.noPassword, method, visitor, isProgram: false, key)
    }

    /// Notes that the holder of a session has proven who they are once more, so that dangerous acts are open to them for ten minutes.
    public func prove(_ principal: Principal, by method: ProofMethod) async throws {
        let proof = Proof(at: clock.now, isStrong: method.isStrong)
        try await change { try WayRecords.prove(principal.session, proof, in: $0) }
    }

    /// Proves by the password who holds a session.
    /// - Throws: `AccountRefusal`.
    public func prove(_ principal: Principal, password: String, from visitor: Visitor) async throws {
        let stored = try store.read { try AccountRecords.passwordHash(of: principal.person.id, in: $0) }
        guard try await isRight(password, stored, .init(of: principal, from: visitor)) else {
            throw AccountRefusal.wrongPassword
        }
        try await prove(principal, by: .password)
    }

    /// Unlinks one of somebody's own identities.
    /// - Throws: `WayRefusal`.
    public func removeIdentity(issuer: String, subject: String, of principal: Principal) async throws {
        let now = clock.now
        try await change {
            try WayRecords.removeIdentity(issuer: issuer, subject: subject, of: principal.person.id, at: now, in: $0)
        }
    }
}
