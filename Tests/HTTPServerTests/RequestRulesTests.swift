import HTTPServer
import Testing

@Suite("Rules for requests")
struct RequestRulesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let words: String
        let method: Method
        let fields: [(name: String, value: String)]
        var isSecure = false
        let status: Int?

        var testDescription: String { words }
    }

    private static let ours = (name: "Origin", value: "http://hub.example:8080")
    private static let cookie = (name: "Cookie", value: "theme=dark; session=abc")
    private static let bearer = (name: "Authorization", value: "Bearer abc")

    static let cases: [Case] = [
        Case(words: "reading needs nothing", method: .get, fields: [], status: nil),
        Case(words: "reading with a cookie needs no origin", method: .get, fields: [cookie], status: nil),
        Case(words: "a program without a cookie needs no origin", method: .post, fields: [bearer], status: nil),
        Case(words: "a sign-in of a program needs no origin", method: .post, fields: [], status: nil),
        Case(words: "a page of ours may act", method: .post, fields: [cookie, ours], status: nil),
        Case(words: "a cookie needs an origin", method: .post, fields: [cookie], status: 403),
        Case(
            words: "any cookie needs an origin", method: .delete, fields: [("Cookie", "theme=dark")], status: 403),
        Case(
            words: "another origin is refused", method: .put, fields: [cookie, ("Origin", "http://evil")], status: 403),
        Case(
            words: "another origin is refused without a cookie", method: .post, fields: [("Origin", "http://evil")],
            status: 403),
        Case(words: "the null origin is refused", method: .post, fields: [cookie, ("Origin", "null")], status: 403),
        Case(
            words: "another port is another origin", method: .post, fields: [cookie, ("Origin", "http://hub.example")],
            status: 403),
        Case(
            words: "another scheme is another origin", method: .post,
            fields: [cookie, ("Origin", "https://hub.example:8080")], status: 403),
        Case(
            words: "over TLS the origin is https", method: .post, fields: [cookie, ours], isSecure: true, status: 403),
        Case(
            words: "over TLS our origin is ours", method: .post,
            fields: [cookie, ("Origin", "https://hub.example:8080")], isSecure: true, status: nil),
        Case(words: "two origins are refused", method: .post, fields: [cookie, ours, ours], status: 403),
        Case(
            words: "a browser that says cross-site is believed", method: .patch,
            fields: [cookie, ours, ("Sec-Fetch-Site", "cross-site")], status: 403),
        Case(
            words: "a link from elsewhere may read", method: .get, fields: [cookie, ("Sec-Fetch-Site", "cross-site")],
            status: nil),
        Case(words: "a cookie and a token are too many", method: .get, fields: [cookie, bearer], status: 400),
        Case(
            words: "a cookie and a token in capitals are too many", method: .get,
            fields: [cookie, ("Authorization", "BEARER x")], status: 400),
        Case(
            words: "another cookie and a token may read", method: .get, fields: [("Cookie", "theme=dark"), bearer],
            status: nil),
        Case(words: "an unknown method is unsafe", method: .other, fields: [cookie], status: 403),
    ]

    @Test("hold", arguments: cases)
    func hold(_ rule: Case) {
        let fields = [(name: "Host", value: "Hub.example:8080")] + rule.fields
        let request = Request(rule.method, "/", headers: Headers(fields), isSecure: rule.isSecure)
        do throws(Problem) {
            try RequestRules.check(request, sessionCookie: "session")
            #expect(rule.status == nil)
        } catch {
            #expect(error.status == rule.status)
        }
    }
}
