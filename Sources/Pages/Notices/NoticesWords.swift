import Accounts
import Identity
import Notices

/// The words of the inbox, of how one wants to be told, and of what a manager sends. A language without one of them does not compile.
public struct NoticesWords: Sendable {
    /// The inbox; also its link.
    public let title: String
    let empty: String
    let emptyDetail: String
    let unread: String
    let taken: String
    let takenByYou: String
    let markRead: String
    let markAllRead: String
    let takeCare: String
    let goThere: String
    let done: String
    let over: String
    let alreadyDone: String
    let older: String
    let locked: String
    let critical: String
    let settings: String

    let preferencesTitle: String
    let preferencesIntro: String
    let saved: String
    let save: String
    let push: String
    let pushHint: String
    let mail: String
    let mailHint: String
    let group: @Sendable (NoticeGroup) -> String
    let always: String
    let quiet: String
    let quietHint: String
    let quietOn: String
    let from: String
    let to: String
    let days: String
    let weekdays: [String]
    let quietRefused: String
    let lockScreen: String
    let showsDetails: String
    let showsDetailsHint: String

    /// The page of a site from which its managers tell people something; also its link.
    public let sentTitle: String
    /// Under it.
    public let sentIntro: String
    let nothingSent: String
    let write: String
    let noticeTitle: String
    let noticeBody: String
    let optional: String
    let urgency: String
    let urgencies: [(value: String, label: String)]
    let people: String
    let everybody: String
    let everybodyOrSome: String
    let findPeople: String
    let find: String
    let nobodyFound: String
    let shown: @Sendable (_ first: Int, _ last: Int, _ count: Int) -> String
    let chosen: @Sendable (Int) -> String
    let previousPeople: String
    let nextPeople: String
    let inTurn: String
    let inTurnHint: String
    let minutes: String
    let send: String
    let sent: String
    let titleRefused: String
    let bodyRefused: String
    let peopleRefused: String
    let tooMany: String
    let counts: @Sendable (_ recipients: Int, _ notReached: Int, _ read: Int) -> String
    let byHub: String
    let deliveryTitle: String
    let person: String
    let told: String
    let state: String
    let ways: String
    let notYet: String
    let notReached: String
    let readAt: @Sendable (String) -> String
    /// A device of theirs showed it.
    let shownAt: @Sendable (String) -> String
    let acknowledgedAt: @Sendable (String) -> String
    let held: @Sendable (NoticePolicy.Held) -> String
    let inInbox: String
    let channel: @Sendable (Channel) -> String
    let parcel: @Sendable (ParcelState) -> String
    let nextTurn: @Sendable (String) -> String
    let takenAt: @Sendable (String) -> String

    let server: String
    let serverIntro: String
    let address: String
    let addressHint: String
    let addressRefused: String
    let serverSet: @Sendable (String) -> String
    let noServer: String
    let secret: String
    let secretDetail: String
    let setServer: String
    let removeServer: String
    let test: String
    let tested: String
    let testFailed: @Sendable (String) -> String

    /// The words of a language.
    public static func `in`(_ language: Language) -> NoticesWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = NoticesWords(
        title: "Notices", empty: "Nothing yet", emptyDetail: "What concerns you will be here, newest first.",
        unread: "new", taken: "somebody takes care", takenByYou: "you take care", markRead: "Mark as read",
        markAllRead: "Mark all as read", takeCare: "I take care", goThere: "Show",
        done: "Done.", over: "This notice is over.", alreadyDone: "This was done already.", older: "Older",
        locked: "Sign in with a passkey to see what it says.", critical: "urgent", settings: "How you are told",
        preferencesTitle: "How you are told",
        preferencesIntro:
            "Everything is in your inbox, whatever you choose here. What is critical, such as gas, always comes through.",
        saved: "Saved.", save: "Save", push: "On your devices",
        pushHint: "Only on devices where you switched notices on.", mail: "By mail",
        mailHint: "Mail about the safety of your account always comes.",
        group: { group in
            switch group {
            case .security: "Your account"
            case .doors: "Doors"
            case .home: "Home"
            case .offers: "Offers"
            case .site: "News of your places"
            }
        }, always: "(always)", quiet: "Quiet hours",
        quietHint: "What comes in between waits in the inbox and reaches your devices when they end.",
        quietOn: "I have quiet hours", from: "From", to: "To", days: "Beginning on",
        weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        quietRefused: "Choose two times, such as 22:00 and 07:00, and at least one day.", lockScreen: "Lock screen",
        showsDetails: "Show names and places",
        showsDetailsHint: "Whoever sees your phone can read them.",
        sentTitle: "Send a notice", sentIntro: "Notices sent to people at this site.",
        nothingSent: "No notices sent yet.", write: "New notice", noticeTitle: "Title",
        noticeBody: "Text", optional: "(optional)", urgency: "How urgent",
        urgencies: [("low", "Whenever there is time"), ("normal", "Today"), ("high", "Now")], people: "To",
        everybody: "Everybody who is here today",
        everybodyOrSome: "Choose everybody or some people, not both.", findPeople: "Find people by name or email",
        find: "Find", nobodyFound: "Nobody here today has this name or email.",
        shown: {
            if $2 == 1 { return "1 person" }
            return $1 - $0 + 1 == $2 ? "\($2) people" : "\($0)–\($1) of \($2) people"
        },
        chosen: { $0 == 1 ? "1 person chosen" : "\($0) people chosen" }, previousPeople: "Previous people",
        nextPeople: "Next people", inTurn: "One person at a time, until someone responds",
        inTurnHint: "In the order of the list, for at most 32 people.", minutes: "Minutes between two",
        send: "Send", sent: "Sent.", titleRefused: "Give it a title of at most 120 characters.",
        bodyRefused: "At most 600 characters.", peopleRefused: "Choose people who are here today.",
        tooMany: "You sent a lot in the last hour. Try again in ten minutes.",
        counts: { "\($0) \($0 == 1 ? "recipient" : "recipients"), \($1) not reached, \($2) read" },
        byHub: "by this hub",
        deliveryTitle: "Delivery", person: "Person", told: "Told", state: "State", ways: "Ways",
        notYet: "not yet", notReached: "Not reached: has not joined yet",
        readAt: { "read \($0)" }, shownAt: { "on a screen \($0)" },
        acknowledgedAt: { "takes care since \($0)" },
        held: { held in
            switch held {
            case .budget: "inbox only: enough for today"
            case .quietHours: "inbox only: quiet hours"
            case .preference: "inbox only: their choice"
            }
        }, inInbox: "in the inbox",
        channel: { channel in
            switch channel {
            case .mail: "Mail"
            case .push, .apns: "Device"
            case .webhook: "Server of this place"
            }
        },
        parcel: { state in
            switch state {
            case .waiting: "waiting"
            case .delivered: "delivered"
            case .refused: "refused"
            case .expired: "too late"
            }
        }, nextTurn: { "The next person is told \($0)." }, takenAt: { "Somebody takes care since \($0)." },
        server: "Server of this place",
        serverIntro:
            "A server of your own can hear of each notice of this place: the words that may stand on a lock screen, and no names.",
        address: "Address", addressHint: "https://…",
        addressRefused: "Give an address that begins with https://, without a password in it.",
        serverSet: { "Notices go to \($0)." }, noServer: "There is none.", secret: "The key of its signatures",
        secretDetail: "Keep it now: it is shown this once.", setServer: "Use this address",
        removeServer: "Tell it nothing more", test: "Send a test", tested: "It took the test.",
        testFailed: { "It did not take the test: \($0)." })

    private static let it = NoticesWords(
        title: "Avvisi", empty: "Ancora niente", emptyDetail: "Ciò che ti riguarda sarà qui, dal più recente.",
        unread: "nuovo", taken: "se ne occupa qualcuno", takenByYou: "te ne occupi tu", markRead: "Segna come letto",
        markAllRead: "Segna tutto come letto", takeCare: "Me ne occupo io", goThere: "Mostra",
        done: "Fatto.", over: "Questo avviso è scaduto.", alreadyDone: "Era già stato fatto.",
        older: "Meno recenti", locked: "Accedi con una passkey per vedere cosa dice.", critical: "urgente",
        settings: "Come vieni avvisato", preferencesTitle: "Come vieni avvisato",
        preferencesIntro:
            "Tutto è nella tua posta di Soglia, qualunque cosa scelga qui. Ciò che è critico, come il gas, arriva sempre.",
        saved: "Salvato.", save: "Salva", push: "Sui tuoi dispositivi",
        pushHint: "Solo sui dispositivi dove hai attivato gli avvisi.", mail: "Per e-mail",
        mailHint: "Le e-mail sulla sicurezza del tuo account arrivano sempre.",
        group: { group in
            switch group {
            case .security: "Il tuo account"
            case .doors: "Varchi"
            case .home: "Casa"
            case .offers: "Offerte"
            case .site: "Novità dei tuoi luoghi"
            }
        }, always: "(sempre)", quiet: "Ore di quiete",
        quietHint: "Ciò che arriva nel frattempo aspetta qui e raggiunge i dispositivi quando finiscono.",
        quietOn: "Ho delle ore di quiete", from: "Dalle", to: "Alle", days: "Che iniziano di",
        weekdays: ["Lunedì", "Martedì", "Mercoledì", "Giovedì", "Venerdì", "Sabato", "Domenica"],
        quietRefused: "Scegli due orari, come 22:00 e 07:00, e almeno un giorno.",
        lockScreen: "Schermata di blocco", showsDetails: "Mostra nomi e luoghi",
        showsDetailsHint: "Può leggerli chi vede il tuo telefono.",
        sentTitle: "Avvisa le persone",
        sentIntro: "Avvisi inviati alle persone di questa sede.",
        nothingSent: "Nessun avviso inviato.", write: "Nuovo avviso", noticeTitle: "Titolo",
        noticeBody: "Testo", optional: "(facoltativo)", urgency: "Quanto è urgente",
        urgencies: [("low", "Quando c’è tempo"), ("normal", "Oggi"), ("high", "Adesso")], people: "A",
        everybody: "Tutti quelli che oggi ne fanno parte",
        everybodyOrSome: "Scegli tutti oppure alcune persone, non entrambi.",
        findPeople: "Cerca persone per nome o email", find: "Cerca",
        nobodyFound: "Oggi nessuno qui ha questo nome o questa email.",
        shown: {
            if $2 == 1 { return "1 persona" }
            return $1 - $0 + 1 == $2 ? "\($2) persone" : "\($0)–\($1) di \($2) persone"
        },
        chosen: { $0 == 1 ? "1 persona scelta" : "\($0) persone scelte" }, previousPeople: "Persone precedenti",
        nextPeople: "Persone successive",
        inTurn: "Una persona alla volta, finché qualcuno non risponde",
        inTurnHint: "Nell’ordine dell’elenco, per al massimo 32 persone.", minutes: "Minuti tra due",
        send: "Invia", sent: "Inviato.", titleRefused: "Dagli un titolo di al massimo 120 caratteri.",
        bodyRefused: "Al massimo 600 caratteri.", peopleRefused: "Scegli persone che oggi ne fanno parte.",
        tooMany: "Hai inviato molto nell’ultima ora. Riprova tra dieci minuti.",
        counts: { recipients, notReached, read in
            let words = (
                recipients == 1 ? "destinatario" : "destinatari", notReached == 1 ? "non raggiunto" : "non raggiunti",
                read == 1 ? "lettura" : "letture"
            )
            return "\(recipients) \(words.0), \(notReached) \(words.1), \(read) \(words.2)"
        }, byHub: "da questo hub",
        deliveryTitle: "Consegna", person: "Persona", told: "Avvisata", state: "Stato", ways: "Vie",
        notYet: "non ancora", notReached: "Non raggiunta: non ha ancora fatto il primo accesso",
        readAt: { "letto \($0)" }, shownAt: { "su uno schermo \($0)" },
        acknowledgedAt: { "se ne occupa da \($0)" },
        held: { held in
            switch held {
            case .budget: "solo qui: per oggi basta"
            case .quietHours: "solo qui: ore di quiete"
            case .preference: "solo qui: sua scelta"
            }
        }, inInbox: "tra gli avvisi",
        channel: { channel in
            switch channel {
            case .mail: "E-mail"
            case .push, .apns: "Dispositivo"
            case .webhook: "Server di questo luogo"
            }
        },
        parcel: { state in
            switch state {
            case .waiting: "in attesa"
            case .delivered: "consegnato"
            case .refused: "rifiutato"
            case .expired: "troppo tardi"
            }
        }, nextTurn: { "La prossima persona viene avvisata \($0)." },
        takenAt: { "Qualcuno se ne occupa da \($0)." }, server: "Server di questo luogo",
        serverIntro:
            "Un tuo server può ricevere ogni avviso di questo luogo: le parole che possono stare su una schermata di blocco, senza nomi.",
        address: "Indirizzo", addressHint: "https://…",
        addressRefused: "Indica un indirizzo che inizi con https://, senza password.",
        serverSet: { "Gli avvisi vanno a \($0)." }, noServer: "Non ce n’è.", secret: "La chiave delle sue firme",
        secretDetail: "Conservala ora: viene mostrata solo questa volta.", setServer: "Usa questo indirizzo",
        removeServer: "Non dirgli più nulla", test: "Manda una prova", tested: "Ha accettato la prova.",
        testFailed: { "Non ha accettato la prova: \($0)." })

    private static let es = NoticesWords(
        title: "Avisos", empty: "Todavía nada", emptyDetail: "Lo que te concierne estará aquí, lo más nuevo primero.",
        unread: "nuevo", taken: "alguien se ocupa", takenByYou: "te ocupas tú", markRead: "Marcar como leído",
        markAllRead: "Marcar todo como leído", takeCare: "Me ocupo yo", goThere: "Ver",
        done: "Hecho.", over: "Este aviso ya no vale.", alreadyDone: "Ya se había hecho.", older: "Anteriores",
        locked: "Entra con una passkey para ver qué dice.", critical: "urgente", settings: "Cómo se te avisa",
        preferencesTitle: "Cómo se te avisa",
        preferencesIntro: "Todo está en tus avisos, elijas lo que elijas aquí. Lo crítico, como el gas, llega siempre.",
        saved: "Guardado.", save: "Guardar", push: "En tus dispositivos",
        pushHint: "Solo en los dispositivos donde activaste los avisos.", mail: "Por correo",
        mailHint: "El correo sobre la seguridad de tu cuenta llega siempre.",
        group: { group in
            switch group {
            case .security: "Tu cuenta"
            case .doors: "Accesos"
            case .home: "Casa"
            case .offers: "Ofertas"
            case .site: "Noticias de tus lugares"
            }
        }, always: "(siempre)", quiet: "Horas de silencio",
        quietHint: "Lo que llegue mientras tanto espera aquí y alcanza tus dispositivos cuando terminan.",
        quietOn: "Tengo horas de silencio", from: "De", to: "A", days: "Que empiezan el",
        weekdays: ["Lunes", "Martes", "Miércoles", "Jueves", "Viernes", "Sábado", "Domingo"],
        quietRefused: "Elige dos horas, como 22:00 y 07:00, y al menos un día.",
        lockScreen: "Pantalla de bloqueo", showsDetails: "Mostrar nombres y lugares",
        showsDetailsHint: "Puede leerlos quien vea tu teléfono.",
        sentTitle: "Avisar a la gente",
        sentIntro: "Avisos enviados a las personas de esta sede.",
        nothingSent: "Aún no hay avisos enviados.", write: "Nuevo aviso", noticeTitle: "Título",
        noticeBody: "Texto", optional: "(opcional)", urgency: "Cuánta prisa tiene",
        urgencies: [("low", "Cuando haya tiempo"), ("normal", "Hoy"), ("high", "Ahora")], people: "Para",
        everybody: "Todos los que hoy forman parte",
        everybodyOrSome: "Elige a todos o a algunas personas, no ambas cosas.",
        findPeople: "Buscar personas por nombre o correo", find: "Buscar",
        nobodyFound: "Hoy nadie aquí tiene este nombre o correo.",
        shown: {
            if $2 == 1 { return "1 persona" }
            return $1 - $0 + 1 == $2 ? "\($2) personas" : "\($0)–\($1) de \($2) personas"
        },
        chosen: { $0 == 1 ? "1 persona elegida" : "\($0) personas elegidas" }, previousPeople: "Personas anteriores",
        nextPeople: "Personas siguientes", inTurn: "A una persona cada vez, hasta que alguien responda",
        inTurnHint: "En el orden de la lista, para 32 personas como mucho.", minutes: "Minutos entre dos",
        send: "Enviar", sent: "Enviado.", titleRefused: "Dale un título de 120 caracteres como mucho.",
        bodyRefused: "600 caracteres como mucho.", peopleRefused: "Elige a personas que hoy forman parte.",
        tooMany: "Has enviado mucho en la última hora. Prueba de nuevo en diez minutos.",
        counts: { recipients, notReached, read in
            let words = (recipients == 1 ? "destinatario" : "destinatarios", read == 1 ? "lectura" : "lecturas")
            return "\(recipients) \(words.0), \(notReached) sin recibir, \(read) \(words.1)"
        }, byHub: "de este hub",
        deliveryTitle: "Entrega", person: "Persona", told: "Avisada", state: "Estado", ways: "Vías",
        notYet: "todavía no", notReached: "Sin recibir: aún no ha entrado",
        readAt: { "leído \($0)" }, shownAt: { "en una pantalla \($0)" },
        acknowledgedAt: { "se ocupa desde \($0)" },
        held: { held in
            switch held {
            case .budget: "solo aquí: basta por hoy"
            case .quietHours: "solo aquí: horas de silencio"
            case .preference: "solo aquí: su elección"
            }
        }, inInbox: "en sus avisos",
        channel: { channel in
            switch channel {
            case .mail: "Correo"
            case .push, .apns: "Dispositivo"
            case .webhook: "Servidor de este lugar"
            }
        },
        parcel: { state in
            switch state {
            case .waiting: "en espera"
            case .delivered: "entregado"
            case .refused: "rechazado"
            case .expired: "demasiado tarde"
            }
        }, nextTurn: { "La siguiente persona recibe el aviso \($0)." },
        takenAt: { "Alguien se ocupa desde \($0)." }, server: "Servidor de este lugar",
        serverIntro:
            "Un servidor tuyo puede recibir cada aviso de este lugar: las palabras que pueden estar en una pantalla de bloqueo, sin nombres.",
        address: "Dirección", addressHint: "https://…",
        addressRefused: "Da una dirección que empiece por https://, sin contraseña.",
        serverSet: { "Los avisos van a \($0)." }, noServer: "No hay ninguno.", secret: "La clave de sus firmas",
        secretDetail: "Guárdala ahora: se muestra solo esta vez.", setServer: "Usar esta dirección",
        removeServer: "No decirle nada más", test: "Enviar una prueba", tested: "Ha aceptado la prueba.",
        testFailed: { "No ha aceptado la prueba: \($0)." })
}
