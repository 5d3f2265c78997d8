/// Writes the few JSON documents that the box needs. Its own, so that what the hub reads was written by somebody else.
enum BoxJSON {
    indirect enum Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
        case text(String)
        case number(Double)
        case truth(Bool)
        case list([Value])
        case object([(String, Value)])

        init(stringLiteral value: String) { self = .text(value) }
        init(integerLiteral value: Int) { self = .number(Double(value)) }
        init(booleanLiteral value: Bool) { self = .truth(value) }
    }

    /// The bytes of a value, UTF-8.
    static func bytes(_ value: Value) -> [UInt8] { Array(text(value).utf8) }

    private static func text(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let number): self.number(number)
        case .truth(let truth): truth ? "true" : "false"
        case .list(let values): "[" + values.map(text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { quoted($0.0) + ":" + text($0.1) }.joined(separator: ",") + "}"
        }
    }

    /// Whole numbers without a point; what is no number is null.
    static func number(_ number: Double) -> String {
        guard number.isFinite else { return "null" }
        return Int(exactly: number).map { String($0) } ?? number.description
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
