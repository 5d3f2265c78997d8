import Accounts
import Identity
import Ledger
import Notices
import System

/// Tells somebody that one of their places has erased them, where they keep their account. It is about the account and names no place: that
/// one keeps nothing of them.
enum ErasedNotice {
    static let kind: NoticeKind = "security.erased"

    static let content = NoticeContent(
        kind: kind, urgency: .high,
        text: LocalizedText(
            en: NoticeWords(
                "One of your places has erased your data",
                "It has erased everything that it kept of you, and with it your access. No gate opens for you there any more, and its notices and alarms no longer reach you. If you do not know why, ask the people who look after it."
            ),
            it: NoticeWords(
                "Uno dei tuoi posti ha cancellato i tuoi dati",
                "Ha cancellato tutto ciò che conservava di te, e con questo il tuo accesso. Lì non ti si apre più nessun varco e non arrivano più i suoi avvisi né i suoi allarmi. Se non sai perché, chiedi a chi lo gestisce."
            ),
            es: NoticeWords(
                "Uno de tus lugares ha borrado tus datos",
                "Ha borrado todo lo que guardaba de ti, y con ello tu acceso. Allí ya no se te abre ningún acceso y no llegan sus avisos ni sus alarmas. Si no sabes por qué, pregunta a quien lo lleva."
            )),
        publicText: LocalizedText(
            en: NoticeWords("Your access to one of your places has ended"),
            it: NoticeWords("Il tuo accesso a uno dei tuoi posti è terminato"),
            es: NoticeWords("Tu acceso a uno de tus lugares ha terminado")),
        link: "/places")
}

extension Privacy {
    /// Says so to somebody who keeps their account. What was done is done, whether they can be told or not.
    func tellErased(_ person: PersonID) async {
        do {
            _ = try await given.commands.send(
                Notify(site: nil, content: ErasedNotice.content, to: .all([person])), by: .hub)
        } catch {
            Log.warning("hub", "a person could not be told that a place has erased them", ["why": "\(error)"])
        }
    }
}
