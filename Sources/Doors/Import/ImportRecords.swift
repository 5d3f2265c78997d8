import Accounts
import Crypto
import Gates
import Identity
import Ledger
import Store
import System

/// The kind of id that names imports.
enum ImportName {}
/// The name of an import, from its dry run on.
typealias ImportID = ID<ImportName>

/// The tables of imports and their queries. Every function runs inside the caller's transaction.
enum ImportRecords {
    static let migrations = [
        Migration(
            "doors.import.1",
            """
            CREATE TABLE people_imports (
                id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), author BLOB NOT NULL, at INTEGER NOT NULL,
                people INTEGER NOT NULL, memberships INTEGER NOT NULL, unchanged INTEGER NOT NULL, roles INTEGER NOT NULL,
                undone INTEGER
            ) STRICT;
            CREATE INDEX people_imports_by_time ON people_imports (at);
            CREATE TABLE people_import_items (
                import BLOB NOT NULL REFERENCES people_imports (id), place INTEGER NOT NULL, kind TEXT NOT NULL, thing TEXT NOT NULL,
                person BLOB, name TEXT NOT NULL, made TEXT NOT NULL, kept TEXT,
                PRIMARY KEY (import, place)
            ) STRICT, WITHOUT ROWID;
            """),
        Migration(
            "doors.import.2",
            """
            CREATE INDEX people_imports_by_site ON people_imports (site, author);
            CREATE INDEX people_import_items_by_person ON people_import_items (person) WHERE person IS NOT NULL;
            """),
    ]

    // MARK: what an import stands on

    /// Whom the site knows, of those that the lines name.
    /// - Parameter author: who imports; may nothing when they do not manage the site today.
    static func facts(
        for lines: [ImportLine], at site: Site, by author: PersonID, on day: Day, in database: Database
    ) throws -> ImportFacts {
        var facts = ImportFacts()
        for email in Set(lines.map(\.email)) {
            let known = try InvitationRecords.known(email, at: site.id, in: database)
            let memberships = try known.people.flatMap {
                try AccountRecords.memberships(of: $0, at: site.id, in: database)
            }
            // Who may get nothing by the address and has nothing here any more is nobody to the file: the address is invited anew.
            if known.person == nil, memberships.allSatisfy({ $0.revoked != nil }) { continue }
            facts.people[email] = ImportFacts.Known(
                person: known.person?.id, memberships: memberships,
                badges: Dictionary(
                    uniqueKeysWithValues: try known.people.compactMap { person in
                        try DoorsRecords.badge(of: person, at: site.id, in: database).map { (person, $0) }
                    }),
                isToInviteAnew: try known.person.map { person in
                    try memberships.allSatisfy { $0.revoked != nil }
                        && InvitationRecords.isAwaited(person.id, in: database)
                } ?? false)
        }
        facts.roles = try AccountRecords.roles(of: site.id, in: database)
        facts.badges = Set(
            try database.rows("SELECT code FROM badges WHERE site = ?", site.id) { $0[0] as String })
        facts.allowed = Set(try Doors.grantable(by: author, at: site.id, on: day, in: database))
        return facts
    }

    // MARK: what an import did

    /// An import that was applied.
    struct Done: Sendable, Equatable {
        let id: ImportID
        let site: SiteID
        /// Whoever imported; zero: they were erased since.
        let author: PersonID
        let at: Timestamp
        var people = 0
        var memberships = 0
        var unchanged = 0
        var roles = 0
        /// When it was taken back.
        var undone: Timestamp?
    }

    /// One thing that an import made.
    struct Item: Sendable {
        enum Kind: String, Sendable { case role, person, membership, badge }
        let kind: Kind
        /// Its id as a text; of a badge its code.
        let thing: String
        let person: PersonID?
        /// What people call it.
        let name: String
        /// As it was made, to see whether it was changed since.
        let made: String
    }

    /// So long after its end are the things of an import forgotten, in milliseconds: a week.
    static let memory: Int64 = 7 * 86_400_000

    /// Forgets some of what imports made so long ago.
    /// - Returns: whether there may be more.
    static func sweep(at now: Timestamp, in database: Database) throws -> Bool {
        let old = try database.rows(
            """
            SELECT i.import, i.place FROM people_imports d JOIN people_import_items i ON i.import = d.id
            WHERE d.at < ? LIMIT ?
            """, now.adding(milliseconds: -memory), Expiry.batch
        ) { (import: $0[0] as ImportID, place: $0[1] as Int) }
        for one in old {
            try database.execute(
                "DELETE FROM people_import_items WHERE import = ? AND place = ?", one.import, one.place)
        }
        return old.count == Expiry.batch
    }

    static func add(_ done: Done, _ items: [Item], in database: Database) throws {
        try database.execute(
            """
            INSERT INTO people_imports (id, site, author, at, people, memberships, unchanged, roles, undone)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)
            """, done.id, done.site, done.author, done.at, done.people, done.memberships, done.unchanged, done.roles)
        for (place, item) in items.enumerated() {
            try database.execute(
                """
                INSERT INTO people_import_items (import, place, kind, thing, person, name, made, kept)
                VALUES (?, ?, ?, ?, ?, ?, ?, NULL)
                """, done.id, place, item.kind.rawValue, item.thing, item.person, item.name, item.made)
        }
    }

    static func done(_ id: ImportID, at site: SiteID, in database: Database) throws -> Done? {
        try database.row(
            """
            SELECT id, site, author, at, people, memberships, unchanged, roles, undone FROM people_imports
            WHERE id = ? AND site = ?
            """, id, site
        ) { row in
            Done(
                id: row[0], site: row[1], author: row[2], at: row[3], people: row[4], memberships: row[5],
                unchanged: row[6], roles: row[7], undone: row[8])
        }
    }

    static func items(of id: ImportID, in database: Database) throws -> [(place: Int, item: Item)] {
        try database.rows(
            "SELECT place, kind, thing, person, name, made FROM people_import_items WHERE import = ? ORDER BY place", id
        ) { row in
            (
                row[0],
                Item(
                    kind: Item.Kind(rawValue: row[1]) ?? .person, thing: row[2],
                    person: row[3], name: row[4], made: row[5])
            )
        }
    }

    /// Whose memberships an import made, as far as they stand: how many people stay when it is taken back, since they have joined or have
    /// more than it gave them, and how many go.
    static func reach(of id: ImportID, in database: Database) throws -> (stay: Int, go: Int) {
        let made = try items(of: id, in: database).filter { $0.item.kind == .membership }
            .compactMap { MembershipID($0.item.thing) }
        let own = Set(made)
        let given = try made.compactMap { try AccountRecords.membership($0, in: database) }.filter { $0.revoked == nil }
        let people = Dictionary(given.map { ($0.person, $0.site) }) { first, _ in first }
        let go = try people.count { person, site in
            try InvitationRecords.isAwaited(person, in: database)
                && !AccountRecords.isMemberElsewhere(person, than: site, in: database)
                && AccountRecords.memberships(of: person, at: site, in: database).allSatisfy { own.contains($0.id) }
        }
        return (people.count - go, go)
    }

    /// How imports, at any site, made the accounts of those whom an import names, as far as is remembered.
    static func madePeople(namedBy id: ImportID, in database: Database) throws -> [PersonID: String] {
        Dictionary(
            try database.rows(
                """
                SELECT made.person, made.made FROM people_import_items own
                    JOIN people_import_items made ON made.person = own.person AND made.kind = 'person'
                WHERE own.import = ? AND own.person IS NOT NULL
                """, id
            ) { ($0[0] as PersonID, $0[1] as String) }
        ) { first, _ in first }
    }

    /// Notes that an import was taken back. What imports made of those who are gone now is forgotten: nobody could erase them.
    static func setUndone(_ id: ImportID, at now: Timestamp, in database: Database) throws {
        try database.execute("UPDATE people_imports SET undone = ? WHERE id = ?", now, id)
        try database.execute(
            """
            DELETE FROM people_import_items
            WHERE person IN (SELECT person FROM people_import_items WHERE import = ? AND person IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM people p WHERE p.id = people_import_items.person)
            """, id)
    }

    static func keep(_ place: Int, of id: ImportID, because why: ImportKept, in database: Database) throws {
        try database.execute(
            "UPDATE people_import_items SET kept = ? WHERE import = ? AND place = ?", why.rawValue, id, place)
    }

    /// What stayed when an import was taken back, at most so many of it.
    static func kept(of id: ImportID, limit: Int, in database: Database) throws -> [(name: String, why: ImportKept)] {
        try database.rows(
            """
            SELECT name, kept FROM people_import_items WHERE import = ? AND kept IS NOT NULL ORDER BY place LIMIT ?
            """, id, limit
        ) { ($0[0], ImportKept(rawValue: $0[1]) ?? .changed) }
    }

    static func countKept(of id: ImportID, in database: Database) throws -> Int {
        try database.row(
            "SELECT count(*) FROM people_import_items WHERE import = ? AND kept IS NOT NULL", id
        ) { $0[0] as Int } ?? 0
    }

    /// To how many of the people whom an import made, or gave something, an invitation by letter went with it.
    static func countInvited(of id: ImportID, in database: Database) throws -> Int {
        try database.row(
            """
            SELECT count(DISTINCT t.person) FROM people_import_items t JOIN people_imports d ON d.id = t.import
                JOIN invitations i ON i.person = t.person AND i.way = 'letter' AND i.made >= d.at
            WHERE t.import = ?
            """, id
        ) { $0[0] as Int } ?? 0
    }

    /// Forgets what imports at a site made of somebody, their name and address with it: they are erased.
    static func forget(_ person: PersonID, at site: SiteID, in database: Database) throws {
        try database.execute(
            """
            DELETE FROM people_import_items WHERE person = ?2
                AND EXISTS (SELECT 1 FROM people_imports i WHERE i.id = import AND i.site = ?1)
            """, site, person)
        // What they imported is others': it is nobody's import from now on, and can be taken back.
        try database.execute(
            "UPDATE people_imports SET author = zeroblob(16) WHERE site = ? AND author = ?", site, person)
    }

    // MARK: badges

    static func addBadge(_ code: String, of person: PersonID, at site: SiteID, in database: Database) throws {
        try database.execute("INSERT INTO badges (person, site, code) VALUES (?, ?, ?)", person, site, code)
    }

    static func removeBadge(of person: PersonID, at site: SiteID, in database: Database) throws {
        try database.execute("DELETE FROM badges WHERE person = ? AND site = ?", person, site)
    }

    // MARK: the export

    /// Every membership of a site with its person, role and badge, by name; at most so many. Those that were taken away are left
    /// out: an import of the file would give them back.
    static func exported(
        of site: SiteID, _ filter: PeopleFilter, limit: Int, in database: Database
    ) throws -> [(membership: Membership, person: Person, role: String?, badge: String?)] {
        try AccountRecords.people(of: site, filter, offset: 0, limit: limit, in: database)
            .filter { $0.membership.revoked == nil }
            .map {
                ($0.membership, $0.person, $0.role, try DoorsRecords.badge(of: $0.person.id, at: site, in: database))
            }
    }
}

/// Why something that an import made stays when the import is taken back.
enum ImportKept: String, Sendable {
    /// Somebody changed it since.
    case changed
    /// It is gone already.
    case gone
    /// It is needed: a person belongs to another place too, a role has people, a site has no other owner.
    case used
    /// The account was used or changed since. It stays, and its membership has ended.
    case ended
    /// It is an owner's, and who takes the import back is none.
    case notAllowed
}

extension Membership {
    /// What an import compares: everything but whose it is and where.
    var made: String {
        [
            permission.rawValue, role?.text ?? "", firstDay?.iso8601 ?? "", lastDay?.iso8601 ?? "",
            revoked?.iso8601 ?? "",
        ]
        .joined(separator: "|")
    }
}

extension Person {
    /// What an import compares. The password only as a digest of its hash.
    func made(passwordHash: String?) -> String {
        let digest = Digest.sha256(Array((passwordHash ?? "").utf8)).prefix(8).map { String($0) }.joined(separator: ".")
        return [name, email, language ?? "", digest].joined(separator: "|")
    }
}
