import Commands
import HTTPServer
import Identity
import Ledger
import Notices

/// Raises an alarm at a house: an entry phone that is forced, a Flow, a person who calls for help. Home answers it; it stands here so
/// that every feature may send it without knowing Home.
public struct RaiseAlarm: Command {
    /// The alarm's name: a new one, or that of the alarm that says the same and stands.
    public typealias Outcome = RaisedAlarm

    /// Once: the same words at the same house are the same alarm while it stands, and the same key is for ten minutes after it was used.
    public static let manifest = Manifest(
        name: "home.raiseAlarm", effect: .once, capability: "raise an alarm at a house",
        inputs: [
            Pin("site", .text), Pin("title", .text), Pin("body", .text, optional: true),
            Pin("key", .text, optional: true),
        ], outputs: [Pin("alarm", .text)])

    /// The house.
    public var site: SiteID
    /// What happens there, without the name of the house: "somebody forces the street door".
    public var text: LocalizedText
    /// What makes two of them the same; nil: their words. At most 128 bytes.
    public var key: String?

    /// See the properties.
    public init(at site: SiteID, _ text: LocalizedText, key: String? = nil) {
        precondition(key.map { (1...128).contains($0.utf8.count) } ?? true, "a key has at most 128 bytes")
        (self.site, self.text, self.key) = (site, text, key)
    }
}

/// An alarm that was raised.
public struct RaisedAlarm: Sendable, Equatable {
    /// Its name, as its page and the interface know it: 32 hexadecimal digits.
    public let id: String

    /// - Parameter id: 32 hexadecimal digits.
    public init(id: String) { self.id = id }
}

/// Why no alarm is raised.
public enum RaiseAlarmRefusal: Error, Sendable, Equatable {
    /// There is no such house, or whoever asks has no part in it.
    case unknown
}

extension RaiseAlarmRefusal: ProblemConvertible {
    /// In words.
    public var problem: Problem? { .notFound() }
}
