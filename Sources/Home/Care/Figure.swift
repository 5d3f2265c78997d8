import Accounts

/// Numbers as people read them.
enum Figure {
    /// A reading with its unit: no more digits than it is good for. `412 ppm`, `21.5 °C`, `0.25 V`.
    static func reading(_ value: Double, _ unit: String, _ language: Language) -> String {
        let digits = abs(value) >= 100 ? 0 : abs(value) >= 1 ? 1 : 3
        return with(unit, number(value, digits: digits, language))
    }

    /// What somebody has chosen, exactly: thousandths at most.
    static func chosen(_ value: Double, _ unit: String, _ language: Language) -> String {
        with(unit, number(value, digits: 3, language))
    }

    /// For a field of a form, with a point.
    static func field(_ value: Double) -> String { (value < 0 ? "-" : "") + number(abs(value), digits: 3, .en) }

    /// What somebody wrote, with a point or a comma; nil unless it is a finite number.
    static func parsed(_ text: String) -> Double? {
        let bytes = text.utf8.filter { $0 != 0x20 }
        guard bytes.count <= 20,
            bytes.allSatisfy({ (0x30...0x39).contains($0) || [0x2b, 0x2c, 0x2d, 0x2e].contains($0) })
        else { return nil }
        let plain = bytes.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
        return Double(String(decoding: plain, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func with(_ unit: String, _ number: String) -> String {
        unit.isEmpty ? number : unit == "%" ? "\(number)\u{202F}%" : "\(number)\u{00A0}\(unit)"
    }

    private static func number(_ value: Double, digits: Int, _ language: Language) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        let scale = [1.0, 10, 100, 1000][digits]
        let whole = Int64((abs(value) * scale).rounded())
        let (before, after) = whole.quotientAndRemainder(dividingBy: Int64(scale))
        var fraction = digits == 0 ? "" : String(String(Int64(scale) + after).dropFirst())
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = value < 0 && whole != 0 ? "−" : ""
        return sign + String(before) + (fraction.isEmpty ? "" : (language == .en ? "." : ",") + fraction)
    }
}
