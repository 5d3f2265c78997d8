extension Rendering {
    /// A method exists for one kind of value alone: a text has no `get`.
    mutating func called(
        _ method: Method, _ operand: Expression, _ expressions: [Expression?]
    ) throws(TemplateFailure) -> TemplateValue {
        let value = try defined(operand)
        let arguments = try arguments(expressions)
        switch value {
        case .object(let members): return try called(method, on: members, arguments)
        case .text(let text):
            try spend(bytes: text.utf8.count)
            return try called(method, on: text, arguments)
        default: throw .undefined(method.rawValue)
        }
    }

    private mutating func called(
        _ method: Method, on members: [TemplateValue.Member], _ arguments: Arguments
    ) throws(TemplateFailure) -> TemplateValue {
        try spend(elements: members.count)
        switch method {
        case .get:
            switch arguments[0] {
            case nil, .list?, .object?: throw .wrongKind
            case let key?:
                guard let place = try place(of: key, in: members) else { return arguments[1] ?? .null }
                return members[place].value
            }
        case .keys: return .list(members.map(\.key))
        case .values: return .list(members.map(\.value))
        default: throw .undefined(method.rawValue)
        }
    }

    private mutating func called(
        _ method: Method, on text: String, _ arguments: Arguments
    ) throws(TemplateFailure) -> TemplateValue {
        switch method {
        case .lower: return .text(try lowered(text))
        case .upper: return .text(try raised(text))
        case .title: return .text(try titled(text, TextFunctions.title))
        case .capitalize: return .text(try titled(text, TextFunctions.capitalize))
        case .strip: return .text(try stripped(text, arguments[0]))
        case .lstrip: return .text(try stripped(text, arguments[0], atEnd: false))
        case .rstrip: return .text(try stripped(text, arguments[0], atStart: false))
        case .startswith: return .truth(TextFunctions.hasPrefix(text, try wanted(arguments[0])))
        case .endswith: return .truth(TextFunctions.hasSuffix(text, try wanted(arguments[0])))
        case .replace:
            let new = try wanted(arguments[1])
            return .text(try replaced(text, try wanted(arguments[0]), new, try count(arguments[2])))
        case .split:
            let separator = try characters(arguments[0])
            guard separator?.isEmpty != true else { throw .outOfRange }
            let most = try count(arguments[1])
            try spend(characters: text)
            let cuts = TextFunctions.cuts(in: text, at: separator)
            try spend((1 + (most < 0 ? cuts : min(cuts, most))) * Cost.part)
            return .list(TextFunctions.split(text, at: separator, most: most).map(TemplateValue.text))
        case .join:
            let elements = try elements(of: arguments[0] ?? .null)
            for element in elements { guard case .text = element else { throw .wrongKind } }
            return .text(try joined(elements, by: text))
        case .get, .keys, .values: throw .undefined(method.rawValue)
        }
    }

    private mutating func wanted(_ argument: TemplateValue?) throws(TemplateFailure) -> String {
        guard case .text(let text)? = argument else { throw .wrongKind }
        try spend(bytes: text.utf8.count)
        return text
    }
}
