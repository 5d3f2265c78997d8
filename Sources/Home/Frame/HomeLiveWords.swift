import Accounts
import Household
import Identity
import Safeguard

/// The words for how a house and everything in it is at this moment, shared by all of its pages.
struct HomeLiveWords: Sendable {
    let language: Language

    // MARK: ages; the count stands for `{n}`, and an island puts its own there

    let now: String
    let seconds: String
    let minutes: String
    let hours: String
    let days: String
    let never: String

    // MARK: sensors

    let waiting: String
    let live: String
    let warming: String
    let late: String
    let unavailable: String
    let isolated: String
    let nothingYet: String
    let on: String
    let off: String
    let yes: String
    let no: String
    let open: String
    let closed: String
    let moves: String
    let still: String
    let smoke: String
    let noSmoke: String
    let gas: String
    let noGas: String
    let noCO: String
    let notWatched: String
    let wet: String
    let dry: String
    let shaken: String
    let heat: String
    let noHeat: String
    let pressed: String
    let notPressed: String
    let picture: String

    // MARK: the panel

    let disarmed: String
    let arming: String
    let armedHome: String
    let armedAway: String
    let armedNight: String
    let armedVacation: String
    let pending: String
    let triggered: String

    // MARK: gateways

    let there: String
    let away: String

    // MARK: houses

    let fine: String
    let warmingUp: String
    let faulty: String
    let bypassed: String
    let thresholdsOff: String
    let noConnection: String
    let entering: String
    let alarm: String
    let empty: String
    let unwatched: String

    // MARK: the links of a house

    let house: String
    let care: String
    let safety: String
    let alarms: String
    let devices: String

    static func `in`(_ language: Language) -> HomeLiveWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// How a panel stands.
    func panel(_ state: PanelState) -> String {
        switch state {
        case .disarmed: disarmed
        case .arming: arming
        case .armedHome: armedHome
        case .armedAway: armedAway
        case .armedNight: armedNight
        case .armedVacation: armedVacation
        case .pending: pending
        case .triggered: triggered
        }
    }

    /// How a sensor is.
    func status(_ status: SensorStatus) -> String {
        switch status {
        case .waiting: waiting
        case .live: live
        case .warming: warming
        case .late: late
        case .unavailable: unavailable
        case .isolated: isolated
        }
    }

    /// What a yes or a no of a sensor means.
    func truth(_ value: Bool, of kind: SensorKind) -> String {
        switch kind {
        case .contact: value ? open : closed
        case .motion, .distance: value ? moves : still
        case .smoke: value ? smoke : noSmoke
        case .gas, .gasAlarm: value ? gas : noGas
        case .carbonMonoxide: value ? "CO" : noCO
        case .heat: value ? heat : noHeat
        case .panic: value ? pressed : notPressed
        case .moisture: value ? wet : dry
        case .vibration: value ? shaken : still
        default: value ? yes : no
        }
    }

    private static let en = HomeLiveWords(
        language: .en, now: "now", seconds: "{n} s ago", minutes: "{n} min ago", hours: "{n} h ago", days: "{n} d ago",
        never: "not yet", waiting: "no reading yet", live: "live", warming: "warming up",
        late: "not responding", unavailable: "not reachable", isolated: "set aside", nothingYet: "–", on: "on",
        off: "off", yes: "yes", no: "no", open: "open", closed: "closed", moves: "somebody moves", still: "still",
        smoke: "smoke", noSmoke: "no smoke", gas: "gas", noGas: "no gas", noCO: "no CO", notWatched: "raises no alarm",
        wet: "wet",
        dry: "dry", shaken: "shaken",
        heat: "fire", noHeat: "no fire", pressed: "pressed", notPressed: "not pressed", picture: "picture",
        disarmed: "Disarmed", arming: "Arming: leave now", armedHome: "Armed, people inside",
        armedAway: "Armed, nobody inside", armedNight: "Armed for the night", armedVacation: "Armed, vacation",
        pending: "Somebody came in", triggered: "Alarm", there: "connected", away: "no connection",
        fine: "All is well", warmingUp: "Warming up", faulty: "Something needs attention",
        bypassed: "Armed with sensors bypassed", thresholdsOff: "Gas and air alarms are off",
        noConnection: "No connection",
        entering: "Somebody came in", alarm: "Alarm", empty: "No device yet", unwatched: "No sensor in use",
        house: "House", care: "Care",
        safety: "Safety", alarms: "Alarms", devices: "Devices")

    private static let it = HomeLiveWords(
        language: .it, now: "adesso", seconds: "{n} s fa", minutes: "{n} min fa", hours: "{n} h fa", days: "{n} g fa",
        never: "non ancora", waiting: "ancora nessuna lettura", live: "dal vivo", warming: "si riscalda",
        late: "non risponde", unavailable: "non raggiungibile", isolated: "messo da parte", nothingYet: "–",
        on: "acceso", off: "spento", yes: "sì", no: "no", open: "aperto", closed: "chiuso",
        moves: "qualcuno si muove", still: "fermo", smoke: "fumo", noSmoke: "niente fumo", gas: "gas",
        noGas: "niente gas", noCO: "niente CO", notWatched: "non dà allarmi", wet: "bagnato", dry: "asciutto",
        shaken: "scosso",
        heat: "incendio",
        noHeat: "niente incendio", pressed: "premuto", notPressed: "non premuto", picture: "immagine",
        disarmed: "Disinserito", arming: "L’allarme si inserisce: esci ora", armedHome: "Inserito, qualcuno è in casa",
        armedAway: "Inserito, nessuno in casa", armedNight: "Inserito per la notte",
        armedVacation: "Inserito, vacanza", pending: "È entrato qualcuno", triggered: "Allarme",
        there: "collegato", away: "nessun collegamento", fine: "Tutto bene", warmingUp: "Si riscalda",
        faulty: "Qualcosa richiede attenzione", bypassed: "Inserito con sensori esclusi",
        thresholdsOff: "Allarmi gas e aria disattivati",
        noConnection: "Nessun collegamento", entering: "È entrato qualcuno",
        alarm: "Allarme", empty: "Ancora nessun dispositivo", unwatched: "Nessun sensore in uso", house: "Casa",
        care: "Aria", safety: "Sicurezza",
        alarms: "Allarmi", devices: "Dispositivi")

    private static let es = HomeLiveWords(
        language: .es, now: "ahora", seconds: "hace {n} s", minutes: "hace {n} min", hours: "hace {n} h",
        days: "hace {n} d", never: "todavía no", waiting: "aún sin lecturas", live: "en vivo",
        warming: "se calienta", late: "no responde", unavailable: "sin conexión",
        isolated: "apartado", nothingYet: "–", on: "encendido", off: "apagado", yes: "sí", no: "no", open: "abierto",
        closed: "cerrado", moves: "alguien se mueve", still: "quieto", smoke: "humo", noSmoke: "sin humo",
        gas: "gas", noGas: "sin gas", noCO: "sin CO", notWatched: "no da alarmas", wet: "mojado", dry: "seco",
        shaken: "sacudido",
        heat: "incendio",
        noHeat: "sin incendio", pressed: "pulsado", notPressed: "sin pulsar", picture: "imagen",
        disarmed: "Desarmada", arming: "Se arma: sal ahora", armedHome: "Armada, hay gente dentro",
        armedAway: "Armada, no hay nadie", armedNight: "Armada para la noche", armedVacation: "Armada, vacaciones",
        pending: "Ha entrado alguien", triggered: "Alarma", there: "conectado", away: "sin conexión",
        fine: "Todo está bien", warmingUp: "Se calienta", faulty: "Algo necesita atención",
        bypassed: "Armada con sensores excluidos", thresholdsOff: "Alarmas de gas y aire desactivadas",
        noConnection: "Sin conexión", entering: "Ha entrado alguien", alarm: "Alarma",
        empty: "Aún no hay dispositivos", unwatched: "Ningún sensor en uso", house: "Casa", care: "Aire",
        safety: "Seguridad", alarms: "Alarmas",
        devices: "Dispositivos")
}
