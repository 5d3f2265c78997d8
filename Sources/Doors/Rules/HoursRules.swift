import Accounts
import Gates
import Identity
import Ledger
import Store
import System
import Wire

/// What a form or a program says of hours.
struct HoursEntry: Sendable {
    var name: String
    /// Seven lines, Monday first, each as `DaySpan.list` reads it.
    var week: [String]
    var keepsSpecialDays: Bool

    /// The seven days.
    /// - Throws: all days that will not do, `day1` to `day7`.
    func parsedWeek() throws(RuleFaults) -> [[DaySpan]] {
        guard week.count == 7 else { throw RuleFaults([RuleFault(field: "week", why: .week)]) }
        var (days, faults): ([[DaySpan]], [RuleFault]) = ([], [])
        for (index, line) in week.enumerated() {
            do { days.append(try DaySpan.list(line)) } catch {
                faults.append(RuleFault(field: "day\(index + 1)", why: .span(error)))
            }
        }
        // What reaches over midnight may not meet what begins there.
        for (index, spans) in days.enumerated() where days.count == 7 {
            let (next, last) = (days[(index + 1) % 7], spans.last)
            if let last, let first = next.first, last.end - 1440 > first.start {
                faults.append(RuleFault(field: "day\(index + 1)", why: .span(.overlap(last.text, first.text))))
            }
        }
        if !faults.isEmpty { throw RuleFaults(faults) }
        return days
    }
}

/// Several faults of one form, so that all of them can be mended at once.
struct RuleFaults: Error, Equatable {
    let faults: [RuleFault]
    init(_ faults: [RuleFault]) { self.faults = faults }
}

extension Timetable {
    /// What the ledger tells of it.
    var told: [(name: StaticString, value: String)] {
        [
            ("name", name), ("week", week.map { $0.map(\.text).joined(separator: " ") }.joined(separator: " | ")),
            ("keepsSpecialDays", keepsSpecialDays ? "true" : "false"),
        ]
    }
}

extension Doors {
    /// Adds hours, or changes those of that id.
    func putHours(
        _ id: TimetableID?, _ entry: HoursEntry, at site: SiteID, by person: PersonID
    ) async throws -> Timetable {
        let name = try Rules.name(entry.name)
        let week: [[DaySpan]]
        do { week = try entry.parsedWeek() } catch let faults {
            if faults.faults.count == 1 { throw faults.faults[0] }
            throw faults
        }
        let now = given.clock.now
        return try await commitRule(at: site) { database in
            let before = try id.map { try Self.known($0, at: site, database) }
            if before == nil, try DoorsRecords.timetables(of: site, in: database).count >= Rules.maxOfAKind {
                throw RuleFault(field: "rule", why: .tooMany(Rules.maxOfAKind))
            }
            let after = Timetable(
                id: id ?? .new(at: now), site: site, name: name, week: week,
                keepsSpecialDays: entry.keepsSpecialDays)
            if before == after { return (after, .nobody) }
            try DoorsRecords.put(after, in: database)
            try Audit(
                before == nil ? "timetable.added" : "timetable.changed", ("timetable", after.id.text),
                before: before?.told,
                after: after.told
            ).append(at: now, site: site, by: person, in: database)
            let roles = Set(try DoorsRecords.roles(with: after.id, in: database))
            return (after, .people(try DoorsRecords.people(with: roles, at: site, in: database)))
        }
    }

    private static func known(_ id: TimetableID, at site: SiteID, _ database: Database) throws -> Timetable {
        guard let known = try DoorsRecords.timetable(id, in: database), known.site == site else {
            throw RuleFault(field: "rule", why: .gone)
        }
        return known
    }

    /// Removes hours that no role keeps.
    func removeHours(_ id: TimetableID, at site: SiteID, by person: PersonID) async throws {
        let now = given.clock.now
        try await commitRule(at: site) { database in
            let before = try Self.known(id, at: site, database)
            let roles = try DoorsRecords.roles(with: id, in: database)
            if !roles.isEmpty { throw RuleFault(field: "rule", why: .inUse(roles.count)) }
            try DoorsRecords.remove(id, in: database)
            try Audit("timetable.removed", ("timetable", id.text), before: before.told).append(
                at: now, site: site, by: person, in: database)
            return ((), .nobody)
        }
    }
}

/// Whether hours are open at a moment, for a line of words.
enum HoursPreview: Equatable {
    /// Until then; nil: for longer than `DoorsPolicy.outlook`.
    case open(until: LocalTime?)
    /// Until then; nil: for longer than that.
    case closed(until: LocalTime?)

    init(_ hours: Timetable, at now: Timestamp, zone: Zone, specialDays: [SpecialDay]) {
        let horizon = now.adding(milliseconds: DoorsPolicy.outlook)
        let next = hours.stretches(from: now, until: horizon, zone: zone, specialDays: specialDays).first
        func local(_ seconds: UInt64) -> LocalTime { LocalTime(Timestamp(seconds: seconds), in: zone) }
        if let next, next.start <= now.seconds {
            self = .open(until: next.end >= horizon.seconds ? nil : local(next.end))
        } else {
            self = .closed(until: next.map { local($0.start) })
        }
    }
}
