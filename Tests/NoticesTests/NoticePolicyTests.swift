import System
import Testing

@testable import Notices

@Suite struct NoticePolicyTests {
    private static let now = Timestamp(iso8601: "2026-11-21T21:00:00.000Z")!
    private static let morning = now.adding(milliseconds: 9 * 3_600_000)

    private static func policy(
        _ urgency: Urgency = .normal, _ group: NoticeGroup = .doors, push: Bool = true, mail: Bool = true,
        quietEnd: Timestamp? = nil, told: Int = 0, lifetime: Int64 = 86_400_000
    ) -> NoticePolicy.Decision {
        var preferences = NoticePreferences()
        preferences.push = push ? Set(NoticeGroup.allCases) : []
        preferences.mail = mail ? Set(NoticeGroup.allCases) : []
        return NoticePolicy(
            urgency: urgency, group: group, preferences: preferences, quietEnd: quietEnd, told: told, now: now,
            expires: now.adding(milliseconds: lifetime)
        ).decide()
    }

    @Test
    func
        `What is critical goes by every way at once, whatever the person has switched off, when it is quiet, beyond any budget`()
    {
        for group in NoticeGroup.allCases {
            for (push, mail) in [(true, true), (true, false), (false, true), (false, false)] {
                for quietEnd in [nil, Self.morning] {
                    for told in [0, 20, 10_000] {
                        let decision = Self.policy(
                            .critical, group, push: push, mail: mail, quietEnd: quietEnd, told: told)
                        #expect(decision == .init(push: Self.now, mail: Self.now))
                    }
                }
            }
        }
    }

    @Test func `Everything else goes by the ways that are switched on, now or when quiet hours end`() {
        for urgency in Urgency.allCases where urgency != .critical {
            for group in NoticeGroup.allCases where group != .security {
                for (push, mail) in [(true, true), (true, false), (false, true)] {
                    for quietEnd in [nil, Self.morning] {
                        let time = quietEnd ?? Self.now
                        let decision = Self.policy(urgency, group, push: push, mail: mail, quietEnd: quietEnd)
                        #expect(decision == .init(push: push ? time : nil, mail: mail ? time : nil))
                    }
                }
                #expect(Self.policy(urgency, group, push: false, mail: false) == .init(held: .preference))
            }
        }
    }

    @Test func `A letter about the safety of an account cannot be switched off, and does not wait for the morning`() {
        for urgency in Urgency.allCases where urgency != .critical {
            #expect(Self.policy(urgency, .security, push: false, mail: false) == .init(mail: Self.now))
            #expect(
                Self.policy(urgency, .security, push: true, mail: false, quietEnd: Self.morning)
                    == .init(push: Self.morning, mail: Self.now))
        }
    }

    @Test func `What matters no more when quiet hours end stays in the inbox`() {
        #expect(Self.policy(quietEnd: Self.morning, lifetime: 3_600_000) == .init(held: .quietHours))
        let night: Int64 = 9 * 3_600_000
        #expect(Self.policy(quietEnd: Self.morning, lifetime: night) == .init(held: .quietHours))
        #expect(Self.policy(quietEnd: Self.morning, lifetime: night + 1).push == Self.morning)
    }

    @Test func `Beyond the budget of a day it stays in the inbox, and the sender is told why`() {
        for (urgency, budget) in [(Urgency.low, 20), (.normal, 20), (.high, 60)] {
            #expect(Self.policy(urgency, told: budget - 1).held == nil)
            #expect(Self.policy(urgency, told: budget) == .init(held: .budget))
            #expect(Self.policy(urgency, .security, told: budget) == .init(held: .budget))
        }
        #expect(NoticePolicy.budget(.critical) == nil)
    }

    @Test func `Each channel asks its own switch, and an app of Apple's that of push`() {
        let decision = NoticePolicy.Decision(push: Self.now, mail: Self.morning)
        #expect(decision.due(by: .push) == Self.now)
        #expect(decision.due(by: .apns) == Self.now)
        #expect(decision.due(by: .mail) == Self.morning)
        #expect(decision.due(by: .webhook) == nil)
    }

    // MARK: quiet hours

    private static let rome = Zone(name: "Europe/Rome")!

    /// In Rome.
    private static func time(_ day: String, _ clock: String) -> Timestamp {
        rome.moment(MinuteOfDay.parse(clock)!, of: Day(iso8601: day)!, .first)
    }

    @Test func `A night is quiet from its evening to its morning, and belongs to the day on which it begins`() throws {
        // Friday's and Saturday's nights; 2026-11-20 is a Friday.
        let hours = try #require(QuietHours(from: 22 * 60, to: 7 * 60, days: [5, 6]))
        let cases = [
            ("2026-11-20", "21:59", nil), ("2026-11-20", "22:00", "2026-11-21"), ("2026-11-21", "06:59", "2026-11-21"),
            ("2026-11-21", "07:00", nil), ("2026-11-21", "23:30", "2026-11-22"), ("2026-11-22", "06:00", "2026-11-22"),
            ("2026-11-22", "23:00", nil), ("2026-11-20", "06:00", nil),
        ]
        for (day, clock, end) in cases {
            #expect(
                hours.end(at: Self.time(day, clock), in: Self.rome) == end.map { Self.time($0, "07:00") },
                "\(day) \(clock)")
        }
    }

    @Test func `Hours within a day, a whole day, and days that follow one another`() throws {
        let noon = try #require(QuietHours(from: 13 * 60, to: 15 * 60))
        #expect(noon.end(at: Self.time("2026-11-21", "14:00"), in: Self.rome) == Self.time("2026-11-21", "15:00"))
        #expect(noon.end(at: Self.time("2026-11-21", "15:00"), in: Self.rome) == nil)
        let weekend = try #require(QuietHours(from: 0, to: 0, days: [6, 7]))
        #expect(weekend.end(at: Self.time("2026-11-21", "09:00"), in: Self.rome) == Self.time("2026-11-23", "00:00"))
        #expect(weekend.end(at: Self.time("2026-11-23", "00:00"), in: Self.rome) == nil)
        let always = try #require(QuietHours(from: 0, to: 0))
        let end = try #require(always.end(at: Self.time("2026-11-21", "09:00"), in: Self.rome))
        #expect(end >= Self.time("2026-11-28", "00:00"))
    }

    @Test func `The night in which clocks change ends when the wall clock says so`() throws {
        // On 2026-10-25 at 03:00 clocks in Rome go back to 02:00: the night has eleven hours.
        let hours = try #require(QuietHours(from: 21 * 60, to: 7 * 60))
        let evening = Self.time("2026-10-24", "21:00")
        let end = try #require(hours.end(at: evening, in: Self.rome))
        #expect(end.milliseconds - evening.milliseconds == 11 * 3_600_000)
        #expect(Self.rome.clockText(at: end) == "07:00")
    }

    @Test func `What is no quiet is refused`() {
        #expect(QuietHours(from: -1, to: 0) == nil)
        #expect(QuietHours(from: 0, to: 1_440) == nil)
        #expect(QuietHours(from: 0, to: 0, days: []) == nil)
        #expect(QuietHours(from: 0, to: 0, days: [0]) == nil)
        for text in ["", "7:00", "24:00", "23:60", "2a:00", "22-00", "-1:00", "+1:00", "22:00 "] {
            #expect(MinuteOfDay.parse(text) == nil)
        }
        #expect(MinuteOfDay.parse("23:59") == 1_439)
        #expect(MinuteOfDay.text(65) == "01:05")
    }

    // MARK: words

    @Test func `Words of others are refused where they are too long, empty, or hold what is not seen`() throws {
        let kept = try NoticeWords(typedTitle: "  Holiday  ", body: "Closed.\r\nSee you.")
        #expect(kept == NoticeWords("Holiday", "Closed.\nSee you."))
        for (title, body) in [
            (" ", ""), (String(repeating: "x", count: 121), ""), ("x", String(repeating: "x", count: 601)),
            ("a\u{202e}b", ""), ("a", "b\u{7}"), ("a\u{0}", ""),
        ] {
            #expect(throws: NoticeRefusal.self) { try NoticeWords(typedTitle: title, body: body) }
        }
        #expect(NoticeWords(String(repeating: "é", count: 300)).title.count == 120)
        #expect(NoticeWords("a\u{202e}b\u{0}c").title == "abc")
        // One letter with a thousand marks is one character.
        #expect(NoticeWords("e" + String(repeating: "\u{301}", count: 5_000)).title.utf8.count <= 960)
    }

    @Test func `A link leads nowhere else`() {
        for link in [
            "//evil.example", "https://evil.example", "/\\evil.example", "", "gates", "/a b", "/\u{9}/x", "/<x>",
        ] {
            #expect(!NoticeContent.isLocalPath(link))
        }
        #expect(NoticeContent.isLocalPath("/sites/1/log?x=1"))
    }

    @Test func `A kind is two words, and its first says what is switched on and off`() {
        #expect(NoticeKind(text: "doors.checkIn")?.group == .doors)
        #expect(NoticeKind(text: "site.news")?.group == .site)
        #expect(NoticeKind(text: "gate.unknown")?.group == .site)
        for text in [
            "", "doors", "doors.", ".x", "a.b.c", "doors.check-in", "doors.1", String(repeating: "a", count: 50) + ".b",
        ] {
            #expect(NoticeKind(text: text) == nil)
        }
    }
}
