import HTTPServer
import Testing

@Suite("Forms and queries")
struct FormTests {
    private func form(_ text: String) throws(Problem) -> Form { try Form(urlEncoded: Array(text.utf8)) }

    @Test("Fields are decoded, in order")
    func decodes() throws {
        let form = try form("name=Ada+Lovelace&city=T%C3%BCrin%2b&empty=&alone&a=b=c&&x=1&x=2")
        #expect(form.fields.map(\.name) == ["name", "city", "empty", "alone", "a", "x", "x"])
        #expect(form.fields.map(\.value) == ["Ada Lovelace", "T\u{fc}rin+", "", "", "b=c", "1", "2"])
        #expect(form.all("x") == ["1", "2"])
    }

    @Test(
        "A broken encoding is refused",
        arguments: ["a=%", "a=%4", "a=%zz", "%=a", "a=%ff", "a=%c0%80", "a=%00", "a=%+1"])
    func refuses(_ text: String) {
        #expect(status { () throws(Problem) in _ = try form(text) } == 400)
    }

    @Test("Too many fields are refused")
    func tooMany() {
        let text = Array(repeating: "a=b", count: Form.fieldLimit + 1).joined(separator: "&")
        #expect(status { () throws(Problem) in _ = try form(text) } == 400)
    }

    @Test("Values are typed; empty is absent, except for a text")
    func types() throws {
        let form = try form("n=7&bad=7x&empty=&twice=1&twice=1&yes=true")
        #expect(try form.require("n") == 7)
        #expect(try form.get("yes", as: Bool.self) == true)
        #expect(try form.get("empty", as: Int.self) == nil)
        #expect(try form.get("empty", as: String.self) == "")
        #expect(try form.get("missing", as: Int.self) == nil)
        #expect(status { () throws(Problem) in _ = try form.get("bad", as: Int.self) } == 422)
        #expect(status { () throws(Problem) in _ = try form.get("twice", as: Int.self) } == 400)
        #expect(status { () throws(Problem) in _ = try form.require("missing", as: String.self) } == 422)
    }

    @Test("A query is read like a form")
    func query() throws {
        let request = Request(.get, "/a?site=3&q=caff%C3%A8+nero")
        #expect(request.path == "/a")
        #expect(try request.query.require("site") == 3)
        #expect(try request.query.get("q", as: String.self) == "caff\u{e8} nero")
        #expect(try Request(.get, "/a").query.get("site", as: Int.self) == nil)
        #expect(status { () throws(Problem) in _ = try Request(.get, "/a?b=%ff").query.get("b", as: Int.self) } == 400)
    }

    @Test("A request's body is a form only when it says so")
    func request() throws {
        let headers = Headers([("content-type", "application/x-www-form-urlencoded; charset=UTF-8")])
        let right = Request(.post, "/", headers: headers, body: Array("a=1".utf8))
        #expect(try right.form().require("a") == 1)
        let wrong = Request(.post, "/", headers: Headers([("Content-Type", "text/plain")]), body: Array("a=1".utf8))
        #expect(status { () throws(Problem) in _ = try wrong.form() } == 415)
    }
}
