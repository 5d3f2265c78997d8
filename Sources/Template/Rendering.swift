/// One rendering of a template: its variables, and what it has cost so far.
struct Rendering {
    private let variables: [String: TemplateValue]
    /// Variables that the template has set.
    private var assigned: [String: TemplateValue] = [:]
    private var spent = 0

    /// The cost of a step. Going through a list costs 1 an element, and through a text 1 a byte.
    private static let step = 32

    init(_ variables: [String: TemplateValue]) { self.variables = variables }

    mutating func text(of pieces: [Piece]) throws(TemplateFailure) -> String {
        var output = BoundedText(limit: TemplateLimit.output)
        try write(pieces, to: &output)
        return TextFunctions.strip(output.text)
    }

    private mutating func write(_ pieces: [Piece], to output: inout BoundedText) throws(TemplateFailure) {
        for piece in pieces {
            switch piece {
            case .text(let text): try output.append(text)
            case .output(let expression): try output.append(try value(of: expression))
            case .assignment(let name, let expression): assigned[name] = try value(of: expression)
            case .choice(let branches, let otherwise):
                var chosen = otherwise
                for branch in branches where try value(of: branch.condition).isTrue {
                    chosen = branch.pieces
                    break
                }
                try write(chosen, to: &output)
            }
        }
    }

    /// Evaluates an expression. The depth of the recursion is bounded by the number of nodes.
    mutating func value(of expression: Expression) throws(TemplateFailure) -> TemplateValue {
        try spend(Self.step)
        switch expression {
        case .constant(let value): return value
        case .variable(let name): return assigned[name] ?? variables[name] ?? .undefined
        case .list(let elements), .tuple(let elements): return .list(try values(of: elements))
        case .object(let members): return try object(members)
        case .member, .element, .slice: return try place(expression)
        case .filter(let filter, let operand, let arguments): return try filtered(filter, operand, arguments)
        case .method(let method, let operand, let arguments): return try called(method, operand, arguments)
        case .test(let test, let operand, let other): return .truth(try tested(test, operand, other))
        case .not(let operand): return .truth(!(try value(of: operand).isTrue))
        case .negative(let operand): return try negative(try defined(operand))
        case .positive(let operand): return try positive(try defined(operand))
        case .and(let left, let right):
            let first = try value(of: left)
            return first.isTrue ? try value(of: right) : first
        case .or(let left, let right):
            let first = try value(of: left)
            return first.isTrue ? first : try value(of: right)
        case .arithmetic(.modulo, let left, .tuple(let elements)):
            guard case .text(let pattern) = try defined(left) else { throw .wrongKind }
            return .text(try formatted(pattern, with: try values(of: elements)))
        case .arithmetic(let operation, let left, let right):
            let first = try defined(left)
            // `%s` shows a missing value as an empty text.
            if case (.text(let pattern), .modulo) = (first, operation) {
                return .text(try formatted(pattern, with: [try value(of: right)], isAlone: true))
            }
            return try calculate(operation, first, try defined(right))
        case .joined(let parts):
            var text = BoundedText()
            for part in parts { try text.append(try value(of: part)) }
            try spend(bytes: text.text.utf8.count)
            return .text(text.text)
        case .comparison(let first, let others): return try compared(first, others)
        case .choice(let condition, let first, let second):
            if try value(of: condition).isTrue { return try value(of: first) }
            guard let second else { return .undefined }
            return try value(of: second)
        }
    }

    /// A value that is computed with, and so has to be there.
    mutating func defined(_ expression: Expression) throws(TemplateFailure) -> TemplateValue {
        let value = try value(of: expression)
        if case .undefined = value { throw .undefined(expression.label) }
        return value
    }

    mutating func values(of expressions: [Expression]) throws(TemplateFailure) -> [TemplateValue] {
        var values: [TemplateValue] = []
        for expression in expressions { values.append(try value(of: expression)) }
        return values
    }

    /// Of keys that are equal, the first one is kept with the last value, as in Python.
    private mutating func object(
        _ expressions: [(key: Expression, value: Expression)]
    ) throws(TemplateFailure) -> TemplateValue {
        var members: [TemplateValue.Member] = []
        for expression in expressions {
            let key = try value(of: expression.key)
            let value = try value(of: expression.value)
            switch key {
            case .list, .object: throw .wrongKind
            default: break
            }
            if let place = try place(of: key, in: members) {
                members[place].value = value
            } else {
                members.append(.init(key: key, value: value))
            }
        }
        return .object(members)
    }

    private mutating func compared(
        _ first: Expression, _ others: [(Comparison, Expression)]
    ) throws(TemplateFailure) -> TemplateValue {
        var left = try value(of: first)
        var label = first.label
        for (comparison, expression) in others {
            let right = try value(of: expression)
            guard try holds(left, comparison, right, labels: (label, expression.label)) else { return .truth(false) }
            left = right
            label = expression.label
        }
        return .truth(true)
    }

    // Costs.

    mutating func spend(elements count: Int) throws(TemplateFailure) { try spend(count) }

    mutating func spend(bytes count: Int) throws(TemplateFailure) { try spend(count) }

    private mutating func spend(_ cost: Int) throws(TemplateFailure) {
        spent += cost
        guard spent <= TemplateLimit.steps * Self.step else { throw .tooManySteps }
    }
}
