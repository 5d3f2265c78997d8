import Accounts
import Safeguard

/// The words of the page on which a house is armed and disarmed.
struct SafetyWords: Sendable {
    let until: String
    let left: String
    let arm: String
    let home: String
    let away: String
    let night: String
    let vacation: String
    let disarm: String
    let code: String
    let codeHint: String
    let proveInstead: String
    let silence: String
    let reset: String
    let silenced: String
    let exercise: String
    let degraded: String
    let silent: String
    let standsOpen: String
    let missing: String
    let bypassed: String
    let trips: String
    let openNow: String
    let closeOrLeave: String
    let leaveOut: String
    let armAnyway: String
    let inAlarm: String
    let wrongCode: String
    let wait: @Sendable (Int) -> String
    let mayNot: String
    let nobody: String
    let did: [HousePanel.Act.Kind: String]
    let sensors: String
    let noSensors: String
    let noSensorsDetail: String
    let nothing: String
    let environmental: String
    let motion: String
    let door: String
    let tamper: String
    let settings: String
    let openValve: String
    let openValveDetail: String
    let valveOrdered: String
    let boxAway: String

    static func `in`(_ language: Language) -> SafetyWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func mode(_ mode: ArmMode) -> String {
        switch mode {
        case .home: home
        case .away: away
        case .night: night
        case .vacation: vacation
        }
    }

    func kind(_ kind: SensorClass?) -> String {
        switch kind {
        case .environmental: environmental
        case .motion: motion
        case .door: door
        case .tamper: tamper
        case nil: nothing
        }
    }

    func weakness(_ weakness: HousePanel.Weakness) -> String {
        switch weakness {
        case .silent: silent
        case .open: standsOpen
        case .missing: missing
        }
    }

    private static let en = SafetyWords(
        until: "until", left: "{t} left", arm: "Arm", home: "People inside", away: "Nobody inside",
        night: "For the night", vacation: "For long", disarm: "Disarm", code: "Code of the house",
        codeHint: "4 to 8 digits", proveInstead: "Show who you are instead", silence: "Silence the siren",
        reset: "End the alarm", silenced: "The siren is off; the alarm stands.", exercise: "This is an exercise.",
        degraded: "Armed, but not everywhere", silent: "is silent", standsOpen: "stands open",
        missing: "no longer watches",
        bypassed: "Left out until somebody disarms", trips: "What was seen", openNow: "Open now",
        closeOrLeave: "Something is open. Close it, or leave it out this time.", leaveOut: "Leave out this time",
        armAnyway: "Arm, and leave these out", inAlarm: "An alarm is on. Disarm it first.",
        wrongCode: "That is no code of this house. It stands as it was.",
        wait: { "Too many wrong codes. Try again in \($0) seconds, or show who you are." },
        mayNot: "You see how the house stands. Its owner can let you arm it.", nobody: "the hub",
        did: [
            .armed: "armed it", .disarmed: "disarmed it", .silenced: "silenced the siren", .reset: "ended the alarm",
            .called: "called for help",
        ], sensors: "What watches", noSensors: "Nothing watches here yet",
        noSensorsDetail: "Connect a sensor for doors, motion or vibration, and it appears here.", nothing: "nothing",
        environmental: "air: always", motion: "motion: when nobody is inside", door: "door or window: when armed",
        tamper: "the alarm itself: at once when armed", settings: "Delays, sensors, codes and tags",
        openValve: "Open the gas valve",
        openValveDetail: "Only when nobody smells gas. You show who you are before it opens.",
        valveOrdered: "The box was told to open its valve.", boxAway: "The box has no connection now.")

    private static let it = SafetyWords(
        until: "fino alle", left: "ancora {t}", arm: "Inserisci", home: "Qualcuno è in casa",
        away: "Nessuno in casa", night: "Per la notte", vacation: "A lungo", disarm: "Disinserisci",
        code: "Codice della casa", codeHint: "da 4 a 8 cifre", proveInstead: "Mostra invece chi sei",
        silence: "Silenzia la sirena", reset: "Termina l’allarme",
        silenced: "La sirena è spenta; l’allarme resta.", exercise: "È un’esercitazione.",
        degraded: "Inserito, ma non dappertutto", silent: "tace", standsOpen: "è aperto", missing: "non sorveglia più",
        bypassed: "Esclusi finché qualcuno disinserisce", trips: "Che cosa si è visto", openNow: "Aperto adesso",
        closeOrLeave: "Qualcosa è aperto. Chiudilo, o escludilo questa volta.",
        leaveOut: "Escludi questa volta", armAnyway: "Inserisci, ed escludi questi",
        inAlarm: "C’è un allarme. Prima disinserisci.",
        wrongCode: "Non è un codice di questa casa. Resta com’era.",
        wait: { "Troppi codici sbagliati. Riprova tra \($0) secondi, o mostra chi sei." },
        mayNot: "Vedi come sta la casa. Chi la possiede può permetterti di inserirla.", nobody: "l’hub",
        did: [
            .armed: "ha inserito", .disarmed: "ha disinserito", .silenced: "ha silenziato la sirena",
            .reset: "ha terminato l’allarme", .called: "ha chiesto aiuto",
        ], sensors: "Che cosa sorveglia", noSensors: "Qui ancora nulla sorveglia",
        noSensorsDetail: "Collega un sensore per porte, movimento o vibrazione: comparirà qui.", nothing: "nulla",
        environmental: "aria: sempre", motion: "movimento: quando nessuno è in casa",
        door: "porta o finestra: quando è inserito", tamper: "l’allarme stesso: subito quando è inserito",
        settings: "Ritardi, sensori, codici e tag", openValve: "Apri la valvola del gas",
        openValveDetail: "Solo se nessuno sente odore di gas. Prima che si apra mostri chi sei.",
        valveOrdered: "La centralina ha l’ordine di aprire la valvola.",
        boxAway: "La centralina ora non ha collegamento.")

    private static let es = SafetyWords(
        until: "hasta las", left: "quedan {t}", arm: "Armar", home: "Hay gente dentro", away: "No hay nadie",
        night: "Para la noche", vacation: "Por mucho tiempo", disarm: "Desarmar", code: "Código de la casa",
        codeHint: "de 4 a 8 cifras", proveInstead: "Mostrar en su lugar quién eres",
        silence: "Silenciar la sirena", reset: "Terminar la alarma",
        silenced: "La sirena está apagada; la alarma sigue.", exercise: "Es un simulacro.",
        degraded: "Armada, pero no en todas partes", silent: "calla", standsOpen: "está abierto",
        missing: "ya no vigila",
        bypassed: "Excluidos hasta que alguien desarme", trips: "Lo que se ha visto", openNow: "Abierto ahora",
        closeOrLeave: "Hay algo abierto. Ciérralo, o exclúyelo esta vez.", leaveOut: "Excluir esta vez",
        armAnyway: "Armar, y excluir estos", inAlarm: "Hay una alarma. Primero desarma.",
        wrongCode: "No es un código de esta casa. Sigue como estaba.",
        wait: { "Demasiados códigos equivocados. Prueba dentro de \($0) segundos, o muestra quién eres." },
        mayNot: "Ves cómo está la casa. Su dueño puede dejarte armarla.", nobody: "el hub",
        did: [
            .armed: "la armó", .disarmed: "la desarmó", .silenced: "silenció la sirena",
            .reset: "terminó la alarma", .called: "pidió ayuda",
        ], sensors: "Lo que vigila", noSensors: "Aquí aún no vigila nada",
        noSensorsDetail: "Conecta un sensor de puertas, movimiento o vibración y aparecerá aquí.", nothing: "nada",
        environmental: "aire: siempre", motion: "movimiento: cuando no hay nadie",
        door: "puerta o ventana: cuando está armada", tamper: "la alarma misma: enseguida cuando está armada",
        settings: "Retardos, sensores, códigos y etiquetas", openValve: "Abrir la válvula del gas",
        openValveDetail: "Solo si nadie huele a gas. Antes de que se abra muestras quién eres.",
        valveOrdered: "La caja tiene la orden de abrir su válvula.", boxAway: "La caja no tiene conexión ahora.")
}
