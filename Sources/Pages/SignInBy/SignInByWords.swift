import Accounts
import Identity

/// The words of sign-in by others. A language without one of them does not compile.
struct SignInByWords: Sendable {
    /// Between the form and the buttons.
    let or: String
    /// Button; the service's name.
    let goOnWith: @Sendable (String) -> String
    /// Button of the page that asks for a proof; the service's name.
    let proveBy: @Sendable (String) -> String

    /// Title of the page that leads to a service; its name.
    let onTheWay: @Sendable (String) -> String
    /// Under it.
    let onTheWayDetail: String

    /// Title: nothing came of it.
    let notSignedIn: String
    /// It was begun elsewhere, took too long, or was used already.
    let notBegun: String
    /// The person or the service said no.
    let declined: @Sendable (String) -> String
    /// The service does not answer.
    let unreachable: @Sendable (String) -> String
    /// Too many at once.
    let busy: @Sendable (String) -> String
    /// What came is not to be believed.
    let untrusted: @Sendable (String) -> String
    /// Nobody here is linked with it, and strangers may not make an account.
    let closed: @Sendable (String) -> String
    /// There is an account with that address.
    let addressTaken: @Sendable (String) -> String
    /// The service speaks of another person than the session.
    let another: @Sendable (String) -> String
    /// Link.
    let tryAgain: String

    /// Title of the section.
    let linked: String
    /// Under it, where there is none.
    let noneLinked: String
    /// Of one that was never used.
    let neverUsed: String
    /// Of one that was; the moment in words.
    let lastUsed: @Sendable (String) -> String
    /// Button; the service's name.
    let link: @Sendable (String) -> String
    /// Button.
    let unlink: String

    /// Title of the page for somebody who asked a service to have their data erased.
    let forgotten: String
    /// The service's name, and when.
    let forgottenDetail: @Sendable (String, String) -> String

    /// The words of a language.
    static func `in`(_ language: Language) -> SignInByWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    static let en = SignInByWords(
        or: "or", goOnWith: { "Continue with \($0)" }, proveBy: { "Show it with \($0)" },
        onTheWay: { "On to \($0)" },
        onTheWayDetail: "You sign in there, and then you are led back here.",
        notSignedIn: "You are not signed in by this",
        notBegun:
            "This sign-in was begun in another browser, took longer than ten minutes, or was used already. Begin again.",
        declined: { "\($0) did not say who you are, or you said no there. Nothing was changed." },
        unreachable: { "\($0) does not answer at the moment. Try again later, or come in another way." },
        busy: { "Too many are waiting for \($0) at this moment. Try again in a minute, or sign in another way." },
        untrusted: {
            "What \($0) said could not be made sure of, so nobody was signed in. Whoever runs this place can read why."
        },
        closed: {
            "No account here is linked with this one at \($0). If you have an account, sign in your usual way and link \($0) under Ways in. If not, ask a manager of this place to let you in."
        },
        addressTaken: {
            "An account here has your address already. Sign in to it your usual way, then link \($0) under Ways in: an address alone links nothing."
        },
        another: { "\($0) spoke of somebody whose account is not linked with yours." },
        tryAgain: "Begin again",
        linked: "Linked services", noneLinked: "None is linked.", neverUsed: "not used yet",
        lastUsed: { "last used \($0)" }, link: { "Link \($0)" }, unlink: "Unlink",
        forgotten: "It is unlinked",
        forgottenDetail: { service, day in
            "You asked at \(service) to have your data erased. On \(day) the link to you there was removed here. If you have an account here it stays, and mail to its address still lets you in; to erase it too, sign in and choose Your data."
        })

    static let it = SignInByWords(
        or: "oppure", goOnWith: { "Continua con \($0)" }, proveBy: { "Mostralo con \($0)" },
        onTheWay: { "Si va da \($0)" },
        onTheWayDetail: "Accedi lì, e dopo torni qui.",
        notSignedIn: "L’accesso non è avvenuto",
        notBegun:
            "Questo accesso è iniziato in un altro browser, è durato più di dieci minuti o è già stato usato. Ricomincia.",
        declined: { "\($0) non ha detto chi sei, oppure lì hai detto di no. Non è cambiato nulla." },
        unreachable: { "\($0) in questo momento non risponde. Riprova più tardi o entra in un altro modo." },
        busy: { "In questo momento troppe persone aspettano \($0). Riprova tra un minuto, o accedi in un altro modo." },
        untrusted: {
            "Non è stato possibile verificare ciò che ha detto \($0), quindi nessuno è entrato. Chi gestisce questo luogo può leggere il motivo."
        },
        closed: {
            "Nessun account qui è collegato a questo di \($0). Se hai un account, accedi come al solito e collega \($0) in Accesso. Altrimenti chiedi a un gestore di questo luogo di farti entrare."
        },
        addressTaken: {
            "Un account qui ha già il tuo indirizzo. Accedi come al solito, poi collega \($0) in Accesso: il solo indirizzo non collega nulla."
        },
        another: { "\($0) ha parlato di qualcuno il cui account non è collegato al tuo." },
        tryAgain: "Ricomincia",
        linked: "Servizi collegati", noneLinked: "Nessuno è collegato.", neverUsed: "mai usato",
        lastUsed: { "ultimo uso \($0)" }, link: { "Collega \($0)" }, unlink: "Scollega",
        forgotten: "È scollegato",
        forgottenDetail: { service, day in
            "Hai chiesto a \(service) di cancellare i tuoi dati. Il \(day) il collegamento con te è stato tolto da qui. Se hai un account qui, resta, e la posta al suo indirizzo ti fa ancora entrare; per cancellare anche quello, accedi e scegli I tuoi dati."
        })

    static let es = SignInByWords(
        or: "o bien", goOnWith: { "Continuar con \($0)" }, proveBy: { "Demostrarlo con \($0)" },
        onTheWay: { "Vamos a \($0)" },
        onTheWayDetail: "Entras allí, y después vuelves aquí.",
        notSignedIn: "No has entrado",
        notBegun: "Esta entrada empezó en otro navegador, tardó más de diez minutos o ya se usó. Empieza de nuevo.",
        declined: { "\($0) no ha dicho quién eres, o allí has dicho que no. No ha cambiado nada." },
        unreachable: { "\($0) no responde en este momento. Prueba más tarde o entra de otra forma." },
        busy: { "En este momento demasiada gente espera a \($0). Prueba dentro de un minuto, o entra de otra manera." },
        untrusted: {
            "No se ha podido comprobar lo que dijo \($0), así que nadie ha entrado. Quien lleva este lugar puede leer el motivo."
        },
        closed: {
            "Ninguna cuenta de aquí está vinculada con esta de \($0). Si tienes una cuenta, entra como siempre y vincula \($0) en Inicio de sesión. Si no, pide a un gestor de este lugar que te deje entrar."
        },
        addressTaken: {
            "Una cuenta de aquí ya tiene tu dirección. Entra como siempre y después vincula \($0) en Inicio de sesión: la dirección por sí sola no vincula nada."
        },
        another: { "\($0) ha hablado de alguien cuya cuenta no está vinculada con la tuya." },
        tryAgain: "Empezar de nuevo",
        linked: "Servicios vinculados", noneLinked: "No hay ninguno vinculado.", neverUsed: "sin usar todavía",
        lastUsed: { "último uso \($0)" }, link: { "Vincular \($0)" }, unlink: "Desvincular",
        forgotten: "Está desvinculado",
        forgottenDetail: { service, day in
            "Pediste a \(service) que se borraran tus datos. El \(day) se quitó aquí el vínculo contigo. Si tienes una cuenta aquí, se queda, y el correo a su dirección todavía te deja entrar; para borrarla también, entra y elige Tus datos."
        })
}
