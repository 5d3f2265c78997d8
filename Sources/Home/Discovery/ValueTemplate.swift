/// A value template of the simple kind: it names one place in a payload, and computes nothing.
///
/// Taken are `{{ value }}` (the payload itself) and a path into its JSON, `{{ value_json.a.b }}`, `{{ value_json['a'] }}`,
/// `{{ value_json["a"].b }}`, also as `{{- … -}}`. Behind it may stand these filters, which are read as follows:
/// - `float`, `int` and `round`, with any plain arguments: they change nothing, since values are numbers here anyhow; they are kept as
///   exactly as the device told them, and a value that is no number is refused, whatever default stands in the filter;
/// - `default`/`d`, with any plain arguments, and `is_defined`: a payload without the member tells nothing, as with `is_defined`;
/// - `trim`, `string`: they change nothing.
///
/// Everything else (arithmetic, `if`, `is defined` as a test, list indices, other filters) is refused: it would have to be computed, and a
/// half-understood template tells wrong values.
public struct ValueTemplate: Sendable, Equatable {
    /// The members that lead to the value; empty: the payload itself.
    public let path: [String]

    /// - Throws: with the reason.
    public init(_ text: String) throws(DiscoveryRefusal) {
        var reader = Reader(Array(text.utf8))
        guard text.utf8.count <= 512, let path = reader.template() else { throw DiscoveryRefusal(.computed) }
        self.path = path
    }

    /// Goes through the template once, from left to right; nil wherever it is not of the simple kind.
    private struct Reader {
        private let bytes: [UInt8]
        private var position = 0

        private static let harmless: Set<String> = [
            "float", "int", "round", "default", "d", "is_defined", "trim", "string",
        ]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func template() -> [String]? {
            skipSpace()
            guard take("{{") else { return nil }
            _ = take("-")
            skipSpace()
            guard let path = expression() else { return nil }
            skipSpace()
            while take("|") {
                skipSpace()
                guard let name = word(), Self.harmless.contains(name), arguments() else { return nil }
                skipSpace()
            }
            _ = take("-")
            guard take("}}") else { return nil }
            skipSpace()
            return position == bytes.count ? path : nil
        }

        private mutating func expression() -> [String]? {
            switch word() {
            case "value": return []
            case "value_json": break
            default: return nil
            }
            var path: [String] = []
            while path.count <= DiscoveryLimit.path {
                if take(".") {
                    guard let name = word() else { return nil }
                    path.append(name)
                } else if take("[") {
                    skipSpace()
                    guard let name = quoted(), !name.isEmpty else { return nil }
                    skipSpace()
                    guard take("]") else { return nil }
                    path.append(name)
                } else {
                    // All of the JSON is no value.
                    return path.isEmpty ? nil : path
                }
            }
            return nil
        }

        /// In brackets, with commas between them; or none.
        private mutating func arguments() -> Bool {
            skipSpace()
            guard take("(") else { return true }
            skipSpace()
            if take(")") { return true }
            repeat {
                guard argument() else { return false }
                skipSpace()
            } while take(",")
            return take(")")
        }

        /// A number, a word or a quoted text, also under a name: `default=0`.
        private mutating func argument() -> Bool {
            skipSpace()
            if quoted() != nil { return true }
            guard bare() else { return false }
            skipSpace()
            guard take("=") else { return true }
            skipSpace()
            return quoted() != nil || bare()
        }

        private mutating func bare() -> Bool {
            let start = position
            while let byte = current, Self.isWord(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") {
                position += 1
            }
            return position > start
        }

        private mutating func word() -> String? {
            let start = position
            while let byte = current, Self.isWord(byte) { position += 1 }
            return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
        }

        private mutating func quoted() -> String? {
            guard let quote = current, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
            let start = position + 1
            var end = start
            while end < bytes.count, bytes[end] != quote {
                guard bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\\") else { return nil }
                end += 1
            }
            guard end < bytes.count else { return nil }
            position = end + 1
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }

        private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        private mutating func take(_ text: StaticString) -> Bool {
            let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard bytes[position...].starts(with: wanted) else { return false }
            position += wanted.count
            return true
        }

        private mutating func skipSpace() {
            while let byte = current, byte == 0x20 || (0x09...0x0d).contains(byte) { position += 1 }
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}
