import Foundation
import Synchronization

/// A time zone of the IANA database, as a site has one.
public struct Zone: Hashable, Sendable {
    private let zone: TimeZone

    /// The name in the database, `Europe/Rome`.
    public var name: String { zone.identifier }

    /// Nil when this machine's database has no zone of that name.
    public init?(name: String) {
        guard name.utf8.count <= 64 else { return nil }
        // Looked up once: every decision about a person asks for the zone of a site.
        let known = Self.known.withLock { $0[name] }
        guard let zone = known ?? TimeZone(identifier: name) else { return nil }
        if known == nil { Self.known.withLock { $0[name] = zone } }
        self.zone = zone
    }

    private static let known = Mutex<[String: TimeZone]>([:])

    /// Coordinated Universal Time.
    public static let utc = Zone(name: "UTC")!

    /// All names, sorted, for a chooser.
    public static var allNames: [String] { TimeZone.knownTimeZoneIdentifiers.sorted() }

    private func offset(at time: Timestamp) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)))
    }

    /// The day that it is there at that time.
    public func day(at time: Timestamp) -> Day {
        let local = time.milliseconds + offset(at: time) * 1000
        return Day(daysSinceEpoch: Int((Double(local) / 86_400_000).rounded(.down)))
    }

    /// The hour and minute that a wall clock shows there, `08:52`.
    public func clockText(at time: Timestamp) -> String {
        let (hour, minute) = minute(at: time).quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)"
    }

    /// The first moment of a day there. On a day whose midnight a clock change skips, the first moment after the gap.
    public func start(of day: Day) -> Timestamp {
        let naive = Int64(day.daysSinceEpoch) * 86_400_000
        // The offset before and after a change differ: the earliest moment that already is this day is the start.
        let candidates = [-26, -12, 0, 12, 26].map { hours in
            Timestamp(milliseconds: naive - offset(at: Timestamp(milliseconds: naive + hours * 3_600_000)) * 1000)
        }
        let begins = candidates.filter { self.day(at: $0) == day && self.day(at: $0.adding(milliseconds: -1)) < day }
        if let first = begins.min() { return first }
        // Midnight does not exist: walk to the change by halving, at most a day.
        var (low, high) = (naive - 15 * 3_600_000, naive + 15 * 3_600_000)
        while high - low > 1 {
            let middle = (low + high) / 2
            if self.day(at: Timestamp(milliseconds: middle)) < day { low = middle } else { high = middle }
        }
        return Timestamp(milliseconds: high)
    }

    /// Which of two moments, where a clock change lets the wall clock show a minute twice.
    public enum Occurrence: Sendable {
        /// The earlier.
        case first
        /// The later.
        case last
    }

    /// When the wall clock there shows a minute of a day. A minute that a clock change skips is the moment of the change.
    /// - Parameters:
    ///   - minute: from the day's midnight as the wall clock counts; 1440 and more lie on the days after.
    ///   - day: the day.
    ///   - occurrence: which one, of a minute that comes twice.
    public func moment(_ minute: Int, of day: Day, _ occurrence: Occurrence) -> Timestamp {
        let naive = (Int64(day.daysSinceEpoch) * 1440 + Int64(minute)) * 60_000
        func local(_ time: Int64) -> Int64 { time + offset(at: Timestamp(milliseconds: time)) * 1000 }
        let around = [-26, -3, 3, 26].map { naive - offset(at: Timestamp(milliseconds: naive + $0 * 3_600_000)) * 1000 }
        let shown = around.filter { local($0) == naive }
        if let found = occurrence == .first ? shown.min() : shown.max() { return Timestamp(milliseconds: found) }
        // Skipped: the wall clock jumps over it at a moment between the two that the two offsets would give.
        var (low, high) = (around.min()! - 1, around.max()!)
        while high - low > 1 {
            let middle = (low + high) / 2
            if local(middle) < naive { low = middle } else { high = middle }
        }
        return Timestamp(milliseconds: high)
    }

    /// The minute of the day that a wall clock shows there, 0 to 1439.
    public func minute(at time: Timestamp) -> Int {
        let local = time.milliseconds + offset(at: time) * 1000
        return Int((local % 86_400_000 + 86_400_000) % 86_400_000 / 60_000)
    }
}
