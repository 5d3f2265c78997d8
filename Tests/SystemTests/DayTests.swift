import System
import Testing

@Suite("A day")
struct DayTests {
    @Test(
        "Known days have the number that they should",
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
            (-25_509, 1900, 2, 28), (-25_508, 1900, 3, 1), (-719_162, 1, 1, 1), (2_932_896, 9999, 12, 31),
            (20_778, 2026, 11, 21),
        ])
    func known(number: Int, year: Int, month: Int, day: Int) {
        #expect(Day(year: year, month: month, day: day)?.daysSinceEpoch == number)
        #expect(Day(daysSinceEpoch: number).civil == (year, month, day))
    }

    @Test("Eight centuries of days follow one another as a calendar written out by hand says")
    func walk() throws {
        var (year, month, day) = (1601, 1, 1)
        var number = try #require(Day(year: year, month: month, day: day)).daysSinceEpoch
        while year < 2401 {
            let here = Day(daysSinceEpoch: number)
            if here.civil != (year, month, day) || Day(year: year, month: month, day: day) != here {
                Issue.record("\(year)-\(month)-\(day) is \(here.iso8601)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            (number, day) = (number + 1, day + 1)
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test(
        "Days that do not exist are refused",
        arguments: [
            (2026, 2, 29), (1900, 2, 29), (2100, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0),
            (2026, 1, 32),
            (0, 1, 1), (10_000, 1, 1), (-1, 1, 1), (.max, 1, 1), (.min, 12, 31), (2026, .max, 1), (2026, 1, .min),
        ])
    func refused(year: Int, month: Int, day: Int) { #expect(Day(year: year, month: month, day: day) == nil) }

    @Test("A day is written and read back")
    func text() {
        for number in stride(from: -719_162, through: 2_932_896, by: 997) {
            let day = Day(daysSinceEpoch: number)
            #expect(day.iso8601.utf8.count == 10)
            #expect(Day(iso8601: day.iso8601) == day)
        }
    }

    @Test(
        "A text that is no day is refused",
        arguments: [
            "", "2026-2-03", "2026-02-3", "20260203", "2026/02/03", "2026-02-30", "2026-02-03 ", "+026-02-03",
            "2026-0a-03",
            "0000-01-01", "٢٠٢٦-٠٢-٠٣", "2026-02-031",
        ])
    func refusedText(text: String) { #expect(Day(iso8601: text) == nil) }

    @Test("Days are counted and compared across months and years")
    func arithmetic() throws {
        let last = try #require(Day(iso8601: "2027-12-31"))
        #expect(last.adding(days: 1).iso8601 == "2028-01-01")
        #expect(last.adding(days: 60).iso8601 == "2028-02-29")
        #expect(last.adding(days: -365).iso8601 == "2026-12-31")
        #expect(last < last.adding(days: 1))
    }
}
