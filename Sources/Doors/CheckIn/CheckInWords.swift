import Accounts
import Identity
import Notices

/// The words of opening a gate from a notification.
struct CheckInWords: Sendable {
    let language: Language
    /// The notice, for whoever may read it; the gate's name.
    let question: @Sendable (String) -> String
    /// Under it; the place's name.
    let from: @Sendable (String) -> String
    /// The same where anybody may look.
    let publicQuestion: String
    /// The button of the notice.
    let checkIn: String
    /// What came of it.
    let opened: String
    let openedDetail: String
    let refused: String
    let unconfirmed: String
    /// The title of the setting, on the page of a gate.
    let title: String
    let about: String
    let choice: String
    let atOnce: String
    let unlocked: String
    let passkey: String
    let atOnceWarning: String
    let save: String
    /// On the badge's page.
    let tryTitle: String
    let tryAbout: String
    let send: String
    /// After it.
    let sent: String
    let sentDetail: String
    let devices: String
    let backToGate: String

    static func `in`(_ language: Language) -> CheckInWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// The same in every language.
    static func text(_ words: (CheckInWords) -> NoticeWords) -> LocalizedText {
        LocalizedText(en: words(en), it: words(it), es: words(es))
    }

    private static let en = CheckInWords(
        language: .en,
        question: { "At \($0)?" }, from: { "\($0). Check in, and it opens for you." },
        publicQuestion: "Check in now?", checkIn: "Check in now",
        opened: "Open", openedDetail: "You are checked in.", refused: "Not opened",
        unconfirmed: "It is not known whether it opened",
        title: "Check in from a notification",
        about:
            "Somebody near this gate can open it from a notification on their phone. Their rights are checked when they tap.",
        choice: "What it asks for first", atOnce: "Nothing: at once, also on a locked phone",
        unlocked: "An unlocked phone", passkey: "A passkey",
        atOnceWarning: "Whoever holds the phone opens the gate.",
        save: "Save",
        tryTitle: "Check in from a notification",
        tryAbout: "Try it here: a notification comes to your devices, and opens this gate when you tap it.",
        send: "Send me one", sent: "It is on its way",
        sentDetail: "It is good for two minutes and opens once.", devices: "Nothing comes? Look at your notices",
        backToGate: "Back to the gate")

    private static let it = CheckInWords(
        language: .it,
        question: { "Sei a \($0)?" }, from: { "\($0). Conferma, e si apre per te." },
        publicQuestion: "Vuoi entrare?", checkIn: "Entra ora",
        opened: "Aperto", openedDetail: "L’ingresso è registrato.", refused: "Non aperto",
        unconfirmed: "Non si sa se si è aperto",
        title: "Entrare da una notifica",
        about:
            "Chi è vicino a questo varco può aprirlo da una notifica sul telefono. I suoi diritti si controllano al tocco.",
        choice: "Che cosa chiede prima", atOnce: "Niente: subito, anche a telefono bloccato",
        unlocked: "Un telefono sbloccato", passkey: "Una passkey",
        atOnceWarning: "Chi ha in mano il telefono apre il varco.",
        save: "Salva",
        tryTitle: "Entrare da una notifica",
        tryAbout: "Provalo qui: una notifica arriva ai tuoi dispositivi, e al tocco apre questo varco.",
        send: "Mandamene una", sent: "È in arrivo",
        sentDetail: "Vale due minuti e apre una volta sola.", devices: "Non arriva niente? Guarda i tuoi avvisi",
        backToGate: "Torna al varco")

    private static let es = CheckInWords(
        language: .es,
        question: { "¿Estás en \($0)?" }, from: { "\($0). Confirma y se abre para ti." },
        publicQuestion: "¿Quieres entrar?", checkIn: "Entrar ahora",
        opened: "Abierto", openedDetail: "Tu entrada queda registrada.", refused: "No se ha abierto",
        unconfirmed: "No se sabe si se ha abierto",
        title: "Entrar desde una notificación",
        about:
            "Quien está cerca de este acceso puede abrirlo desde una notificación en su teléfono. Sus derechos se comprueban al tocar.",
        choice: "Qué pide antes", atOnce: "Nada: al momento, también con el teléfono bloqueado",
        unlocked: "Un teléfono desbloqueado", passkey: "Una clave de acceso",
        atOnceWarning: "Quien tiene el teléfono en la mano abre el acceso.",
        save: "Guardar",
        tryTitle: "Entrar desde una notificación",
        tryAbout: "Pruébalo aquí: llega una notificación a tus dispositivos y, al tocarla, abre este acceso.",
        send: "Enviarme una", sent: "Está en camino",
        sentDetail: "Vale dos minutos y abre una sola vez.", devices: "¿No llega nada? Mira tus avisos",
        backToGate: "Volver al acceso")
}
