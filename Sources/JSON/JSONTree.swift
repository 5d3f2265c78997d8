/// A JSON value of which the shape is not known beforehand.
public enum JSONTree: Sendable, Decodable, Equatable {
    /// An object; the order of its members is lost.
    case object([String: JSONTree])
    case list([JSONTree])
    case text(String)
    case number(Double)
    /// True or false.
    case truth(Bool)
    case null

    /// Reads any value.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let members = try? value.decode([String: JSONTree].self) {
            self = .object(members)
        } else {
            self = .list(try value.decode([JSONTree].self))
        }
    }

    /// The same, where every text that begins with the prefix is what follows it.
    public func without(_ prefix: String) -> JSONTree {
        if prefix.isEmpty { return self }
        switch self {
        case .text(let text): return text.hasPrefix(prefix) ? .text(String(text.dropFirst(prefix.count))) : self
        case .list(let items): return .list(items.map { $0.without(prefix) })
        case .object(let members): return .object(members.mapValues { $0.without(prefix) })
        case .number, .truth, .null: return self
        }
    }

    /// As text, where it is one value: `ON`, `1`, `0.5`, `true`.
    public var word: String? {
        switch self {
        case .text(let text): text
        case .number(let number):
            Int(exactly: number).map { String($0) } ?? number.description
        case .truth(let truth): truth ? "true" : "false"
        case .object, .list, .null: nil
        }
    }
}
