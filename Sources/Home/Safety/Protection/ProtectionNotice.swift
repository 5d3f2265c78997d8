import Accounts
import Household
import Identity
import JSON
import Ledger
import Notices
import Platform
import System

/// Tells the owners of a house that somebody changed how it is protected.
///
/// It is about the house and not about a person: who lowers the protection and deletes their account does not take it away from the owners.
enum ProtectionNotice {
    static let kind: NoticeKind = "home.protection"
    /// That there are many changes is told once in this time of each author: a minute. The log has each.
    static let window: Duration = .seconds(60)

    /// So many names are told, and how many more there are.
    static let shownNames = 5
    /// So many notices name what one change took away.
    static let parts = 10

    /// - Parameter lost: what it is about; nil: nothing that has a name.
    static func content(
        _ change: ProtectionChange, _ lost: AlwaysOn.Lost? = nil, by author: Author, at site: Site
    ) -> NoticeContent {
        let who = author.words
        var what = change.words
        if let lost {
            what = (
                "\(what.en): \(names(of: lost, .en))", "\(what.it): \(names(of: lost, .it))",
                "\(what.es): \(names(of: lost, .es))"
            )
        }
        return NoticeContent(
            kind: kind, urgency: .high,
            text: LocalizedText(
                en: NoticeWords(
                    "\(site.name): protection changed",
                    "\(who.en) \(what.en). If this is wrong, check the house now."),
                it: NoticeWords(
                    "\(site.name): protezione modificata",
                    "\(who.it) \(what.it). Se non è corretto, controlla subito la casa."),
                es: NoticeWords(
                    "\(site.name): cambio en la protección",
                    "\(who.es) \(what.es). Si no es correcto, revisa la casa ahora.")
            ),
            publicText: LocalizedText(
                en: NoticeWords("The protection of one of your houses was changed"),
                it: NoticeWords("È cambiata la protezione di una delle tue case"),
                es: NoticeWords("Cambió la protección de una de tus casas")),
            link: "/houses/\(site.id.text)/safety")
    }

    /// Each by its name and by what it is: a name alone says what whoever chose it likes.
    private static func names(of lost: AlwaysOn.Lost, _ language: Language) -> String {
        let names = lost.things.prefix(shownNames).map { thing in
            let kind = kind(thing.kind, language)
            return thing.name.lowercased() == kind.lowercased() ? thing.name : "\(thing.name) (\(kind.lowercased()))"
        }
        let more = lost.things.count > shownNames ? ["+\(lost.things.count - shownNames)"] : []
        return (names + more).joined(separator: ", ")
    }

    private static func kind(_ kind: AlwaysOn.Lost.Kind, _ language: Language) -> String {
        switch kind {
        case .detector(let kind): HomeKindWords.in(language).kind(kind).name
        case .protector(let kind): HomeKindWords.in(language).kind(kind).name
        case .connection:
            switch language {
            case .en: "connection"
            case .it: "collegamento"
            case .es: "conexión"
            }
        }
    }

    /// Who did it, as the owners are told.
    enum Author {
        case named(String)
        /// Their account is gone since.
        case gone
        /// By a command on the hub's machine.
        case administrator
        /// A gateway, by what its devices say of themselves.
        case connection(String)

        private static func quoted(_ name: String) -> (en: String, it: String, es: String) {
            let quoted = "“\(name.filter { !"“”„\"«»".contains($0) })”"
            return (quoted, quoted, quoted)
        }

        fileprivate var words: (en: String, it: String, es: String) {
            switch self {
            // In quotation marks: who calls themselves the hub’s administrator is not taken for them.
            case .named(let name): Self.quoted(name)
            case .gone:
                (
                    "A person who is no longer part of the house", "Una persona che non fa più parte della casa",
                    "Una persona que ya no forma parte de la casa"
                )
            case .connection(let name):
                ("The connection “\(name)”", "Il collegamento “\(name)”", "La conexión “\(name)”")
            case .administrator:
                ("The hub’s administrator", "L’amministratore dell’hub", "El administrador del hub")
            }
        }
    }
}

extension ProtectionChange {
    /// After the name of who did it.
    fileprivate var words: (en: String, it: String, es: String) {
        switch self {
        case .arming:
            (
                "armed the house with less protection", "ha inserito l’allarme con meno protezione",
                "armó la alarma con menos protección"
            )
        case .alarm:
            (
                "ended an alarm while the house was armed", "ha terminato un allarme con l’antifurto inserito",
                "finalizó una alarma con la casa armada"
            )
        case .rules:
            (
                "changed the delays or codes of the alarm", "ha cambiato i ritardi o i codici dell’allarme",
                "cambió los retardos o los códigos de la alarma"
            )
        case .sensors:
            (
                "changed what a sensor protects while the house was armed",
                "ha cambiato la funzione di un sensore con l’allarme inserito",
                "cambió la función de un sensor con la casa armada"
            )
        case .thresholds:
            (
                "changed a gas or air threshold while the house was armed",
                "ha cambiato una soglia di gas o aria con l’allarme inserito",
                "cambió un umbral de gas o aire con la casa armada"
            )
        case .alwaysOn:
            (
                "took away or weakened what protects the house at any time",
                "ha tolto o indebolito ciò che protegge la casa in ogni momento",
                "quitó o debilitó lo que protege la casa en todo momento"
            )
        case .many:
            (
                "made many changes to what protects the house",
                "ha fatto molte modifiche a ciò che protegge la casa",
                "hizo muchos cambios en lo que protege la casa"
            )
        case .devices:
            (
                "changed a device while the house was armed", "ha modificato un dispositivo con l’allarme inserito",
                "cambió un dispositivo con la casa armada"
            )
        case .connections:
            (
                "changed a connection of devices while the house was armed",
                "ha modificato un collegamento dei dispositivi con l’allarme inserito",
                "cambió una conexión de dispositivos con la casa armada"
            )
        case .codes:
            (
                "added or removed a code of the alarm", "ha aggiunto o tolto un codice dell’allarme",
                "añadió o quitó un código de la alarma"
            )
        case .tags:
            (
                "added or removed a tag of the alarm", "ha aggiunto o tolto un tag dell’allarme",
                "añadió o quitó un tag de la alarma"
            )
        case .contacts:
            (
                "changed whom an alarm calls", "ha cambiato chi viene chiamato in caso di allarme",
                "cambió a quién llama una alarma"
            )
        case .people:
            (
                "changed who belongs to the house", "ha cambiato chi fa parte della casa",
                "cambió quién forma parte de la casa"
            )
        case .joined:
            (
                "accepted an invitation to the house", "ha accettato un invito a far parte della casa",
                "aceptó una invitación a la casa"
            )
        case .ownerJoined:
            (
                "accepted an invitation and owns the house now",
                "ha accettato un invito ed è ora proprietario della casa",
                "aceptó una invitación y ahora es propietario de la casa"
            )
        case .invitation:
            (
                "created an invitation on paper, or sent one to another address",
                "ha creato un invito su carta, o lo ha inviato a un altro indirizzo",
                "hizo una invitación en papel, o la envió a otra dirección"
            )
        case .exercise:
            (
                "started an exercise while the house was armed", "ha iniziato un’esercitazione con l’allarme inserito",
                "empezó un simulacro con la casa armada"
            )
        case .valve: ("opened the gas valve", "ha aperto la valvola del gas", "abrió la válvula del gas")
        case .switches:
            (
                "switched a siren, a valve or a detector while the house was armed",
                "ha comandato una sirena, una valvola o un rilevatore con l’allarme inserito",
                "accionó una sirena, una válvula o un detector con la casa armada"
            )
        case .server:
            (
                "changed the server that receives the alarms", "ha cambiato il server che riceve gli allarmi",
                "cambió el servidor que recibe las alarmas"
            )
        case .access:
            (
                "changed the time zone of the house or its sign-in",
                "ha cambiato il fuso orario della casa o l’accesso",
                "cambió la zona horaria de la casa o el inicio de sesión"
            )
        case .box:
            (
                "connected a box that can disarm the house",
                "ha collegato una centralina che può disinserire l’allarme",
                "conectó una central que puede desarmar la casa"
            )
        case .place:
            (
                "changed the name or the address of the house", "ha cambiato il nome o l’indirizzo della casa",
                "cambió el nombre o la dirección de la casa"
            )
        }
    }
}

extension ProtectionChange {
    /// What of a change is read: who did it, and what of a site was otherwise.
    private struct Told: Decodable {
        struct Fields: Decodable, Equatable {
            let name: String?
            let zone: String?
            let secondFactor: String?
            let permission: String?

            var access: [String?] { [zone, secondFactor] }
        }
        let before: Fields?
        let after: Fields?
        let by: String?
        /// Whether an erasure that no owner asked for changed who belongs to the place.
        let told: Bool?
    }

    /// What any site's pages and routes change of a house.
    private static let kinds: Set<String> = [
        "membership.added", "membership.changed", "membership.removed", "site.changed", "house.changed",
        "webhook.changed", RemovalKind.erased, "membership.joined", "membership.readdressed",
        // One by email goes where the owners were told that somebody was added.
        "membership.invited.paper",
    ]

    /// Whose ownership an event gives, changes or takes, and whether they had it before; nil: nobody's.
    static func ownership(in event: Event) -> (of: PersonID, isOld: Bool)? {
        guard event.kind.hasPrefix("membership."), let payload = event.payload,
            let told = try? JSONReader.decode(Told.self, from: payload),
            [told.before, told.after].contains(where: { $0?.permission == Permission.owner.rawValue })
        else { return nil }
        return event.person.map { ($0, told.before?.permission == Permission.owner.rawValue) }
    }

    /// What an event says of a house's protection, and who did it; nil: nothing.
    static func told(by event: Event) -> (changes: [ProtectionChange], by: PersonID?)? {
        guard kinds.contains(event.kind) else { return nil }
        // Of somebody who was erased since nothing is left to read, and nothing to tell.
        guard let told = event.payload.flatMap({ try? JSONReader.decode(Told.self, from: $0) }) else { return nil }
        let person = told.by.flatMap { PersonID($0) }
        switch event.kind {
        case "webhook.changed": return ([.server], person)
        case "site.changed":
            var changes: [ProtectionChange] = []
            if told.before?.access != told.after?.access { changes.append(.access) }
            if told.before?.name != told.after?.name { changes.append(.place) }
            return changes.isEmpty ? nil : (changes, person)
        case "house.changed": return ([.place], person)
        // By nobody: applied again after a restore, or by somebody who is gone since.
        case RemovalKind.erased: return person != nil || told.told == true ? ([.people], person) : nil
        case "membership.joined":
            return ([told.after?.permission == Permission.owner.rawValue ? .ownerJoined : .joined], person)
        case "membership.readdressed", "membership.invited.paper": return ([.invitation], person)
        default: return ([.people], person)
        }
    }
}

extension Household {
    /// A change that is told.
    private struct News {
        let change: ProtectionChange
        let site: SiteID
        let author: ProtectionNotice.Author
        /// The id of who did it.
        let source: String
        /// What is lost by it; nil: it is about nothing that has a name.
        var lost: AlwaysOn.Lost?
        /// What says so in the ledger, which is told of once; nil: nothing does.
        var event: EventID?
        /// Who did it, and is not told; nil: no person.
        var person: PersonID?
        /// Whose ownership is given, changed or taken; nil: nobody's.
        var ownership: PersonID?
        /// They are told although they may be owners no more.
        var former: Set<PersonID> = []
        /// What is counted together: many changes of one kind hide nothing of another, and of owners each has their own count.
        let kind: String

        var counted: String { "\(source)/\(ownership?.text ?? kind)" }
    }

    /// Tells the owners of a house, but for who did it. It is told when this returns, so that no crash after an answer keeps it from them.
    /// - Parameter person: nil: who looks after the hub's machine.
    func tellOwners(of change: ProtectionChange, at site: SiteID, by person: PersonID?) async {
        await tell(
            News(
                change: change, site: site, author: author(person), source: person?.text ?? "hub", person: person,
                kind: change.rawValue))
    }

    /// The same of what protects it at any time.
    /// - Parameters:
    ///   - person: nil: no person did it.
    ///   - gateway: of the devices that did it, by what they say of themselves.
    func tellOwners(
        of lost: AlwaysOn.Lost, at site: SiteID, by person: PersonID?, through gateway: Gateway? = nil
    ) async {
        let change = ProtectionChange.alwaysOn
        for part in lost.parts(of: ProtectionNotice.shownNames, most: ProtectionNotice.parts) {
            await tell(
                News(
                    change: change, site: site, author: gateway.map { .connection($0.name) } ?? author(person),
                    source: gateway?.id.text ?? person?.text ?? "hub", lost: part, person: person,
                    kind: change.rawValue))
        }
    }

    private func author(_ person: PersonID?) -> ProtectionNotice.Author {
        guard let person else { return .administrator }
        let name = try? store.read { try AccountRecords.person(person, in: $0)?.name }
        return name.map { .named($0) } ?? .gone
    }

    /// Each is told: what is changed a little and then much is two changes, though the words are the same.
    private func tell(_ told: News) async {
        // Companies have thousands of members, and no owner who is told.
        do {
            guard try store.read({ try AccountRecords.site(told.site, in: $0) })?.kind == .home else { return }
        } catch { return Self.failed(error) }
        let isEach = budget.withLock {
            $0.admit(
                (told.lost?.ids ?? []).prefix(ProtectionNotice.shownNames), of: told.counted, at: told.site, clock.now)
        }
        if isEach {
            return await notify(
                of: told.change, told.lost, told, key: told.event.map { "\($0.text)/\(told.change.rawValue)" })
        }
        await tellOfMany(told)
    }

    private func tellOfMany(_ told: News) async {
        let key = "\(told.site.text)/\(told.counted)"
        guard many.withLock({ $0.begins(key, about: told.ownership) }) else { return }
        await notify(of: .many, nil, told, key: nil)
        Task { [weak self] in
            try await Task.sleep(for: ProtectionNotice.window)
            guard let self, let owners = many.withLock({ $0.ends(key) }) else { return }
            var rest = told
            rest.former = owners
            await tellOfMany(rest)
        }
    }

    private func notify(
        of change: ProtectionChange, _ lost: AlwaysOn.Lost?, _ told: News, key: String?
    ) async {
        do {
            let now = clock.now
            let found = try store.read { database -> (place: Site, owners: [PersonID])? in
                guard let place = try AccountRecords.site(told.site, in: database) else { return nil }
                let owners = try Notices.present(at: told.site, now, [.owner], in: database)
                return (place, owners.filter { $0 != told.person }.union(told.former).sorted())
            }
            guard let (place, owners) = found, !owners.isEmpty else { return }
            let content = ProtectionNotice.content(change, lost, by: told.author, at: place)
            _ = try await given.commands.send(
                Notify(site: told.site, content: content, to: .all(owners), key: key), by: .hub)
        } catch { Self.failed(error) }
    }

    private static func failed(_ error: any Error) {
        Log.warning("home", "owners could not be told of a change to the protection", ["why": "\(error)"])
    }

    /// Tells the owners of what the pages and routes of every site change of a house: its members, its server, its zone and sign-in. The
    /// ledger has each, whoever made it. Runs until it is cancelled.
    func followProtection() async throws {
        let name = "home.protection"
        try await given.ledger.follow(as: name, fromNow: true) { events in
            for event in events {
                guard let (changes, person) = ProtectionChange.told(by: event) else { continue }
                let owner = ProtectionChange.ownership(in: event)
                for change in changes {
                    var told = News(
                        change: change, site: event.site,
                        author: person == nil && event.kind == RemovalKind.erased ? .gone : author(person),
                        source: person?.text ?? "hub", event: event.id, person: person, ownership: owner?.of,
                        kind: "\(event.kind)/\(change.rawValue)")
                    // An owner who did it to an ownership that they had is told, too: who knows their password can do it in their name.
                    if let owner, owner.isOld || owner.of != person { told.former = [owner.of] }
                    await tell(told)
                }
            }
        }
    }
}
