/// Prometheus' text form, version 0.0.4: families of samples.
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct Exposition: Sendable {
    /// What a family's numbers are.
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// Names and values of labels.
    typealias Labels = [(StaticString, String)]

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""
    private var name: StaticString = ""

    /// Begins a family; its samples follow.
    mutating func family(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A sample of the family that was begun last.
    mutating func sample(_ labels: Labels = [], _ value: UInt64) { line("", labels, String(value)) }

    /// A sample of the family that was begun last.
    mutating func sample(_ labels: Labels = [], _ value: Double) { line("", labels, Self.number(value)) }

    /// One histogram of the family that was begun last.
    /// - Parameters:
    ///   - bounds: the upper bounds, ascending.
    ///   - counts: how many fall between each bound and the one before; one more at the end has no bound, and may be left out.
    ///   - sum: of all that were counted.
    mutating func histogram(_ labels: Labels = [], bounds: [Double], counts: [UInt64], sum: Double) {
        var sofar: UInt64 = 0
        for (bound, count) in zip(bounds, counts) {
            sofar += count
            line("_bucket", labels + [("le", Self.number(bound))], String(sofar))
        }
        let all = counts.reduce(0, +)
        line("_bucket", labels + [("le", "+Inf")], String(all))
        line("_sum", labels, Self.number(sum))
        line("_count", labels, String(all))
    }

    private mutating func line(_ suffix: StaticString, _ labels: Labels, _ value: String) {
        text += "\(name)\(suffix)"
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            case "\n": out += "\\n"
            default: out.unicodeScalars.append(character)
            }
        }
        return out
    }
}
