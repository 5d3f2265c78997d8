import Accounts
import Identity
import Testing

@testable import Pages

private let hostile = "<script>alert(1)</script>\"onload='x'&amp;"
private let long = String(repeating: "Massimiliano Bartolomeo Sant'Angelo ", count: 8)

/// What must hold of every page, whatever was put into it.
private func check(_ page: HTML, _ language: Language, title: Bool = true) {
    let html = page.string
    #expect(html.hasPrefix("<!doctype html>\n<html lang=\"\(language.rawValue)\">"))
    #expect(html.hasSuffix("</html>"))
    #expect(!html.contains("<script>"), "a name became an element")
    #expect(!html.contains(" style=") && !html.contains("<style"), "the content policy forbids inline styles")
    #expect(html.firstRange(of: /<[a-z][^>]* on[a-z]+=/) == nil, "the content policy forbids event handlers")
    #expect(html.ranges(of: "<h1>").count == 1)
    #expect(html.ranges(of: "<main ").count == 1)
    #expect(html.contains("<a class=\"skip\" href=\"#content\">"))
    for tag in ["div", "p", "ul", "li", "form", "main", "footer", "section", "button", "a", "table", "tr", "td"] {
        let opened = html.ranges(of: "<\(tag) ").count + html.ranges(of: "<\(tag)>").count
        #expect(opened == html.ranges(of: "</\(tag)>").count, "<\(tag)> is not closed")
    }
    let ids = html.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
    #expect(ids.count == Set(ids).count, "an id stands twice: \(ids)")
    for reference in html.matches(of: #/ (?:for|aria-describedby)="([^"]*)"/#) {
        for id in reference.1.split(separator: " ") { #expect(ids.contains(String(id)), "nothing has the id \(id)") }
    }
}

@Suite("The views of the way in")
struct ViewsTests {
    @Test("A new account reads what to tell whom, and who had a place that none is open today")
    func withoutPlaces() {
        func page(_ hasOthers: Bool) -> String {
            var model = PlacesView.Model(language: .en, person: "Nora", address: "nora@example.com", places: [])
            model.hasOthers = hasOthers
            return String(decoding: PlacesView.page(model).bytes, as: UTF8.self)
        }
        #expect(page(false).contains("No place yet") && page(false).contains("nora@example.com"))
        #expect(page(true).contains("No place is open to you today") && !page(true).contains("nora@example.com"))
    }

    @Test("stand in every language with ordinary, long and hostile names", arguments: Language.allCases)
    func everyView(_ language: Language) {
        for name in ["Ada Rossi", long, hostile, ""] {
            for ending in SignInView.Ending.allCases {
                check(SignInView.page(.init(language: language, email: name, ending: ending, refused: name)), language)
            }
            check(
                FirstRunView.page(
                    .init(
                        language: language, code: name, name: name, email: name, siteName: name,
                        timeZone: "Europe/Rome", timeZones: ["UTC", name],
                        refused: ["code": name, "name": name, "email": name, "password": name, "site": name])),
                language)
            check(MessageView.page(.init(language: language, title: name, detail: name, action: ("/", name))), language)
            check(
                PlacesView.page(
                    .init(
                        language: language, person: name,
                        address: name,
                        places: SiteKind.allCases.map { kind in
                            .init(
                                id: name, name: name, kind: kind, role: name, href: "/gates",
                                first: .init(name: name, tone: .go, state: name, href: "/gates", open: name))
                        })),
                language)
            check(PlacesView.page(.init(language: language, person: name, places: [])), language)
            let moment = (iso: "2026-11-21T12:00:00.000Z", text: name)
            check(
                SessionsView.page(
                    .init(
                        language: language, person: name,
                        rows: [true, false].map {
                            .init(
                                id: name, client: name, isCurrent: $0, address: name, created: moment, seen: moment)
                        }, notice: name)),
                language)
            check(
                PasswordView.page(
                    .init(
                        language: language, person: name, email: name, refused: name,
                        refusedFields: ["current": name, "password": name])),
                language)
            check(
                Frame.page(
                    title: name, place: name, language: language,
                    navigation: [.init(href: "/", label: name, isCurrent: true)], person: name, style: .desk,
                    back: ("/", name), live: true, actions: .text(name), content: .text(name)),
                language)
        }
        for message in [
            MessageView.Model.notFound(language), .forbidden(language), .refused(language), .restarting(language),
            .tooMuch(language), .tooMuch(language, wait: 600),
        ] { check(MessageView.page(message), language) }
    }

    @Test(
        "the sign-in never leads to another host afterwards",
        arguments: ["//evil.example", "https://evil.example", "/\\x"])
    func returning(_ path: String) {
        let html = SignInView.page(.init(language: .en, returnPath: path)).string
        #expect(!html.contains("evil.example"))
        #expect(html.contains("name=\"return\" value=\"/\""))
    }

    @Test("a password is never sent back into a page")
    func password() {
        let field = Part.field("Password", name: "password", kind: .password, value: "secret").string
        #expect(!field.contains("secret"))
    }

    @Test("a refused field says why, and a screen reader finds it from the field")
    func refusedField() {
        let field = Part.field("Code", name: "code", hint: "Where it is", refused: "Not this one").string
        #expect(field.contains("aria-invalid=\"true\""))
        #expect(field.contains("aria-describedby=\"code-hint code-refused\""))
    }

    @Test(
        "a wait is told as short as a sentence needs it",
        arguments: [
            (-1, "1 s"), (0, "1 s"), (1, "1 s"), (90, "90 s"), (91, "2 min"), (600, "10 min"), (601, "11 min"),
            (5_400, "90 min"), (5_401, "2 h"), (86_400, "24 h"),
        ])
    func waits(_ seconds: Int, _ text: String) {
        #expect(PagesWords.wait(seconds) == text)
        let page = MessageView.page(.tooMuch(.it, wait: seconds)).string
        #expect(page.contains(text))
    }

    @Test("the session that shows the page cannot be ended by a button of its own")
    func ownSession() {
        let moment = (iso: "2026-11-21T12:00:00.000Z", text: "today")
        func page(_ isCurrent: [Bool]) -> String {
            SessionsView.page(
                .init(
                    language: .en, person: "Ada",
                    rows: isCurrent.enumerated().map {
                        .init(
                            id: "id\($0.offset)", client: "Firefox", isCurrent: $0.element, address: nil,
                            created: moment, seen: moment)
                    })
            ).string
        }
        #expect(!page([true]).contains("/end\""))
        #expect(page([true]).contains("end-others"), "a copy of this session is none of its own")
        #expect(page([true, false]).contains("/account/sessions/id1/end\""))
        #expect(!page([true, false]).contains("/account/sessions/id0/end\""))
        #expect(page([true, false]).contains("end-others"))
    }

    @Test("the current entry of the main links and the current language are marked")
    func current() {
        let html = Frame.page(
            title: "T", language: .it, navigation: [.init(href: "/a", label: "A", isCurrent: true)], content: .empty
        ).string
        #expect(html.contains("<a href=\"/a\" aria-current=\"page\">A</a>"))
        #expect(html.contains("value=\"it\" lang=\"it\" aria-current=\"true\">Italiano</button>"))
    }

    @Test("the name of the program stands once in the title of the window")
    func title() {
        for place in [nil, "Soglia"] {
            let html = Frame.page(title: "Demo", place: place, language: .en, content: .empty).string
            #expect(html.contains("<title>Demo · Soglia</title>"))
        }
    }

    @Test("the sign-in page is less than 4,000 bytes before any compression")
    func size() {
        #expect(SignInView.page(.init(language: .en)).bytes.count < 4_000)
    }
}
