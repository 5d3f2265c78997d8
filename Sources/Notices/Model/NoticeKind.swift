import JSON
import Store

/// What a notice is about, `doors.checkIn`: the part that sends it, and its own word.
public struct NoticeKind: Sendable, Hashable, ExpressibleByStringLiteral {
    /// As programs know it.
    public let text: String

    /// A kind that stands in our source; one that is none stops the program, so tests find it.
    public init(stringLiteral text: String) {
        guard let kind = Self(text: text) else { preconditionFailure("not a kind of notice: \(text)") }
        self = kind
    }

    /// Nil unless it is two words of ASCII letters with a dot between, at most 48 bytes.
    public init?(text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isLetter = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        guard text.utf8.count <= 48, words.count == 2, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLetter) })
        else { return nil }
        self.text = text
    }

    /// Whether who sends it counts it by who causes it, so that a day's budget would only let one of them hide what another did: what
    /// changes the protection of a house.
    var isCountedBySender: Bool { self == "home.protection" }

    /// What people switch on and off together.
    public var group: NoticeGroup {
        NoticeGroup(rawValue: String(text.prefix { $0 != "." })) ?? .site
    }
}

/// What people switch on and off together: the first word of a kind; kinds that begin otherwise belong to the site's news.
public enum NoticeGroup: String, Sendable, JSONChoice {
    /// One's own account: a new device, a changed password.
    case security
    /// Gates and attendance.
    case doors
    /// Gas, air, intrusion.
    case home
    case offers
    /// What managers of a site write.
    case site
}

/// How much a notice matters.
public enum Urgency: String, Sendable, JSONChoice, Comparable, Codable {
    /// Whenever there is time.
    case low
    /// Today.
    case normal
    /// Now.
    case high
    /// Lives or property: nothing holds it up, and nobody has switched it off.
    case critical

    /// Whether recording it can wait while the disk is nearly full.
    var weight: WriteWeight { self >= .high ? .vital : .current }

    /// What matters less first.
    public static func < (a: Urgency, b: Urgency) -> Bool { a.rank < b.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
