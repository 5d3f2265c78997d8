/// Expressions, weakest operator first, in the order of Jinja's own grammar: a filter binds before any operator, and `-a|int` is
/// `(-a)|int`.
extension Reader {
    /// `a if b else c`. A chain of them is no deeper: each of its links is counted as a node.
    mutating func expression() throws(TemplateFault) -> Expression {
        var value = try either()
        while accept(word: "if") {
            try countNode()
            let condition = try either()
            let otherwise = accept(word: "else") ? try expression() : nil
            value = .choice(if: condition, then: value, else: otherwise)
        }
        return value
    }

    mutating func either() throws(TemplateFault) -> Expression {
        var left = try both()
        while accept(word: "or") {
            try countNode()
            left = .or(left, try both())
        }
        return left
    }

    private mutating func both() throws(TemplateFault) -> Expression {
        var left = try negation()
        while accept(word: "and") {
            try countNode()
            left = .and(left, try negation())
        }
        return left
    }

    private mutating func negation() throws(TemplateFault) -> Expression {
        guard accept(word: "not") else { return try comparison() }
        try countNode()
        return .not(try negation())
    }

    private mutating func comparison() throws(TemplateFault) -> Expression {
        let first = try sum()
        var others: [(Comparison, Expression)] = []
        while let comparison = acceptComparison() {
            try countNode()
            others.append((comparison, try sum()))
        }
        return others.isEmpty ? first : .comparison(first, others)
    }

    private mutating func acceptComparison() -> Comparison? {
        if acceptNotIn() { return .isNotIn }
        let comparison: Comparison
        switch current {
        case .symbol(.equal)?: comparison = .equal
        case .symbol(.unequal)?: comparison = .unequal
        case .symbol(.less)?: comparison = .less
        case .symbol(.lessOrEqual)?: comparison = .lessOrEqual
        case .symbol(.greater)?: comparison = .greater
        case .symbol(.greaterOrEqual)?: comparison = .greaterOrEqual
        case .name("in")?: comparison = .isIn
        default: return nil
        }
        advance()
        return comparison
    }

    private mutating func sum() throws(TemplateFault) -> Expression {
        var left = try concatenation()
        while true {
            let operation: Arithmetic
            if accept(.plus) { operation = .plus } else if accept(.minus) { operation = .minus } else { return left }
            try countNode()
            left = .arithmetic(operation, left, try concatenation())
        }
    }

    private mutating func concatenation() throws(TemplateFault) -> Expression {
        let first = try product()
        var parts = [first]
        while accept(.tilde) {
            try countNode()
            parts.append(try product())
        }
        return parts.count == 1 ? first : .joined(parts)
    }

    private mutating func product() throws(TemplateFault) -> Expression {
        var left = try power()
        while true {
            let operation: Arithmetic
            switch current {
            case .symbol(.times)?: operation = .times
            case .symbol(.divided)?: operation = .divided
            case .symbol(.floorDivided)?: operation = .floorDivided
            case .symbol(.modulo)?: operation = .modulo
            default: return left
            }
            advance()
            try countNode()
            left = .arithmetic(operation, left, try power())
        }
    }

    /// From left to right in Jinja, other than in Python.
    private mutating func power() throws(TemplateFault) -> Expression {
        var left = try unary(withFilters: true)
        while accept(.power) {
            try countNode()
            left = .arithmetic(.power, left, try unary(withFilters: true))
        }
        return left
    }

    private mutating func unary(withFilters: Bool) throws(TemplateFault) -> Expression {
        var value: Expression
        if accept(.minus) {
            try countNode()
            value = .negative(try unary(withFilters: false))
        } else if accept(.plus) {
            try countNode()
            value = .positive(try unary(withFilters: false))
        } else {
            value = try primary()
        }
        value = try places(of: value)
        return withFilters ? try filters(of: value) : value
    }

    /// The operand of a test without brackets.
    mutating func bareOperand() throws(TemplateFault) -> Expression { try places(of: try primary()) }

    private mutating func primary() throws(TemplateFault) -> Expression {
        guard let token = current else { throw malformed }
        try countNode()
        switch token {
        case .name(let name):
            advance()
            switch name {
            case "true", "True": return .constant(.truth(true))
            case "false", "False": return .constant(.truth(false))
            case "none", "None": return .constant(.null)
            default: return current == .symbol(.open) ? try function(name) : try variable(name)
            }
        case .string(var text):
            advance()
            // Texts side by side are one.
            while case .string(let more)? = current {
                text += more
                advance()
            }
            return .constant(.text(text))
        case .integer(let integer):
            advance()
            return .constant(.integer(integer))
        case .number(let number):
            advance()
            return .constant(.number(number))
        case .symbol(.open): return try parentheses()
        case .symbol(.openList):
            advance()
            return .list(try elements(until: .closeList))
        case .symbol(.openObject): return try object()
        default: throw malformed
        }
    }

    /// `(a)` is a, `(a,)` and `()` are tuples.
    private mutating func parentheses() throws(TemplateFault) -> Expression {
        advance()
        try enter()
        defer { leave() }
        if accept(.close) { return .tuple([]) }
        let first = try expression()
        if accept(.close) { return first }
        try require(.symbol(.comma))
        return .tuple([first] + (try elements(until: .close)))
    }

    private mutating func elements(until end: Token.Symbol) throws(TemplateFault) -> [Expression] {
        try enter()
        defer { leave() }
        var elements: [Expression] = []
        while !accept(end) {
            elements.append(try expression())
            if accept(.comma) { continue }
            try require(.symbol(end))
            break
        }
        return elements
    }

    private mutating func object() throws(TemplateFault) -> Expression {
        advance()
        try enter()
        defer { leave() }
        var members: [(key: Expression, value: Expression)] = []
        while !accept(.closeObject) {
            let key = try expression()
            try require(.symbol(.colon))
            members.append((key, try expression()))
            if accept(.comma) { continue }
            try require(.symbol(.closeObject))
            break
        }
        return .object(members)
    }
}
