import Accounts
import Identity

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
    /// Title where the account cannot be deleted yet, under it until when, and the button to the ways in.
    let waits: String
    let waitsDetail: @Sendable (String) -> String
    let showWays: String
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
        }, showPasskey: "Show my passkey", delete: "Delete my account",
        deleteDetail:
            "Your account and what your places keep about you are deleted. The next page shows what is deleted and what stays, before anything happens.",
        goOn: "See what is deleted", warning: "This cannot be undone, not even from a backup.", goes: "What is deleted",
        gone: [
            "Your account: name, address, photo, password, passkeys, linked services. You are signed out everywhere.",
            "Your part in every place. Badges and the passes on your phones stop working at once.",
            "Every opening, refusal and change about you.",
        ], stays: "What stays, and why",
        staying: [
            "That there was an entry at that moment, without saying who: the log of each place is a chain, and this proves that nothing else in it was changed.",
            "A number, where you changed something about others. It leads nowhere once your account is deleted.",
            "Backups made before still hold you until the hub’s administrator deletes them. A restore on this machine deletes you again.",
        ], atPlaces: "At your places", oneEntry: "one entry of its log is emptied",
        entries: { "\($0) entries of its log are emptied" },
        onlyOwner: "You are the only owner here. Make another person an owner first, so that the place keeps one.",
        makeOwner: "Open its people, choose a person, and make them an owner.", typeName: "Type your name to be sure",
        typeNameHint: { "The name: \($0)" }, otherName: "This is not your name.",
        waits: "Your account cannot be deleted yet",
        waitsDetail: {
            "A passkey was added or removed by the password alone. So that a stolen password is not enough to delete your account, this waits until \($0). Was it not you? Look at your ways in."
        },
        showWays: "Ways in",
        deleteForGood: "Delete my account for good", goneTitle: "Your account is deleted",
        goneDetail: "Your account was deleted. You can close this page.", toStart: "Sign in")

    private static let it = OwnDataWords(
        title: "I tuoi dati", take: "Portali con te",
        takeDetail:
            "Tutto ciò che questo hub conserva di te, in un file: il tuo account, i tuoi luoghi, dove hai fatto l’accesso, le tue aperture, i tuoi badge. È JSON, leggibile da programmi e persone. Password e chiavi non ci sono.",
        download: "Scarica",
        withheld: {
            $0.count == 1
                ? "Il file non contiene \($0[0]): questo luogo chiede una passkey."
                : "Il file non contiene \($0.joined(separator: ", ")): questi luoghi chiedono una passkey."
        }, showPasskey: "Mostra la mia passkey", delete: "Elimina il mio account",
        deleteDetail:
            "Il tuo account e ciò che i tuoi luoghi conservano di te vengono eliminati. La prossima pagina mostra che cosa viene eliminato e che cosa resta, prima che accada qualcosa.",
        goOn: "Vedi che cosa viene eliminato", warning: "Non si può annullare, nemmeno con una copia di sicurezza.",
        goes: "Che cosa viene eliminato",
        gone: [
            "Il tuo account: nome, indirizzo, foto, password, passkey, servizi collegati. Ogni accesso termina.",
            "La tua parte in ogni luogo. I badge e i pass sui tuoi telefoni smettono subito di funzionare.",
            "Ogni apertura, rifiuto e modifica che ti riguarda.",
        ], stays: "Che cosa resta, e perché",
        staying: [
            "Che in quel momento c’è stata una voce, senza dire chi: il registro di ogni luogo è una catena, e così si prova che nient’altro è cambiato.",
            "Un numero, dove hai modificato qualcosa di altri. Non porta a nessuno quando il tuo account è eliminato.",
            "Le copie di sicurezza fatte prima ti contengono ancora, finché l’amministratore dell’hub non le elimina. Un ripristino su questa macchina ti cancella di nuovo.",
        ], atPlaces: "Nei tuoi luoghi", oneEntry: "una voce del suo registro viene svuotata",
        entries: { "\($0) voci del suo registro vengono svuotate" },
        onlyOwner: "Qui nessun’altra persona è proprietaria. Prima nominane una, così nessuno resta fuori.",
        makeOwner: "Apri le sue persone, scegline una e rendila proprietaria.",
        typeName: "Scrivi il tuo nome per conferma", typeNameHint: { "Il nome: \($0)" },
        otherName: "Non è il tuo nome.",
        waits: "Il tuo account non può ancora essere eliminato",
        waitsDetail: {
            "Una passkey è stata aggiunta o eliminata con la sola password. Perché una password rubata non basti per eliminare il tuo account, bisogna attendere fino a: \($0). Non eri tu? Controlla i tuoi accessi."
        },
        showWays: "I tuoi accessi",
        deleteForGood: "Elimina per sempre",
        goneTitle: "Account eliminato",
        goneDetail: "Il tuo account è stato eliminato. Puoi chiudere questa pagina.", toStart: "Accedi")

    private static let es = OwnDataWords(
        title: "Tus datos", take: "Llévatelos",
        takeDetail:
            "Todo lo que este hub guarda de ti, en un archivo: tu cuenta, tus lugares, dónde has entrado, tus aperturas, tus credenciales. Es JSON, que leen programas y personas. No contiene contraseñas ni claves.",
        download: "Descargar",
        withheld: {
            $0.count == 1
                ? "El archivo no incluye \($0[0]): este lugar pide una clave de acceso."
                : "El archivo no incluye \($0.joined(separator: ", ")): estos lugares piden una clave de acceso."
        }, showPasskey: "Mostrar mi clave", delete: "Eliminar mi cuenta",
        deleteDetail:
            "Se eliminan tu cuenta y lo que tus lugares guardan de ti. La página siguiente muestra qué se elimina y qué queda, antes de que pase nada.",
        goOn: "Ver qué se elimina", warning: "No se puede deshacer, ni siquiera con una copia de seguridad.",
        goes: "Qué se elimina",
        gone: [
            "Tu cuenta: nombre, dirección, foto, contraseña, claves de acceso, servicios vinculados. Se cierran todas tus sesiones.",
            "Tu parte en cada lugar. Las credenciales y los pases de tus teléfonos dejan de funcionar enseguida.",
            "Cada apertura, rechazo y cambio relacionado contigo.",
        ], stays: "Qué queda, y por qué",
        staying: [
            "Que en ese momento hubo una entrada, sin decir quién: el registro de cada lugar es una cadena, y así se demuestra que nada más ha cambiado.",
            "Un número, donde cambiaste algo de otros. No lleva a nadie cuando tu cuenta está eliminada.",
            "Las copias de seguridad hechas antes te contienen todavía, hasta que el administrador del hub las elimine. Una restauración en esta máquina te borra de nuevo.",
        ], atPlaces: "En tus lugares", oneEntry: "una entrada de su registro se vacía",
        entries: { "\($0) entradas de su registro se vacían" },
        onlyOwner: "Aquí eres la única persona propietaria. Nombra antes a otra, para que nadie se quede fuera.",
        makeOwner: "Abre sus personas, elige una y hazla propietaria.", typeName: "Escribe tu nombre para confirmar",
        typeNameHint: { "El nombre: \($0)" }, otherName: "No es tu nombre.",
        waits: "Tu cuenta no se puede eliminar todavía",
        waitsDetail: {
            "Se añadió o eliminó una clave de acceso solo con la contraseña. Para que una contraseña robada no baste para eliminar tu cuenta, hay que esperar hasta: \($0). ¿No has sido tú? Revisa tus formas de entrar."
        },
        showWays: "Formas de entrar",
        deleteForGood: "Eliminar para siempre", goneTitle: "Cuenta eliminada",
        goneDetail: "Tu cuenta se ha eliminado. Puedes cerrar esta página.", toStart: "Iniciar sesión")
}
