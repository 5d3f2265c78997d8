import Accounts
import Ledger
import Notices
import Platform
import System

/// Tells the owners of a house that somebody changed how it is protected.
///
/// It is about the house and not about a person: who lowers the protection and deletes their account does not take it away from the owners.
enum ProtectionNotice {
    static let kind: NoticeKind = "home.protection"
    /// The same change by the same person is told once in this time, in milliseconds: a minute. The log has each.
    static let window: Int64 = 60_000

    /// - Parameter name: of who did it; nil: they have left since.
    static func content(_ change: ProtectionChange, by name: String?, at site: Site) -> NoticeContent {
        let what = change.words
        return NoticeContent(
            kind: kind, urgency: .high,
            text: LocalizedText(
                en: NoticeWords(
                    "\(site.name): protection changed",
                    "\(name ?? "A person who has left since") \(what.en). If this is wrong, check the house now."),
                it: NoticeWords(
                    "\(site.name): protezione modificata",
                    "\(name ?? "Una persona che non c’è più") \(what.it). Se non è corretto, controlla subito la casa."),
                es: NoticeWords(
                    "\(site.name): protección cambiada",
                    "\(name ?? "Una persona que ya no está") \(what.es). Si no es correcto, revisa la casa ahora.")
            ),
            publicText: LocalizedText(
                en: NoticeWords("The protection of one of your houses was changed"),
                it: NoticeWords("È cambiata la protezione di una delle tue case"),
                es: NoticeWords("Cambió la protección de una de tus casas")),
            link: "/houses/\(site.id.text)/safety")
    }
}

extension ProtectionChange {
    /// After the name of who did it.
    fileprivate var words: (en: String, it: String, es: String) {
        switch self {
        case .arming:
            (
                "armed the house in a weaker way", "ha inserito l’allarme in un modo più debole",
                "armó la casa de un modo más débil"
            )
        case .alarm:
            (
                "ended an alarm while the house was armed", "ha terminato un allarme con la casa inserita",
                "terminó una alarma con la casa armada"
            )
        case .rules:
            (
                "changed the delays or codes of the alarm", "ha cambiato i ritardi o i codici dell’allarme",
                "cambió los retardos o los códigos de la alarma"
            )
        case .sensors:
            (
                "changed what a sensor means while the house was armed",
                "ha cambiato il significato di un sensore con l’allarme inserito",
                "cambió el significado de un sensor con la casa armada"
            )
        case .thresholds:
            (
                "changed a gas or air threshold while the house was armed",
                "ha cambiato una soglia di gas o aria con l’allarme inserito",
                "cambió un umbral de gas o aire con la casa armada"
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
                "añadió o quitó una etiqueta de la alarma"
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
        case .exercise:
            (
                "started an exercise while the house was armed", "ha iniziato un’esercitazione con l’allarme inserito",
                "empezó un simulacro con la casa armada"
            )
        case .valve: ("opened the gas valve", "ha aperto la valvola del gas", "abrió la válvula del gas")
        }
    }
}

extension Household {
    /// Tells the owners of a house, but for who did it. Waits for nothing: what was done is in the log.
    func tellOwners(of change: ProtectionChange, at site: SiteID, by person: PersonID) {
        Task {
            do {
                let now = clock.now
                let (place, who, owners) = try store.read { database in
                    (
                        try AccountRecords.site(site, in: database), try AccountRecords.person(person, in: database),
                        try Notices.present(at: site, now, [.owner], in: database).filter { $0 != person }.sorted()
                    )
                }
                guard let place, !owners.isEmpty else { return }
                _ = try await given.commands.send(
                    Notify(
                        site: site, content: ProtectionNotice.content(change, by: who?.name, at: place),
                        to: .all(owners), key: "\(change.rawValue)/\(person.text)",
                        window: ProtectionNotice.window), by: .hub)
            } catch {
                Log.warning("home", "owners could not be told of a change to the protection", ["why": "\(error)"])
            }
        }
    }
}
