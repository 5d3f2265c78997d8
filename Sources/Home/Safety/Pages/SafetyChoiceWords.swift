import Accounts
import Identity

/// The words of the pages on which a house chooses how it is watched.
struct SafetyChoiceWords: Sendable {
    let title: String
    let saved: String
    let save: String
    let remove: String
    let delays: String
    let exit: String
    let entry: String
    let secondsHint: String
    let alarmTime: String
    let alarmTimeHint: String
    let disarms: String
    let disarmsDetail: String
    let asksCode: String
    let asksCodeDetail: String
    let badSeconds: String
    let codes: String
    let codesDetail: String
    let name: String
    let code: String
    let addCode: String
    let notDigits: String
    let wellKnown: String
    let taken: String
    let tooMany: String
    let badName: String
    let tags: String
    let tagsDetail: String
    let plainTags: String
    let box: String
    let learn: String
    let waiting: @Sendable (String) -> String
    let boxAway: String
    let noBox: String
    let sensors: String
    let meaning: String
    let distance: String
    let distanceHint: String
    let badDistance: String
    let whenSilent: String
    let whenSilentDetail: String

    static func `in`(_ language: Language) -> SafetyChoiceWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func refusal(_ refusal: HouseCodes.Refusal) -> (field: String, words: String) {
        switch refusal {
        case .name: ("name", badName)
        case .notDigits: ("code", notDigits)
        case .wellKnown: ("code", wellKnown)
        case .taken: ("code", taken)
        case .tooMany: ("code", tooMany)
        }
    }

    private static let en = SafetyChoiceWords(
        title: "Delays, codes, tags, sensors", saved: "It counts from now on.", save: "Save", remove: "Take away",
        delays: "Delays", exit: "time to leave", entry: "time to disarm after coming in",
        secondsHint: "0 to 600 seconds", alarmTime: "How long an alarm sounds", alarmTimeHint: "30 to 900 seconds",
        disarms: "Disarm when the alarm time is over",
        disarmsDetail: "Otherwise the house goes back to how it was before the alarm: armed, if it was armed.",
        asksCode: "Ask for a code to disarm",
        asksCodeDetail: "Or a password or passkey used in the last 10 minutes.",
        badSeconds: "A delay has 0 to 600 seconds, an alarm 30 to 900.", codes: "Codes",
        codesDetail:
            "Codes are asked for only while “Ask for a code to disarm” is on. The digits are not stored: replace a forgotten code with a new one.",
        name: "Whose",
        code: "Digits, 4 to 8", addCode: "Add the code", notDigits: "A code has 4 to 8 digits.",
        wellKnown: "This code is easy to guess. Choose another.", taken: "Choose other digits.",
        tooMany: "A house has at most ten codes.", badName: "A name has 1 to 80 characters.", tags: "Tags",
        tagsDetail: "A tag disarms at the box that has learnt it, also without a connection.",
        plainTags:
            "Other tag readers report what they read and disarm nothing: what they send could be replayed.",
        box: "Box", learn: "Learn a tag", waiting: { "Hold the tag of \($0) to the box now." },
        boxAway: "The box has no connection now, or knows 32 tags already.",
        noBox: "A tag needs a box: connect one first.", sensors: "What watches", meaning: "Function in the alarm",
        distance: "Motion if closer than (cm)", distanceHint: "5 to 400",
        badDistance: "A distance is between 5 and 400 cm.",
        whenSilent: "Treat a sensor that is not responding as an intrusion",
        whenSilentDetail: "After a minute, while the house is armed.")

    private static let it = SafetyChoiceWords(
        title: "Ritardi, codici, tag, sensori", saved: "Vale da adesso.", save: "Salva", remove: "Togli",
        delays: "Ritardi", exit: "tempo per uscire", entry: "tempo per disinserire dopo l’ingresso",
        secondsHint: "da 0 a 600 secondi", alarmTime: "Quanto suona un allarme",
        alarmTimeHint: "da 30 a 900 secondi", disarms: "Disinserisci quando il tempo dell’allarme è passato",
        disarmsDetail: "Altrimenti torna com’era prima dell’allarme: inserito, se era inserito.",
        asksCode: "Chiedi un codice per disinserire",
        asksCodeDetail: "In alternativa, password o passkey usate negli ultimi 10 minuti.",
        badSeconds: "Un ritardo ha da 0 a 600 secondi, un allarme da 30 a 900.", codes: "Codici",
        codesDetail:
            "I codici vengono chiesti solo se «Chiedi un codice per disinserire» è attivo. Le cifre non si conservano: se un codice è dimenticato, creane uno nuovo.",
        name: "Di chi",
        code: "Cifre, da 4 a 8", addCode: "Aggiungi il codice", notDigits: "Un codice ha da 4 a 8 cifre.",
        wellKnown: "Questo codice è facile da indovinare. Scegline un altro.", taken: "Scegli altre cifre.",
        tooMany: "Una casa ha al massimo dieci codici.", badName: "Un nome ha da 1 a 80 caratteri.", tags: "Tag",
        tagsDetail: "Un tag disinserisce alla centralina che lo ha imparato, anche senza collegamento.",
        plainTags:
            "Gli altri lettori dicono che cosa hanno letto e non disinseriscono nulla: chi ascolta potrebbe ripeterlo.",
        box: "Centralina", learn: "Impara un tag",
        waiting: { "Avvicina adesso il tag di \($0) alla centralina." },
        boxAway: "La centralina ora non ha collegamento, o conosce già 32 tag.",
        noBox: "Per un tag serve una centralina: prima collegane una.", sensors: "Che cosa sorveglia",
        meaning: "Funzione nell’allarme", distance: "Movimento se più vicino di (cm)", distanceHint: "da 5 a 400",
        badDistance: "Una distanza va da 5 a 400 cm.",
        whenSilent: "Considera un sensore che non risponde come un’intrusione",
        whenSilentDetail: "Dopo un minuto, con l’allarme inserito.")

    private static let es = SafetyChoiceWords(
        title: "Retardos, códigos, tags, sensores", saved: "Vale desde ahora.", save: "Guardar",
        remove: "Quitar", delays: "Retardos", exit: "tiempo para salir",
        entry: "tiempo para desarmar al entrar", secondsHint: "de 0 a 600 segundos",
        alarmTime: "Cuánto suena una alarma", alarmTimeHint: "de 30 a 900 segundos",
        disarms: "Desarmar cuando ha pasado el tiempo de la alarma",
        disarmsDetail: "Si no, vuelve a como estaba antes de la alarma: armada, si estaba armada.",
        asksCode: "Pedir un código para desarmar",
        asksCodeDetail: "O una contraseña o clave de acceso usada en los últimos 10 minutos.",
        badSeconds: "Un retardo tiene de 0 a 600 segundos, una alarma de 30 a 900.", codes: "Códigos",
        codesDetail:
            "Los códigos solo se piden si «Pedir un código para desarmar» está activo. Las cifras no se guardan: si se olvida un código, crea otro.",
        name: "De quién",
        code: "Cifras, de 4 a 8", addCode: "Añadir el código", notDigits: "Un código tiene de 4 a 8 cifras.",
        wellKnown: "Este código es fácil de adivinar. Elige otro.", taken: "Elige otras cifras.",
        tooMany: "Una casa tiene como mucho diez códigos.", badName: "Un nombre tiene de 1 a 80 caracteres.",
        tags: "Tags",
        tagsDetail: "Un tag desarma en la caja que lo ha aprendido, también sin conexión.",
        plainTags: "Los otros lectores dicen lo que han leído y no desarman nada: quien escucha podría repetirlo.",
        box: "Caja", learn: "Aprender un tag", waiting: { "Acerca ahora el tag de \($0) a la caja." },
        boxAway: "La caja no tiene conexión ahora, o conoce ya 32 tags.",
        noBox: "Un tag necesita una caja: conecta antes una.", sensors: "Lo que vigila",
        meaning: "Función en la alarma", distance: "Movimiento si está a menos de (cm)", distanceHint: "de 5 a 400",
        badDistance: "Una distancia va de 5 a 400 cm.",
        whenSilent: "Tratar un sensor que no responde como una intrusión",
        whenSilentDetail: "Al cabo de un minuto, con la alarma armada.")
}
