/// Filters over lists, the keys of objects and the characters of texts. A missing value is an empty list.
extension Rendering {
    mutating func sequence(
        _ filter: Filter, _ value: TemplateValue, _ arguments: Arguments
    ) throws(TemplateFailure) -> TemplateValue {
        if filter == .length, case .text(let text) = value {
            try spend(bytes: text.utf8.count)
            return .integer(text.unicodeScalars.count)
        }
        let elements = try elements(of: value)
        switch filter {
        case .length: return .integer(elements.count)
        case .first: return elements.first ?? .undefined
        case .last: return elements.last ?? .undefined
        case .min: return try extreme(of: elements, isMost: false)
        case .max: return try extreme(of: elements, isMost: true)
        case .sum: return try sum(of: elements)
        case .join: return .text(try joined(elements, by: try text(of: arguments[0] ?? .text(""))))
        default: return .list(elements)
        }
    }

    mutating func elements(of value: TemplateValue) throws(TemplateFailure) -> [TemplateValue] {
        switch value {
        case .undefined: return []
        case .list(let list):
            try spend(elements: list.count)
            return list
        case .text(let text):
            try spend(text.utf8.count * Cost.character)
            return text.unicodeScalars.map { .text(String(Character($0))) }
        case .object(let members):
            try spend(elements: members.count)
            return members.map(\.key)
        default: throw .wrongKind
        }
    }

    mutating func joined(_ elements: [TemplateValue], by separator: String) throws(TemplateFailure) -> String {
        var result = BoundedText(left: left)
        try write(to: &result) { result throws(TemplateFailure) in
            for (place, element) in elements.enumerated() {
                if place > 0 { try result.append(separator) }
                try result.append(element)
            }
        }
        return result.text
    }

    /// Texts are compared without their case. Of equal elements the first one counts.
    private mutating func extreme(
        of elements: [TemplateValue], isMost: Bool
    ) throws(TemplateFailure) -> TemplateValue {
        guard var found = elements.first else { return .undefined }
        var extreme = try lowered(found)
        for element in elements.dropFirst() {
            let key = try lowered(element)
            if try holds(key, isMost ? .greater : .less, extreme) { (found, extreme) = (element, key) }
        }
        return found
    }

    private mutating func lowered(_ value: TemplateValue) throws(TemplateFailure) -> TemplateValue {
        guard case .text(let text) = value else { return value }
        try spend(elements: 1)
        return .text(try lowered(text))
    }

    /// Fractions as Python 3.12 adds them: the rounding error of each addition is summed, too.
    private mutating func sum(of elements: [TemplateValue]) throws(TemplateFailure) -> TemplateValue {
        var sum = TemplateValue.integer(0)
        var lost = 0.0
        for element in elements {
            guard case .number(let total) = sum, case .number(let number) = element else {
                if case .undefined = element { throw .undefined("") }
                sum = try calculate(.plus, sum, element)
                continue
            }
            let next = total + number
            lost += total.magnitude >= number.magnitude ? (total - next) + number : (number - next) + total
            sum = .number(next)
        }
        if case .number(let total) = sum, lost != 0, lost.isFinite { return .number(total + lost) }
        return sum
    }
}
