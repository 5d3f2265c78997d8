import Accounts
import Identity

/// The words of passkeys. A language without one of them does not compile.
struct PasskeyWords: Sendable {
    /// Title of the part, and of the list.
    let passkeys: String
    /// What they are.
    let intro: String
    /// None yet, where one could be added.
    let none: String
    /// Where this hub can have none: what to do.
    let cannotHere: String
    /// The browser cannot, or runs no script.
    let cannotInBrowser: String
    /// Label of the name of a new one.
    let name: String
    /// Under it.
    let nameHint: String
    /// Button.
    let add: String
    /// Under a name: when it was added.
    let added: @Sendable (String) -> String
    /// Under a name: when it was used last.
    let used: @Sendable (String) -> String
    /// Under a name.
    let neverUsed: String
    /// Word: one's devices share it.
    let shared: String
    /// Word: it stays on one device.
    let oneDevice: String
    /// Under a name: under which other name of this hub it works.
    let worksAt: @Sendable (String) -> String
    /// Link to the page of one.
    let change: String
    /// Button.
    let rename: String
    /// Title of the part that removes it.
    let removing: String
    /// What that means.
    let removingHint: String
    /// Button.
    let remove: String

    /// Button of the sign-in.
    let signIn: String
    /// Button of the page that asks for a proof.
    let prove: String
    /// On a place that asks for one.
    let locked: String

    /// It was cancelled, took too long, or the device saw somebody else: browsers do not tell which.
    let notConfirmed: String
    /// The device has one of this person already.
    let alreadyThere: String
    /// The challenge is over.
    let tookTooLong: String
    /// No account has it.
    let unknown: String
    /// Its counter went back.
    let suspected: String
    /// As many as there may be.
    let tooMany: String
    /// Too often in too short a time.
    let tooOften: String
    /// Not at this address.
    let notHere: String
    /// The device cannot.
    let notPossible: String
    /// The name will not do.
    let wrongName: String
    /// The hub's disk is full.
    let diskFull: String
    /// Nobody answers.
    let noHub: String
    /// Anything else.
    let notAccepted: String

    /// Those that the islands need.
    var forIslands: HTML {
        data(
            id: "passkey-words",
            [
                "notConfirmed": notConfirmed, "alreadyThere": alreadyThere, "tookTooLong": tookTooLong,
                "unknown": unknown, "suspected": suspected, "tooMany": tooMany, "tooOften": tooOften,
                "notHere": notHere, "notPossible": notPossible, "wrongName": wrongName, "diskFull": diskFull,
                "noHub": noHub, "notAccepted": notAccepted,
            ])
    }

    /// The words of a language.
    static func `in`(_ language: Language) -> PasskeyWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    static let en = PasskeyWords(
        passkeys: "Passkeys",
        intro:
            "Your phone or computer opens your account after it has recognised your face, your fingerprint or its code. There is nothing to remember, and nothing that somebody could steal by asking for it.",
        none: "You have none yet.",
        cannotHere:
            "Passkeys work only under the hub’s name and with a secure connection. Open this page by an address that begins with https:// and a name, not with numbers. Whoever runs the hub can tell you which.",
        cannotInBrowser:
            "This browser cannot make a passkey. Open this page with Safari, Chrome, Edge or Firefox of today, with scripts allowed.",
        name: "Name", nameHint: "So that you know it again in this list.", add: "Add a passkey",
        added: { "Added \($0)" }, used: { "last used \($0)" }, neverUsed: "not used yet", shared: "On all your devices",
        oneDevice: "On this one device", worksAt: { "Works only at \($0)" }, change: "Change", rename: "Save the name",
        removing: "Remove passkey",
        removingHint:
            "It no longer opens your account, and every other device on which it was used is signed out. So is this one if you signed in here with it, unless you have just shown in another way who you are.",
        remove: "Remove this passkey", signIn: "Sign in with a passkey",
        prove: "Use a passkey", locked: "Asks for a passkey",
        notConfirmed:
            "Nothing was confirmed: it was cancelled, it took too long, or the device did not recognise you. Try again.",
        alreadyThere: "This device has a passkey of yours already. You can use that one.",
        tookTooLong: "That took too long. Try again.",
        unknown: "No account here knows this passkey. It may have been removed. Sign in another way.",
        suspected:
            "This passkey was not accepted: there may be a copy of it. Sign in another way, remove it and add a new one.",
        tooMany: "There are 20 already. Remove one that you no longer use.",
        tooOften: "Too many attempts from here. Wait a minute and try again.",
        notHere: "Passkeys do not work at this address. Open the hub by its name, with https://.",
        notPossible: "This device cannot do it: it needs a face, a finger or a code that unlocks it.",
        wrongName: "Write a name of at most 80 characters.",
        diskFull: "Nothing was changed: the hub’s disk is full. Tell the hub’s administrator.",
        noHub: "The hub did not answer. Check the connection and try again.",
        notAccepted: "The passkey was not accepted. Try again, or use another way.")

    static let it = PasskeyWords(
        passkeys: "Passkey",
        intro:
            "Il telefono o il computer apre il tuo account dopo aver riconosciuto il viso, l’impronta o il codice. Non c’è niente da ricordare, e niente che qualcuno possa rubare chiedendolo.",
        none: "Non ne hai ancora.",
        cannotHere:
            "Le passkey funzionano solo con il nome dell’hub e una connessione sicura. Apri questa pagina da un indirizzo che comincia con https:// e un nome, non con dei numeri. Chi gestisce l’hub sa dirti quale.",
        cannotInBrowser:
            "Questo browser non può creare una passkey. Apri questa pagina con Safari, Chrome, Edge o Firefox aggiornati, con gli script permessi.",
        name: "Nome", nameHint: "Per riconoscerla in questo elenco.", add: "Aggiungi una passkey",
        added: { "Aggiunta \($0)" }, used: { "usata \($0)" }, neverUsed: "non ancora usata",
        shared: "Su tutti i tuoi dispositivi", oneDevice: "Solo su questo dispositivo",
        worksAt: { "Funziona solo su \($0)" }, change: "Modifica", rename: "Salva il nome",
        removing: "Elimina passkey",
        removingHint:
            "Con questa passkey non si entra più, e su ogni altro dispositivo in cui l’hai usata l’accesso termina. Termina anche qui, se sei entrato con questa passkey e non hai appena mostrato in un altro modo che sei tu.",
        remove: "Elimina questa passkey", signIn: "Entra con una passkey",
        prove: "Usa una passkey", locked: "Chiede una passkey",
        notConfirmed:
            "Non è stato confermato nulla: è stato annullato, è passato troppo tempo, o il dispositivo non ti ha riconosciuto. Riprova.",
        alreadyThere: "Questo dispositivo ha già una tua passkey. Puoi usare quella.",
        tookTooLong: "È passato troppo tempo. Riprova.",
        unknown: "Nessun account qui conosce questa passkey. Forse è stata eliminata. Entra in un altro modo.",
        suspected:
            "Questa passkey non è stata accettata: potrebbe esisterne una copia. Entra in un altro modo, eliminala e aggiungine una nuova.",
        tooMany: "Ce ne sono già 20. Elimina una che non usi più.",
        tooOften: "Troppi tentativi da qui. Aspetta un minuto e riprova.",
        notHere: "Le passkey non funzionano a questo indirizzo. Apri l’hub con il suo nome, con https://.",
        notPossible: "Questo dispositivo non può: serve un viso, un dito o un codice che lo sblocchi.",
        wrongName: "Scrivi un nome di al massimo 80 caratteri.",
        diskFull: "Non è cambiato nulla: il disco dell’hub è pieno. Avvisa l’amministratore dell’hub.",
        noHub: "L’hub non ha risposto. Controlla la connessione e riprova.",
        notAccepted: "La passkey non è stata accettata. Riprova, o entra in un altro modo.")

    static let es = PasskeyWords(
        passkeys: "Claves de acceso",
        intro:
            "Tu teléfono u ordenador abre tu cuenta tras reconocer tu cara, tu huella o tu código. No hay nada que recordar, ni nada que alguien pueda robar pidiéndolo.",
        none: "Todavía no tienes ninguna.",
        cannotHere:
            "Las claves de acceso funcionan solo con el nombre del hub y una conexión segura. Abre esta página con una dirección que empiece por https:// y un nombre, no con números. Quien lleva el hub puede decirte cuál.",
        cannotInBrowser:
            "Este navegador no puede crear una clave de acceso. Abre esta página con Safari, Chrome, Edge o Firefox actuales, con los scripts permitidos.",
        name: "Nombre", nameHint: "Para reconocerla en esta lista.", add: "Añadir una clave de acceso",
        added: { "Añadida \($0)" }, used: { "usada \($0)" }, neverUsed: "aún sin usar",
        shared: "En todos tus dispositivos", oneDevice: "Solo en este dispositivo",
        worksAt: { "Funciona solo en \($0)" }, change: "Cambiar", rename: "Guardar el nombre",
        removing: "Eliminar clave de acceso",
        removingHint:
            "Ya nadie entra con ella, y en los demás dispositivos donde la usaste se cierra la sesión. Aquí también, si entraste con ella y no acabas de demostrar de otra forma que eres tú.",
        remove: "Eliminar esta clave", signIn: "Entrar con una clave de acceso",
        prove: "Usar una clave de acceso", locked: "Pide una clave de acceso",
        notConfirmed:
            "No se confirmó nada: se canceló, tardó demasiado o el dispositivo no te reconoció. Inténtalo de nuevo.",
        alreadyThere: "Este dispositivo ya tiene una clave tuya. Puedes usar esa.",
        tookTooLong: "Tardó demasiado. Inténtalo de nuevo.",
        unknown: "Ninguna cuenta de aquí conoce esta clave. Quizá se eliminó. Entra de otra forma.",
        suspected:
            "Esta clave no se aceptó: puede que exista una copia. Entra de otra forma, elimínala y añade una nueva.",
        tooMany: "Ya hay 20. Elimina una que ya no uses.",
        tooOften: "Demasiados intentos desde aquí. Espera un minuto e inténtalo de nuevo.",
        notHere: "Las claves de acceso no funcionan en esta dirección. Abre el hub por su nombre, con https://.",
        notPossible: "Este dispositivo no puede: hace falta una cara, un dedo o un código que lo desbloquee.",
        wrongName: "Escribe un nombre de 80 caracteres como máximo.",
        diskFull: "No ha cambiado nada: el disco del hub está lleno. Avisa al administrador del hub.",
        noHub: "El hub no respondió. Comprueba la conexión e inténtalo de nuevo.",
        notAccepted: "La clave no se aceptó. Inténtalo de nuevo o entra de otra forma.")
}
