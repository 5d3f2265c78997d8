import CMicrohttpd
import Glibc

/// The head of a request, refused unless it is exactly what a careful client would have written.
///
/// libmicrohttpd 0.9.75 cuts the head in place: method, target, version, names and values are pointers into one buffer,
/// and it accepts what RFC 9112 forbids. So each part must begin where the one before it ended: a bare LF, a NUL, a folded
/// line or a space too many leaves a gap of another size than CRLF, or of other bytes than the NULs by which the library
/// replaces it. What escapes this: NULs that were there before, and a colon that stands where the empty line would
/// (`HostileRequestTests.endsToo`).
struct RequestHead {
    /// The header fields, values without the space around them.
    private(set) var headers: Headers
    /// What Content-Length says; 0 without it.
    private(set) var contentLength = 0
    private(set) var isChunked = false
    private(set) var expectsContinue = false

    /// Where the next header line must begin.
    private var next: UnsafePointer<CChar>
    private var isValid = true
    private var hostCount = 0
    private var lengthCount = 0
    private var encodingCount = 0

    /// Nil: malformed (400). `targetLength` is that of the target as sent.
    init?(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, target: UnsafePointer<CChar>, targetLength: Int,
        version: UnsafePointer<CChar>
    ) {
        let size = mhd_request_head_size(connection)
        headers = Headers(capacity: size)
        next = version + 10  // "HTTP/1.1" and CRLF
        guard method + strlen(method) + 1 == target, target + targetLength + 1 == version else { return nil }
        guard Self.isToken(UnsafeRawBufferPointer(start: method, count: strlen(method))) else { return nil }
        guard strcmp(version, "HTTP/1.1") == 0 || strcmp(version, "HTTP/1.0") == 0 else { return nil }
        withUnsafeMutablePointer(to: &self) { head in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { head, _, name, nameLength, value, valueLength in
                    guard let head, let name else { return .NO }
                    let line = (name: name, nameLength: nameLength, value: value, valueLength: valueLength)
                    return head.assumingMemoryBound(to: RequestHead.self).pointee.add(line) ? .YES : .NO
                }, head)
        }
        guard isValid, next + 2 == method + size, isAfterLineEnd, next[0] == 0, next[1] == 0 else { return nil }
        // Content-Length with Transfer-Encoding is how requests are smuggled; a Host is demanded of HTTP/1.0 too.
        guard hostCount == 1, lengthCount + encodingCount <= 1 else { return nil }
    }

    private typealias Line = (
        name: UnsafePointer<CChar>, nameLength: Int, value: UnsafePointer<CChar>?, valueLength: Int
    )

    /// The library has overwritten what stands before `next`, which must be a place in its buffer.
    private var isAfterLineEnd: Bool { next[-2] == 0 && next[-1] == 0 }

    /// False: the rest does not matter.
    private mutating func add(_ line: Line) -> Bool {
        guard let start = line.value, line.name == next, isAfterLineEnd, line.name + line.nameLength < start else {
            isValid = false
            return false
        }
        next = start + line.valueLength + 2
        let name = UnsafeRawBufferPointer(start: line.name, count: line.nameLength)
        let value = UnsafeRawBufferPointer(start: start, count: line.valueLength).trimmed
        isValid = Self.isToken(name) && Self.isText(value)
        if isValid { note(name, value) }
        if isValid { headers.append(name, value) }
        return isValid
    }

    /// The fields on which the framing of the request depends.
    private mutating func note(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        switch name.count {
        case 4 where name.equalsIgnoringCase("host"): hostCount += 1
        case 6 where name.equalsIgnoringCase("expect"): expectsContinue = true
        case 14 where name.equalsIgnoringCase("content-length"):
            lengthCount += 1
            // Digits only; 15 of them cannot overflow.
            isValid = (1...15).contains(value.count) && value.allSatisfy { (0x30...0x39).contains($0) }
            if isValid { contentLength = value.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        case 17 where name.equalsIgnoringCase("transfer-encoding"):
            encodingCount += 1
            isChunked = true
            isValid = value.equalsIgnoringCase("chunked")
        default: break
        }
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ name: UnsafeRawBufferPointer) -> Bool {
        !name.isEmpty && name.allSatisfy { tokenBytes[Int($0)] }
    }

    private static let tokenBytes: [Bool] = (0...255).map { byte in
        let marks = "!#$%&'*+-.^_`|~".utf8.contains(UInt8(byte))
        let digits = (0x30...0x39).contains(byte)
        return marks || digits || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }

    /// RFC 9110, section 5.5: no control characters but the tab.
    private static func isText(_ value: UnsafeRawBufferPointer) -> Bool {
        value.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
}
