import Identity
import JSON
import Store
import System

/// The events that say that payloads are gone. They list sequences and name nobody; they themselves are never removed.
public enum RemovalKind {
    /// Somebody was erased.
    public static let erased = "ledger.erased"
    /// What was kept as long as the site wants it.
    public static let expired = "ledger.expired"
}

/// What one removal took out of a chain.
public struct Removed: Sendable, Equatable {
    /// How many payloads.
    public var events = 0
    /// The head of the chain after the event that lists them; nil when nothing was removed and nothing was written.
    public var head: Ledger.Head?
}

extension Ledger {
    /// One event lists at most so many runs of sequences; what has more gets several events.
    static let listedRuns = 2_000

    /// What the payload of a removal says.
    struct RemovalPayload: Decodable {
        let sequences: [[UInt64]]
    }

    /// Deletes payloads and salts of a chain and appends the events that list them. The chain itself stays as it is.
    /// - Parameters:
    ///   - found: sequence and id of events of that site that have a payload, ascending by sequence.
    ///   - id: the name of the first listing event.
    ///   - more: what else the listing says; nothing that names whom it was about.
    static func remove(
        _ found: [(sequence: UInt64, id: EventID)], of site: SiteID, kind: String, id: EventID, at now: Timestamp,
        in database: Database, _ more: (inout JSONWriter) -> Void
    ) throws -> Removed {
        for event in found { try database.execute("DELETE FROM event_payloads WHERE event = ?", event.id) }
        var removed = Removed(events: found.count)
        var pieces = SequenceRanges(found.map(\.sequence)).pieces(of: listedRuns)
        // An erasure is told also when there was nothing to remove: that it happened is a fact of its own.
        if pieces.isEmpty, kind == RemovalKind.erased { pieces = [SequenceRanges([])] }
        for (number, piece) in pieces.enumerated() {
            var json = JSONWriter(capacity: 64 + 24 * piece.runs.count)
            json.object { json in
                more(&json)
                json.field("events", piece.count)
                piece.write(to: &json)
            }
            removed.head = try append(
                NewEvent(
                    id: number == 0 ? id : .new(at: now), site: site, kind: kind, at: now, payload: json.bytes),
                to: database)
        }
        return removed
    }

    /// What the removals of a chain list, as far as their payloads are what the chain covers.
    /// - Parameter verifies: whether a salt and a payload have a hash.
    static func listed(
        of site: SiteID, in database: Database, verifies: ([UInt8], [UInt8], [UInt8]) -> Bool
    ) throws -> SequenceRanges {
        let listings = try database.rows(
            """
            SELECT e.sequence, e.payload_hash, p.salt, p.payload FROM events e JOIN event_payloads p ON p.event = e.id
            WHERE e.site = ? AND e.kind IN ('ledger.erased', 'ledger.expired') ORDER BY e.sequence
            """, site
        ) { row -> [ClosedRange<UInt64>] in
            let (sequence, hash): (UInt64, [UInt8]) = (row[0], row[1])
            let (salt, bytes): ([UInt8], [UInt8]) = (row[2], row[3])
            guard verifies(salt, bytes, hash),
                let payload = try? JSONReader.decode(RemovalPayload.self, from: bytes)
            else { return [] }
            return payload.sequences.compactMap { run in
                // Only what came before it.
                run.count == 2 && run[0] >= 1 && run[0] <= run[1] && run[1] < sequence ? run[0]...run[1] : nil
            }
        }
        return SequenceRanges(merging: listings.flatMap { $0 })
    }
}
