/// A line of the log, on its way to bytes.
struct LogLine {
    let time: Timestamp
    let words: LogFlood.Words
    let facts: [(name: String, value: String)]

    /// So many bytes of a message or a value are written.
    static let longest = 1024

    /// As people read it: control characters become spaces, a value with spaces or quotes stands in quotes.
    var text: [UInt8] {
        var line = "\(time.iso8601) \(words.level.rawValue) \(words.room): \(Self.short(words.message))"
        for (name, value) in facts {
            let value = Self.short(value)
            let isPlain =
                !value.isEmpty && !value.utf8.contains { $0 == 0x20 || $0 == 0x22 || $0 == 0x5c || $0 == 0x3d }
            line += isPlain ? " \(name)=\(value)" : " \(name)=\"\(Self.escaped(value))\""
        }
        var bytes = line.utf8.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
        bytes.append(0x0a)
        return bytes
    }

    /// As programs read it: one JSON object (RFC 8259).
    var json: [UInt8] {
        var line = "{\"time\":\"\(time.iso8601)\""
        let own = [("level", words.level.rawValue), ("room", words.room), ("message", words.message)]
        for (name, value) in own + facts.map({ ($0.name, $0.value) }) {
            line += ",\"\(Self.escaped(name))\":\"\(Self.escaped(Self.short(value)))\""
        }
        return Array((line + "}\n").utf8)
    }

    private static func short(_ text: String) -> String {
        text.utf8.count <= longest ? text : String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case let control where control.value < 0x20 || control.value == 0x7f:
                let digits = String(control.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
