import Accounts
import Identity
import Pages
import System
import Testing

@testable import Gates

private let hostile = "<script>alert(1)</script>\"onload='x'&amp;"
private let long = String(repeating: "Ingresso di servizio del magazzino refrigerato ", count: 6)

private func check(_ page: HTML, _ language: Language) {
    let html = page.string
    #expect(html.hasPrefix("<!doctype html>\n<html lang=\"\(language.rawValue)\">"))
    #expect(!html.contains("<script>"), "a name became an element")
    #expect(!html.contains(" style="), "the content policy forbids inline styles")
    #expect(html.firstRange(of: /<[a-z][^>]* on[a-z]+=/) == nil, "the content policy forbids event handlers")
    #expect(html.ranges(of: "<h1>").count == 1)
}

@Suite("The pages of gates")
struct GatesViewsTests {
    @Test("stand in every language with ordinary, long and hostile names", arguments: Language.allCases)
    func everyView(_ language: Language) {
        let states: [GatesView.State] = [.ready, .notReachable, .notPaired, .denied(hostile), .denied(""), .offline]
        for name in ["Main entrance", long, hostile, ""] {
            check(
                GatesView.page(
                    .init(
                        language: language, person: name, place: name, siteHref: "/places",
                        gates: states.map { .init(id: name, name: name, state: $0, lastOpened: name) }, navigation: [])),
                language)
            let outcomes: [BadgeView.Outcome?] = [nil, .progress, .opened(name), .refused(name), .unconfirmed(name)]
            for outcome in outcomes {
                for state in states {
                    check(
                        BadgeView.page(
                            .init(
                                language: language, person: name, badgeCode: name, roleName: name, place: name,
                                gate: .init(id: name, name: name, state: state), outcome: outcome, eventID: name,
                                navigation: [])),
                        language)
                }
            }
        }
        check(GatesView.page(.init(language: language, person: "", place: "", gates: [], navigation: [])), language)
    }

    @Test("a gate that cannot be asked shows no button")
    func noButton() {
        let html = GatesView.page(
            .init(
                language: .en, person: "A", place: "P", gates: [.init(id: "g", name: "G", state: .notReachable)],
                navigation: [])
        ).string
        #expect(html.contains("action=\"/gates/g/open\" hidden"))
    }

    @Test("a saved page says of each button why it does nothing, and can send nothing", arguments: Language.allCases)
    func savedPages(_ language: Language) {
        let saved = SavedPage(at: noon, in: .utc, language)
        var list = GatesView.Model(
            language: language, person: "A", place: "P", gates: [.init(id: "g", name: "G", state: .offline)],
            navigation: [])
        list.saved = saved
        var badge = BadgeView.Model(
            language: language, person: "A", badgeCode: "000042", roleName: nil, place: "P",
            gate: .init(id: "g", name: "G", state: .offline), navigation: [])
        badge.saved = saved
        for html in [GatesView.page(list).string, BadgeView.page(badge).string] {
            #expect(
                !html.contains("<form") && !html.contains("/static/live.js") && !html.contains("/static/open-gate.js"))
            #expect(html.contains("aria-disabled=\"true\" aria-describedby=\"about-opening\""))
            #expect(html.contains("id=\"about-opening\""))
            #expect(html.contains(GatesWords.in(language).offlineDetail.replacing("'", with: "&#39;")))
        }
        #expect(BadgeView.page(badge).string.contains("000042"))
    }

    @Test("every code that a gate or the hub may give has words of its own", arguments: Language.allCases)
    func reasons(_ language: Language) {
        let words = GatesWords.in(language)
        let texts = GatesWords.reasonCodes.map(words.gateReason)
        #expect(Set(texts).count == GatesWords.reasonCodes.count)
        #expect(!texts.contains(words.unknownReason))
        #expect(words.gateReason(code: "none of ours") == words.unknownReason)
    }

    @Test("a confirmation says how long it took, in tenths, with the decimal sign of the language")
    func confirmed() {
        #expect(GatesWords.en.confirmed(milliseconds: 412) == "confirmed by the gate · 0.5 s")
        #expect(GatesWords.it.confirmed(milliseconds: 1_960) == "confermato dal varco · 2,0 s")
        #expect(GatesWords.es.confirmed(milliseconds: 3) == "confirmado por el acceso · 0,1 s")
    }

    @Test("the words are complete, and none shouts", arguments: Language.allCases)
    func words(_ language: Language) {
        let all = GatesWords.in(language)
        let said = [
            "openGate": all.openGate("Q1"), "lastOpened": all.lastOpened("Q1"), "badgeNumber": all.badgeNumber("Q1"),
            "confirmedIn": all.confirmedIn("Q1"), "tooOften": all.tooOften("Q1"),
        ]
        for child in Mirror(reflecting: all).children {
            let name = child.label ?? ""
            let text = child.value as? String ?? said[name] ?? ""
            #expect(!text.isEmpty && !text.contains("!") && !text.contains("¡"), "\(name)")
            if said[name] != nil { #expect(text.contains("Q1"), "\(name)") }
        }
    }
}
