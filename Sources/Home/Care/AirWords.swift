import Accounts
import Notices
import Safeguard

/// What people are told of the air, in words.
struct AirWords: Sendable {
    /// The title: what, where, how much.
    let gas: String
    let smoke: String
    let carbonMonoxide: String
    let water: String
    /// What to do, by the same.
    let gasAdvice: String
    let smokeAdvice: String
    let carbonMonoxideAdvice: String
    let waterAdvice: String
    /// The threshold.
    let above: @Sendable (String) -> String
    /// How much more in a minute.
    let rising: @Sendable (String) -> String
    /// Where a sensor is that does not speak.
    let silent: @Sendable (String) -> String
    let gone: @Sendable (String) -> String
    let isolated: @Sendable (String) -> String
    /// What that means.
    let unknown: String

    /// An alarm, in every language.
    static func alarm(_ cause: CareCause, _ sensor: Sensor, at device: Device?) -> LocalizedText {
        text { language in `in`(language).alarm(cause, sensor, at: device, language) }
    }

    /// What a sensor tells of when nothing is known of how much, in every language.
    static func alarm(of sensor: Sensor, at device: Device?) -> LocalizedText {
        text { language in
            let (title, advice) = `in`(language).hazard(sensor, at: device)
            return NoticeWords(title, advice)
        }
    }

    /// That a sensor does not speak, in every language.
    static func fault(_ status: SensorStatus, _ sensor: Sensor, at device: Device?) -> LocalizedText {
        text { language in
            let words = `in`(language)
            let name = place(sensor, at: device)
            let title =
                switch status {
                case .late, .waiting, .live, .warming: words.silent(name)
                case .unavailable: words.gone(name)
                case .isolated: words.isolated(name)
                }
            return NoticeWords(title, words.unknown)
        }
    }

    static func `in`(_ language: Language) -> AirWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// A sensor with its device, or its room: `Gas (Kitchen)`.
    static func place(_ sensor: Sensor, at device: Device?) -> String {
        guard let device else { return sensor.name }
        let around = device.area.isEmpty ? device.name : device.area
        return around == sensor.name ? around : "\(sensor.name) (\(around))"
    }

    private static func text(_ words: (Language) -> NoticeWords) -> LocalizedText {
        LocalizedText(en: words(.en), it: words(.it), es: words(.es))
    }

    /// What and where, and what to do.
    private func hazard(_ sensor: Sensor, at device: Device?) -> (title: String, advice: String) {
        let (what, advice): (String?, String) =
            switch sensor.kind {
            case .gas: (gas, gasAdvice)
            case .smoke: (smoke, smokeAdvice)
            case .carbonMonoxide: (carbonMonoxide, carbonMonoxideAdvice)
            case .moisture: (water, waterAdvice)
            default: (nil, "")
            }
        let around = device.map { $0.area.isEmpty ? $0.name : $0.area }
        return (what.map { what in around.map { "\(what): \($0)" } ?? what } ?? Self.place(sensor, at: device), advice)
    }

    private func alarm(
        _ cause: CareCause, _ sensor: Sensor, at device: Device?, _ language: Language
    ) -> NoticeWords {
        let (title, advice) = hazard(sensor, at: device)
        guard let value = cause.value else { return NoticeWords(title, advice) }
        let why =
            cause.crossing == .rising
            ? rising(Figure.chosen(cause.threshold.risePerMinute ?? 0, sensor.unit, language))
            : above(Figure.chosen(cause.threshold.level, sensor.unit, language))
        return NoticeWords(
            "\(title), \(ValueText.number(value, unit: sensor.unit, language))",
            advice.isEmpty ? why : "\(why) \(advice)")
    }

    private static let en = AirWords(
        gas: "Gas in the air", smoke: "Smoke", carbonMonoxide: "Carbon monoxide", water: "Water on the floor",
        gasAdvice: "Open the windows, light nothing, switch nothing on or off. Go out if it grows.",
        smokeAdvice: "Get everybody out and call for help.",
        carbonMonoxideAdvice: "Go out into the fresh air and call for help.",
        waterAdvice: "Turn the water off if you can.",
        above: { "The threshold is \($0)." }, rising: { "It grew by more than \($0) within a minute." },
        silent: { "\($0) is not responding" }, gone: { "\($0) is not connected" }, isolated: { "\($0) was put aside" },
        unknown: "No current reading, so it raises no alarm. Check its power and network.")

    private static let it = AirWords(
        gas: "Gas nell’aria", smoke: "Fumo", carbonMonoxide: "Monossido di carbonio", water: "Acqua sul pavimento",
        gasAdvice: "Apri le finestre, non accendere fiamme, non toccare interruttori. Esci se aumenta.",
        smokeAdvice: "Fai uscire tutti e chiama i soccorsi.",
        carbonMonoxideAdvice: "Esci all’aria aperta e chiama i soccorsi.",
        waterAdvice: "Chiudi l’acqua se puoi.",
        above: { "La soglia è \($0)." }, rising: { "È cresciuto di oltre \($0) in un minuto." },
        silent: { "\($0) non risponde" }, gone: { "\($0) non è collegato" },
        isolated: { "\($0) è stato messo da parte" },
        unknown: "Nessuna lettura attuale, quindi non dà allarmi. Controlla alimentazione e rete.")

    private static let es = AirWords(
        gas: "Gas en el aire", smoke: "Humo", carbonMonoxide: "Monóxido de carbono", water: "Agua en el suelo",
        gasAdvice: "Abre las ventanas, no enciendas llamas ni toques interruptores. Sal si aumenta.",
        smokeAdvice: "Haz salir a todos y pide ayuda.",
        carbonMonoxideAdvice: "Sal al aire libre y pide ayuda.",
        waterAdvice: "Cierra el agua si puedes.",
        above: { "El umbral es \($0)." }, rising: { "Subió más de \($0) en un minuto." },
        silent: { "\($0) no responde" }, gone: { "\($0) no está conectado" }, isolated: { "\($0) se ha apartado" },
        unknown: "Sin lectura actual, así que no da alarmas. Comprueba su alimentación y su red.")
}
