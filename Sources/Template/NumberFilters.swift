/// Filters that give numbers. Each of them fails on a missing value, also with a default.
extension Rendering {
    mutating func number(
        _ filter: Filter, _ value: TemplateValue, _ arguments: Arguments
    ) throws(TemplateFailure) -> TemplateValue {
        switch filter {
        case .float:
            guard let number = try real(value) else { return try fallback(arguments[0]) }
            return .number(number)
        case .int:
            guard let whole = try whole(value, base: arguments[1]) else { return try fallback(arguments[0]) }
            return .integer(whole)
        case .round:
            guard let result = try rounded(value, arguments[0], arguments[1]) else { return try fallback(arguments[2]) }
            return result
        case .multiply, .add:
            if case .undefined? = arguments[0] { throw .undefined("") }
            guard let number = try real(value), let amount = arguments[0]?.real else {
                return try fallback(arguments[1])
            }
            return .number(filter == .add ? number + amount : number * amount)
        case .isNumber: return .truth(try real(value)?.isFinite == true)
        case .abs:
            if let whole = value.whole {
                guard whole != .min else { throw .outOfRange }
                return .integer(abs(whole))
            }
            guard case .number(let number) = value else { throw .wrongKind }
            return .number(number.magnitude)
        default:
            guard let first = value.whole, let second = arguments[0]?.whole else { throw .wrongKind }
            let result = filter == .bitwiseAnd ? first & second : first | second
            guard case .truth = value, case .truth? = arguments[0] else { return .integer(result) }
            return .truth(result != 0)
        }
    }

    private func fallback(_ value: TemplateValue?) throws(TemplateFailure) -> TemplateValue {
        guard let value else { throw .wrongKind }
        return value
    }

    /// Nil: not a number.
    mutating func real(_ value: TemplateValue) throws(TemplateFailure) -> Double? {
        guard case .text(let text) = value else { return value.real }
        try spend(characters: text)
        return NumberReader.real(text)
    }

    /// Cut towards zero, `12.9` in a text as well. Nil: not a number.
    private mutating func whole(_ value: TemplateValue, base: TemplateValue?) throws(TemplateFailure) -> Int? {
        if let whole = value.whole { return whole }
        switch value {
        case .number(let number):
            if number.isNaN { return nil }
            return try Numbers.cut(number)
        case .text(let text):
            let base = base == nil ? 10 : base?.whole ?? 1
            guard base == 0 || (2...36).contains(base) else { throw .wrongKind }
            try spend(characters: text)
            if let whole = try NumberReader.whole(text, base: base) { return whole }
            guard let number = NumberReader.real(text), number.isFinite else { return nil }
            return try Numbers.cut(number)
        default: return nil
        }
    }

    /// As Home Assistant rounds: `ceil`, `floor`, `half` (to halves), and by Python's `round` for any other word. Without a precision, or
    /// with 0, the result is an integer. Nil: not a number.
    private mutating func rounded(
        _ value: TemplateValue, _ precision: TemplateValue?, _ method: TemplateValue?
    ) throws(TemplateFailure) -> TemplateValue? {
        guard let places = (precision ?? .integer(0)).whole else { return nil }
        guard let number = try real(value) else { return nil }
        // Python's 10 ** 309 is no `float` any more.
        guard places <= 308 else { throw .outOfRange }
        let factor = places < -400 ? 0 : try Numbers.real(.power, 10, Double(places))
        var result: Double
        switch method {
        case .text("ceil")?, .text("floor")?:
            let scaled = number * factor
            if scaled.isNaN { return nil }
            guard scaled.isFinite, factor > 0 else { throw .outOfRange }
            // An integer in Python: it has no negative zero.
            result = (scaled.rounded(method == .text("ceil") ? .up : .down) + 0.0) / factor
        case .text("half")?:
            if number.isNaN { return nil }
            guard (number * 2).isFinite else { throw .outOfRange }
            result = ((number * 2).rounded(.toNearestOrEven) + 0.0) / 2
        default:
            try spend(Cost.digits(of: number))
            result = ExactDecimal.round(number, places: places)
            guard result.isFinite || !number.isFinite else { throw .outOfRange }
        }
        guard places == 0 else { return .number(result) }
        if result.isNaN { return nil }
        return .integer(try Numbers.cut(result))
    }
}

extension Numbers {
    /// Without its fraction.
    static func cut(_ number: Double) throws(TemplateFailure) -> Int {
        guard let whole = Int(exactly: number.rounded(.towardZero)) else { throw .outOfRange }
        return whole
    }
}
