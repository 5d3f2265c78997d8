import Accounts
import Identity

/// The words of the pages around letters: a forgotten password, a new account, another address. A language without one of them does not
/// compile.
struct LetterPagesWords: Sendable {
    /// Link on the page for signing in.
    let forgotten: String
    /// Link on the page for signing in, and title.
    let makeAccount: String
    /// Link back to the page for signing in.
    let toSignIn: String

    let forgottenTitle: String
    /// Under it.
    let forgottenIntro: String
    /// Button.
    let sendLetter: String
    /// Title after it was pressed.
    let sent: String
    /// Under it, for a forgotten password. It does not say whether there is such an account.
    let forgottenSent: String
    /// Under it, for a new account. It does not say whether there is one already.
    let registerSent: String
    /// Title of a link that was used or is too old.
    let spent: String
    /// Under it.
    let spentDetail: String
    /// Title of the page for a new password, and its button.
    let newPassword: String
    /// Under it; whose account it is.
    let newPasswordIntro: @Sendable (String) -> String
    /// Below it, where nobody had confirmed the address.
    let takenOver: String

    /// Under the title of the page for a new account.
    let registerIntro: String
    /// Title of the page that the letter leads to.
    let finish: String
    /// Under it; for which address.
    let finishIntro: @Sendable (String) -> String
    let finishButton: String
    let nameRefused: String
    let addressRefused: String
    /// Title where the account cannot have another address yet, under it until when, and the button to the ways in.
    let addressWaits: String
    let addressWaitsDetail: @Sendable (String) -> String
    let showWays: String
    /// Refused: somebody has it by now.
    let addressTaken: String
    /// Title where strangers may not make themselves an account.
    let closed: String
    /// Under it.
    let closedDetail: String
    /// Title where the hub cannot send letters.
    let noMail: String
    /// Under it.
    let noMailDetail: String

    /// Title of the page for one's address.
    let address: String
    /// Under it; which one it is. Confirmed.
    let addressIsConfirmed: @Sendable (String) -> String
    /// Under it; which one it is. Not yet confirmed.
    let addressIsNotConfirmed: @Sendable (String) -> String
    /// Under it, for somebody without one.
    let noAddress: String
    /// Field.
    let newAddress: String
    /// Under the field.
    let newAddressHint: String
    /// Notice. It does not say whether the address is somebody else's.
    let addressSent: String
    /// Title of the page that the letter leads to.
    let confirmAddress: String
    /// Under it; the address.
    let confirmAddressIntro: @Sendable (String) -> String
    /// Title where another account asked for the letter.
    let anothersAddress: String
    /// Under it; who is signed in.
    let anothersAddressDetail: @Sendable (String) -> String
    /// Button.
    let confirm: String
    /// Title after it was pressed.
    let addressDone: String
    /// Under it; the address.
    let addressDoneDetail: @Sendable (String) -> String

    /// The words of a language.
    static func `in`(_ language: Language) -> LetterPagesWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    static let en = LetterPagesWords(
        forgotten: "Forgotten your password?", makeAccount: "Make an account", toSignIn: "To the sign-in",
        forgottenTitle: "A new password",
        forgottenIntro: "Enter your address. If it has an account here, we send you an email with a link.",
        sendLetter: "Send the email", sent: "Check your email",
        forgottenSent:
            "If this address has an account, an email is on its way. Its link works once, for 30 minutes. At most three emails an hour go to one address.",
        registerSent:
            "An email is on its way to you. Its link works once, for two days. At most three emails an hour go to one address.",
        spent: "This link is no longer valid",
        spentDetail: "It was already used, is too old, or was replaced by a newer email. Ask for a new one.",
        newPassword: "Choose a new password",
        newPasswordIntro: { "For the account of \($0). Everywhere else you sign in again." },
        takenOver:
            "This address was not confirmed until now, so someone else may have set up the account. Its other ways to sign in, its photo and its settings are removed.",
        registerIntro: "We send you an email. Open the link in it and choose a password.",
        finish: "Almost there", finishIntro: { "\($0) is confirmed. Choose a password." },
        finishButton: "Make the account",
        nameRefused: "A name needs 1 to 120 characters.",
        addressRefused: "No email can be sent to this address.",
        addressWaits: "Your address cannot be changed yet",
        addressWaitsDetail: {
            "A passkey was added or removed by the password alone. So that a stolen password is not enough to take your account, this waits until \($0). Was it not you? Look at your ways in."
        },
        showWays: "Ways in",
        addressTaken: "An account has this address already. Sign in with it.",
        closed: "You cannot make an account here yourself",
        closedDetail: "Ask a manager of your place to add you: you get an email.",
        noMail: "This hub sends no emails",
        noMailDetail: "Ask a manager of your place for a new password.",
        address: "Your address",
        addressIsConfirmed: { "Emails go to \($0). It is confirmed." },
        addressIsNotConfirmed: {
            "Emails go to \($0). It is not confirmed yet. Confirm it by choosing a password anew: the email to this address leads there. Other ways in and sessions end then."
        },
        noAddress: "We know no address of yours. With one you can choose a new password when you have forgotten it.",
        newAddress: "Address", newAddressHint: "It is yours once you have opened the link in the email.",
        addressSent:
            "An email is on its way to that address. Open its link while you are signed in here; nothing changes before.",
        confirmAddress: "Confirm this address",
        confirmAddressIntro: { "From now on you sign in with \($0), and emails go there." },
        anothersAddress: "Another account asked for this",
        anothersAddressDetail: {
            "You are signed in as \($0). Sign out, and open the link again with the account that is to have this address. If you did not ask for this, do nothing."
        },
        confirm: "Confirm",
        addressDone: "Confirmed", addressDoneDetail: { "\($0) is the address of your account." })

    static let it = LetterPagesWords(
        forgotten: "Hai dimenticato la password?", makeAccount: "Crea un account", toSignIn: "Vai all’accesso",
        forgottenTitle: "Una nuova password",
        forgottenIntro: "Scrivi il tuo indirizzo. Se qui ha un account, ti inviamo un’email con un link.",
        sendLetter: "Invia l’email", sent: "Controlla la posta",
        forgottenSent:
            "Se questo indirizzo ha un account, un’email è in arrivo. Il link vale una volta sola, per 30 minuti. A un indirizzo vanno al massimo tre email all’ora.",
        registerSent:
            "Un’email è in arrivo. Il link vale una volta sola, per due giorni. A un indirizzo vanno al massimo tre email all’ora.",
        spent: "Questo link non vale più",
        spentDetail: "È già stato usato, è troppo vecchio, o c’è un’email più recente. Chiedine un altro.",
        newPassword: "Scegli una nuova password",
        newPasswordIntro: { "Per l’account di \($0). Altrove dovrai accedere di nuovo." },
        takenOver:
            "Finora l’indirizzo non era confermato: l’account potrebbe averlo preparato un’altra persona. Gli altri modi di accedere, la foto e le impostazioni vengono rimossi.",
        registerIntro: "Ti inviamo un’email. Apri il link e scegli una password.",
        finish: "Ci siamo quasi", finishIntro: { "\($0) è confermato. Scegli una password." },
        finishButton: "Crea l’account",
        nameRefused: "Un nome ha da 1 a 120 caratteri.",
        addressRefused: "A questo indirizzo non si può inviare un’email.",
        addressWaits: "Il tuo indirizzo non si può ancora cambiare",
        addressWaitsDetail: {
            "Una passkey è stata aggiunta o eliminata con la sola password. Perché una password rubata non basti per prendere il tuo account, bisogna attendere fino a: \($0). Non eri tu? Controlla i tuoi accessi."
        },
        showWays: "I tuoi accessi",
        addressTaken: "Un account ha già questo indirizzo. Accedi con quello.",
        closed: "Qui non puoi creare un account da solo",
        closedDetail: "Chiedi a un gestore del tuo luogo di aggiungerti: riceverai un’email.",
        noMail: "Questo hub non invia email",
        noMailDetail: "Chiedi una nuova password a un gestore del tuo luogo.",
        address: "Il tuo indirizzo",
        addressIsConfirmed: { "Le email vanno a \($0). L’indirizzo è confermato." },
        addressIsNotConfirmed: {
            "Le email vanno a \($0). Non è ancora confermato. Per confermarlo scegli di nuovo una password: l’email a questo indirizzo porta lì. Gli altri accessi e le sessioni terminano."
        },
        noAddress: "Non conosciamo un tuo indirizzo. Con uno puoi scegliere una nuova password se la dimentichi.",
        newAddress: "Indirizzo", newAddressHint: "È tuo quando avrai aperto il link dell’email.",
        addressSent:
            "Un’email è in arrivo a quell’indirizzo. Apri il link con questo account; fino ad allora non cambia nulla.",
        confirmAddress: "Conferma questo indirizzo",
        confirmAddressIntro: { "Da ora accedi con \($0), e le email vanno lì." },
        anothersAddress: "La richiesta viene da un altro account",
        anothersAddressDetail: {
            "Hai effettuato l’accesso come \($0). Esci e riapri il link con l’account che deve avere questo indirizzo. Se non hai chiesto nulla, non fare niente."
        },
        confirm: "Conferma",
        addressDone: "Confermato", addressDoneDetail: { "\($0) è l’indirizzo del tuo account." })

    static let es = LetterPagesWords(
        forgotten: "¿Has olvidado la contraseña?", makeAccount: "Crear una cuenta", toSignIn: "Ir al inicio de sesión",
        forgottenTitle: "Una contraseña nueva",
        forgottenIntro: "Escribe tu dirección. Si tiene una cuenta aquí, te enviamos un correo con un enlace.",
        sendLetter: "Enviar el correo", sent: "Revisa tu correo",
        forgottenSent:
            "Si esta dirección tiene una cuenta, un correo está en camino. Su enlace vale una sola vez, durante 30 minutos. A una dirección van como mucho tres correos por hora.",
        registerSent:
            "Un correo está en camino. Su enlace vale una sola vez, durante dos días. A una dirección van como mucho tres correos por hora.",
        spent: "Este enlace ya no es válido",
        spentDetail: "Ya se usó, es demasiado antiguo, o hay un correo más reciente. Pide otro.",
        newPassword: "Elige una contraseña nueva",
        newPasswordIntro: { "Para la cuenta de \($0). En los demás sitios entrarás de nuevo." },
        takenOver:
            "Hasta ahora la dirección no estaba confirmada: otra persona pudo preparar la cuenta. Se quitan las demás formas de entrar, la foto y los ajustes.",
        registerIntro: "Te enviamos un correo. Abre su enlace y elige una contraseña.",
        finish: "Ya casi está", finishIntro: { "\($0) está confirmada. Elige una contraseña." },
        finishButton: "Crear la cuenta",
        nameRefused: "Un nombre tiene de 1 a 120 caracteres.",
        addressRefused: "A esta dirección no se puede enviar un correo.",
        addressWaits: "Tu dirección no se puede cambiar todavía",
        addressWaitsDetail: {
            "Se añadió o eliminó una clave de acceso solo con la contraseña. Para que una contraseña robada no baste para quedarse con tu cuenta, hay que esperar hasta: \($0). ¿No has sido tú? Revisa tus formas de entrar."
        },
        showWays: "Formas de entrar",
        addressTaken: "Una cuenta ya tiene esta dirección. Inicia sesión con ella.",
        closed: "Aquí no puedes crear tú una cuenta",
        closedDetail: "Pide a un gestor de tu lugar que te añada: recibirás un correo.",
        noMail: "Este hub no envía correos",
        noMailDetail: "Pide una contraseña nueva a un gestor de tu lugar.",
        address: "Tu dirección",
        addressIsConfirmed: { "Los correos van a \($0). La dirección está confirmada." },
        addressIsNotConfirmed: {
            "Los correos van a \($0). Aún no está confirmada. Para confirmarla elige otra vez una contraseña: el correo a esta dirección lleva allí. Las demás formas de entrar y las sesiones terminan."
        },
        noAddress: "No conocemos ninguna dirección tuya. Con una puedes elegir otra contraseña si la olvidas.",
        newAddress: "Dirección", newAddressHint: "Es tuya cuando hayas abierto el enlace del correo.",
        addressSent:
            "Un correo está en camino a esa dirección. Abre su enlace con esta cuenta; hasta entonces nada cambia.",
        confirmAddress: "Confirma esta dirección",
        confirmAddressIntro: { "Desde ahora inicias sesión con \($0), y los correos van allí." },
        anothersAddress: "Lo pidió otra cuenta",
        anothersAddressDetail: {
            "Has iniciado sesión como \($0). Cierra la sesión y abre el enlace otra vez con la cuenta que va a tener esta dirección. Si no has pedido nada, no hagas nada."
        },
        confirm: "Confirmar",
        addressDone: "Confirmada", addressDoneDetail: { "\($0) es la dirección de tu cuenta." })
}
