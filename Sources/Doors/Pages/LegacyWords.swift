import Accounts
import Identity
import Pages

/// The words of the original system's app, of its badges and of the gates that take them.
struct LegacyWords: Sendable {
    // MARK: what the app shows

    let signedIn: String
    let wrong: String
    let noRole: String
    let postOnly: String
    let notSecure: String
    let busy: String
    let tooManyAttempts: String

    // MARK: the log

    /// How somebody went through.
    let byOldBadge: String

    // MARK: the page

    /// Title and link.
    let oldApp: String
    /// What all of it is for.
    let about: String
    /// Link on the list of people.
    let oldAppAndGates: String
    /// Title of one's own account.
    let own: String
    let ownAbout: String
    /// Title of somebody's account, for managers.
    let theirs: String
    let theirsAbout: String
    let username: String
    let password: String
    let madeOn: String
    let lastUsed: String
    let never: String
    let none: String
    let takenAway: String
    let makePassword: String
    let newPassword: String
    let newBadge: String
    let takeAway: String
    /// With the new password.
    let shownOnce: String
    let badgeReplaced: String
    let isTakenAway: String
    let full: String

    // MARK: gates

    let gates: String
    let warning: String
    let takesPasses: String
    let takesOldBadges: String
    let toOldBadges: String
    let toPasses: String
    let toOldBadgesAt: @Sendable (String) -> String
    let toPassesAt: @Sendable (String) -> String
    let noGates: String

    // MARK: GET

    let signIn: String
    let getAbout: String
    let getOn: String
    let getOff: String
    let turnGetOn: String
    let turnGetOff: String

    // MARK: accounts

    let accounts: String
    let noAccounts: String

    static func `in`(_ language: Language) -> LegacyWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = LegacyWords(
        signedIn: "Signed in.", wrong: "The user name and the password do not belong together.",
        noRole: "You have no role in force today: ask whoever looks after your site.",
        postOnly: "This site takes sign-ins by POST only.",
        notSecure: "Sign in over HTTPS: this connection can be read by others.",
        busy: "Too many sign-ins at this moment. Try again in a few seconds.",
        tooManyAttempts: "Too many wrong passwords. Try again in a few minutes.",
        byOldBadge: "old badge, Bluetooth",
        oldApp: "Old app",
        about:
            "For phones that have the app of the system before. It has a password of its own, and a badge that opens old gates only.",
        oldAppAndGates: "Old app and old gates",
        own: "Your old app",
        ownAbout:
            "The password is made here and is good for the old app at this site, nowhere else. It ends when you change your own password, or end all your other sessions.",
        theirs: "Old app",
        theirsAbout:
            "A password of its own for the old app, good at this site only. It opens old gates, and signs in nowhere else.",
        username: "User name", password: "Password", madeOn: "Password made", lastUsed: "Last used", never: "never",
        none: "No password yet.", takenAway: "taken away",
        makePassword: "Make a password", newPassword: "New password", newBadge: "New badge", takeAway: "Take away",
        shownOnce: "Write the password down now: it is shown this once. The one before is no longer good.",
        badgeReplaced:
            "The badge is a new one. The one before opens no more; the app gets the new one when it signs in again.",
        isTakenAway: "Taken away: neither the password nor the badge is good any more.",
        full:
            "This site has \(LegacyPolicy.mostBadges) old badges, as many as a gate can hold. One that is no longer used has to be taken away first.",
        gates: "Gates",
        warning:
            "An old badge is not safe: whoever listens with a radio to one opening has that badge, and can open every old gate of this site with it until the badge is replaced. Make a gate an old gate only for phones that have nothing else.",
        takesPasses: "takes passes", takesOldBadges: "old gate: takes old badges",
        toOldBadges: "Make it an old gate", toPasses: "Back to passes",
        toOldBadgesAt: { "Make \($0) an old gate" }, toPassesAt: { "Back to passes: \($0)" },
        noGates: "This site has no gates yet.",
        signIn: "Sign-in by address",
        getAbout:
            "Some old apps sign in by GET. User name and password digest then stand in an address, which proxies and other programs may write down.",
        getOn: "GET is allowed", getOff: "only POST is allowed", turnGetOn: "Allow GET", turnGetOff: "Allow POST only",
        accounts: "Who has the old app", noAccounts: "Nobody. A password is made on the person's own page.")

    private static let it = LegacyWords(
        signedIn: "Accesso effettuato.", wrong: "Il nome utente e la password non corrispondono.",
        noRole: "Oggi non hai nessun ruolo in vigore: chiedi a chi gestisce la tua sede.",
        postOnly: "Questa sede accetta l’accesso solo con POST.",
        notSecure: "Accedi con HTTPS: questa connessione può essere letta da altri.",
        busy: "Troppi accessi in questo momento. Riprova tra qualche secondo.",
        tooManyAttempts: "Troppe password sbagliate. Riprova tra qualche minuto.",
        byOldBadge: "vecchio badge, Bluetooth",
        oldApp: "App vecchia",
        about:
            "Per i telefoni che hanno l’app del sistema di prima. Ha una password tutta sua e un badge che apre solo i vecchi varchi.",
        oldAppAndGates: "App vecchia e vecchi varchi",
        own: "La tua app vecchia",
        ownAbout:
            "La password si crea qui e vale per l’app vecchia in questa sede, da nessun’altra parte. Se cambi la tua password, o termini tutte le altre sessioni, non vale più.",
        theirs: "App vecchia",
        theirsAbout:
            "Una password a parte per l’app vecchia, valida solo in questa sede. Apre i vecchi varchi e non dà accesso ad altro.",
        username: "Nome utente", password: "Password", madeOn: "Password creata", lastUsed: "Ultimo uso", never: "mai",
        none: "Ancora nessuna password.", takenAway: "tolta",
        makePassword: "Crea una password", newPassword: "Nuova password", newBadge: "Nuovo badge", takeAway: "Togli",
        shownOnce: "Annota subito la password: viene mostrata solo questa volta. Quella di prima non vale più.",
        badgeReplaced: "Il badge è nuovo. Quello di prima non apre più; l’app riceve quello nuovo al prossimo accesso.",
        isTakenAway: "Tolta: né la password né il badge valgono più.",
        full:
            "Questa sede ha \(LegacyPolicy.mostBadges) vecchi badge, quanti un varco ne può tenere. Prima va tolto uno che non serve più.",
        gates: "Varchi",
        warning:
            "Un vecchio badge non è sicuro: chi ascolta via radio una sola apertura ha quel badge e con esso apre ogni vecchio varco di questa sede, finché il badge non viene sostituito. Passa un varco ai vecchi badge solo per i telefoni che non hanno altro.",
        takesPasses: "accetta i pass", takesOldBadges: "vecchio varco: accetta i vecchi badge",
        toOldBadges: "Passa ai vecchi badge", toPasses: "Torna ai pass",
        toOldBadgesAt: { "Passa ai vecchi badge: \($0)" }, toPassesAt: { "Torna ai pass: \($0)" },
        noGates: "Questa sede non ha ancora varchi.",
        signIn: "Accesso nell’indirizzo",
        getAbout:
            "Alcune app vecchie accedono con GET. Nome utente e impronta della password stanno allora in un indirizzo, che proxy e altri programmi possono registrare.",
        getOn: "GET è permesso", getOff: "è permesso solo POST", turnGetOn: "Permetti GET",
        turnGetOff: "Permetti solo POST",
        accounts: "Chi ha l’app vecchia", noAccounts: "Nessuno. La password si crea nella pagina della persona.")

    private static let es = LegacyWords(
        signedIn: "Sesión iniciada.", wrong: "El nombre de usuario y la contraseña no coinciden.",
        noRole: "Hoy no tienes ningún rol en vigor: pregunta a quien lleva tu sede.",
        postOnly: "Esta sede solo acepta el inicio de sesión con POST.",
        notSecure: "Inicia sesión con HTTPS: otros pueden leer esta conexión.",
        busy: "Demasiados inicios de sesión en este momento. Prueba dentro de unos segundos.",
        tooManyAttempts: "Demasiadas contraseñas equivocadas. Prueba dentro de unos minutos.",
        byOldBadge: "credencial antigua, Bluetooth",
        oldApp: "App antigua",
        about:
            "Para los teléfonos que tienen la app del sistema anterior. Tiene una contraseña propia y una credencial que solo abre accesos antiguos.",
        oldAppAndGates: "App antigua y accesos antiguos",
        own: "Tu app antigua",
        ownAbout:
            "La contraseña se crea aquí y vale para la app antigua en esta sede, en ningún otro sitio. Si cambias tu contraseña, o terminas todas las demás sesiones, deja de valer.",
        theirs: "App antigua",
        theirsAbout:
            "Una contraseña aparte para la app antigua, válida solo en esta sede. Abre los accesos antiguos y no sirve para nada más.",
        username: "Nombre de usuario", password: "Contraseña", madeOn: "Contraseña creada", lastUsed: "Último uso",
        never: "nunca", none: "Todavía no hay contraseña.", takenAway: "retirada",
        makePassword: "Crear una contraseña", newPassword: "Nueva contraseña", newBadge: "Nueva credencial",
        takeAway: "Retirar",
        shownOnce: "Anota la contraseña ahora: solo se muestra esta vez. La anterior ya no vale.",
        badgeReplaced:
            "La credencial es nueva. La anterior ya no abre; la app recibe la nueva cuando vuelve a iniciar sesión.",
        isTakenAway: "Retirada: ni la contraseña ni la credencial valen ya.",
        full:
            "Esta sede tiene \(LegacyPolicy.mostBadges) credenciales antiguas, las que caben en un acceso. Antes hay que retirar una que ya no se use.",
        gates: "Accesos",
        warning:
            "Una credencial antigua no es segura: quien escucha por radio una sola apertura tiene esa credencial y abre con ella todos los accesos antiguos de esta sede, hasta que se cambie. Haz antiguo un acceso solo para los teléfonos que no tienen otra cosa.",
        takesPasses: "acepta pases", takesOldBadges: "acceso antiguo: acepta credenciales antiguas",
        toOldBadges: "Hacerlo antiguo", toPasses: "Volver a los pases",
        toOldBadgesAt: { "Hacer antiguo: \($0)" }, toPassesAt: { "Volver a los pases: \($0)" },
        noGates: "Esta sede todavía no tiene accesos.",
        signIn: "Inicio de sesión en la dirección",
        getAbout:
            "Algunas apps antiguas inician sesión con GET. El nombre de usuario y la huella de la contraseña quedan entonces en una dirección, que los proxies y otros programas pueden anotar.",
        getOn: "GET está permitido", getOff: "solo se permite POST", turnGetOn: "Permitir GET",
        turnGetOff: "Permitir solo POST",
        accounts: "Quién tiene la app antigua", noAccounts: "Nadie. La contraseña se crea en la página de la persona.")
}
