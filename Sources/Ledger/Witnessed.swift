import Identity
import JSON
import Store
import System
import Wire

/// A head of a site's chain that somebody outside the hub kept: a gate's controller, from an acknowledgement.
public struct WitnessedHead: Sendable, Equatable {
    /// Who kept it, in words.
    public let witness: String
    /// Whose chain.
    public let site: SiteID
    public let sequence: UInt64
    /// 32 bytes.
    public let hash: [UInt8]
    /// When the witness was told.
    public let at: Timestamp

    /// See the properties.
    public init(witness: String, site: SiteID, sequence: UInt64, hash: [UInt8], at: Timestamp) {
        (self.witness, self.site, self.sequence, self.hash, self.at) = (witness, site, sequence, hash, at)
    }

    /// A line of a file of heads: `{"gate", "site", "sequence", "head", "at"}`; nil when it is none.
    public init?(line: [UInt8]) {
        struct Line: Decodable { let gate, site, head, at: String; let sequence: UInt64 }
        guard let line = try? JSONReader.decode(Line.self, from: line), let site = SiteID(line.site),
            let hash = Hex.bytes(line.head.utf8, count: 32), let at = Timestamp(iso8601: line.at)
        else { return nil }
        self.init(witness: line.gate, site: site, sequence: line.sequence, hash: hash, at: at)
    }

    /// The same as a line.
    public var line: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("gate", witness)
            json.field("site", site.text)
            json.field("sequence", sequence)
            json.field("head", Hex.text(hash))
            json.field("at", at.iso8601)
        }
        return json.bytes
    }
}

/// What became of heads that witnesses kept.
public struct WitnessedVerification: Sendable, Equatable {
    /// How many the chains have.
    public var confirmed = 0
    /// How many belong to a time that a restore gave up, as the chain itself tells.
    public var givenUp = 0
    /// The first that no chain has, per site the earliest; nil when none.
    public var firstBad: Bad?

    /// A head that no chain has.
    public struct Bad: Sendable, Equatable {
        public let head: WitnessedHead
        /// The newest sequence before it that a witness confirms; 0 when none.
        public let lastGood: UInt64
        /// Whether the chain ends before it.
        public let isBeyondEnd: Bool
    }
}

extension Ledger {
    /// The kind of the event that begins every chain's new history after a restore. Its payload says `kept`: the last sequence of
    /// the backup.
    public static let restoredKind = "hub.restored"

    /// When a site's chain was put back from a backup last; nil: it never was.
    public static func lastRestore(of site: SiteID, in database: Database) throws -> Timestamp? {
        try database.row(
            """
            SELECT at FROM events WHERE site = ? AND substr(kind, 1, 8) <> 'opening.' AND kind = ?
            ORDER BY sequence DESC LIMIT 1
            """, site, restoredKind
        ) { $0[0] as Timestamp }
    }

    /// Demands each head in its chain: a history that was rewritten has other hashes, however consistent they are.
    public func verify(heads: [WitnessedHead]) throws -> WitnessedVerification {
        struct Restore: Decodable { let kept: UInt64 }
        return try store.read { database in
            var found = WitnessedVerification()
            let restores = try database.rows(
                """
                SELECT e.site, e.at, p.payload FROM events e JOIN event_payloads p ON p.event = e.id
                WHERE e.kind = 'hub.restored'
                """
            ) { row -> (SiteID, Timestamp, UInt64)? in
                guard let told = try? JSONReader.decode(Restore.self, from: row[2] as [UInt8]) else { return nil }
                return (row[0], row[1], told.kept)
            }.compactMap { $0 }
            var lastGood: [SiteID: UInt64] = [:]
            for head in heads.sorted(by: { ($0.site, $0.sequence) < ($1.site, $1.sequence) }) {
                let hash = try database.row(
                    "SELECT hash FROM events WHERE site = ? AND sequence = ?", head.site, head.sequence
                ) { $0[0] as [UInt8] }
                if hash == head.hash {
                    found.confirmed += 1
                    lastGood[head.site] = head.sequence
                } else if restores.contains(where: { $0 == head.site && head.sequence > $2 && head.at < $1 }) {
                    found.givenUp += 1
                } else if found.firstBad == nil {
                    found.firstBad = .init(
                        head: head, lastGood: lastGood[head.site] ?? 0, isBeyondEnd: hash == nil)
                }
            }
            return found
        }
    }
}
