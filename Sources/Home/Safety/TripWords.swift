import Accounts
import Notices

/// What a sensor that watches for intruders has seen, in words: a line for a notice, without the name of the house.
enum TripWords {
    /// What tripping it means: "someone is near the back door".
    static func text(of sensor: Sensor) -> LocalizedText {
        let name = sensor.name
        return switch sensor.kind {
        case .distance, .motion:
            each(
                en: "someone is near: \(name)", it: "qualcuno è vicino: \(name)", es: "alguien está cerca: \(name)")
        case .contact:
            each(en: "opened: \(name)", it: "si è aperto: \(name)", es: "se ha abierto: \(name)")
        case .vibration:
            each(en: "shaken: \(name)", it: "qualcosa l’ha scosso: \(name)", es: "algo lo ha sacudido: \(name)")
        default:
            sensor.alarmClass == .tamper
                ? each(
                    en: "someone handles the alarm itself: \(name)", it: "qualcuno tocca l’allarme stesso: \(name)",
                    es: "alguien toca la alarma misma: \(name)")
                : each(en: "tripped: \(name)", it: "è scattato: \(name)", es: "ha saltado: \(name)")
        }
    }

    /// What a sensor has seen that is out of use since.
    /// - Parameter name: under which the house was armed with it; nil: it was not.
    static func text(ofMissing name: String?) -> LocalizedText {
        if let name { return each(en: "tripped: \(name)", it: "è scattato: \(name)", es: "ha saltado: \(name)") }
        return each(
            en: "tripped: a sensor that is no longer in use", it: "è scattato un sensore che non è più in uso",
            es: "ha saltado un sensor que ya no está en uso")
    }

    /// What a box saw while it had no connection.
    static func whileAway(_ what: LocalizedText) -> LocalizedText {
        func late(_ language: Language, _ words: String) -> NoticeWords { NoticeWords(what[language].title, words) }
        return LocalizedText(
            en: late(.en, "It happened while the box had no connection."),
            it: late(.it, "È successo mentre la centralina era senza collegamento."),
            es: late(.es, "Ocurrió mientras la caja no tenía conexión."))
    }

    /// That somebody pressed the button of a box.
    static func call(of gateway: Gateway) -> LocalizedText {
        let name = gateway.name
        return each(
            en: "someone calls for help: \(name)", it: "qualcuno chiede aiuto: \(name)",
            es: "alguien pide ayuda: \(name)")
    }

    /// That a box sounds, and does not say why.
    static func text(of gateway: Gateway) -> LocalizedText {
        let name = gateway.name
        return each(
            en: "the box sounds: \(name)", it: "la centralina suona: \(name)", es: "la caja suena: \(name)")
    }

    /// That a sensor does not do its part although the house is armed.
    static func text(of sensor: Sensor, _ weakness: HousePanel.Weakness) -> LocalizedText {
        let name = sensor.name
        return switch weakness {
        case .silent:
            each(
                en: "armed, but this sensor is not responding: \(name)",
                it: "inserito, ma questo sensore non risponde: \(name)",
                es: "armada, pero este sensor no responde: \(name)",
                detail: (
                    "It detects nothing until it responds again.", "Non rileva nulla finché non risponde di nuovo.",
                    "No detecta nada hasta que vuelva a responder."
                ))
        case .open:
            each(
                en: "armed, but this is open: \(name)", it: "inserito, ma questo è aperto: \(name)",
                es: "armada, pero esto está abierto: \(name)",
                detail: (
                    "It counts again once it has been closed.", "Conta di nuovo quando sarà stato chiuso.",
                    "Vuelve a contar cuando se haya cerrado."
                ))
        case .missing: missing(name)
        }
    }

    /// That a sensor no longer watches although the house is armed.
    static func missing(_ name: String) -> LocalizedText {
        each(
            en: "armed, but this sensor no longer watches: \(name)",
            it: "inserito, ma questo sensore non sorveglia più: \(name)",
            es: "armada, pero este sensor ya no vigila: \(name)",
            detail: (
                "It was taken out of use, or its function was changed.",
                "È stato messo fuori uso, o la sua funzione è cambiata.",
                "Se ha retirado, o su función ha cambiado."
            ))
    }

    private static func each(
        en: String, it: String, es: String, detail: (en: String, it: String, es: String) = ("", "", "")
    ) -> LocalizedText {
        LocalizedText(
            en: NoticeWords(en, detail.en), it: NoticeWords(it, detail.it), es: NoticeWords(es, detail.es))
    }
}
