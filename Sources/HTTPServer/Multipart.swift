import Glibc

/// A form with files: multipart/form-data (RFC 7578, RFC 2046), read strictly. The content of a part is a slice of the body:
/// nothing is copied.
///
/// The body begins with its first boundary and ends with the last one; what browsers and curl send is exactly that. Other
/// fields of a part's head than Content-Disposition and Content-Type are passed over.
public struct Multipart: Sendable {
    /// No form has more parts; more are refused with 400.
    public static let partLimit = 32
    /// The head of a part has at most so many bytes.
    public static let headLimit = 4 << 10

    /// One field of the form.
    public struct Part: Sendable {
        /// The field's name, without control characters.
        public let name: String
        /// What the file is called where it comes from; nil when the field is no file. A hint, never a path to open.
        public let filename: String?
        /// The media type that the client gives; nil when it gives none.
        public let contentType: String?
        /// The bytes.
        public let content: ArraySlice<UInt8>
    }

    /// The parts, in the order in which they came.
    public let parts: [Part]

    /// Reads a body. Throws a 400 problem when it is malformed, cut short, or has too many parts.
    /// - Parameter boundary: from the Content-Type of the request, 1 to 70 characters.
    public init(_ body: [UInt8], boundary: String) throws(Problem) {
        guard Self.isBoundary(boundary) else { throw .badRequest("The boundary of the form is not valid.") }
        let mark = Array("\r\n--\(boundary)".utf8)
        // The first boundary stands at the very beginning, where no line goes before it.
        guard body.starts(with: mark.dropFirst(2)) else { throw Self.malformed }
        var position = mark.count - 2
        var parts: [Part] = []
        while true {
            if Self.has("--", body, at: position) {
                // Nothing but the end of the line after the end of the form.
                let rest = body[(position + 2)...]
                guard rest.isEmpty || rest.elementsEqual("\r\n".utf8) else { throw Self.malformed }
                break
            }
            guard Self.has("\r\n", body, at: position) else { throw Self.malformed }
            if parts.count == Self.partLimit { throw .badRequest("There are more than \(Self.partLimit) fields.") }
            let head = try Self.head(body, from: position + 2)
            guard let end = Self.find(mark, in: body, from: head.end) else { throw Self.malformed }
            parts.append(
                Part(
                    name: head.name, filename: head.filename, contentType: head.type, content: body[head.end..<end]))
            position = end + mark.count
        }
        self.parts = parts
    }

    /// The file of a field, or nil when there is none. Throws a 400 problem when there are several.
    public func file(_ name: String) throws(Problem) -> Part? {
        try only(name).flatMap { $0.filename == nil ? nil : $0 }
    }

    /// The text of a field, or nil when it is absent. Throws a 400 problem when it is there twice, is a file, is not UTF-8 or
    /// holds a NUL.
    public func text(_ name: String) throws(Problem) -> String? {
        guard let part = try only(name) else { return nil }
        guard part.filename == nil, !part.content.contains(0),
            let text = String(validating: part.content, as: UTF8.self)
        else { throw .badRequest("The field \(name) is not a text.") }
        return text
    }

    private func only(_ name: String) throws(Problem) -> Part? {
        let found = parts.filter { $0.name == name }
        if found.count > 1 { throw .badRequest("The field \(name) is there more than once.") }
        return found.first
    }

    // MARK: the reading

    private static var malformed: Problem { .badRequest("The form is not well-formed multipart/form-data.") }

    private static func has(_ text: StaticString, _ body: [UInt8], at position: Int) -> Bool {
        guard position + text.utf8CodeUnitCount <= body.count else { return false }
        return body[position..<position + text.utf8CodeUnitCount].elementsEqual(
            UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The first place of a mark that begins with CR. A file of lines has many: `memchr` finds them fast.
    private static func find(_ mark: [UInt8], in body: [UInt8], from start: Int) -> Int? {
        body.withUnsafeBufferPointer { body in
            mark.withUnsafeBufferPointer { mark in
                guard let base = body.baseAddress, let wanted = mark.baseAddress else { return nil }
                var position = start
                while position + mark.count <= body.count {
                    let left = body.count - mark.count - position + 1
                    guard let found = memchr(base + position, Int32(wanted[0]), left) else { return nil }
                    position = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - base
                    if memcmp(base + position, wanted, mark.count) == 0 { return position }
                    position += 1
                }
                return nil
            }
        }
    }

    private struct Head {
        var name: String
        var filename: String?
        var type: String?
        /// Where the content begins.
        var end: Int
    }

    private static func head(_ body: [UInt8], from start: Int) throws(Problem) -> Head {
        var (name, filename, type): (String?, String?, String?)
        var position = start
        while true {
            guard
                let end = find([0x0d, 0x0a], in: Array(body[position..<min(body.count, start + headLimit)]), from: 0)
            else { throw malformed }
            let line = body[position..<position + end]
            position += end + 2
            if line.isEmpty { break }
            guard let text = String(validating: line, as: UTF8.self), let colon = text.firstIndex(of: ":"),
                // RFC 9110, section 5.5: a field's value has no control character but the tab.
                !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f })
            else { throw malformed }
            let value = trimmed(text[text.index(after: colon)...])
            switch text[..<colon].lowercased() {
            case "content-disposition":
                // A tab, which the line above allows, has no place in the name of a field; browsers write it in that of a file.
                guard name == nil, let found = disposition(value), let named = found["name"], !named.isEmpty,
                    !named.utf8.contains(0x09)
                else { throw malformed }
                (name, filename) = (named, found["filename"])
            case "content-type": type = value
            default: break
            }
        }
        guard let name else { throw malformed }
        return Head(name: name, filename: filename, type: type, end: position)
    }

    private static func trimmed(_ text: Substring) -> String {
        let front = text.drop { $0 == " " || $0 == "\t" }
        return String(front.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// The parameters of `form-data; name="…"; filename="…"`; nil when it is not that. Browsers write a quote as `%22` (WHATWG
    /// HTML), curl as `\"`.
    private static func disposition(_ value: String) -> [String: String]? {
        let bytes = Array(value.utf8)
        guard bytes.count >= 9, String(decoding: bytes[..<9], as: UTF8.self).lowercased() == "form-data" else {
            return nil
        }
        return parameters(bytes, from: 9)
    }

    /// `; name=value; name="value"`, each name once; nil when it is not that.
    fileprivate static func parameters(_ bytes: [UInt8], from start: Int) -> [String: String]? {
        var found: [String: String] = [:]
        var position = start
        func skipBlanks() {
            while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        }
        skipBlanks()
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: ";") else { return nil }
            position += 1
            skipBlanks()
            if position == bytes.count { return found }
            guard let equals = bytes[position...].firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(decoding: bytes[position..<equals], as: UTF8.self).lowercased()
            position = equals + 1
            var value: [UInt8] = []
            if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                position += 1
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    let isEscape =
                        bytes[position] == UInt8(ascii: "\\") && position + 1 < bytes.count
                        && (bytes[position + 1] == UInt8(ascii: "\"") || bytes[position + 1] == UInt8(ascii: "\\"))
                    if isEscape { position += 1 }
                    value.append(bytes[position])
                    position += 1
                }
                guard position < bytes.count else { return nil }
                position += 1
            } else {
                while position < bytes.count, bytes[position] != UInt8(ascii: ";"), bytes[position] > 0x20 {
                    value.append(bytes[position])
                    position += 1
                }
            }
            guard !name.isEmpty, found.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil else {
                return nil
            }
            skipBlanks()
        }
        return found
    }

    /// RFC 2046, section 5.1.1: 1 to 70 of these characters, no space at the end.
    private static func isBoundary(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != 0x20
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
    }
}

extension Request {
    /// The body as a form with files. Throws a 415 problem when it is not multipart/form-data, 400 when it is malformed.
    public func multipart() throws(Problem) -> Multipart {
        try requireContentType("multipart/form-data")
        let type = Array((headers["content-type"] ?? "").utf8)
        guard let semicolon = type.firstIndex(of: UInt8(ascii: ";")),
            let boundary = Multipart.parameters(type, from: semicolon)?["boundary"]
        else { throw .badRequest("The form does not say what its boundary is.") }
        return try Multipart(body, boundary: boundary)
    }
}
