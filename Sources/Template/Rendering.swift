/// One rendering of a template: its variables, and what it has cost so far.
struct Rendering {
    private let variables: [String: TemplateValue]
    /// Variables that the template has set.
    private var assigned: [String: TemplateValue] = [:]
    /// What it has cost.
    private(set) var spent = 0

    init(_ variables: [String: TemplateValue]) { self.variables = variables }

    mutating func text(of pieces: [Piece]) throws(TemplateFailure) -> String {
        var output = BoundedText(limit: TemplateLimit.output, left: left)
        try write(pieces, to: &output)
        return TextFunctions.strip(output.text)
    }

    private mutating func write(_ pieces: [Piece], to output: inout BoundedText) throws(TemplateFailure) {
        for piece in pieces {
            switch piece {
            case .text(let text): try append(.text(text), to: &output)
            case .output(let expression): try append(try value(of: expression), to: &output)
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
        try spend(Cost.step)
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
            var text = BoundedText(left: left)
            for part in parts { try append(try value(of: part), to: &text) }
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

    /// What may still be spent.
    var left: Int { TemplateLimit.steps * Cost.step - spent }

    mutating func spend(_ cost: Int) throws(TemplateFailure) {
        let (sum, overflows) = spent.addingReportingOverflow(cost)
        guard !overflows, sum <= TemplateLimit.steps * Cost.step else {
            spent = TemplateLimit.steps * Cost.step
            throw .tooManySteps
        }
        spent = sum
    }

    mutating func spend(elements count: Int) throws(TemplateFailure) { try spend(count * Cost.element) }

    /// Goes through a text once.
    mutating func spend(bytes count: Int) throws(TemplateFailure) { try spend(count) }

    /// Goes through the characters of a text: beyond ASCII they are looked up in tables.
    mutating func spend(characters text: String) throws(TemplateFailure) {
        try spend(text.utf8.reduce(0) { $0 + ($1 < 0x80 ? 1 : Cost.unicode) })
    }

    /// Writes, and pays for it.
    mutating func write(
        to text: inout BoundedText, _ body: (inout BoundedText) throws(TemplateFailure) -> Void
    ) throws(TemplateFailure) {
        text.allow(left)
        do throws(TemplateFailure) { try body(&text) } catch {
            try spend(min(text.cost, left))
            throw error
        }
        try spend(text.cost)
    }

    mutating func append(_ value: TemplateValue, to text: inout BoundedText) throws(TemplateFailure) {
        try write(to: &text) { text throws(TemplateFailure) in try text.append(value) }
    }
}

/// What things cost, measured: 1 is some 4 ns of a computer of 2020 (`Tests/TemplateTests/CostTests.swift`).
enum Cost {
    /// A part that is evaluated.
    static let step = 32
    /// An element of a list that is gone through, compared or made.
    static let element = 4
    /// A character that is put elsewhere.
    static let moved = 5
    /// A set of characters that is made.
    static let set = 600
    /// A remainder of fractions.
    static let remainder = 500
    /// A byte of a character beyond ASCII whose properties are asked for.
    static let unicode = 5
    /// Something written to a text, beside its bytes.
    static let append = 5
    /// So many bytes are copied for 1.
    static let copied = 8
    /// A fraction that is written.
    static let float = 100
    /// A whole number that is written.
    static let integer = 8
    /// A character that is written as its number.
    static let escape = 32
    /// A byte whose letter becomes large or small by the rules of words.
    static let title = 20
    /// A character of a text that becomes a text of its own.
    static let character = 10
    /// A part of a text that is cut.
    static let part = 40
    /// A byte of JSON that is read.
    static let json = 8
    /// A member that is put in order.
    static let sorted = 80

    /// Of all the digits of a fraction: those of what is tiny are many.
    static func digits(of number: Double) -> Int {
        guard number.isFinite, number != 0 else { return 0 }
        return 300 + Int(number.exponent.magnitude) * 3_200 / 1_024
    }
}
