import Accounts

/// The words of one's own data. A language without one of them does not compile.
struct OwnDataWords: Sendable {
    /// Title of the page.
    let title: String
    /// Part of the page.
    let take: String
    /// Under it.
    let takeDetail: String
    /// Link.
    let download: String
    /// Which sites are left out, and why; their names, one at least.
    let withheld: @Sendable ([String]) -> String
    /// Link.
    let showPasskey: String
    /// Part of the page, and title of the next.
    let delete: String
    /// Under it.
    let deleteDetail: String
    /// Link.
    let goOn: String
    /// Above everything.
    let warning: String
    /// Title of a list.
    let goes: String
    /// What goes.
    let gone: [String]
    /// Title of a list.
    let stays: String
    /// What is kept, and why.
    let staying: [String]
    /// Title of the list of sites.
    let atPlaces: String
    /// Of one site.
    let oneEntry: String
    /// Of one site; how many.
    let entries: @Sendable (String) -> String
    /// Why it cannot be done yet.
    let onlyOwner: String
    /// What to do first.
    let makeOwner: String
    /// Field.
    let typeName: String
    /// Under the field; the name.
    let typeNameHint: @Sendable (String) -> String
    /// Refused.
    let otherName: String
    /// Button.
    let deleteForGood: String
    /// Title, afterwards.
    let goneTitle: String
    /// Under it.
    let goneDetail: String
    /// Link.
    let toStart: String

    /// The words of a language.
    static func `in`(_ language: Language) -> OwnDataWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = OwnDataWords(
        title: "Your data", take: "Take it along",
        takeDetail:
            "Everything that this hub keeps of you, in one file: your account, your places, where you are signed in, your openings, your badges. It is JSON, which programs and people can read. Passwords and keys are not in it.",
        download: "Download",
        withheld: {
            $0.count == 1
                ? "The file leaves out \($0[0]): this place asks for a passkey."
                : "The file leaves out \($0.joined(separator: ", ")): these places ask for a passkey."
        }, showPasskey: "Show my passkey", delete: "Delete me",
        deleteDetail:
            "Your account goes, and with it what your places keep of you. The next page says what goes and what stays, before anything happens.",
        goOn: "What would go", warning: "This cannot be undone, not even from a backup.", goes: "What goes",
        gone: [
            "Your account: name, address, photo, password, passkeys, linked services. You are signed out everywhere.",
            "Your part in every place. Badges and the passes on your phones stop working at once.",
            "Every opening, refusal and change that tells of you.",
        ], stays: "What stays, and why",
        staying: [
            "That something happened then, without saying who: the book of each place is a chain, and this proves that nothing else in it was changed.",
            "A number, where you changed something about others. It leads nowhere once you are gone.",
            "Backups made before still hold you until whoever looks after the hub deletes them. A restore on this machine deletes you again.",
        ], atPlaces: "At your places", oneEntry: "one entry of its book is emptied",
        entries: { "\($0) entries of its book are emptied" },
        onlyOwner: "You are the only owner here. Make somebody else an owner first, so that nobody is locked out.",
        makeOwner: "Open its people, choose somebody, and make them an owner.", typeName: "Type your name to be sure",
        typeNameHint: { "Exactly this: \($0)" }, otherName: "This is not your name.",
        deleteForGood: "Delete me for good", goneTitle: "Your account is gone",
        goneDetail: "Nothing here knows you any more. You can close this page.", toStart: "To the sign-in")

    private static let it = OwnDataWords(
        title: "I tuoi dati", take: "Portali con te",
        takeDetail:
            "Tutto ciò che questo hub conserva di te, in un file: il tuo account, i tuoi luoghi, dove hai fatto l’accesso, le tue aperture, i tuoi badge. È JSON, leggibile da programmi e persone. Password e chiavi non ci sono.",
        download: "Scarica",
        withheld: {
            $0.count == 1
                ? "Il file non contiene \($0[0]): questo luogo chiede una passkey."
                : "Il file non contiene \($0.joined(separator: ", ")): questi luoghi chiedono una passkey."
        }, showPasskey: "Mostra la mia passkey", delete: "Cancellami",
        deleteDetail:
            "Il tuo account se ne va, e con lui ciò che i tuoi luoghi conservano di te. La prossima pagina dice che cosa se ne va e che cosa resta, prima che accada qualcosa.",
        goOn: "Che cosa se ne andrebbe", warning: "Non si può annullare, nemmeno con una copia di sicurezza.",
        goes: "Che cosa se ne va",
        gone: [
            "Il tuo account: nome, indirizzo, foto, password, passkey, servizi collegati. Esci dappertutto.",
            "La tua parte in ogni luogo. I badge e i pass sui tuoi telefoni smettono subito di funzionare.",
            "Ogni apertura, rifiuto e modifica che parla di te.",
        ], stays: "Che cosa resta, e perché",
        staying: [
            "Che allora è successo qualcosa, senza dire chi: il registro di ogni luogo è una catena, e così si prova che nient’altro è cambiato.",
            "Un numero, dove hai modificato qualcosa di altri. Non porta da nessuna parte quando non ci sei più.",
            "Le copie di sicurezza fatte prima ti contengono ancora, finché chi cura l’hub non le elimina. Un ripristino su questa macchina ti cancella di nuovo.",
        ], atPlaces: "Nei tuoi luoghi", oneEntry: "una voce del suo registro viene svuotata",
        entries: { "\($0) voci del suo registro vengono svuotate" },
        onlyOwner: "Qui nessun’altra persona è proprietaria. Prima nominane una, così nessuno resta fuori.",
        makeOwner: "Apri le sue persone, scegline una e rendila proprietaria.",
        typeName: "Scrivi il tuo nome per conferma", typeNameHint: { "Esattamente così: \($0)" },
        otherName: "Non è il tuo nome.", deleteForGood: "Cancellami per sempre",
        goneTitle: "Il tuo account non c’è più",
        goneDetail: "Qui nulla ti conosce più. Puoi chiudere questa pagina.", toStart: "All’accesso")

    private static let es = OwnDataWords(
        title: "Tus datos", take: "Llévatelos",
        takeDetail:
            "Todo lo que este hub guarda de ti, en un archivo: tu cuenta, tus lugares, dónde has entrado, tus aperturas, tus credenciales. Es JSON, que leen programas y personas. No contiene contraseñas ni claves.",
        download: "Descargar",
        withheld: {
            $0.count == 1
                ? "El archivo no incluye \($0[0]): este lugar pide una clave de acceso."
                : "El archivo no incluye \($0.joined(separator: ", ")): estos lugares piden una clave de acceso."
        }, showPasskey: "Mostrar mi clave", delete: "Bórrame",
        deleteDetail:
            "Tu cuenta se va, y con ella lo que tus lugares guardan de ti. La página siguiente dice qué se va y qué queda, antes de que pase nada.",
        goOn: "Qué se iría", warning: "No se puede deshacer, ni siquiera con una copia de seguridad.",
        goes: "Qué se va",
        gone: [
            "Tu cuenta: nombre, dirección, foto, contraseña, claves de acceso, servicios vinculados. Sales de todas partes.",
            "Tu parte en cada lugar. Las credenciales y los pases de tus teléfonos dejan de funcionar enseguida.",
            "Cada apertura, negativa y cambio que habla de ti.",
        ], stays: "Qué queda, y por qué",
        staying: [
            "Que entonces pasó algo, sin decir quién: el registro de cada lugar es una cadena, y así se prueba que nada más ha cambiado.",
            "Un número, donde cambiaste algo de otros. No lleva a ninguna parte cuando ya no estás.",
            "Las copias de seguridad hechas antes te contienen todavía, hasta que quien cuida el hub las borre. Una restauración en esta máquina te borra de nuevo.",
        ], atPlaces: "En tus lugares", oneEntry: "una entrada de su registro se vacía",
        entries: { "\($0) entradas de su registro se vacían" },
        onlyOwner: "Aquí eres la única persona propietaria. Nombra antes a otra, para que nadie se quede fuera.",
        makeOwner: "Abre sus personas, elige una y hazla propietaria.", typeName: "Escribe tu nombre para confirmar",
        typeNameHint: { "Exactamente así: \($0)" }, otherName: "No es tu nombre.",
        deleteForGood: "Bórrame para siempre", goneTitle: "Tu cuenta ya no está",
        goneDetail: "Aquí nada te conoce ya. Puedes cerrar esta página.", toStart: "A la entrada")
}
