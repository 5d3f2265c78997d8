import Accounts
import Identity
import Testing

@testable import Pages

/// Undoes the references that our escaping makes, and refuses what it must never leave.
private func unescaped(_ html: String) -> String? {
    let references = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&#13;": "\r"]
    var result = String.UnicodeScalarView()
    var rest = Substring(html).unicodeScalars[...]
    while let scalar = rest.first {
        if scalar == "<" || scalar == ">" || scalar == "\"" || scalar == "'" { return nil }
        guard scalar == "&" else {
            result.append(scalar)
            rest.removeFirst()
            continue
        }
        guard let reference = references.keys.first(where: { rest.starts(with: $0.unicodeScalars) }),
            let text = references[reference]
        else { return nil }
        result.append(contentsOf: text.unicodeScalars)
        rest = rest.dropFirst(reference.unicodeScalars.count)
    }
    return String(result)
}

/// Texts of dangerous and ordinary pieces, the same ones in every run.
private func hostileTexts(count: Int) -> [String] {
    let pieces = [
        "<", ">", "&", "\"", "'", "&amp;", "&#39;", "<script>", "</script>", "<!--", "-->", "]]>", "javascript:", "\\",
        "\r\n", "\n", "\t", "=", "`", "a", "è", "ñ", "日", "👩‍👩‍👧", "\u{202E}", "\u{2028}", "{", "}", " ",
    ]
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }
    return (0..<count).map { _ in (0..<next(12)).map { _ in pieces[next(pieces.count)] }.joined() }
}

private func same(_ one: String?, _ other: String) -> Bool {
    one.map { Array($0.utf8) } == Array(other.utf8)
}

@Suite("The builder")
struct HTMLTests {
    @Test("any text comes back from the page as it went in, and makes no element")
    func text() {
        for text in hostileTexts(count: 2_000) {
            let html = p { text }.string
            #expect(html.hasPrefix("<p>") && html.hasSuffix("</p>"))
            #expect(same(unescaped(String(html.dropFirst(3).dropLast(4))), text), "\(text.debugDescription)")
        }
    }

    @Test("any text comes back from an attribute as it went in, and makes no other attribute")
    func attribute() {
        for text in hostileTexts(count: 2_000) {
            let html = span(.data("name", text)) {}.string
            #expect(html.hasPrefix("<span data-name=\"") && html.hasSuffix("\"></span>"))
            #expect(same(unescaped(String(html.dropFirst(17).dropLast(9))), text), "\(text.debugDescription)")
        }
    }

    @Test("any text in the words of an island stays inside its JSON string and its script element")
    func islandWords() {
        for text in hostileTexts(count: 2_000) {
            let html = data(id: "w", ["key": text]).string
            let inside = html.dropFirst("<script type=\"application/json\" id=\"w\">".count).dropLast("</script>".count)
            #expect(!inside.utf8.contains(UInt8(ascii: "<")))
            #expect(!inside.utf8.contains { $0 < 0x20 })
            // Quotes: two around the key, two around the value, and the escaped ones of the text.
            let bare = inside.replacing("\\\\", with: "").replacing("\\\"", with: "")
            #expect(bare.utf8.filter { $0 == UInt8(ascii: "\"") }.count == 4)
        }
    }

    @Test("NUL, which no page may hold, becomes the replacement character")
    func nul() {
        #expect(HTML.text("a\0b").string == "a\u{FFFD}b")
    }

    @Test("an attribute that is absent or false leaves nothing behind")
    func absent() {
        #expect(div(.hidden(false), .aria("label", nil), .css("")) {}.string == "<div></div>")
        #expect(div(.hidden(true)) {}.string == "<div hidden></div>")
    }

    @Test("blocks, conditions and loops come out in the order in which they are written")
    func order() {
        let flag = true
        let html = div {
            "one"
            if flag { p { "two" } } else { p { "never" } }
            for number in 3...4 { span { String(number) } }
            HTML.raw("<hr>")
        }
        #expect(html.string == "<div>one<p>two</p><span>3</span><span>4</span><hr></div>")
    }
}

@Suite("A local path")
struct LocalPathTests {
    @Test(
        "refuses whatever a browser might read as another host",
        arguments: [
            "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example", "javascript:alert(1)",
            "JavaScript:alert(1)", "data:text/html,x", "", "gates", "/\t/evil.example", "/\n/evil.example", " /gates",
            "/a\\b", "/a b", "/è", "/\"onclick=x", "/<script>", "/a\u{0}", "?x", "#x",
        ])
    func refused(_ text: String) {
        #expect(LocalPath(text) == nil)
    }

    @Test(
        "takes the paths of this hub",
        arguments: ["/", "/gates", "/gates/a-1/open", "/sites/1/people?search=%C3%A8&after=2", "/a//b", "/a#part"])
    func taken(_ text: String) {
        #expect(LocalPath(text)?.description == text)
    }

    @Test("is at most 2,048 bytes long")
    func length() {
        #expect(LocalPath("/" + String(repeating: "a", count: 2_047)) != nil)
        #expect(LocalPath("/" + String(repeating: "a", count: 2_048)) == nil)
    }

    @Test("keeps every interpolated value within one segment")
    func interpolation() {
        for text in hostileTexts(count: 500) {
            let path: LocalPath = "/gates/\(text)/open"
            #expect(path.description.split(separator: "/", omittingEmptySubsequences: false).count == 4)
            #expect(!path.description.contains("?") && !path.description.contains("#"))
        }
        let empty = ""
        let front: LocalPath = "/\(empty)/evil.example"
        #expect(front.description == "/-/evil.example")
        let endless: LocalPath = "/\(String(repeating: "é", count: 2_000))"
        #expect(endless == "/")
    }

    @Test("takes query items, encoded, and leaves empty ones out")
    func query() {
        let path: LocalPath = "/people"
        #expect(
            path.adding("search", "a&b=ü").adding("after", "2").description == "/people?search=a%26b%3D%C3%BC&after=2")
        #expect(path.adding("search", "") == path)
    }

    @Test("of another origin only when it is plainly a scheme, a host and a port")
    func origin() {
        #expect(HubOrigin("http://localhost:8080") != nil)
        #expect(HubOrigin("https://[::1]:8443") != nil)
        for text in [
            "javascript:alert(1)", "http://", "http://a/b", "http://a\"b", "//a", "http://user@host", "http://a?b",
        ] {
            #expect(HubOrigin(text) == nil, "\(text)")
        }
    }
}

@Suite("The language of a page")
struct LanguageTests {
    @Test(
        "is the one that the browser likes best among ours",
        arguments: [
            (nil, Language.en), ("", .en), ("it", .it), ("it-CH", .it), ("ES-mx,en;q=0.5", .es), ("de,fr", .en),
            ("de, it;q=0.4, es;q=0.6", .es), ("it;q=0.5,en;q=0.5", .it), ("it;q=0,es;q=0.1", .es), ("*", .en),
            ("it;q=abc", .en), ("it;q=1.001", .en), ("it;q=0.1234", .en), ("fr;q=1, it;q=0.001", .it),
            (" it ; q=0.3 , en;q=0.2", .it), (";;;,,,-", .en),
        ])
    func negotiation(_ header: String?, _ language: Language) {
        #expect(Language.preferred(from: header) == language)
    }

    @Test("reads no more than 32 entries of a header")
    func limit() {
        let padding = String(repeating: "de,", count: 32)
        #expect(Language.preferred(from: padding + "it") == .en)
    }
}
