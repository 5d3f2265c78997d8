import Accounts
import Gates
import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Doors

/// Hours written as a manager writes them.
func hours(_ monday: String, _ rest: String..., special: Bool = true) throws -> Timetable {
    let lines = [monday] + rest
    return Timetable(
        id: .new(at: noon), site: .new(at: noon), name: "Office",
        week: try (0..<7).map { try DaySpan.list($0 < lines.count ? lines[$0] : "") }, keepsSpecialDays: special)
}

@Suite("Hours")
struct TimetableTests {
    private func open(
        _ timetable: Timetable, _ from: String, _ until: String, zone: Zone = rome, special: [SpecialDay] = []
    ) -> [String] {
        timetable.stretches(from: moment(from), until: moment(until), zone: zone, specialDays: special).map {
            "\(Timestamp(seconds: $0.start).iso8601.prefix(16)) \(Timestamp(seconds: $0.end).iso8601.prefix(16))"
        }
    }

    @Test(
        "A stretch of a day is read as people write it, and written back the same",
        arguments: [
            ("08:00-12:30", "08:00-12:30"), ("8:00-12:30", "08:00-12:30"), ("00:00-24:00", "00:00-24:00"),
            ("22:00-06:00", "22:00-06:00"), ("00:00-00:00", "00:00-24:00"), ("9:05-9:06", "09:05-09:06"),
        ])
    func spans(text: String, written: String) throws {
        let span = try #require(DaySpan(text: text))
        #expect(span.text == written)
        #expect(DaySpan(text: span.text) == span)
    }

    @Test(
        "What is no stretch of a day is refused",
        arguments: [
            "", "08:00", "08:00-", "-08:00", "8-12", "25:00-26:00", "08:60-09:00", "24:01-25:00", "08:00-24:30",
            "aa:bb-cc:dd",
            "08:00-12:00-13:00", "٠٨:٠٠-١٢:٠٠", "108:00-12:00", "0x:10-12:00",
        ])
    func noSpans(text: String) { #expect(DaySpan(text: text) == nil) }

    @Test("A line of hours may have commas and long dashes; overlaps and too many are refused with what is wrong")
    func lines() throws {
        #expect(
            try DaySpan.list(" 13.30–18:00, 08:00-12:30 ").map(\.text) == ["08:00-12:30", "13:30-18:00"])
        #expect(try DaySpan.list("").isEmpty)
        #expect(throws: Timetable.Fault.overlap("08:00-12:30", "12:00-18:00")) {
            try DaySpan.list("08:00-12:30 12:00-18:00")
        }
        #expect(throws: Timetable.Fault.notASpan("morning")) { try DaySpan.list("08:00-12:30 morning") }
        #expect(throws: Timetable.Fault.tooMany) {
            let nine = (0..<9).map { "0\($0):00-0\($0):30" }.joined(separator: " ")
            return try DaySpan.list(nine)
        }
    }

    @Test("A week is open where its hours say, in the time of the site")
    func week() throws {
        let office = try hours("08:00-12:30 13:30-18:00", "08:00-18:00")
        // Saturday to Wednesday: Monday is the 23rd; Rome is an hour ahead in winter.
        #expect(
            open(office, "2026-11-21T12:00:00.000Z", "2026-11-25T12:00:00.000Z") == [
                "2026-11-23T07:00 2026-11-23T11:30", "2026-11-23T12:30 2026-11-23T17:00",
                "2026-11-24T07:00 2026-11-24T17:00",
            ])
        #expect(
            open(office, "2026-11-23T10:00:00.000Z", "2026-11-23T11:00:00.000Z") == [
                "2026-11-23T10:00 2026-11-23T11:00"
            ])
        #expect(open(office, "2026-11-23T11:30:00.000Z", "2026-11-23T12:30:00.000Z").isEmpty)
    }

    @Test("A night belongs to the day that it begins on, and nights that meet are one stretch")
    func nights() throws {
        let night = try hours("22:00-06:00")
        #expect(
            open(night, "2026-11-24T00:00:00.000Z", "2026-11-25T00:00:00.000Z") == [
                "2026-11-24T00:00 2026-11-24T05:00"
            ])
        let always = try hours("00:00-24:00", "00:00-24:00", "00:00-24:00")
        #expect(
            open(always, "2026-11-23T00:00:00.000Z", "2026-11-25T00:00:00.000Z") == [
                "2026-11-23T00:00 2026-11-25T00:00"
            ])
    }

    @Test("The two days on which the clocks change have the hours that the wall clock shows")
    func clockChanges() throws {
        let all = Array(repeating: "01:30-02:30 22:00-23:00", count: 6)
        let nightly = try hours("01:30-02:30 22:00-23:00", all[0], all[1], all[2], all[3], all[4], all[5])
        // Forward on 29 March 2026: 02:30 is skipped, so the stretch ends with the change, at 01:00 UTC.
        #expect(
            open(nightly, "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z") == [
                "2026-03-29T00:30 2026-03-29T01:00", "2026-03-29T20:00 2026-03-29T21:00",
            ])
        // Back on 25 October 2026: 02:30 comes twice, and the stretch ends with the second.
        #expect(
            open(nightly, "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z") == [
                "2026-10-24T23:30 2026-10-25T01:30", "2026-10-25T21:00 2026-10-25T22:00",
            ])
    }

    @Test("A special day has its own hours, a holiday none, and who does not keep them is not touched")
    func specialDays() throws {
        let office = try hours("08:00-18:00", "08:00-18:00", "08:00-18:00")
        let site = SiteID.new(at: noon)
        let days = [
            SpecialDay(
                id: .new(at: noon), site: site, name: "Patron", firstDay: day("2026-11-23"), lastDay: day("2026-11-23"),
                spans: []),
            SpecialDay(
                id: .new(at: noon), site: site, name: "Stocktaking", firstDay: day("2026-11-24"),
                lastDay: day("2026-11-24"), spans: try DaySpan.list("06:00-07:00")),
        ]
        let window = ("2026-11-22T23:00:00.000Z", "2026-11-25T23:00:00.000Z")
        #expect(
            open(office, window.0, window.1, special: days) == [
                "2026-11-24T05:00 2026-11-24T06:00", "2026-11-25T07:00 2026-11-25T17:00",
            ])
        var guards = office
        guards.keepsSpecialDays = false
        #expect(open(guards, window.0, window.1, special: days).count == 3)
        // The night before a holiday ends as it always does.
        let night = try hours("", "", "", "", "", "", "22:00-06:00")
        #expect(
            open(night, window.0, window.1, special: [days[0]]) == ["2026-11-22T23:00 2026-11-23T05:00"])
    }

    @Test("The week's text is read back as it was")
    func text() throws {
        let office = try hours("08:00-12:30 13:30-18:00", "", "22:00-06:00")
        #expect(Timetable.week(office.weekText) == office.week)
        #expect(Timetable.week("") == nil)
        #expect(Timetable.week("a\nb\nc\nd\ne\nf\ng") == nil)
    }

    // MARK: decisions

    private static let (porter, clerk) = (RoleID.new(at: noon), RoleID.new(at: noon))

    private func membership(_ role: RoleID, _ first: String? = nil, _ last: String? = nil) -> Membership {
        Membership(
            id: .new(at: noon), person: .new(at: noon), site: .new(at: noon), permission: .member, role: role,
            firstDay: first.map(day), lastDay: last.map(day))
    }

    private func facts(_ memberships: [Membership], _ office: Timetable) -> DoorsFacts {
        DoorsFacts(memberships: memberships, rolesWithGate: [Self.clerk: office, Self.porter: nil], zone: rome)
    }

    @Test("Outside the hours the answer is no, and says when they begin next")
    func outside() throws {
        let office = try hours("08:00-18:00", "08:00-18:00")
        func reason(_ time: String, _ memberships: [Membership]) -> Reason? {
            guard case .failure(let no) = DoorsPolicy.decide(facts(memberships, office), at: moment(time)) else {
                return nil
            }
            return no.reason.reason
        }
        let clerk = membership(Self.clerk)
        #expect(reason("2026-11-23T06:59:59.999Z", [clerk]) == Reason("outsideHours", "2026-11-23 08:00"))
        #expect(reason("2026-11-23T07:00:00.000Z", [clerk]) == nil)
        #expect(reason("2026-11-23T16:59:59.999Z", [clerk]) == nil)
        #expect(reason("2026-11-23T17:00:00.000Z", [clerk]) == Reason("outsideHours", "2026-11-24 08:00"))
        #expect(reason("2026-11-24T17:00:00.000Z", [clerk]) == Reason("outsideHours", "2026-11-30 08:00"))
        // Hours that begin only after the membership's end never begin for it.
        #expect(
            reason("2026-11-24T17:00:00.000Z", [membership(Self.clerk, nil, "2026-11-29")])
                == Reason("outsideHours", nil))
        // Of two that are outside their hours, the earlier opening is told; who may at any time is never outside.
        #expect(
            reason("2026-11-24T17:00:00.000Z", [membership(Self.clerk, nil, "2026-11-29"), clerk])
                == Reason("outsideHours", "2026-11-30 08:00"))
        #expect(reason("2026-11-24T17:00:00.000Z", [clerk, membership(Self.porter)]) == nil)
    }

    @Test("A yes holds until the hours or the membership end, whichever comes first")
    func until() throws {
        let office = try hours("08:00-18:00", "08:00-18:00")
        func end(_ membership: Membership, at time: String) throws -> String {
            try DoorsPolicy.decide(facts([membership], office), at: moment(time)).get().iso8601
        }
        #expect(try end(membership(Self.clerk), at: "2026-11-23T09:00:00.000Z") == "2026-11-23T17:00:00.000Z")
        #expect(
            try end(membership(Self.porter, nil, "2026-11-23"), at: "2026-11-23T09:00:00.000Z")
                == "2026-11-23T23:00:00.000Z")
    }

    @Test("What times() gives and what decide() says agree at every moment")
    func agreement() throws {
        let office = try hours("08:00-12:30 13:30-18:00", "22:00-06:00", "00:00-24:00", special: true)
        for _ in 0..<300 {
            let memberships = (0..<Int.random(in: 0...3)).map { _ in
                membership(
                    Bool.random() ? Self.clerk : Self.porter, Bool.random() ? "2026-11-23" : nil,
                    Bool.random() ? "2026-11-25" : nil)
            }
            let facts = facts(memberships, office)
            let start = moment("2026-11-22T00:00:00.000Z")
            let times = DoorsPolicy.times(facts, from: start, until: start.adding(milliseconds: 5 * 86_400_000))
            let at = start.adding(milliseconds: .random(in: 0..<(5 * 86_400)) * 1000)
            let says = (try? DoorsPolicy.decide(facts, at: at).get()) != nil
            #expect(says == times.contains { $0.contains(at.seconds) })
        }
    }

    @Test("A membership that was taken away opens nothing, and the day of it is told")
    func revoked() throws {
        var gone = membership(Self.porter)
        gone.revoked = moment("2026-11-20T23:30:00.000Z")
        let facts = facts([gone], try hours(""))
        guard case .failure(let no) = DoorsPolicy.decide(facts, at: noon) else {
            Issue.record("it opened")
            return
        }
        #expect(no.reason == .revoked(day("2026-11-21")))
        #expect(DoorsPolicy.times(facts, from: noon, until: noon.adding(milliseconds: 86_400_000)).isEmpty)
    }
}
