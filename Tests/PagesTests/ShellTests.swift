import Accounts
import Identity
import System
import Testing

@testable import Pages

@Suite("The installed app")
struct ShellTests {
    private static let rome = Zone(name: "Europe/Rome")!
    private static let evening = Timestamp(iso8601: "2026-11-21T13:05:00.000Z")!

    @Test("has words in every language, none empty, none shouting", arguments: Language.allCases)
    func words(_ language: Language) {
        let words = ShellWords.in(language)
        let said = ["savedAt": words.savedAt("Q1"), "savedOn": words.savedOn("Q1")]
        for child in Mirror(reflecting: words).children {
            let name = child.label ?? ""
            let text = child.value as? String ?? said[name] ?? ""
            #expect(!text.isEmpty && !text.contains("!") && !text.contains("¡"), "\(name)")
            if said[name] != nil { #expect(text.contains("Q1"), "\(name)") }
        }
    }

    @Test("says when a page was saved by the clock of its place, and on a later day which day that was")
    func savedAt() {
        let saved = SavedPage(at: Self.evening, in: Self.rome, .en)
        #expect(saved.today == "You are offline. Saved at 14:05.")
        #expect(saved.later.contains("21 November 2026") && saved.later.contains("14:05"))
        #expect(saved.day == "2026-11-21")
        #expect(SavedPage(at: Self.evening, in: Self.rome, .es).today.contains("a las 14:05"))
    }

    @Test(
        "offers nothing on a saved page that needs the hub, and escapes whatever it shows", arguments: Language.allCases
    )
    func savedFrame(_ language: Language) {
        let hostile = "<script>alert(1)</script>\"onload='x'"
        let html = Frame.page(
            title: hostile, place: hostile, language: language, person: hostile, keep: ["/a", "/b"],
            saved: SavedPage(at: Self.evening, in: Self.rome, language), content: .text(hostile)
        ).string
        #expect(!html.contains("<form") && !html.contains("<script>"))
        #expect(html.contains("<saved-page class=\"notice wait\" role=\"status\" data-day=\"2026-11-21\""))
        #expect(html.contains("/static/saved-page.js") && html.contains("/static/shell.js"))
        #expect(html.contains("<meta name=\"soglia-keep\" content=\"/a /b\">"))
        let page = OfflineView.page(
            .init(language: language, links: [.init(href: "/a", label: hostile, place: hostile)]))
        #expect(!page.string.contains("<form") && !page.string.contains("<script>"))
    }

    @Test("starts its worker only for somebody who is signed in")
    func worker() {
        let nobody = [
            Frame.page(title: "T", language: .en, content: .empty), SignInView.page(.init(language: .en)),
        ]
        for page in nobody { #expect(!page.string.contains("shell.js")) }
        #expect(Frame.page(title: "T", language: .en, person: "A", content: .empty).string.contains("/static/shell.js"))
    }

    @Test("is linked from every page but those of another program")
    func manifest() {
        let link = "<link rel=\"manifest\" href=\"/manifest.webmanifest\""
        for page in [
            Frame.page(title: "T", language: .en, content: .empty), SignInView.page(.init(language: .en)),
            MessageView.page(.notFound(.it)), OfflineView.page(.init(language: .es, links: [])),
        ] { #expect(page.string.contains(link)) }
        #expect(!Frame.page(title: "T", language: .en, hasLanguages: false, content: .empty).string.contains(link))
    }

    @Test("keeps its own files and no library's, under the version in front of the worker")
    func files() {
        let worker = Shell.worker(
            version: "0123456789abcdef", files: ["a.js", "leaflet/leaflet.js", Shell.workerFile],
            code: Array("go()".utf8))
        #expect(
            String(decoding: worker, as: UTF8.self)
                == "const version = '0123456789abcdef'\nconst files = [\"/static/a.js\",\"/manifest.webmanifest\"]\ngo()"
        )
    }
}
