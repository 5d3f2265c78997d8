/// The parameters of a filter, function or method.
struct Signature {
    let parameters: [String]
    let required: Int

    init(_ parameters: [String] = [], required: Int = 0) {
        self.parameters = parameters
        self.required = required
    }
}

/// A filter, `a | name`. Functions of the same name (`float(a)`) are the same.
enum Filter: Sendable {
    case float, int, bool, round, fallback, isDefined, join, format, multiply, add, lower, upper, title, capitalize,
        trim
    case replace, abs, toJSON, tojson, fromJSON, string, length, first, last, min, max, sum, list, bitwiseAnd, bitwiseOr
    case iif, isNumber

    /// Each name that a source may use.
    private static let named: [String: Filter] = [
        "float": .float, "int": .int, "bool": .bool, "round": .round, "default": .fallback, "d": .fallback,
        "is_defined": .isDefined, "join": .join, "format": .format, "multiply": .multiply, "add": .add, "lower": .lower,
        "upper": .upper, "title": .title, "capitalize": .capitalize, "trim": .trim, "replace": .replace, "abs": .abs,
        "to_json": .toJSON, "tojson": .tojson, "from_json": .fromJSON, "string": .string, "length": .length,
        "count": .length, "first": .first, "last": .last, "min": .min, "max": .max, "sum": .sum, "list": .list,
        "bitwise_and": .bitwiseAnd, "bitwise_or": .bitwiseOr, "iif": .iif, "is_number": .isNumber,
    ]

    /// Names that are functions as well.
    private static let functions: Set<String> = ["float", "int", "bool", "is_number", "iif", "min", "max"]

    init?(_ name: String) {
        guard let filter = Self.named[name] else { return nil }
        self = filter
    }

    init?(function name: String) {
        guard Self.functions.contains(name) else { return nil }
        self.init(name)
    }

    /// Without the value before the filter. Nil: any number of arguments without names.
    var signature: Signature? {
        switch self {
        case .float, .bool, .fromJSON: Signature(["default"])
        case .int: Signature(["default", "base"])
        case .round: Signature(["precision", "method", "default"])
        case .fallback: Signature(["default_value", "boolean"])
        case .join: Signature(["d"])
        case .multiply, .add: Signature(["amount", "default"], required: 1)
        case .trim: Signature(["chars"])
        case .replace: Signature(["old", "new", "count"], required: 2)
        case .bitwiseAnd, .bitwiseOr: Signature(["second_value"], required: 1)
        case .iif: Signature(["if_true", "if_false", "if_none"])
        case .format: nil
        default: Signature()
        }
    }
}

/// A method, `a.name()`.
enum Method: String, Sendable {
    case get, keys, values, split, replace, lower, upper, title, capitalize, strip, lstrip, rstrip, startswith, endswith
    case join

    var signature: Signature {
        switch self {
        case .get: Signature(["key", "default"], required: 1)
        case .split: Signature(["sep", "maxsplit"])
        case .replace: Signature(["old", "new", "count"], required: 2)
        case .strip, .lstrip, .rstrip: Signature(["chars"])
        case .startswith, .endswith: Signature(["prefix"], required: 1)
        case .join: Signature(["iterable"], required: 1)
        default: Signature()
        }
    }
}

/// A test, `a is name`.
enum ValueTest: Sendable {
    case defined, undefined, none, boolean, yes, no, integer, float, number, string, mapping, list, odd, even
    case divisibleBy, isNumber, comparison(Comparison)

    private static let named: [String: ValueTest] = [
        "defined": .defined, "undefined": .undefined, "none": .none, "boolean": .boolean, "true": .yes, "false": .no,
        "integer": .integer, "float": .float, "number": .number, "string": .string, "mapping": .mapping,
        "list": .list, "odd": .odd, "even": .even, "divisibleby": .divisibleBy, "is_number": .isNumber,
        "in": .comparison(.isIn), "eq": .comparison(.equal), "equalto": .comparison(.equal),
        "ne": .comparison(.unequal), "lt": .comparison(.less), "lessthan": .comparison(.less),
        "le": .comparison(.lessOrEqual), "gt": .comparison(.greater), "greaterthan": .comparison(.greater),
        "ge": .comparison(.greaterOrEqual),
    ]

    init?(_ name: String) {
        guard let test = Self.named[name] else { return nil }
        self = test
    }

    var hasOperand: Bool {
        switch self {
        case .divisibleBy, .comparison: true
        default: false
        }
    }
}
