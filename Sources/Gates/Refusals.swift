import Accounts
import Identity
import Ledger
import Store
import System

// Repeated refusals: the first of a person, a gate and a reason is an event of its own, what follows is counted in a row and becomes one
// event. The row is written with each refusal, so a crash loses none.

/// What is counted since the event of a refusal, or since the event that told of repeats before.
struct Refusals: Sendable {
    /// So long after the last refusal the next is an event of its own again, in milliseconds.
    static let pause: Int64 = 60_000
    /// While they go on, one event tells of so much time, in milliseconds: an hour.
    static let period: Int64 = 3_600_000
    /// How often the hub looks for rows that are due, in milliseconds of its uptime.
    static let look: UInt64 = 10_000
    /// Rows that one transaction turns into events.
    static let batch = 100

    let gate: GateID
    let site: SiteID
    let person: PersonID
    let reason: Reason
    /// The event of the first refusal.
    let event: EventID
    let since: Timestamp
    /// Of the first and the last refusal that are counted; the last is that of the event while none is.
    let first: Timestamp?
    let last: Timestamp
    let count: Int
}

extension GateRecords {
    static let refusalsMigration = Migration(
        "gates.refusals.1",
        """
        CREATE TABLE refusals (
            gate BLOB NOT NULL REFERENCES gates (id), person BLOB NOT NULL, code TEXT NOT NULL, parameter TEXT NOT NULL,
            site BLOB NOT NULL, event BLOB NOT NULL, since INTEGER NOT NULL, first INTEGER, last INTEGER NOT NULL,
            count INTEGER NOT NULL, PRIMARY KEY (gate, person, code, parameter)
        ) STRICT, WITHOUT ROWID;
        """)

    private static func refusals(_ row: Row) -> Refusals {
        let parameter: String = row[4]
        return Refusals(
            gate: row[0], site: row[1], person: row[2], reason: Reason(row[3], parameter.isEmpty ? nil : parameter),
            event: row[5], since: row[6], first: row[7], last: row[8], count: row[9])
    }

    /// The refusals of a person, a gate and a reason that are not over yet.
    static func refusals(
        of person: PersonID, at gate: GateID, _ reason: Reason, in database: Database
    ) throws -> Refusals? {
        try database.row(
            """
            SELECT gate, site, person, code, parameter, event, since, first, last, count FROM refusals
            WHERE gate = ? AND person = ? AND code = ? AND parameter = ?
            """, gate, person, reason.code, reason.parameter ?? "", make: refusals)
    }

    /// Those that are over, or go on for so long that they have to be told. A clock that was set back ends them too.
    static func dueRefusals(at now: Timestamp, in database: Database) throws -> [Refusals] {
        try database.rows(
            """
            SELECT gate, site, person, code, parameter, event, since, first, last, count FROM refusals
            WHERE abs(? - last) >= ? OR abs(? - since) >= ? ORDER BY last LIMIT ?
            """, now, Refusals.pause, now, Refusals.period, Refusals.batch, make: refusals)
    }

    static func begin(_ refusals: Refusals, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO refusals (gate, person, code, parameter, site, event, since, first, last, count)
            VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?, 0)
            """, refusals.gate, refusals.person, refusals.reason.code, refusals.reason.parameter ?? "", refusals.site,
            refusals.event, refusals.since, refusals.last)
    }

    static func count(_ refusals: Refusals, at now: Timestamp, in database: Database) throws {
        try database.execute(
            """
            UPDATE refusals SET count = count + 1, first = coalesce(first, ?), last = ?
            WHERE gate = ? AND person = ? AND code = ? AND parameter = ?
            """, now, now, refusals.gate, refusals.person, refusals.reason.code, refusals.reason.parameter ?? "")
    }

    static func remove(_ refusals: Refusals, in database: Database) throws {
        try database.execute(
            "DELETE FROM refusals WHERE gate = ? AND person = ? AND code = ? AND parameter = ?", refusals.gate,
            refusals.person, refusals.reason.code, refusals.reason.parameter ?? "")
    }
}

extension Gates {
    /// Writes a refusal: as an event, or counted with those of the last minute.
    /// - Returns: the event that stands for it.
    static func refuse(
        _ person: PersonID, _ gate: Gate, _ reason: Reason, as event: EventID, at now: Timestamp, in database: Database
    ) throws -> EventID {
        if let known = try GateRecords.refusals(of: person, at: gate.id, reason, in: database) {
            if !known.isOver(at: now) {
                try GateRecords.count(known, at: now, in: database)
                return known.event
            }
            try tell(known, at: now, in: database)
            try GateRecords.remove(known, in: database)
        }
        try append(
            OpeningKind.denied, id: event, OpeningPayload(gate: gate.id, person: person, reason: .init(reason)),
            at: gate.site, now, in: database)
        try GateRecords.begin(
            Refusals(
                gate: gate.id, site: gate.site, person: person, reason: reason, event: event, since: now, first: nil,
                last: now, count: 0), in: database)
        return event
    }

    /// Tells of the refusals that were counted, where they are over or go on for an hour. Called every few seconds.
    func tellRefusals() async throws {
        while try store.read({ try !GateRecords.dueRefusals(at: clock.now, in: $0).isEmpty }) {
            try await store.write(.vital) { [clock] database in
                // The time of the writing: a refusal that was counted while this waited would else look like one of the future.
                let now = clock.now
                for refusals in try GateRecords.dueRefusals(at: now, in: database) {
                    try Self.tell(refusals, at: now, in: database)
                    try GateRecords.remove(refusals, in: database)
                    // Going on: what follows is counted under the event that stands for the first.
                    if !refusals.isOver(at: now) { try GateRecords.begin(refusals.next(from: now), in: database) }
                }
            }
        }
    }

    private static func tell(_ refusals: Refusals, at now: Timestamp, in database: Database) throws {
        guard let first = refusals.first else { return }
        try append(
            OpeningKind.denied, id: .new(at: now),
            OpeningPayload(
                gate: refusals.gate, person: refusals.person, reason: .init(refusals.reason), repeats: refusals.event,
                count: refusals.count, first: first, last: refusals.last), at: refusals.site, now, in: database)
    }
}

extension Refusals {
    /// Whether the next is an event of its own. A clock that was set back ends it too.
    func isOver(at now: Timestamp) -> Bool { abs(now.milliseconds - last.milliseconds) >= Self.pause }

    /// The same refusals, with none counted.
    func next(from now: Timestamp) -> Refusals {
        Refusals(
            gate: gate, site: site, person: person, reason: reason, event: event, since: now, first: nil, last: last,
            count: 0)
    }
}
