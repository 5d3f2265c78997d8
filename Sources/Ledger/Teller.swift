import Crypto
import Identity
import JSON
import Store
import System

/// What a room or a feature tells a person of what it keeps about them, for the file that they download.
///
/// Whoever keeps a person's id, name or address in a table registers one beside its `Eraser`: told, or not told with the reason. A test
/// looks through every table for one that nobody speaks of.
public struct Teller: Sendable {
    /// How a column is written.
    public enum Kind: Sendable {
        /// As it is.
        case text, number, truth
        /// ISO 8601, in UTC.
        case moment
        /// ISO 8601.
        case day
        /// 32 hexadecimal digits.
        case id
        /// The id of the site that keeps the row, in the same form: where that site is withheld, the row is left out.
        case site
        /// JSON that the hub wrote itself.
        case json
        /// base64url (RFC 4648, section 5).
        case bytes
    }

    /// The tables that it speaks of.
    public let tables: [String]
    /// Why it tells nothing of them; nil where it does.
    public let reason: String?
    private let write: @Sendable (PersonID, Set<SiteID>, Database, inout JSONWriter) throws -> Void

    /// A site that whoever asks is told nothing of.
    public struct Withheld: Sendable {
        /// Which.
        public let site: SiteID
        /// What people call it; nil for one that does not know the person, which is not mentioned.
        public let name: String?
        /// The reason, in a sentence for the person.
        public let why: String

        /// See the properties.
        public init(site: SiteID, name: String?, why: String) { (self.site, self.name, self.why) = (site, name, why) }
    }

    /// Tells rows, as a list of objects.
    /// - Parameters:
    ///   - name: the member of the file that holds the list.
    ///   - tables: where the rows come from.
    ///   - sql: a query whose one mark is the person's id.
    ///   - columns: its columns, in their order; of what belongs to a site, the site is one.
    public init(
        _ name: StaticString, of tables: String..., sql: StaticString, columns: KeyValuePairs<StaticString, Kind>
    ) {
        self.tables = tables
        reason = nil
        let columns = columns.map { ($0.key, $0.value) }
        precondition(!columns.contains { $0.0.description == "site" && $0.1 == .id }, "\(name): a site is a site")
        let site = columns.firstIndex { $0.1 == .site }.map { Int32($0) }
        write = { person, withheld, database, json in
            json.key(name)
            try json.array { json in
                _ = try database.rows(sql, person) { row in
                    if let site, let id = row[site] as SiteID?, withheld.contains(id) { return }
                    json.object { json in
                        for (index, column) in columns.enumerated() {
                            json.key(column.0)
                            Self.write(row, Int32(index), column.1, &json)
                        }
                    }
                }
            }
        }
    }

    /// Tells nothing of a table.
    /// - Parameter why: the reason, in a sentence for the person.
    public init(silentAbout table: String, why: String) {
        tables = [table]
        reason = why
        write = { _, _, _, _ in }
    }

    private static func write(_ row: Row, _ index: Int32, _ kind: Kind, _ json: inout JSONWriter) {
        func value<T: SQLValue>(_ type: T.Type, _ write: (T) -> Void) -> Bool {
            guard let found = row[index] as T? else { return false }
            write(found)
            return true
        }
        let isThere =
            switch kind {
            case .text: value(String.self) { json.value($0) }
            case .number: value(Int.self) { json.value($0) }
            case .truth: value(Bool.self) { json.value($0) }
            case .moment: value(Timestamp.self) { json.value($0.iso8601) }
            case .day: value(Day.self) { json.value($0.iso8601) }
            case .id, .site: value(PersonID.self) { json.value($0.text) }
            case .json: value([UInt8].self) { json.raw($0) }
            case .bytes: value([UInt8].self) { json.value(Base64.urlText($0)) }
            }
        if !isThere { json.null() }
    }

    /// Writes everything that is known of a person, as one object: what each room tells, and of which tables nothing is told and why.
    /// - Parameters:
    ///   - before: as whom sites knew them before they took their place there.
    ///   - withheld: the sites of which nothing is told.
    public static func tell(
        _ person: PersonID, before: [PersonID] = [], by tellers: [Teller], without withheld: [Withheld],
        at now: Timestamp,
        in database: Database
    ) throws -> [UInt8] {
        let sites = Set(withheld.map(\.site))
        var json = JSONWriter(capacity: 16 << 10)
        try json.object { json in
            json.field("person", person.text)
            json.field("at", now.iso8601)
            for teller in tellers { try teller.write(person, sites, database, &json) }
            try json.array("before") { json in
                for standIn in before {
                    try json.object { json in
                        for teller in tellers { try teller.write(standIn, sites, database, &json) }
                    }
                }
            }
            json.array("withheld") { json in
                for one in withheld {
                    guard let name = one.name else { continue }
                    json.object { json in
                        json.field("site", one.site.text)
                        json.field("name", name)
                        json.field("why", one.why)
                    }
                }
            }
            json.array("told") { json in
                for table in tellers.filter({ $0.reason == nil }).flatMap(\.tables) { json.value(table) }
            }
            json.array("notTold") { json in
                for teller in tellers {
                    guard let reason = teller.reason else { continue }
                    json.object { json in
                        json.field("table", teller.tables.joined(separator: ", "))
                        json.field("why", reason)
                    }
                }
            }
        }
        return json.bytes
    }
}

extension Ledger {
    /// What the ledger tells somebody: every event that is about them.
    public static let tellers = [
        Teller(
            "events", of: "events", "event_payloads",
            sql: """
                SELECT e.site, e.at, e.kind, p.payload FROM event_payloads p JOIN events e ON e.id = p.event
                WHERE p.person = ? ORDER BY e.position
                """, columns: ["site": .site, "at": .moment, "kind": .text, "what": .json])
    ]
}
