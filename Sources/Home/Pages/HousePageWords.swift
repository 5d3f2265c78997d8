import Accounts
import Identity

struct HousePageWords: Sendable {
    /// That a house is in alarm and its cause is over, of what, and what leads to silence.
    let sirenSounds: String
    let causeOver: String
    let causeOverOf: @Sendable (String) -> String
    let toSilence: String
    /// What leads to the page of an alarm, and of a fault.
    let alarmDo: String
    let faultDo: String
    let lastContact: String
    let air: String
    let noAir: String
    let arm: String
    let disarm: String
    let toSafety: String
    let toCare: String
    let devices: String
    let firstTitle: String
    let firstDetail: String
    let firstNeeds: [String]
    let firstAsk: String
    let awayTitle: String
    let awaySince: @Sendable (String) -> String
    let awayDo: String
    let awaySteps: [String]
    let awayBox: String
    let awayNoBox: String
    let partlyAway: @Sendable (String) -> String
    let settings: String
    let gates: String
    let all: String

    static func `in`(_ language: Language) -> HousePageWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = HousePageWords(
        sirenSounds: "The siren sounds", causeOver: "What began the alarm is over.",
        causeOverOf: { "It is over: \($0)." }, toSilence: "Silence the siren",
        alarmDo: "What to do and whom to call", faultDo: "Details", lastContact: "last contact", air: "Air",
        noAir: "No sensor looks at the air here.", arm: "Arm",
        disarm: "Disarm",
        toSafety: "Safety", toCare: "Air and fan", devices: "Devices", firstTitle: "Connect the first device",
        firstDetail: "This house has nothing that measures or sounds yet. What it takes:",
        firstNeeds: [
            "the SafeAndCare box, or any device that speaks MQTT, and its power",
            "a network in the house from which the hub can be reached",
            "two minutes: the next page shows a code or a password, and waits until the device is there",
        ],
        firstAsk: "Whoever owns the house, or installs its devices, connects the first one.",
        awayTitle: "No connection to this house", awaySince: { "The hub heard it last: \($0)." },
        awayDo: "What to do",
        awaySteps: [
            "Ask somebody there whether there is power.",
            "Switch the router off and on again; wait three minutes.",
            "Look whether the light of the box is on; unplug it for ten seconds when it is not.",
            "If nothing helps, connect the box anew from the page of devices.",
        ],
        awayBox:
            "The box guards the house by itself meanwhile: thresholds, siren, fan and tags work, and what happens is told when it is back.",
        awayNoBox: "Nothing in this house raises an alarm by itself while it is away: it has no box.",
        partlyAway: { "Not connected: \($0)" }, settings: "Settings", gates: "Gates of this house",
        all: "All houses")

    private static let it = HousePageWords(
        sirenSounds: "La sirena suona", causeOver: "La causa dell’allarme è passata.",
        causeOverOf: { "È passato: \($0)." }, toSilence: "Spegni la sirena",
        alarmDo: "Che cosa fare e chi chiamare", faultDo: "Dettagli", lastContact: "ultimo contatto", air: "Aria",
        noAir: "Qui nessun sensore guarda l’aria.", arm: "Inserisci",
        disarm: "Disinserisci", toSafety: "Sicurezza", toCare: "Aria e ventola", devices: "Dispositivi",
        firstTitle: "Collega il primo dispositivo",
        firstDetail: "Questa casa non ha ancora nulla che misuri o suoni. Serve:",
        firstNeeds: [
            "la scatola SafeAndCare, o un dispositivo che parla MQTT, con la sua corrente",
            "una rete in casa da cui si raggiunge l’hub",
            "due minuti: la pagina seguente mostra un codice o una password, e aspetta che il dispositivo ci sia",
        ],
        firstAsk: "Il primo lo collega chi possiede la casa o ne installa i dispositivi.",
        awayTitle: "Nessun collegamento con questa casa", awaySince: { "L’hub l’ha sentita l’ultima volta: \($0)." },
        awayDo: "Che cosa fare",
        awaySteps: [
            "Chiedi a qualcuno lì se c’è corrente.", "Spegni e riaccendi il router; aspetta tre minuti.",
            "Guarda se la luce della scatola è accesa; se no, staccala per dieci secondi.",
            "Se nulla aiuta, ricollega la scatola dalla pagina dei dispositivi.",
        ],
        awayBox:
            "Intanto la scatola sorveglia la casa da sola: soglie, sirena, ventola e tag funzionano, e ciò che succede viene detto quando torna.",
        awayNoBox: "Mentre non c’è collegamento nulla in questa casa dà l’allarme da sé: non ha una scatola.",
        partlyAway: { "Non collegati: \($0)" }, settings: "Impostazioni", gates: "Varchi di questa casa",
        all: "Tutte le case")

    private static let es = HousePageWords(
        sirenSounds: "Suena la sirena", causeOver: "La causa de la alarma ha pasado.",
        causeOverOf: { "Ha pasado: \($0)." }, toSilence: "Apagar la sirena",
        alarmDo: "Qué hacer y a quién llamar", faultDo: "Detalles", lastContact: "último contacto", air: "Aire",
        noAir: "Aquí ningún sensor mira el aire.", arm: "Armar",
        disarm: "Desarmar", toSafety: "Seguridad", toCare: "Aire y ventilador", devices: "Dispositivos",
        firstTitle: "Conecta el primer dispositivo",
        firstDetail: "Esta casa aún no tiene nada que mida o suene. Hace falta:",
        firstNeeds: [
            "la caja SafeAndCare, o un dispositivo que hable MQTT, con su corriente",
            "una red en la casa desde la que se llegue al hub",
            "dos minutos: la página siguiente muestra un código o una contraseña, y espera hasta que el dispositivo esté",
        ],
        firstAsk: "El primero lo conecta quien es propietario de la casa o instala sus dispositivos.",
        awayTitle: "Sin conexión con esta casa", awaySince: { "El hub la oyó por última vez: \($0)." },
        awayDo: "Qué hacer",
        awaySteps: [
            "Pregunta a alguien allí si hay corriente.", "Apaga y enciende el router; espera tres minutos.",
            "Mira si la luz de la caja está encendida; si no, desenchúfala diez segundos.",
            "Si nada ayuda, conecta la caja de nuevo desde la página de dispositivos.",
        ],
        awayBox:
            "Mientras tanto la caja vigila la casa sola: umbrales, sirena, ventilador y tags funcionan, y lo que pasa se cuenta cuando vuelve.",
        awayNoBox: "Mientras no hay conexión nada en esta casa da la alarma por sí mismo: no tiene caja.",
        partlyAway: { "Sin conexión: \($0)" }, settings: "Ajustes", gates: "Accesos de esta casa",
        all: "Todas las casas")
}
