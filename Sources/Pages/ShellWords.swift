import Accounts
import Identity

/// The words of the installed app and of what it shows without the hub.
public struct ShellWords: Sendable {
    /// Under the app's name, where a phone offers to install it.
    public let about: String
    /// A way into the app, from its icon.
    public let gates: String
    /// A way into the app, from its icon.
    public let badge: String
    /// Under the title of a saved page, on the day that it was saved; the time.
    public let savedAt: @Sendable (String) -> String
    /// The same on a later day; day and time.
    public let savedOn: @Sendable (String) -> String
    /// Why one cannot sign out now.
    public let signOutNeedsHub: String
    /// Title of a page that was not saved.
    public let offline: String
    /// Under it.
    public let offlineDetail: String
    /// Above the links to the saved pages.
    public let savedHere: String
    /// Instead of the links.
    public let nothingSaved: String
    /// Title of the hint.
    public let installTitle: String
    /// Under it.
    public let installDetail: String
    /// What a person does on an iPhone.
    public let installByHand: String
    /// Button.
    public let install: String
    /// Button.
    public let notNow: String
    /// The hub has a newer version than the page.
    public let newer: String
    /// Button.
    public let showIt: String

    /// The words of a language.
    public static func `in`(_ language: Language) -> ShellWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }
}

extension ShellWords {
    /// English.
    public static let en = ShellWords(
        about: "Your gates, your badge, your places.",
        gates: "Gates",
        badge: "Badge",
        savedAt: { "You are offline. Saved at \($0)." },
        savedOn: { "You are offline. Saved on \($0)." },
        signOutNeedsHub: "Signing out needs the hub.",
        offline: "You are offline",
        offlineDetail:
            "The hub cannot be reached, and this page is not on this device. It opens by itself when the hub is back.",
        savedHere: "Saved on this device",
        nothingSaved:
            "No page is saved on this device yet. Your gates and badges are kept here once you have seen them.",
        installTitle: "Soglia on your home screen",
        installDetail: "It opens like an app, also where there is no network.",
        installByHand: "Tap Share, then Add to Home Screen.",
        install: "Put it there",
        notNow: "Not now",
        newer: "There is a newer version.",
        showIt: "Show it")

    /// Italian.
    public static let it = ShellWords(
        about: "I tuoi varchi, il tuo badge, i tuoi luoghi.",
        gates: "Varchi",
        badge: "Badge",
        savedAt: { "Sei offline. Pagina salvata alle \($0)." },
        savedOn: { "Sei offline. Pagina salvata il \($0)." },
        signOutNeedsHub: "Per uscire serve l'hub.",
        offline: "Sei offline",
        offlineDetail:
            "L'hub non è raggiungibile e questa pagina non è su questo dispositivo. Si apre da sola quando l'hub torna.",
        savedHere: "Salvati su questo dispositivo",
        nothingSaved:
            "Su questo dispositivo non è ancora salvata nessuna pagina. I tuoi varchi e badge restano qui dopo che li hai visti.",
        installTitle: "Soglia nella schermata Home",
        installDetail: "Si apre come un’app, anche dove non c’è rete.",
        installByHand: "Tocca Condividi, poi Aggiungi alla schermata Home.",
        install: "Aggiungila",
        notNow: "Non ora",
        newer: "C’è una versione più recente.",
        showIt: "Mostrala")

    /// Spanish.
    public static let es = ShellWords(
        about: "Tus puertas, tu credencial, tus lugares.",
        gates: "Accesos",
        badge: "Credencial",
        savedAt: { "Estás sin conexión. Página guardada \(atHour($0))." },
        savedOn: { "Estás sin conexión. Página guardada el \($0)." },
        signOutNeedsHub: "Para salir hace falta el hub.",
        offline: "Estás sin conexión",
        offlineDetail:
            "No se llega al hub y esta página no está en este dispositivo. Se abre sola cuando el hub vuelve.",
        savedHere: "Guardados en este dispositivo",
        nothingSaved:
            "En este dispositivo aún no hay ninguna página guardada. Tus accesos y credenciales se quedan aquí cuando los has visto.",
        installTitle: "Soglia en la pantalla de inicio",
        installDetail: "Se abre como una app, también donde no hay red.",
        installByHand: "Toca Compartir y después Añadir a pantalla de inicio.",
        install: "Añadirla",
        notNow: "Ahora no",
        newer: "Hay una versión más reciente.",
        showIt: "Mostrarla")
}
