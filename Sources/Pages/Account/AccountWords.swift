import Accounts
import Identity

/// The words of the pages about one's own account. A language without one of them does not compile.
public struct AccountWords: Sendable {
    /// What the tabs are.
    public let account: String
    public let profileTab: String
    public let waysTab: String
    public let sessionsTab: String
    public let noticesTab: String
    public let dataTab: String
    /// Title of the list.
    public let title: String
    /// Under the title.
    public let intro: String
    /// Mark of the session that shows the page.
    public let thisBrowser: String
    /// A session of a program.
    public let program: String
    /// A session of a browser that does not say which it is.
    public let browser: String
    /// Between browser and system: "Firefox on Linux".
    public let on: String
    /// When a session was last used; the moment in words.
    public let lastUsed: @Sendable (String) -> String
    /// When somebody signed in; the moment in words.
    public let signedIn: @Sendable (String) -> String
    /// From which address.
    public let from: @Sendable (String) -> String
    /// Button of one session.
    public let end: String
    /// Button under the list.
    public let endOthers: String
    /// Above that button.
    public let endOthersAbout: String
    /// Notice after one was ended.
    public let ended: String
    /// Notice after all others were ended.
    public let othersEnded: String
    /// Title of the form, and the link to it.
    public let changePassword: String
    /// Under that title.
    public let changePasswordIntro: String
    /// Field.
    public let currentPassword: String
    /// Field.
    public let newPassword: String
    /// Under the field, and what is said when the new one will not do.
    public let newPasswordRule: String
    /// Refused.
    public let wrongPassword: String
    /// Notice.
    public let passwordChanged: String

    /// The words of a language.
    public static func `in`(_ language: Language) -> AccountWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// English.
    public static let en = AccountWords(
        account: "Your account", profileTab: "You", waysTab: "Ways in", sessionsTab: "Devices", noticesTab: "Notices",
        dataTab: "Your data",
        title: "Devices",
        intro: "Where you are signed in. A device that you do not know? End its session, then change your password.",
        thisBrowser: "this browser",
        program: "A program",
        browser: "A browser",
        on: "on",
        lastUsed: { "last used \($0)" },
        signedIn: { "signed in \($0)" },
        from: { "from \($0)" },
        end: "End",
        endOthers: "End all others",
        endOthersAbout:
            "If you end all others, you stay signed in here. Everything else ends: your other devices, a stolen copy of this session, and the old app, which then needs a new password.",
        ended: "It has ended. That browser or program has to sign in again.",
        othersEnded: "All others have ended. If you use the old app, it needs a new password, too.",
        changePassword: "Change password",
        changePasswordIntro:
            "You stay signed in here. Everywhere else you sign in again. If you use the old app, it needs a new password, too.",
        currentPassword: "The password that you have",
        newPassword: "The new one",
        newPasswordRule: "At least 10 characters, and another one than before. A sentence that you remember is good.",
        wrongPassword: "Wrong password. Try again.",
        passwordChanged: "Your password is changed. Everywhere else you sign in again.")

    /// Italian.
    public static let it = AccountWords(
        account: "Il tuo account", profileTab: "Tu", waysTab: "Accesso", sessionsTab: "Dispositivi",
        noticesTab: "Avvisi",
        dataTab: "I tuoi dati",
        title: "Dispositivi",
        intro:
            "Dove hai effettuato l’accesso. C’è un dispositivo che non conosci? Termina la sua sessione, poi cambia la password.",
        thisBrowser: "questo browser",
        program: "Un programma",
        browser: "Un browser",
        on: "su",
        lastUsed: { "ultimo uso \($0)" },
        signedIn: { "accesso \($0)" },
        from: { "da \($0)" },
        end: "Termina",
        endOthers: "Termina tutte le altre sessioni",
        endOthersAbout:
            "Se termini tutte le altre, questa sessione resta aperta. Tutto il resto termina: gli altri dispositivi, una copia rubata di questa sessione e l’app vecchia, che poi ha bisogno di una nuova password.",
        ended: "Sessione terminata. Chi la usava deve accedere di nuovo.",
        othersEnded:
            "Tutte le altre sessioni sono terminate. Se usi l’app vecchia, anche quella ha bisogno di una nuova password.",
        changePassword: "Cambia password",
        changePasswordIntro:
            "Questa sessione resta aperta. Altrove dovrai accedere di nuovo. Se usi l’app vecchia, anche quella avrà bisogno di una nuova password.",
        currentPassword: "La password che hai",
        newPassword: "Quella nuova",
        newPasswordRule: "Almeno 10 caratteri, e diversa da prima. Va bene una frase che ricordi.",
        wrongPassword: "La password non è corretta. Riprova.",
        passwordChanged: "La password è cambiata. Altrove dovrai accedere di nuovo.")

    /// Spanish.
    public static let es = AccountWords(
        account: "Tu cuenta", profileTab: "Tú", waysTab: "Inicio de sesión", sessionsTab: "Dispositivos",
        noticesTab: "Avisos",
        dataTab: "Tus datos",
        title: "Dispositivos",
        intro:
            "Dónde has iniciado sesión. ¿Hay un dispositivo que no conoces? Termina su sesión y cambia la contraseña.",
        thisBrowser: "este navegador",
        program: "Un programa",
        browser: "Un navegador",
        on: "en",
        lastUsed: { "último uso \($0)" },
        signedIn: { "sesión iniciada \($0)" },
        from: { "desde \($0)" },
        end: "Terminar",
        endOthers: "Terminar todas las demás sesiones",
        endOthersAbout:
            "Si terminas todas las demás, esta sesión sigue abierta. Todo lo demás termina: los demás dispositivos, una copia robada de esta sesión y la app antigua, que después necesita una contraseña nueva.",
        ended: "Sesión terminada. Quien la usaba tiene que iniciar sesión de nuevo.",
        othersEnded:
            "Todas las demás sesiones han terminado. Si usas la app antigua, también necesita una contraseña nueva.",
        changePassword: "Cambiar contraseña",
        changePasswordIntro:
            "Esta sesión sigue abierta. En los demás dispositivos tendrás que iniciar sesión de nuevo. Si usas la app antigua, también necesitará una contraseña nueva.",
        currentPassword: "La contraseña que tienes",
        newPassword: "La nueva",
        newPasswordRule: "Al menos 10 caracteres y distinta de la anterior. Sirve una frase que recuerdes.",
        wrongPassword: "La contraseña no es correcta. Inténtalo de nuevo.",
        passwordChanged: "La contraseña ha cambiado. En los demás dispositivos tendrás que iniciar sesión de nuevo.")
}

extension PagesWords {
    /// How long to wait, as short as a sentence needs it: `40 s`, `3 min`, `2 h`.
    public static func wait(_ seconds: Int) -> String {
        switch seconds {
        case ..<91: "\(max(seconds, 1)) s"
        case ..<5_401: "\((seconds + 59) / 60) min"
        default: "\((seconds + 3_599) / 3_600) h"
        }
    }
}
