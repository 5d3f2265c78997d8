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
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .letter(let letter):
                json.field("to", letter.address)
                json.field("name", letter.name)
                json.field("subject", letter.subject)
                json.field("text", letter.text)
            case .errand(let errand):
                json.field("errand", errand.kind.rawValue)
                json.field("person", errand.person?.text)
                json.field("address", errand.address)
                json.field("name", errand.name)
                json.field("language", errand.language?.rawValue)
                json.field("invitation", errand.invitation?.text)
            }
        }
        return json.bytes
    }

    /// Nil for what `payload` never wrote.
    init?(payload: [UInt8]) {
        struct Stored: Decodable {
            let errand, person, address, name, language, invitation, to, subject, text: String?
        }
        guard let stored = try? JSONReader.decode(Stored.self, from: payload) else { return nil }
        if let kind = stored.errand.flatMap(Errand.Kind.init) {
            self = .errand(
                Errand(
                    kind, person: stored.person.flatMap { PersonID($0) }, address: stored.address, name: stored.name,
                    language: stored.language.flatMap(Language.init),
                    invitation: stored.invitation.flatMap { Invitation.LetterID($0) }))
        } else if let to = stored.to, let subject = stored.subject, let text = stored.text,
            let letter = Letter(to: to, name: stored.name ?? "", subject: subject, text: text)
        {
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
    enum Kind: String, Sendable {
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
