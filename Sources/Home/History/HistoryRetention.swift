import Accounts
import Household
import Identity
import Ledger
import Store
import System

/// How long a house keeps what its sensors told, in days.
struct HistoryRetention: Sendable, Equatable {
    /// Each reading.
    var raw = 30
    /// Each five minutes.
    var fiveMinutes = 730
    /// Each hour and day; 0: for ever.
    var hours = 0

    /// Which days may be asked for; nothing finer outlasts what is coarser.
    static let rawDays = 1...366
    /// See `rawDays`.
    static let fiveMinuteDays = 30...3_660
    /// See `rawDays`; 0 is for ever.
    static let hourDays = 365...36_600

    /// Whether it may be asked for.
    var isAllowed: Bool {
        Self.rawDays.contains(raw) && Self.fiveMinuteDays.contains(fiveMinutes)
            && (hours == 0 || Self.hourDays.contains(hours)) && raw <= fiveMinutes
            && (hours == 0 || fiveMinutes <= hours)
    }

    /// Since when a tier is there.
    func kept(_ tier: Tier, at now: Timestamp) -> Timestamp {
        let days =
            switch tier {
            case .raw: raw
            case .fiveMinutes: fiveMinutes
            case .hour, .day: hours
            }
        return days == 0 ? Timestamp(milliseconds: .min) : now.adding(milliseconds: -Int64(days) * 86_400_000)
    }

    // MARK: the table

    /// What a house asked for.
    static func of(_ site: SiteID, in database: Database) throws -> HistoryRetention {
        try database.row("SELECT raw, five, hours FROM home_retention WHERE site = ?", site) {
            HistoryRetention(raw: $0[0], fiveMinutes: $0[1], hours: $0[2])
        } ?? HistoryRetention()
    }

    /// Keeps what a house asks for, and tells its chain what it was before.
    func keep(for site: SiteID, by person: PersonID, at now: Timestamp, in database: Database) throws {
        let before = try Self.of(site, in: database)
        if before == self { return }
        try database.execute(
            """
            INSERT INTO home_retention (site, raw, five, hours) VALUES (?, ?, ?, ?)
            ON CONFLICT (site) DO UPDATE SET raw = excluded.raw, five = excluded.five, hours = excluded.hours
            """, site, raw, fiveMinutes, hours)
        try Audit(
            "home.retention.changed", ("house", site.text), before: before.fields, after: fields
        ).append(at: now, site: site, by: person, in: database)
    }

    private var fields: [(name: StaticString, value: String)] {
        [("raw", "\(raw)"), ("fiveMinutes", "\(fiveMinutes)"), ("hours", "\(hours)")]
    }
}

extension Series {
    /// No transaction removes more rows than this: what comes meanwhile waits a few milliseconds.
    static let purgeStep = 2_000
    /// How often to look whether something is too old.
    static let purgePause = Duration.seconds(3_600)

    /// Removes what houses keep no longer, now and every hour. Runs until cancelled.
    func keepHouse() async throws {
        while true {
            try await clock.waitUntilRemoving()
            do { try await purge() } catch {
                Log.warning("home", "old readings stay for another hour", ["why": "\(error)"])
            }
            try await Task.sleep(for: Self.purgePause)
        }
    }

    /// Removes what houses keep no longer, in small steps. A full disk holds none of it up: it makes room.
    /// - Returns: how many rows went.
    @discardableResult
    func purge() async throws -> Int {
        let now = clock.now
        let due = try await store.readAside { database in
            try HomeRecords.sensors(in: database).map {
                (sensor: $0.number, rules: try HistoryRetention.of($0.site, in: database))
            }
        }
        var count = 0
        for (sensor, rules) in due {
            for tier in Tier.allCases { count += try await remove(tier, of: sensor, before: rules.kept(tier, at: now)) }
        }
        return count
    }

    /// Removes everything that a sensor told, for good.
    func removeAll(of sensor: Sensor) async throws {
        await flush()
        for tier in Tier.allCases {
            try await remove(tier, of: sensor.number, before: Timestamp(milliseconds: .max))
        }
    }

    @discardableResult
    private func remove(_ tier: Tier, of sensor: Int64, before: Timestamp) async throws -> Int {
        var count = 0
        while true {
            let removed = try await store.write(.vital) {
                try SeriesRecords.remove(tier, of: sensor, before: before, limit: Self.purgeStep, in: $0)
            }
            count += removed
            if removed < Self.purgeStep { return count }
            await Task.yield()
        }
    }
}
