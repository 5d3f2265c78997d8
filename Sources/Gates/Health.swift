import JSON
import Ledger
import Store
import System
import Wire

/// What does not work at a gate, as programs and events know it.
public enum GateTrouble: String, Sendable, JSONChoice {
    /// The journal cannot be written: nobody is let in until it can, and everybody is let out.
    case journalFull
    /// The relay did not move when it was last asked to.
    case relayFailed
    /// New rights came and could not be kept; the old ones hold.
    case rightsNotKept
    /// Its disk is nearly full: openings are written into the room that is kept for them, refusals are not.
    case diskFull
    /// Its clock cannot be trusted: it opens for the hub alone.
    case clockUntrusted
    /// Its clock is further off than `GateReport.clockLeeway`.
    case clockOff
    /// It told two different things under one number of its journal.
    case contradiction
    /// It has more badges, or more different hours, than it can hold: some do not open it, or not in all their hours.
    case badgesCut
}

/// What a gate's controller last said of itself.
public struct GateReport: Sendable, Equatable {
    /// So much may a gate's clock differ from the hub's, in seconds, before it is told.
    public static let clockLeeway = 10

    /// When the hub heard it.
    public var at: Timestamp
    /// The gate's clock less the hub's, in seconds; nil when it did not say.
    public var clockOffset: Int?
    /// Records of its journal that the hub does not have yet; nil when it did not say.
    public var waiting: Int?
    /// Records of its journal altogether; nil when it did not say.
    public var kept: Int?
    /// Its software and version; nil when it did not say.
    public var software: String?
    /// How often it has started.
    public var starts: Int
    /// The version of the rights that it holds.
    public var rightsVersion: UInt64
    /// What does not work, in the order of `GateTrouble.allCases`.
    public var troubles: [GateTrouble]

    init(_ hello: GateHello, at now: Timestamp, isContradicting: Bool, isCut: Bool) {
        at = now
        clockOffset = hello.status.map { Int(clamping: Int64(clamping: $0.utc) - Int64(now.seconds)) }
        waiting = hello.status.map { Int($0.waiting) }
        kept = hello.status.map { Int($0.kept) }
        software = hello.status.map { String(decoding: $0.software, as: UTF8.self) }
        starts = Int(hello.bootCount)
        rightsVersion = hello.rightsVersion
        let said = hello.status?.troubles ?? []
        let isOff = hello.clock == .trusted && abs(clockOffset ?? 0) > Self.clockLeeway
        troubles = GateTrouble.allCases.filter { trouble in
            switch trouble {
            case .journalFull: said.contains(.journalFull)
            case .relayFailed: said.contains(.relayFailed)
            case .rightsNotKept: said.contains(.rightsNotKept)
            case .diskFull: said.contains(.diskFull)
            case .clockUntrusted: hello.clock == .untrusted
            case .clockOff: isOff
            case .contradiction: isContradicting
            case .badgesCut: isCut
            }
        }
    }

    fileprivate init(_ row: Row) {
        (at, clockOffset, waiting, kept) = (row[0], row[1], row[2], row[3])
        (software, starts, rightsVersion) = (row[4], row[5], row[6])
        troubles = (row[7] as String).split(separator: " ").compactMap { GateTrouble(rawValue: String($0)) }
    }
}

extension Gates {
    /// What a gate is known to be like: what it said in this run of the hub, or what was written down before; nil when it was never
    /// heard.
    public func health(of gate: GateID) throws -> GateReport? {
        if let report = live.report(of: gate) { return report }
        return try store.read { try GateRecords.report(of: gate, in: $0) }
    }

    /// Keeps what a gate says of itself. A trouble that begins or ends is an event; the rest is written down now and then.
    func note(_ hello: GateHello, of gate: Gate, isBack: Bool, now: Timestamp) async throws {
        let before = try health(of: gate.id)
        // A hub that has just started does not know it anew before it makes the gate's rights.
        let isCut =
            try cutRights.withLock { $0[gate.id] }
            ?? (before?.troubles.contains(.badgesCut) == true && store.read { try takesBadges(gate, in: $0) })
        var report = GateReport(
            hello, at: now, isContradicting: contradicting.withLock { $0.contains(gate.id) }, isCut: isCut)
        // A gate that has just started has no time to trust yet: it asks for it with this very hello. That is no trouble, and its
        // end is no news.
        // Nor is it that both show different times where ours was set a moment ago.
        if !clock.isFirm { report.troubles.removeAll { $0 == .clockOff } }
        if isBack { report.troubles.removeAll { $0 == .clockUntrusted } }
        let known = live.note(report, of: gate.id)
        let began = report.troubles.filter { !(before?.troubles ?? []).contains($0) }
        let ended = (before?.troubles ?? []).filter { !report.troubles.contains($0) }
        let isDue = before.map { now.milliseconds - $0.at.milliseconds > Self.reportInterval } ?? true
        guard !began.isEmpty || !ended.isEmpty || isBack || isDue || known == nil else { return }
        let noted = report
        try await store.write(.vital) { database in
            try GateRecords.put(noted, of: gate.id, in: database)
            if began.isEmpty && ended.isEmpty { return }
            try Ledger.append(
                NewEvent(
                    id: .new(at: now), site: gate.site, kind: "gate.troubles", at: now,
                    payload: GateTroublesPayload(gate: gate.id, began: began, ended: ended).document()), to: database)
        }
    }

    /// What a gate says is written down so often, in milliseconds, so that *last heard* outlives the hub.
    private static let reportInterval: Int64 = 600_000
}

extension GateRecords {
    static func report(of gate: GateID, in database: Database) throws -> GateReport? {
        try database.row(
            """
            SELECT at, clock_offset, waiting, kept, software, starts, rights_version, troubles FROM gate_reports WHERE gate = ?
            """, gate, make: GateReport.init)
    }

    static func put(_ report: GateReport, of gate: GateID, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO gate_reports (gate, at, clock_offset, waiting, kept, software, starts, rights_version, troubles)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (gate) DO UPDATE SET
                at = excluded.at, clock_offset = excluded.clock_offset, waiting = excluded.waiting, kept = excluded.kept,
                software = excluded.software, starts = excluded.starts, rights_version = excluded.rights_version,
                troubles = excluded.troubles
            """, gate, report.at, report.clockOffset, report.waiting, report.kept, report.software, report.starts,
            report.rightsVersion, report.troubles.map(\.rawValue).joined(separator: " "))
    }
}
