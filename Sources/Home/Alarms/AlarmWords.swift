import Accounts
import Identity
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
        silenced: "The siren is off", silencedDetail: "The alarm stays on until its cause is over.",
        testTitle: "test of the alarm", testBody: "An alarm reaches you here. There is nothing to do.",
        hazards: [
            .gas: "Gas", .smoke: "Smoke", .carbonMonoxide: "Carbon monoxide", .water: "Water", .environment: "Danger",
            .intruder: "Intruder", .tamper: "Tampering", .help: "Call for help", .fault: "Fault",
        ],
        advice: [
            .gas: [
                "Do not use flames, switches or plugs.", "Get everyone out of the house.",
                "Open doors and windows on your way out.", "Close the gas valve if you can reach it.",
                "Call for help from outside.", "Do not go back in until the air has been measured.",
            ],
            .smoke: [
                "Get everyone out of the house.", "Close the doors behind you.", "Do not use the lift.",
                "Call for help from outside.", "Do not go back in.",
            ],
            .carbonMonoxide: [
                "Go outside into the fresh air now. You cannot smell this gas.", "Take everyone with you.",
                "Call for help even if you only have a headache or feel sleepy.",
                "Do not go back in until the air has been measured.",
            ],
            .water: [
                "Do not touch wet sockets or devices.", "Switch off the power if you can reach it with dry feet.",
                "Close the main water tap.",
            ],
            .environment: [
                "Get everyone out of the house.", "Do not use flames, switches or plugs.",
                "Call for help from outside.",
            ],
            .intruder: [
                "Do not go in.", "Do not confront anyone.", "Call the police from a safe place.",
                "Check who of the household may be at home.",
            ],
            .tamper: ["Ask a person you trust to check it.", "Call the police if you see a stranger there."],
            .help: ["Call the house.", "Call for help if there is no answer."],
            .fault: ["Check the power and the network of the device."],
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
                "Non usare fiamme, interruttori o spine.", "Fai uscire tutti di casa.",
                "Apri porte e finestre mentre esci.", "Chiudi la valvola del gas se è a portata di mano.",
                "Chiama i soccorsi da fuori.", "Non rientrare finché l’aria non è stata misurata.",
            ],
            .smoke: [
                "Fai uscire tutti di casa.", "Chiudi le porte dietro di te.", "Non usare l’ascensore.",
                "Chiama i soccorsi da fuori.", "Non rientrare.",
            ],
            .carbonMonoxide: [
                "Esci subito all’aria aperta. Questo gas non ha odore.", "Porta fuori tutti.",
                "Chiama i soccorsi anche se hai solo mal di testa o sonnolenza.",
                "Non rientrare finché l’aria non è stata misurata.",
            ],
            .water: [
                "Non toccare prese o apparecchi bagnati.", "Stacca la corrente se ci arrivi con i piedi asciutti.",
                "Chiudi il rubinetto generale dell’acqua.",
            ],
            .environment: [
                "Fai uscire tutti di casa.", "Non usare fiamme, interruttori o spine.", "Chiama i soccorsi da fuori.",
            ],
            .intruder: [
                "Non entrare.", "Non affrontare nessuno.", "Chiama la polizia da un posto sicuro.",
                "Controlla chi della famiglia può essere in casa.",
            ],
            .tamper: ["Fai controllare da una persona di fiducia.", "Chiama la polizia se vedi un estraneo."],
            .help: ["Chiama in casa.", "Chiama i soccorsi se non risponde nessuno."],
            .fault: ["Controlla l’alimentazione e la rete del dispositivo."],
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
                "No uses llamas, interruptores ni enchufes.", "Saca a todos de la casa.",
                "Abre puertas y ventanas al salir.", "Cierra la llave del gas si la tienes a mano.",
                "Pide ayuda desde fuera.", "No vuelvas a entrar hasta que se haya medido el aire.",
            ],
            .smoke: [
                "Saca a todos de la casa.", "Cierra las puertas al salir.", "No uses el ascensor.",
                "Pide ayuda desde fuera.", "No vuelvas a entrar.",
            ],
            .carbonMonoxide: [
                "Sal ya al aire libre. Este gas no huele.", "Saca a todos contigo.",
                "Pide ayuda aunque solo tengas dolor de cabeza o sueño.",
                "No vuelvas a entrar hasta que se haya medido el aire.",
            ],
            .water: [
                "No toques enchufes ni aparatos mojados.", "Corta la luz si llegas con los pies secos.",
                "Cierra la llave general del agua.",
            ],
            .environment: [
                "Saca a todos de la casa.", "No uses llamas, interruptores ni enchufes.", "Pide ayuda desde fuera.",
            ],
            .intruder: [
                "No entres.", "No te enfrentes a nadie.", "Llama a la policía desde un lugar seguro.",
                "Comprueba quién de la familia puede estar en casa.",
            ],
            .tamper: ["Pide a una persona de confianza que lo revise.", "Llama a la policía si ves a un extraño."],
            .help: ["Llama a la casa.", "Pide auxilio si no contestan."],
            .fault: ["Comprueba la alimentación y la red del dispositivo."],
        ])
}
