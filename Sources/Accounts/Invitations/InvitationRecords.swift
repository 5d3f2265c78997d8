import Crypto
import Identity
import Ledger
import Store
import System
import Wire

/// Whom a site knows by an address.
public struct KnownAddress: Sendable {
    /// To whom the site may give more by it: an account whose address is confirmed, one that nobody has come in by yet, or a stand-in.
    public let person: Person?
    /// Everybody at the site who says that it is theirs, shown or not, `person` among them.
    public let people: [PersonID]
}

/// Stand-ins and their invitations as they are kept. Every function runs inside the caller's transaction.
public enum InvitationRecords {
    static let migration = Migration(
        "accounts.invitations.1",
        """
        ALTER TABLE people ADD COLUMN invited TEXT;
        ALTER TABLE people ADD COLUMN became BLOB;
        ALTER TABLE people ADD COLUMN came INTEGER;
        UPDATE people SET came = coalesce(signed_in, created)
            WHERE signed_in IS NOT NULL OR id IN (SELECT person FROM sessions);
        CREATE INDEX people_by_invited ON people (invited) WHERE invited IS NOT NULL;
        CREATE INDEX people_by_became ON people (became) WHERE became IS NOT NULL;
        CREATE TABLE invitations (
            person BLOB NOT NULL REFERENCES people (id), way TEXT NOT NULL, site BLOB NOT NULL REFERENCES sites (id),
            hash BLOB NOT NULL UNIQUE, by_person BLOB, made INTEGER NOT NULL, expires INTEGER NOT NULL,
            PRIMARY KEY (person, way)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invitations_by_site ON invitations (site, made);
        CREATE VIEW people_awaited AS SELECT id FROM people WHERE came IS NULL AND confirmed IS NULL
            AND NOT EXISTS (SELECT 1 FROM identities WHERE identities.person = people.id)
            AND NOT EXISTS (SELECT 1 FROM passkeys WHERE passkeys.person = people.id);
        """)

    static let lettersMigration = Migration(
        "accounts.invitations.2",
        "ALTER TABLE invitations ADD COLUMN letter BLOB; ALTER TABLE invitations ADD COLUMN trouble TEXT;")

    // MARK: stand-ins

    /// Whom a site knows by an address: those with an account and a part in the site, ended or not, and stand-ins there.
    ///
    /// An account that somebody uses without having shown that its address is theirs may be anybody's: by the address it gets nothing.
    public static func known(_ address: String, at site: SiteID, in database: Database) throws -> KnownAddress {
        let all = try database.rows(knownByAddress, address, site) {
            (id: $0[0] as PersonID, mayGetMore: $0[1] as Bool)
        }
        return KnownAddress(
            person: try all.first { $0.mayGetMore }.flatMap { try AccountRecords.person($0.id, in: database) },
            people: all.map(\.id))
    }

    /// Asked for each line of an import, while others want to write: by indexes alone.
    static let knownByAddress: StaticString = """
        SELECT p.id, p.invited IS NOT NULL OR p.confirmed IS NOT NULL
            OR EXISTS (SELECT 1 FROM people_awaited a WHERE a.id = p.id)
        FROM people p WHERE (p.email = ?1 OR p.invited = ?1)
            AND EXISTS (SELECT 1 FROM memberships m WHERE m.person = p.id AND m.site = ?2)
        ORDER BY p.invited IS NOT NULL, p.id
        """

    /// Adds a person whom a site does not know yet. With a password, an address that nobody has is theirs at once, unconfirmed; otherwise
    /// a stand-in is added. The one looks like the other to the site.
    public static func add(
        name: String, address: String, language: String? = nil, passwordHash: String?, at now: Timestamp,
        in database: Database
    ) throws -> Person {
        let id = PersonID.new(at: now)
        if let passwordHash, try AccountRecords.person(email: address, in: database) == nil {
            let person = Person(id: id, name: name, email: address, language: language)
            try AccountRecords.add(person, passwordHash: passwordHash, at: now, in: database)
            return person
        }
        let person = Person(
            id: id, name: name, email: Person.placeholder(for: id), language: language, invited: address)
        try AccountRecords.add(person, passwordHash: nil, at: now, in: database)
        try database.execute("UPDATE people SET invited = ? WHERE id = ?", address, id)
        return person
    }

    /// Makes a stand-in of an account that nobody ever used and that only this site has, so that its holder can be invited: its password,
    /// which somebody else chose, is gone.
    /// - Returns: the stand-in; nil when the account is its holder's.
    static func standIn(of person: Person, at site: SiteID, in database: Database) throws -> Person? {
        if person.invited != nil { return person }
        guard let address = person.address, try mayStandIn(person, at: site, in: database) else { return nil }
        try LinkRecords.end(of: person.id, in: database)
        try database.execute(
            "UPDATE people SET invited = ?, email = ?, password = ? WHERE id = ?", address,
            Person.placeholder(for: person.id), AccountRecords.noPassword, person.id)
        return try AccountRecords.person(person.id, in: database)
    }

    /// Whether somebody is a stand-in, or could be one: see `standIn`.
    static func mayStandIn(_ person: Person, at site: SiteID, in database: Database) throws -> Bool {
        if person.invited != nil { return true }
        return try person.address != nil && isAwaited(person.id, in: database)
            && !AccountRecords.isMemberElsewhere(person.id, than: site, in: database)
    }

    /// Whether nobody ever came in by an account: no sign-in, no session, no way in that only its holder can have.
    public static func isAwaited(_ person: PersonID, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM people_awaited WHERE id = ?", person) { $0[0] as Int } != nil
    }

    /// Whether somebody may say how a person joins, who manages the site: whoever holds the code gets what the person may, so one who is
    /// an owner, or was and may be again, is invited by an owner.
    public static func mayInvite(
        _ person: PersonID, at site: SiteID, by inviter: PersonID, now: Timestamp, in database: Database
    ) throws -> Bool {
        let isOwner = try AccountRecords.memberships(of: person, at: site, in: database).contains {
            $0.permission == .owner
        }
        return try AccountRecords.may(
            inviter, isOwner ? [.owner] : Permission.managing, at: site, now: now, in: database)
    }

    /// Whether somebody has a membership at a site that nobody took away, and whose last day is not over.
    public static func isExpected(
        _ person: PersonID, at site: SiteID, now: Timestamp, in database: Database
    ) throws -> Bool {
        try isExpected(
            by: AccountRecords.memberships(of: person, at: site, in: database), at: site, now: now, in: database)
    }

    private static func isExpected(
        by memberships: [Membership], at site: SiteID, now: Timestamp, in database: Database
    ) throws -> Bool {
        guard let today = try AccountRecords.site(site, in: database)?.zone.day(at: now) else { return false }
        return memberships.contains { !$0.isOver(on: today) }
    }

    /// Writes down that somebody is invited, and how.
    static func tell(_ invitation: Invitation, at now: Timestamp, in database: Database) throws {
        try Audit("membership.invited.\(invitation.way.rawValue)", ("person", invitation.person.text)).append(
            at: now, site: invitation.site, about: invitation.person, by: invitation.by, in: database)
    }

    /// Changes the address that a stand-in's invitations go to. Those that went elsewhere open nothing any more.
    public static func readdress(
        _ standIn: PersonID, to address: String, at site: SiteID, now: Timestamp, by person: PersonID?,
        in database: Database
    ) throws {
        // Neither address is told: the old one may be a stranger's, by mistake.
        try Audit("membership.readdressed", ("person", standIn.text)).append(
            at: now, site: site, about: standIn, by: person, in: database)
        try database.execute(
            "UPDATE people SET invited = ? WHERE id = ? AND invited IS NOT NULL", address, standIn)
        try end(of: standIn, in: database)
    }

    /// Those whose place an account has taken: what is kept of them is kept of it.
    public static func standIns(of person: PersonID, in database: Database) throws -> [PersonID] {
        try database.rows("SELECT id FROM people WHERE became = ? ORDER BY id", person) { $0[0] }
    }

    /// The account that has taken somebody's place; who is no stand-in, or whose place nobody has taken yet, is who they are.
    public static func holder(of person: PersonID, in database: Database) throws -> PersonID {
        try database.row("SELECT became FROM people WHERE id = ?", person) { $0[0] as PersonID? ?? person } ?? person
    }

    // MARK: codes

    /// Makes the code of an invitation; an older one that went the same way opens nothing any more. A person has one for each way, so
    /// that their number is bounded also while none is swept out.
    /// - Parameter sweeps: whether what is old may be removed by its age.
    /// - Returns: the code, for the letter or the paper and nothing else.
    public static func issue(
        _ invitation: Invitation, at now: Timestamp, sweeps: Bool, in database: Database
    ) throws -> PairingCode {
        let code = PairingCode(Random.bytes(16))!
        if sweeps { try database.execute("DELETE FROM invitations WHERE expires < ?", now) }
        try database.execute(
            """
            INSERT INTO invitations (person, way, site, hash, by_person, made, expires) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (person, way) DO UPDATE SET site = excluded.site, hash = excluded.hash,
                by_person = excluded.by_person, made = excluded.made, expires = excluded.expires
            """, invitation.person, invitation.way.rawValue, invitation.site, Token.hash(code.text), invitation.by, now,
            invitation.expires)
        return code
    }

    /// The invitation of a shown code, typed in any way that it may be; nil when it opens nothing (any more).
    public static func find(_ text: String, at now: Timestamp, in database: Database) throws -> Invitation? {
        guard text.utf8.count <= 80, let code = PairingCode(text: text) else { return nil }
        return try database.row(
            "SELECT person, site, way, by_person, expires, letter, trouble FROM invitations WHERE hash = ? AND expires > ?",
            Token.hash(code.text), now, make: invitation)
    }

    /// The open invitations of a stand-in.
    public static func open(of person: PersonID, at now: Timestamp, in database: Database) throws -> [Invitation] {
        try database.rows(
            """
            SELECT person, site, way, by_person, expires, letter, trouble FROM invitations
            WHERE person = ? AND expires > ? ORDER BY way
            """, person, now, make: invitation)
    }

    /// How it stands with somebody's invitations; nil: none is good.
    public static func state(
        of person: PersonID, at now: Timestamp, in database: Database
    ) throws -> Invitation.State? {
        let all = try open(of: person, at: now, in: database)
        return all.isEmpty ? nil : all.allSatisfy { $0.trouble == .refused } ? .refused : .open
    }

    /// Names the newest letter that invites somebody: nothing is known of it yet, and an earlier one says nothing any more.
    static func set(_ letter: Invitation.LetterID, of person: PersonID, in database: Database) throws {
        try database.execute(
            "UPDATE invitations SET letter = ?, trouble = NULL WHERE person = ? AND way = ?", letter, person,
            InvitationWay.letter.rawValue)
    }

    /// Notes what keeps a letter that invites somebody; nil: nothing any more. Of one that is not their newest nothing is noted.
    public static func note(
        _ trouble: Invitation.LetterTrouble?, of letter: Invitation.LetterID?, to person: PersonID,
        in database: Database
    ) throws {
        try database.execute(
            "UPDATE invitations SET trouble = ? WHERE person = ? AND way = ? AND letter IS ?", trouble?.rawValue,
            person,
            InvitationWay.letter.rawValue, letter)
    }

    private static func invitation(_ row: Row) -> Invitation {
        Invitation(
            person: row[0], site: row[1], way: InvitationWay(rawValue: row[2]) ?? .paper, by: row[3], expires: row[4],
            letter: row[5], trouble: (row[6] as String?).flatMap(Invitation.LetterTrouble.init))
    }

    /// Ends what invites somebody: it was made for less than they are to have now, with less proof than that takes.
    static func end(of person: PersonID, in database: Database) throws {
        try database.execute("DELETE FROM invitations WHERE person = ?", person)
    }

    /// Somebody's membership is another one from now on. What invites them ends where it was made for less, or for what is over. A first
    /// password ends where they are to change the place: whoever chose it, maybe a manager, would have what only an owner gives.
    /// - Parameters:
    ///   - before: what they had at the site.
    ///   - isNew: whether the account is made in this very transaction: then it keeps its password.
    static func end(
        whatIsNotMeantFor membership: Membership, before: [Membership], isNew: Bool, now: Timestamp,
        in database: Database
    ) throws {
        let (person, site) = (membership.person, membership.site)
        // What is over is given back to who had it, not to who has its paper.
        if try !isExpected(by: before, at: site, now: now, in: database)
            || !isExpected(person, at: site, now: now, in: database)
        {
            try end(of: person, in: database)
        }
        guard membership.exceeds(before) else { return }
        try end(of: person, in: database)
        // Who had no part in anything was given their password for this one.
        let isMember =
            try !before.isEmpty || AccountRecords.isMemberElsewhere(person, than: membership.site, in: database)
        guard Permission.changing.contains(membership.permission), isMember, !isNew,
            let account = try AccountRecords.person(person, in: database), account.invited == nil,
            try isAwaited(person, in: database)
        else { return }
        if try standIn(of: account, at: membership.site, in: database) == nil {
            try database.execute("UPDATE people SET password = ? WHERE id = ?", AccountRecords.noPassword, person)
        }
    }

    /// Ends what invites somebody, and forgets whom they invited.
    static func erase(_ person: PersonID, in database: Database) throws {
        try end(of: person, in: database)
        try database.execute("UPDATE invitations SET by_person = NULL WHERE by_person = ?", person)
        try database.execute("UPDATE people SET became = NULL WHERE became = ?", person)
    }

    // MARK: taking the place

    /// Makes a stand-in an account of its own: the address is its holder's, and the invitations are used up.
    static func settle(
        _ invitation: Invitation, name: String, address: String, passwordHash: String, isConfirmed: Bool,
        at now: Timestamp, in database: Database
    ) throws {
        let standIn = invitation.person
        try database.execute("DELETE FROM invitations WHERE person = ?", standIn)
        try database.execute(
            "UPDATE people SET name = ?, email = ?, password = ?, invited = NULL, confirmed = ? WHERE id = ?", name,
            address, passwordHash, isConfirmed ? now : nil, standIn)
        for membership in try AccountRecords.memberships(of: standIn, in: database) {
            try tell(membership, joinedBy: invitation, insteadOf: nil, at: now, in: database)
        }
    }

    /// Gives an account what a stand-in has: its memberships, and what each feature keeps under its name. The stand-in stays for what has
    /// happened under its name, without a way in and without an address.
    static func hand(
        over invitation: Invitation, to person: PersonID, _ handovers: [Handover], at now: Timestamp,
        in database: Database
    ) throws {
        let standIn = invitation.person
        try database.execute("DELETE FROM invitations WHERE person = ?", standIn)
        for kept in try AccountRecords.memberships(of: standIn, in: database) {
            try database.execute("UPDATE memberships SET person = ? WHERE id = ?", person, kept.id)
            let membership = Membership(
                id: kept.id, person: person, site: kept.site, permission: kept.permission, role: kept.role,
                firstDay: kept.firstDay, lastDay: kept.lastDay, revoked: kept.revoked)
            try tell(membership, joinedBy: invitation, insteadOf: standIn, at: now, in: database)
            for handover in handovers { try handover.run(standIn, person, membership.site, database) }
        }
        try database.execute("UPDATE people SET invited = NULL, became = ? WHERE id = ?", person, standIn)
    }

    private static func tell(
        _ membership: Membership, joinedBy invitation: Invitation, insteadOf standIn: PersonID?, at now: Timestamp,
        in database: Database
    ) throws {
        var payload = AuditPayload()
        payload.add(membership, as: "after")
        payload.add("by", membership.person.text)
        payload.add("inviter", invitation.by?.text)
        payload.add("way", invitation.way.rawValue)
        payload.add("insteadOf", standIn?.text)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: membership.site, kind: "membership.joined", at: now, person: membership.person,
                payload: payload.bytes), to: database)
    }
}
