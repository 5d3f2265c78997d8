extension Expression {
    /// Whether a tuple is where its kind would matter: its text has round brackets in Python, and it equals no list.
    ///
    /// Allowed are the right side of `in` and `%`, an index, and filters that only go through the elements.
    func misusesTuple(isAllowed: Bool = false) -> Bool {
        switch self {
        case .constant, .variable: false
        case .tuple(let elements): !isAllowed || elements.contains { $0.misusesTuple() }
        case .list(let elements), .joined(let elements): elements.contains { $0.misusesTuple() }
        case .object(let members): members.contains { $0.key.misusesTuple() || $0.value.misusesTuple() }
        case .element(let base, let index): base.misusesTuple(isAllowed: true) || index.misusesTuple()
        case .slice(let base, let start, let stop, let step):
            base.misusesTuple() || [start, stop, step].contains { $0?.misusesTuple() == true }
        case .filter(let filter, let operand, let arguments):
            operand.misusesTuple(isAllowed: filter.goesThrough) || arguments.contains { $0?.misusesTuple() == true }
        case .method(_, let operand, let arguments):
            operand.misusesTuple() || arguments.contains { $0?.misusesTuple() == true }
        case .test(.comparison(.isIn), let operand, let other):
            operand.misusesTuple() || other?.misusesTuple(isAllowed: true) == true
        case .test(_, let operand, let other): operand.misusesTuple() || other?.misusesTuple() == true
        case .member(let operand, _), .not(let operand), .negative(let operand), .positive(let operand):
            operand.misusesTuple()
        case .arithmetic(.modulo, let left, let right): left.misusesTuple() || right.misusesTuple(isAllowed: true)
        case .and(let left, let right), .or(let left, let right), .arithmetic(_, let left, let right):
            left.misusesTuple() || right.misusesTuple()
        case .comparison(let first, let others):
            first.misusesTuple()
                || others.enumerated().contains { place, other in
                    let isLast = place == others.count - 1
                    return other.1.misusesTuple(isAllowed: isLast && (other.0 == .isIn || other.0 == .isNotIn))
                }
        case .choice(let condition, let first, let second):
            condition.misusesTuple() || first.misusesTuple(isAllowed: isAllowed)
                || second?.misusesTuple(isAllowed: isAllowed) == true
        }
    }
}

extension Filter {
    /// Whether it only goes through the elements of its operand.
    fileprivate var goesThrough: Bool {
        switch self {
        case .join, .length, .first, .last, .min, .max, .sum, .list: true
        default: false
        }
    }
}
