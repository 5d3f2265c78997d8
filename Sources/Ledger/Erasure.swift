import Identity
import Store
import System

/// That a person is erased at a site: what every room is told, so that its own rows about them go too.
public struct Erasure: Sendable, Equatable {
    /// The name of the event that tells of it; chosen before anything is written.
    public let id: EventID
    /// Who.
    public let person: PersonID
    /// Where.
    public let site: SiteID
    /// When it was asked for.
    public let at: Timestamp

    /// See the properties.
    public init(id: EventID, person: PersonID, site: SiteID, at: Timestamp) {
        (self.id, self.person, self.site, self.at) = (id, person, site, at)
    }
}

/// That everything of some kinds and older than a time goes: what every room is told, so that its own rows go too.
public struct Expiry: Sendable, Equatable {
    /// Where.
    public let site: SiteID
    /// What: see `RetentionGroup`.
    public let group: RetentionGroup
    /// What is older than this goes.
    public let before: Timestamp

    /// So many rows go in one transaction: everybody's writing waits for it.
    public static let batch = 1_000
}

/// What a room or a feature does about its own tables when a person is erased, or when the time of things is over: it runs in the
/// transaction that removes the payloads.
///
/// Whoever keeps a person's id, name or address in a table registers one; a test looks through every table for what stayed.
public struct Eraser: Sendable {
    /// Removes everything about a person at a site. Rows that others need keep what does not name the person.
    public let erase: @Sendable (Erasure, Database) throws -> Void
    /// Removes what is too old, about `Expiry.batch` rows at a time, and says whether there may be more.
    public let expire: @Sendable (Expiry, Database) throws -> Bool

    /// - Parameters:
    ///   - erase: removes everything about a person at a site.
    ///   - expire: removes some of what is too old, and says whether there may be more; nothing unless told.
    public init(
        erase: @escaping @Sendable (Erasure, Database) throws -> Void,
        expire: @escaping @Sendable (Expiry, Database) throws -> Bool = { _, _ in false }
    ) {
        (self.erase, self.expire) = (erase, expire)
    }
}

extension Ledger {
    /// Events whose payload names a person although their row does not say so: the row's own column is not covered by the chain. One whom a
    /// house calls first stands in a list of ids. Who did something about others (`by`) stays: an id that leads to nobody any more.
    ///
    /// Reads every payload of the site, so it goes before the transaction, on a thread where waiting is allowed (`Store.readAside`).
    public static func mentions(of person: PersonID, at site: SiteID, in database: Database) throws -> [EventID] {
        try database.rows(
            """
            SELECT e.id FROM events e JOIN event_payloads p ON p.event = e.id
            WHERE e.site = ?1 AND p.person IS NOT ?2 AND json_valid(CAST(p.payload AS TEXT))
                AND EXISTS (
                    SELECT 1 FROM json_tree(CAST(p.payload AS TEXT))
                    WHERE key = 'person' AND atom = ?3 OR key = 'first' AND replace(atom, ?3, '') IS NOT atom)
            """, site, person, person.text
        ) { $0[0] as EventID }
    }

    /// Whom a payload is about, as it says itself. What somebody wrote cannot look like it: JSON puts a backslash before the marks.
    static func people(in payload: [UInt8]) -> Set<PersonID> {
        let length = 32
        return Set(
            payload.ranges(of: personField).compactMap { field in
                let text = payload[field.upperBound...].prefix(length + 1)
                guard text.count == length + 1, text.last == UInt8(ascii: "\"") else { return nil }
                return PersonID(String(decoding: text.dropLast(), as: UTF8.self))
            })
    }

    /// As every event names whom it is about, whatever its kind.
    private static let personField = Array("\"person\":\"".utf8)

    /// Whether a site's chain tells of a person.
    public static func tells(of person: PersonID, at site: SiteID, in database: Database) throws -> Bool {
        try database.row(
            "SELECT 1 FROM event_payloads p JOIN events e ON e.id = p.event WHERE p.person = ? AND e.site = ? LIMIT 1",
            person, site
        ) { $0[0] as Int } != nil
    }

    /// Whether an erasure was carried out: its event is in the ledger.
    public static func isCarriedOut(_ erasure: Erasure, in database: Database) throws -> Bool {
        try database.row("SELECT 1 FROM events WHERE id = ? AND kind = 'ledger.erased'", erasure.id) { $0[0] as Int }
            != nil
    }

    /// Removes payloads and salts of all events of a chain about a person, and appends the event that lists them.
    /// - Parameters:
    ///   - chain: the erasure's site, or the hub's own chain when the account ends.
    ///   - mentions: further events, from `mentions(of:at:in:)`.
    ///   - by: the owner who asked for it; nil: they did so themselves, or it is applied again after a restore.
    ///   - isTold: whether owners hear of it although no owner asked: they do so themselves, now or before a power cut.
    public static func erase(
        _ erasure: Erasure, in chain: SiteID, mentions: [EventID] = [], by: PersonID?, isTold: Bool = false,
        at now: Timestamp, _ database: Database
    ) throws -> Removed {
        var found = try database.rows(
            """
            SELECT e.sequence, e.id FROM event_payloads p JOIN events e ON e.id = p.event
            WHERE p.person = ? AND e.site = ? ORDER BY e.sequence
            """, erasure.person, chain
        ) { (sequence: $0[0] as UInt64, id: $0[1] as EventID) }
        for id in mentions {
            let more = try database.row(
                """
                SELECT e.sequence, e.id FROM event_payloads p JOIN events e ON e.id = p.event
                WHERE e.id = ? AND e.site = ? AND p.person IS NOT ?
                """, id, chain, erasure.person
            ) { (sequence: $0[0] as UInt64, id: $0[1] as EventID) }
            if let more { found.append(more) }
        }
        if chain != erasure.site, found.isEmpty { return Removed() }
        return try remove(
            found.sorted { $0.sequence < $1.sequence }, of: chain, kind: RemovalKind.erased,
            id: chain == erasure.site ? erasure.id : .new(at: now), at: now, in: database
        ) { json in
            if let by { json.field("by", by.text) }
            if isTold { json.field("told", true) }
        }
    }
}
