import Accounts
import Notices
import System

/// Tells owners that the machine's clock is not believed, and when it is again.
enum ClockNotice {
    static let kind: NoticeKind = "site.clock"
    private static let topic = "hub-clock"

    static func begins(_ doubt: ClockDoubt) -> NoticeContent {
        content(
            .high, ClockWords.en.notice(doubt), ClockWords.it.notice(doubt), ClockWords.es.notice(doubt),
            "The hub’s clock needs you",
            "L’orologio dell’hub va controllato", "Hay que revisar el reloj del hub")
    }

    /// For owners who cannot do anything about it.
    static let informs = content(
        .normal, ClockWords.en.informs, ClockWords.it.informs, ClockWords.es.informs,
        ClockWords.en.informs.title, ClockWords.it.informs.title, ClockWords.es.informs.title)

    static let over = content(
        .normal,
        NoticeWords("The hub’s clock is right again", "Phones get new passes as always. There is nothing to do."),
        NoticeWords(
            "L’orologio dell’hub è di nuovo giusto",
            "I telefoni ricevono nuovi pass come sempre. Non c’è nulla da fare."),
        NoticeWords(
            "El reloj del hub vuelve a ir bien",
            "Los teléfonos reciben pases nuevos como siempre. No hay nada que hacer."),
        "The hub’s clock is right again", "L’orologio dell’hub è di nuovo giusto", "El reloj del hub vuelve a ir bien")

    private static func content(
        _ urgency: Urgency, _ en: NoticeWords, _ it: NoticeWords, _ es: NoticeWords, _ publicEn: String,
        _ publicIt: String, _ publicEs: String
    ) -> NoticeContent {
        NoticeContent(
            kind: kind, urgency: urgency, text: LocalizedText(en: en, it: it, es: es),
            publicText: LocalizedText(en: NoticeWords(publicEn), it: NoticeWords(publicIt), es: NoticeWords(publicEs)),
            link: ClockPages.path.description, topic: topic)
    }
}
