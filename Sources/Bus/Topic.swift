/// What may stand in a topic. MQTT 3.1.1, section 4.7.
enum Topic {
    /// Bytes; MQTT would allow 65,535.
    static let limit = 512

    private static func isText(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= limit && text.utf8.first != UInt8(ascii: "$")
            && !text.utf8.contains { $0 < 0x20 || $0 == 0x7f }
    }

    /// Whether one may publish on it: no wildcards, and nothing of the broker's own (`$SYS`, `$CONTROL`).
    static func isName(_ text: String) -> Bool {
        isText(text) && !text.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") }
    }

    /// Whether one may subscribe to it: `+` and `#` stand for whole levels, `#` for the last.
    static func isFilter(_ text: String) -> Bool {
        guard isText(text) else { return false }
        let levels = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return levels.indices.allSatisfy { index in
            let level = String(levels[index]) ?? ""
            if level == "#" { return index == levels.endIndex - 1 }
            return level == "+" || !level.contains { $0 == "+" || $0 == "#" }
        }
    }
}
