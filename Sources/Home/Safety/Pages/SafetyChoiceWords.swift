import Accounts

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
        disarms: "Disarm when an alarm has sounded its time", disarmsDetail: "Else the house is armed again.",
        asksCode: "Ask for a code to disarm",
        asksCodeDetail: "Or for a proof of who somebody is, not older than ten minutes.",
        badSeconds: "A delay has 0 to 600 seconds, an alarm 30 to 900.", codes: "Codes",
        codesDetail: "The digits are kept nowhere: who forgets a code gets another.", name: "Whose",
        code: "Digits, 4 to 8", addCode: "Add the code", notDigits: "A code has 4 to 8 digits.",
        wellKnown: "Everybody would try that one first.", taken: "Choose other digits.",
        tooMany: "A house has at most ten codes.", badName: "A name has 1 to 80 characters.", tags: "Tags",
        tagsDetail: "A tag disarms at the box that has learnt it, also without a connection.",
        plainTags:
            "Other tag readers say what was held to them, and disarm nothing: whoever listens could say it again.",
        box: "Box", learn: "Learn a tag", waiting: { "Hold the tag of \($0) to the box now." },
        boxAway: "The box has no connection now, or knows 32 tags already.",
        noBox: "A tag needs a box: connect one first.", sensors: "What watches", meaning: "What it means",
        distance: "Nearer than this is somebody, in cm", distanceHint: "5 to 400",
        badDistance: "A distance is between 5 and 400 cm.", whenSilent: "Silence counts as somebody",
        whenSilentDetail: "After a minute, while the house is armed.")

    private static let it = SafetyChoiceWords(
        title: "Ritardi, codici, tag, sensori", saved: "Vale da adesso.", save: "Salva", remove: "Togli",
        delays: "Ritardi", exit: "tempo per uscire", entry: "tempo per disinserire dopo l’ingresso",
        secondsHint: "da 0 a 600 secondi", alarmTime: "Quanto suona un allarme",
        alarmTimeHint: "da 30 a 900 secondi", disarms: "Disinserisci quando l’allarme ha suonato il suo tempo",
        disarmsDetail: "Altrimenti la casa resta inserita.", asksCode: "Chiedi un codice per disinserire",
        asksCodeDetail: "O una prova di chi si è, non più vecchia di dieci minuti.",
        badSeconds: "Un ritardo ha da 0 a 600 secondi, un allarme da 30 a 900.", codes: "Codici",
        codesDetail: "Le cifre non si conservano: chi dimentica un codice ne riceve un altro.", name: "Di chi",
        code: "Cifre, da 4 a 8", addCode: "Aggiungi il codice", notDigits: "Un codice ha da 4 a 8 cifre.",
        wellKnown: "Tutti proverebbero prima quello.", taken: "Scegli altre cifre.",
        tooMany: "Una casa ha al massimo dieci codici.", badName: "Un nome ha da 1 a 80 caratteri.", tags: "Tag",
        tagsDetail: "Un tag disinserisce alla centralina che lo ha imparato, anche senza collegamento.",
        plainTags:
            "Gli altri lettori dicono che cosa hanno letto e non disinseriscono nulla: chi ascolta potrebbe ripeterlo.",
        box: "Centralina", learn: "Impara un tag",
        waiting: { "Avvicina adesso il tag di \($0) alla centralina." },
        boxAway: "La centralina ora non ha collegamento, o conosce già 32 tag.",
        noBox: "Per un tag serve una centralina: prima collegane una.", sensors: "Che cosa sorveglia",
        meaning: "Che cosa significa", distance: "Più vicino di così è qualcuno, in cm", distanceHint: "da 5 a 400",
        badDistance: "Una distanza va da 5 a 400 cm.", whenSilent: "Il silenzio conta come qualcuno",
        whenSilentDetail: "Dopo un minuto, quando la casa è inserita.")

    private static let es = SafetyChoiceWords(
        title: "Retardos, códigos, etiquetas, sensores", saved: "Vale desde ahora.", save: "Guardar",
        remove: "Quitar", delays: "Retardos", exit: "tiempo para salir",
        entry: "tiempo para desarmar al entrar", secondsHint: "de 0 a 600 segundos",
        alarmTime: "Cuánto suena una alarma", alarmTimeHint: "de 30 a 900 segundos",
        disarms: "Desarmar cuando la alarma ha sonado su tiempo", disarmsDetail: "Si no, la casa queda armada.",
        asksCode: "Pedir un código para desarmar",
        asksCodeDetail: "O una prueba de quién es, de hace diez minutos como mucho.",
        badSeconds: "Un retardo tiene de 0 a 600 segundos, una alarma de 30 a 900.", codes: "Códigos",
        codesDetail: "Las cifras no se guardan: quien olvida un código recibe otro.", name: "De quién",
        code: "Cifras, de 4 a 8", addCode: "Añadir el código", notDigits: "Un código tiene de 4 a 8 cifras.",
        wellKnown: "Todos probarían antes ese.", taken: "Elige otras cifras.",
        tooMany: "Una casa tiene como mucho diez códigos.", badName: "Un nombre tiene de 1 a 80 caracteres.",
        tags: "Etiquetas",
        tagsDetail: "Una etiqueta desarma en la caja que la ha aprendido, también sin conexión.",
        plainTags: "Los otros lectores dicen lo que han leído y no desarman nada: quien escucha podría repetirlo.",
        box: "Caja", learn: "Aprender una etiqueta", waiting: { "Acerca ahora la etiqueta de \($0) a la caja." },
        boxAway: "La caja no tiene conexión ahora, o conoce ya 32 etiquetas.",
        noBox: "Una etiqueta necesita una caja: conecta antes una.", sensors: "Lo que vigila",
        meaning: "Qué significa", distance: "Más cerca que esto es alguien, en cm", distanceHint: "de 5 a 400",
        badDistance: "Una distancia va de 5 a 400 cm.", whenSilent: "El silencio cuenta como alguien",
        whenSilentDetail: "Al cabo de un minuto, mientras la casa está armada.")
}
