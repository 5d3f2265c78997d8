import Accounts
import JSON
import Ledger
import System

/// What kind of thing a change is about, to look for.
enum ChangeGroup: String, CaseIterable, Sendable {
    case people, roles, gates, hours, other

    /// The group of an event's kind, by its first word.
    init(kind: String) {
        switch kind.split(separator: ".").first {
        case "membership", "person", "people", "badge", "legacy": self = .people
        case "role": self = .roles
        case "gate", "group": self = .gates
        case "timetable", "special": self = .hours
        default: self = .other
        }
    }
}

/// Something that somebody changed, as its event tells it: pure, so that a payload of any shape can be tried in a test.
struct Change: Equatable, Sendable {
    /// A field of what was changed.
    struct Field: Equatable, Sendable {
        let name: String
        /// Nil: it was not there.
        let before: String?
        /// Nil: it is gone.
        let after: String?
    }

    let event: String
    let sequence: UInt64
    let at: Timestamp
    let kind: String
    /// Who did it; nil: the hub itself, or it was not told.
    let by: String?
    /// Whom it is about.
    let about: String?
    /// What the thing is called, where the event says so.
    let name: String?
    /// What is other than before, or all that there is of something new or gone.
    private(set) var fields: [Field]
    /// Whether the thing is gone: its fields are what it was.
    let isGone: Bool
    /// Its content was erased.
    let isErased: Bool
    /// Whom the others are about that came of the same act: somebody changed many at once.
    private(set) var others: [String] = []
    /// How many others there are.
    private(set) var otherCount = 0

    init(_ event: Event) {
        (self.event, sequence, at, kind) = (event.id.text, event.sequence, event.at, event.kind)
        let payload = event.payload.flatMap { try? JSONReader.decode([String: ChangeValue].self, from: $0) } ?? [:]
        isErased = event.payload == nil
        let said = payload["by"]?.text
        // An alarm panel says by what it was armed, and beside it who did it.
        let isByMeans = said.map(Self.means.contains) ?? false
        by = isByMeans ? event.person?.text ?? said : said
        let (before, after) = (payload["before"]?.members, payload["after"]?.members)
        isGone = before != nil && after == nil
        about =
            isByMeans
            ? nil : event.person?.text ?? payload["person"]?.text ?? after?["person"]?.text ?? before?["person"]?.text
        // Ids are shown as what they name, at most; which batch a change belongs to is nobody's reading.
        let facts = payload.filter { !Self.hidden.contains($0.key) && $0.value.members == nil }
        name =
            (after?["name"] ?? before?["name"] ?? payload["name"])?.text ?? payload["gate"]?.text
            ?? payload["role"]?.text
        if before == nil && after == nil {
            fields = Self.fields(before: [:], after: facts)
        } else {
            fields = Self.fields(before: before ?? [:], after: after ?? [:])
        }
    }

    /// So many of those that came of one act are named.
    private static let namedOthers = 4

    /// Takes in a change that came of the same act: the same was done to somebody else at the same moment. What is not the same
    /// for all is left out.
    /// - Returns: false when it is a change of its own.
    mutating func absorb(_ other: Change) -> Bool {
        guard kind == other.kind, at == other.at, by == other.by, by != nil, about != nil, other.about != nil else {
            return false
        }
        fields = fields.filter { other.fields.contains($0) }
        otherCount += 1
        if others.count < Self.namedOthers, let about = other.about { others.append(about) }
        return true
    }

    /// By what a panel says that it was armed.
    private static let means: Set = ["person", "code", "tag", "box", "hub"]
    private static let hidden: Set = [
        "by", "before", "after", "import", "person", "membership", "site", "id", "batch", "inviter", "way", "insteadOf",
    ]

    /// Known ones first, in the order in which a form has them, then the others by name.
    private static let order = [
        "name", "email", "permission", "role", "firstDay", "lastDay", "revoked", "level", "kind", "zone", "people",
        "memberships", "unchanged", "roles", "kept",
    ]

    private static func fields(before: [String: ChangeValue], after: [String: ChangeValue]) -> [Field] {
        Set(before.keys).union(after.keys).subtracting(hidden)
            .filter { before[$0]?.text != after[$0]?.text }
            .sorted { a, b in
                let (first, second) = (order.firstIndex(of: a) ?? order.count, order.firstIndex(of: b) ?? order.count)
                return (first, a) < (second, b)
            }
            .map { Field(name: $0, before: before[$0]?.text, after: after[$0]?.text) }
    }
}

/// A value of a payload, as far as it can be shown in a line.
indirect enum ChangeValue: Decodable, Equatable, Sendable {
    case nothing
    case text(String)
    case list([ChangeValue])
    case object([String: ChangeValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let flag = try? container.decode(Bool.self) {
            self = .text(flag ? "true" : "false")
        } else if let number = try? container.decode(Int.self) {
            self = .text(String(number))
        } else if let number = try? container.decode(Double.self) {
            self = .text(String(number))
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([ChangeValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: ChangeValue].self))
        }
    }

    /// In a line; nil when there is nothing.
    var text: String? {
        switch self {
        case .nothing: nil
        case .text(let text): text
        case .list(let values): values.compactMap(\.text).joined(separator: ", ")
        case .object(let members):
            members.sorted { $0.key < $1.key }.compactMap { name, value in value.text.map { "\(name) \($0)" } }
                .joined(separator: ", ")
        }
    }

    var members: [String: ChangeValue]? {
        if case .object(let members) = self { return members }
        return nil
    }
}
