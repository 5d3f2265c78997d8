import Accounts
import Identity
import Pages

/// The words of the pages on which managers look after gates.
struct GateAdminWords: Sendable {
    let manage: String
    let title: String
    let add: String
    let newGate: String
    let none: String
    let noneDetail: String
    let name: String
    let nameHint: String
    let pulse: String
    let pulseHint: String
    let policy: String
    let save: String
    let saved: String
    let controller: String
    let gate: String
    let state: String
    let opensFor: @Sendable (String) -> String
    let connected: String
    let notConnected: String
    let waiting: String
    let notPaired: String
    let outOfUse: String
    let connectedDetail: String
    let notConnectedDetail: String
    let notPairedDetail: String
    let waitingDetail: String
    let pair: String
    let newCode: String
    let pairAnother: String
    let pairAnotherDetail: String
    let code: String
    let typeThis: String
    let folderHint: String
    /// Where the bus listens on this machine alone.
    let onlyHere: String
    let thenLetters: String
    /// The time on the wall, and the minutes.
    let codeEnds: @Sendable (String, Int) -> String
    let codeEnded: String
    let lookAgain: String
    let noBus: String
    let retire: String
    let retireTitle: @Sendable (String) -> String
    let retireDetail: String
    let retireUndo: String
    let keep: String
    /// The day.
    let retiredOn: @Sendable (String) -> String
    let retiredDetail: String
    let reinstate: String
    let reinstated: String
    let refusedName: String
    let refusedTaken: String
    let refusedPulse: String
    let refusedPolicy: String
    let refusedTooMany: String
    let refusedUnknown: String
    let refusedRetired: String

    static func `in`(_ language: Language) -> GateAdminWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func refusal(_ refusal: GateRefusal) -> String {
        switch refusal {
        case .name: refusedName
        case .taken: refusedTaken
        case .pulse: refusedPulse
        case .policy: refusedPolicy
        case .tooMany: refusedTooMany
        case .unknown: refusedUnknown
        case .retired: refusedRetired
        }
    }

    private static let en = GateAdminWords(
        manage: "Manage gates", title: "All gates", add: "Add a gate", newGate: "New gate", none: "No gate yet",
        noneDetail:
            "A gate is anything that opens: a door, a turnstile, a barrier. Give it a name, then pair its controller.",
        name: "Name", nameHint: "As people call it: Main entrance.", pulse: "Opens for, in seconds",
        pulseHint: "How long the lock is released: 0.5 to 30.", policy: "Who decides", save: "Save", saved: "Saved.",
        controller: "Controller", gate: "Gate", state: "State", opensFor: { "opens for \($0) s" },
        connected: "connected", notConnected: "not connected", waiting: "waiting for its controller",
        notPaired: "no controller yet", outOfUse: "out of use",
        connectedDetail: "The controller answers.",
        notConnectedDetail: "The controller is not heard. It goes on opening for phones that hold a pass.",
        notPairedDetail: "Get a code here, then type it in at the controller.",
        waitingDetail: "As soon as the controller has the code, this gate can open.",
        pair: "Get a pairing code", newCode: "New code", pairAnother: "Pair another controller",
        pairAnotherDetail:
            "For a controller that was replaced. The old one no longer opens once the new one is paired.",
        code: "Pairing code", typeThis: "At the controller, run:",
        folderHint: "FOLDER is where the controller keeps its data.",
        onlyHere:
            "This address works on the hub's own machine only. For a controller on another machine, start the hub with --bus-listen ADDRESS:PORT.",
        thenLetters: "Then type the 26 characters. Spaces and upper or lower case do not matter.",
        codeEnds: { "Good until \($0), for \($1) min more, and for one controller." },
        codeEnded: "The code has ended. Get a new one.", lookAgain: "Refresh",
        noBus: "This hub has no bus, so no controller can be paired.",
        retire: "Take out of use", retireTitle: { "Take \($0) out of use?" },
        retireDetail: "Nobody opens it any more, and the passes that phones hold for it end. Its log stays.",
        retireUndo: "You can put it back into use later: the roles that have it keep it.", keep: "Keep it in use",
        retiredOn: { "Out of use since \($0)." }, retiredDetail: "Nobody opens it.", reinstate: "Put back into use",
        reinstated: "It is in use again.", refusedName: "Write a name of at most 80 characters.",
        refusedTaken: "A gate has that name already, perhaps one that is out of use.",
        refusedPulse: "Write a number of seconds from 0.5 to 30.", refusedPolicy: "Choose who decides.",
        refusedTooMany: "A site has at most 1,000 gates, with those that are out of use.",
        refusedUnknown: "This gate no longer exists.", refusedRetired: "Put the gate back into use first.")

    private static let it = GateAdminWords(
        manage: "Gestisci i varchi", title: "Tutti i varchi", add: "Aggiungi un varco", newGate: "Nuovo varco",
        none: "Ancora nessun varco",
        noneDetail:
            "Un varco è tutto ciò che si apre: una porta, un tornello, una sbarra. Dagli un nome, poi abbina la sua centralina.",
        name: "Nome", nameHint: "Come lo chiamano tutti: Ingresso principale.", pulse: "Resta aperto, in secondi",
        pulseHint: "Per quanto tempo la serratura si sblocca: da 0,5 a 30.", policy: "Chi decide", save: "Salva",
        saved: "Salvato.", controller: "Centralina", gate: "Varco", state: "Stato", opensFor: { "apre per \($0) s" },
        connected: "collegata", notConnected: "non collegata", waiting: "in attesa della centralina",
        notPaired: "ancora senza centralina", outOfUse: "fuori servizio",
        connectedDetail: "La centralina risponde.",
        notConnectedDetail: "La centralina non si sente. Continua ad aprire ai telefoni che hanno un lasciapassare.",
        notPairedDetail: "Chiedi qui un codice, poi scrivilo sulla centralina.",
        waitingDetail: "Appena la centralina riceve il codice, questo varco può aprirsi.",
        pair: "Chiedi un codice", newCode: "Nuovo codice", pairAnother: "Abbina un'altra centralina",
        pairAnotherDetail:
            "Per una centralina sostituita. La vecchia non apre più appena la nuova è abbinata.",
        code: "Codice di abbinamento", typeThis: "Sulla centralina, esegui:",
        folderHint: "FOLDER è la cartella in cui la centralina conserva i suoi dati.",
        onlyHere:
            "Questo indirizzo funziona solo sulla macchina dell'hub. Per una centralina su un'altra macchina, avvia l'hub con --bus-listen INDIRIZZO:PORTA.",
        thenLetters: "Poi scrivi i 26 caratteri. Spazi e maiuscole o minuscole non contano.",
        codeEnds: { "Vale fino alle \($0), ancora per \($1) min, e per una sola centralina." },
        codeEnded: "Il codice è scaduto. Chiedine uno nuovo.", lookAgain: "Aggiorna",
        noBus: "Questo hub non ha un bus: non si può abbinare alcuna centralina.",
        retire: "Metti fuori servizio", retireTitle: { "Mettere fuori servizio \($0)?" },
        retireDetail: "Nessuno lo apre più, e i lasciapassare sui telefoni finiscono. Il suo registro resta.",
        retireUndo: "Puoi rimetterlo in servizio più avanti: i ruoli che lo hanno lo conservano.",
        keep: "Lascialo in servizio", retiredOn: { "Fuori servizio dal \($0)." }, retiredDetail: "Nessuno lo apre.",
        reinstate: "Rimetti in servizio", reinstated: "È di nuovo in servizio.",
        refusedName: "Scrivi un nome di al massimo 80 caratteri.",
        refusedTaken: "Un varco ha già questo nome, forse uno fuori servizio.",
        refusedPulse: "Scrivi un numero di secondi da 0,5 a 30.", refusedPolicy: "Scegli chi decide.",
        refusedTooMany: "Una sede ha al massimo 1000 varchi, compresi quelli fuori servizio.",
        refusedUnknown: "Questo varco non esiste più.", refusedRetired: "Prima rimetti il varco in servizio.")

    private static let es = GateAdminWords(
        manage: "Gestionar los accesos", title: "Todos los accesos", add: "Añadir un acceso", newGate: "Nuevo acceso",
        none: "Todavía no hay accesos",
        noneDetail:
            "Un acceso es todo lo que se abre: una puerta, un torno, una barrera. Dale un nombre y luego empareja su controlador.",
        name: "Nombre", nameHint: "Como lo llama la gente: Entrada principal.", pulse: "Se abre durante, en segundos",
        pulseHint: "Cuánto tiempo permanece desbloqueada la cerradura: de 0,5 a 30.", policy: "Quién decide",
        save: "Guardar",
        saved: "Guardado.", controller: "Controlador", gate: "Acceso", state: "Estado",
        opensFor: { "se abre durante \($0) s" },
        connected: "conectado", notConnected: "sin conexión", waiting: "espera a su controlador",
        notPaired: "todavía sin controlador", outOfUse: "fuera de uso",
        connectedDetail: "El controlador responde.",
        notConnectedDetail: "No se oye al controlador. Sigue abriendo a los teléfonos que tienen un pase.",
        notPairedDetail: "Pide aquí un código y escríbelo después en el controlador.",
        waitingDetail: "En cuanto el controlador tenga el código, este acceso podrá abrirse.",
        pair: "Pedir un código", newCode: "Nuevo código", pairAnother: "Emparejar otro controlador",
        pairAnotherDetail:
            "Para un controlador sustituido. El antiguo deja de abrir en cuanto el nuevo está emparejado.",
        code: "Código de emparejamiento", typeThis: "En el controlador, ejecuta:",
        folderHint: "FOLDER es la carpeta en que el controlador guarda sus datos.",
        onlyHere:
            "Esta dirección solo funciona en la máquina del hub. Para un controlador en otra máquina, inicia el hub con --bus-listen DIRECCIÓN:PUERTO.",
        thenLetters: "Después escribe los 26 caracteres. Los espacios y las mayúsculas o minúsculas no importan.",
        codeEnds: { "Vale hasta las \($0), \($1) min más, y para un solo controlador." },
        codeEnded: "El código ha caducado. Pide uno nuevo.", lookAgain: "Actualizar",
        noBus: "Este hub no tiene bus: no se puede emparejar ningún controlador.",
        retire: "Poner fuera de uso", retireTitle: { "¿Poner fuera de uso \($0)?" },
        retireDetail: "Nadie lo abre ya, y los pases que guardan los teléfonos terminan. Su registro se conserva.",
        retireUndo: "Más adelante puedes volver a ponerlo en uso: los roles que lo tienen lo conservan.",
        keep: "Dejarlo en uso", retiredOn: { "Fuera de uso desde el \($0)." }, retiredDetail: "Nadie lo abre.",
        reinstate: "Volver a poner en uso", reinstated: "Está de nuevo en uso.",
        refusedName: "Escribe un nombre de 80 caracteres como máximo.",
        refusedTaken: "Un acceso ya tiene ese nombre, quizá uno fuera de uso.",
        refusedPulse: "Escribe un número de segundos de 0,5 a 30.", refusedPolicy: "Elige quién decide.",
        refusedTooMany: "Una sede tiene como máximo 1000 accesos, incluidos los que están fuera de uso.",
        refusedUnknown: "Este acceso ya no existe.", refusedRetired: "Primero vuelve a poner el acceso en uso.")
}
