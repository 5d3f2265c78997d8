import System
import Testing

@Suite("A time zone")
struct ZoneTests {
    @Test(
        "A day begins when its midnight is, also around the changes of the clocks",
        arguments: [
            ("UTC", "2026-11-21", "2026-11-21T00:00:00.000Z"),
            ("Europe/Rome", "2026-01-15", "2026-01-14T23:00:00.000Z"),
            ("Europe/Rome", "2026-07-15", "2026-07-14T22:00:00.000Z"),
            // The clocks change within these days, and the days after them begin under the other offset.
            ("Europe/Rome", "2026-03-29", "2026-03-28T23:00:00.000Z"),
            ("Europe/Rome", "2026-03-30", "2026-03-29T22:00:00.000Z"),
            ("Europe/Rome", "2026-10-25", "2026-10-24T22:00:00.000Z"),
            ("Europe/Rome", "2026-10-26", "2026-10-25T23:00:00.000Z"),
            // Midnight was skipped: the day began at one o'clock.
            ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"),
            ("America/Sao_Paulo", "2018-11-05", "2018-11-05T02:00:00.000Z"),
            // Midnight came twice: at the first one the clock went back into the day before.
            ("America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00.000Z"),
            // The whole 30th was skipped: what should have been its first moment is the first of the 31st.
            ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00.000Z"),
            ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"),
            ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00.000Z"),
            ("Pacific/Apia", "2012-01-01", "2011-12-31T10:00:00.000Z"),
            ("Asia/Kathmandu", "2026-05-01", "2026-04-30T18:15:00.000Z"),
            ("Pacific/Kiritimati", "2026-05-01", "2026-04-30T10:00:00.000Z"),
            ("Etc/GMT+12", "2026-05-01", "2026-05-01T12:00:00.000Z"),
        ])
    func start(name: String, day: String, expected: String) throws {
        let zone = try #require(Zone(name: name))
        let day = try #require(Day(iso8601: day))
        #expect(zone.start(of: day).iso8601 == expected)
    }

    @Test(
        "The moment before a day begins is still the day before",
        arguments: ["Europe/Rome", "America/Sao_Paulo", "Australia/Lord_Howe"])
    func boundaries(name: String) throws {
        let zone = try #require(Zone(name: name))
        let first = try #require(Day(iso8601: "2017-01-01"))
        for day in (0..<800).map({ first.adding(days: $0) }) {
            let start = zone.start(of: day)
            #expect(zone.day(at: start) == day)
            #expect(zone.day(at: start.adding(milliseconds: -1)) == day.adding(days: -1))
        }
    }

    @Test("A day is known at any moment, before 1970 too")
    func day() throws {
        let rome = try #require(Zone(name: "Europe/Rome"))
        #expect(rome.day(at: moment("2026-11-20T22:59:59.999Z")).iso8601 == "2026-11-20")
        #expect(rome.day(at: moment("2026-11-20T23:00:00.000Z")).iso8601 == "2026-11-21")
        #expect(Zone.utc.day(at: Timestamp(milliseconds: -1)).iso8601 == "1969-12-31")
        #expect(Zone.utc.day(at: Timestamp(milliseconds: -86_400_000)).iso8601 == "1969-12-31")
        #expect(Zone.utc.day(at: Timestamp(milliseconds: -86_400_001)).iso8601 == "1969-12-30")
    }

    @Test("A time that no calendar knows, as a gate may say it, is shown as the end of the calendar")
    func beyond() throws {
        for name in ["Europe/Rome", "America/St_Johns", "UTC"] {
            let zone = try #require(Zone(name: name))
            for milliseconds in [Int64.min, .min + 1, .max - 1, .max] {
                let time = Timestamp(milliseconds: milliseconds)
                #expect(zone.clockText(at: time).utf8.count == 5)
                #expect((0...10_000).contains(zone.day(at: time).civil.year))
                #expect(!time.iso8601.isEmpty)
            }
        }
    }

    @Test("A wall clock shows the hour and minute there")
    func clock() throws {
        let rome = try #require(Zone(name: "Europe/Rome"))
        #expect(rome.clockText(at: moment("2026-03-29T00:59:59.999Z")) == "01:59")
        #expect(rome.clockText(at: moment("2026-03-29T01:00:00.000Z")) == "03:00")
        #expect(Zone.utc.clockText(at: Timestamp(milliseconds: -1)) == "23:59")
        #expect(Zone.utc.clockText(at: moment("2026-03-29T08:05:00.000Z")) == "08:05")
    }

    @Test(
        "Names that are in no database are refused",
        arguments: [
            "", "Europe/Rom", "nowhere", String(repeating: "A", count: 65), "GMT+02:o0", "GMT+01:30", "utc+1",
            "Europe/Rome\u{0}",
            "Europe/Romé",
        ])
    func unknown(name: String) { #expect(Zone(name: name) == nil) }

    @Test("The names for a chooser are sorted and each of them is a zone")
    func names() {
        let names = Zone.allNames
        #expect(names == names.sorted())
        #expect(names.contains("Europe/Rome"))
        #expect(names.allSatisfy { Zone(name: $0) != nil })
    }
}

@Suite("A minute of a day")
struct ZoneMinuteTests {
    @Test(
        "It is where the wall clock shows it; of two the first or the last, and where it is skipped the change itself",
        arguments: [
            ("Europe/Rome", "2026-11-21", 480, "2026-11-21T07:00:00.000Z", "2026-11-21T07:00:00.000Z"),
            ("Europe/Rome", "2026-11-21", 1440, "2026-11-21T23:00:00.000Z", "2026-11-21T23:00:00.000Z"),
            ("Europe/Rome", "2026-11-21", 1800, "2026-11-22T05:00:00.000Z", "2026-11-22T05:00:00.000Z"),
            ("Europe/Rome", "2026-03-29", 150, "2026-03-29T01:00:00.000Z", "2026-03-29T01:00:00.000Z"),
            ("Europe/Rome", "2026-10-25", 150, "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"),
            ("Europe/Rome", "2026-10-25", 180, "2026-10-25T02:00:00.000Z", "2026-10-25T02:00:00.000Z"),
            // Half an hour only.
            ("Australia/Lord_Howe", "2026-04-05", 105, "2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"),
            ("Australia/Lord_Howe", "2026-10-04", 135, "2026-10-03T15:30:00.000Z", "2026-10-03T15:30:00.000Z"),
            // A whole day that was skipped.
            ("Pacific/Apia", "2011-12-30", 480, "2011-12-30T10:00:00.000Z", "2011-12-30T10:00:00.000Z"),
        ])
    func moments(zone: String, day: String, minute: Int, first: String, last: String) throws {
        let (zone, day) = (try #require(Zone(name: zone)), try #require(Day(iso8601: day)))
        #expect(zone.moment(minute, of: day, .first).iso8601 == first)
        #expect(zone.moment(minute, of: day, .last).iso8601 == last)
    }

    @Test("Monday is the first day of a week, also before 1970")
    func weekdays() throws {
        #expect(try #require(Day(iso8601: "2026-11-23")).weekday == 1)
        #expect(try #require(Day(iso8601: "2026-11-22")).weekday == 7)
        #expect(try #require(Day(iso8601: "1969-12-31")).weekday == 3)
        #expect(try #require(Day(iso8601: "1900-01-01")).weekday == 1)
    }
}
