import Identity
import Ledger
import Store
import System

extension Accounts {
    /// What a shown link is for, without using it up: a page that is only looked at, or fetched by a scanner of letters, changes nothing.
    /// - Returns: nil when it opens nothing (any more).
    public func link(_ text: String, for purposes: Set<LinkPurpose>) throws -> OneTimeLink? {
        let now = clock.now
        return try store.read { try LinkRecords.find(text, for: purposes, at: now, in: $0) }
    }

    /// Sets a password by a link to the account's address, which is confirmed thereby. All sessions and all links of the account end;
    /// and all other ways in, with what was chosen for the account, where nobody had shown that the address is theirs.
    /// - Throws: `LinkIsSpent`; `AccountRefusal.weakPassword`, `busy`.
    public func setPassword(_ password: String, by text: String) async throws -> Person {
        let purposes: Set<LinkPurpose> = [.reset]
        // Looked at before the slow hash, and once more in the transaction that uses it up.
        guard let id = try link(text, for: purposes)?.person,
            let known = try store.read({ try AccountRecords.person(id, in: $0) })
        else { throw LinkIsSpent() }
        try Self.check(name: known.name, email: known.email, password: password)
        let hash = try await passwordHash(password, showing: id.raw.bytes, of: id)
        let now = clock.now
        let (person, ended) = try await change { [self] database in
            let link = try LinkRecords.spend(text, for: purposes, at: now, in: database)
            guard link.person == id, let person = try AccountRecords.person(id, in: database),
                person.email == link.address
            else { throw LinkIsSpent() }
            // An account for an address that nobody had shown to be theirs: now somebody has, and who was there before them may have
            // been somebody else, who added ways in of their own and chose for them.
            if try LinkRecords.confirmed(id, in: database) == nil { try takeOver(id, at: now, in: database) }
            try SessionRecords.setPassword(of: id, to: hash, at: now, in: database)
            try database.execute("UPDATE people SET confirmed = ? WHERE id = ?", now, id)
            try LinkRecords.end(of: id, in: database)
            try endOffshoots(of: id, at: now, in: database)
            return (person, try SessionRecords.endAll(of: id, in: database))
        }
        announceEnd(of: ended)
        return person
    }

    /// Makes the account that a link was asked for. The address is confirmed thereby.
    ///
    /// Nothing is kept of somebody before: neither an account that would hold an address of somebody else's, nor a password. It is
    /// chosen by whoever reads the letter, so that nobody prepares an account for a victim to confirm.
    /// - Throws: `LinkIsSpent`; `AccountRefusal.invalid`, `weakPassword`, `addressTaken`, `busy`.
    public func register(name: String, password: String, by text: String) async throws -> Person {
        guard let asked = try link(text, for: [.register]) else { throw LinkIsSpent() }
        try Self.check(name: name, email: asked.address, password: password)
        let hash = try await passwordHash(password, showing: Array(asked.address.utf8), of: nil)
        let now = clock.now
        return try await change { database in
            let link = try LinkRecords.spend(text, for: [.register], at: now, in: database)
            guard try AccountRecords.person(email: link.address, in: database) == nil else {
                throw AccountRefusal.addressTaken
            }
            let person = Person(id: .new(at: now), name: name, email: link.address, language: link.language)
            try AccountRecords.add(person, passwordHash: hash, at: now, in: database)
            try database.execute("UPDATE people SET confirmed = ? WHERE id = ?", now, person.id)
            try AddressRecords.tell("person.registered", person.id, at: now, in: database)
            return person
        }
    }

    /// Gives an account the address that a link was sent to. It takes both: reading that address, and being signed in to the account.
    ///
    /// Who has only the letter would confirm an account that somebody else made for their address, with that person's ways in. And an
    /// address is confirmed for the first time only by choosing the ways in anew (`setPassword`, `join`): whoever made the account may
    /// have added some.
    /// - Returns: the account as it was, and as it is now.
    /// - Throws: `LinkIsSpent`, also when another account asked for it; `AccountRefusal.addressTaken`.
    public func changeAddress(
        by text: String, as principal: Principal
    ) async throws -> (before: Person, after: Person) {
        let (now, id) = (clock.now, principal.person.id)
        return try await change { database in
            let link = try LinkRecords.spend(text, for: [.address], at: now, in: database)
            guard link.person == id, let before = try AccountRecords.person(id, in: database) else {
                throw LinkIsSpent()
            }
            if let holder = try AccountRecords.person(email: link.address, in: database), holder.id != id {
                throw AccountRefusal.addressTaken
            }
            // Those to the old address, too: whoever reads it may no longer choose a password.
            try LinkRecords.end(of: id, in: database)
            try database.execute(
                "UPDATE people SET email = ?1, confirmed = CASE WHEN confirmed IS NULL THEN NULL ELSE ?2 END WHERE id = ?3",
                link.address, now, id)
            if before.email != link.address { try AddressRecords.tell("address.changed", id, at: now, in: database) }
            var after = before
            after.email = link.address
            return (before, after)
        }
    }

    /// Whether somebody has shown that they read their address.
    public func isConfirmed(_ person: PersonID) throws -> Bool {
        try store.read { try LinkRecords.confirmed(person, in: $0) } != nil
    }

    /// Whether strangers may make themselves an account here.
    public func isRegistrationOpen() throws -> Bool {
        try store.read { try AccountRecords.isRegistrationOpen(in: $0) }
    }

    /// Whether one more letter may go to an address within the hour. Counted the same whether it has an account or not.
    public func admitLetter(to address: String, _ asked: LetterAsked) -> Bool {
        let (account, now) = (AttemptLimit.Account(address), uptime())
        let key = AskedLetter(to: account, asked)
        return letters.withLock { letters in
            claims.withLock { claims in
                guard letters.wait(key, now) == 0, !asked.isClaim || claims.wait(account, now) == 0 else {
                    return false
                }
                letters.take(key, now)
                if asked.isClaim { claims.take(account, now) }
                return true
            }
        }
    }

    /// A letter that was counted for an address was not written.
    public func giveBackLetter(to address: String, _ asked: LetterAsked) {
        let account = AttemptLimit.Account(address)
        letters.withLock { $0.giveBack(AskedLetter(to: account, asked)) }
        if asked.isClaim { claims.withLock { $0.giveBack(account) } }
    }
}

/// Why a letter goes to an address, and who asks for it: each is counted apart, so that strangers use up neither an invitation nor what somebody
/// wants for their own account.
public enum LetterAsked: Hashable, Sendable {
    /// Anybody says that they have forgotten the password.
    case forgotten
    /// Anybody wants an account.
    case account
    /// Somebody with an account wants to have the address.
    case claim(PersonID)
    /// Somebody with an account wants to show that its address is theirs.
    case confirmation(PersonID)
    /// Somebody invites its holder.
    case invitation(PersonID)

    /// Whether all who do so are counted together, too.
    var isClaim: Bool { if case .claim = self { true } else { false } }
}

/// By what letters are counted that somebody asks for.
struct AskedLetter: Hashable {
    let to: AttemptLimit.Account
    let asked: LetterAsked

    init(to account: AttemptLimit.Account, _ asked: LetterAsked) { (to, self.asked) = (account, asked) }
}

extension AccountRecords {
    private static let registration = "registration"

    /// Whether strangers may make themselves an account; closed unless told.
    public static func isRegistrationOpen(in database: Database) throws -> Bool {
        try hubValue(registration, in: database) == Array("open".utf8)
    }

    /// Opens or closes registration, and tells the hub's chain. A hub that runs knows it at once.
    public static func setRegistration(open: Bool, at now: Timestamp, in store: Store) async throws {
        try await store.write { database in
            let before = try isRegistrationOpen(in: database)
            try setHubValue(registration, Array((open ? "open" : "closed").utf8), in: database)
            func told(_ isOpen: Bool) -> [(name: StaticString, value: String)] {
                [("registration", isOpen ? "open" : "closed")]
            }
            try Audit("hub.changed", ("hub", SiteID.hub.text), before: told(before), after: told(open)).append(
                at: now, site: .hub, by: nil, in: database)
        }
    }
}

/// What the hub's chain is told about addresses.
enum AddressRecords {
    /// Says that something happened to somebody's account; never which address.
    static func tell(_ kind: String, _ person: PersonID, at now: Timestamp, in database: Database) throws {
        var payload = AuditPayload()
        payload.add("person", person.text)
        try Ledger.append(
            NewEvent(id: .new(at: now), site: .hub, kind: kind, at: now, person: person, payload: payload.bytes),
            to: database)
    }
}
