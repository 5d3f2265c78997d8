import Identity
import Ledger
import Store
import System
import Wire

/// A stretch of a day as a wall clock shows it, half-open; it may reach into the next day.
public struct DaySpan: Sendable, Equatable {
    /// Minutes from midnight, 0 to 1439.
    public let start: Int
    /// Minutes from the same midnight, after `start` and at most a day after it.
    public let end: Int

    /// Nil unless both lie in their ranges.
    public init?(start: Int, end: Int) {
        guard (0..<1440).contains(start), end > start, end - start <= 1440 else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// Nil unless the text is `HH:MM-HH:MM`. `24:00` ends a day; an end at or before the start is on the next day.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = Self.minutes(parts[0]), let end = Self.minutes(parts[1]) else { return nil }
        self.init(start: start, end: end > start ? end : end + 1440)
    }

    private static func minutes(_ text: some StringProtocol) -> Int? {
        let bytes = Array(text.utf8)
        guard (4...5).contains(bytes.count), bytes[bytes.count - 3] == 0x3a else { return nil }
        let digits = bytes.filter { (0x30...0x39).contains($0) }.map { Int($0 - 0x30) }
        guard digits.count == bytes.count - 1 else { return nil }
        let minute = digits[digits.count - 2] * 10 + digits[digits.count - 1]
        let hour = digits.dropLast(2).reduce(0) { $0 * 10 + $1 }
        guard minute < 60, hour < 24 || (hour == 24 && minute == 0) else { return nil }
        return hour * 60 + minute
    }

    /// `08:00-12:30`; a whole day is `00:00-24:00`.
    public var text: String {
        func clock(_ minutes: Int) -> String {
            let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
            return (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)"
        }
        return clock(start) + "-" + clock(end > 1440 ? end - 1440 : end)
    }

    /// The spans of a day, written one after another with blanks or commas between, `08:00-12:30 13:30-18:00`.
    /// - Throws: `Timetable.Fault` when one is none, there are more than eight, or two overlap.
    public static func list(_ text: String) throws(Timetable.Fault) -> [DaySpan] {
        guard text.utf8.count <= 200 else { throw .tooMany }
        var spans: [DaySpan] = []
        for part in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == ";" || $0 == "\t" }) {
            // Dashes of every length come out of word processors.
            let plain = part.replacing("–", with: "-").replacing("—", with: "-").replacing(".", with: ":")
            guard let span = DaySpan(text: plain) else { throw .notASpan(String(part.prefix(20))) }
            spans.append(span)
        }
        guard spans.count <= Timetable.maxSpans else { throw .tooMany }
        spans.sort { $0.start < $1.start }
        for (a, b) in zip(spans, spans.dropFirst()) where b.start < a.end { throw .overlap(a.text, b.text) }
        return spans
    }
}

/// When a role may pass: the hours of each day of the week, as a site names them. A role without one may pass at any time.
public struct Timetable: Sendable, Equatable {
    /// The kind of id that names timetables.
    public enum Name {}
    /// The most spans of a day.
    public static let maxSpans = 8

    /// Its name in tables.
    public let id: ID<Name>
    /// Whose.
    public let site: SiteID
    /// What people call it: *Office hours*.
    public var name: String
    /// Seven lists, Monday first, each sorted.
    public var week: [[DaySpan]]
    /// Whether the site's special days count in it; false for those who come on holidays too.
    public var keepsSpecialDays: Bool

    /// See the properties.
    public init(id: ID<Name>, site: SiteID, name: String, week: [[DaySpan]], keepsSpecialDays: Bool) {
        (self.id, self.site, self.name, self.week, self.keepsSpecialDays) = (id, site, name, week, keepsSpecialDays)
    }

    /// Why hours as they were written will not do.
    public enum Fault: Error, Equatable, Sendable {
        /// This is no stretch of a day.
        case notASpan(String)
        /// These two overlap.
        case overlap(String, String)
        /// More than eight on a day.
        case tooMany
    }

    /// As a table keeps the week: seven lines.
    var weekText: String { week.map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\n") }

    /// The week that `weekText` wrote; nil for anything else.
    static func week(_ text: String) -> [[DaySpan]]? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 7 else { return nil }
        return try? lines.map { try DaySpan.list(String($0)) }
    }

    /// When it is open between two moments: sorted, in Unix seconds.
    ///
    /// A span that reaches over midnight belongs to the day that it begins on. Of an hour that a clock change repeats, a span that
    /// begins in it begins with the first, and one that ends in it ends with the second: nobody stands before a shut door for it.
    public func stretches(
        from: Timestamp, until: Timestamp, zone: Zone, specialDays: [SpecialDay]
    ) -> [Interval] {
        guard from < until else { return [] }
        let (first, last) = (zone.day(at: from).adding(days: -1), zone.day(at: until))
        var found: [Interval] = []
        var day = first
        while day <= last {
            let special = keepsSpecialDays ? specialDays.first { $0.firstDay <= day && day <= $0.lastDay } : nil
            for span in special?.spans ?? week[day.weekday - 1] {
                let start = zone.moment(span.start, of: day, .first)
                let end = zone.moment(span.end, of: day, .last)
                found.append(Interval(start: max(start, from).seconds, end: max(min(end, until), from).seconds))
            }
            day = day.adding(days: 1)
        }
        return found.normalised()
    }
}

/// The name of a timetable in tables.
public typealias TimetableID = ID<Timetable.Name>

/// Days on which a site keeps other hours than its timetables say: a holiday, a stocktaking.
public struct SpecialDay: Sendable, Equatable {
    /// The kind of id that names special days.
    public enum Name {}
    /// Its name in tables.
    public let id: ID<Name>
    /// Whose.
    public let site: SiteID
    /// What people call it: *Ferragosto*.
    public var name: String
    public var firstDay: Day
    /// The last of them, inclusive.
    public var lastDay: Day
    /// The hours of each of these days; empty: closed.
    public var spans: [DaySpan]

    /// See the properties.
    public init(id: ID<Name>, site: SiteID, name: String, firstDay: Day, lastDay: Day, spans: [DaySpan]) {
        (self.id, self.site, self.name, self.firstDay, self.lastDay, self.spans) = (
            id, site, name, firstDay, lastDay, spans
        )
    }
}

/// The name of a special day in tables.
public typealias SpecialDayID = ID<SpecialDay.Name>
