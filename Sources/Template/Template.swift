/// A template of Home Assistant's discovery: a subset of Jinja that always ends.
///
/// It knows text around `{{ … }}`, `if`, `set`, comments, the operators, and the filters, tests, functions and methods that templates of
/// real devices use. There are no loops, and no template calls another. Everything else is refused by name, since a half-understood template
/// gives wrong values.
///
/// A source has at most 656 bytes, 90 parts and 10 levels; a rendering at most 2,000 steps and 4,096 bytes. Results are those of Python,
/// to the last digit: `12.0`, `1e+20`, `True`, `{'a': 1}`. An integer beyond 64 bits is refused.
public struct Template: Sendable, Equatable, Hashable {
    /// As it was given.
    public let source: String
    /// The variables that it reads, without those that it has always set by itself before.
    public let names: Set<String>
    private let pieces: [Piece]

    /// Reads a source, and computes nothing yet.
    /// - Throws: the first reason why it is not in the subset.
    public init(_ source: String) throws(TemplateFault) {
        guard source.utf8.count <= TemplateLimit.source else { throw .tooLong }
        var reader = Reader(try Lexer.tokens(of: source))
        pieces = try reader.template()
        names = reader.names
        self.source = source
    }

    /// The members that lead to the value, if the template only names one place in the payload.
    ///
    /// Empty for `{{ value }}`, the payload itself. Nil if it computes something: filters and list indices are computed.
    public var path: [String]? { path { _ in false } }

    /// The same where what stands behind the place changes nothing for who reads the value there by itself.
    ///
    /// A member that is missing then gives nothing, whatever `default` would put in its place: an invented reading ends no alarm.
    /// - Parameter isNumber: whether the value is read as a number: `float`, `int` and `round` change nothing either.
    public func place(isNumber: Bool) -> [String]? {
        path { filter in
            switch filter {
            case .fallback, .isDefined, .trim, .string: true
            case .float, .int, .round: isNumber
            default: false
            }
        }
    }

    private func path(without isIdle: (Filter) -> Bool) -> [String]? {
        guard pieces.count == 1, case .output(var place) = pieces[0] else { return nil }
        var path: [String] = []
        while true {
            switch place {
            case .filter(let filter, let operand, _) where path.isEmpty && isIdle(filter): place = operand
            case .member(let base, let key), .element(let base, .constant(.text(let key))):
                path.append(key)
                place = base
            case .variable("value"): return path.isEmpty ? [] : nil
            // All of the JSON is no value.
            case .variable("value_json"): return path.isEmpty ? nil : path.reversed()
            default: return nil
            }
        }
    }

    /// Its text for these variables, without outer space.
    ///
    /// A variable that is left out is undefined: alone it is an empty text, and a member of it fails. So `value_json` is left out where the
    /// payload is not JSON.
    /// - Throws: why there is no text; Home Assistant drops the payload then.
    public func text(_ variables: [String: TemplateValue]) throws(TemplateFailure) -> String {
        var cost = 0
        return try text(variables, cost: &cost)
    }

    /// The same.
    /// - Parameter cost: is raised by what it has cost, `mostCost` at most: 1 is some 4 ns.
    public func text(_ variables: [String: TemplateValue], cost: inout Int) throws(TemplateFailure) -> String {
        var rendering = Rendering(variables)
        defer { cost += rendering.spent }
        return try rendering.text(of: pieces)
    }

    /// What a rendering costs at most.
    public static let mostCost = TemplateLimit.steps * Cost.step
    /// What reading a byte of JSON costs (`TemplateValue.init(json:)`), at most.
    public static let costOfJSON = Cost.json

    /// Two are equal if their sources are.
    public static func == (one: Self, other: Self) -> Bool { one.source.utf8.elementsEqual(other.source.utf8) }

    /// By its source.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
