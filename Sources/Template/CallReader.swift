/// The parts that follow a value: members, indices, methods, filters and tests.
extension Reader {
    /// `.a`, `.0`, `[a]`, `[a:b]`, `.a(b)`
    mutating func places(of base: Expression) throws(TemplateFault) -> Expression {
        var value = base
        while true {
            if accept(.dot) {
                try countNode()
                switch current {
                case .name(let name)?:
                    advance()
                    value = current == .symbol(.open) ? try method(name, of: value) : .member(value, name)
                case .integer(let index)?:
                    advance()
                    value = .element(value, .constant(.integer(index)))
                default: throw malformed
                }
            } else if accept(.openList) {
                try countNode()
                try enter()
                value = try index(of: value)
                leave()
            } else if current == .symbol(.open) {
                // A value is no function.
                throw .unknownFunction(value.label)
            } else {
                return value
            }
        }
    }

    /// After `[`, up to and with `]`.
    private mutating func index(of base: Expression) throws(TemplateFault) -> Expression {
        var parts: [Expression?] = [nil]
        while true {
            if accept(.closeList) { break }
            if accept(.colon) {
                parts.append(nil)
                guard parts.count <= 3 else { throw malformed }
                continue
            }
            guard case .some(.none) = parts.last else { throw malformed }
            parts[parts.count - 1] = try expression()
        }
        if parts.count > 1 {
            return .slice(base, start: parts[0], stop: parts[1], step: parts.count > 2 ? parts[2] : nil)
        }
        guard let index = parts[0] else { throw malformed }
        return .element(base, index)
    }

    /// `| name(…)` and `is name …`, in any order.
    mutating func filters(of base: Expression) throws(TemplateFault) -> Expression {
        var value = base
        while true {
            if accept(.pipe) {
                value = try filter(of: value)
            } else if accept(word: "is") {
                value = try test(of: value)
            } else if current == .symbol(.open) {
                throw .unknownFunction(value.label)
            } else {
                return value
            }
        }
    }

    private mutating func filter(of value: Expression) throws(TemplateFault) -> Expression {
        guard case .name(let name)? = current else { throw malformed }
        try countNode()
        advance()
        guard current != .symbol(.dot), let filter = Filter(name) else { throw .unknownFilter(shown(name)) }
        let arguments = current == .symbol(.open) ? try self.arguments() : []
        return .filter(filter, value, try bound(arguments, to: filter.signature, of: name))
    }

    private mutating func test(of value: Expression) throws(TemplateFault) -> Expression {
        let isNegated = accept(word: "not")
        guard case .name(let name)? = current else { throw malformed }
        try countNode()
        advance()
        guard current != .symbol(.dot), let test = ValueTest(name) else { throw .unknownTest(shown(name)) }
        let operand = try operand(ofTest: name)
        guard (operand != nil) == test.hasOperand else { throw .wrongArguments(shown(name)) }
        let result: Expression = .test(test, value, operand)
        return isNegated ? .not(result) : result
    }

    /// In brackets, or without them: `is divisibleby 3`.
    private mutating func operand(ofTest name: String) throws(TemplateFault) -> Expression? {
        switch current {
        case .symbol(.open)?:
            let arguments = try self.arguments()
            guard arguments.count <= 1, arguments.first?.name == nil else { throw .wrongArguments(shown(name)) }
            return arguments.first?.value
        case .name("else")?, .name("or")?, .name("and")?: return nil
        case .name?, .string?, .integer?, .number?, .symbol(.openList)?, .symbol(.openObject)?:
            return try bareOperand()
        default: return nil
        }
    }

    /// A call of a function of the subset.
    mutating func function(_ name: String) throws(TemplateFault) -> Expression {
        guard let filter = Filter(function: name) else { throw .unknownFunction(shown(name)) }
        let arguments = try self.arguments()
        switch filter {
        case .min, .max:
            let values = try bound(arguments, to: nil, of: name).compactMap { $0 }
            guard let first = values.first else { throw .wrongArguments(shown(name)) }
            return .filter(filter, values.count == 1 ? first : .list(values), [])
        default:
            let signature = filter.signature ?? Signature()
            let whole = Signature(["value"] + signature.parameters, required: 1 + signature.required)
            let values = try bound(arguments, to: whole, of: name)
            guard case .some(.some(let subject)) = values.first else { throw .wrongArguments(shown(name)) }
            return .filter(filter, subject, Array(values.dropFirst()))
        }
    }

    private mutating func method(_ name: String, of value: Expression) throws(TemplateFault) -> Expression {
        guard let method = Method(rawValue: name) else { throw .unknownFunction(shown(name)) }
        return .method(method, value, try bound(try arguments(), to: method.signature, of: name))
    }

    /// In brackets, with commas between them.
    private mutating func arguments() throws(TemplateFault) -> [(name: String?, value: Expression)] {
        try require(.symbol(.open))
        try enter()
        defer { leave() }
        var arguments: [(name: String?, value: Expression)] = []
        while !accept(.close) {
            let name = acceptArgumentName()
            if name == nil, arguments.last?.name != nil { throw malformed }
            arguments.append((name, try expression()))
            if accept(.comma) { continue }
            try require(.symbol(.close))
            break
        }
        return arguments
    }

    /// In the order of the parameters. Those at the end that are left out are left out here, too.
    private func bound(
        _ arguments: [(name: String?, value: Expression)], to signature: Signature?, of name: String
    ) throws(TemplateFault) -> [Expression?] {
        guard let signature else {
            guard arguments.allSatisfy({ $0.name == nil }) else { throw .wrongArguments(shown(name)) }
            return arguments.map(\.value)
        }
        var values = [Expression?](repeating: nil, count: signature.parameters.count)
        for (place, argument) in arguments.enumerated() {
            let index = argument.name == nil ? place : signature.parameters.firstIndex { $0 == argument.name }
            guard let index, index < values.count, values[index] == nil else { throw .wrongArguments(shown(name)) }
            values[index] = argument.value
        }
        guard values.prefix(signature.required).allSatisfy({ $0 != nil }) else { throw .wrongArguments(shown(name)) }
        return values
    }
}
