import Accounts
import Identity

/// Values as people read them.
enum ValueText {
    /// At most three figures after all: `412`, `21.5`, `0.25`; with a comma where the language has one.
    static func number(_ value: Double, _ language: Language) -> String {
        let size = value.magnitude
        guard size.isFinite, size < 1e12 else { return value.description }
        let places = size >= 100 ? 0 : size >= 10 ? 1 : 2
        let scale = [1.0, 10, 100][places]
        let scaled = Int64((value * scale).rounded())
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        var text = (scaled < 0 ? "−" : "") + String(whole)
        guard rest > 0 else { return text }
        var figures = String(rest)
        figures = String(repeating: "0", count: places - figures.utf8.count) + figures
        while figures.hasSuffix("0") { figures.removeLast() }
        text += (language == .en ? "." : ",") + figures
        return text
    }

    /// With its unit, which keeps together with it.
    static func number(_ value: Double, unit: String, _ language: Language) -> String {
        let text = number(value, language)
        return unit.isEmpty ? text : text + "\u{a0}" + unit
    }
}
