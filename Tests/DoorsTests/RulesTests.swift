import Identity
import Ledger
import Pages
import Platform
import Store
import System
import Testing
import Wire

@testable import Accounts
@testable import Doors
@testable import Gates

private let office = ["08:00-12:30 13:30-18:00", "", "", "", "", "", ""]

/// Why a rule is refused, nil when it is not.
private func fault(_ body: () async throws -> Void) async throws -> RuleFault? {
    do {
        try await body()
        return nil
    } catch let fault as RuleFault { return fault } catch let faults as RuleFaults { return faults.faults[0] }
}

extension Company {
    /// Somebody with a role, and a phone that has fetched its passes.
    fileprivate func holder(_ name: String, _ role: RoleID) async throws -> PersonID {
        let person = try await principal(name, .member).person.id
        let membership = Membership(
            id: .new(at: noon), person: person, site: site.id, permission: .member, role: role, firstDay: nil,
            lastDay: nil)
        try await given.accounts.change { try AccountRecords.add(membership, at: noon, by: nil, in: $0) }
        _ = try await given.gates.issuePasses(to: person, at: site.id)
        return person
    }

    fileprivate func denied(at gate: Gate) throws -> Int {
        try given.store.read {
            try $0.row("SELECT count(*) FROM denied_passes WHERE gate = ?", gate.id) { $0[0] as Int }
        } ?? -1
    }

    fileprivate func told(_ prefix: String) throws -> [(kind: String, payload: String)] {
        try given.ledger.events(of: site.id, after: 0, limit: 1000).filter { $0.kind.hasPrefix(prefix) }.map {
            ($0.kind, String(decoding: $0.payload ?? [], as: UTF8.self))
        }
    }
}

@Suite("A manager's rules")
struct RulesTests {
    private func entry(
        _ name: String, _ gates: [Gate] = [], groups: [GateGroupID] = [], hours: TimetableID? = nil, level: Int = 1
    ) -> RoleEntry {
        RoleEntry(name: name, level: level, gates: gates.map(\.id), groups: groups, hours: hours)
    }

    @Test("A gate taken from a role ends the passes for it, of that role's people and at that gate alone")
    func roleShrinks() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site.id)
            let owner = try await company.principal("Ada", .owner).person.id
            let (a, b) = (try await company.paired("A"), try await company.paired("B"))
            let role = try await doors.putRole(nil, entry("Office", [a, b]), at: site, by: owner)
            let other = try await doors.putRole(nil, entry("Lab", [a]), at: site, by: owner)
            let bruno = try await company.holder("Bruno", role.role.id)
            _ = try await company.holder("Carla", other.role.id)
            _ = try await doors.putRole(role.role.id, entry("Office", [b]), at: site, by: owner)
            #expect((try company.denied(at: a), try company.denied(at: b)) == (1, 0))
            #expect(try company.verdict(bruno, a) == .denied(Reason("roleLacksGate")))
            let told = try company.told("role.")
            #expect(told.map(\.kind) == ["role.added", "role.added", "role.changed"])
            #expect(told[2].payload.contains("\"before\":{\"name\":\"Office\""))
            #expect(told[2].payload.contains("\"gates\":\"\(b.id.text)\""))
            #expect(told[2].payload.contains("\"by\":\"\(owner.text)\""))

            // Saying the same again, or giving more, ends nothing.
            _ = try await doors.putRole(role.role.id, entry("Office", [b]), at: site, by: owner)
            _ = try await doors.putRole(role.role.id, entry("Office", [a, b]), at: site, by: owner)
            #expect((try company.denied(at: a), try company.denied(at: b)) == (1, 0))
            #expect(try company.told("role.").count == 4)
        }
    }

    @Test("A group gives its gates to the roles that have it, and takes them when it loses them or goes")
    func groups() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site.id)
            let owner = try await company.principal("Ada", .owner).person.id
            let (a, b) = (try await company.paired("A"), try await company.paired("B"))
            let group = try await doors.putGroup(nil, name: "Ground", gates: [a.id, b.id, a.id], at: site, by: owner)
            #expect(group.gates.count == 2)
            let role = try await doors.putRole(nil, entry("Office", [b], groups: [group.id]), at: site, by: owner)
            let bruno = try await company.holder("Bruno", role.role.id)
            guard case .granted = try company.verdict(bruno, a) else { return #expect(Bool(false)) }
            _ = try await doors.putGroup(group.id, name: "Ground", gates: [b.id], at: site, by: owner)
            #expect((try company.denied(at: a), try company.denied(at: b)) == (1, 0))
            try await doors.removeGroup(group.id, at: site, by: owner)
            #expect(try company.denied(at: b) == 0, "the role has it one by one too")
            #expect(
                try company.told("group.").map(\.kind) == [
                    "group.added", "group.changed", "group.removed",
                ])
        }
    }

    @Test("Hours that shrink end the passes that allow more; hours that grow end none")
    func hoursChange() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site.id)
            let owner = try await company.principal("Ada", .owner).person.id
            let gate = try await company.paired("A")
            // Noon UTC of this Saturday is 13:00 in Rome.
            let all = Array(repeating: "08:00-18:00", count: 7)
            let hours = try await doors.putHours(
                nil, .init(name: "Office", week: all, keepsSpecialDays: true), at: site, by: owner)
            let role = try await doors.putRole(nil, entry("Office", [gate], hours: hours.id), at: site, by: owner)
            let bruno = try await company.holder("Bruno", role.role.id)
            let longer = Array(repeating: "07:00-19:00", count: 7)
            _ = try await doors.putHours(
                hours.id, .init(name: "Office", week: longer, keepsSpecialDays: true), at: site, by: owner)
            #expect(try company.denied(at: gate) == 0)
            let shorter = Array(repeating: "07:00-17:00", count: 7)
            _ = try await doors.putHours(
                hours.id, .init(name: "Office", week: shorter, keepsSpecialDays: true), at: site, by: owner)
            #expect(try company.denied(at: gate) == 1)
            let kept = try await fault { try await doors.removeHours(hours.id, at: site, by: owner) }
            #expect(kept == RuleFault(field: "rule", why: .inUse(1)))

            // A day off takes the pass of tomorrow morning, but not from those who come on holidays too.
            _ = try await company.given.gates.issuePasses(to: bruno, at: site)
            let off = SpecialDayEntry(name: "Stocktaking", firstDay: "2026-11-22", lastDay: "", hours: "")
            let special = try await doors.putSpecialDay(nil, off, at: site, by: owner)
            #expect(special.lastDay == day("2026-11-22"))
            #expect(try company.denied(at: gate) == 2)
            try await doors.removeSpecialDay(special.id, at: site, by: owner)
            _ = try await doors.putHours(
                hours.id, .init(name: "Office", week: shorter, keepsSpecialDays: false), at: site, by: owner)
            _ = try await company.given.gates.issuePasses(to: bruno, at: site)
            _ = try await doors.putSpecialDay(nil, off, at: site, by: owner)
            #expect(try company.denied(at: gate) == 2)
        }
    }

    @Test("A role that somebody has or will have stays; one of the past goes, and nothing brings its name back")
    func roleRemoved() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site)
            let owner = try await company.principal("Ada", .owner)
            let role = try await doors.putRole(nil, entry("Office"), at: site.id, by: owner.person.id)
            let (membership, _) = try await doors.addPerson(
                company.entry(role: role.role.id.text, from: "2027-01-01"), at: site, by: owner)
            let inUse = try await fault { try await doors.removeRole(role.role.id, at: site, by: owner.person.id) }
            #expect(inUse == RuleFault(field: "rule", why: .inUse(1)))
            let batch = try await doors.change([membership.id], .revoke, at: site, by: owner).batch
            try await doors.removeRole(role.role.id, at: site, by: owner.person.id)
            #expect(try company.given.store.read { try AccountRecords.membership(membership.id, in: $0) }?.role == nil)
            #expect(try await doors.undo(batch, at: site, by: owner) == nil)
            #expect(try company.told("role.").map(\.kind) == ["role.added", "role.removed"])
            let gone = try await fault { try await doors.removeRole(role.role.id, at: site, by: owner.person.id) }
            #expect(gone?.why == .gone)
        }
    }

    @Test("Nothing of another site is given, changed or removed")
    func otherSites() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site.id)
            let owner = try await company.principal("Ada", .owner).person.id
            let other = Site(id: .new(at: noon), name: "Altrove", kind: .company, zone: rome)
            try await company.given.store.write { try AccountRecords.add(other, at: noon, by: nil, in: $0) }
            let gate = try await company.paired("A")
            let hours = try await doors.putHours(
                nil, .init(name: "Office", week: office, keepsSpecialDays: true), at: site, by: owner)
            let group = try await doors.putGroup(nil, name: "Ground", gates: [], at: site, by: owner)
            let role = try await doors.putRole(nil, entry("Office"), at: site, by: owner)
            let off = SpecialDayEntry(name: "Off", firstDay: "2026-12-24", lastDay: "", hours: "")
            let special = try await doors.putSpecialDay(nil, off, at: site, by: owner)
            let before = try company.given.ledger.position()
            let attempts: [(String, () async throws -> Void)] = [
                ("gates", { _ = try await doors.putRole(nil, entry("X", [gate]), at: other.id, by: owner) }),
                (
                    "groups",
                    { _ = try await doors.putRole(nil, entry("X", groups: [group.id]), at: other.id, by: owner) }
                ),
                ("hours", { _ = try await doors.putRole(nil, entry("X", hours: hours.id), at: other.id, by: owner) }),
                ("gates", { _ = try await doors.putGroup(nil, name: "X", gates: [gate.id], at: other.id, by: owner) }),
                ("rule", { _ = try await doors.putRole(role.role.id, entry("X"), at: other.id, by: owner) }),
                ("rule", { _ = try await doors.putGroup(group.id, name: "X", gates: [], at: other.id, by: owner) }),
                (
                    "rule",
                    {
                        _ = try await doors.putHours(
                            hours.id, .init(name: "X", week: office, keepsSpecialDays: true), at: other.id, by: owner)
                    }
                ), ("rule", { _ = try await doors.putSpecialDay(special.id, off, at: other.id, by: owner) }),
                ("rule", { try await doors.removeRole(role.role.id, at: other, by: owner) }),
                ("rule", { try await doors.removeGroup(group.id, at: other.id, by: owner) }),
                ("rule", { try await doors.removeHours(hours.id, at: other.id, by: owner) }),
                ("rule", { try await doors.removeSpecialDay(special.id, at: other.id, by: owner) }),
            ]
            for (index, (field, attempt)) in attempts.enumerated() {
                let found = try await fault(attempt)
                #expect(found?.field == field, "attempt \(index)")
                #expect(found?.why == (field == "rule" ? .gone : .unknown), "attempt \(index)")
            }
            #expect(try company.given.ledger.position() == before)
        }
    }

    @Test("What will not do is named by its field, and a name is there once")
    func refused() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site.id)
            let owner = try await company.principal("Ada", .owner).person.id
            let role = try await doors.putRole(nil, entry("Office"), at: site, by: owner)
            _ = try await doors.putRole(nil, entry("Lab"), at: site, by: owner)
            let many = RoleEntry(
                name: "Many", level: 1, gates: (0..<2000).map { _ in .new(at: noon) }, groups: [], hours: nil)
            for (entry, expected) in [
                (entry(" "), RuleFault(field: "name", why: .name)),
                (entry("Lab"), RuleFault(field: "name", why: .taken)),
                (entry("Office", level: 1001), RuleFault(field: "level", why: .level)),
                (many, RuleFault(field: "gates", why: .tooMany(1000))),
            ] {
                let found = try await fault { _ = try await doors.putRole(role.role.id, entry, at: site, by: owner) }
                #expect(found == expected)
            }
            for (index, (line, expected)) in [
                ("08:00-12:30 12:00-18:00", RuleFault.Why.span(.overlap("08:00-12:30", "12:00-18:00"))),
                ("08:00", .span(.notASpan("08:00"))), ("25:00-26:00", .span(.notASpan("25:00-26:00"))),
                ("08:00-08:00 09:00-10:00", .span(.overlap("08:00-08:00", "09:00-10:00"))),
                (String(repeating: "00:00-00:01 ", count: 9), .span(.tooMany)),
                (String(repeating: "8", count: 4000), .span(.tooMany)),
            ].enumerated() {
                var week = office
                week[index] = line
                let found = try await fault {
                    _ = try await doors.putHours(
                        nil, .init(name: "X", week: week, keepsSpecialDays: true), at: site, by: owner)
                }
                #expect(found == RuleFault(field: "day\(index + 1)", why: expected))
            }
            let short = try await fault {
                _ = try await doors.putHours(
                    nil, .init(name: "X", week: ["08:00-09:00"], keepsSpecialDays: true), at: site, by: owner)
            }
            #expect(short == RuleFault(field: "week", why: .week))
            for (first, last, hours, expected) in [
                ("2027-02-29", "", "", RuleFault(field: "firstDay", why: .notADay)),
                ("", "", "", RuleFault(field: "firstDay", why: .notADay)),
                ("2027-03-01", "yesterday", "", RuleFault(field: "lastDay", why: .notADay)),
                ("2027-03-02", "2027-03-01", "", RuleFault(field: "lastDay", why: .endsBeforeItBegins)),
                ("2027-01-01", "2028-01-02", "", RuleFault(field: "lastDay", why: .tooLong)),
                ("2027-01-01", "", "8-9", RuleFault(field: "hours", why: .span(.notASpan("8-9")))),
            ] {
                let entry = SpecialDayEntry(name: "X", firstDay: first, lastDay: last, hours: hours)
                let found = try await fault { _ = try await doors.putSpecialDay(nil, entry, at: site, by: owner) }
                #expect(found == expected)
            }
        }
    }

    @Test("A night may reach into the next day, but not into what begins there; Sunday meets Monday")
    func nights() throws {
        func days(_ week: [String]) -> [String] {
            do {
                _ = try HoursEntry(name: "X", week: week, keepsSpecialDays: true).parsedWeek()
                return []
            } catch { return error.faults.map(\.field) }
        }
        #expect(days(["22:00-06:00", "06:00-14:00", "", "", "", "", ""]).isEmpty)
        #expect(days(["22:00-06:00", "05:59-14:00", "", "", "", "", ""]) == ["day1"])
        #expect(days(["00:00-01:00", "", "", "", "", "", "23:00-00:30"]) == ["day7"])
        #expect(days(["x", "", "y", "", "", "", ""]) == ["day1", "day3"])
    }

    @Test("Adding a country's holidays twice changes nothing, and a day that has an entry keeps it")
    func holidays() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site.id)
            let owner = try await company.principal("Ada", .owner).person.id
            let eve = SpecialDayEntry(
                name: "Half a Christmas", firstDay: "2027-12-25", lastDay: "", hours: "08:00-12:00")
            _ = try await doors.putSpecialDay(nil, eve, at: site, by: owner)
            #expect(try await doors.addHolidays(.it, year: 2027, at: site, by: owner) == 12)
            let position = try company.given.ledger.position()
            #expect(try await doors.addHolidays(.it, year: 2027, at: site, by: owner) == 0)
            #expect(try company.given.ledger.position() == position)
            let all = try company.given.store.read { try DoorsRecords.specialDays(of: site, in: $0) }
            #expect(all.count == 13)
            #expect(all.first { $0.firstDay == day("2027-12-25") }?.name == "Half a Christmas")
            let never = try await fault { _ = try await doors.addHolidays(.it, year: 20_270, at: site, by: owner) }
            #expect(never == RuleFault(field: "year", why: .unknown))
        }
    }

    @Test("A holiday within days that have an entry already is not added")
    func holidaysWithin() async throws {
        try await Company.run { company in
            let (doors, site) = (company.doors, company.site.id)
            let owner = try await company.principal("Ada", .owner).person.id
            let christmas = SpecialDayEntry(
                name: "Christmas", firstDay: "2027-12-25", lastDay: "2027-12-26", hours: "")
            _ = try await doors.putSpecialDay(nil, christmas, at: site, by: owner)
            #expect(try await doors.addHolidays(.it, year: 2027, at: site, by: owner) == 11)
            let all = try company.given.store.read { try DoorsRecords.specialDays(of: site, in: $0) }
            #expect(all.filter { $0.lastDay >= day("2027-12-25") }.map(\.name) == ["Christmas"])
        }
    }

    @Test("The preview says until when, also over the two nights on which the clock changes")
    func preview() throws {
        let week = try HoursEntry(
            name: "Night", week: ["", "", "", "", "", "22:00-06:00", ""], keepsSpecialDays: true
        ).parsedWeek()
        let night = Timetable(
            id: .new(at: noon), site: .new(at: noon), name: "Night", week: week, keepsSpecialDays: true)
        for (now, change) in [("2027-03-27T21:30:00.000Z", "2027-03-28"), ("2027-10-30T20:30:00.000Z", "2027-10-31")] {
            let now = moment(now)
            let open = HoursPreview(night, at: now, zone: rome, specialDays: [])
            #expect(open == .open(until: LocalTime(day: day(change), minute: 360)))
            let stretch = try #require(
                night.stretches(
                    from: now.adding(milliseconds: -7_200_000), until: now.adding(milliseconds: 86_400_000), zone: rome,
                    specialDays: []
                ).first)
            #expect(stretch.end - stretch.start == (change == "2027-03-28" ? 7 : 9) * 3600)
        }
        #expect(
            HoursPreview(night, at: noon, zone: rome, specialDays: [])
                == .closed(until: LocalTime(day: day("2026-11-21"), minute: 1320)))
        let never = Timetable(
            id: night.id, site: night.site, name: "Never", week: Array(repeating: [], count: 7), keepsSpecialDays: true)
        #expect(HoursPreview(never, at: noon, zone: rome, specialDays: []) == .closed(until: nil))
        let always = Timetable(
            id: night.id, site: night.site, name: "Always",
            week: Array(repeating: [try #require(DaySpan(text: "00:00-24:00"))], count: 7), keepsSpecialDays: true)
        #expect(HoursPreview(always, at: noon, zone: rome, specialDays: []) == .open(until: nil))
    }

    @Test("The pages of rules stand in every language with hostile names", arguments: Language.allCases)
    func pages(_ language: Language) throws {
        let hostile = "<script>alert(1)</script>\"onload='x'&amp;"
        let around = Surroundings(
            language: language, person: hostile, siteID: "s", siteName: hostile, navigation: [])
        let spans = try DaySpan.list("08:00-12:30 22:00-06:00")
        let week = Array(repeating: spans, count: 7)
        let many = (0..<60).map { RulesFrame.GateChoice.One(id: "\($0)", name: hostile + "\($0)") }
        let pages = [
            RolesView.list(around, rows: [], notice: nil),
            RolesView.list(
                around, rows: [.init(id: "r", name: hostile, level: 1, hours: hostile, gates: 1, people: 2)],
                notice: hostile),
            RolesView.page(around, .init()),
            RolesView.page(
                around,
                .init(
                    id: "r", title: hostile, name: hostile, timetables: [("h", hostile)], groups: [("g", hostile, 2)],
                    gates: .init(sections: [(hostile, many), (nil, many)], chosen: ["1", "2"], filter: "5"),
                    saved: true, refused: ["name": hostile, "gates": hostile])),
            HoursView.list(around, rows: [], zone: "UTC", notice: nil),
            HoursView.list(
                around,
                rows: [
                    .init(
                        id: "h", name: hostile, week: week, keepsSpecialDays: false, roles: 1, now: hostile,
                        isOpen: true)
                ], zone: "UTC", notice: nil),
            HoursView.page(
                around, .init(id: "h", title: hostile, name: hostile, week: week, refused: ["day3": hostile])),
            SpecialDaysView.list(around, .init(coming: [], past: [], years: [2027], country: "IT")),
            SpecialDaysView.list(
                around,
                .init(
                    coming: [.init(id: "d", name: hostile, days: hostile, hours: hostile, isClosed: true)],
                    past: [.init(id: "d", name: hostile, days: hostile, hours: hostile, isClosed: true)], years: [2027],
                    country: "IT", notice: hostile)),
            SpecialDaysView.page(around, .init(id: "d", title: hostile, name: hostile)),
            GroupsView.list(around, rows: [], notice: nil),
            GroupsView.list(around, rows: [.init(id: "g", name: hostile, gates: 1, roles: 0)], notice: nil),
            GroupsView.page(around, .init(id: "g", title: hostile, name: hostile)),
            RulesFrame.removal(around, .roles, name: hostile, id: "r", sentences: [hostile], canRemove: false),
        ]
        for page in pages {
            #expect(!page.string.contains("<script>"), "a name became an element")
            #expect(!page.string.contains(" style="), "the content policy forbids inline styles")
            #expect(page.string.ranges(of: "<h1>").count == 1)
        }
        #expect(pages[3].string.contains("type=\"hidden\" name=\"gate\" value=\"1\""), "what a filter hides is kept")
    }

    @Test("A bar of a day shows what reaches over from the night before")
    func bars() throws {
        let week = try HoursEntry(
            name: "N", week: ["22:00-06:00", "", "", "", "", "", "23:00-24:00"], keepsSpecialDays: true
        ).parsedWeek()
        #expect(HoursView.bar(week, 0) == [1320..<1440])
        #expect(HoursView.bar(week, 1) == [0..<360])
        #expect(HoursView.bar(week, 6) == [1380..<1440])
    }
}
