/// Reads the tokens of a source into pieces. Expressions are in `ExpressionReader.swift`.
struct Reader {
    private let tokens: [(token: Token, offset: Int)]
    private var position = 0
    private var nodes = 0
    private var depth = 0
    /// The variables that it reads.
    private(set) var names: Set<String> = []
    /// Those that were set by the template on each way to this place.
    private var assigned: Set<String> = []

    /// Words that cannot name a variable.
    private static let reserved: Set<String> = [
        "and", "or", "not", "in", "is", "if", "else", "elif", "true", "false", "none", "True", "False", "None",
    ]

    init(_ tokens: [(token: Token, offset: Int)]) { self.tokens = tokens }

    /// All of it.
    mutating func template() throws(TemplateFault) -> [Piece] {
        let pieces = try self.pieces()
        guard position == tokens.count else { throw malformed }
        return pieces
    }

    /// Up to the end, or to a statement that ends a branch: `elif`, `else` or `endif`.
    private mutating func pieces() throws(TemplateFault) -> [Piece] {
        var pieces: [Piece] = []
        while let token = current {
            switch token {
            case .text(let text):
                try countNode()
                position += 1
                pieces.append(.text(text))
            case .beginOutput:
                position += 1
                pieces.append(.output(try whole { reader throws(TemplateFault) in try reader.expression() }))
                try require(.endOutput)
            default:
                guard let piece = try statement() else { return pieces }
                pieces.append(piece)
            }
        }
        return pieces
    }

    /// Nil, without going on: the end of a branch.
    private mutating func statement() throws(TemplateFault) -> Piece? {
        let start = position
        try require(.beginStatement)
        guard case .name(let name)? = current else { throw malformed }
        switch name {
        case "elif", "else", "endif":
            guard depth > 0 else { throw malformed }
            position = start
            return nil
        case "set":
            position += 1
            return try assignment()
        case "if":
            position += 1
            try countNode()
            try enter()
            defer { depth -= 1 }
            return try choice()
        default: throw .unknownStatement(shown(name))
        }
    }

    /// An expression of a piece. A condition cannot be `a if b`.
    private mutating func whole(
        _ read: (inout Self) throws(TemplateFault) -> Expression
    ) throws(TemplateFault) -> Expression {
        let start = position
        let expression = try read(&self)
        guard !expression.misusesTuple() else { throw malformed(at: start) }
        return expression
    }

    private mutating func assignment() throws(TemplateFault) -> Piece {
        try countNode()
        guard case .name(let name)? = current, !Self.reserved.contains(name) else { throw malformed }
        position += 1
        try require(.symbol(.assign))
        let value = try whole { reader throws(TemplateFault) in try reader.expression() }
        try require(.endStatement)
        assigned.insert(name)
        return .assignment(name, value)
    }

    /// After `if`, up to the end of `endif`.
    private mutating func choice() throws(TemplateFault) -> Piece {
        let before = assigned
        // Set on each way: by every branch, if there is one for each case.
        var ends: [Set<String>] = []
        var branches: [(condition: Expression, pieces: [Piece])] = []
        var otherwise: [Piece] = []
        let condition = try whole { reader throws(TemplateFault) in try reader.either() }
        try require(.endStatement)
        branches.append((condition, try pieces()))
        while true {
            ends.append(assigned)
            assigned = before
            try require(.beginStatement)
            guard case .name(let name)? = current else { throw malformed }
            position += 1
            if name == "elif" {
                let condition = try whole { reader throws(TemplateFault) in try reader.either() }
                try require(.endStatement)
                branches.append((condition, try pieces()))
                continue
            }
            if name == "else" {
                try require(.endStatement)
                otherwise = try pieces()
                assigned = ends.reduce(assigned) { $0.intersection($1) }
                try require(.beginStatement)
                guard current == .name("endif") else { throw malformed }
                position += 1
            }
            try require(.endStatement)
            return .choice(branches, otherwise: otherwise)
        }
    }
}

// Steps over the tokens, for pieces and expressions alike.
extension Reader {
    var current: Token? { position < tokens.count ? tokens[position].token : nil }

    var malformed: TemplateFault { malformed(at: position) }

    /// The place of a token; of the end, that of the last one.
    func malformed(at position: Int) -> TemplateFault {
        .malformed(offset: (position < tokens.count ? tokens[position] : tokens.last)?.offset ?? 0)
    }

    mutating func advance() { position += 1 }

    mutating func accept(_ symbol: Token.Symbol) -> Bool {
        guard current == .symbol(symbol) else { return false }
        position += 1
        return true
    }

    mutating func accept(word: String) -> Bool {
        guard current == .name(word) else { return false }
        position += 1
        return true
    }

    /// `not in`, and nothing if only `not` is there.
    mutating func acceptNotIn() -> Bool {
        guard current == .name("not"), position + 1 < tokens.count, tokens[position + 1].token == .name("in") else {
            return false
        }
        position += 2
        return true
    }

    /// Whether `name =` comes next: the name of an argument.
    mutating func acceptArgumentName() -> String? {
        guard case .name(let name)? = current, position + 1 < tokens.count,
            tokens[position + 1].token == .symbol(.assign)
        else { return nil }
        position += 2
        return name
    }

    mutating func require(_ token: Token) throws(TemplateFault) {
        guard current == token else { throw malformed }
        position += 1
    }

    mutating func countNode() throws(TemplateFault) {
        nodes += 1
        guard nodes <= TemplateLimit.nodes else { throw .tooManyNodes }
    }

    /// One bracket or statement deeper; the caller leaves it with ``leave()``.
    mutating func enter() throws(TemplateFault) {
        depth += 1
        guard depth <= TemplateLimit.depth else { throw .tooDeep }
    }

    mutating func leave() { depth -= 1 }

    /// A variable that is read.
    mutating func variable(_ name: String) throws(TemplateFault) -> Expression {
        guard !Self.reserved.contains(name) else { throw malformed(at: position - 1) }
        if !assigned.contains(name) { names.insert(name) }
        return .variable(name)
    }
}
