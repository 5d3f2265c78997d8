import Crypto
import Identity
import Store
import System

/// What a look through all chains found.
public struct Verification: Sendable, Equatable {
    /// How many events were read.
    public var events = 0
    /// How many chains.
    public var sites = 0
    /// How many of the events have no payload any more, and a later event lists them.
    public var erased = 0
    /// The first event that does not fit, and why; nil when all fit.
    public var firstBad: Bad?

    /// An event that does not fit.
    public struct Bad: Sendable, Equatable {
        /// Whose chain.
        public let site: SiteID
        /// Its place.
        public let sequence: UInt64
        /// What is wrong, in words.
        public let why: String
    }
}

extension Ledger {
    /// Computes every link of every chain anew.
    public func verify() throws -> Verification {
        try store.read { database in
            var found = Verification()
            let sites = try database.rows("SELECT DISTINCT site FROM events ORDER BY site") { $0[0] as SiteID }
            found.sites = sites.count
            for site in sites {
                if let bad = try verify(site, in: database, &found) {
                    found.firstBad = bad
                    return found
                }
            }
            found.firstBad = try verifyDailyHeads(in: database)
            if found.firstBad == nil,
                let stray = try database.row(
                    "SELECT count(*) FROM event_payloads p LEFT JOIN events e ON e.id = p.event WHERE e.id IS NULL",
                    make: { $0[0] as Int }), stray > 0
            {
                found.firstBad = .init(site: .hub, sequence: 0, why: "\(stray) payloads belong to no event")
            }
            return found
        }
    }

    private func verify(_ site: SiteID, in database: Database, _ found: inout Verification) throws -> Verification.Bad?
    {
        var previous = [UInt8](repeating: 0, count: 32)
        var sequence: UInt64 = 0
        var position: Int64 = 0
        var bad: Verification.Bad?
        let listed = try Self.listed(of: site, in: database) { Self.matches($0, $1, $2) }
        while bad == nil {
            // In pieces, so that a ledger of millions does not have to fit in memory.
            let piece = try database.rows(
                """
                SELECT e.sequence, e.id, e.at, e.kind, e.payload_hash, e.hash, p.salt, p.payload, p.person, e.position
                FROM events e LEFT JOIN event_payloads p ON p.event = e.id
                WHERE e.site = ? AND e.sequence > ? ORDER BY e.sequence LIMIT 1000
                """, site, sequence
            ) { row in
                Link(
                    header: Header(site: site, sequence: row[0], id: row[1], at: row[2], kind: row[3]),
                    payloadHash: row[4], hash: row[5], salt: row[6], payload: row[7], person: row[8], position: row[9])
            }
            if piece.isEmpty { return nil }
            for link in piece {
                found.events += 1
                if let why = wrong(link, after: (previous, sequence, position), listed) {
                    bad = .init(site: site, sequence: link.header.sequence, why: why)
                    break
                }
                if link.payload == nil { found.erased += 1 }
                (previous, sequence, position) = (link.hash, link.header.sequence, link.position)
            }
        }
        return bad
    }

    /// An event as it stands in the tables.
    private struct Link {
        let header: Header
        let payloadHash: [UInt8]
        let hash: [UInt8]
        let salt: [UInt8]?
        let payload: [UInt8]?
        let person: PersonID?
        let position: Int64
    }

    /// What is wrong with an event, as the one before it and the removals of its chain tell; nil when it fits.
    private func wrong(
        _ link: Link, after last: (hash: [UInt8], sequence: UInt64, position: Int64), _ listed: SequenceRanges
    ) -> String? {
        let header = link.header
        if header.sequence != last.sequence + 1 {
            return "the events \(last.sequence + 1) to \(header.sequence - 1) are missing"
        }
        if header.kind.utf8.count > 32 || header.kind.utf8.contains(0)
            || link.hash != header.hash(after: last.hash, payloadHash: link.payloadHash)
        {
            return "its hash does not follow from the one before it"
        }
        // The place among all events is no part of the hash; followers go by it.
        if link.position <= last.position { return "it stands before the event that it follows" }
        guard let salt = link.salt, let payload = link.payload else {
            return listed.contains(header.sequence) ? nil : "its payload is missing and no erasure lists it"
        }
        if !Self.matches(salt, payload, link.payloadHash) { return "its payload was changed" }
        if listed.contains(header.sequence) { return "its payload is there although an erasure lists it" }
        // Nor is the column that erasures go by: it says what the payload says.
        let named = Self.people(in: payload)
        guard let person = link.person else { return named.isEmpty ? nil : "its row does not say whom it is about" }
        return named.contains(person) ? nil : "it is put down to somebody else"
    }

    /// The salt's length is checked so that no byte can move between it and the payload.
    private static func matches(_ salt: [UInt8], _ payload: [UInt8], _ hash: [UInt8]) -> Bool {
        salt.count == 16 && Digest.sha256(salt + payload) == hash
    }
}
