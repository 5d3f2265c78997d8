import Crypto
import HTTPServer
import Ledger
import Store
import System

/// Signing in again at every start of the installed app: a fresh token takes the place of the old one.
///
/// The old token ends only after the new one has been shown, so that an answer that was lost on its way signs nobody out;
/// and then it still answers for a moment, for what other tabs have on its way.
public enum SessionRenewal {
    /// How long an old token answers after the new one was shown, and how long a new one may be on its way, in milliseconds.
    static let grace: Int64 = 15_000

    /// The token that was made to take a session's place.
    struct Successor: Sendable, Equatable {
        /// When it was made.
        var issued: Timestamp
        /// Whether its holder has shown it: it has arrived.
        var isConfirmed: Bool
    }

    /// Whether a session gets a new token now.
    ///
    /// Of two tabs that start at once the first one gets the token, and the browser keeps it for both. A token that
    /// never came back was lost: it is made anew.
    static func renews(isProgram: Bool, successor: Successor?, at now: Timestamp) -> Bool {
        if isProgram { return false }
        guard let successor else { return true }
        return !successor.isConfirmed && now >= successor.issued.adding(milliseconds: grace)
    }

    /// Which session takes the place of which.
    static let migration = Migration(
        "accounts.renewals",
        """
        CREATE TABLE renewals (
            predecessor BLOB NOT NULL PRIMARY KEY, successor BLOB NOT NULL UNIQUE, issued INTEGER NOT NULL,
            is_confirmed INTEGER NOT NULL
        ) STRICT;
        """)

    // MARK: records

    private static func successor(of session: [UInt8], in database: Database) throws -> Successor? {
        try database.row("SELECT issued, is_confirmed FROM renewals WHERE predecessor = ?", session) {
            Successor(issued: $0[0], isConfirmed: $0[1])
        }
    }

    private static func add(
        _ successor: [UInt8], for session: [UInt8], at now: Timestamp, in database: Database
    ) throws {
        try database.execute(
            "DELETE FROM sessions WHERE hash IN (SELECT successor FROM renewals WHERE predecessor = ?)", session)
        try database.execute("DELETE FROM renewals WHERE predecessor = ?", session)
        try database.execute(
            "INSERT INTO renewals (predecessor, successor, issued, is_confirmed) VALUES (?, ?, ?, 0)", session,
            successor, now)
    }

    /// The holder of a session has shown it: what it took the place of ends after the grace. Answers whose that was.
    fileprivate static func confirm(_ session: [UInt8], at now: Timestamp, in database: Database) throws -> [UInt8]? {
        let predecessor = try database.row(
            "SELECT predecessor FROM renewals WHERE successor = ? AND is_confirmed = 0", session
        ) { $0[0] as [UInt8] }
        guard let predecessor else { return nil }
        try database.execute("UPDATE renewals SET is_confirmed = 1 WHERE successor = ?", session)
        try database.execute(
            "UPDATE sessions SET expires = min(expires, ?) WHERE hash = ?", now.adding(milliseconds: grace), predecessor
        )
        return predecessor
    }

    /// Gives a session a successor, if it gets one. Answers whether, and which session it had itself taken the place of.
    fileprivate static func renew(
        _ principal: Principal, as successor: [UInt8], at now: Timestamp, expires: Timestamp, in database: Database
    ) throws -> (isRenewed: Bool, ended: [UInt8]?) {
        let session = principal.session
        // Signed out in the meantime: nothing may grow out of it.
        guard let known = try AccountRecords.principal(session, in: database), known.expires > now else {
            return (false, nil)
        }
        let ended = try confirm(session, at: now, in: database)
        let before = try self.successor(of: session, in: database)
        guard renews(isProgram: principal.isProgram, successor: before, at: now) else { return (false, ended) }
        try add(successor, for: session, at: now, in: database)
        try SessionRecords.add(successor, after: session, at: now, expires: expires, in: database)
        return (true, ended)
    }

    /// Gives a browser's session another token at once, and ends every one that it had: a copy of one is out, with what is under way in it.
    /// - Throws: 401 when the session has ended meanwhile, as when all others were shut out twice at once.
    static func replace(
        _ session: [UInt8], by successor: [UInt8], at now: Timestamp, expires: Timestamp, in database: Database
    ) throws {
        guard let known = try AccountRecords.principal(session, in: database), known.expires > now else {
            throw Problem.unauthorized("sign in first")
        }
        try add(successor, for: session, at: now, in: database)
        try SessionRecords.add(
            successor, after: session, isNewLine: true, at: now, expires: expires, in: database)
        // What hangs on it (a phone that is told) goes along.
        try database.execute("UPDATE renewals SET is_confirmed = 1 WHERE successor = ?", successor)
    }

    /// Ends a session, with every token that it had or is to have.
    /// - Returns: the hashes of those tokens.
    static func end(_ session: [UInt8], in database: Database) throws -> [[UInt8]] {
        try database.rows(
            """
            DELETE FROM sessions WHERE origin = (SELECT origin FROM sessions WHERE hash = ?1) OR hash = ?1
            RETURNING hash
            """, session
        ) { $0[0] }
    }
}

extension Accounts {
    /// A fresh token for the holder of a session, nil where the one that they have stays. `confirmRenewal` follows with
    /// the new one.
    public func renew(_ principal: Principal) async throws -> Token? {
        if principal.isProgram { return nil }
        let (token, now) = (Token(), clock.now)
        let expires = now.adding(milliseconds: Self.browserLifetime)
        let (isRenewed, ended) = try await change(.vital) {
            try SessionRenewal.renew(principal, as: Token.hash(token.text), at: now, expires: expires, in: $0)
        }
        if let ended { announceEnd(of: [ended]) }
        return isRenewed ? token : nil
    }

    /// Says that a fresh token has arrived: the old one ends in a moment, and what hangs on it is cut at once, so that it
    /// comes back with the new one.
    public func confirmRenewal(_ principal: Principal) async throws {
        let now = clock.now
        let ended = try await change(.vital) { try SessionRenewal.confirm(principal.session, at: now, in: $0) }
        if let ended { announceEnd(of: [ended]) }
    }
}
