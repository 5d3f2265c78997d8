import Accounts
import Identity

/// The words of the pages around invitations. A language without one of them does not compile.
struct JoinWords: Sendable {
    // Joining.
    let title: @Sendable (String) -> String
    /// Who invites, and to which site.
    let intro: @Sendable (String?, String) -> String
    let signedInAs: @Sendable (String, String) -> String
    let join: @Sendable (String) -> String
    let notYou: String
    let signOutAndGoOn: String
    /// Where the invitation went, to who is signed in with another address.
    let sentTo: @Sendable (String) -> String
    /// To who is signed in with its address, which is not confirmed.
    let chooseAnew: String
    /// Whom a site invites, as it calls them.
    let isFor: @Sendable (String) -> String
    let unknownCode: String
    let holderSignsIn: @Sendable (String) -> String
    let signIn: String
    let haveAccount: String
    let haveNone: String
    let choose: @Sendable (String) -> String
    let addressHint: String
    let nameRefused: String
    let addressRefused: String
    let addressTaken: String
    let anotherAddress: String
    let waysFirst: String
    let accountGone: String
    let takesOver: String
    let endingPassword: String
    let endingPasskeys: @Sendable (Int) -> String
    let endingServices: @Sendable (Int) -> String
    let endingSessions: @Sendable (Int) -> String
    let spent: String
    let spentDetail: String
    let typing: String
    let typingIntro: String
    let code: String
    let next: String

    // The manager's page.
    let invitation: String
    /// They are new here, and the next thing is to invite them.
    let added: @Sendable (String) -> String
    let invited: @Sendable (String) -> String
    let hasJoined: @Sendable (String) -> String
    let accessEnded: @Sendable (String) -> String
    /// Until when.
    let letterIsOut: @Sendable (String) -> String
    let paperIsOut: @Sendable (String) -> String
    /// To whom.
    let letterIsHeld: @Sendable (String) -> String
    let letterIsRefused: @Sendable (String) -> String
    let nothingIsOut: String
    let sendLetter: String
    let letterHint: @Sendable (String) -> String
    let letterSent: @Sendable (String) -> String
    let tooMany: String
    let makePaper: String
    let paperHint: String
    let paperTitle: @Sendable (String) -> String
    let paperSteps: @Sendable (String) -> String
    let paperEnds: @Sendable (String) -> String
    let paperOnce: String
    let passwordEnds: String
    let ownersInvite: String
    let back: String
    let house: String

    func refusal(_ refusal: JoiningRefusal) -> String {
        switch refusal {
        case .anotherAddress, .holderSignsIn: anotherAddress
        case .waysFirst: waysFirst
        case .isGone: accountGone
        }
    }

    static func `in`(_ language: Language) -> JoinWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = JoinWords(
        title: { "Join \($0)" },
        intro: { inviter, site in inviter.map { "\($0) invites you to \(site)." } ?? "You are invited to \(site)." },
        signedInAs: { $1.isEmpty ? "You are signed in as \($0)." : "You are signed in as \($0) (\($1))." },
        join: { "Join \($0)" }, notYou: "Not your account? Sign out, and go on with the invitation.",
        signOutAndGoOn: "Sign out and continue",
        sentTo: { "The invitation was sent to \($0). You can only join with that address." },
        chooseAnew:
            "You have not confirmed yet that this address is yours. Sign out, and choose a new password on the next page: that confirms it.",
        isFor: { "The invitation is for \($0)." },
        unknownCode:
            "No open invitation has this code. Check it: it has 26 characters. If it is right, it was used or has ended: ask for a new invitation.",
        holderSignsIn: { "You already have an account with \($0). Sign in to join." },
        signIn: "Sign in and join", haveAccount: "You have an account here", haveNone: "You have no account yet",
        choose: { "Choose a password. You will sign in with \($0)." },
        addressHint: "You sign in with it.", nameRefused: "Write your name, up to 120 characters.",
        addressRefused: "This is not an email address.",
        addressTaken: "An account has this address already. Sign in with it, or use another address.",
        anotherAddress: "This invitation was sent to another address. Sign in with the account that has it.",
        waysFirst: "Your address is not confirmed yet. Sign out, open the link again and choose a new password.",
        accountGone: "This account was deleted. The invitation is still valid for another one.",
        takesOver:
            "There is an account with this address already, and nobody has confirmed it. When you join, it is yours with the places it has. What it was opened with until now stops working:",
        endingPassword: "its password", endingPasskeys: { $0 == 1 ? "1 passkey" : "\($0) passkeys" },
        endingServices: { $0 == 1 ? "1 sign-in with another service" : "\($0) sign-ins with other services" },
        endingSessions: {
            $0 == 1 ? "1 device or program that is signed in" : "\($0) devices and programs that are signed in"
        },
        spent: "This invitation is no longer valid",
        spentDetail:
            "If you have already joined, sign in. If you got a newer email, use that one; otherwise ask for a new invitation.",
        typing: "Enter your invitation",
        typingIntro: "Type the code on your invitation: 26 characters. Spaces do not matter.",
        code: "Code", next: "Continue", invitation: "Invitation",
        added: { "\($0) was added." }, invited: { "\($0) has not joined yet." },
        hasJoined: { "\($0) has joined and signs in with their own account." },
        accessEnded: { "The access of \($0) has ended. Give it back first." },
        letterIsOut: { "An invitation by email is valid until \($0)." },
        paperIsOut: { "An invitation on paper is valid until \($0)." },
        letterIsHeld: {
            "The email to \($0) has not left yet: the mail server does not take it. The hub keeps trying. You can make an invitation on paper."
        },
        letterIsRefused: {
            "The mail server refused the email to \($0). Most often the address is wrong: correct it, or make an invitation on paper. If all emails are refused, tell the hub’s administrator."
        },
        nothingIsOut: "No invitation is valid right now.",
        sendLetter: "Send email", letterHint: { "To \($0). Earlier emails stop working." },
        letterSent: { "The email to \($0) is on its way." },
        tooMany: "Too many emails were sent. Try again in an hour, or make an invitation on paper.",
        makePaper: "Make invitation on paper",
        paperHint: "Show it or print it and hand it over in person. Older ones stop working.",
        paperTitle: { "Invitation for \($0)" },
        paperSteps: { "Open \($0) in a browser and type this code:" },
        paperEnds: { "Valid until \($0), for one person." },
        paperOnce: "The code is shown only now. Print this page, or show it on this screen.",
        passwordEnds: "A first password that was chosen for them stops working.",
        ownersInvite: "Only an owner invites an owner.", back: "Person",
        house: "House settings")

    private static let it = JoinWords(
        title: { "Accetta l’invito: \($0)" },
        intro: { inviter, site in inviter.map { "\($0) ti invita in \(site)." } ?? "C’è un invito per te in \(site)." },
        signedInAs: {
            $1.isEmpty ? "Hai effettuato l’accesso come \($0)." : "Hai effettuato l’accesso come \($0) (\($1))."
        },
        join: { _ in "Accetta l’invito" }, notYou: "Non è il tuo account? Esci e continua con l’invito.",
        signOutAndGoOn: "Esci e continua",
        sentTo: { "L’invito è stato inviato a \($0). Puoi accettarlo solo con quell’indirizzo." },
        chooseAnew:
            "Non hai ancora confermato che questo indirizzo è tuo. Esci e scegli una nuova password nella pagina successiva: così lo confermi.",
        isFor: { "L’invito è per \($0)." },
        unknownCode:
            "Nessun invito aperto ha questo codice. Controllalo: ha 26 caratteri. Se è giusto, è già stato usato o è scaduto: chiedi un nuovo invito.",
        holderSignsIn: { "Hai già un account con \($0). Accedi per accettare l’invito." },
        signIn: "Accedi e accetta l’invito", haveAccount: "Hai già un account qui",
        haveNone: "Non hai ancora un account",
        choose: { "Scegli una password. Accederai con \($0)." },
        addressHint: "Ti serve per accedere.", nameRefused: "Scrivi il tuo nome, al massimo 120 caratteri.",
        addressRefused: "Questo non è un indirizzo email.",
        addressTaken: "Un account ha già questo indirizzo. Accedi con quello, o usa un altro indirizzo.",
        anotherAddress: "Questo invito è stato inviato a un altro indirizzo. Accedi con l’account che lo ha.",
        waysFirst: "Il tuo indirizzo non è ancora confermato. Esci, riapri il link e scegli una nuova password.",
        accountGone: "Questo account è stato eliminato. L’invito vale ancora per un altro.",
        takesOver:
            "Esiste già un account con questo indirizzo, e nessuno l’ha confermato. Se accetti l’invito diventa tuo, con i luoghi che ha. Ciò con cui finora si accedeva smette di funzionare:",
        endingPassword: "la sua password", endingPasskeys: { $0 == 1 ? "1 passkey" : "\($0) passkey" },
        endingServices: { $0 == 1 ? "1 accesso con un altro servizio" : "\($0) accessi con altri servizi" },
        endingSessions: {
            $0 == 1 ? "1 dispositivo o programma collegato" : "\($0) dispositivi e programmi collegati"
        },
        spent: "Questo invito non vale più",
        spentDetail:
            "Se hai già accettato l’invito, accedi. Se hai ricevuto un’email più recente, usa quella; altrimenti chiedi un nuovo invito.",
        typing: "Inserisci il tuo invito",
        typingIntro: "Scrivi il codice dell’invito: 26 caratteri. Gli spazi non contano.",
        code: "Codice", next: "Continua", invitation: "Invito",
        added: { "Hai aggiunto \($0)." }, invited: { "\($0) non ha ancora fatto il primo accesso." },
        hasJoined: { "\($0) ha già fatto il primo accesso." },
        accessEnded: { "L’accesso di \($0) è terminato. Per invitare, prima va ridato." },
        letterIsOut: { "Un invito per email vale fino al \($0)." },
        paperIsOut: { "Un invito su carta vale fino al \($0)." },
        letterIsHeld: {
            "L’email a \($0) non è ancora partita: il server di posta non la accetta. Si continua a provare. Puoi creare un invito su carta."
        },
        letterIsRefused: {
            "Il server di posta ha rifiutato l’email a \($0). Di solito l’indirizzo è sbagliato: correggilo, o crea un invito su carta. Se rifiuta tutte le email, avvisa l’amministratore dell’hub."
        },
        nothingIsOut: "Al momento nessun invito è valido.",
        sendLetter: "Invia per email", letterHint: { "A \($0). Le email precedenti non valgono più." },
        letterSent: { "L’email a \($0) è in partenza." },
        tooMany: "Sono state inviate troppe email. Riprova tra un’ora, o crea un invito su carta.",
        makePaper: "Crea invito su carta",
        paperHint: "Mostralo o stampalo e consegnalo di persona. Quelli precedenti non valgono più.",
        paperTitle: { "Invito per \($0)" },
        paperSteps: { "Apri \($0) in un browser e scrivi questo codice:" },
        paperEnds: { "Vale fino al \($0), per una persona." },
        paperOnce: "Il codice si vede solo adesso. Stampa questa pagina, o mostrala su questo schermo.",
        passwordEnds: "Una prima password scelta per questa persona non vale più.",
        ownersInvite: "Solo un proprietario può invitare un proprietario.", back: "Persona",
        house: "Impostazioni della casa")

    private static let es = JoinWords(
        title: { "Acepta la invitación: \($0)" },
        intro: { inviter, site in inviter.map { "\($0) te invita a \(site)." } ?? "Tienes una invitación para \(site)."
        },
        signedInAs: { $1.isEmpty ? "Has iniciado sesión como \($0)." : "Has iniciado sesión como \($0) (\($1))." },
        join: { _ in "Aceptar la invitación" },
        notYou: "¿No es tu cuenta? Sal y sigue con la invitación.",
        signOutAndGoOn: "Salir y continuar",
        sentTo: { "La invitación se envió a \($0). Solo puedes aceptarla con esa dirección." },
        chooseAnew:
            "Aún no has confirmado que esta dirección es tuya. Cierra la sesión y elige una contraseña nueva en la página siguiente: así la confirmas.",
        isFor: { "La invitación es para \($0)." },
        unknownCode:
            "Ninguna invitación abierta tiene este código. Compruébalo: tiene 26 caracteres. Si es correcto, ya se usó o ha terminado: pide otra invitación.",
        holderSignsIn: { "Ya tienes una cuenta con \($0). Inicia sesión para aceptar la invitación." },
        signIn: "Iniciar sesión y aceptar la invitación", haveAccount: "Ya tienes una cuenta aquí",
        haveNone: "Todavía no tienes cuenta",
        choose: { "Elige una contraseña. Iniciarás sesión con \($0)." },
        addressHint: "La usas para iniciar sesión.", nameRefused: "Escribe tu nombre, con 120 caracteres como máximo.",
        addressRefused: "Esto no es una dirección de correo.",
        addressTaken: "Una cuenta ya tiene esta dirección. Inicia sesión con ella o usa otra dirección.",
        anotherAddress: "Esta invitación se envió a otra dirección. Inicia sesión con la cuenta que la tiene.",
        waysFirst:
            "Tu dirección aún no está confirmada. Cierra la sesión, abre el enlace otra vez y elige una contraseña nueva.",
        accountGone: "Esta cuenta se eliminó. La invitación sigue siendo válida para otra.",
        takesOver:
            "Ya existe una cuenta con esta dirección y nadie la ha confirmado. Si aceptas la invitación pasa a ser tuya, con los lugares que tiene. Lo que servía para entrar en ella deja de funcionar:",
        endingPassword: "su contraseña", endingPasskeys: { $0 == 1 ? "1 clave de acceso" : "\($0) claves de acceso" },
        endingServices: {
            $0 == 1 ? "1 inicio de sesión con otro servicio" : "\($0) inicios de sesión con otros servicios"
        },
        endingSessions: {
            $0 == 1
                ? "1 dispositivo o programa con sesión abierta" : "\($0) dispositivos y programas con sesión abierta"
        },
        spent: "Esta invitación ya no es válida",
        spentDetail:
            "Si ya aceptaste la invitación, inicia sesión. Si tienes un correo más reciente, usa ese; si no, pide otra invitación.",
        typing: "Introduce tu invitación",
        typingIntro: "Escribe el código de la invitación: 26 caracteres. Los espacios no cuentan.",
        code: "Código", next: "Continuar", invitation: "Invitación",
        added: { "Has añadido a \($0)." }, invited: { "\($0) aún no ha entrado." },
        hasJoined: { "\($0) ya ha entrado." },
        accessEnded: { "El acceso de \($0) ha terminado. Para invitar, primero devuélvelo." },
        letterIsOut: { "Una invitación por correo es válida hasta el \($0)." },
        paperIsOut: { "Una invitación en papel es válida hasta el \($0)." },
        letterIsHeld: {
            "El correo a \($0) aún no ha salido: el servidor de correo no lo acepta. Se sigue intentando. Puedes crear una invitación en papel."
        },
        letterIsRefused: {
            "El servidor de correo ha rechazado el correo a \($0). Casi siempre la dirección está mal: corrígela o crea una invitación en papel. Si rechaza todos los correos, avisa al administrador del hub."
        },
        nothingIsOut: "Ahora mismo ninguna invitación es válida.",
        sendLetter: "Enviar por correo electrónico", letterHint: { "A \($0). Los correos anteriores dejan de valer." },
        letterSent: { "El correo a \($0) está en camino." },
        tooMany: "Se han enviado demasiados correos. Inténtalo dentro de una hora o crea una invitación en papel.",
        makePaper: "Crear invitación en papel",
        paperHint: "Muéstrala o imprímela y entrégala en mano. Las anteriores dejan de valer.",
        paperTitle: { "Invitación para \($0)" },
        paperSteps: { "Abre \($0) en un navegador y escribe este código:" },
        paperEnds: { "Válida hasta el \($0), para una persona." },
        paperOnce: "El código solo se muestra ahora. Imprime esta página o muéstrala en esta pantalla.",
        passwordEnds: "Una primera contraseña que se eligió para esta persona deja de valer.",
        ownersInvite: "Solo un propietario puede invitar a un propietario.", back: "Persona",
        house: "Ajustes de la casa")
}
