import Accounts
import Notices

/// What an alarm says on a telephone, and what to do about it.
struct AlarmWords: Sendable {
    let language: Language
    /// Where anybody may look.
    let publicAlarm: String
    let publicExercise: String
    let publicFault: String
    let publicOver: String
    let publicTest: String
    /// Before the title of an exercise.
    let exercise: @Sendable (String) -> String
    let isExercise: String
    /// That something is over: "over: gas in the kitchen".
    let over: @Sendable (String) -> String
    let silence: String
    let call: String
    /// After somebody silenced it.
    let silenced: String
    let silencedDetail: String
    let testTitle: String
    let testBody: String
    /// What an alarm is about, as a word.
    let hazards: [Hazard: String]
    /// What to do, the most important first.
    let advice: [Hazard: [String]]

    /// What to do about it; never empty.
    func todo(_ hazard: Hazard) -> [String] { advice[hazard] ?? [""] }

    /// What it is about.
    func name(_ hazard: Hazard) -> String { hazards[hazard] ?? "" }

    static func `in`(_ language: Language) -> AlarmWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = AlarmWords(
        language: .en,
        publicAlarm: "An alarm at one of your houses", publicExercise: "Exercise: an alarm at one of your houses",
        publicFault: "Something at one of your houses does not work",
        publicOver: "An alarm at one of your houses is over", publicTest: "Test of your alarm",
        exercise: { "Exercise: \($0)" }, isExercise: "This is an exercise. Do what you would do.",
        over: { "over: \($0)" }, silence: "Silence", call: "Call",
        silenced: "The siren is off", silencedDetail: "The alarm stays active until its cause is over.",
        testTitle: "test of the alarm", testBody: "An alarm reaches you here. There is nothing to do.",
        hazards: [
            .gas: "Gas", .smoke: "Smoke", .carbonMonoxide: "Carbon monoxide", .water: "Water", .environment: "Danger",
            .intruder: "Intruder", .tamper: "Tampering", .help: "Call for help", .fault: "Fault",
        ],
        advice: [
            .gas: [
                "Switch nothing on or off, light nothing.", "Open windows and doors, close the gas valve.",
                "Leave the house, and take everybody along.", "Call from outside.",
            ],
            .smoke: [
                "Leave the house, and take everybody along.", "Close doors behind you; take no lift.",
                "Call from outside.", "Do not go back in.",
            ],
            .carbonMonoxide: [
                "Go into fresh air at once; nobody smells this gas.", "Open windows on the way, if it costs no time.",
                "Call for help even if you only have a headache or feel sleepy.",
                "Do not go back in until the air has been measured.",
            ],
            .water: [
                "Close the main tap.", "Keep away from sockets that are wet.",
                "Switch the power off, if you reach it with dry feet.",
            ],
            .environment: [
                "Leave the house, and take everybody along.", "Switch nothing on or off.", "Call from outside.",
            ],
            .intruder: [
                "Do not go in, and do not stand in anybody's way.", "Call from a safe place.",
                "Look who of the house may be at home.",
            ],
            .tamper: ["Have somebody whom you trust look at it.", "Call when you see a stranger there."],
            .help: ["Call whoever is there.", "Call for help when nobody answers."],
            .fault: [
                "Check whether the device has power and network.",
                "Until it responds again, nothing warns you there.",
            ],
        ])

    private static let it = AlarmWords(
        language: .it,
        publicAlarm: "Un allarme in una delle tue case",
        publicExercise: "Esercitazione: un allarme in una delle tue case",
        publicFault: "Qualcosa in una delle tue case non funziona",
        publicOver: "Un allarme in una delle tue case è finito", publicTest: "Prova del tuo allarme",
        exercise: { "Esercitazione: \($0)" }, isExercise: "È un’esercitazione. Fai quello che faresti.",
        over: { "finito: \($0)" }, silence: "Silenzia", call: "Chiama",
        silenced: "La sirena è spenta", silencedDetail: "L’allarme resta finché non passa la causa.",
        testTitle: "prova dell’allarme", testBody: "Un allarme qui ti raggiunge. Non c’è niente da fare.",
        hazards: [
            .gas: "Gas", .smoke: "Fumo", .carbonMonoxide: "Monossido di carbonio", .water: "Acqua",
            .environment: "Pericolo", .intruder: "Intruso", .tamper: "Manomissione", .help: "Richiesta di aiuto",
            .fault: "Guasto",
        ],
        advice: [
            .gas: [
                "Non accendere e non spegnere niente.", "Apri finestre e porte, chiudi la valvola del gas.",
                "Esci di casa, e porta fuori tutti.", "Chiama da fuori.",
            ],
            .smoke: [
                "Esci di casa, e porta fuori tutti.", "Chiudi le porte dietro di te; non usare l’ascensore.",
                "Chiama da fuori.", "Non rientrare.",
            ],
            .carbonMonoxide: [
                "Vai subito all’aria aperta: questo gas non si sente.", "Apri le finestre, se non perdi tempo.",
                "Chiama i soccorsi anche se hai solo mal di testa o sonnolenza.",
                "Non rientrare finché l’aria non è stata misurata.",
            ],
            .water: [
                "Chiudi il rubinetto generale.", "Stai lontano dalle prese bagnate.",
                "Stacca la corrente, se ci arrivi con i piedi asciutti.",
            ],
            .environment: [
                "Esci di casa, e porta fuori tutti.", "Non accendere e non spegnere niente.", "Chiama da fuori.",
            ],
            .intruder: [
                "Non entrare, e non metterti sulla strada di nessuno.", "Chiama da un posto sicuro.",
                "Guarda chi di casa potrebbe essere dentro.",
            ],
            .tamper: ["Fai controllare da una persona di fiducia.", "Chiama se vedi un estraneo."],
            .help: ["Chiama chi è lì.", "Chiedi soccorso se nessuno risponde."],
            .fault: [
                "Controlla se il dispositivo ha corrente e rete.",
                "Finché non risponde di nuovo, lì niente ti avvisa.",
            ],
        ])

    private static let es = AlarmWords(
        language: .es,
        publicAlarm: "Una alarma en una de tus casas", publicExercise: "Simulacro: una alarma en una de tus casas",
        publicFault: "Algo en una de tus casas no funciona",
        publicOver: "Una alarma en una de tus casas ha terminado", publicTest: "Prueba de tu alarma",
        exercise: { "Simulacro: \($0)" }, isExercise: "Es un simulacro. Haz lo que harías.",
        over: { "terminado: \($0)" }, silence: "Silenciar", call: "Llamar",
        silenced: "La sirena está apagada", silencedDetail: "La alarma sigue hasta que pase su causa.",
        testTitle: "prueba de la alarma", testBody: "Una alarma te llega aquí. No hay nada que hacer.",
        hazards: [
            .gas: "Gas", .smoke: "Humo", .carbonMonoxide: "Monóxido de carbono", .water: "Agua",
            .environment: "Peligro", .intruder: "Intruso", .tamper: "Manipulación", .help: "Petición de ayuda",
            .fault: "Avería",
        ],
        advice: [
            .gas: [
                "No enciendas ni apagues nada.", "Abre ventanas y puertas, cierra la llave del gas.",
                "Sal de la casa y saca a todos.", "Llama desde fuera.",
            ],
            .smoke: [
                "Sal de la casa y saca a todos.", "Cierra las puertas al salir; no uses el ascensor.",
                "Llama desde fuera.", "No vuelvas a entrar.",
            ],
            .carbonMonoxide: [
                "Sal enseguida al aire libre: este gas no se huele.", "Abre las ventanas, si no pierdes tiempo.",
                "Pide ayuda aunque solo tengas dolor de cabeza o sueño.",
                "No vuelvas a entrar hasta que se haya medido el aire.",
            ],
            .water: [
                "Cierra la llave general.", "Aléjate de los enchufes mojados.",
                "Corta la luz, si llegas con los pies secos.",
            ],
            .environment: [
                "Sal de la casa y saca a todos.", "No enciendas ni apagues nada.", "Llama desde fuera.",
            ],
            .intruder: [
                "No entres, y no te pongas en el camino de nadie.", "Llama desde un lugar seguro.",
                "Mira quién de la casa puede estar dentro.",
            ],
            .tamper: ["Que lo mire alguien de confianza.", "Llama si ves a un extraño."],
            .help: ["Llama a quien esté allí.", "Pide auxilio si nadie contesta."],
            .fault: [
                "Comprueba si el dispositivo tiene corriente y red.",
                "Hasta que vuelva a responder, allí nada te avisa.",
            ],
        ])
}
