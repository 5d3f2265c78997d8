import Identity
import JSON
import Store
import System
import Wire

/// The hub's own chain keeps a head of every site's chain once a day: whoever rewrites a site's history has to rewrite the hub's too.
extension Ledger {
    /// The kind of the event that keeps them.
    public static let headsKind = "ledger.heads"

    /// What such an event says.
    struct HeadsPayload: Decodable {
        struct Head: Decodable {
            let site: String
            let sequence: UInt64
            let hash: String
        }
        let heads: [Head]
    }

    /// One event keeps at most so many heads; a hub of more sites writes several.
    static let headsPerEvent = 500

    /// Writes today's heads down, unless that was done within the last day.
    /// - Returns: whether it was done now.
    @discardableResult
    public static func keepHeads(at now: Timestamp, in database: Database) throws -> Bool {
        let last = try database.row(
            "SELECT at FROM events WHERE site = ? AND kind = 'ledger.heads' ORDER BY sequence DESC LIMIT 1", SiteID.hub
        ) { $0[0] as Timestamp }
        if let last, last <= now, last > now.adding(milliseconds: -86_400_000) { return false }
        // From chain to chain by an index, however many events each has.
        let sites = try database.rows(
            """
            WITH RECURSIVE chains (site) AS (
                SELECT min(site) FROM events
                UNION ALL SELECT (SELECT min(site) FROM events WHERE site > chains.site) FROM chains
                    WHERE chains.site IS NOT NULL)
            SELECT site FROM chains WHERE site IS NOT NULL AND site <> ? ORDER BY site
            """, SiteID.hub
        ) { $0[0] as SiteID }
        for start in stride(from: 0, to: sites.count, by: headsPerEvent) {
            var json = JSONWriter(capacity: 4096)
            try json.object { json in
                try json.array("heads") { json in
                    for site in sites[start..<min(start + headsPerEvent, sites.count)] {
                        let head = try head(of: site, in: database)
                        json.object { json in
                            json.field("site", site.text)
                            json.field("sequence", head.sequence)
                            json.field("hash", Hex.text(head.hash))
                        }
                    }
                }
            }
            try append(
                NewEvent(id: .new(at: now), site: .hub, kind: headsKind, at: now, payload: json.bytes), to: database)
        }
        return !sites.isEmpty
    }

    /// The first head in the hub's chain that its site's chain does not have; nil when all are there.
    func verifyDailyHeads(in database: Database) throws -> Verification.Bad? {
        let kept = try database.rows(
            """
            SELECT p.payload FROM events e JOIN event_payloads p ON p.event = e.id
            WHERE e.site = ? AND e.kind = 'ledger.heads' ORDER BY e.sequence
            """, SiteID.hub
        ) { $0[0] as [UInt8] }
        for bytes in kept {
            guard let payload = try? JSONReader.decode(HeadsPayload.self, from: bytes) else { continue }
            for head in payload.heads {
                guard let site = SiteID(head.site) else { continue }
                let hash = try database.row(
                    "SELECT hash FROM events WHERE site = ? AND sequence = ?", site, head.sequence
                ) { $0[0] as [UInt8] }
                if hash.map({ Hex.text($0) }) != head.hash {
                    return .init(site: site, sequence: head.sequence, why: "it is not what the hub's own chain kept")
                }
            }
        }
        return nil
    }
}
