import HTTPServer
import Identity
import Ledger
import Store
import System

extension Accounts {
    /// The passkey that a device calls so, and whose it is; nil when nobody has it.
    public func passkey(_ id: [UInt8]) throws -> (passkey: Passkey, person: PersonID)? {
        try store.read { try WayRecords.passkey(id, in: $0) }
    }

    /// One of somebody's own passkeys; nil when they have none of that name.
    public func passkey(_ reference: PasskeyID, of principal: Principal) throws -> Passkey? {
        try store.read { try WayRecords.passkeys(of: principal.person.id, in: $0) }.first { $0.reference == reference }
    }

    /// Refuses a change of somebody's passkeys to whoever has not shown what they stand for.
    ///
    /// A proof must be fresh. And somebody who has a passkey, and a site that asks for it, has to show it: else whoever knows the password
    /// alone would make themselves a second factor.
    public func requireRightToChangePasskeys(_ principal: Principal) throws {
        try Routes.requireFreshProof(principal, at: clock.now)
        guard !principal.locked.isEmpty else { return }
        if try !waysIn(of: principal.person.id).passkeys.isEmpty { throw Problem.secondFactorNeeded }
    }

    /// Until when somebody can neither delete their account nor give it another address, because its passkeys were changed by the password
    /// alone. A lost phone's passkey has to be removable so; whoever stole the password must not get around the passkey by it. Nil: now.
    public func changeWaits(for principal: Principal) throws -> Timestamp? {
        let now = clock.now
        return try store.read { try Self.changeWaits(for: principal, at: now, in: $0) }
    }

    private static func changeWaits(
        for principal: Principal, at now: Timestamp, in database: Database
    ) throws -> Timestamp? {
        let changed = try WayRecords.changed(principal.person.id, in: database)
        let end = changed?.adding(milliseconds: WayRecords.pauseAfterChange)
        return end.flatMap { $0 > now ? $0 : nil }
    }

    /// Refuses what cannot be undone to whoever has not shown, in the last minutes, the strongest proof that their account has: a passkey,
    /// where there is one. So it is with deleting the account, and with another address: who reads the letters to that one can choose the
    /// password, and of an account that nobody confirmed the other ways in, too.
    public func requireStrongestProof(_ principal: Principal) throws {
        let now = clock.now
        try store.read { try Self.requireStrongestProof(principal, at: now, in: $0) }
    }

    /// The same in the transaction that does it: a passkey may have been added or removed since.
    public static func requireStrongestProof(
        _ principal: Principal, at now: Timestamp, in database: Database
    ) throws {
        if let end = try changeWaits(for: principal, at: now, in: database) {
            throw Problem.conflict(
                "A passkey was added or removed by the password alone. This can be done from \(end.iso8601) on.",
                type: "passkeys-changed")
        }
        if try WayRecords.passkeys(of: principal.person.id, in: database).isEmpty {
            return try Routes.requireFreshProof(principal, at: now)
        }
        guard principal.proof.isFreshlyStrong(at: now) else { throw Problem.passkeyNeeded }
    }

    /// Adds a passkey to one's own account.
    /// - Throws: `WayRefusal`.
    public func addPasskey(_ passkey: Passkey, to principal: Principal) async throws {
        let now = clock.now
        try await change { database in
            try WayRecords.noteChange(by: principal, at: now, in: database)
            try WayRecords.add(passkey, to: principal.person.id, in: database)
            // Another address that was asked for without it takes it now.
            try LinkRecords.endWishes(of: principal.person.id, in: database)
        }
        tell(principal.person, of: .added)
    }

    /// Changes what one calls one of one's own passkeys.
    /// - Throws: `WayRefusal`.
    public func renamePasskey(_ id: [UInt8], to name: String, of principal: Principal) async throws {
        try await change { try WayRecords.rename(id, of: principal.person.id, to: name, in: $0) }
    }

    /// Removes one of somebody's own passkeys, takes away what it gave (`SessionProofs.takeAway`), and tells them by a letter: it can be
    /// done by the password alone.
    /// - Throws: `WayRefusal`.
    public func removePasskey(_ passkey: Passkey, of principal: Principal) async throws {
        try await takeAway(.passkey(passkey.reference), from: principal.person.id, by: principal) { now, database in
            try WayRecords.noteChange(by: principal, at: now, in: database)
            try WayRecords.removePasskey(passkey.id, of: principal.person.id, at: now, in: database)
        }
        tell(principal.person, of: .removed)
    }

    /// Notes that a passkey was used, unless it was used with the same count in the meantime.
    /// - Parameter passkey: with its counter as it is now.
    /// - Returns: whether it was noted.
    public func noteUse(of passkey: Passkey) async throws -> Bool {
        let now = clock.now
        return try await store.write(.vital) { try WayRecords.noteUse(passkey, at: now, in: $0) }
    }

    /// Tells the hub's chain that there may be a copy of a passkey.
    public func suspect(_ passkey: Passkey, of person: PersonID) async throws {
        let now = clock.now
        try await store.write(.vital) { try WayRecords.suspect(passkey, of: person, at: now, in: $0) }
    }
}
