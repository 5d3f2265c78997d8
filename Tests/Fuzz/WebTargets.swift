import Foundation
import JSON

@testable import HTTPServer
@testable import Images

extension Target {
    /// What browsers and programs send inside a request.
    static let web: [Target] = [
        Target("json", seeds: { jsonSeeds.map { Array($0.utf8) } }, feed: readJSON),
        Target("form", seeds: { ["a=b&c=%20+&a=", "", "%C3%A8=%F0%9F%9A%AA"].map { Array($0.utf8) } }) { bytes in
            guard let form = try? Form(urlEncoded: bytes) else { return }
            expect(form.fields.count <= Form.fieldLimit, "too many fields")
            let again = try? Form(
                urlEncoded: Array(
                    form.fields.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&").utf8))
            expect(again.map { $0.fields.map(\.name) == form.fields.map(\.name) } == true, "other names")
            expect(again.map { $0.fields.map(\.value) == form.fields.map(\.value) } == true, "other values")
        },
        .text("query", seeds: ["site=0&after=12&limit=500", "a=%zz", "n=-1"]) { text in
            let query = Query(raw: text)
            _ = try? query.get("limit", as: Int.self)
            _ = try? query.require("site", as: String.self)
        },
        .text("segments", seeds: ["/sites/1/people", "/%2e%2e/x", "/a%2Fb?x", "/%C3%A8/"]) { text in
            guard let segments = Request(.get, text).segments else { return }
            expect(segments.allSatisfy { !$0.utf8.contains(UInt8(ascii: "/")) }, "a segment that hides a slash")
            expect(segments.allSatisfy { !$0.utf8.contains(0) }, "a segment with a NUL")
        },
        Target("multipart", seeds: { multipartSeeds.map { Array($0.utf8) } }) { bytes in
            guard let form = try? Multipart(bytes, boundary: "x") else { return }
            for part in form.parts {
                expect(part.content.startIndex >= 0 && part.content.endIndex <= bytes.count, "a part beyond the body")
                expect(!part.name.utf8.contains { $0 < 0x20 }, "a name with a control character")
            }
        },
        // Whatever the bytes are: a photo that is a photo again, or a refusal.
        Target("photo", seeds: { photoSeeds }) { bytes in
            guard let photo = try? Photo.make(from: bytes) else { return }
            expect((try? Photo.make(from: photo.large)) != nil, "a photo that is none")
        },
        .text("cookie", seeds: ["soglia_session=abc; a=b", "a = b ;soglia_session = x", ";;=;"]) { text in
            guard text.utf8.count <= 16 << 10 else { return }
            let request = Request(.get, "/", headers: Headers([("Cookie", text)]))
            if let value = request.cookie("soglia_session") {
                expect(!value.utf8.contains(UInt8(ascii: ";")), "a value goes on into the next")
            }
        },
        .text("media-type", seeds: ["page.html", "a.tar.gz", ".", "", "x.JS"]) { text in
            _ = MediaType.isText(MediaType.of(text))
            _ = try? Request(.get, "/", headers: Headers([("Content-Type", String(text.prefix(1000)))])).form()
        },
    ]

    /// The heads of the three formats, and a JPEG in two scans.
    private static let photoSeeds: [[UInt8]] = [
        [
            0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0, 128, 0, 128, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, 0,
            0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0x10, 0, 0xff, 0xd9,
        ],
        [0xff, 0xd8, 0xff, 0xe1, 0, 16] + Array("Exif\0\0II*\0".utf8),
        [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8),
        Array("RIFF\u{20}\0\0\0WEBPVP8 ".utf8),
    ]
    private static let multipartSeeds = [
        "--x--\r\n", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n",
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"p.csv\"\r\nContent-Type: text/csv\r\n\r\na,b\r\n--x--\r\n",
    ]
    private static let jsonSeeds = [
        #"{"email":"a@b.c","password":"x","program":true}"#,
        #"{"a":[1,-2.5e3,null,{"b":"\u00e8\ud83d\udeaa\n"}],"c":{}}"#,
        "[[[[[[]]]]]]", #"{"a":1,"\u0061":2}"#, " \t\r\n{ } ",
    ]

    private struct Shape: Decodable {
        let email: String?
        let n: Int?
        let list: [Shape]?
    }

    private static func readJSON(_ bytes: [UInt8]) {
        _ = try? JSONReader.decode(Shape.self, from: bytes)
        guard let fields = try? JSONFields(bytes) else { return }
        _ = try? fields.get("email", as: String.self)
        _ = try? fields.get("n", as: Int.self)
        _ = try? fields.get("n", as: Double.self)
        _ = try? fields.get("program", as: Bool.self)
        // Another reader of JSON, written by others, agrees that it is an object, and whether it is empty.
        guard let other = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
            // It knows no number beyond a double's range.
            return expect(
                bytes.contains { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") } || bytes.count > 300, "no JSON")
        }
        expect(other.isEmpty == fields.isEmpty, "empty for the one, not for the other")
        if let email = try? fields.get("email", as: String.self) {
            expect(other["email"] as? String == email, "another text")
        }
    }

    private static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
