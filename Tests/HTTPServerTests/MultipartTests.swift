import HTTPServer
import Testing

@Suite("Forms with files")
struct MultipartTests {
    private static let boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW"

    private func body(_ parts: [(head: String, content: [UInt8])], boundary: String = boundary, end: String = "--\r\n")
        -> [UInt8]
    {
        parts.flatMap { Array("--\(boundary)\r\n\($0.head)\r\n\r\n".utf8) + $0.content + Array("\r\n".utf8) }
            + Array("--\(boundary)\(end)".utf8)
    }

    private func read(_ body: [UInt8], boundary: String = boundary) throws(Problem) -> Multipart {
        try Multipart(body, boundary: boundary)
    }

    private let file =
        "Content-Disposition: form-data; name=\"file\"; filename=\"people.csv\"\r\nContent-Type: text/csv"
    private func field(_ name: String) -> String { "Content-Disposition: form-data; name=\"\(name)\"" }

    @Test("Fields and files come out as they went in, also when they hold what looks like a boundary")
    func reads() throws {
        let content = Array("a,b\r\n--\(Self.boundary.dropLast())\r\n\r\n--x\r\n".utf8) + [0, 0xff, 0x0d]
        let form = try read(body([(file, content), (field("make_roles"), Array("1".utf8)), (field("empty"), [])]))
        #expect(form.parts.map(\.name) == ["file", "make_roles", "empty"])
        let found = try #require(try form.file("file"))
        #expect(Array(found.content) == content)
        #expect(found.filename == "people.csv")
        #expect(found.contentType == "text/csv")
        #expect(try form.text("make_roles") == "1")
        #expect(try form.text("empty") == "")
        #expect(try form.text("absent") == nil)
        #expect(try form.file("make_roles") == nil)
    }

    @Test(
        "A control character in what stands above a part is refused: nobody's browser writes one",
        arguments: [0x00, 0x06, 0x1b, 0x7f])
    func controlCharacters(byte: UInt8) throws {
        let name = String(decoding: [UInt8(ascii: "a"), byte], as: UTF8.self)
        #expect(throws: Problem.self) { try read(body([(field(name), Array("1".utf8))])) }
    }

    @Test("A tab is refused in the name of a field, and kept in that of a file, where browsers write it")
    func tab() throws {
        #expect(throws: Problem.self) { try read(body([(field("a\tb"), Array("1".utf8))])) }
        #expect(throws: Problem.self) {
            try read(body([("Content-Disposition: form-data; name=\"\t\"", Array("1".utf8))]))
        }
        let head = "Content-Disposition: form-data;\tname=\"file\"; filename=\"a\tb.csv\""
        #expect(try read(body([(head, [0x61])])).file("file")?.filename == "a\tb.csv")
    }

    @Test("A form without parts is one; a file without content too")
    func nothing() throws {
        #expect(try read(Array("--\(Self.boundary)--\r\n".utf8)).parts.isEmpty)
        #expect(try read(Array("--\(Self.boundary)--".utf8)).parts.isEmpty)
        #expect(try read(body([(file, [])])).file("file")?.content.isEmpty == true)
    }

    @Test("Names may have quotes, as browsers and curl write them, and any letters")
    func names() throws {
        let heads = [
            "content-disposition:form-data; name=file; filename=\"a\\\"b.csv\"",
            "X-Other: 1\r\nContent-Disposition: form-data; filename=\"città;1.csv\"; name=\"file\"",
        ]
        for (head, name) in zip(heads, ["a\"b.csv", "citt\u{e0};1.csv"]) {
            #expect(try read(body([(head, [0x61])])).file("file")?.filename == name)
        }
    }

    @Test(
        "What is malformed is refused",
        arguments: [
            "", "--", "--B", "--B\r\n", "--B\r\n\r\n", "x--B--", "\r\n--B--", "--B\n--B--", "--B--x",
            "--B\r\nContent-Disposition",
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end", "--B\r\n\r\nno name\r\n--B--\r\n",
            "--B\r\nContent-Disposition: form-data; name=\"\"\r\n\r\nx\r\n--B--\r\n",
            "--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n",
            "--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--B--\r\n",
            "--B\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\nx\r\n--B--\r\n",
            "--B\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--B--\r\n",
            "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--B-\r\n",
            "--B\r\nContent-Disposition: form-data; name=\"a\0\"\r\n\r\nx\r\n--B--\r\n",
        ])
    func refuses(_ text: String) {
        #expect(status { () throws(Problem) in _ = try read(Array(text.utf8), boundary: "B") } == 400)
    }

    @Test("Too many parts, and a head that is too long, are refused")
    func limits() {
        let many = (0...Multipart.partLimit).map { (field("f\($0)"), [UInt8(0x61)]) }
        #expect(status { () throws(Problem) in _ = try read(body(many)) } == 400)
        let long = field("a") + "\r\nX-Long: " + String(repeating: "x", count: Multipart.headLimit)
        #expect(status { () throws(Problem) in _ = try read(body([(long, [])])) } == 400)
    }

    @Test("The same field twice is refused, and a text that is no text")
    func twice() throws {
        let form = try read(
            body([(field("a"), [0x31]), (field("a"), [0x32]), (field("b"), [0xff]), (field("c"), [0])]))
        for name in ["a", "b", "c"] { #expect(status { () throws(Problem) in _ = try form.text(name) } == 400) }
    }

    @Test("The boundary comes from the head of the request")
    func request() throws {
        let body = body([(file, [0x61])], boundary: "x'y z")
        for type in [
            "multipart/form-data; boundary=\"x'y z\"", "Multipart/Form-Data; charset=utf-8; Boundary=\"x'y z\"",
        ] {
            let request = Request(.post, "/", headers: Headers([("Content-Type", type)]), body: body)
            #expect(try request.multipart().parts.count == 1)
        }
        for (type, expected) in [
            ("multipart/form-data", 400), ("multipart/form-data; boundary=", 400),
            ("multipart/form-data; boundary=\"\"", 400),
            ("multipart/form-data; boundary=a\u{e9}", 400), ("application/x-www-form-urlencoded", 415),
            ("text/csv", 415),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 71))", 400),
        ] {
            let request = Request(.post, "/", headers: Headers([("Content-Type", type)]), body: body)
            #expect(status { () throws(Problem) in _ = try request.multipart() } == expected, "\(type)")
        }
    }

    @Test("Any bytes at all are read or refused, without a trap")
    func noise() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "--B", "\r\n", "--", "Content-Disposition: form-data; name=\"a\"", ":", ";", "=", "\"", "\\", "\0", "x",
            "--B--",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                pieces.randomElement(using: &generator)!
            }
            let bytes = Array(("--B" + text.joined()).utf8)
            if let form = try? read(bytes, boundary: "B") {
                #expect(form.parts.allSatisfy { !$0.name.isEmpty && $0.content.count <= bytes.count })
            }
        }
    }
}
