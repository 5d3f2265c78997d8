import Accounts
import Identity
import Pages

/// The words of changing people, one or many, and of taking a change back.
public struct PeopleWords: Sendable {
    /// Of a row's check box; the person's name.
    let choose: @Sendable (String) -> String
    /// Of the bar under the list.
    let withChosen: String
    let chooseAction: String
    let revoke: String
    let reinstate: String
    let giveRole: String
    let endOn: String
    let apply: String
    /// How many the list has; all of them are meant, not only this page's.
    let allFound: @Sendable (Int) -> String
    let newRole: String
    let newLastDay: String
    let newLastDayHint: String
    // MARK: what became of it
    let nobodyChosen: String
    let noActionChosen: String
    let noRoleChosen: String
    let changed: @Sendable (Int) -> String
    /// Whose one membership it was.
    let changedOf: @Sendable (String) -> String
    let undone: @Sendable (Int) -> String
    let tooLate: String
    let undo: String
    /// Over a list of names that stayed as they were.
    let stayed: @Sendable (Int) -> String
    // MARK: filters
    let everyRole: String
    let everyStatus: String
    let statusFuture: String
    let statusEnded: String
    let statusRevoked: String
    let statusWaiting: String
    let sendInvitations: String
    /// How many letters are on their way.
    let invited: @Sendable (Int) -> String
    let hasJoined: String
    let accessEnded: String
    /// Where an invitation goes was changed: a new one is on its way, or has to be made on paper.
    let invitedAnew: String
    let inviteAnew: String
    let tooManyLetters: String
    let noLetters: String
    let revokedOn: @Sendable (String) -> String
    /// How many a list has.
    let count: @Sendable (Int) -> String
    let moreFilters: String
    // MARK: one person
    let access: String
    let otherMemberships: String
    let addMembership: String
    let addMembershipHint: @Sendable (String) -> String
    let revokeNow: String
    let revokeHint: String
    let revokedHint: @Sendable (String) -> String
    let giveBack: String
    let badge: String
    let badgeCode: String
    let badgeHint: String
    let badgeTaken: String
    let badgeRefused: String
    let saveBadge: String

    static func `in`(_ language: Language) -> PeopleWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    static let en = PeopleWords(
        choose: { "Choose \($0)" }, withChosen: "With the selected people", chooseAction: "What to do",
        revoke: "Take access away now", reinstate: "Give access back", giveRole: "Give a role",
        endOn: "Set the last day",
        apply: "Apply", allFound: { "All \($0) of this list, also on other pages" }, newRole: "Role",
        newLastDay: "Last day", newLastDayHint: "Empty: without an end.",
        nobodyChosen: "Choose at least one person first.",
        noActionChosen: "Say what to do with them.", noRoleChosen: "Choose the role, or no role.",
        changed: { $0 == 1 ? "1 membership changed." : "\($0) memberships changed." },
        changedOf: { "Membership of \($0) changed." },
        undone: { $0 == 1 ? "1 membership is as it was before." : "\($0) memberships are as they were before." },
        tooLate: "This can no longer be undone.", undo: "Undo",
        stayed: { $0 == 1 ? "1 stayed as it was:" : "\($0) stayed as they were:" }, everyRole: "Every role",
        everyStatus: "Everybody", statusFuture: "starts later", statusEnded: "ended", statusRevoked: "taken away",
        statusWaiting: "not joined yet", sendInvitations: "Send invitations by email",
        invited: { $0 == 1 ? "1 invitation is on its way." : "\($0) invitations are on their way." },
        hasJoined: "has joined already", accessEnded: "access has ended",
        invitedAnew: "A new invitation is on its way to the new address. Earlier ones no longer work.",
        inviteAnew: "Earlier invitations no longer work. Make a new one on paper.",
        tooManyLetters: "too many emails were sent: try again later",
        noLetters: "This hub sends no emails. Make invitations on paper on each person’s page.",
        revokedOn: { "taken away on \($0)" }, count: { $0 == 1 ? "1 membership" : "\($0) memberships" },
        moreFilters: "Role and status", access: "Access", otherMemberships: "Other memberships here",
        addMembership: "Add a membership",
        addMembershipHint: { "\($0) can have several: another role, other days. Each counts by itself." },
        revokeNow: "Take access away now",
        revokeHint:
            "In force within two seconds at gates that are connected, whatever the days say. It can be given back.",
        revokedHint: { "Taken away on \($0). Nothing opens for this membership." }, giveBack: "Give access back",
        badge: "Badge", badgeCode: "Code",
        badgeHint:
            "Shown on the phone. A new code ends the old one. Up to 24 letters, digits, dots, dashes and underscores.",
        badgeTaken: "Another person here has this code.",
        badgeRefused: "Use up to 24 letters, digits, dots, dashes and underscores.", saveBadge: "Save the badge")

    static let it = PeopleWords(
        choose: { "Scegli \($0)" }, withChosen: "Con le persone selezionate", chooseAction: "Che cosa fare",
        revoke: "Revoca subito l'accesso", reinstate: "Ridai l'accesso", giveRole: "Dai un ruolo",
        endOn: "Imposta l'ultimo giorno", apply: "Applica",
        allFound: { "Tutte le \($0) dell'elenco, anche nelle altre pagine" }, newRole: "Ruolo",
        newLastDay: "Ultimo giorno", newLastDayHint: "Vuoto: senza fine.",
        nobodyChosen: "Scegli prima almeno una persona.", noActionChosen: "Indica che cosa farne.",
        noRoleChosen: "Scegli il ruolo, oppure nessun ruolo.",
        changed: { $0 == 1 ? "1 appartenenza cambiata." : "\($0) appartenenze cambiate." },
        changedOf: { "Appartenenza di \($0) cambiata." },
        undone: { $0 == 1 ? "1 appartenenza è tornata com'era." : "\($0) appartenenze sono tornate com'erano." },
        tooLate: "Non si può più annullare.", undo: "Annulla",
        stayed: { $0 == 1 ? "1 è rimasta com'era:" : "\($0) sono rimaste com'erano:" }, everyRole: "Tutti i ruoli",
        everyStatus: "Tutti", statusFuture: "inizia più avanti", statusEnded: "terminata", statusRevoked: "revocata",
        statusWaiting: "primo accesso non ancora fatto", sendInvitations: "Invia gli inviti per email",
        invited: { $0 == 1 ? "1 invito in partenza." : "\($0) inviti in partenza." },
        hasJoined: "accede già con un proprio account", accessEnded: "accesso terminato",
        invitedAnew: "Un nuovo invito è in partenza per il nuovo indirizzo. Quelli precedenti non valgono più.",
        inviteAnew: "Gli inviti precedenti non valgono più. Creane uno nuovo su carta.",
        tooManyLetters: "troppe email inviate: riprova più tardi",
        noLetters: "Questo hub non invia email. Crea gli inviti su carta nella pagina di ogni persona.",
        revokedOn: { "revocata: \($0)" }, count: { $0 == 1 ? "1 appartenenza" : "\($0) appartenenze" },
        moreFilters: "Ruolo e stato", access: "Accesso", otherMemberships: "Altre appartenenze qui",
        addMembership: "Aggiungi un'appartenenza",
        addMembershipHint: { "\($0) può averne più d'una: un altro ruolo, altri giorni. Ognuna vale da sola." },
        revokeNow: "Revoca subito l'accesso",
        revokeHint: "Vale entro due secondi ai varchi collegati, qualunque siano i giorni. Si può ridare.",
        revokedHint: { "Revocata: \($0). Con questa appartenenza non si apre nulla." }, giveBack: "Ridai l'accesso",
        badge: "Badge", badgeCode: "Codice",
        badgeHint:
            "Si vede sul telefono. Un codice nuovo annulla il vecchio. Fino a 24 lettere, cifre, punti, trattini e trattini bassi.",
        badgeTaken: "Questo codice è di un'altra persona.",
        badgeRefused: "Usa fino a 24 lettere, cifre, punti, trattini e trattini bassi.",
        saveBadge: "Salva il badge")

    static let es = PeopleWords(
        choose: { "Elige a \($0)" }, withChosen: "Con las personas elegidas", chooseAction: "Qué hacer",
        revoke: "Retirar el acceso ahora", reinstate: "Devolver el acceso", giveRole: "Dar un rol",
        endOn: "Fijar el último día", apply: "Aplicar",
        allFound: { "Las \($0) de la lista, también en otras páginas" }, newRole: "Rol", newLastDay: "Último día",
        newLastDayHint: "Vacío: sin final.", nobodyChosen: "Elige antes al menos una persona.",
        noActionChosen: "Di qué hacer con ellas.", noRoleChosen: "Elige el rol, o sin rol.",
        changed: { $0 == 1 ? "1 pertenencia cambiada." : "\($0) pertenencias cambiadas." },
        changedOf: { "Pertenencia de \($0) cambiada." },
        undone: { $0 == 1 ? "1 pertenencia está como antes." : "\($0) pertenencias están como antes." },
        tooLate: "Esto ya no se puede deshacer.", undo: "Deshacer",
        stayed: { $0 == 1 ? "1 se quedó como estaba:" : "\($0) se quedaron como estaban:" },
        everyRole: "Todos los roles",
        everyStatus: "Todos", statusFuture: "empieza más tarde", statusEnded: "terminada", statusRevoked: "retirada",
        statusWaiting: "aún no ha entrado", sendInvitations: "Enviar las invitaciones por correo electrónico",
        invited: { $0 == 1 ? "1 invitación en camino." : "\($0) invitaciones en camino." },
        hasJoined: "ya inicia sesión con su propia cuenta", accessEnded: "acceso terminado",
        invitedAnew: "Se envía una invitación nueva a la nueva dirección. Las anteriores ya no valen.",
        inviteAnew: "Las invitaciones anteriores ya no valen. Crea una nueva en papel.",
        tooManyLetters: "se han enviado demasiados correos: prueba más tarde",
        noLetters: "Este hub no envía correos. Crea invitaciones en papel en la página de cada persona.",
        revokedOn: { "retirada el \($0)" }, count: { $0 == 1 ? "1 pertenencia" : "\($0) pertenencias" },
        moreFilters: "Rol y estado", access: "Acceso", otherMemberships: "Otras pertenencias aquí",
        addMembership: "Añadir una pertenencia",
        addMembershipHint: { "\($0) puede tener varias: otro rol, otros días. Cada una vale por sí sola." },
        revokeNow: "Retirar el acceso ahora",
        revokeHint: "Vale en dos segundos en los accesos conectados, digan lo que digan los días. Se puede devolver.",
        revokedHint: { "Retirada el \($0). Con esta pertenencia no se abre nada." }, giveBack: "Devolver el acceso",
        badge: "Credencial", badgeCode: "Código",
        badgeHint:
            "Se ve en el teléfono. Un código nuevo anula el anterior. Hasta 24 letras, cifras, puntos, guiones y guiones bajos.",
        badgeTaken: "Otra persona de aquí tiene este código.",
        badgeRefused: "Usa hasta 24 letras, cifras, puntos, guiones y guiones bajos.",
        saveBadge: "Guardar la credencial")
}
