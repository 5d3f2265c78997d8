import Accounts
import System

/// When the file of the database is written anew after an erasure: everybody's writing waits for that, a door's too.
struct Wiping: Sendable {
    /// What is thought to take longer waits for the night, in milliseconds.
    static let short = 1_000.0
    /// The hours of the night, from midnight: the daily work looks each hour, and a little later each time.
    static let night = 2..<6

    /// Between two that take longer go by at least so many milliseconds.
    static let rest: Int64 = 6 * 3_600_000
    /// A hub that is off at night does it whenever it is on, so many milliseconds after an erasure.
    static let patience: Int64 = 24 * 3_600_000

    /// Bytes in a millisecond: what a cheap disk takes, until it was measured.
    private var pace = 50_000.0
    /// When it was done last.
    private var last: Timestamp?

    /// The clock where the hub is: that of its first site, whose owner set it up. Others may have as many sites as they like, anywhere.
    static func zone(of sites: [Site]) -> Zone { sites.min { $0.id < $1.id }?.zone ?? .utc }

    /// - Parameters:
    ///   - bytes: of the file.
    ///   - now: nil: whatever the hour is.
    ///   - zone: where the hub is.
    ///   - asked: when the first erasure was for which it is due; nil: nobody knows.
    func isDue(_ bytes: Int64, at now: Timestamp?, in zone: Zone, asked: Timestamp?) -> Bool {
        if Double(bytes) / pace <= Self.short { return true }
        func hasPassed(_ time: Int64, since moment: Timestamp?, _ now: Timestamp) -> Bool {
            moment.map { abs(now.milliseconds - $0.milliseconds) >= time } ?? true
        }
        guard let now, hasPassed(Self.rest, since: last, now) else { return false }
        return Self.night.contains(zone.minute(at: now) / 60) || hasPassed(Self.patience, since: asked, now)
    }

    /// It was tried, and could not be done.
    mutating func noteFailure(at now: Timestamp) { last = now }

    /// Learns how long it took.
    mutating func note(_ bytes: Int64, took: Duration, at now: Timestamp) {
        last = now
        // A small file tells little: its end is a write to the disk.
        guard bytes >= 1_000_000 else { return }
        pace = Double(bytes) / max(1, took / .milliseconds(1))
    }
}
