import Accounts
import System
import Testing

@testable import Doors

@Suite("Public holidays")
struct HolidaysTests {
    @Test(
        "Easter falls where the calendars of the churches say, the earliest and the latest day of it too",
        arguments: [
            (1818, "1818-03-22"), (1943, "1943-04-25"), (1961, "1961-04-02"), (2000, "2000-04-23"),
            (2008, "2008-03-23"), (2011, "2011-04-24"), (2019, "2019-04-21"), (2024, "2024-03-31"),
            (2025, "2025-04-20"), (2026, "2026-04-05"), (2027, "2027-03-28"), (2038, "2038-04-25"),
            (2049, "2049-04-18"), (2076, "2076-04-19"), (2100, "2100-03-28"),
        ])
    func easter(_ year: Int, _ expected: String) {
        #expect(Holidays.easterSunday(year) == day(expected))
    }

    @Test("Easter is a Sunday between 22 March and 25 April in every year that is offered")
    func everyEaster() throws {
        for year in Holidays.years {
            let easter = try #require(Holidays.easterSunday(year))
            #expect(easter.weekday == 7)
            let (_, month, day) = easter.civil
            #expect((month == 3 && day >= 22) || (month == 4 && day <= 25))
        }
    }

    private func dates(_ country: HolidayCountry, _ year: Int) -> [String] {
        Holidays.of(country, year: year).map { String($0.day.iso8601.dropFirst(5)) }
    }

    @Test("Italy keeps twelve days, and Saint Francis again from 2026 on")
    func italy() {
        #expect(
            dates(.it, 2025) == [
                "01-01", "01-06", "04-20", "04-21", "04-25", "05-01", "06-02", "08-15", "11-01", "12-08", "12-25",
                "12-26",
            ])
        #expect(dates(.it, 2027).count == 13)
        #expect(Holidays.of(.it, year: 2027).contains { $0.day == day("2027-10-04") })
        #expect(Holidays.of(.it, year: 2027).first { $0.day == day("2027-03-29") }?.name == "Lunedì dell'Angelo")
    }

    @Test("Spain, France and Germany keep those of the whole country")
    func others() {
        #expect(
            dates(.es, 2027) == [
                "01-01", "01-06", "03-26", "05-01", "08-15", "10-12", "11-01", "12-06", "12-08", "12-25",
            ])
        #expect(
            dates(.fr, 2027) == [
                "01-01", "03-29", "05-01", "05-06", "05-08", "05-17", "07-14", "08-15", "11-01", "11-11", "12-25",
            ])
        #expect(
            dates(.de, 2027) == [
                "01-01", "03-26", "03-29", "05-01", "05-06", "05-17", "10-03", "12-25", "12-26",
            ])
    }

    @Test("No year outside the lists has any, and no country keeps a day twice", arguments: HolidayCountry.allCases)
    func bounds(_ country: HolidayCountry) {
        #expect(Holidays.of(country, year: 1999).isEmpty)
        #expect(Holidays.of(country, year: 2200).isEmpty)
        #expect(Holidays.of(country, year: Int.max).isEmpty)
        for year in Holidays.years {
            let days = Holidays.of(country, year: year).map(\.day)
            #expect(days == days.sorted())
            // Easter Monday of 2011 was the 25th of April: two holidays may share a day.
            #expect(days.count - Set(days).count <= 1)
        }
    }

    @Test(
        "The form proposes this year until its last holiday is over by the site's own clock, and then the next one",
        arguments: [
            ("Europe/Rome", "2026-11-23T12:00:00.000Z", 2026),
            ("Europe/Rome", "2026-12-26T22:59:59.999Z", 2026), ("Europe/Rome", "2026-12-26T23:00:00.000Z", 2027),
            ("Europe/Rome", "2026-12-31T22:59:59.999Z", 2027), ("Europe/Rome", "2026-12-31T23:00:00.000Z", 2027),
            ("Europe/Madrid", "2026-12-25T22:59:59.999Z", 2026), ("Europe/Madrid", "2026-12-25T23:00:00.000Z", 2027),
            ("Atlantic/Canary", "2026-12-25T23:59:59.999Z", 2026),
            ("Atlantic/Canary", "2026-12-26T00:00:00.000Z", 2027),
            ("Pacific/Kiritimati", "2026-12-26T09:59:59.999Z", 2026),
            ("Pacific/Kiritimati", "2026-12-26T10:00:00.000Z", 2027),
            ("Pacific/Honolulu", "2026-12-27T09:59:59.999Z", 2026),
            ("Pacific/Honolulu", "2027-01-01T09:59:59.999Z", 2027),
        ])
    func proposed(_ zone: String, _ time: String, _ year: Int) async throws {
        try await Company.run { company in
            let site = Site(id: .new(at: noon), name: "Elsewhere", kind: .company, zone: try #require(Zone(name: zone)))
            company.time.change { $0 = moment(time) }
            #expect(company.doors.holidayOffer(at: site).years.first == year)
        }
    }
}
