import Notices

/// What people are told when devices contradict themselves or one another.
enum DiscoveryWords {
    /// One device keeps saying something else of itself.
    static func restless(_ name: String) -> LocalizedText {
        LocalizedText(
            en: NoticeWords(
                "\(name) keeps changing what it says it is",
                "It stays as it was. Two devices may go by one name on the bus: give each its own, or switch one off."),
            it: NoticeWords(
                "\(name) cambia di continuo ciò che dice di essere",
                "Resta com'era. Forse due dispositivi usano lo stesso nome sul bus: dai a ciascuno il suo, o spegnine uno."
            ),
            es: NoticeWords(
                "\(name) cambia sin parar lo que dice ser",
                "Se queda como estaba. Quizá dos dispositivos usan un mismo nombre en el bus: da a cada uno el suyo o apaga uno."
            ))
    }

    /// A device takes back what protects a house that is armed.
    static func withheld(_ name: String) -> LocalizedText {
        LocalizedText(
            en: NoticeWords(
                "\(name) was changed by its device while the house is armed",
                "The hub goes on using it as before until the house is disarmed. Check the device."),
            it: NoticeWords(
                "\(name) è stato cambiato dal suo dispositivo con l’allarme inserito",
                "L’hub continua a usarlo come prima fino al disinserimento. Controlla il dispositivo."),
            es: NoticeWords(
                "\(name) ha sido cambiado por su dispositivo con la casa armada",
                "El hub lo sigue usando como antes hasta que se desarme. Revisa el dispositivo."))
    }

    /// A device takes back what a house needs in an alarm.
    static func withheldWhileSounding(_ name: String) -> LocalizedText {
        LocalizedText(
            en: NoticeWords(
                "\(name) was changed by its device during an alarm",
                "The hub goes on using it as before until the alarm is over. Check the device."),
            it: NoticeWords(
                "\(name) è stato cambiato dal suo dispositivo durante un allarme",
                "L’hub continua a usarlo come prima fino alla fine dell’allarme. Controlla il dispositivo."),
            es: NoticeWords(
                "\(name) ha sido cambiado por su dispositivo durante una alarma",
                "El hub lo sigue usando como antes hasta que termine la alarma. Revisa el dispositivo."))
    }

    /// There are more faults of a connection's devices than are named.
    static func many(_ matter: DiscoveryFaults.Matter, of gateway: String) -> LocalizedText {
        switch matter {
        case .contradiction:
            LocalizedText(
                en: NoticeWords(
                    "Many devices of \(gateway) contradict themselves",
                    "They stay as they were. For an hour they are not named one by one. Check this connection, or take it out of use."
                ),
                it: NoticeWords(
                    "Molti dispositivi di \(gateway) si contraddicono",
                    "Restano com’erano. Per un’ora non vengono elencati uno per uno. Controlla questo collegamento, o mettilo fuori uso."
                ),
                es: NoticeWords(
                    "Muchos dispositivos de \(gateway) se contradicen",
                    "Se quedan como estaban. Durante una hora no se nombran uno a uno. Revisa esta conexión o retírala."
                ))
        case .withheld:
            LocalizedText(
                en: NoticeWords(
                    "Much of \(gateway) was changed by its devices",
                    "The hub goes on using it as before until the house is disarmed and the alarm is over. Check this connection."
                ),
                it: NoticeWords(
                    "Molto di \(gateway) è stato cambiato dai suoi dispositivi",
                    "L’hub continua a usarlo come prima fino al disinserimento e alla fine dell’allarme. Controlla questo collegamento."
                ),
                es: NoticeWords(
                    "Mucho de \(gateway) ha sido cambiado por sus dispositivos",
                    "El hub lo sigue usando como antes hasta que se desarme y termine la alarma. Revisa esta conexión.")
            )
        }
    }

    /// Two messages tell of one thing.
    static func contested(_ name: String) -> LocalizedText {
        LocalizedText(
            en: NoticeWords(
                "Two devices claim to be \(name)",
                "The first one counts, the other is left out. Give each an id of its own."),
            it: NoticeWords(
                "Due dispositivi dicono di essere \(name)",
                "Vale il primo, l'altro resta fuori. Dai a ciascuno un identificativo suo."),
            es: NoticeWords(
                "Dos dispositivos dicen ser \(name)",
                "Cuenta el primero, el otro queda fuera. Da a cada uno un identificador propio."))
    }
}
