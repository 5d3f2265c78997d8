import Accounts
import Crypto
import Identity
import Ledger
import Store
import System

/// Writes letters: the words of a language around what happened. Those with a link make it as they are written.
struct LetterWriter: Sendable {
    let accounts: Accounts
    let origin: String
    /// As people know the hub: the origin without its scheme.
    private let host: String

    init(accounts: Accounts, settings: MailSettings) {
        self.accounts = accounts
        origin = settings.origin
        host = Self.host(of: settings)
    }

    /// Whether what is old may be removed by its age.
    private var sweeps: Bool { accounts.clock.mayRemoveByAge }

    private static func host(of settings: MailSettings) -> String {
        String(settings.origin.drop { $0 != "/" }.drop { $0 == "/" })
    }

    // MARK: errands

    /// The letter of an errand; nil when there is none to be written: nobody has the address, or the account is gone.
    func write(_ errand: Errand) async throws -> Letter? {
        let now = accounts.clock.now
        return try await accounts.store.write { database in
            switch errand.kind {
            case .forgotten: try forgotten(errand, now, database)
            case .register: try register(errand, now, database)
            case .address: try address(errand, now, database)
            case .invite: try invite(errand, now, database)
            }
        }
    }

    private func forgotten(_ errand: Errand, _ now: Timestamp, _ database: Database) throws -> Letter? {
        guard let address = errand.address, let person = try AccountRecords.person(email: address, in: database),
            let link = try link(.reset, "/reset", person, address, now, database)
        else { return nil }
        return letter(to: person, errand.language) { $0.reset(host, link) }
    }

    private func register(_ errand: Errand, _ now: Timestamp, _ database: Database) throws -> Letter? {
        // It may have waited for its server since it was asked for.
        guard let address = errand.address, try AccountRecords.isRegistrationOpen(in: database) else { return nil }
        if let person = try AccountRecords.person(email: address, in: database) {
            return letter(to: person, errand.language) {
                $0.haveOne(host, origin + "/sign-in", origin + "/forgotten")
            }
        }
        let link = OneTimeLink(
            purpose: .register, person: nil, address: address, name: errand.name,
            language: errand.language?.rawValue, expires: now.adding(milliseconds: LinkPurpose.register.lifetime))
        let token = try LinkRecords.add(link, at: now, sweeps: sweeps, in: database)
        return letter(to: address, errand.language ?? .en) { $0.register(host, "\(origin)/register/\(token.text)") }
    }

    private func address(_ errand: Errand, _ now: Timestamp, _ database: Database) throws -> Letter? {
        guard let id = errand.person, let address = errand.address,
            let person = try AccountRecords.person(id, in: database),
            try LinkRecords.isWished(address, by: id, at: now, in: database)
        else { return nil }
        if let holder = try AccountRecords.person(email: address, in: database), holder.id != id {
            return letter(to: holder, errand.language) { $0.addressIsYours(host) }
        }
        guard let link = try link(.address, "/address", person, address, now, database) else { return nil }
        return letter(to: address, language(of: person, errand.language)) { $0.address(host, link) }
    }

    private func invite(_ errand: Errand, _ now: Timestamp, _ database: Database) throws -> Letter? {
        guard let id = errand.person, let standIn = try AccountRecords.person(id, in: database),
            let address = standIn.invited, address == errand.address, MailAddress.ascii(of: address) != nil,
            let invitation = try InvitationRecords.open(of: id, at: now, in: database).first(where: {
                $0.way == .letter && $0.letter == errand.invitation
            }), let site = try AccountRecords.site(invitation.site, in: database)
        else { return nil }
        let inviter = try invitation.by.flatMap { try AccountRecords.person($0, in: database)?.name }
        let code = try InvitationRecords.issue(invitation, at: now, sweeps: sweeps, in: database)
        let words = LetterWords.in(language(of: standIn, errand.language))
        return Self.letter(
            to: address, name: standIn.name, words.greeting(standIn.name), words,
            words.invite(host, site.name, inviter, "\(origin)/join/\(code.text)"), host)
    }

    private func link(
        _ purpose: LinkPurpose, _ page: String, _ person: Person, _ address: String, _ now: Timestamp,
        _ database: Database
    ) throws -> String? {
        // No link is made for a letter that cannot leave.
        guard MailAddress.ascii(of: address) != nil else { return nil }
        let link = OneTimeLink(
            purpose: purpose, person: person.id, address: address, expires: now.adding(milliseconds: purpose.lifetime))
        return "\(origin)\(page)/\(try LinkRecords.add(link, at: now, sweeps: sweeps, in: database).text)"
    }

    // MARK: what has happened

    /// To the address that an account had.
    func addressChanged(_ before: Person) -> Letter? { letter(to: before, nil) { $0.addressChanged(host) } }

    /// That the password is another one.
    func passwordChanged(_ person: Person) -> Letter? {
        letter(to: person, nil) { $0.passwordChanged(host, origin + "/forgotten") }
    }

    /// That there is another way into the account.
    func wayAdded(_ person: Person) -> Letter? {
        letter(to: person, nil) { $0.wayAdded(host, origin + "/account/ways") }
    }

    /// That a way into the account is gone.
    func wayRemoved(_ person: Person) -> Letter? {
        letter(to: person, nil) { $0.wayRemoved(host, origin + "/account/ways") }
    }

    /// That a device is signed in no more.
    func signedOut(_ person: Person) -> Letter? {
        letter(to: person, nil) { $0.signedOut(host, origin + "/account/password") }
    }

    /// That a device gets no notices any more, since another one was added.
    func unheard(_ person: Person) -> Letter? {
        letter(to: person, nil) { $0.unheard(host, PushRecords.most, origin + "/account/password") }
    }

    /// That the account is no more.
    func deleted(_ person: Person) -> Letter? { letter(to: person, nil) { $0.deleted(host) } }

    /// That the original system's app has a password for them.
    func appPassword(_ person: Person) -> Letter? {
        letter(to: person, nil) { $0.appPassword(host, origin + "/account/password") }
    }

    /// That somebody signed in on a device that was not seen before.
    /// - Parameter zone: in which the moment is told.
    func newDevice(_ signIn: Accounts.SignIn, in zone: Zone) -> Letter? {
        let day = zone.day(at: signIn.at).iso8601
        let moment = "\(day) \(zone.clockText(at: signIn.at)) (\(zone.name))"
        return letter(to: signIn.person, nil) { words in
            words.newDevice(
                host, moment,
                signIn.visitor.client.text(on: words.on) ?? (signIn.isProgram ? words.program : words.browser),
                String(signIn.visitor.address.prefix(64)), origin + "/account/sessions")
        }
    }

    /// A notice, and where it goes on; nil when no letter reaches the person.
    func notice(_ delivery: NoticeDelivery, to person: Person) -> Letter? {
        let words = delivery.notice.content.text[delivery.language]
        let link = origin + (delivery.notice.content.link ?? "/notices")
        return letter(to: person, delivery.language) { _ in
            LetterWords.Body(
                subject: delivery.place.map { "\($0): \(words.title)" } ?? words.title,
                text: [words.title, words.body, link].filter { !$0.isEmpty }.joined(separator: "\n\n"))
        }
    }

    /// To try out whether letters arrive.
    static func trial(to address: String, from settings: MailSettings) -> Letter? {
        let (words, host) = (LetterWords.en, Self.host(of: settings))
        return letter(to: address, name: "", words.greetingToNobody, words, words.trial(host), host)
    }

    // MARK: around the words

    private func language(of person: Person, _ asked: Language?) -> Language {
        person.language.flatMap(Language.init) ?? asked ?? .en
    }

    private func letter(to person: Person, _ asked: Language?, _ body: (LetterWords) -> LetterWords.Body) -> Letter? {
        guard let address = person.address else { return nil }
        let words = LetterWords.in(language(of: person, asked))
        return Self.letter(to: address, name: person.name, words.greeting(person.name), words, body(words), host)
    }

    private func letter(
        to address: String, _ language: Language, _ body: (LetterWords) -> LetterWords.Body
    ) -> Letter? {
        let words = LetterWords.in(language)
        return Self.letter(to: address, name: "", words.greetingToNobody, words, body(words), host)
    }

    private static func letter(
        to address: String, name: String, _ greeting: String, _ words: LetterWords, _ body: LetterWords.Body,
        _ host: String
    ) -> Letter? {
        Letter(
            to: address, name: name, subject: body.subject,
            text: "\(greeting)\n\n\(body.text)\n\n-- \n\(words.end(host))")
    }
}
