import Foundation
import Synchronization

/// A time zone of the IANA database, as a site has one.
public struct Zone: Hashable, Sendable {
    private let zone: TimeZone

    /// The name in the database, `Europe/Rome`.
    public var name: String { zone.identifier }

    /// Nil when this machine's database has no zone of that name.
    public init?(name: String) {
        guard Self.isName(name) else { return nil }
        // Looked up once: every decision about a person asks for the zone of a site.
        let known = Self.known.withLock { $0[name] }
        guard let zone = known ?? TimeZone(identifier: name) else { return nil }
        if known == nil { Self.known.withLock { $0[name] = zone } }
        self.zone = zone
    }

    /// What a name of the database is written with. `GMT+1:30` and its like are none, though Foundation takes them; and some of them,
    /// `GMT+02:o0`, make its reader trap.
    private static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...64).contains(bytes.count) else { return false }
        if bytes.count > 3, ["GMT", "UTC"].contains(name.prefix(3).uppercased()) { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "+"):
                true
            default: false
            }
        }
    }

    private static let known = Mutex<[String: TimeZone]>([:])

    /// Coordinated Universal Time.
    public static let utc = Zone(name: "UTC")!

    /// All names, sorted, for a chooser.
    public static var allNames: [String] { TimeZone.knownTimeZoneIdentifiers.sorted() }

    private func offset(at time: Timestamp) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)))
    }

    /// From the year 1 to the year 9999, and a little.
    private static let calendar: ClosedRange<Int64> = -719_164 * 86_400_000...2_932_898 * 86_400_000

    /// What a wall clock there shows, in milliseconds since it showed the epoch. A gate may say any time, and pages show it: what lies
    /// beyond the calendar is as the calendar's end.
    private func local(_ time: Timestamp) -> Int64 {
        let bounded = min(max(time.milliseconds, Self.calendar.lowerBound), Self.calendar.upperBound)
        return bounded + offset(at: Timestamp(milliseconds: bounded)) * 1000
    }

    /// The day that it is there at that time.
    public func day(at time: Timestamp) -> Day {
        Day(daysSinceEpoch: Int((Double(local(time)) / 86_400_000).rounded(.down)))
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
        let local = local(time)
        return Int((local % 86_400_000 + 86_400_000) % 86_400_000 / 60_000)
    }
}
