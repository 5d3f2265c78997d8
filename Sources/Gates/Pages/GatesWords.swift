import Accounts
import Identity
import Pages

/// The words of gates, badges and openings.
public struct GatesWords: Sendable {

    // MARK: Gates

    /// Between seconds and their tenths.
    public let decimalSign: String
    /// Title and link.
    public let gates: String
    /// Button.
    public let open: String
    /// The button as a screen reader says it: the gate's name.
    public let openGate: @Sendable (String) -> String
    /// State.
    public let ready: String
    public let stateNotReachable: String
    public let stateNotPaired: String
    /// State on a saved page.
    public let stateOffline: String
    /// Title when there is none.
    public let noGates: String
    /// Under it.
    public let noGatesDetail: String
    /// Title for whom this place is closed again and who opened nothing here of late.
    public let accessOver: String
    /// Under it.
    public let accessOverDetail: String
    /// When, in words.
    public let lastOpened: @Sendable (String) -> String
    /// Link.
    public let allGates: String
    /// Link.
    public let otherPlaces: String

    // MARK: Badge

    /// What the card is.
    public let badge: String
    /// The code.
    public let badgeNumber: @Sendable (String) -> String
    /// What the person is at the site.
    public let role: String
    /// The site.
    public let place: String
    /// Before the tap.
    public let headlineReady: String
    /// The gate cannot be asked.
    public let headlineNotReachable: String
    /// The gate cannot be asked.
    public let headlineNotPaired: String
    /// The page is a saved one.
    public let headlineOffline: String
    /// The person may not.
    public let headlineDenied: String
    /// After the tap.
    public let headlineAsking: String
    /// The gate confirmed.
    public let headlineOpened: String
    /// The hub or the gate said no.
    public let headlineRefused: String
    /// Nobody knows.
    public let headlineUnconfirmed: String
    /// Before the tap.
    public let readyDetail: String
    /// Under the headline.
    public let notReachableDetail: String
    /// Under the headline.
    public let notPairedDetail: String
    /// Under the headline of a saved page, and beside its buttons.
    public let offlineDetail: String
    /// Progress.
    public let askingHub: String
    /// Progress.
    public let waitingForGate: String
    /// Outcome; seconds with one decimal.
    public let confirmedIn: @Sendable (String) -> String
    /// Outcome without a time.
    public let confirmed: String
    /// The request did not travel.
    public let noHub: String
    /// The request may have arrived.
    public let noHubAnswer: String
    /// A refusal that came without words.
    public let notAccepted: String

    /// One person asked one gate too often; how long to wait.
    public let tooOften: @Sendable (String) -> String

    // MARK: Reasons that a gate gives

    /// The answer for anything that does not verify.
    public let notValid: String
    /// The gate has no trusted time.
    public let clockUntrusted: String
    /// Before the pass begins.
    public let notYet: String
    /// After the pass ended.
    public let expired: String
    /// Not an hour of the pass.
    public let outsideInterval: String
    /// Rights changed since the pass was made.
    public let epochOld: String
    /// On the deny list.
    public let revoked: String
    /// A narrowing of the pass does not hold.
    public let caveatUnmet: String
    /// The gate may not decide alone.
    public let needsHub: String
    /// The gate cannot record more.
    public let journalFull: String
    /// The same message a second time.
    public let nonceUsed: String
    /// The lock did not move.
    public let relayFailed: String
    /// The same pass with the same nonce.
    public let alreadyUsed: String
    /// The gate has no such action.
    public let otherIntent: String
    /// A pass for another gate.
    public let wrongGate: String
    /// Not over the air.
    public let hubOnly: String

    // MARK: Reasons that the hub gives

    /// The controller was silent for 3 s.
    public let noAnswer: String
    /// The gate is not connected.
    public let notReachable: String
    /// The hub restarted between command and answer.
    public let hubRestarted: String
    /// The hub went back to a backup and has not compared the gate yet.
    public let hubRestored: String
    /// No controller.
    public let notPaired: String
    /// Any code that we do not know.
    public let unknownReason: String

    /// The words of a language.
    public static func `in`(_ language: Language) -> GatesWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }
}

extension GatesWords {
    /// English.
    public static let en = GatesWords(
        decimalSign: ".",
        gates: "Gates",
        open: "Open",
        openGate: { "Open \($0)" },
        ready: "ready",
        stateNotReachable: "not connected",
        stateNotPaired: "no controller yet",
        stateOffline: "not known now",
        noGates: "No gate for you here yet",
        noGatesDetail: "Gates appear here when your role at this place includes them. Its manager can add them.",
        accessOver: "Your access here has ended",
        accessOverDetail: "If that is a mistake, ask this place’s manager.",
        lastOpened: { "last opened \($0)" },
        allGates: "All gates",
        otherPlaces: "My places",
        badge: "Badge",
        badgeNumber: { "Badge \($0)" },
        role: "Role",
        place: "Place",
        headlineReady: "Ready",
        headlineNotReachable: "Not connected",
        headlineNotPaired: "Not ready yet",
        headlineOffline: "Offline",
        headlineDenied: "Closed for you",
        headlineAsking: "Asking",
        headlineOpened: "Open",
        headlineRefused: "Not opened",
        headlineUnconfirmed: "Not confirmed",
        readyDetail: "Tap when you stand in front of it.",
        notReachableDetail: "The gate is not connected at the moment. The button is back as soon as the gate is.",
        notPairedDetail: "No controller is paired with this gate yet. The site's installer can do it.",
        offlineDetail: "Opening goes through the hub, which this device cannot reach now.",
        askingHub: "Asking the gate…",
        waitingForGate: "The hub says yes, waiting for the gate…",
        confirmedIn: { "confirmed by the gate · \($0) s" },
        confirmed: "confirmed by the gate",
        noHub: "This device cannot reach the hub. Check its network, then tap again.",
        noHubAnswer: "No answer from the hub. Look whether the gate is open before you tap again.",
        notAccepted: "The hub did not accept this. Nothing was opened.",
        tooOften: { "You asked this gate to open 30 times within a minute. Nothing was opened. Try again in \($0)." },
        notValid: "the gate did not recognise this key",
        clockUntrusted: "the gate does not know the time yet, try again in a moment",
        notYet: "this pass is not valid yet",
        expired: "this pass has expired",
        outsideInterval: "closed for you at this hour",
        epochOld: "your rights have changed since this pass was made",
        revoked: "this pass was withdrawn",
        caveatUnmet: "a condition of this pass is not met",
        needsHub: "the gate must ask the hub and cannot reach it",
        journalFull: "the gate can record no more until it reaches the hub",
        nonceUsed: "this request was already used, tap again",
        relayFailed: "the gate said yes, but its lock did not answer",
        alreadyUsed: "this pass was already used for this request, tap again",
        otherIntent: "this gate does not do what was asked",
        wrongGate: "this pass is for another gate",
        hubOnly: "this gate opens only through the hub",
        noAnswer: "sent, but the gate has not confirmed: look whether it is open",
        notReachable: "the gate is not connected at the moment",
        hubRestarted: "the hub restarted while the gate was being asked: look whether it is open",
        hubRestored: "the hub was restored from a backup and first compares this gate: try again in a moment",
        notPaired: "no controller is paired with this gate yet",
        unknownReason: "the gate gave no reason that we know")
}

extension GatesWords {
    /// Italian.
    public static let it = GatesWords(
        decimalSign: ",",
        gates: "Varchi",
        open: "Apri",
        openGate: { "Apri \($0)" },
        ready: "pronto",
        stateNotReachable: "non collegato",
        stateNotPaired: "senza centralina",
        stateOffline: "ora non noto",
        noGates: "Ancora nessun varco per te",
        noGatesDetail:
            "I varchi compaiono qui quando il tuo ruolo in questo luogo li comprende. Chi lo gestisce può aggiungerli.",
        accessOver: "Il tuo accesso qui è terminato",
        accessOverDetail: "Se non dovrebbe essere così, chiedi al gestore di questo luogo.",
        lastOpened: { "ultima apertura \($0)" },
        allGates: "Tutti i varchi",
        otherPlaces: "I miei luoghi",
        badge: "Badge",
        badgeNumber: { "Badge \($0)" },
        role: "Ruolo",
        place: "Luogo",
        headlineReady: "Pronto",
        headlineNotReachable: "Non collegato",
        headlineNotPaired: "Non ancora pronto",
        headlineOffline: "Offline",
        headlineDenied: "Chiuso per te",
        headlineAsking: "Sto chiedendo",
        headlineOpened: "Aperto",
        headlineRefused: "Non aperto",
        headlineUnconfirmed: "Non confermato",
        readyDetail: "Tocca quando ci sei davanti.",
        notReachableDetail: "Il varco adesso non è collegato. Il pulsante torna appena torna il varco.",
        notPairedDetail: "Nessuna centralina è ancora abbinata a questo varco. Può farlo l'installatore della sede.",
        offlineDetail: "L'apertura passa dall'hub, che ora questo dispositivo non raggiunge.",
        askingHub: "Sto chiedendo al varco…",
        waitingForGate: "L'hub dice di sì, aspetto il varco…",
        confirmedIn: { "confermato dal varco · \($0) s" },
        confirmed: "confermato dal varco",
        noHub: "Questo dispositivo non raggiunge l'hub. Controlla la rete, poi tocca di nuovo.",
        noHubAnswer: "Nessuna risposta dall'hub. Guarda se il varco è aperto prima di toccare di nuovo.",
        notAccepted: "L'hub non ha accettato. Non è stato aperto nulla.",
        tooOften: {
            "Hai chiesto di aprire questo varco 30 volte in un minuto. Non è stato aperto nulla. Riprova tra \($0)."
        },
        notValid: "il varco non ha riconosciuto questa chiave",
        clockUntrusted: "il varco non sa ancora l'ora, riprova tra un momento",
        notYet: "questo pass non vale ancora",
        expired: "questo pass è scaduto",
        outsideInterval: "chiuso per te a quest'ora",
        epochOld: "i tuoi diritti sono cambiati da quando questo pass è stato fatto",
        revoked: "questo pass è stato ritirato",
        caveatUnmet: "una condizione di questo pass non è soddisfatta",
        needsHub: "il varco deve chiedere all'hub e non lo raggiunge",
        journalFull: "il varco non può registrare altro finché non raggiunge l'hub",
        nonceUsed: "questa richiesta è già stata usata, tocca di nuovo",
        relayFailed: "il varco ha detto di sì, ma la serratura non ha risposto",
        alreadyUsed: "questo pass è già stato usato per questa richiesta, tocca di nuovo",
        otherIntent: "questo varco non fa ciò che è stato chiesto",
        wrongGate: "questo pass è per un altro varco",
        hubOnly: "questo varco si apre solo tramite l'hub",
        noAnswer: "inviato, ma il varco non ha confermato: guarda se è aperto",
        notReachable: "il varco adesso non è collegato",
        hubRestarted: "l'hub si è riavviato mentre chiedeva al varco: guarda se è aperto",
        hubRestored: "l'hub è stato ripristinato da una copia e prima confronta questo varco: riprova tra un momento",
        notPaired: "nessuna centralina è ancora abbinata a questo varco",
        unknownReason: "il varco non ha dato un motivo che conosciamo")
}

extension GatesWords {
    /// Spanish.
    public static let es = GatesWords(
        decimalSign: ",",
        gates: "Accesos",
        open: "Abrir",
        openGate: { "Abrir \($0)" },
        ready: "listo",
        stateNotReachable: "sin conexión",
        stateNotPaired: "sin controlador",
        stateOffline: "ahora no se sabe",
        noGates: "Aún no hay accesos para ti",
        noGatesDetail:
            "Los accesos aparecen aquí cuando tu rol en este lugar los incluye. Quien lo gestiona puede añadirlos.",
        accessOver: "Tu acceso aquí ha terminado",
        accessOverDetail: "Si no debería ser así, pregunta al gestor de este lugar.",
        lastOpened: { "última apertura \($0)" },
        allGates: "Todos los accesos",
        otherPlaces: "Mis lugares",
        badge: "Credencial",
        badgeNumber: { "Credencial \($0)" },
        role: "Rol",
        place: "Lugar",
        headlineReady: "Listo",
        headlineNotReachable: "Sin conexión",
        headlineNotPaired: "Aún no está listo",
        headlineOffline: "Sin conexión",
        headlineDenied: "Cerrado para ti",
        headlineAsking: "Preguntando",
        headlineOpened: "Abierto",
        headlineRefused: "No se ha abierto",
        headlineUnconfirmed: "Sin confirmar",
        readyDetail: "Toca cuando estés delante.",
        notReachableDetail: "El acceso no está conectado ahora. El botón vuelve en cuanto vuelva el acceso.",
        notPairedDetail:
            "Ningún controlador está emparejado aún con este acceso. Puede hacerlo el instalador de la sede.",
        offlineDetail: "La apertura pasa por el hub, al que este dispositivo no llega ahora.",
        askingHub: "Preguntando al acceso…",
        waitingForGate: "El hub dice que sí, esperando al acceso…",
        confirmedIn: { "confirmado por el acceso · \($0) s" },
        confirmed: "confirmado por el acceso",
        noHub: "Este dispositivo no llega al hub. Comprueba la red y toca otra vez.",
        noHubAnswer: "El hub no responde. Mira si el acceso está abierto antes de tocar otra vez.",
        notAccepted: "El hub no lo ha aceptado. No se ha abierto nada.",
        tooOften: {
            "Has pedido abrir este acceso 30 veces en un minuto. No se ha abierto nada. Inténtalo de nuevo en \($0)."
        },
        notValid: "el acceso no ha reconocido esta llave",
        clockUntrusted: "el acceso aún no sabe la hora, prueba otra vez en un momento",
        notYet: "este pase aún no vale",
        expired: "este pase ha caducado",
        outsideInterval: "cerrado para ti a esta hora",
        epochOld: "tus derechos han cambiado desde que se hizo este pase",
        revoked: "este pase ha sido retirado",
        caveatUnmet: "no se cumple una condición de este pase",
        needsHub: "el acceso debe preguntar al hub y no llega a él",
        journalFull: "el acceso no puede registrar más hasta que llegue al hub",
        nonceUsed: "esta petición ya se ha usado, toca otra vez",
        relayFailed: "el acceso ha dicho que sí, pero la cerradura no ha respondido",
        alreadyUsed: "este pase ya se ha usado para esta petición, toca otra vez",
        otherIntent: "este acceso no hace lo que se ha pedido",
        wrongGate: "este pase es para otro acceso",
        hubOnly: "este acceso solo se abre a través del hub",
        noAnswer: "enviado, pero el acceso no ha confirmado: mira si está abierto",
        notReachable: "el acceso no está conectado ahora",
        hubRestarted: "el hub se reinició mientras preguntaba al acceso: mira si está abierto",
        hubRestored: "el hub se restauró desde una copia y antes compara este acceso: prueba de nuevo en un momento",
        notPaired: "ningún controlador está emparejado aún con este acceso",
        unknownReason: "el acceso no ha dado un motivo que conozcamos")
}

extension GatesWords {
    /// Every code for which `gateReason` has words.
    public static let reasonCodes = [
        "notValid", "clockUntrusted", "notYet", "expired", "outsideInterval", "epochOld",
        "revoked", "caveatUnmet", "needsHub", "journalFull", "nonceUsed", "relayFailed",
        "alreadyUsed", "otherIntent", "wrongGate", "hubOnly", "noAnswer", "notReachable",
        "hubRestarted", "hubRestored", "notPaired",
    ]

    /// Why a gate, or the hub on its behalf, did not open: for a chip or a line, beginning in lower case.
    public func gateReason(code: String) -> String {
        switch code {
        case "notValid": notValid
        case "clockUntrusted": clockUntrusted
        case "notYet": notYet
        case "expired": expired
        case "outsideInterval": outsideInterval
        case "epochOld": epochOld
        case "revoked": revoked
        case "caveatUnmet": caveatUnmet
        case "needsHub": needsHub
        case "journalFull": journalFull
        case "nonceUsed": nonceUsed
        case "relayFailed": relayFailed
        case "alreadyUsed": alreadyUsed
        case "otherIntent": otherIntent
        case "wrongGate": wrongGate
        case "hubOnly": hubOnly
        case "noAnswer": noAnswer
        case "notReachable": notReachable
        case "hubRestarted": hubRestarted
        case "hubRestored": hubRestored
        case "notPaired": notPaired
        default: unknownReason
        }
    }

    /// "confirmed by the gate · 0.4 s", with the decimal sign of the language.
    public func confirmed(milliseconds: Int) -> String {
        // Rounded up: nobody believes that a door took no time.
        let tenths = max((milliseconds + 99) / 100, 1)
        return confirmedIn("\(tenths / 10)\(decimalSign)\(tenths % 10)")
    }
}
