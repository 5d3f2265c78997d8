import Identity
import Store
import System

/// Kinds of events that are kept equally long.
public enum RetentionGroup: String, Sendable, CaseIterable {
    /// Who opened what: openings, refusals, transits.
    case openings
    /// Who signed in, and from where.
    case signIns
    /// What managers changed: people, roles, gates.
    case changes

    /// What the kinds of the group begin with. What begins with none of these (`ledger.`, `site.`, `hub.`) is kept for ever: it
    /// names nobody, and the verification needs it.
    var prefixes: [String] {
        switch self {
        case .openings: ["opening."]
        case .signIns: ["session.", "sign."]
        case .changes:
            [
                "account.", "gate.", "home.", "membership.", "notice.", "password.", "people.", "person.", "retention.",
                "role.", "webhook.",
            ]
        }
    }

    /// Unless the site says otherwise, in days: two years, half a year, ten years.
    public var usualDays: Int {
        switch self {
        case .openings: 730
        case .signIns: 180
        case .changes: 3_650
        }
    }
}

/// How long a site keeps what: days per group; 0 is for ever.
public struct RetentionRules: Sendable, Equatable {
    private var days: [RetentionGroup: Int] = [:]

    /// As it is unless somebody says otherwise.
    public init() {}

    /// At least so many days: a gate that was alone so long may still tell what happened.
    public static let fewest = 30
    /// At most so many days: twenty years. 0 says for ever.
    public static let most = 7_300

    /// Days of a group.
    public subscript(_ group: RetentionGroup) -> Int {
        get { days[group] ?? group.usualDays }
        set { days[group] = newValue }
    }

    /// Whether a number of days may be asked for.
    public static func allows(_ days: Int) -> Bool { days == 0 || (fewest...most).contains(days) }
}

extension Ledger {
    /// At most so many payloads go in one transaction, so that nobody waits long behind it.
    static let expiryBatch = 500

    /// What a site asked for.
    public static func retention(of site: SiteID, in database: Database) throws -> RetentionRules {
        var rules = RetentionRules()
        for (name, days) in try database.rows(
            "SELECT kinds, days FROM retention WHERE site = ?", site, make: { ($0[0] as String, $0[1] as Int) })
        {
            if let group = RetentionGroup(rawValue: name) { rules[group] = days }
        }
        return rules
    }

    /// Keeps what a site asks for, and tells its chain what it was before. Nothing is written when nothing changes.
    public static func setRetention(
        _ rules: RetentionRules, of site: SiteID, by: PersonID, at now: Timestamp, in database: Database
    ) throws {
        let before = try retention(of: site, in: database)
        let changed = RetentionGroup.allCases.filter { before[$0] != rules[$0] }
        if changed.isEmpty { return }
        for group in changed {
            try database.execute(
                """
                INSERT INTO retention (site, kinds, days) VALUES (?, ?, ?)
                ON CONFLICT (site, kinds) DO UPDATE SET days = excluded.days
                """, site, group.rawValue, rules[group])
        }
        let facts = changed.map { "\"\($0.rawValue)\":{\"before\":\(before[$0]),\"after\":\(rules[$0])}" }
        let payload = "{\"by\":\"\(by.text)\",\"days\":{\(facts.joined(separator: ","))}}"
        try append(
            NewEvent(
                id: .new(at: now), site: site, kind: "retention.changed", at: now, payload: Array(payload.utf8)),
            to: database)
    }

    /// Removes what a site keeps no longer, in short transactions, and appends what went. A full disk holds none of it up: it makes room.
    /// - Parameter erasers: of all rooms.
    /// - Returns: how many payloads went.
    @discardableResult
    public func expire(at site: SiteID, now: Timestamp, erasers: [Eraser]) async throws -> Int {
        let rules = try store.read { try Self.retention(of: site, in: $0) }
        var count = 0
        for group in RetentionGroup.allCases where rules[group] > 0 {
            let expiry = Expiry(
                site: site, group: group, before: now.adding(milliseconds: -Int64(rules[group]) * 86_400_000))
            for prefix in group.prefixes { count += try await expire(expiry, prefix, now) }
            for eraser in erasers {
                while try await store.write(.vital, { try eraser.expire(expiry, $0) }) {}
            }
        }
        return count
    }

    private func expire(_ expiry: Expiry, _ prefix: String, _ now: Timestamp) async throws -> Int {
        // Everything that begins with `opening.` lies between it and `opening/`.
        let end = String(prefix.dropLast()) + "/"
        var (count, last) = (0, 0 as UInt64)
        while true {
            let after = last
            let found = try await store.readAside { database in
                try database.rows(
                    """
                    SELECT e.sequence, e.id FROM events e JOIN event_payloads p ON p.event = e.id
                    WHERE e.site = ? AND e.sequence > ? AND e.kind >= ? AND e.kind < ? AND e.at < ?
                    ORDER BY e.sequence LIMIT ?
                    """, expiry.site, after, prefix, end, expiry.before, Self.expiryBatch
                ) { (sequence: $0[0] as UInt64, id: $0[1] as EventID) }
            }
            guard let newest = found.last?.sequence else { return count }
            count += try await store.write(.vital) { database in
                // What somebody's erasure took in the meantime is listed there.
                let left = try found.filter { event in
                    try database.row("SELECT 1 FROM event_payloads WHERE event = ?", event.id) { $0[0] as Int } != nil
                }
                if left.isEmpty { return 0 }
                return try Self.remove(
                    left, of: expiry.site, kind: RemovalKind.expired, id: .new(at: now), at: now, in: database
                ) { json in
                    json.field("kinds", expiry.group.rawValue)
                    json.field("before", expiry.before.iso8601)
                }.events
            }
            last = newest
        }
    }
}
