import Accounts
import Identity
import JSON
import Ledger
import System

/// What a parcel on the channel `mail` holds: a letter, or the errand of writing one.
///
/// A letter with a secret in it is written only when it leaves: what waits in the outbox, and so in every backup, says who asked for
/// what, and opens nothing. Whoever asked learns nothing either: looking up whether there is such an account is part of the errand.
enum MailParcel: Sendable, Equatable {
    /// As it is.
    case letter(Letter)
    /// To be written.
    case errand(Errand)

    /// The parcel's bytes.
    var payload: [UInt8] {
        switch self {
        case .letter(let letter): letter.document(capacity: letter.text.utf8.count + 256)
        case .errand(let errand): errand.document()
        }
    }

    /// Nil for what `payload` never wrote.
    init?(payload: [UInt8]) {
        guard let fields = try? JSONFields(payload) else { return nil }
        if let errand = try? Errand(fields) {
            self = .errand(errand)
        } else if let letter = try? Letter(fields) {
            self = .letter(letter)
        } else {
            return nil
        }
    }

    init(_ letter: Letter) { self = .letter(letter) }
    init(_ errand: Errand) { self = .errand(errand) }
}

/// A letter that is still to be written.
struct Errand: Sendable, Equatable {
    /// What it is about.
    enum Kind: String, Sendable, JSONChoice {
        /// Somebody says that they have forgotten the password of an address.
        case forgotten
        /// Somebody wants an account for an address.
        case register
        /// Somebody with an account wants to have another address, or to confirm theirs.
        case address
        /// A site expects somebody, who is invited to take their place.
        case invite
    }

    let kind: Kind
    /// Whose account; nil where nobody knows yet whether there is one.
    let person: PersonID?
    /// Which address.
    let address: String?
    /// What whoever wants an account is called.
    let name: String?
    /// The language of the page on which it was asked for.
    let language: Language?
    /// Which letter of an invitation it is: an earlier one is not written any more.
    let invitation: Invitation.LetterID?

    init(
        _ kind: Kind, person: PersonID? = nil, address: String? = nil, name: String? = nil, language: Language? = nil,
        invitation: Invitation.LetterID? = nil
    ) {
        (self.kind, self.person, self.address, self.name, self.language) = (kind, person, address, name, language)
        self.invitation = invitation
    }
}

extension Letter {
    /// How long a letter is tried, in milliseconds: two days.
    public static let patience: Int64 = 48 * 3_600_000

    /// It as a parcel for the outbox.
    /// - Parameters:
    ///   - person: whose letter it is, so that it goes with them.
    ///   - subject: what it is part of, so that its sender can see what became of it.
    ///   - share: whose share of the lanes it takes; the person's unless told.
    public func parcel(
        for person: PersonID?, subject: [UInt8]? = nil, at now: Timestamp, lifetime: Int64 = Letter.patience,
        share: ShareID? = nil
    ) -> Parcel {
        Parcel(
            id: .new(at: now), channel: .mail, person: person, subject: subject, payload: MailParcel(self).payload,
            created: now, expires: now.adding(milliseconds: lifetime), share: share)
    }
}

extension Letter: JSONObject {
    private static let toKey = JSONKey<String>("to", "the address")
    private static let nameKey = JSONKey<String?>("name", "whose it is")
    private static let subjectKey = JSONKey<String>("subject", "in a few words")
    private static let textKey = JSONKey<String>("text", "all of it")
    private static let body = JSONBody(toKey, nameKey, subjectKey, textKey)

    public static let shape = Shape<Letter> {
        JSONField(toKey) { $0.address }
        JSONField(nameKey) { $0.name }
        JSONField(subjectKey) { $0.subject }
        JSONField(textKey) { $0.text }
    }

    /// Nil for an address to which no letter can go.
    fileprivate init?(_ fields: JSONFields) throws(JSONError) {
        let (address, name, subject, text) = try Self.body.read(fields)
        self.init(to: address, name: name ?? "", subject: subject, text: text)
    }
}

extension Errand: JSONObject {
    private static let kindKey = JSONKey<Kind>("errand")
    private static let personKey = JSONKey<PersonID?>("person", "whose account; null where none is known yet")
    private static let addressKey = JSONKey<String?>("address", "which address")
    private static let nameKey = JSONKey<String?>("name", "what whoever wants an account is called")
    private static let languageKey = JSONKey<String?>("language", "of the page on which it was asked for")
    private static let invitationKey = JSONKey<Invitation.LetterID?>(
        "invitation", "which letter of an invitation it is")
    private static let body = JSONBody(kindKey, personKey, addressKey, nameKey, languageKey, invitationKey)

    static let shape = Shape<Errand> {
        JSONField(kindKey) { $0.kind }
        JSONField(personKey) { $0.person }
        JSONField(addressKey) { $0.address }
        JSONField(nameKey) { $0.name }
        JSONField(languageKey) { $0.language?.rawValue }
        JSONField(invitationKey) { $0.invitation }
    }

    fileprivate init(_ fields: JSONFields) throws(JSONError) {
        let (kind, person, address, name, language, invitation) = try Self.body.read(fields)
        self.init(
            kind, person: person, address: address, name: name, language: language.flatMap(Language.init),
            invitation: invitation)
    }
}
