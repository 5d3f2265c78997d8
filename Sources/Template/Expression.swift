/// The tree that computes one value.
indirect enum Expression: Sendable {
    case constant(TemplateValue)
    case variable(String)
    case list([Expression])
    /// Evaluated to a list, and allowed only where Python gives the same for both: see ``misusesTuple(isAllowed:)``.
    case tuple([Expression])
    case object([(key: Expression, value: Expression)])
    /// `a.key`
    case member(Expression, String)
    /// `a[index]`
    case element(Expression, Expression)
    /// `a[start:stop:step]`
    case slice(Expression, start: Expression?, stop: Expression?, step: Expression?)
    case filter(Filter, Expression, [Expression?])
    case method(Method, Expression, [Expression?])
    case test(ValueTest, Expression, Expression?)
    case not(Expression)
    case negative(Expression)
    case positive(Expression)
    case and(Expression, Expression)
    case or(Expression, Expression)
    case arithmetic(Arithmetic, Expression, Expression)
    /// `a ~ b ~ c`
    case joined([Expression])
    /// `a < b < c`: each middle operand is evaluated once.
    case comparison(Expression, [(Comparison, Expression)])
    case choice(if: Expression, then: Expression, else: Expression?)

    /// The name that leads to its value, for an error.
    var label: String {
        switch self {
        case .variable(let name), .member(_, let name): shown(name)
        case .element(_, .constant(.text(let key))): shown(key)
        case .element(let base, _), .slice(let base, _, _, _), .filter(_, let base, _), .method(_, let base, _):
            base.label
        case .negative(let operand), .positive(let operand): operand.label
        default: ""
        }
    }

}

/// An operator between two numbers, texts or lists.
enum Arithmetic: Sendable {
    case plus, minus, times, divided, floorDivided, modulo, power
}

/// An operator that gives a Boolean.
enum Comparison: Sendable {
    case equal, unequal, less, lessOrEqual, greater, greaterOrEqual, isIn, isNotIn
}

/// One part of a template, in its order.
enum Piece: Sendable {
    case text(String)
    case output(Expression)
    case assignment(String, Expression)
    case choice([(condition: Expression, pieces: [Piece])], otherwise: [Piece])
}
