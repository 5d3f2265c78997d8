import Accounts
import Identity

/// Numbers that people have chosen, exactly to the thousandth, as boxes count.
enum Figure {
    /// With its unit, which keeps together with it.
    static func chosen(_ value: Double, _ unit: String, _ language: Language) -> String {
        let text = text(value, language == .en ? "." : ",", minus: "−")
        return unit.isEmpty ? text : text + "\u{a0}" + unit
    }

    /// For a field of a form, with a point.
    static func field(_ value: Double) -> String { text(value, ".", minus: "-") }

    /// What somebody wrote, with a point or a comma; nil unless it is a finite number.
    static func parsed(_ text: String) -> Double? {
        let bytes = text.utf8.filter { $0 != UInt8(ascii: " ") }.map {
            $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0
        }
        let isPlain = bytes.allSatisfy { (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e].contains($0) }
        guard isPlain, bytes.count <= 20, let number = Double(String(decoding: bytes, as: UTF8.self)),
            number.isFinite
        else { return nil }
        return number
    }

    private static func text(_ value: Double, _ point: String, minus: String) -> String {
        guard value.isFinite, value.magnitude < 1e12 else { return value.description }
        let thousandths = Int64((value * 1000).rounded())
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
        var figures = String(String(1000 + rest).dropFirst())
        while figures.hasSuffix("0") { figures.removeLast() }
        return (thousandths < 0 ? minus : "") + String(whole) + (figures.isEmpty ? "" : point + figures)
    }
}
