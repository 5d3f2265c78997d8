import Accounts
import Gates
import Identity
import Ledger
import Store
import Synchronization
import System

/// The tables of Doors and their queries. Every function runs inside the caller's transaction.
public enum DoorsRecords {
    /// The tables that Doors owns.
    public static let migrations = [
        Migration(
            "doors.1",
            """
            CREATE TABLE role_gates (
                role BLOB NOT NULL REFERENCES roles (id), gate BLOB NOT NULL REFERENCES gates (id), PRIMARY KEY (role, gate)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX role_gates_by_gate ON role_gates (gate);
            CREATE TABLE badges (
                person BLOB NOT NULL REFERENCES people (id), site BLOB NOT NULL REFERENCES sites (id), code TEXT NOT NULL,
                PRIMARY KEY (person, site), UNIQUE (site, code)
            ) STRICT, WITHOUT ROWID;
            """),
        Migration(
            "doors.2",
            """
            CREATE TABLE timetables (
                id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), name TEXT NOT NULL, week TEXT NOT NULL,
                keeps_special_days INTEGER NOT NULL, UNIQUE (site, name)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE role_hours (
                role BLOB NOT NULL PRIMARY KEY REFERENCES roles (id), timetable BLOB NOT NULL REFERENCES timetables (id)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE special_days (
                id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), name TEXT NOT NULL,
                first_day INTEGER NOT NULL, last_day INTEGER NOT NULL, spans TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX special_days_by_site ON special_days (site, last_day);
            CREATE TABLE gate_groups (
                id BLOB NOT NULL PRIMARY KEY, site BLOB NOT NULL REFERENCES sites (id), name TEXT NOT NULL, UNIQUE (site, name)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE gate_group_gates (
                gate_group BLOB NOT NULL REFERENCES gate_groups (id), gate BLOB NOT NULL REFERENCES gates (id),
                PRIMARY KEY (gate_group, gate)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX gate_group_gates_by_gate ON gate_group_gates (gate);
            CREATE TABLE role_gate_groups (
                role BLOB NOT NULL REFERENCES roles (id), gate_group BLOB NOT NULL REFERENCES gate_groups (id),
                PRIMARY KEY (role, gate_group)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX role_gate_groups_by_group ON role_gate_groups (gate_group);
            CREATE TABLE membership_steps (
                batch BLOB NOT NULL, membership BLOB NOT NULL, site BLOB NOT NULL, person BLOB NOT NULL, at INTEGER NOT NULL,
                by_person BLOB NOT NULL, before TEXT, after TEXT NOT NULL, PRIMARY KEY (batch, membership)
            ) STRICT, WITHOUT ROWID;
            """),
        LegacyRecords.migration,
        CheckInRecords.migration,
        Migration(
            "doors.indexes.1",
            """
            CREATE INDEX membership_steps_by_time ON membership_steps (at);
            CREATE INDEX membership_steps_by_site ON membership_steps (site);
            CREATE INDEX legacy_badges_by_person ON legacy_badges (person);
            CREATE INDEX legacy_badges_by_end ON legacy_badges (revoked) WHERE revoked IS NOT NULL;
            """),
    ]

    static let weeks = KnownWeeks()

    // MARK: roles and gates

    /// Gives a gate to a role.
    public static func give(_ gate: GateID, to role: RoleID, in database: Database) throws {
        try database.execute("INSERT INTO role_gates (role, gate) VALUES (?, ?) ON CONFLICT DO NOTHING", role, gate)
    }

    /// The gates that a role was given one by one.
    static func gates(of role: RoleID, in database: Database) throws -> [GateID] {
        try database.rows("SELECT gate FROM role_gates WHERE role = ? ORDER BY gate", role) { $0[0] as GateID }
    }

    /// The groups of gates that a role was given.
    static func gateGroups(of role: RoleID, in database: Database) throws -> [GateGroupID] {
        try database.rows("SELECT gate_group FROM role_gate_groups WHERE role = ? ORDER BY gate_group", role) {
            $0[0] as GateGroupID
        }
    }

    /// The timetable of a role; nil: at any time.
    static func timetable(of role: RoleID, in database: Database) throws -> TimetableID? {
        try database.row("SELECT timetable FROM role_hours WHERE role = ?", role) { $0[0] as TimetableID }
    }

    /// What a role may, all at once.
    public static func setReach(
        of role: RoleID, gates: [GateID], groups: [GateGroupID], timetable: TimetableID?, in database: Database
    ) throws {
        try database.execute("DELETE FROM role_gates WHERE role = ?", role)
        try database.execute("DELETE FROM role_gate_groups WHERE role = ?", role)
        try database.execute("DELETE FROM role_hours WHERE role = ?", role)
        for gate in gates { try give(gate, to: role, in: database) }
        for group in groups {
            try database.execute(
                "INSERT INTO role_gate_groups (role, gate_group) VALUES (?, ?) ON CONFLICT DO NOTHING", role, group)
        }
        if let timetable {
            try database.execute("INSERT INTO role_hours (role, timetable) VALUES (?, ?)", role, timetable)
        }
    }

    // MARK: groups of gates

    /// A site's groups of gates, by name, each with its gates.
    static func gateGroups(of site: SiteID, in database: Database) throws -> [GateGroup] {
        let groups = try database.rows("SELECT id, name FROM gate_groups WHERE site = ? ORDER BY name", site) {
            ($0[0] as GateGroupID, $0[1] as String)
        }
        return try groups.map { id, name in
            GateGroup(
                id: id, site: site, name: name,
                gates: try database.rows("SELECT gate FROM gate_group_gates WHERE gate_group = ? ORDER BY gate", id) {
                    $0[0] as GateID
                })
        }
    }

    /// Adds a group, or changes the one of that id.
    public static func put(_ group: GateGroup, in database: Database) throws {
        try database.execute(
            "INSERT INTO gate_groups (id, site, name) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            group.id, group.site, group.name)
        try database.execute("DELETE FROM gate_group_gates WHERE gate_group = ?", group.id)
        for gate in group.gates {
            try database.execute(
                "INSERT INTO gate_group_gates (gate_group, gate) VALUES (?, ?) ON CONFLICT DO NOTHING", group.id, gate)
        }
    }

    /// Removes a group; the roles that had it no longer have its gates.
    static func remove(_ group: GateGroupID, in database: Database) throws {
        try database.execute("DELETE FROM role_gate_groups WHERE gate_group = ?", group)
        try database.execute("DELETE FROM gate_group_gates WHERE gate_group = ?", group)
        try database.execute("DELETE FROM gate_groups WHERE id = ?", group)
    }

    // MARK: hours

    private static func timetable(_ row: Row) -> Timetable {
        Timetable(id: row[0], site: row[1], name: row[2], week: weeks.week(row[3]), keepsSpecialDays: row[4])
    }

    /// A site's timetables, by name.
    static func timetables(of site: SiteID, in database: Database) throws -> [Timetable] {
        try database.rows(
            "SELECT id, site, name, week, keeps_special_days FROM timetables WHERE site = ? ORDER BY name", site,
            make: timetable)
    }

    /// The timetable of that id.
    static func timetable(_ id: TimetableID, in database: Database) throws -> Timetable? {
        try database.row(
            "SELECT id, site, name, week, keeps_special_days FROM timetables WHERE id = ?", id, make: timetable)
    }

    /// Adds a timetable, or changes the one of that id.
    public static func put(_ timetable: Timetable, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO timetables (id, site, name, week, keeps_special_days) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, week = excluded.week, keeps_special_days = excluded.keeps_special_days
            """, timetable.id, timetable.site, timetable.name, timetable.weekText, timetable.keepsSpecialDays)
    }

    /// Removes a timetable that no role has.
    static func remove(_ timetable: TimetableID, in database: Database) throws {
        try database.execute("DELETE FROM timetables WHERE id = ?", timetable)
    }

    /// The roles that keep a timetable's hours.
    static func roles(with timetable: TimetableID, in database: Database) throws -> [RoleID] {
        try database.rows("SELECT role FROM role_hours WHERE timetable = ?", timetable) { $0[0] as RoleID }
    }

    /// A site's special days, earliest first.
    static func specialDays(of site: SiteID, in database: Database) throws -> [SpecialDay] {
        try database.rows(
            "SELECT id, name, first_day, last_day, spans FROM special_days WHERE site = ? ORDER BY first_day, id", site
        ) { row in
            SpecialDay(
                id: row[0], site: site, name: row[1], firstDay: row[2], lastDay: row[3],
                spans: (try? DaySpan.list(row[4])) ?? [])
        }
    }

    /// Adds special days, or changes those of that id.
    public static func put(_ special: SpecialDay, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO special_days (id, site, name, first_day, last_day, spans) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, first_day = excluded.first_day, last_day = excluded.last_day, spans = excluded.spans
            """, special.id, special.site, special.name, special.firstDay, special.lastDay,
            special.spans.map(\.text).joined(separator: " "))
    }

    /// Removes special days.
    static func remove(_ special: SpecialDayID, in database: Database) throws {
        try database.execute("DELETE FROM special_days WHERE id = ?", special)
    }

    // MARK: badges

    /// The code of somebody's badge at a site; nil when they have none.
    static func badge(of person: PersonID, at site: SiteID, in database: Database) throws -> String? {
        try database.row("SELECT code FROM badges WHERE person = ? AND site = ?", person, site) { $0[0] as String }
    }

    /// Makes somebody a badge at a site, with the next number; one that they have stays.
    public static func makeBadge(for person: PersonID, at site: SiteID, in database: Database) throws {
        if try badge(of: person, at: site, in: database) != nil { return }
        try setBadge(BadgeCode.numbered(nextNumber(at: site, in: database)), of: person, at: site, in: database)
    }

    /// The number after the highest of six digits; where that is 999999, of seven digits, and so on. It is found without trying one after
    /// another: everybody's writing waits for it.
    private static func nextNumber(at site: SiteID, in database: Database) throws -> Int {
        for digits in 6...18 {
            let last = String(repeating: "9", count: digits)
            let first = digits == 6 ? "000000" : "1" + String(repeating: "0", count: digits - 1)
            // Codes that somebody wrote themselves, `A-12`, are passed over: only numbers are counted on from.
            let highest = try database.row(
                """
                SELECT code FROM badges
                WHERE site = ? AND code BETWEEN ? AND ? AND length(code) = ? AND code NOT GLOB '*[^0-9]*'
                ORDER BY code DESC LIMIT 1
                """, site, first, last, digits
            ) { $0[0] as String }
            guard let highest, let number = Int(highest) else { return digits == 6 ? 1 : Int(first)! }
            if highest != last { return number + 1 }
        }
        throw MembershipEntry.Refusal(field: "badge", why: .isFull)
    }

    /// Gives somebody a badge of a certain code, in the place of one that they had.
    /// - Throws: `StoreError.isDuplicate` when somebody else has it.
    static func setBadge(_ code: String, of person: PersonID, at site: SiteID, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO badges (person, site, code) VALUES (?, ?, ?)
            ON CONFLICT (person, site) DO UPDATE SET code = excluded.code
            """, person, site, code)
    }
}

/// Weeks that were read from their text before: a decision reads them in every opening.
final class KnownWeeks: Sendable {
    private let known = Mutex<[String: [[DaySpan]]]>([:])
    /// At most so many are remembered.
    private static let limit = 1000

    /// What a text that a table keeps says; closed all week, should it say nothing that can be read.
    func week(_ text: String) -> [[DaySpan]] {
        if let week = known.withLock({ $0[text] }) { return week }
        let week = Timetable.week(text) ?? Array(repeating: [], count: 7)
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            known[text] = week
        }
        return week
    }
}
