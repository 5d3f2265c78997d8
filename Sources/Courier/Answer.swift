import Glibc

/// An answer while it comes in, on the thread of its request.
final class Answer {
    private static let headLimit = 64 << 10

    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    private var headBytes = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// One line of the head. Answers whether it still fits.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headBytes += bytes.count
        guard headBytes <= Self.headLimit else { return false }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // Before the final answer there may be others, 100 and 103.
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            headers.append((line[..<colon].lowercased(), trimmed(value)))
        }
        return true
    }

    /// A piece of the body. Answers whether it still fits.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= limit else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    private func trimmed(_ text: Substring) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
        let start = text.utf8.drop(while: isSpace)
        let length = start.reversed().drop(while: isSpace).count
        return String(decoding: start.prefix(length), as: UTF8.self)
    }
}

// What libcurl calls. Free functions in a file of their own: a closure could inherit the isolation of whoever wrote it.

func takeHeader(_ raw: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>?, _ count: UInt) -> Int32 {
    Unmanaged<Answer>.fromOpaque(raw!).takeUnretainedValue()
        .takeHeader(UnsafeRawBufferPointer(start: bytes, count: Int(count))) ? 0 : 1
}

func takeBody(_ raw: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>?, _ count: UInt) -> Int32 {
    Unmanaged<Answer>.fromOpaque(raw!).takeUnretainedValue()
        .takeBody(UnsafeRawBufferPointer(start: bytes, count: Int(count))) ? 0 : 1
}
