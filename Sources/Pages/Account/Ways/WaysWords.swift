import Accounts
import Identity

/// The words of the ways in. A language without one of them does not compile.
struct WaysWords: Sendable {
    /// Title of the list.
    let title: String
    /// Under the title.
    let intro: String
    /// Title of the part.
    let password: String
    /// There is one.
    let passwordIsSet: String
    /// There is none.
    let passwordIsMissing: String
    /// Refused: it is the only way in.
    let isLast: String
    /// Refused: somebody else's account has it.
    let belongsToAnother: String
    /// Refused: there are too many.
    let tooMany: String
    /// Refused: it is gone already.
    let unknown: String
    /// Notice: one was added.
    let added: String
    /// Notice: one was removed.
    let removed: String
    /// Notice at the sign-in: one was removed, and had opened the session in which that was done.
    let removedAndOut: String
    /// Notice: one has another name.
    let renamed: String

    /// Title of the page that asks for a proof.
    let proveTitle: String
    /// Under it.
    let proveIntro: String
    let doAgain: String
    /// Under it, where only a passkey will do.
    let proveStrongIntro: String
    /// Only a passkey will do, and there is none.
    let noPasskeyYet: String
    /// Link to the ways in.
    let addPasskeyFirst: String
    /// Heading: only a passkey will do, and it may be lost.
    let lost: String
    /// What to do then.
    let lostRemove: String
    /// Link to the ways in.
    let removePasskey: String
    /// What to do then while sites ask for it, one step after the other: at once; their names; and then.
    let lostPassword: String
    let lostAsk: @Sendable (String) -> String
    let lostReplace: String
    /// Button.
    let prove: String
    /// Refused.
    let wrongPassword: String

    /// What has just happened, by its name in a query; nil for any other name.
    func done(_ name: String) -> String? { ["added": added, "removed": removed, "renamed": renamed][name] }

    /// Why something did not happen, by its name in a query; nil for any other name.
    func refused(_ name: String) -> String? {
        ["last": isLast, "another": belongsToAnother, "many": tooMany, "unknown": unknown][name]
    }

    /// The words of a language.
    static func `in`(_ language: Language) -> WaysWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    static let en = WaysWords(
        title: "Ways in", intro: "Everything here opens your account. Keep two, so that losing one locks nobody out.",
        password: "Password", passwordIsSet: "You have one.", passwordIsMissing: "You have none, and need none.",
        isLast: "This is your only way in. Add another one first.",
        belongsToAnother: "Somebody else’s account has this already. Nothing was changed.",
        tooMany: "There are 20 already. Remove one that you no longer use.",
        unknown: "It is gone already.", added: "Added. You can sign in with it from now on.",
        removed: "Removed. It no longer opens your account.",
        removedAndOut: "Removed. It had opened this session, which has ended too: sign in another way.",
        renamed: "It has its new name.",
        proveTitle: "Is it you?",
        proveIntro: "You have been signed in for a while. Before this, show once more that it is you.",
        doAgain: "Nothing has been done or saved yet. Afterwards, do it once more.",
        proveStrongIntro: "This needs your passkey: your phone makes sure that it is you.",
        noPasskeyYet: "You have no passkey yet. Add one, then come back here.", addPasskeyFirst: "Add a passkey",
        lost: "Is your passkey lost?",
        lostRemove: "Remove it. Every other device on which it was used is signed out.",
        removePasskey: "Remove the passkey",
        lostPassword: "Change your password: all other devices are signed out.",
        lostAsk: {
            "Ask an owner of \($0) to let a password be enough for now. If you are the only owner, ask the hub’s administrator."
        },
        lostReplace: "Then remove the lost passkey and add a new one.",
        prove: "It is me",
        wrongPassword: "Wrong password. Try again.")

    static let it = WaysWords(
        title: "Accesso",
        intro: "Tutto ciò che vedi qui apre il tuo account. Tienine due: se ne perdi uno, resta l’altro.",
        password: "Password", passwordIsSet: "Ne hai una.", passwordIsMissing: "Non ne hai, e non serve.",
        isLast: "È il tuo unico modo di entrare. Prima aggiungine un altro.",
        belongsToAnother: "Appartiene già all’account di qualcun altro. Non è cambiato nulla.",
        tooMany: "Ce ne sono già 20. Elimina uno che non usi più.",
        unknown: "È già stato eliminato.", added: "Aggiunto. Da ora puoi entrare anche così.",
        removed: "Eliminato. Non apre più il tuo account.",
        removedAndOut: "Eliminato. Aveva aperto questa sessione, che è terminata: accedi in un altro modo.",
        renamed: "Ha il suo nuovo nome.",
        proveTitle: "Sei tu?",
        proveIntro: "Hai fatto l’accesso da un po’. Prima di continuare, mostra ancora una volta che sei tu.",
        doAgain: "Non è stato ancora fatto né salvato nulla. Dopo, ripeti quello che volevi fare.",
        proveStrongIntro: "Qui serve la tua passkey: il telefono si accerta che sia tu.",
        noPasskeyYet: "Non hai ancora una passkey. Aggiungine una, poi torna qui.",
        addPasskeyFirst: "Aggiungi una passkey",
        lost: "Hai perso la passkey?",
        lostRemove: "Eliminala. Su ogni altro dispositivo in cui l’hai usata l’accesso termina.",
        removePasskey: "Elimina la passkey",
        lostPassword: "Cambia la password: su tutti gli altri dispositivi l’accesso termina.",
        lostAsk: {
            "Chiedi a un proprietario di \($0) di permettere per ora l’accesso con la sola password. Se sei l’unico proprietario, chiedi all’amministratore dell’hub."
        },
        lostReplace: "Poi elimina la passkey persa e aggiungine una nuova.",
        prove: "Sono io",
        wrongPassword: "La password non è corretta. Riprova.")

    static let es = WaysWords(
        title: "Inicio de sesión",
        intro: "Todo lo que ves aquí abre tu cuenta. Ten dos formas de entrar: si pierdes una, queda la otra.",
        password: "Contraseña", passwordIsSet: "Tienes una.", passwordIsMissing: "No tienes, y no hace falta.",
        isLast: "Es tu única forma de entrar. Añade otra primero.",
        belongsToAnother: "Ya pertenece a la cuenta de otra persona. No ha cambiado nada.",
        tooMany: "Ya hay 20. Elimina una que ya no uses.",
        unknown: "Ya no está.", added: "Añadida. Desde ahora puedes entrar también así.",
        removed: "Eliminada. Ya no abre tu cuenta.",
        removedAndOut: "Eliminada. Había abierto esta sesión, que también ha terminado: inicia sesión de otra forma.",
        renamed: "Ya tiene su nuevo nombre.",
        proveTitle: "¿Eres tú?",
        proveIntro: "Entraste hace un rato. Antes de seguir, demuestra otra vez que eres tú.",
        doAgain: "Todavía no se ha hecho ni guardado nada. Después, repite lo que querías hacer.",
        proveStrongIntro: "Aquí hace falta tu clave de acceso: el teléfono comprueba que eres tú.",
        noPasskeyYet: "Todavía no tienes clave de acceso. Añade una y vuelve aquí.",
        addPasskeyFirst: "Añadir una clave de acceso",
        lost: "¿Has perdido la clave de acceso?",
        lostRemove: "Elimínala. En los demás dispositivos donde la usaste se cierra la sesión.",
        removePasskey: "Eliminar la clave",
        lostPassword: "Cambia la contraseña: se cierra la sesión en todos los demás dispositivos.",
        lostAsk: {
            "Pide a un propietario de \($0) que permita por ahora entrar solo con la contraseña. Si eres el único propietario, pídelo al administrador del hub."
        },
        lostReplace: "Después elimina la clave perdida y añade una nueva.",
        prove: "Soy yo", wrongPassword: "La contraseña no es correcta. Inténtalo de nuevo.")
}
