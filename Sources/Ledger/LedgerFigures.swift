import Identity
import Store

extension Ledger {
    /// How many events of one kind there are at one site.
    public struct EventCount: Sendable {
        /// Where.
        public let site: SiteID
        /// What happened.
        public let kind: String
        /// How often.
        public let count: UInt64
    }

    /// How many events there are after a position, by site and kind; and the newest position, from which to go on.
    public func counts(after position: Int64) throws -> (counts: [EventCount], position: Int64) {
        try store.read { database in
            let newest =
                try database.row("SELECT position FROM events ORDER BY position DESC LIMIT 1") { $0[0] as Int64 } ?? 0
            let counts = try database.rows(
                """
                SELECT site, kind, COUNT(*) FROM events WHERE position > ? AND position <= ? GROUP BY site, kind
                """, position, newest
            ) { EventCount(site: $0[0], kind: $0[1], count: $0[2]) }
            return (counts, newest)
        }
    }

    /// How many events each follower has still to see.
    public func lags() throws -> [(follower: String, events: Int64)] {
        try store.read { database in
            let newest =
                try database.row("SELECT position FROM events ORDER BY position DESC LIMIT 1") { $0[0] as Int64 } ?? 0
            return try database.rows("SELECT name, position FROM followers ORDER BY name") {
                (follower: $0[0] as String, events: max(0, newest - ($0[1] as Int64)))
            }
        }
    }
}
