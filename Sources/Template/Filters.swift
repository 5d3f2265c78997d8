/// The arguments of a call, by the place of their parameter. Nil: left out.
struct Arguments {
    private let values: [TemplateValue?]

    init(_ values: [TemplateValue?]) { self.values = values }

    subscript(place: Int) -> TemplateValue? { place < values.count ? values[place] : nil }

    /// All that were given.
    var given: [TemplateValue] { values.compactMap { $0 } }
}

extension Rendering {
    mutating func arguments(_ expressions: [Expression?]) throws(TemplateFailure) -> Arguments {
        var values: [TemplateValue?] = []
        for expression in expressions {
            guard let expression else {
                values.append(nil)
                continue
            }
            values.append(try value(of: expression))
        }
        return Arguments(values)
    }

    mutating func filtered(
        _ filter: Filter, _ operand: Expression, _ expressions: [Expression?]
    ) throws(TemplateFailure) -> TemplateValue {
        let value = try value(of: operand)
        let arguments = try arguments(expressions)
        switch filter {
        case .fallback:
            let isMissing = value == .undefined || arguments[1]?.isTrue == true && !value.isTrue
            return isMissing ? arguments[0] ?? .text("") : value
        case .isDefined:
            if case .undefined = value { throw .undefined(operand.label) }
            return value
        case .iif:
            if case .null = value, let third = arguments[2] { return third }
            return value.isTrue ? arguments[0] ?? .truth(true) : arguments[1] ?? .truth(false)
        case .bool: return try truth(value, default: arguments[0])
        case .float, .int, .round, .multiply, .add, .abs, .bitwiseAnd, .bitwiseOr, .isNumber:
            if case .undefined = value { throw .undefined(operand.label) }
            return try number(filter, value, arguments)
        case .join, .length, .first, .last, .min, .max, .sum, .list: return try sequence(filter, value, arguments)
        case .toJSON, .tojson, .fromJSON: return try json(filter, value, arguments)
        default: return try text(filter, value, arguments)
        }
    }

    /// Home Assistant's words of yes and no.
    private mutating func truth(
        _ value: TemplateValue, default fallback: TemplateValue?
    ) throws(TemplateFailure) -> TemplateValue {
        if let number = value.real { return .truth(number != 0) }
        if case .text(let text) = value {
            try spend(characters: text)
            switch TextFunctions.strip(text.lowercased()) {
            case "1", "true", "yes", "on", "enable": return .truth(true)
            case "0", "false", "no", "off", "disable": return .truth(false)
            default: break
            }
        }
        guard let fallback else { throw .wrongKind }
        return fallback
    }

    // Text.

    /// A value as text, as `~` writes it.
    mutating func text(of value: TemplateValue) throws(TemplateFailure) -> String {
        if case .text(let text) = value { return text }
        var text = BoundedText(left: left)
        try append(value, to: &text)
        return text.text
    }

    private mutating func text(
        _ filter: Filter, _ value: TemplateValue, _ arguments: Arguments
    ) throws(TemplateFailure) -> TemplateValue {
        let text = try text(of: value)
        switch filter {
        case .lower: return .text(try lowered(text))
        case .upper: return .text(try raised(text))
        case .title: return .text(try titled(text, TextFunctions.filterTitle))
        case .capitalize: return .text(try titled(text, TextFunctions.capitalize))
        case .trim: return .text(try stripped(text, arguments[0]))
        case .replace:
            return .text(
                try replaced(
                    text, try self.text(of: arguments[0] ?? .undefined), try self.text(of: arguments[1] ?? .undefined),
                    try count(arguments[2])))
        case .format: return .text(try formatted(text, with: arguments.given))
        default: return .text(text)
        }
    }

    mutating func lowered(_ text: String) throws(TemplateFailure) -> String {
        try spend(characters: text)
        return text.lowercased()
    }

    mutating func raised(_ text: String) throws(TemplateFailure) -> String {
        try spend(characters: text)
        return text.uppercased()
    }

    mutating func titled(_ text: String, _ change: (String) -> String) throws(TemplateFailure) -> String {
        try spend(text.utf8.count * Cost.title)
        return change(text)
    }

    /// - Parameter argument: nil: space.
    mutating func stripped(
        _ text: String, _ argument: TemplateValue?, atStart: Bool = true, atEnd: Bool = true
    ) throws(TemplateFailure) -> String {
        let characters = try characters(argument)
        try spend(characters: text)
        if let characters { try spend(Cost.set + characters.utf8.count * Cost.character) }
        return TextFunctions.strip(text, characters, atStart: atStart, atEnd: atEnd)
    }

    /// Nil: space.
    mutating func characters(_ argument: TemplateValue?) throws(TemplateFailure) -> String? {
        switch argument {
        case nil, .null?: return nil
        case .text(let text)?:
            try spend(bytes: text.utf8.count)
            return text
        default: throw .wrongKind
        }
    }

    /// How often; -1: without a limit.
    func count(_ argument: TemplateValue?) throws(TemplateFailure) -> Int {
        switch argument {
        case nil, .null?: return -1
        case let argument?:
            guard let count = argument.whole else { throw .wrongKind }
            return count
        }
    }

    mutating func replaced(
        _ text: String, _ old: String, _ new: String, _ count: Int
    ) throws(TemplateFailure) -> String {
        try spend(bytes: text.utf8.count + old.utf8.count)
        var result = BoundedText(left: left)
        try write(to: &result) { result throws(TemplateFailure) in
            try TextFunctions.replace(text, old, by: new, most: count, into: &result)
        }
        return result.text
    }

    // JSON.

    private mutating func json(
        _ filter: Filter, _ value: TemplateValue, _ arguments: Arguments
    ) throws(TemplateFailure) -> TemplateValue {
        if filter == .fromJSON {
            if case .text(let text) = value {
                try spend(text.utf8.count * Cost.json)
                if let result = TemplateValue(json: Array(text.utf8)) { return result }
            }
            guard let fallback = arguments[0] else { throw .wrongKind }
            return fallback
        }
        var text = BoundedText(left: left)
        try write(to: &text) { text throws(TemplateFailure) in
            var writer = JSONWriter(text, style: filter == .tojson ? .python : .compact)
            defer { text = writer.output }
            try writer.append(value)
        }
        return .text(text.text)
    }
}
