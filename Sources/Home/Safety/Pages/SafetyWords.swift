import Accounts
import Identity
import Safeguard
import Wire

/// The words of the page on which a house is armed and disarmed.
struct SafetyWords: Sendable {
    let until: String
    /// How long it takes until what: `{t} to disarm`.
    let toLeave: String
    let toDisarm: String
    let toSilence: String
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
    /// Above the boxes that do not obey; what they do not do, by order, and why.
    let disobeys: String
    let refusedOrder: [BoxOrder.Kind: String]
    let clocksDiffer: String
    let doesNotFit: String
    let stillGas: String
    let valveStays: String
    let inAirAlarm: String
    let silent: String
    let standsOpen: String
    let missing: String
    let bypassed: String
    /// On a button: what was bypassed counts again. Under it, where something of that is open: its names.
    let watchAgain: String
    let stillOpen: @Sendable (String) -> String
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

    /// What the time that is left is for.
    func left(_ state: PanelState) -> String {
        switch state {
        case .pending: toDisarm
        case .triggered: toSilence
        default: toLeave
        }
    }

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

    func weakness(_ weakness: AlarmMessage.Weakness) -> String {
        switch weakness {
        case .silent: silent
        case .open: standsOpen
        case .missing: missing
        }
    }

    /// What a box does not do, and why.
    func refused(_ order: RefusedOrder) -> String {
        "\(refusedOrder[order.kind] ?? ""): \(why(order))"
    }

    /// That a box has not opened the valve.
    func valveRefused(_ order: RefusedOrder) -> String { "\(valveStays): \(why(order))." }

    private func why(_ order: RefusedOrder) -> String {
        if order.isAboutClock { return clocksDiffer }
        return order.kind == .openValve && order.why == .unfit ? stillGas : doesNotFit
    }

    private static let en = SafetyWords(
        until: "until", toLeave: "{t} to leave", toDisarm: "{t} to disarm",
        toSilence: "siren stops in {t}", arm: "Arm", home: "People inside", away: "Nobody inside",
        night: "For the night", vacation: "Vacation", disarm: "Disarm", code: "Code of the house",
        codeHint: "4 to 8 digits", proveInstead: "Use your password or passkey", silence: "Silence the siren",
        reset: "End the alarm", silenced: "The siren is off. The alarm is still active.",
        exercise: "This is an exercise.",
        degraded: "Armed, but not everywhere", disobeys: "The box does not obey the hub",
        refusedOrder: [
            .arm: "does not arm", .disarm: "does not disarm", .silence: "does not silence its siren",
            .reset: "does not end the alarm", .trigger: "does not sound", .test: "does not test its siren",
            .openValve: "does not open the valve", .learnTag: "does not learn a tag",
            .follow: "does not follow the house",
        ], clocksDiffer: "its clock and the hub’s differ", doesNotFit: "it does not say why, try again in a minute",
        stillGas: "there is still gas in the air, or the gas alarm has not been ended",
        valveStays: "The gas valve stays closed",
        inAirAlarm: "An alarm for gas, smoke or water is on: valves stay closed until it is over.",
        silent: "not responding", standsOpen: "is open",
        missing: "no longer watched: removed or changed",
        bypassed: "Bypassed until disarmed", watchAgain: "Stop bypassing",
        stillOpen: { "Still bypassed, because this is open: \($0). Close it and try again." }, trips: "What was seen",
        openNow: "Open now",
        closeOrLeave: "Not armed: something is open. Close it and try again, or bypass it until disarmed.",
        leaveOut: "Bypass until disarmed",
        armAnyway: "Arm with these bypassed", inAlarm: "An alarm is on. Disarm it first.",
        wrongCode: "Wrong code. The alarm was not disarmed.",
        wait: { "Too many wrong codes. Try again in \($0) seconds, or use your password or passkey." },
        mayNot: "You can only view this house. Ask an owner for permission to arm it.", nobody: "the hub",
        did: [
            .armed: "armed the house", .disarmed: "disarmed the house", .silenced: "silenced the siren",
            .reset: "ended the alarm",
            .called: "called for help",
        ], sensors: "What watches", noSensors: "Nothing watches here yet",
        noSensorsDetail: "Connect a sensor for doors, motion or vibration, and it appears here.",
        nothing: "not used in the intrusion alarm",
        environmental: "air: always", motion: "motion: when nobody is inside", door: "door or window: when armed",
        tamper: "the alarm itself: at once when armed", settings: "Delays, sensors, codes and tags",
        openValve: "Open the gas valve",
        openValveDetail: "Only if there is no smell of gas. Before it opens, you are asked to confirm who you are.",
        valveOrdered: "Command sent. Waiting for the box to confirm.", boxAway: "The box has no connection now.")

    private static let it = SafetyWords(
        until: "fino alle", toLeave: "{t} per uscire", toDisarm: "{t} per disinserire",
        toSilence: "la sirena si ferma tra {t}", arm: "Inserisci", home: "Qualcuno è in casa",
        away: "Nessuno in casa", night: "Per la notte", vacation: "Vacanza", disarm: "Disinserisci",
        code: "Codice della casa", codeHint: "da 4 a 8 cifre", proveInstead: "Usa password o passkey",
        silence: "Silenzia la sirena", reset: "Termina l’allarme",
        silenced: "La sirena è spenta. L’allarme è ancora attivo.", exercise: "È un’esercitazione.",
        degraded: "Inserito, ma non dappertutto", disobeys: "La centralina non esegue gli ordini dell’hub",
        refusedOrder: [
            .arm: "non si inserisce", .disarm: "non si disinserisce", .silence: "non silenzia la sirena",
            .reset: "non termina l’allarme", .trigger: "non suona", .test: "non prova la sirena",
            .openValve: "non apre la valvola", .learnTag: "non impara il tag", .follow: "non segue la casa",
        ], clocksDiffer: "il suo orologio e quello dell’hub non coincidono",
        doesNotFit: "non dice perché, riprova tra un minuto",
        stillGas: "c’è ancora gas nell’aria o l’allarme gas non è stato terminato",
        valveStays: "La valvola del gas resta chiusa",
        inAirAlarm: "C’è un allarme per gas, fumo o acqua: le valvole restano chiuse finché non è finito.",
        silent: "non risponde", standsOpen: "è aperto",
        missing: "non sorveglia più: rimosso o modificato",
        bypassed: "Esclusi fino al disinserimento", watchAgain: "Non escludere più",
        stillOpen: { "L’esclusione resta, perché è aperto: \($0). Chiudi e riprova." }, trips: "Che cosa si è visto",
        openNow: "Aperto adesso",
        closeOrLeave:
            "Allarme non inserito: qualcosa è aperto. Chiudilo e riprova, o escludilo fino al disinserimento.",
        leaveOut: "Escludi fino al disinserimento", armAnyway: "Inserisci escludendo i selezionati",
        inAlarm: "C’è un allarme in corso. Prima disinserisci.",
        wrongCode: "Codice errato. L’allarme non è stato disinserito.",
        wait: { "Troppi codici errati. Riprova tra \($0) secondi, o usa password o passkey." },
        mayNot: "Puoi solo vedere lo stato della casa. Per inserire l’allarme chiedi il permesso a un proprietario.",
        nobody: "l’hub",
        did: [
            .armed: "ha inserito l’allarme", .disarmed: "ha disinserito l’allarme",
            .silenced: "ha silenziato la sirena",
            .reset: "ha terminato l’allarme", .called: "ha chiesto aiuto",
        ], sensors: "Che cosa sorveglia", noSensors: "Qui ancora nulla sorveglia",
        noSensorsDetail: "Collega un sensore per porte, movimento o vibrazione: comparirà qui.",
        nothing: "non usato nell’antifurto",
        environmental: "aria: sempre", motion: "movimento: quando nessuno è in casa",
        door: "porta o finestra: con l’allarme inserito", tamper: "l’allarme stesso: subito quando è inserito",
        settings: "Ritardi, sensori, codici e tag", openValve: "Apri la valvola del gas",
        openValveDetail: "Solo se non c’è odore di gas. Prima dell’apertura ti chiediamo di confermare chi sei.",
        valveOrdered: "Comando inviato. In attesa della conferma della centralina.",
        boxAway: "La centralina ora non ha collegamento.")

    private static let es = SafetyWords(
        until: "hasta las", toLeave: "{t} para salir", toDisarm: "{t} para desarmar",
        toSilence: "la sirena para en {t}", arm: "Armar", home: "Hay gente dentro", away: "No hay nadie",
        night: "Para la noche", vacation: "Vacaciones", disarm: "Desarmar", code: "Código de la casa",
        codeHint: "de 4 a 8 cifras", proveInstead: "Usar contraseña o clave de acceso",
        silence: "Silenciar la sirena", reset: "Finalizar la alarma",
        silenced: "La sirena está apagada. La alarma sigue activa.", exercise: "Es un simulacro.",
        degraded: "Armada, pero no en todas partes", disobeys: "La caja no obedece al hub",
        refusedOrder: [
            .arm: "no se arma", .disarm: "no se desarma", .silence: "no silencia la sirena",
            .reset: "no finaliza la alarma", .trigger: "no suena", .test: "no prueba la sirena",
            .openValve: "no abre la válvula", .learnTag: "no aprende el tag", .follow: "no sigue a la casa",
        ], clocksDiffer: "su reloj y el del hub no coinciden",
        doesNotFit: "no dice por qué, inténtalo dentro de un minuto",
        stillGas: "todavía hay gas en el aire o la alarma de gas no se ha terminado",
        valveStays: "La válvula del gas sigue cerrada",
        inAirAlarm: "Hay una alarma de gas, humo o agua: las válvulas siguen cerradas hasta que termine.",
        silent: "no responde", standsOpen: "está abierto",
        missing: "ya no vigila: retirado o cambiado",
        bypassed: "Excluidos hasta que se desarme", watchAgain: "Dejar de excluir",
        stillOpen: { "La exclusión sigue, porque está abierto: \($0). Ciérralo y vuelve a intentarlo." },
        trips: "Lo que se ha visto", openNow: "Abierto ahora",
        closeOrLeave:
            "No se ha armado: hay algo abierto. Ciérralo y prueba otra vez, o exclúyelo hasta que se desarme.",
        leaveOut: "Excluir hasta que se desarme",
        armAnyway: "Armar excluyendo los seleccionados", inAlarm: "Hay una alarma en curso. Primero desarma.",
        wrongCode: "Código incorrecto. La alarma no se ha desarmado.",
        wait: {
            "Demasiados códigos incorrectos. Prueba dentro de \($0) segundos, o usa tu contraseña o clave de acceso."
        },
        mayNot: "Solo puedes ver el estado de la casa. Para armarla, pide permiso a un propietario.", nobody: "el hub",
        did: [
            .armed: "armó la alarma", .disarmed: "desarmó la alarma", .silenced: "silenció la sirena",
            .reset: "finalizó la alarma", .called: "pidió ayuda",
        ], sensors: "Lo que vigila", noSensors: "Aquí aún no vigila nada",
        noSensorsDetail: "Conecta un sensor de puertas, movimiento o vibración y aparecerá aquí.",
        nothing: "no se usa en la alarma de intrusión",
        environmental: "aire: siempre", motion: "movimiento: cuando no hay nadie",
        door: "puerta o ventana: cuando está armada", tamper: "la alarma misma: enseguida cuando está armada",
        settings: "Retardos, sensores, códigos y tags", openValve: "Abrir la válvula del gas",
        openValveDetail: "Solo si no hay olor a gas. Antes de abrirla tendrás que confirmar quién eres.",
        valveOrdered: "Orden enviada. Esperando la confirmación de la caja.",
        boxAway: "La caja no tiene conexión ahora.")
}
