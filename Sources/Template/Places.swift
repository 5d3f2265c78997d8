/// Members, indices and slices.
extension Rendering {
    mutating func place(_ expression: Expression) throws(TemplateFailure) -> TemplateValue {
        switch expression {
        case .member(let base, let key):
            return try member(.text(key), of: try defined(base))
        case .element(let base, let index):
            let container = try defined(base)
            return try element(try value(of: index), of: container)
        case .slice(let base, let start, let stop, let step):
            let container = try defined(base)
            return try slice(container, try bound(start), try bound(stop), try bound(step) ?? 1)
        default: return .undefined
        }
    }

    /// A text names a member of an object; in a list it names nothing.
    private mutating func member(_ key: TemplateValue, of container: TemplateValue) throws(TemplateFailure)
        -> TemplateValue
    {
        guard case .object(let members) = container, let place = try place(of: key, in: members) else {
            return .undefined
        }
        return members[place].value
    }

    private mutating func element(_ index: TemplateValue, of container: TemplateValue) throws(TemplateFailure)
        -> TemplateValue
    {
        switch container {
        case .object:
            switch index {
            case .list, .object: return .undefined
            default: return try member(index, of: container)
            }
        case .list(let list):
            guard let place = position(index, count: list.count) else { return .undefined }
            return list[place]
        case .text(let text):
            try spend(bytes: text.utf8.count)
            let scalars = text.unicodeScalars
            guard let place = position(index, count: scalars.count) else { return .undefined }
            return .text(String(Character(scalars[scalars.index(scalars.startIndex, offsetBy: place)])))
        default: return .undefined
        }
    }

    /// From the end, if it is negative.
    private func position(_ index: TemplateValue, count: Int) -> Int? {
        guard let whole = index.whole else { return nil }
        let place = whole < 0 ? whole + count : whole
        return (0..<count).contains(place) ? place : nil
    }

    private mutating func bound(_ expression: Expression?) throws(TemplateFailure) -> Int? {
        guard let expression else { return nil }
        let value = try defined(expression)
        if case .null = value { return nil }
        guard let whole = value.whole else { throw .wrongKind }
        return whole
    }

    private mutating func slice(
        _ container: TemplateValue, _ start: Int?, _ stop: Int?, _ step: Int
    ) throws(TemplateFailure) -> TemplateValue {
        guard step != 0 else { throw .outOfRange }
        switch container {
        case .list(let list):
            try spend(elements: list.count)
            return .list(TextFunctions.slice(count: list.count, start: start, stop: stop, step: step).map { list[$0] })
        case .text(let text):
            if step == 1, text.utf8.allSatisfy({ $0 < 0x80 }) {
                try spend(bytes: text.utf8.count)
                let places = TextFunctions.slice(count: text.utf8.count, start: start, stop: stop)
                return .text(String(decoding: Array(text.utf8)[places], as: UTF8.self))
            }
            try spend(text.utf8.count * Cost.moved)
            let scalars = Array(text.unicodeScalars)
            var result = ""
            for place in TextFunctions.slice(count: scalars.count, start: start, stop: stop, step: step) {
                result.unicodeScalars.append(scalars[place])
            }
            return .text(result)
        default: throw .wrongKind
        }
    }
}
