import Accounts
import Gates
import Identity
import Ledger
import Store
import System

/// What a form or a program says of special days.
struct SpecialDayEntry: Sendable {
    var name: String
    /// `YYYY-MM-DD`
    var firstDay: String
    /// `YYYY-MM-DD`; empty: the same day.
    var lastDay: String
    /// As `DaySpan.list` reads it; empty: closed.
    var hours: String

    func parsed(_ id: SpecialDayID, at site: SiteID) throws(RuleFault) -> SpecialDay {
        let name = try Rules.name(name)
        guard let first = Day(iso8601: firstDay) else { throw RuleFault(field: "firstDay", why: .notADay) }
        guard let last = lastDay.isEmpty ? first : Day(iso8601: lastDay) else {
            throw RuleFault(field: "lastDay", why: .notADay)
        }
        if last < first { throw RuleFault(field: "lastDay", why: .endsBeforeItBegins) }
        guard last.daysSinceEpoch - first.daysSinceEpoch < Rules.longestSpecialDays else {
            throw RuleFault(field: "lastDay", why: .tooLong)
        }
        let spans: [DaySpan]
        do { spans = try DaySpan.list(hours) } catch { throw RuleFault(field: "hours", why: .span(error)) }
        return SpecialDay(id: id, site: site, name: name, firstDay: first, lastDay: last, spans: spans)
    }
}

extension SpecialDay {
    /// What the ledger tells of it.
    var told: [(name: StaticString, value: String)] {
        [
            ("name", name), ("firstDay", firstDay.iso8601), ("lastDay", lastDay.iso8601),
            ("spans", spans.map(\.text).joined(separator: " ")),
        ]
    }
}

extension Doors {
    /// Adds special days, or changes those of that id.
    func putSpecialDay(
        _ id: SpecialDayID?, _ entry: SpecialDayEntry, at site: SiteID, by person: PersonID
    ) async throws -> SpecialDay {
        let now = given.clock.now
        let after = try entry.parsed(id ?? .new(at: now), at: site)
        return try await commitRule(at: site) { database in
            let all = try DoorsRecords.specialDays(of: site, in: database)
            let before = all.first { $0.id == id }
            if id != nil && before == nil { throw RuleFault(field: "rule", why: .gone) }
            if before == nil && all.count >= Rules.maxSpecialDays {
                throw RuleFault(field: "rule", why: .tooMany(Rules.maxSpecialDays))
            }
            if before == after { return (after, .nobody) }
            try DoorsRecords.put(after, in: database)
            try Audit(
                before == nil ? "special.added" : "special.changed", ("special", after.id.text),
                before: before?.told, after: after.told
            ).append(at: now, site: site, by: person, in: database)
            return (after, .everybody)
        }
    }

    func removeSpecialDay(_ id: SpecialDayID, at site: SiteID, by person: PersonID) async throws {
        let now = given.clock.now
        try await commitRule(at: site) { database in
            guard let before = try DoorsRecords.specialDays(of: site, in: database).first(where: { $0.id == id }) else {
                throw RuleFault(field: "rule", why: .gone)
            }
            try DoorsRecords.remove(id, in: database)
            try Audit("special.removed", ("special", id.text), before: before.told).append(
                at: now, site: site, by: person, in: database)
            return ((), .everybody)
        }
    }

    /// Adds the public holidays of a country's year, closed all day; a day that an entry covers already keeps it.
    /// - Returns: how many were added.
    func addHolidays(_ country: HolidayCountry, year: Int, at site: SiteID, by person: PersonID) async throws -> Int {
        guard Holidays.years.contains(year) else { throw RuleFault(field: "year", why: .unknown) }
        let now = given.clock.now
        return try await commitRule(at: site) { database in
            let known = try DoorsRecords.specialDays(of: site, in: database)
            let new = Holidays.of(country, year: year).filter { holiday in
                !known.contains { $0.firstDay <= holiday.day && holiday.day <= $0.lastDay }
            }
            if known.count + new.count > Rules.maxSpecialDays {
                throw RuleFault(field: "rule", why: .tooMany(Rules.maxSpecialDays))
            }
            for holiday in new {
                let special = SpecialDay(
                    id: .new(at: now), site: site, name: holiday.name, firstDay: holiday.day, lastDay: holiday.day,
                    spans: [])
                try DoorsRecords.put(special, in: database)
                try Audit("special.added", ("special", special.id.text), after: special.told).append(
                    at: now, site: site, by: person, in: database)
            }
            return (new.count, new.isEmpty ? .nobody : .everybody)
        }
    }
}
