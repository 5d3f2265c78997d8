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
        _ change: ProtectionChange, _ lost: LostProtection? = nil, by author: Author, at site: Site
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
    private static func names(of lost: LostProtection, _ language: Language) -> String {
        let names = lost.things.prefix(shownNames).map { thing in
            let kind = kind(thing.kind, language)
            return thing.name.lowercased() == kind.lowercased() ? thing.name : "\(thing.name) (\(kind.lowercased()))"
        }
        let more = lost.things.count > shownNames ? ["+\(lost.things.count - shownNames)"] : []
        return (names + more).joined(separator: ", ")
    }

    private static func kind(_ kind: LostProtection.Kind, _ language: Language) -> String {
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
