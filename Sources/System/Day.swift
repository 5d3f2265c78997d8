import Foundation
import Synchronization

/// A day of the (proleptic) Gregorian calendar, without time and without time zone.
public struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before it.
    public let daysSinceEpoch: Int

    /// - Parameter daysSinceEpoch: 0 is 1970-01-01.
    public init(daysSinceEpoch: Int) { self.daysSinceEpoch = daysSinceEpoch }

    /// Year, month (1 to 12) and day (1 to 31). Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
    public var civil: (year: Int, month: Int, day: Int) {
        let z = daysSinceEpoch + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// Nil unless such a day exists and the year is 1 to 9999. Hinnant, days_from_civil.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        daysSinceEpoch = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let back = civil
        guard back == (year, month, day) else { return nil }
    }

    /// Nil unless the text is exactly `YYYY-MM-DD` and such a day exists.
    public init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2d, bytes[7] == 0x2d else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Optional(0)) { sum, byte in
                guard let sum, (0x30...0x39).contains(byte) else { return nil }
                return sum * 10 + Int(byte - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `YYYY-MM-DD`.
    public var iso8601: String {
        let (year, month, day) = civil
        let text = String(year)
        return String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
            + (month < 10 ? "-0" : "-") + "\(month)" + (day < 10 ? "-0" : "-") + "\(day)"
    }

    /// Earlier ones first.
    public static func < (a: Day, b: Day) -> Bool { a.daysSinceEpoch < b.daysSinceEpoch }

    /// The day that many days later.
    public func adding(days: Int) -> Day { Day(daysSinceEpoch: daysSinceEpoch + days) }
}

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
        let local = time.milliseconds + offset(at: time) * 1000
        let minutes = Int((local % 86_400_000 + 86_400_000) % 86_400_000 / 60_000)
        let (hour, minute) = (minutes / 60, minutes % 60)
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
}
