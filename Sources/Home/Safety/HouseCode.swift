import Household
import Identity
import Ledger
import Store
import System

/// A code of digits by which somebody with an account disarms a house that asks for one. The digits are kept nowhere.
struct HouseCode: Sendable, Equatable {
    /// The kind of id that names codes.
    enum Name {}
    /// At most so many a house has: each costs a slow hash whenever one is typed.
    /// - Key: house
    static let most = 10
    /// How many digits one has.
    static let digits = 4...8

    let id: HouseCodeID
    let site: SiteID
    /// Whose it is, or what for: "Anna", "the cleaner".
    let name: String
    let added: Timestamp

    /// Whether a text could be a code.
    static func isCode(_ text: String) -> Bool {
        digits.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether somebody would try it first: one digit again and again, or a row.
    static func isWellKnown(_ text: String) -> Bool {
        let digits = text.utf8.map { Int($0) }
        let steps = Set(zip(digits, digits.dropFirst()).map { $1 - $0 })
        return steps.count == 1 && [-1, 0, 1].contains(steps.first!)
    }
}

/// The name of a code in tables.
typealias HouseCodeID = ID<HouseCode.Name>

/// An RFID tag that disarms at one box, which learnt it there.
struct HouseTag: Sendable, Equatable {
    /// The kind of id that names tags.
    enum Name {}
    let id: HouseTagID
    let site: SiteID
    /// The box that knows it: what it keeps of a tag is made with its own key.
    let gateway: GatewayID
    /// Whose it is, or where it hangs.
    let name: String
    /// `BoxTag.digest`, 32 bytes.
    let digest: [UInt8]
    let added: Timestamp
}

/// The name of a tag in tables.
typealias HouseTagID = ID<HouseTag.Name>

extension SafetyRecords {
    // MARK: codes

    /// The codes of a house, oldest first.
    static func codes(of site: SiteID, in database: Database) throws -> [(code: HouseCode, hash: String)] {
        try database.rows("SELECT id, name, added, hash FROM home_codes WHERE site = ? ORDER BY id", site) {
            (code: HouseCode(id: $0[0], site: site, name: $0[1], added: $0[2]), hash: $0[3])
        }
    }

    static func add(_ code: HouseCode, hash: String, by person: PersonID, in database: Database) throws {
        try database.execute(
            "INSERT INTO home_codes (id, site, name, hash, added, added_by) VALUES (?, ?, ?, ?, ?, ?)", code.id,
            code.site, code.name, hash, code.added, person)
    }

    static func remove(_ code: HouseCodeID, in database: Database) throws {
        try database.execute("DELETE FROM home_codes WHERE id = ?", code)
    }

    // MARK: tags

    /// The tags of a house, oldest first.
    static func tags(of site: SiteID, in database: Database) throws -> [HouseTag] {
        try database.rows(
            "SELECT id, gateway, name, digest, added FROM home_tags WHERE site = ? ORDER BY id", site
        ) {
            HouseTag(id: $0[0], site: site, gateway: $0[1], name: $0[2], digest: $0[3], added: $0[4])
        }
    }

    /// A tag; nil: it is not known any more.
    static func tag(_ id: HouseTagID, in database: Database) throws -> HouseTag? {
        try database.row("SELECT id, site, gateway, name, digest, added FROM home_tags WHERE id = ?", id) {
            HouseTag(id: $0[0], site: $0[1], gateway: $0[2], name: $0[3], digest: $0[4], added: $0[5])
        }
    }

    /// Adds a tag. One that the box knew already gets the new name.
    static func add(_ tag: HouseTag, by person: PersonID?, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO home_tags (id, site, gateway, name, digest, added, added_by) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (gateway, digest) DO UPDATE SET name = excluded.name
            """, tag.id, tag.site, tag.gateway, tag.name, tag.digest, tag.added, person)
    }

    static func remove(_ tag: HouseTagID, in database: Database) throws {
        try database.execute("DELETE FROM home_tags WHERE id = ?", tag)
    }
}
