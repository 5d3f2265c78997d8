import Crypto
import Store
import System

/// What a look through all chains found.
public struct Verification: Sendable, Equatable {
    /// How many events were read.
    public var events = 0
    /// How many chains.
    public var sites = 0
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
                if let bad = try verify(site, in: database, &found.events) {
                    found.firstBad = bad
                    return found
                }
            }
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

    private func verify(_ site: SiteID, in database: Database, _ count: inout Int) throws -> Verification.Bad? {
        var previous = [UInt8](repeating: 0, count: 32)
        var sequence: UInt64 = 0
        var bad: Verification.Bad?
        while bad == nil {
            // In pieces, so that a ledger of millions does not have to fit in memory.
            let piece = try database.rows(
                """
                SELECT e.sequence, e.id, e.at, e.kind, e.payload_hash, e.hash, p.salt, p.payload
                FROM events e LEFT JOIN event_payloads p ON p.event = e.id
                WHERE e.site = ? AND e.sequence > ? ORDER BY e.sequence LIMIT 1000
                """, site, sequence
            ) { row -> (Header, [UInt8], [UInt8], [UInt8]?, [UInt8]?) in
                (
                    Header(site: site, sequence: row[0], id: row[1], at: row[2], kind: row[3]), row[4], row[5], row[6],
                    row[7]
                )
            }
            if piece.isEmpty { return nil }
            for (header, payloadHash, hash, salt, payload) in piece {
                count += 1
                func wrong(_ why: String) -> Verification.Bad { .init(site: site, sequence: header.sequence, why: why) }
                if header.sequence != sequence + 1 {
                    bad = wrong("the events \(sequence + 1) to \(header.sequence - 1) are missing")
                } else if header.kind.utf8.count > 32 || header.kind.utf8.contains(0)
                    || hash != header.hash(after: previous, payloadHash: payloadHash)
                {
                    bad = wrong("its hash does not follow from the one before it")
                } else if let salt, let payload {
                    // The salt's length is checked so that no byte can move between it and the payload.
                    if salt.count != 16 || Digest.sha256(salt + payload) != payloadHash {
                        bad = wrong("its payload was changed")
                    }
                } else {
                    bad = wrong("its payload is missing and no erasure lists it")
                }
                if bad != nil { break }
                (previous, sequence) = (hash, header.sequence)
            }
        }
        return bad
    }
}
