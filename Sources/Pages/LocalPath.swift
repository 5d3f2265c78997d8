/// A path on this hub: the only thing that a link or a form of ours may point at.
///
/// It begins with one slash and holds printable ASCII without backslash, quote or angle bracket, at most 2,048
/// bytes. Browsers read `//host`, `/\host` and `/<tab>/host` as other hosts; none of them is a `LocalPath`.
///
/// In an interpolation every value is percent-encoded as one segment: `"/gates/\(id)/open"`.
public struct LocalPath: Sendable, Hashable, CustomStringConvertible {
    /// As it stands in `href`.
    public let description: String

    static let longest = 2_048

    /// For text from outside, such as the `return` field of a form. Nil when it might lead elsewhere.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.longest else { return nil }
        if bytes.count > 1, bytes[1] == UInt8(ascii: "/") { return nil }
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): return nil
            case 0x21...0x7E: continue
            default: return nil
            }
        }
        description = text
    }

    /// The same path with one more query item, percent-encoded. An empty value is left out.
    public func adding(_ name: StaticString, _ value: String) -> LocalPath {
        guard !value.isEmpty else { return self }
        let mark = description.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return LocalPath(description + mark + "\(name)=" + Self.encoded(value)) ?? self
    }

    /// The path of something below this one: one more segment that stands in our source.
    public func under(_ segment: StaticString) -> LocalPath {
        LocalPath(description + "/" + segment.description) ?? self
    }

    /// Everything but the unreserved characters of RFC 3986 as `%XX`.
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LocalPath: ExpressibleByStringInterpolation {
    /// Collects the parts; literals as they are, values encoded.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        /// The compiler's entrance.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }
        /// Text that stands in our source.
        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }
        /// One segment. An empty one becomes `-`, since two slashes in a row could name a host.
        public mutating func appendInterpolation(_ segment: String) {
            text += segment.isEmpty ? "-" : LocalPath.encoded(segment)
        }
        /// One segment.
        public mutating func appendInterpolation(_ segment: some BinaryInteger) {
            text += String(segment)
        }
    }

    /// A path that stands in our source; a wrong one stops the program, so tests find it.
    public init(stringLiteral literal: String) {
        guard let path = LocalPath(literal) else { preconditionFailure("not a local path: \(literal)") }
        self = path
    }

    /// A path with encoded segments. One that grows beyond the limit leads home instead.
    public init(stringInterpolation: StringInterpolation) {
        self = LocalPath(stringInterpolation.text) ?? "/"
    }
}

/// Scheme, host and port of a hub, for the one page that stands on another port than the hub: the demo's.
public struct HubOrigin: Sendable, Hashable, CustomStringConvertible {
    /// Such as `http://localhost:8080`, without a path.
    public let description: String

    /// Nil unless it is `http` or `https`, a host of letters, digits, dots, dashes or a bracketed address, and a port.
    public init?(_ text: String) {
        guard let prefix = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        let host = text.dropFirst(prefix.count).utf8
        guard !host.isEmpty, host.count <= 260 else { return nil }
        for byte in host {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
                UInt8(ascii: "["), UInt8(ascii: "]"):
                continue
            default: return nil
            }
        }
        description = text
    }
}
