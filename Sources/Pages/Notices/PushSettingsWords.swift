import Accounts
import Identity

/// The words of notices on this device.
struct PushSettingsWords: Sendable {
    let title: String
    /// Before the script has looked.
    let unknown: String
    let unknownDetail: String
    let on: String
    let onDetail: String
    let off: String
    let offDetail: String
    /// The browser refuses.
    let blocked: String
    let blockedDetail: String
    /// On an iPhone, in the browser.
    let install: String
    let installDetail: String
    let unsupported: String
    let unsupportedDetail: String
    let failed: String
    let failedDetail: String
    let turnOn: String
    let turnOff: String
    let test: String
    let tested: String
    let notTested: String

    static func `in`(_ language: Language) -> PushSettingsWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    var forIsland: HTML {
        data(
            id: "push-words",
            [
                "on": on, "onDetail": onDetail, "off": off, "offDetail": offDetail, "blocked": blocked,
                "blockedDetail": blockedDetail, "install": install, "installDetail": installDetail,
                "unsupported": unsupported, "unsupportedDetail": unsupportedDetail, "failed": failed,
                "failedDetail": failedDetail, "turnOn": turnOn, "turnOff": turnOff, "tested": tested,
                "notTested": notTested,
            ])
    }

    private static let en = PushSettingsWords(
        title: "Notices on this device",
        unknown: "not known yet", unknownDetail: "Only the browser knows. This needs JavaScript.",
        on: "on", onDetail: "Notices come to this device, also while Soglia is closed. They end when you sign out.",
        off: "off", offDetail: "Switch them on, and notices come to this device, also while Soglia is closed.",
        blocked: "blocked by the browser",
        blockedDetail:
            "Allow notifications for this address in the browser’s settings, then load this page again.",
        install: "after one more step",
        installDetail:
            "Put Soglia on the home screen first: Share, then Add to Home Screen. Open it from there, and come back here.",
        unsupported: "not possible here",
        unsupportedDetail: "This browser shows no notifications. What you are told waits in Soglia.",
        failed: "not switched on",
        failedDetail: "The browser’s own service for notifications did not answer. Try again when you are online.",
        turnOn: "Switch on", turnOff: "Switch off", test: "Send a test",
        tested: "A test is on its way.", notTested: "The test was not sent. Wait a minute, then try again.")

    private static let it = PushSettingsWords(
        title: "Avvisi su questo dispositivo",
        unknown: "non ancora noto", unknownDetail: "Lo sa solo il browser. Serve JavaScript.",
        on: "attivi",
        onDetail: "Gli avvisi arrivano su questo dispositivo, anche a Soglia chiusa. Finiscono quando esci.",
        off: "non attivi",
        offDetail: "Attivali, e gli avvisi arrivano su questo dispositivo, anche a Soglia chiusa.",
        blocked: "bloccati dal browser",
        blockedDetail:
            "Permetti le notifiche per questo indirizzo nelle impostazioni del browser, poi ricarica questa pagina.",
        install: "manca un passo",
        installDetail:
            "Prima metti Soglia sulla schermata Home: Condividi, poi Aggiungi alla schermata Home. Aprila da lì e torna qui.",
        unsupported: "qui non è possibile",
        unsupportedDetail: "Questo browser non mostra notifiche. I tuoi avvisi ti aspettano in Soglia.",
        failed: "non attivati",
        failedDetail: "Il servizio di notifiche del browser non ha risposto. Riprova quando sei in rete.",
        turnOn: "Attiva", turnOff: "Disattiva", test: "Manda una prova",
        tested: "Una prova è in arrivo.", notTested: "La prova non è partita. Aspetta un minuto e riprova.")

    private static let es = PushSettingsWords(
        title: "Avisos en este dispositivo",
        unknown: "aún no se sabe", unknownDetail: "Solo lo sabe el navegador. Hace falta JavaScript.",
        on: "activados",
        onDetail: "Los avisos llegan a este dispositivo, también con Soglia cerrada. Terminan cuando sales.",
        off: "desactivados",
        offDetail: "Actívalos y los avisos llegarán a este dispositivo, también con Soglia cerrada.",
        blocked: "bloqueados por el navegador",
        blockedDetail:
            "Permite las notificaciones de esta dirección en los ajustes del navegador y vuelve a cargar esta página.",
        install: "falta un paso",
        installDetail:
            "Primero añade Soglia a la pantalla de inicio: Compartir y Añadir a pantalla de inicio. Ábrela desde allí y vuelve aquí.",
        unsupported: "aquí no es posible",
        unsupportedDetail: "Este navegador no muestra notificaciones. Tus avisos te esperan en Soglia.",
        failed: "sin activar",
        failedDetail: "El servicio de notificaciones del navegador no ha respondido. Prueba de nuevo con conexión.",
        turnOn: "Activar", turnOff: "Desactivar", test: "Enviar una prueba",
        tested: "Una prueba está en camino.",
        notTested: "La prueba no se ha enviado. Espera un minuto y prueba de nuevo.")
}
