/// A point in time: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since the Unix epoch; negative before it.
    public var milliseconds: Int64

    /// - Parameter milliseconds: since the Unix epoch.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter seconds: since the Unix epoch; capped where milliseconds would overflow.
    public init(seconds: UInt64) {
        milliseconds = Int64(
            clamping: seconds.multipliedReportingOverflow(by: 1000).overflow ? UInt64(Int64.max) : seconds * 1000)
    }

    /// Whole seconds since the Unix epoch, 0 before it: the unit of the opening protocol.
    public var seconds: UInt64 { UInt64(max(milliseconds, 0) / 1000) }

    /// Earlier ones first.
    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

    /// The time that much later (or, with a negative duration, earlier).
    public func adding(milliseconds delta: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds &+ delta) }

    /// ISO 8601 in UTC with milliseconds, always 24 characters for the years 0 to 9999: `2026-11-21T08:52:07.120Z`.
    public var iso8601: String {
        let (day, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let civil = Day(daysSinceEpoch: rest < 0 ? Int(day) - 1 : Int(day))
        let inDay = Int(rest < 0 ? rest + 86_400_000 : rest)
        func padded(_ value: Int, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let time = "\(padded(inDay / 3_600_000, 2)):\(padded(inDay / 60_000 % 60, 2)):\(padded(inDay / 1000 % 60, 2))"
        return "\(civil.iso8601)T\(time).\(padded(inDay % 1000, 3))Z"
    }

    /// Nil unless the text is exactly of the form that `iso8601` writes, `2026-11-21T08:52:07.120Z`, and such a time exists.
    public init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, let day = Day(iso8601: String(text.prefix(10))) else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            bytes[range].allSatisfy { (0x30...0x39).contains($0) }
                ? bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) } : nil
        }
        guard let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let thousandth = number(20..<23), hour < 24, minute < 60, second < 60
        else { return nil }
        milliseconds =
            Int64(day.daysSinceEpoch) * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000 + thousandth
        guard iso8601 == text else { return nil }
    }
}
