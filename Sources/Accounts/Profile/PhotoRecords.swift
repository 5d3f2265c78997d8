import Crypto
import Identity
import Ledger
import Store
import System
import Wire

/// People's photos as they are kept. Every function runs inside the caller's transaction.
public enum PhotoRecords {
    static let migration = Migration(
        "accounts.photos.1",
        """
        CREATE TABLE photos (
            person BLOB NOT NULL PRIMARY KEY REFERENCES people (id), large BLOB NOT NULL, small BLOB NOT NULL,
            tag TEXT NOT NULL, changed INTEGER NOT NULL
        ) STRICT;
        """)

    /// Keeps somebody's photo in the place of the one before.
    /// - Parameters:
    ///   - large: JPEG, for their own page.
    ///   - small: JPEG, for lists.
    public static func set(
        large: [UInt8], small: [UInt8], of person: PersonID, at now: Timestamp, in database: Database
    ) throws {
        try database.execute(
            """
            INSERT INTO photos (person, large, small, tag, changed) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (person) DO UPDATE SET large = excluded.large, small = excluded.small, tag = excluded.tag,
                changed = excluded.changed
            """, person, large, small, Hex.text(Array(Digest.sha256(large).prefix(8))), now)
    }

    /// Removes it; nothing when there is none.
    public static func remove(of person: PersonID, in database: Database) throws {
        try database.execute("DELETE FROM photos WHERE person = ?", person)
    }

    /// The name of the photo as it is now: another photo has another one. Nil when there is none.
    public static func tag(of person: PersonID, in database: Database) throws -> String? {
        try database.row("SELECT tag FROM photos WHERE person = ?", person) { $0[0] as String }
    }

    /// The photo's bytes.
    public static func photo(of person: PersonID, isSmall: Bool, in database: Database) throws -> [UInt8]? {
        isSmall
            ? try database.row("SELECT small FROM photos WHERE person = ?", person) { $0[0] as [UInt8] }
            : try database.row("SELECT large FROM photos WHERE person = ?", person) { $0[0] as [UInt8] }
    }

    /// Whether somebody may look at a photo: their own, and those of whoever has a part, now or later, in a site where they are today.
    public static func may(
        _ principal: Principal, lookAt person: PersonID, now: Timestamp, in database: Database
    ) throws -> Bool {
        if principal.person.id == person { return true }
        return try principal.sites(at: now).contains { site in
            let today = site.zone.day(at: now)
            return try AccountRecords.memberships(of: person, at: site.id, in: database).contains {
                $0.revoked == nil && ($0.lastDay.map { today <= $0 } ?? true)
            }
        }
    }
}
