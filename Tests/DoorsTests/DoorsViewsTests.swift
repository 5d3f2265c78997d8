import Accounts
import Identity
import Pages
import Testing

@testable import Doors

private let hostile = "<script>alert(1)</script>\"onload='x'&amp;"
private let long = String(repeating: "Massimiliano Bartolomeo Sant'Angelo ", count: 8)

private func check(_ page: HTML, _ language: Language) {
    let html = page.string
    #expect(html.hasPrefix("<!doctype html>\n<html lang=\"\(language.rawValue)\">"))
    #expect(!html.contains("<script>"), "a name became an element")
    #expect(!html.contains(" style="), "the content policy forbids inline styles")
    #expect(html.firstRange(of: /<[a-z][^>]* on[a-z]+=/) == nil, "the content policy forbids event handlers")
    #expect(html.ranges(of: "<h1>").count == 1)
}

@Suite("The pages of a company's manager")
struct DoorsViewsTests {
    @Test("stand in every language with ordinary, long and hostile names", arguments: Language.allCases)
    func everyView(_ language: Language) {
        for name in ["Ada Rossi", long, hostile, ""] {
            let statuses: [PeopleView.Status] = [.current, .future(name), .ended(name), .none]
            let rows = statuses.map {
                PeopleView.Row(
                    membershipID: name, name: name, email: name, permission: name, role: name, firstDay: name,
                    lastDay: nil, status: $0, href: "/sites/1/people/2")
            }
            for rows in [rows, []] {
                check(
                    PeopleView.page(
                        .init(
                            language: language, person: name, siteID: name, siteName: name, rows: rows, search: name,
                            previousHref: "/", nextHref: "/", navigation: [])),
                    language)
            }
            for id in [nil, name] {
                check(
                    MembershipView.page(
                        .init(
                            language: language, person: name, siteID: name, siteName: name, membershipID: id,
                            name: name, email: name, roles: [.init(id: name, name: name)], roleID: name,
                            permission: name, permissions: [name, "member"], firstDay: name, lastDay: name,
                            timeZone: name, refused: ["email": name, "last_day": name], saved: true, navigation: [])),
                    language)
            }
            let outcomes: [LogView.Outcome] = [
                .opened, .refused(name), .denied(name), .unconfirmed, .granted, .other(name),
            ]
            for entries in [outcomes, []] {
                check(
                    LogView.page(
                        .init(
                            language: language, person: name, siteID: name, siteName: name,
                            entries: entries.map {
                                .init(
                                    eventID: name, sequence: 1, time: name, timeText: name, person: name, gate: name,
                                    how: name, outcome: $0)
                            }, navigation: [], olderHref: "/")),
                    language)
            }
        }
    }

    @Test("an address can be typed where somebody is invited, and an account's own is only shown")
    func address() {
        func form(_ id: String?, isInvited: Bool = false) -> String {
            var model = MembershipView.Model(
                language: .en, person: "A", siteID: "s", siteName: "S", membershipID: id, email: "a@example.org",
                roles: [], permissions: ["member"], timeZone: "UTC", navigation: [])
            model.isInvited = isInvited
            return MembershipView.page(model).string
        }
        for page in [form(nil), form("m", isInvited: true)] { #expect(page.contains("name=\"email\"")) }
        #expect(!form("m").contains("name=\"email\"") && form("m").contains("a@example.org"))
        for page in [form(nil), form("m"), form("m", isInvited: true)] { #expect(!page.contains("type=\"password\"")) }
    }

    @Test("who has a first password is not said to need an invitation", arguments: Language.allCases)
    func firstPassword(_ language: Language) {
        let words = DoorsWords.in(language)
        for hasPassword in [false, true] {
            var model = MembershipView.Model(
                language: language, person: "A", siteID: "s", siteName: "S", membershipID: "m", roles: [],
                permissions: ["member"], timeZone: "UTC", navigation: [])
            model.invitationHref = "/"
            model.hasPassword = hasPassword
            let page = MembershipView.page(model).string
            #expect(page.contains(words.hasPasswordHint) == hasPassword)
            #expect(page.contains(words.notJoinedHint) != hasPassword)
        }
    }

    @Test("a code that is too long for a badge can be typed, and is refused rather than cut")
    func longBadge() throws {
        let page = MembershipView.page(
            .init(
                language: .en, person: "A", siteID: "s", siteName: "S", membershipID: "m", roles: [],
                permissions: ["member"], timeZone: "UTC", navigation: [])
        ).string
        let field = try #require(page.firstMatch(of: /<input[^>]*name="badge"[^>]*>/)).0
        #expect(field.contains("maxlength=\"64\""))
    }

    @Test("every reason of the policy has words, with the date where there is one", arguments: Language.allCases)
    func reasons(_ language: Language) {
        let words = DoorsWords.in(language)
        let codes = ["noMembership", "notStarted", "ended", "noRole", "roleLacksGate", "revokedOn", "outsideHours"]
        let texts = codes.map { words.doorsReason(code: $0, detail: "Q1") }
        #expect(Set(texts).count == codes.count)
        #expect(texts[1].contains("Q1") && texts[2].contains("Q1"))
    }

    @Test("the log says what a gate was asked for, where it was not just to open", arguments: Language.allCases)
    func intents(_ language: Language) {
        let words = MembershipWords.in(language)
        #expect(words.intent(nil, reason: nil).isEmpty)
        #expect(words.intent("apri", reason: nil).isEmpty)
        #expect(words.intent("chiudi", reason: nil) == [words.toClose])
        #expect(words.intent("leave", reason: 0) == [words.goingOut])
        #expect(words.intent("enter", reason: 7) == [words.goingIn, words.reasonCode(7)])
    }

    @Test("the log says how often a refusal was repeated, once or many times", arguments: Language.allCases)
    func repeats(_ language: Language) {
        let repeated = MembershipWords.in(language).repeated
        #expect(repeated(1, "10:00:01", "10:00:02").contains("10:00:02") && !repeated(1, "", "").contains("1"))
        let many = repeated(19, "10:00:01", "10:00:19")
        #expect(["19", "10:00:01", "10:00:19"].allSatisfy { many.contains($0) })
    }

    @Test("Italian dates take the article that their day asks for")
    func articles() {
        #expect(DoorsWords.it.startsOn("3 marzo 2027") == "inizia il 3 marzo 2027")
        #expect(DoorsWords.it.startsOn("8 marzo 2027") == "inizia l'8 marzo 2027")
        #expect(
            DoorsWords.it.days(from: "11 marzo 2027", until: "18 marzo 2027") == "dall'11 marzo 2027 al 18 marzo 2027")
    }

    @Test("the words are complete, and none shouts", arguments: Language.allCases)
    func words(_ language: Language) {
        let all = DoorsWords.in(language)
        let said = [
            "nobodyFound": all.nobodyFound("Q1"), "fromDay": all.fromDay("Q1"), "untilDay": all.untilDay("Q1"),
            "fromUntil": all.fromUntil("Q1", "Q2"), "startsOn": all.startsOn("Q1"), "endedOn": all.endedOn("Q1"),
            "daysHint": all.daysHint("Q1"), "newEntries": all.newEntries("Q1"), "notStarted": all.notStarted("Q1"),
            "ended": all.ended("Q1"), "revoked": all.revoked("Q1"), "outsideHours": all.outsideHours("Q1"),
        ]
        for child in Mirror(reflecting: all).children {
            let name = child.label ?? ""
            let text = child.value as? String ?? said[name] ?? ""
            #expect(!text.isEmpty && !text.contains("!") && !text.contains("¡"), "\(name)")
            if said[name] != nil { #expect(text.contains("Q1"), "\(name)") }
        }
    }
}
