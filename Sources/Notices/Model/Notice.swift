import Accounts
import Identity
import JSON
import Ledger
import Store
import System

/// What a person has to prove before an action from a lock screen acts.
public enum ActionProof: String, Sendable, JSONChoice, Codable, Comparable {
    /// Nothing more than the session of their browser or app.
    case none
    /// That the phone is unlocked: the action opens the app, which asks once more.
    case unlocked
    /// A passkey, shown in the last minutes.
    case passkey

    /// Whether one asks for less than another.
    public static func < (one: ActionProof, other: ActionProof) -> Bool {
        allCases.firstIndex(of: one)! < allCases.firstIndex(of: other)!
    }
}

/// Something that can be done about a notice where it is read.
public struct NoticeAction: Sendable, Equatable, Codable {
    /// For programs: lower case and dashes, at most 32 bytes.
    public let name: String
    /// What its button says: the titles.
    public let words: LocalizedText
    /// What has to be proven first.
    public let proof: ActionProof
    /// The page of this hub that it opens: it does nothing else, and nobody answers it. Nil: it acts.
    public let page: String?

    /// See the properties. A name that is none stops the program: names stand in our source.
    public init(name: String, words: LocalizedText, proof: ActionProof = .none) {
        precondition(Self.isName(name), "not a name of an action: \(name)")
        (self.name, self.words, self.proof, page) = (name, words, proof, nil)
    }

    /// One that opens a page of this hub, where it goes on: a locked telephone asks to be unlocked first.
    public init(name: String, words: LocalizedText, page: String) {
        precondition(Self.isName(name), "not a name of an action: \(name)")
        precondition(NoticeContent.isLocalPath(page), "not a path of this hub")
        (self.name, self.words, proof, self.page) = (name, words, .unlocked, page)
    }

    /// Whether a text can be an action's name.
    public static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}

/// What a notice says, and what can be done about it.
public struct NoticeContent: Sendable, Equatable {
    /// At most so many actions: lock screens show two, some systems one more.
    public static let mostActions = 3

    /// What it is about.
    public var kind: NoticeKind
    /// How much it matters.
    public var urgency: Urgency
    /// What it says to whoever is signed in.
    public var text: LocalizedText
    /// What it says where anybody may look, on a lock screen: without names, places and times of a person.
    public var publicText: LocalizedText
    /// What can be done about it.
    public var actions: [NoticeAction]
    /// The page of this hub where it goes on: a local path; nil: the inbox.
    public var link: String?
    /// A newer notice of the same topic takes the place of an older one on a device; at most 32 bytes of the base64url alphabet (RFC
    /// 8030, section 5.4). Nil: each stands for itself.
    public var topic: String?

    /// See the properties. A link or topic that is none, and too many actions, stop the program: none of them comes from outside.
    public init(
        kind: NoticeKind, urgency: Urgency = .normal, text: LocalizedText, publicText: LocalizedText,
        actions: [NoticeAction] = [], link: String? = nil, topic: String? = nil
    ) {
        precondition(actions.count <= Self.mostActions, "at most \(Self.mostActions) actions")
        precondition(Set(actions.map(\.name)).count == actions.count, "two actions of one name")
        precondition(link.map(Self.isLocalPath) ?? true, "not a path of this hub")
        precondition(topic.map(Self.isTopic) ?? true, "not a topic of web push")
        (self.kind, self.urgency, self.text, self.publicText) = (kind, urgency, text, publicText)
        (self.actions, self.link, self.topic) = (actions, link, topic)
    }

    /// Whether a link leads nowhere but to this hub: one slash, then printable ASCII without what browsers read as another host.
    public static func isLocalPath(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= 512 else { return false }
        if bytes.count > 1, bytes[1] == UInt8(ascii: "/") { return false }
        return bytes.allSatisfy { (0x21...0x7e).contains($0) && !"\\\"<>".utf8.contains($0) }
    }

    /// Whether the page that it links to has the buttons of its actions.
    public var linkHasActions: Bool { link != nil && actions.contains { $0.page == link } }

    private static func isTopic(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}

/// Something that people have been told.
public struct Notice: Sendable, Equatable {
    /// The kind of id that names notices.
    public enum Name {}
    /// Its name in tables.
    public let id: ID<Name>
    /// The place that it is about; nil: one's own account.
    public let site: SiteID?
    /// What it says.
    public let content: NoticeContent
    /// Who sent it; nil: the hub.
    public let sender: PersonID?
    /// When it was sent.
    public let created: Timestamp
    /// After this it is told to nobody any more, and its actions are over.
    public let expires: Timestamp

    /// See the properties.
    public init(
        id: ID<Name>, site: SiteID?, content: NoticeContent, sender: PersonID?, created: Timestamp, expires: Timestamp
    ) {
        (self.id, self.site, self.content, self.sender) = (id, site, content, sender)
        (self.created, self.expires) = (created, expires)
    }

    /// Whether it still matters.
    public func isValid(at now: Timestamp) -> Bool { now < expires }
}

/// The name of a notice in tables.
public typealias NoticeID = ID<Notice.Name>
