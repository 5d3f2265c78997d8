import Accounts

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
    /// Only a passkey will do, and it may be lost: what to do then.
    let lost: String
    /// The same while a site of this name asks for it.
    let lostAtSite: @Sendable (String) -> String
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
        lost: "Is your passkey lost? Remove it under *Ways in*. Where you had signed in with it, you are signed out.",
        lostAtSite: {
            "Is your passkey lost? Ask an owner of \($0) to let a password be enough for a while. Then remove the passkey under *Ways in* and add a new one. If it has no other owner, the hub’s administrator can. If somebody may have your phone, change your password: you are then signed out everywhere else."
        },
        prove: "It is me",
        wrongPassword: "Wrong password. Try again.")

    static let it = WaysWords(
        title: "Accesso",
        intro: "Tutto ciò che vedi qui apre il tuo account. Tienine due: se ne perdi uno, resta l’altro.",
        password: "Password", passwordIsSet: "Ne hai una.", passwordIsMissing: "Non ne hai, e non serve.",
        isLast: "È il tuo unico modo di entrare. Prima aggiungine un altro.",
        belongsToAnother: "Appartiene già all’account di qualcun altro. Non è cambiato nulla.",
        tooMany: "Ce ne sono già 20. Elimina uno che non usi più.",
        unknown: "Non c’è già più.", added: "Aggiunto. Da ora puoi entrare anche così.",
        removed: "Eliminato. Non apre più il tuo account.",
        removedAndOut: "Eliminato. Aveva aperto questa sessione, che è terminata: accedi in un altro modo.",
        renamed: "Ha il suo nuovo nome.",
        proveTitle: "Sei tu?",
        proveIntro: "Hai fatto l’accesso da un po’. Prima di continuare, mostra ancora una volta che sei tu.",
        doAgain: "Non è stato ancora fatto né salvato nulla. Dopo, ripeti quello che volevi fare.",
        proveStrongIntro: "Qui serve la tua passkey: il telefono si accerta che sia tu.",
        noPasskeyYet: "Non hai ancora una passkey. Aggiungine una, poi torna qui.",
        addPasskeyFirst: "Aggiungi una passkey",
        lost: "Hai perso la passkey? Eliminala in *Accesso*. Dove eri entrato con quella, l’accesso termina.",
        lostAtSite: {
            "Hai perso la passkey? Chiedi a un proprietario di \($0) di far bastare la password per un po’. Poi elimina la passkey in *Accesso* e aggiungine una nuova. Se non ce n’è un altro, può farlo l’amministratore dell’hub. Se il telefono potrebbe averlo qualcun altro, cambia la password: altrove dovrai accedere di nuovo."
        },
        prove: "Sono io",
        wrongPassword: "La password non è corretta. Riprova.")

    static let es = WaysWords(
        title: "Inicio de sesión",
        intro: "Todo lo que ves aquí abre tu cuenta. Guarda dos: si pierdes una, queda la otra.",
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
        lost:
            "¿Has perdido la clave de acceso? Elimínala en *Inicio de sesión*. Donde habías entrado con ella, la sesión termina.",
        lostAtSite: {
            "¿Has perdido la clave de acceso? Pide a un propietario de \($0) que baste la contraseña por un tiempo. Después elimina la clave en *Inicio de sesión* y añade una nueva. Si no hay otro, puede hacerlo el administrador del hub. Si otra persona puede tener tu teléfono, cambia la contraseña: en los demás sitios entrarás de nuevo."
        },
        prove: "Soy yo", wrongPassword: "La contraseña no es correcta. Inténtalo de nuevo.")
}
