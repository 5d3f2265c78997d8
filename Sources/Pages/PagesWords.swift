import Accounts
import Identity

/// The words that every page shares. A language without one of them does not compile.
public struct PagesWords: Sendable {

    // MARK: Everywhere

    /// First thing a keyboard meets.
    public let skip: String
    /// What the main list of links is.
    public let navigation: String
    /// What the person's corner is.
    public let account: String
    /// What the chooser chooses.
    public let language: String
    /// Button.
    public let signOut: String
    /// Over a form that is filled in again after its sender proved who they are.
    public let notSavedYet: String
    /// Link to where one came from.
    public let back: String
    /// Link to the first page.
    public let home: String
    /// Button.
    public let save: String
    /// Button and link.
    public let open: String
    /// After the label of a field that may stay empty.
    public let optional: String
    /// Above a form with refusals.
    public let checkFields: String

    // MARK: Live stream

    /// The page follows what happens.
    public let live: String
    /// The stream is being opened.
    public let connecting: String
    /// The stream broke and is being opened again.
    public let connectionLost: String
    /// Nobody is signed in here any more, so that the page stands still.
    public let signedOutHere: String

    // MARK: Sign in

    /// Title and button.
    public let signIn: String
    /// Under the title.
    public let signInIntro: String
    /// Field.
    public let email: String
    /// Field.
    public let password: String
    /// Button beside the field.
    public let showPassword: String
    /// Button beside the field.
    public let hidePassword: String
    /// Refused sign-in; does not say which of the two was wrong.
    public let wrongCredentials: String
    /// Refused sign-in; the wait in words.
    public let tooManyAttempts: @Sendable (String) -> String
    /// Notice after signing out.
    public let signedOut: String
    /// Notice when a session is over.
    public let sessionEnded: String
    /// The same, where a form came too late.
    public let sessionEndedUnsaved: String

    // MARK: First run

    /// Title.
    public let firstRun: String
    /// Under the title.
    public let firstRunIntro: String
    /// Field.
    public let setupCode: String
    /// Where the code is.
    public let setupCodeHint: String
    /// Refused.
    public let wrongSetupCode: String
    /// Part of the form.
    public let you: String
    /// Field.
    public let yourName: String
    /// Part of the form.
    public let firstSite: String
    /// Field.
    public let siteKind: String
    /// Field.
    public let siteName: String
    /// Under the field.
    public let siteNameHint: String
    /// Field.
    public let timeZone: String
    /// Under the field.
    public let timeZoneHint: String
    /// Button.
    public let create: String

    // MARK: Messages

    /// Title of 404.
    public let notFound: String
    /// Under it.
    public let notFoundDetail: String
    /// Title of 403.
    public let forbidden: String
    /// Under it.
    public let forbiddenDetail: String
    /// Title when a request was not accepted.
    public let refused: String
    /// Under it.
    public let refusedDetail: String
    /// Title when a file or a form is larger than the hub takes.
    public let tooLarge: String
    /// Under it.
    public let tooLargeDetail: String
    /// Title while the hub is coming back.
    public let restarting: String
    /// Under it.
    public let restartingDetail: String
    /// Title when a limit was met.
    public let tooMuch: String
    /// Under it.
    public let tooMuchDetail: String
    /// Title: no room on the hub's disk.
    public let diskFull: String
    /// Under it.
    public let diskFullDetail: String
    /// Link.
    public let tryAgain: String

    // MARK: Places

    /// Title.
    public let places: String
    /// Title when there is none.
    public let noPlaces: String
    /// Under it.
    public let noPlacesDetail: String
    /// Title when their access to all has ended, or is to begin.
    public let noPlaceToday: String
    /// Under it.
    public let noPlaceTodayDetail: String
    /// Under it: whom to tell what.
    public let tellAddress: String
    /// Behind the name of a site, for whoever does not see the arrow.
    public let switchPlace: String
    /// Kind of site.
    public let company: String
    /// Kind of site.
    public let building: String
    /// Kind of site.
    public let centre: String
    /// Kind of site.
    public let houseOrFlat: String

    // MARK: Permissions

    /// Permission.
    public let owner: String
    /// Permission.
    public let manager: String
    /// Permission.
    public let installer: String
    /// Permission.
    public let member: String
    /// Permission.
    public let merchant: String
    /// Permission.
    public let guest: String

    // MARK: Times

    /// Day.
    public let today: String
    /// Day.
    public let yesterday: String
    /// The time of day.
    public let todayAt: @Sendable (String) -> String
    /// The time of day.
    public let yesterdayAt: @Sendable (String) -> String
    /// A date and the time of day.
    public let onDayAt: @Sendable (String, String) -> String
    /// Day, name of the month, year.
    public let dayMonthYear: @Sendable (String, String, String) -> String
    /// Month.
    public let january: String
    /// Month.
    public let february: String
    /// Month.
    public let march: String
    /// Month.
    public let april: String
    /// Month.
    public let may: String
    /// Month.
    public let june: String
    /// Month.
    public let july: String
    /// Month.
    public let august: String
    /// Month.
    public let september: String
    /// Month.
    public let october: String
    /// Month.
    public let november: String
    /// Month.
    public let december: String

    /// The words of a language.
    public static func `in`(_ language: Language) -> PagesWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }
}

extension PagesWords {
    /// English.
    public static let en = PagesWords(
        skip: "Skip to the content",
        navigation: "Main",
        account: "Account",
        language: "Language",
        signOut: "Sign out",
        notSavedYet: "Nothing has been done or saved yet. Check it and press the button again.",
        back: "Back",
        home: "To the first page",
        save: "Save",
        open: "Open",
        optional: "optional",
        checkFields: "Nothing was saved yet. Look at the marked fields.",
        live: "live",
        connecting: "connecting",
        connectionLost: "connection lost, coming back", signedOutHere: "signed out here: sign in again",
        signIn: "Sign in",
        signInIntro: "Your doors, your home, your places.",
        email: "Email",
        password: "Password",
        showPassword: "Show",
        hidePassword: "Hide",
        wrongCredentials: "Email and password do not match. Check both and try again.",
        tooManyAttempts: { "Too many attempts. Try again in \($0)." },
        signedOut: "You have signed out.",
        sessionEnded: "Your session has ended. Sign in to go on.",
        sessionEndedUnsaved: "Your session had ended: nothing was saved. Sign in, then do it again.",
        firstRun: "Set up Soglia",
        firstRunIntro: "You become the owner of the first site. It takes a minute.",
        setupCode: "Setup code",
        setupCodeHint: "It is in the file setup-code in the hub's data folder, and nowhere else. It works once.",
        wrongSetupCode: "This is not the code in the file setup-code.",
        you: "You",
        yourName: "Your name",
        firstSite: "The first site",
        siteKind: "What it is", siteName: "Name of the site",
        siteNameHint: "A company, a building or a home, as people call it.",
        timeZone: "Time zone",
        timeZoneHint: "Days and hours of the site are counted in it.",
        create: "Create the site",
        notFound: "There is nothing here",
        notFoundDetail: "The address may have changed, or what it showed was removed.",
        forbidden: "This is not open to you",
        forbiddenDetail: "Your permission at this place does not include it. Its manager can change that.",
        refused: "This was not accepted",
        refusedDetail: "Nothing was changed. Go back and try again.",
        tooLarge: "This file is too large",
        tooLargeDetail: "Nothing was read and nothing was changed. Go back and choose a smaller one.",
        restarting: "The hub is restarting",
        restartingDetail: "Gates go on working with passes. This page is back in a moment.",
        tooMuch: "That was a lot at once",
        tooMuchDetail: "Wait a moment and try again. Nothing was lost.",
        diskFull: "The hub's disk is full",
        diskFullDetail:
            "Nothing was changed: there is no room to write it down. Reading still works. Tell whoever looks after the hub.",
        tryAgain: "Try again",
        places: "My places",
        noPlaces: "No place yet",
        noPlacesDetail: "Nobody has added you yet. A place appears here as soon as its manager does.",
        noPlaceToday: "No place is open to you today",
        noPlaceTodayDetail:
            "Your access has ended, or has not begun. If that is a mistake, ask the place’s manager.",
        tellAddress: "Tell them your address:",
        switchPlace: ", to my places",
        company: "Company",
        building: "Building",
        centre: "Shopping centre",
        houseOrFlat: "Home",
        owner: "owner",
        manager: "manager",
        installer: "installer",
        member: "member",
        merchant: "merchant",
        guest: "guest",
        today: "today",
        yesterday: "yesterday",
        todayAt: { "today at \($0)" },
        yesterdayAt: { "yesterday at \($0)" },
        onDayAt: { "\($0) at \($1)" },
        dayMonthYear: { "\($0) \($1) \($2)" },
        january: "January",
        february: "February",
        march: "March",
        april: "April",
        may: "May",
        june: "June",
        july: "July",
        august: "August",
        september: "September",
        october: "October",
        november: "November",
        december: "December")
}

extension PagesWords {
    /// Italian.
    public static let it = PagesWords(
        skip: "Vai al contenuto",
        navigation: "Principale",
        account: "Account",
        language: "Lingua",
        signOut: "Esci",
        notSavedYet: "Non è stato ancora fatto né salvato nulla. Controlla e premi di nuovo il pulsante.",
        back: "Indietro",
        home: "Alla prima pagina",
        save: "Salva",
        open: "Apri",
        optional: "facoltativo",
        checkFields: "Non è stato ancora salvato nulla. Guarda i campi segnati.",
        live: "in diretta",
        connecting: "in collegamento",
        connectionLost: "collegamento perso, sta tornando", signedOutHere: "sessione terminata: accedi di nuovo",
        signIn: "Accedi",
        signInIntro: "Le tue porte, la tua casa, i tuoi luoghi.",
        email: "Email",
        password: "Password",
        showPassword: "Mostra",
        hidePassword: "Nascondi",
        wrongCredentials: "Email e password non corrispondono. Controllale e riprova.",
        tooManyAttempts: { "Troppi tentativi. Riprova tra \($0)." },
        signedOut: "Hai chiuso la sessione.",
        sessionEnded: "La sessione è terminata. Accedi per continuare.",
        sessionEndedUnsaved: "La sessione era terminata: non è stato salvato nulla. Accedi e riprova.",
        firstRun: "Prepara Soglia",
        firstRunIntro: "Diventi proprietario del primo sito. Basta un minuto.",
        setupCode: "Codice di avvio",
        setupCodeHint:
            "È nel file setup-code nella cartella dei dati dell'hub, e in nessun altro posto. Vale una volta sola.",
        wrongSetupCode: "Non è il codice del file setup-code.",
        you: "Tu",
        yourName: "Il tuo nome",
        firstSite: "Il primo sito",
        siteKind: "Che cos’è", siteName: "Nome del sito",
        siteNameHint: "Un'azienda, un edificio o una casa, come la chiamano tutti.",
        timeZone: "Fuso orario",
        timeZoneHint: "I giorni e gli orari del sito si contano qui.",
        create: "Crea il sito",
        notFound: "Qui non c'è nulla",
        notFoundDetail: "L'indirizzo può essere cambiato, o ciò che mostrava è stato tolto.",
        forbidden: "Questa pagina non è aperta per te",
        forbiddenDetail: "Il tuo permesso in questo luogo non lo comprende. Chi lo gestisce può cambiarlo.",
        refused: "Richiesta non accettata",
        refusedDetail: "Non è cambiato nulla. Torna indietro e riprova.",
        tooLarge: "Questo file è troppo grande",
        tooLargeDetail: "Non è stato letto e non è cambiato nulla. Torna indietro e scegline uno più piccolo.",
        restarting: "L'hub si sta riavviando",
        restartingDetail: "I varchi continuano a funzionare con i pass. Questa pagina torna tra un momento.",
        tooMuch: "Troppo in una volta",
        tooMuchDetail: "Aspetta un momento e riprova. Nulla è andato perso.",
        diskFull: "Il disco dell'hub è pieno",
        diskFullDetail:
            "Nulla è stato cambiato: non c'è posto per scriverlo. Leggere si può ancora. Avvisa chi si occupa dell'hub.",
        tryAgain: "Riprova",
        places: "I miei luoghi",
        noPlaces: "Ancora nessun luogo",
        noPlacesDetail: "Nessuno ti ha ancora aggiunto. Un luogo compare qui appena lo fa chi lo gestisce.",
        noPlaceToday: "Oggi non hai accesso a nessun luogo",
        noPlaceTodayDetail:
            "Il tuo accesso è terminato, o non è ancora iniziato. Se non dovrebbe essere così, chiedi al gestore del luogo.",
        tellAddress: "Di’ loro il tuo indirizzo:",
        switchPlace: ", ai miei luoghi",
        company: "Azienda",
        building: "Edificio",
        centre: "Centro commerciale",
        houseOrFlat: "Casa",
        owner: "proprietario",
        manager: "gestore",
        installer: "installatore",
        member: "membro",
        merchant: "esercente",
        guest: "ospite",
        today: "oggi",
        yesterday: "ieri",
        todayAt: { "oggi alle \($0)" },
        yesterdayAt: { "ieri alle \($0)" },
        onDayAt: { "\($0) alle \($1)" },
        dayMonthYear: { "\($0) \($1) \($2)" },
        january: "gennaio",
        february: "febbraio",
        march: "marzo",
        april: "aprile",
        may: "maggio",
        june: "giugno",
        july: "luglio",
        august: "agosto",
        september: "settembre",
        october: "ottobre",
        november: "novembre",
        december: "dicembre")
}

extension PagesWords {
    /// Spanish.
    public static let es = PagesWords(
        skip: "Ir al contenido",
        navigation: "Principal",
        account: "Cuenta",
        language: "Idioma",
        signOut: "Salir",
        notSavedYet: "Todavía no se ha hecho ni guardado nada. Revísalo y pulsa el botón otra vez.",
        back: "Volver",
        home: "A la primera página",
        save: "Guardar",
        open: "Abrir",
        optional: "opcional",
        checkFields: "Todavía no se ha guardado nada. Mira los campos marcados.",
        live: "en directo",
        connecting: "conectando",
        connectionLost: "conexión perdida, volviendo", signedOutHere: "sesión terminada: vuelve a entrar",
        signIn: "Entrar",
        signInIntro: "Tus puertas, tu casa, tus lugares.",
        email: "Correo electrónico",
        password: "Contraseña",
        showPassword: "Mostrar",
        hidePassword: "Ocultar",
        wrongCredentials: "El correo y la contraseña no coinciden. Revísalos y prueba otra vez.",
        tooManyAttempts: { "Demasiados intentos. Prueba otra vez dentro de \($0)." },
        signedOut: "Has cerrado la sesión.",
        sessionEnded: "Tu sesión ha terminado. Entra para continuar.",
        sessionEndedUnsaved: "Tu sesión había terminado: no se ha guardado nada. Entra y hazlo otra vez.",
        firstRun: "Prepara Soglia",
        firstRunIntro: "Serás propietario del primer sitio. Basta un minuto.",
        setupCode: "Código de inicio",
        setupCodeHint:
            "Está en el archivo setup-code de la carpeta de datos del hub, y en ningún otro sitio. Sirve una sola vez.",
        wrongSetupCode: "No es el código del archivo setup-code.",
        you: "Tú",
        yourName: "Tu nombre",
        firstSite: "El primer sitio",
        siteKind: "Qué es", siteName: "Nombre del sitio",
        siteNameHint: "Una empresa, un edificio o una casa, como la llama la gente.",
        timeZone: "Zona horaria",
        timeZoneHint: "Los días y horas del sitio se cuentan en ella.",
        create: "Crear el sitio",
        notFound: "Aquí no hay nada",
        notFoundDetail: "La dirección puede haber cambiado, o lo que mostraba ya no está.",
        forbidden: "Esta página no está abierta para ti",
        forbiddenDetail: "Tu permiso en este lugar no lo incluye. Quien lo gestiona puede cambiarlo.",
        refused: "Solicitud no aceptada",
        refusedDetail: "No ha cambiado nada. Vuelve atrás y prueba otra vez.",
        tooLarge: "Este archivo es demasiado grande",
        tooLargeDetail: "No se ha leído y no ha cambiado nada. Vuelve atrás y elige uno más pequeño.",
        restarting: "El hub se está reiniciando",
        restartingDetail: "Los accesos siguen funcionando con los pases. Esta página vuelve en un momento.",
        tooMuch: "Demasiado de una vez",
        tooMuchDetail: "Espera un momento y prueba otra vez. No se ha perdido nada.",
        diskFull: "El disco del hub está lleno",
        diskFullDetail:
            "No se ha cambiado nada: no queda sitio para escribirlo. Leer aún funciona. Avisa a quien se ocupa del hub.",
        tryAgain: "Probar otra vez",
        places: "Mis lugares",
        noPlaces: "Aún no hay lugares",
        noPlacesDetail: "Nadie te ha añadido todavía. Un lugar aparece aquí en cuanto lo hace quien lo gestiona.",
        noPlaceToday: "Hoy no tienes acceso a ningún lugar",
        noPlaceTodayDetail:
            "Tu acceso ha terminado, o aún no ha empezado. Si no debería ser así, pregunta al gestor del lugar.",
        tellAddress: "Diles tu dirección:",
        switchPlace: ", a mis lugares",
        company: "Empresa",
        building: "Edificio",
        centre: "Centro comercial",
        houseOrFlat: "Casa",
        owner: "propietario",
        manager: "gestor",
        installer: "instalador",
        member: "miembro",
        merchant: "comerciante",
        guest: "invitado",
        today: "hoy",
        yesterday: "ayer",
        todayAt: { "hoy \(atHour($0))" },
        yesterdayAt: { "ayer \(atHour($0))" },
        onDayAt: { "\($0) \(atHour($1))" },
        dayMonthYear: { "\($0) de \($1) de \($2)" },
        january: "enero",
        february: "febrero",
        march: "marzo",
        april: "abril",
        may: "mayo",
        june: "junio",
        july: "julio",
        august: "agosto",
        september: "septiembre",
        october: "octubre",
        november: "noviembre",
        december: "diciembre")
}

/// "a la 01:05", "a las 08:52": Spanish counts one hour in the singular.
func atHour(_ time: String) -> String {
    let hour = time.prefix { $0 != ":" && $0 != "." }
    return (hour == "1" || hour == "01" ? "a la " : "a las ") + time
}
extension PagesWords {
    /// A date as people write it: "3 March 2027", "3 marzo 2027", "3 de marzo de 2027".
    /// - Parameter month: 1 to 12; anything else is taken into that range.
    public func date(year: Int, month: Int, day: Int) -> String {
        let months = [
            january, february, march, april, may, june, july, august, september, october, november, december,
        ]
        return dayMonthYear(String(day), months[min(max(month, 1), 12) - 1], String(year))
    }

    /// The name of a permission (`owner`, `manager`, …); one that we do not know reads as itself.
    public func permission(_ code: String) -> String {
        switch code {
        case "owner": owner
        case "manager": manager
        case "installer": installer
        case "member": member
        case "merchant": merchant
        case "guest": guest
        default: code
        }
    }

    /// The name of a kind of site (`company`, `building`, `centre`, `home`); one that we do not know reads as itself.
    public func kind(_ code: String) -> String {
        switch code {
        case "company": company
        case "building": building
        case "centre": centre
        case "home": houseOrFlat
        default: code
        }
    }
}
