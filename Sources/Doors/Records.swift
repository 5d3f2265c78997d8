import Accounts
import Gates
import Ledger
import Store
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
            """)
    ]

    /// Gives a gate to a role.
    public static func give(_ gate: GateID, to role: RoleID, in database: Database) throws {
        try database.execute("INSERT INTO role_gates (role, gate) VALUES (?, ?) ON CONFLICT DO NOTHING", role, gate)
    }

    /// What a decision about somebody at a gate stands on.
    static func facts(_ person: PersonID, _ gate: Gate, in database: Database) throws -> DoorsFacts {
        let memberships = try AccountRecords.memberships(of: person, at: gate.site, in: database)
        let roles = try database.rows("SELECT role FROM role_gates WHERE gate = ?", gate.id) { $0[0] as RoleID }
        let zone = try database.row("SELECT zone FROM sites WHERE id = ?", gate.site) { Zone(name: $0[0]) } ?? nil
        return DoorsFacts(memberships: memberships, rolesWithGate: Set(roles), zone: zone ?? .utc)
    }

    /// The code of somebody's badge at a site; nil when they have none.
    static func badge(of person: PersonID, at site: SiteID, in database: Database) throws -> String? {
        try database.row("SELECT code FROM badges WHERE person = ? AND site = ?", person, site) { $0[0] as String }
    }

    /// Makes somebody a badge at a site, with the next number; one that they have stays.
    public static func makeBadge(for person: PersonID, at site: SiteID, in database: Database) throws {
        if try badge(of: person, at: site, in: database) != nil { return }
        let highest = try database.row("SELECT max(code) FROM badges WHERE site = ?", site) { $0[0] as String? } ?? nil
        let number = (highest.flatMap { Int($0) } ?? 0) + 1
        let digits = String(number)
        let code = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        try database.execute("INSERT INTO badges (person, site, code) VALUES (?, ?, ?)", person, site, code)
    }
}

extension DoorsRecords {
    /// The gates that a role has.
    static func gates(of role: RoleID, in database: Database) throws -> [GateID] {
        try database.rows("SELECT gate FROM role_gates WHERE role = ? ORDER BY gate", role) { $0[0] as GateID }
    }
}
