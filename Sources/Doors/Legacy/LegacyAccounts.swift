import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Store
import System

// The accounts of the original web service: made, renewed and taken away, by a manager or by whose they are.

extension Doors {
    /// A user name and a password, to be shown once.
    struct LegacySecret: Sendable {
        let username: String
        let password: String
    }

    /// A password has so many characters of five bits each.
    static let legacyPasswordLength = 16

    /// Somebody has no part in the site, or no account there.
    struct NoLegacyAccount: Error {}

    /// Whether somebody may change a person's account here: their own; a manager anybody's, but an owner's only an owner.
    func mayChangeLegacy(of person: PersonID, at site: SiteID, _ principal: Principal) throws -> Bool {
        let now = given.clock.now
        return try given.store.read {
            try Self.mayChange(person, at: site, by: principal.person.id, now, in: $0)
        }
    }

    /// Before a slow hash is begun; it is judged once more where it is written.
    /// - Throws: 403 unless somebody may.
    func requireMayChangeLegacy(of person: PersonID, at site: SiteID, _ principal: Principal) throws {
        guard try mayChangeLegacy(of: person, at: site, principal) else { throw Self.outOfReach }
    }

    /// What the lowest free number gives, or one not far above: of a name that thousands have not all are tried.
    /// - Parameter body: what a number from 1 on gives; nil: it is taken.
    static func firstFree<T>(_ body: (Int) throws -> T?) rethrows -> T {
        var (taken, free) = (0, 1)
        var found: T
        while true {
            if let first = try body(free) {
                found = first
                break
            }
            (taken, free) = (free, 2 * free)
        }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if let lower = try body(middle) { (free, found) = (middle, lower) } else { taken = middle }
        }
        return found
    }

    /// Gives somebody a new password for the original's app at a site; the one before is no longer good. The first comes with a user name
    /// and a badge.
    func makeLegacyPassword(for person: PersonID, at site: Site, by author: PersonID) async throws -> LegacySecret {
        let password = LegacyCode.random(Self.legacyPasswordLength)
        // The app knows no more of it than its SHA-1, and so the hub keeps no more than a slow hash of that.
        let hash = try await given.accounts.passwordHash(LegacyCode.sha1(password), by: author)
        let (now, sweeps) = (given.clock.now, given.clock.mayRemoveByAge)
        let username = try await given.gates.changeRights(at: site.id) { database, touched -> String in
            touched = .noPass
            try Self.requireMayChange(person, at: site.id, by: author, now, in: database)
            guard try !AccountRecords.memberships(of: person, at: site.id, in: database).isEmpty,
                let name = try AccountRecords.person(person, in: database)?.name
            else { throw NoLegacyAccount() }
            let known = try LegacyRecords.account(of: person, at: site.id, in: database)
            let username =
                try known?.username
                ?? Self.firstFree {
                    let username = LegacyPolicy.username(of: name, at: site.name, number: $0)
                    return try LegacyRecords.isTaken(username, in: database) ? nil : username
                }
            let account = LegacyAccount(
                person: person, site: site.id, username: username, created: now, lastUsed: nil, revoked: nil)
            try LegacyRecords.set(account, hash: hash, in: database)
            if try LegacyRecords.badge(of: person, at: site.id, in: database) == nil {
                try LegacyRecords.makeBadge(for: person, at: site.id, now: now, sweeps: sweeps, in: database)
            }
            try Self.audit("legacy.password.made", of: person, at: site.id, by: author, now, in: database)
            return username
        }
        if let holder = try given.store.read({ try AccountRecords.person(person, in: $0) }) {
            given.accounts.tell(holder, of: .originalApp)
        }
        return LegacySecret(username: username, password: password)
    }

    /// Gives somebody another badge at once; their app learns it when it signs in again.
    func replaceLegacyBadge(of person: PersonID, at site: SiteID, by author: PersonID) async throws {
        let (now, sweeps) = (given.clock.now, given.clock.mayRemoveByAge)
        try await given.gates.changeRights(at: site) { database, touched in
            touched = .noPass
            try Self.requireMayChange(person, at: site, by: author, now, in: database)
            guard let account = try LegacyRecords.account(of: person, at: site, in: database), account.revoked == nil
            else { throw NoLegacyAccount() }
            try LegacyRecords.makeBadge(for: person, at: site, now: now, sweeps: sweeps, in: database)
            try Self.audit("legacy.badge.replaced", of: person, at: site, by: author, now, in: database)
        }
    }

    /// Takes somebody's account and badge away at once.
    func revokeLegacy(of person: PersonID, at site: SiteID, by author: PersonID) async throws {
        let (now, sweeps) = (given.clock.now, given.clock.mayRemoveByAge)
        try await given.gates.changeRights(at: site) { database, touched in
            touched = .noPass
            try Self.requireMayChange(person, at: site, by: author, now, in: database)
            // Also a badge alone: whatever opens can be taken away.
            guard try LegacyRecords.sites(of: person, in: database).contains(site) else { throw NoLegacyAccount() }
            try Self.revokeLegacy(of: person, at: site, by: author, now, sweeps: sweeps, in: database)
        }
    }

    /// Takes every old app and badge away from somebody who shuts out everybody else.
    static func endLegacy(
        of person: PersonID, at now: Timestamp, sweeps: Bool, _ gates: Gates, in database: Database
    ) throws {
        let sites = try LegacyRecords.sites(of: person, in: database)
        try gates.changeRights(at: sites, in: database) { touched in
            touched = .noPass
            for site in sites {
                try revokeLegacy(of: person, at: site, by: person, now, sweeps: sweeps, in: database)
            }
        }
    }

    /// Takes the old app and badge of a site away from somebody who is to change it: a manager may have made them, who may make none then.
    static func endLegacy(by raise: Accounts.Raise, sweeps: Bool, _ gates: Gates, in database: Database) throws {
        guard try LegacyRecords.sites(of: raise.person, in: database).contains(raise.site) else { return }
        try gates.changeRights(at: [raise.site], in: database) { touched in
            touched = .noPass
            try revokeLegacy(
                of: raise.person, at: raise.site, by: raise.author ?? raise.person, raise.at, sweeps: sweeps,
                in: database)
        }
    }

    private static func revokeLegacy(
        of person: PersonID, at site: SiteID, by author: PersonID, _ now: Timestamp, sweeps: Bool,
        in database: Database
    ) throws {
        try LegacyRecords.revoke(of: person, at: site, now: now, in: database)
        try LegacyRecords.revokeBadge(of: person, at: site, now: now, sweeps: sweeps, in: database)
        try audit(revoked, of: person, at: site, by: author, now, in: database)
    }

    /// The event of an account that was taken away.
    static let revoked = "legacy.account.revoked"

    private static let outOfReach = Problem.forbidden("your own permission does not reach so far")

    private static func mayChange(
        _ person: PersonID, at site: SiteID, by author: PersonID, _ now: Timestamp, in database: Database
    ) throws -> Bool {
        if person == author { return true }
        let isOwner = try AccountRecords.memberships(of: person, at: site, in: database).contains {
            $0.permission == .owner
        }
        let needed: Set<Permission> = isOwner ? [.owner] : Permission.managing
        return try AccountRecords.may(author, needed, at: site, now: now, in: database)
    }

    /// Judged where it is written: they may have been made an owner since.
    /// - Throws: 403 unless the author may; see `mayChangeLegacy`.
    private static func requireMayChange(
        _ person: PersonID, at site: SiteID, by author: PersonID, _ now: Timestamp, in database: Database
    ) throws {
        guard try mayChange(person, at: site, by: author, now, in: database) else { throw outOfReach }
    }

    /// Nothing secret is in it: neither password nor code.
    private static func audit(
        _ kind: String, of person: PersonID, at site: SiteID, by author: PersonID, _ now: Timestamp,
        in database: Database
    ) throws {
        try Audit(kind, ("person", person.text)).append(at: now, site: site, about: person, by: author, in: database)
    }
}
