/// How a zone goes on after the last change that its file lists: `CET-1CEST,M3.5.0,M10.5.0/3`, the TZ string of POSIX with the hours of
/// RFC 8536, section 3.3.1.
struct ZoneRule: Sendable, Equatable {
    /// Seconds east of Greenwich.
    let standard: Int32
    /// The other half of the year; nil: there is none.
    let summer: (offset: Int32, from: Change, until: Change)?

    /// When the clocks change, each year.
    struct Change: Sendable, Equatable {
        enum Date: Sendable, Equatable {
            /// 1 to 365; the 29th of February is never counted.
            case day(Int)
            /// 0 to 365; it is.
            case dayWithLeap(Int)
            /// 1 to 12; 1 to 5, of which 5 is the last; 0 is Sunday.
            case weekday(month: Int, week: Int, day: Int)
        }
        let date: Date
        /// Seconds after midnight on the wall clock: also before it, and days after.
        let time: Int

        /// Days since the epoch, in a year.
        func day(in year: Int) -> Int {
            let january = Day(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
            switch date {
            case .day(let number):
                let isLeap = Day(year: year, month: 2, day: 29) != nil
                return january + number - (isLeap && number >= 60 ? 0 : 1)
            case .dayWithLeap(let number): return january + number
            case .weekday(let month, let week, let day):
                let first = Day(year: year, month: month, day: 1)?.daysSinceEpoch ?? january
                // The epoch was a Thursday.
                let ahead = ((day - (first + 4)) % 7 + 7) % 7
                let next = Day(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)?.daysSinceEpoch
                var found = first + ahead + (week - 1) * 7
                while let next, found >= next { found -= 7 }
                return found
            }
        }
    }

    /// Nil for anything that is not written so.
    init?(_ text: [UInt8]) {
        var scanner = Scanner(text)
        guard scanner.name(), let standard = scanner.offset() else { return nil }
        self.standard = -standard
        if scanner.isAtEnd {
            summer = nil
            return
        }
        guard scanner.name() else { return nil }
        let summerOffset = scanner.isAt(UInt8(ascii: ",")) ? self.standard + 3600 : scanner.offset().map { -$0 }
        guard let summerOffset, scanner.take(UInt8(ascii: ",")), let from = scanner.change(),
            scanner.take(UInt8(ascii: ",")), let until = scanner.change(), scanner.isAtEnd
        else { return nil }
        summer = (summerOffset, from, until)
    }

    /// Seconds east of Greenwich.
    /// - Parameter time: seconds since the epoch.
    func offset(at time: Int64) -> Int32 {
        guard let summer else { return standard }
        let days = Int((Double(time + Int64(standard)) / 86_400).rounded(.down))
        let year = Day(daysSinceEpoch: days).civil.year
        // A change may lie so near to the new year that it belongs to another one by the clock of Greenwich.
        var latest: (at: Int64, offset: Int32)?
        for year in (year - 1)...(year + 1) {
            for (change, before, after) in [
                (summer.from, standard, summer.offset), (summer.until, summer.offset, standard),
            ] {
                let at = Int64(change.day(in: year)) * 86_400 + Int64(change.time) - Int64(before)
                if at <= time, latest.map({ $0.at <= at }) ?? true { latest = (at, after) }
            }
        }
        return latest?.offset ?? standard
    }

    static func == (one: Self, other: Self) -> Bool {
        one.standard == other.standard && one.summer?.offset == other.summer?.offset
            && one.summer?.from == other.summer?.from && one.summer?.until == other.summer?.until
    }

    /// Reads the parts of a rule one after another.
    private struct Scanner {
        private let text: [UInt8]
        private var place = 0

        init(_ text: [UInt8]) { self.text = text }

        var isAtEnd: Bool { place == text.count }

        func isAt(_ byte: UInt8) -> Bool { place < text.count && text[place] == byte }

        mutating func take(_ byte: UInt8) -> Bool {
            guard isAt(byte) else { return false }
            place += 1
            return true
        }

        /// `CET`, or `<+03>`.
        mutating func name() -> Bool {
            let isQuoted = take(UInt8(ascii: "<"))
            let start = place
            while place < text.count, Self.isOfName(text[place], isQuoted: isQuoted) { place += 1 }
            return place - start >= 3 && (!isQuoted || take(UInt8(ascii: ">")))
        }

        private static func isOfName(_ byte: UInt8, isQuoted: Bool) -> Bool {
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) { return true }
            let isDigitOrSign = (0x30...0x39).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            return isQuoted && isDigitOrSign
        }

        /// At most three digits.
        mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let start = place
            var value = 0
            while place < text.count, place - start < 3, (0x30...0x39).contains(text[place]) {
                value = value * 10 + Int(text[place] - 0x30)
                place += 1
            }
            return place > start && range.contains(value) ? value : nil
        }

        /// Seconds: `-1`, `5:30`, `167:59:59`.
        mutating func time() -> Int? {
            let sign = take(UInt8(ascii: "-")) ? -1 : 1
            if sign == 1 { _ = take(UInt8(ascii: "+")) }
            guard let hours = number(0...167) else { return nil }
            var seconds = hours * 3600
            for unit in [60, 1] where take(UInt8(ascii: ":")) {
                guard let more = number(0...59) else { return nil }
                seconds += more * unit
            }
            return sign * seconds
        }

        /// Seconds west of Greenwich.
        mutating func offset() -> Int32? { time().flatMap { abs($0) < 26 * 3600 ? Int32($0) : nil } }

        mutating func change() -> Change? {
            let date: Change.Date
            if take(UInt8(ascii: "M")) {
                guard let month = number(1...12), take(UInt8(ascii: ".")), let week = number(1...5),
                    take(UInt8(ascii: ".")), let day = number(0...6)
                else { return nil }
                date = .weekday(month: month, week: week, day: day)
            } else if take(UInt8(ascii: "J")) {
                guard let day = number(1...365) else { return nil }
                date = .day(day)
            } else {
                guard let day = number(0...365) else { return nil }
                date = .dayWithLeap(day)
            }
            guard take(UInt8(ascii: "/")) else { return Change(date: date, time: 7200) }
            return time().map { Change(date: date, time: $0) }
        }
    }
}
