/// Arithmetic with Python's results.
extension Rendering {
    mutating func calculate(
        _ operation: Arithmetic, _ left: TemplateValue, _ right: TemplateValue
    ) throws(TemplateFailure) -> TemplateValue {
        if let first = left.whole, let second = right.whole { return try Numbers.whole(operation, first, second) }
        if let first = left.real, let second = right.real {
            if operation == .modulo || operation == .floorDivided { try spend(Cost.remainder) }
            return .number(try Numbers.real(operation, first, second))
        }
        switch (operation, left, right) {
        case (.plus, .text(let first), .text(let second)):
            try spend(bytes: first.utf8.count + second.utf8.count)
            var text = BoundedText(left: .max)
            try text.append(first)
            try text.append(second)
            return .text(text.text)
        case (.plus, .list(let first), .list(let second)):
            try spend(elements: first.count + second.count)
            return .list(first + second)
        case (.times, .text(let text), let count), (.times, let count, .text(let text)):
            guard let times = count.whole else { throw .wrongKind }
            var result = BoundedText(left: self.left)
            try write(to: &result) { result throws(TemplateFailure) in try result.append(text, times: times) }
            return .text(result.text)
        case (.times, .list(let list), let count), (.times, let count, .list(let list)):
            guard let times = count.whole else { throw .wrongKind }
            let (size, overflows) = list.count.multipliedReportingOverflow(by: max(times, 0))
            guard !overflows, size <= TemplateLimit.text else { throw .tooLong }
            try spend(elements: size)
            var result: [TemplateValue] = []
            result.reserveCapacity(size)
            if !list.isEmpty { for _ in 0..<max(times, 0) { result += list } }
            return .list(result)
        default: throw .wrongKind
        }
    }

    func negative(_ operand: TemplateValue) throws(TemplateFailure) -> TemplateValue {
        if let whole = operand.whole {
            let (result, overflows) = 0.subtractingReportingOverflow(whole)
            guard !overflows else { throw .outOfRange }
            return .integer(result)
        }
        guard case .number(let number) = operand else { throw .wrongKind }
        return .number(-number)
    }

    func positive(_ operand: TemplateValue) throws(TemplateFailure) -> TemplateValue {
        if let whole = operand.whole { return .integer(whole) }
        guard case .number = operand else { throw .wrongKind }
        return operand
    }
}

/// Arithmetic between two numbers.
enum Numbers {
    static func whole(_ operation: Arithmetic, _ left: Int, _ right: Int) throws(TemplateFailure) -> TemplateValue {
        let (result, overflows): (Int, Bool)
        switch operation {
        case .plus: (result, overflows) = left.addingReportingOverflow(right)
        case .minus: (result, overflows) = left.subtractingReportingOverflow(right)
        case .times: (result, overflows) = left.multipliedReportingOverflow(by: right)
        case .divided: return .number(try real(.divided, Double(left), Double(right)))
        case .floorDivided:
            guard right != 0 else { throw .outOfRange }
            let (quotient, tooLarge) = left.dividedReportingOverflow(by: right)
            let isInexact = !tooLarge && left % right != 0
            (result, overflows) = (isInexact && (left < 0) != (right < 0) ? quotient - 1 : quotient, tooLarge)
        case .modulo:
            guard right != 0 else { throw .outOfRange }
            let rest = left.remainderReportingOverflow(dividingBy: right).partialValue
            (result, overflows) = (rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest, false)
        case .power:
            guard right >= 0 else { return .number(try real(.power, Double(left), Double(right))) }
            return .integer(try power(left, right))
        }
        guard !overflows else { throw .outOfRange }
        return .integer(result)
    }

    /// At most 64 multiplications.
    private static func power(_ base: Int, _ exponent: Int) throws(TemplateFailure) -> Int {
        var (result, square, rest) = (1, base, exponent)
        while rest > 0 {
            if rest & 1 == 1 {
                let (product, overflows) = result.multipliedReportingOverflow(by: square)
                guard !overflows else { throw .outOfRange }
                result = product
            }
            rest >>= 1
            guard rest > 0 else { break }
            let (product, overflows) = square.multipliedReportingOverflow(by: square)
            guard !overflows else { throw .outOfRange }
            square = product
        }
        return result
    }

    static func real(_ operation: Arithmetic, _ left: Double, _ right: Double) throws(TemplateFailure) -> Double {
        switch operation {
        case .plus: return left + right
        case .minus: return left - right
        case .times: return left * right
        case .power: return try power(left, right)
        case .divided, .floorDivided, .modulo:
            guard right != 0 else { throw .outOfRange }
            if operation == .divided { return left / right }
            let (quotient, rest) = floorDivision(left, right)
            return operation == .floorDivided ? quotient : rest
        }
    }

    /// As CPython's `float_divmod`: the rest has the sign of the divisor.
    private static func floorDivision(_ left: Double, _ right: Double) -> (quotient: Double, rest: Double) {
        var rest = left.truncatingRemainder(dividingBy: right)
        var quotient = (left - rest) / right
        if rest == 0 {
            rest = right.sign == .minus ? -0.0 : 0
        } else if (right < 0) != (rest < 0) {
            rest += right
            quotient -= 1
        }
        guard quotient != 0 else { return ((left / right).sign == .minus ? -0.0 : 0, rest) }
        let floor = quotient.rounded(.down)
        return (quotient - floor > 0.5 ? floor + 1 : floor, rest)
    }

    /// A whole exponent, or a half: a square root. Any other power needs a library of mathematics, and no template has one.
    private static func power(_ base: Double, _ exponent: Double) throws(TemplateFailure) -> Double {
        if exponent == 0 || base == 1 { return 1 }
        if base.isNaN || exponent.isNaN { return .nan }
        if exponent == 0.5, base >= 0 { return base.squareRoot() }
        guard base.isFinite, exponent.magnitude <= 1_000_000, exponent == exponent.rounded() else { throw .outOfRange }
        if base == 0 {
            guard exponent > 0 else { throw .outOfRange }
            return base.sign == .minus && Int(exponent) & 1 == 0 ? 0 : base.sign == .minus ? -0.0 : 0
        }
        let size = Int(exponent.magnitude)
        let result = exact(base.magnitude, to: size, isInverse: exponent < 0)
        guard result.isFinite else { throw .outOfRange }
        return base < 0 && size & 1 == 1 ? -result : result
    }

    /// With twice the digits of a `Double`, so that the last one is right as well.
    private static func exact(_ base: Double, to exponent: Int, isInverse: Bool) -> Double {
        typealias Pair = (high: Double, low: Double)
        func product(_ one: Pair, _ other: Pair) -> Pair {
            let high = one.high * other.high
            guard high.isFinite else { return (high, 0) }
            let low = (-high).addingProduct(one.high, other.high) + one.high * other.low + one.low * other.high
            return (high + low, low - ((high + low) - high))
        }
        var (result, square, rest): (Pair, Pair, Int) = ((1, 0), (base, 0), exponent)
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, square) }
            rest >>= 1
            if rest > 0 { square = product(square, square) }
        }
        guard isInverse else { return result.high + result.low }
        guard result.high.isFinite, result.high > 0 else { return result.high == 0 ? .infinity : 0 }
        let quotient = 1 / result.high
        return quotient + quotient * (1.0.addingProduct(-quotient, result.high) - quotient * result.low)
    }
}
