/// Equality, order and membership, as Python has them.
extension Rendering {
    /// - Parameter labels: the names of both sides, for an error.
    mutating func holds(
        _ left: TemplateValue, _ comparison: Comparison, _ right: TemplateValue, labels: (String, String) = ("", "")
    ) throws(TemplateFailure) -> Bool {
        switch comparison {
        case .equal: return try areEqual(left, right)
        case .unequal: return !(try areEqual(left, right))
        case .isIn: return try contains(right, left)
        case .isNotIn: return !(try contains(right, left))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            if case .undefined = left { throw .undefined(labels.0) }
            if case .undefined = right { throw .undefined(labels.1) }
            // Nil: not a number is neither less nor greater nor equal.
            guard let order = try order(left, right) else { return false }
            return switch comparison {
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            default: order >= 0
            }
        }
    }

    mutating func areEqual(
        _ left: TemplateValue, _ right: TemplateValue, nesting: Int = 0
    ) throws(TemplateFailure) -> Bool {
        guard nesting < TemplateLimit.nesting else { throw .outOfRange }
        try spend(elements: 1)
        if left.real != nil, right.real != nil { return Self.order(numbers: left, right) == 0 }
        switch (left, right) {
        case (.undefined, .undefined), (.null, .null): return true
        case (.text(let first), .text(let second)):
            guard first.utf8.count == second.utf8.count else { return false }
            try spend(bytes: first.utf8.count)
            return first.utf8.elementsEqual(second.utf8)
        case (.list(let first), .list(let second)):
            guard first.count == second.count else { return false }
            for (one, other) in zip(first, second) {
                guard try areEqual(one, other, nesting: nesting + 1) else { return false }
            }
            return true
        case (.object(let first), .object(let second)):
            guard first.count == second.count else { return false }
            for member in first {
                guard let place = try place(of: member.key, in: second),
                    try areEqual(member.value, second[place].value, nesting: nesting + 1)
                else { return false }
            }
            return true
        default: return false
        }
    }

    /// The place of a key. Numbers that are equal are one key: 1, 1.0 and true.
    mutating func place(of key: TemplateValue, in members: [TemplateValue.Member]) throws(TemplateFailure) -> Int? {
        try spend(elements: members.count)
        if case .text(let wanted) = key {
            for (place, member) in members.enumerated() {
                guard case .text(let text) = member.key, text.utf8.count == wanted.utf8.count else { continue }
                try spend(bytes: wanted.utf8.count)
                if text.utf8.elementsEqual(wanted.utf8) { return place }
            }
            return nil
        }
        for (place, member) in members.enumerated() where try areEqual(key, member.key) { return place }
        return nil
    }

    /// Below, above or at zero, as the left is less than, greater than or equal to the right.
    mutating func order(
        _ left: TemplateValue, _ right: TemplateValue, nesting: Int = 0
    ) throws(TemplateFailure) -> Int? {
        guard nesting < TemplateLimit.nesting else { throw .outOfRange }
        try spend(elements: 1)
        if left.real != nil, right.real != nil { return Self.order(numbers: left, right) }
        switch (left, right) {
        case (.text(let first), .text(let second)):
            try spend(bytes: min(first.utf8.count, second.utf8.count) * 2)
            // The order of the bytes of UTF-8 is that of the code points.
            if first.utf8.lexicographicallyPrecedes(second.utf8) { return -1 }
            return first.utf8.elementsEqual(second.utf8) ? 0 : 1
        case (.list(let first), .list(let second)):
            for (one, other) in zip(first, second) where !(try areEqual(one, other, nesting: nesting + 1)) {
                return try order(one, other, nesting: nesting + 1)
            }
            return (first.count - second.count).signum()
        default: throw .wrongKind
        }
    }

    /// Exact also where an integer has no `Double`.
    static func order(numbers left: TemplateValue, _ right: TemplateValue) -> Int? {
        if let first = left.whole, let second = right.whole { return first < second ? -1 : first > second ? 1 : 0 }
        if let whole = left.whole, let number = right.real { return orderOf(whole, number) }
        if let number = left.real, let whole = right.whole { return orderOf(whole, number).map { -$0 } }
        guard let first = left.real, let second = right.real, !first.isNaN, !second.isNaN else { return nil }
        return first < second ? -1 : first > second ? 1 : 0
    }

    private static func orderOf(_ whole: Int, _ number: Double) -> Int? {
        if number.isNaN { return nil }
        guard let floor = Int(exactly: number.rounded(.down)) else { return number > 0 ? -1 : 1 }
        if whole != floor { return whole < floor ? -1 : 1 }
        return number > number.rounded(.down) ? -1 : 0
    }

    /// `wanted in container`
    private mutating func contains(
        _ container: TemplateValue, _ wanted: TemplateValue
    ) throws(TemplateFailure) -> Bool {
        switch container {
        case .undefined: return false
        case .text(let text):
            guard case .text(let part) = wanted else { throw .wrongKind }
            try spend(bytes: text.utf8.count + part.utf8.count)
            return TextFunctions.contains(text, part)
        case .list(let list):
            for element in list where try areEqual(element, wanted) { return true }
            return false
        case .object(let members):
            switch wanted {
            case .list, .object: throw .wrongKind
            default: return try place(of: wanted, in: members) != nil
            }
        default: throw .wrongKind
        }
    }
}
