import Accounts
import Household
import Identity

/// The words of connecting something to a house.
struct GatewayWords: Sendable {
    let connect: String
    let devices: String
    let what: String
    let box: String
    let boxDetail: String
    let device: String
    let deviceDetail: String
    let bridge: String
    let bridgeDetail: String
    let name: String
    let nameHint: String
    let add: String
    let connected: String
    let notConnected: String
    let notPaired: String
    let pair: String
    let codeDetail: String
    let pairAgain: String
    let pairAgainDetail: String
    let passwordDetail: String
    let makePassword: String
    let onlyNow: String
    let copy: String
    let discoveryDetail: String
    let untaken: String
    let untakenDetail: String
    let untakenMore: @Sendable (Int) -> String
    let retire: String
    let retireDetail: String
    let refusedName: String
    let refusedKind: String
    let refusedMany: String
    let refusedManyEver: String
    let refusedBroker: String

    static func `in`(_ language: Language) -> GatewayWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func kind(_ kind: Gateway.Kind) -> String {
        switch kind {
        case .box: box
        case .device: device
        case .bridge: bridge
        }
    }

    func kindDetail(_ kind: Gateway.Kind) -> String {
        switch kind {
        case .box: boxDetail
        case .device: deviceDetail
        case .bridge: bridgeDetail
        }
    }

    /// Nil where the page itself is not there.
    func refusal(_ refusal: GatewayRefusal) -> String? {
        switch refusal {
        case .name: refusedName
        case .kind: refusedKind
        case .tooMany: refusedMany
        case .tooManyEver: refusedManyEver
        case .noBroker: refusedBroker
        case .unknown, .notABox: nil
        }
    }

    private static let en = GatewayWords(
        connect: "Connect something", devices: "Devices", what: "What do you connect?", box: "A SafeAndCare box",
        boxDetail: "Gas, motion, siren, fan. It is paired by a code, and its alarm works without the hub.",
        device: "A device, or a hub of devices",
        deviceDetail: "Zigbee2MQTT, ESPHome, Tasmota: whatever speaks MQTT. It is given a user name and a password.",
        bridge: "A broker of your own",
        bridgeDetail: "A Mosquitto at home that passes everything on, with all devices behind it.", name: "Name",
        nameHint: "As people call it: Kitchen box.", add: "Add", connected: "connected",
        notConnected: "not connected", notPaired: "not paired yet", pair: "Get a pairing code",
        codeDetail: "Get a code here, then type it in at the box.", pairAgain: "Pair again",
        pairAgainDetail: "For a box that was reset or replaced. The old one is shut out once the new one is paired.",
        passwordDetail:
            "It comes in by a password of its own, and hears and says only what is its own. Whoever uses an older password is cut off.",
        makePassword: "Make a password",
        onlyNow: "The password is shown only now. Copy what you need, then leave this page.", copy: "Copy",
        discoveryDetail: "Devices that describe themselves appear by themselves within seconds.",
        untaken: "Not used",
        untakenDetail:
            "Its devices describe this, and it cannot be used as they describe it. What else they describe is used.",
        untakenMore: { "There may be more: these are the first \($0)." },
        retire: "Take out of use",
        retireDetail: "It is shut out, with every device behind it. What was measured stays.",
        refusedName: "Write a name of at most 80 characters.", refusedKind: "Choose what you connect.",
        refusedMany: "A house has at most 64 connections.",
        refusedManyEver: "A house has at most 1,024 connections, including the removed ones.",
        refusedBroker: "This hub has no broker, so nothing can be connected.")

    private static let it = GatewayWords(
        connect: "Collega qualcosa", devices: "Dispositivi", what: "Che cosa colleghi?",
        box: "Una centralina SafeAndCare",
        boxDetail: "Gas, movimento, sirena, ventola. Si abbina con un codice, e il suo allarme funziona senza hub.",
        device: "Un dispositivo, o un gateway di dispositivi",
        deviceDetail: "Zigbee2MQTT, ESPHome, Tasmota: tutto ciò che parla MQTT. Riceve un nome utente e una password.",
        bridge: "Un tuo broker",
        bridgeDetail: "Un Mosquitto di casa che inoltra tutto, con i dispositivi che ha dietro.",
        name: "Nome", nameHint: "Come lo chiamano tutti: Centralina cucina.", add: "Aggiungi", connected: "collegato",
        notConnected: "non collegato", notPaired: "non ancora abbinato", pair: "Chiedi un codice",
        codeDetail: "Chiedi qui un codice, poi scrivilo sulla centralina.", pairAgain: "Abbina di nuovo",
        pairAgainDetail:
            "Per una centralina azzerata o sostituita. La vecchia resta fuori appena la nuova è abbinata.",
        passwordDetail:
            "Entra con una password propria, e sente e dice solo ciò che è suo. Chi usa una password precedente viene scollegato.",
        makePassword: "Crea una password",
        onlyNow: "La password si vede solo ora. Copia ciò che serve, poi lascia questa pagina.", copy: "Copia",
        discoveryDetail: "I dispositivi che si descrivono da soli appaiono da soli in pochi secondi.",
        untaken: "Non usato",
        untakenDetail:
            "I suoi dispositivi descrivono questo, e così come è descritto non si può usare. Il resto che descrivono si usa.",
        untakenMore: { "Può esserci altro: questi sono i primi \($0)." },
        retire: "Metti fuori servizio",
        retireDetail: "Resta fuori, con tutti i dispositivi che ha dietro. Le misure si conservano.",
        refusedName: "Scrivi un nome di al massimo 80 caratteri.", refusedKind: "Scegli che cosa colleghi.",
        refusedMany: "Una casa ha al massimo 64 collegamenti.",
        refusedManyEver: "Una casa ha al massimo 1024 collegamenti, compresi quelli rimossi.",
        refusedBroker: "Questo hub non ha un broker: non si può collegare nulla.")

    private static let es = GatewayWords(
        connect: "Conectar algo", devices: "Dispositivos", what: "¿Qué conectas?", box: "Una caja SafeAndCare",
        boxDetail: "Gas, movimiento, sirena, ventilador. Se empareja con un código, y su alarma funciona sin el hub.",
        device: "Un dispositivo, o una pasarela de dispositivos",
        deviceDetail:
            "Zigbee2MQTT, ESPHome, Tasmota: todo lo que habla MQTT. Recibe un nombre de usuario y una contraseña.",
        bridge: "Un broker propio",
        bridgeDetail: "Un Mosquitto en casa que lo transmite todo, con los dispositivos que tiene detrás.",
        name: "Nombre", nameHint: "Como lo llama la gente: Caja de la cocina.", add: "Añadir", connected: "conectado",
        notConnected: "sin conexión", notPaired: "todavía sin emparejar", pair: "Pedir un código",
        codeDetail: "Pide aquí un código y escríbelo después en la caja.", pairAgain: "Emparejar otra vez",
        pairAgainDetail:
            "Para una caja restablecida o sustituida. La antigua queda fuera en cuanto la nueva está emparejada.",
        passwordDetail:
            "Entra con una contraseña propia, y oye y dice solo lo que es suyo. Quien use una contraseña anterior queda desconectado.",
        makePassword: "Crear una contraseña",
        onlyNow: "La contraseña se ve solo ahora. Copia lo que necesites y deja después esta página.", copy: "Copiar",
        discoveryDetail: "Los dispositivos que se describen a sí mismos aparecen solos en unos segundos.",
        untaken: "No se usa",
        untakenDetail:
            "Sus dispositivos describen esto, y tal como lo describen no se puede usar. Lo demás que describen se usa.",
        untakenMore: { "Puede haber más: estos son los primeros \($0)." },
        retire: "Poner fuera de uso",
        retireDetail: "Queda fuera, con todos los dispositivos que tiene detrás. Lo medido se conserva.",
        refusedName: "Escribe un nombre de 80 caracteres como máximo.", refusedKind: "Elige qué conectas.",
        refusedMany: "Una casa tiene como máximo 64 conexiones.",
        refusedManyEver: "Una casa tiene como máximo 1024 conexiones, incluidas las eliminadas.",
        refusedBroker: "Este hub no tiene broker: no se puede conectar nada.")
}
