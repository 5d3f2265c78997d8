import Accounts
import Identity
import Pages

/// The words of a company's people, roles and live log.
public struct DoorsWords: Sendable {

    // MARK: People

    /// Title and link.
    public let people: String
    /// Button.
    public let addPerson: String
    /// Label and button.
    public let search: String
    /// What is searched.
    public let searchHint: String
    /// Link.
    public let clearSearch: String
    /// Title when there is nobody.
    public let noPeople: String
    /// Under it.
    public let noPeopleDetail: String
    /// Title when the search finds nobody; the search.
    public let nobodyFound: @Sendable (String) -> String
    /// Under it.
    public let nobodyFoundDetail: String
    /// Field and column.
    public let name: String
    /// Field and column.
    public let email: String
    /// Field and column.
    public let role: String
    /// Field and column.
    public let permission: String
    /// Column.
    public let days: String
    /// Column.
    public let status: String
    public let noRole: String
    /// A first day only.
    public let fromDay: @Sendable (String) -> String
    /// A last day only.
    public let untilDay: @Sendable (String) -> String
    /// Both days.
    public let fromUntil: @Sendable (String, String) -> String
    /// Neither day.
    public let withoutLimit: String
    public let statusCurrent: String
    /// Status of somebody without a membership.
    public let statusNone: String
    /// Status; the date.
    public let startsOn: @Sendable (String) -> String
    /// Status; the date.
    public let endedOn: @Sendable (String) -> String
    /// Link.
    public let previous: String
    /// Link.
    public let next: String
    /// What the two links are.
    public let pages: String

    // MARK: Membership

    /// Title.
    public let newPerson: String
    /// Part of the form.
    public let who: String
    /// Part of the form.
    public let may: String
    /// Part of the form.
    public let when: String
    /// Under the address of a new person, where this hub sends letters.
    public let invitationHint: String
    /// The same, where it sends none.
    public let invitationOnPaperHint: String
    /// Under the address of somebody who has not joined yet.
    public let invitedHint: String
    /// Under an account's address that may be another person's.
    public let addressIsUnconfirmed: String
    /// Under the address of an account.
    public let ownAddressHint: String
    /// Heading.
    public let invitationTitle: String
    /// Chip: they have not joined yet.
    public let notJoined: String
    /// The same in a list, for who has no invitation that is good.
    public let notInvited: String
    /// For who has one.
    public let invited: String
    /// For who has one whose letter the mail server refused.
    public let letterRefused: String
    /// Under the heading.
    public let notJoinedHint: String
    /// Instead, where they can sign in by a password that was chosen for them.
    public let hasPasswordHint: String
    /// The same, where an invitation is out.
    public let isInvitedHint: String
    /// Link.
    public let invitation: String
    /// Under the field.
    public let roleHint: String
    /// Under the field.
    public let permissionHint: String
    /// Field.
    public let firstDay: String
    /// Field.
    public let lastDay: String
    /// Under the days; the time zone.
    public let daysHint: @Sendable (String) -> String
    /// Button.
    public let save: String
    /// After saving.
    public let saved: String
    /// Link.
    public let allPeople: String

    // MARK: Log

    /// Title and link.
    public let log: String
    /// Column.
    public let time: String
    /// Column.
    public let person: String
    /// Column.
    public let gate: String
    /// Column.
    public let how: String
    /// Column.
    public let outcome: String
    /// Outcome.
    public let opened: String
    /// Outcome: decided, not yet answered.
    public let granted: String
    /// Outcome.
    public let unconfirmed: String
    /// Outcome: the gate said no.
    public let refused: String
    /// Outcome: the hub said no.
    public let denied: String
    /// Title when there is nothing.
    public let noEntries: String
    /// Under it.
    public let noEntriesDetail: String
    /// Link.
    public let older: String
    /// Link.
    public let newest: String
    /// Announced when many arrive; the number.
    public let newEntries: @Sendable (String) -> String
    /// How.
    public let throughHub: String
    /// How.
    public let overTheAir: String
    /// How.
    public let byCode: String
    /// How.
    public let byCard: String

    // MARK: Reasons

    /// Reason.
    public let noMembership: String
    /// Reason; the date.
    public let notStarted: @Sendable (String) -> String
    /// Reason; the date.
    public let ended: @Sendable (String) -> String
    public let noRoleReason: String
    /// Reason.
    public let roleLacksGate: String
    /// Reason; the date.
    public let revoked: @Sendable (String) -> String
    /// Reason; when the hours begin next, empty when that is far away.
    public let outsideHours: @Sendable (String) -> String

    /// The words of a language.
    public static func `in`(_ language: Language) -> DoorsWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }
}

extension DoorsWords {
    /// English.
    public static let en = DoorsWords(
        people: "People",
        addPerson: "Add a person",
        search: "Search",
        searchHint: "Name or email",
        clearSearch: "Show everybody",
        noPeople: "Nobody here yet",
        noPeopleDetail: "Add the people who may open gates. Each gets a badge on the phone.",
        nobodyFound: { "Nobody matches “\($0)”" },
        nobodyFoundDetail: "Try a part of the name, or the email.",
        name: "Name",
        email: "Email",
        role: "Role",
        permission: "Permission",
        days: "Days",
        status: "Status",
        noRole: "no role",
        fromDay: { "from \($0)" },
        untilDay: { "until \($0)" },
        fromUntil: { "\($0) to \($1)" },
        withoutLimit: "without limit",
        statusCurrent: "current",
        statusNone: "no membership",
        startsOn: { "starts on \($0)" },
        endedOn: { "ended on \($0)" },
        previous: "Previous",
        next: "Next",
        pages: "Pages of the list",
        newPerson: "New person",
        who: "Who",
        may: "What this person may do",
        when: "When",
        invitationHint: "They get an email with an invitation.",
        invitationOnPaperHint: "After saving, make an invitation on paper and hand it over.",
        invitedHint: "The invitation goes here. If you change the address, older invitations stop working.",
        addressIsUnconfirmed: "Not confirmed: it may be another person’s.",
        ownAddressHint: "Only they can change it: in their account, under You.",
        invitationTitle: "Invitation",
        notJoined: "not joined yet", notInvited: "to be invited", invited: "invited",
        letterRefused: "email refused",
        notJoinedHint:
            "Their badge and rights need no invitation: they hold on the days of the membership. To use the app, they need one.",
        hasPasswordHint: "Has a password, but has not signed in yet.",
        isInvitedHint:
            "Their badge and rights need no invitation: they hold on the days of the membership. They have been invited to the app. A new invitation ends the one before it.",
        invitation: "Send or print invitation…",
        roleHint: "The role says which gates open.",
        permissionHint: "The permission says what one may change here.",
        firstDay: "First day",
        lastDay: "Last day",
        daysHint: { "Both days count, midnight to midnight in the site's time zone (\($0)). Empty: without limit." },
        save: "Save",
        saved: "Saved. It holds from now on.",
        allPeople: "All people",
        log: "Live",
        time: "Time",
        person: "Person",
        gate: "Gate",
        how: "How",
        outcome: "Outcome",
        opened: "opened",
        granted: "granted, waiting for the gate",
        unconfirmed: "not confirmed",
        refused: "refused by the gate",
        denied: "not allowed",
        noEntries: "Nothing has happened yet",
        noEntriesDetail: "Every opening and every refusal appears here the moment it happens.",
        older: "Older",
        newest: "Newest",
        newEntries: { "\($0) new entries" },
        throughHub: "phone, through the hub",
        overTheAir: "phone, Bluetooth",
        byCode: "pass, QR",
        byCard: "card",
        noMembership: "you do not belong to this place",
        notStarted: { "your access starts on \($0)" },
        ended: { "your access ended on \($0)" },
        noRoleReason: "you have no role here yet",
        roleLacksGate: "your role does not include this gate",
        revoked: { "your access was taken away on \($0)" },
        outsideHours: { $0.isEmpty ? "outside your hours" : "outside your hours. They begin \($0)" })
}

extension DoorsWords {
    /// Italian.
    public static let it = DoorsWords(
        people: "Persone",
        addPerson: "Aggiungi una persona",
        search: "Cerca",
        searchHint: "Nome o email",
        clearSearch: "Mostra tutti",
        noPeople: "Ancora nessuno",
        noPeopleDetail: "Aggiungi le persone che possono aprire i varchi. Ognuna avrà un badge sul telefono.",
        nobodyFound: { "Nessuno corrisponde a «\($0)»" },
        nobodyFoundDetail: "Prova con una parte del nome, o con l'email.",
        name: "Nome",
        email: "Email",
        role: "Ruolo",
        permission: "Permesso",
        days: "Giorni",
        status: "Stato",
        noRole: "nessun ruolo",
        fromDay: { "\(after("dal", "dall'", $0))" },
        untilDay: { "fino \(after("al", "all'", $0))" },
        fromUntil: { "\(after("dal", "dall'", $0)) \(after("al", "all'", $1))" },
        withoutLimit: "senza limite",
        statusCurrent: "attivo",
        statusNone: "nessuna iscrizione",
        startsOn: { "inizia \(after("il", "l'", $0))" },
        endedOn: { "terminato \(after("il", "l'", $0))" },
        previous: "Precedenti",
        next: "Successive",
        pages: "Pagine dell'elenco",
        newPerson: "Nuova persona",
        who: "Chi",
        may: "Che cosa può fare",
        when: "Quando",
        invitationHint: "Riceve un’email con un invito.",
        invitationOnPaperHint: "Dopo il salvataggio, crea un invito su carta e consegnalo.",
        invitedHint: "L’invito va qui. Se cambi l’indirizzo, gli inviti precedenti non valgono più.",
        addressIsUnconfirmed: "Non è confermato: può essere di un’altra persona.",
        ownAddressHint: "Lo può cambiare solo la persona stessa: nel suo account, alla voce Tu.",
        invitationTitle: "Invito",
        notJoined: "primo accesso non ancora fatto", notInvited: "da invitare", invited: "con invito",
        letterRefused: "email rifiutata",
        notJoinedHint:
            "Badge e diritti non hanno bisogno di inviti: valgono nei giorni dell’appartenenza. Per usare l’app ne serve uno.",
        hasPasswordHint: "Ha una password, ma non ha ancora effettuato l’accesso.",
        isInvitedHint:
            "Badge e diritti non hanno bisogno di inviti: valgono nei giorni dell’appartenenza. Ha già un invito per l’app. Un nuovo invito annulla quello di prima.",
        invitation: "Invia o stampa invito…",
        roleHint: "Il ruolo dice quali varchi si aprono.",
        permissionHint: "Il permesso dice che cosa si può cambiare qui.",
        firstDay: "Primo giorno",
        lastDay: "Ultimo giorno",
        daysHint: {
            "Entrambi i giorni contano, da mezzanotte a mezzanotte nel fuso orario della sede (\($0)). Vuoto: senza limite."
        },
        save: "Salva",
        saved: "Salvato. Vale da subito.",
        allPeople: "Tutte le persone",
        log: "In diretta",
        time: "Ora",
        person: "Persona",
        gate: "Varco",
        how: "Come",
        outcome: "Esito",
        opened: "aperto",
        granted: "concesso, in attesa del varco",
        unconfirmed: "non confermato",
        refused: "rifiutato dal varco",
        denied: "non consentito",
        noEntries: "Non è ancora successo nulla",
        noEntriesDetail: "Ogni apertura e ogni rifiuto compare qui nel momento in cui avviene.",
        older: "Precedenti",
        newest: "Più recenti",
        newEntries: { "\($0) nuove righe" },
        throughHub: "telefono, tramite l'hub",
        overTheAir: "telefono, Bluetooth",
        byCode: "pass, QR",
        byCard: "tessera",
        noMembership: "non fai parte di questo luogo",
        notStarted: { "il tuo accesso inizia \(after("il", "l'", $0))" },
        ended: { "il tuo accesso è terminato \(after("il", "l'", $0))" },
        noRoleReason: "qui non hai ancora un ruolo",
        roleLacksGate: "il tuo ruolo non comprende questo varco",
        revoked: { "il tuo accesso è stato revocato \(after("il", "l'", $0))" },
        outsideHours: {
            $0.isEmpty ? "fuori dal tuo orario" : "fuori dal tuo orario. Riprende \(after("il", "l'", $0))"
        })
}

extension DoorsWords {
    /// Spanish.
    public static let es = DoorsWords(
        people: "Personas",
        addPerson: "Añadir una persona",
        search: "Buscar",
        searchHint: "Nombre o correo",
        clearSearch: "Mostrar a todos",
        noPeople: "Aún no hay nadie",
        noPeopleDetail: "Añade a las personas que pueden abrir accesos. Cada una tendrá su credencial en el teléfono.",
        nobodyFound: { "Nadie coincide con «\($0)»" },
        nobodyFoundDetail: "Prueba con una parte del nombre, o con el correo.",
        name: "Nombre",
        email: "Correo electrónico",
        role: "Rol",
        permission: "Permiso",
        days: "Días",
        status: "Estado",
        noRole: "sin rol",
        fromDay: { "desde el \($0)" },
        untilDay: { "hasta el \($0)" },
        fromUntil: { "del \($0) al \($1)" },
        withoutLimit: "sin límite",
        statusCurrent: "activo",
        statusNone: "sin pertenencia",
        startsOn: { "empieza el \($0)" },
        endedOn: { "terminó el \($0)" },
        previous: "Anteriores",
        next: "Siguientes",
        pages: "Páginas de la lista",
        newPerson: "Persona nueva",
        who: "Quién",
        may: "Qué puede hacer",
        when: "Cuándo",
        invitationHint: "Recibe un correo con una invitación.",
        invitationOnPaperHint: "Después de guardar, crea una invitación en papel y entrégala.",
        invitedHint: "La invitación va aquí. Si cambias la dirección, las invitaciones anteriores dejan de valer.",
        addressIsUnconfirmed: "No está confirmada: puede ser de otra persona.",
        ownAddressHint: "Solo esa persona puede cambiarla: en su cuenta, en Tú.",
        invitationTitle: "Invitación",
        notJoined: "aún no ha entrado", notInvited: "sin invitar", invited: "con invitación",
        letterRefused: "correo rechazado",
        notJoinedHint:
            "Su credencial y sus derechos no necesitan invitación: valen en los días de la pertenencia. Para usar la aplicación necesita una.",
        hasPasswordHint: "Tiene contraseña, pero aún no ha iniciado sesión.",
        isInvitedHint:
            "Su credencial y sus derechos no necesitan invitación: valen en los días de la pertenencia. Ya tiene una invitación para la aplicación. Una nueva anula la anterior.",
        invitation: "Enviar o imprimir invitación…",
        roleHint: "El rol dice qué accesos se abren.",
        permissionHint: "El permiso dice qué se puede cambiar aquí.",
        firstDay: "Primer día",
        lastDay: "Último día",
        daysHint: {
            "Ambos días cuentan, de medianoche a medianoche en la zona horaria de la sede (\($0)). Vacío: sin límite."
        },
        save: "Guardar",
        saved: "Guardado. Vale desde ahora.",
        allPeople: "Todas las personas",
        log: "En directo",
        time: "Hora",
        person: "Persona",
        gate: "Acceso",
        how: "Cómo",
        outcome: "Resultado",
        opened: "abierto",
        granted: "concedido, esperando al acceso",
        unconfirmed: "sin confirmar",
        refused: "rechazado por el acceso",
        denied: "no permitido",
        noEntries: "Aún no ha pasado nada",
        noEntriesDetail: "Cada apertura y cada rechazo aparece aquí en el momento en que ocurre.",
        older: "Anteriores",
        newest: "Más recientes",
        newEntries: { "\($0) entradas nuevas" },
        throughHub: "teléfono, a través del hub",
        overTheAir: "teléfono, Bluetooth",
        byCode: "pase, QR",
        byCard: "tarjeta",
        noMembership: "no formas parte de este lugar",
        notStarted: { "tu acceso empieza el \($0)" },
        ended: { "tu acceso terminó el \($0)" },
        noRoleReason: "aún no tienes un rol aquí",
        roleLacksGate: "tu rol no incluye este acceso",
        revoked: { "tu acceso se retiró el \($0)" },
        outsideHours: { $0.isEmpty ? "fuera de tu horario" : "fuera de tu horario. Empieza el \($0)" })
}

/// An Italian date after its article: "il 3 marzo", but "l'8 marzo" and "l'11 marzo"; so too "dal" and "al".
private func after(_ article: String, _ elided: String, _ date: String) -> String {
    let day = date.prefix { $0 != " " }
    return (day == "8" || day == "11" ? elided : article + " ") + date
}
extension DoorsWords {
    /// Why a company's policy said no.
    /// - Parameters:
    ///   - code: `noMembership`, `notStarted`, `ended`, `revokedOn`, `noRole`, `roleLacksGate` or `outsideHours`.
    ///   - detail: the day or the time that the reason names, in words.
    public func doorsReason(code: String, detail: String = "") -> String {
        switch code {
        case "noMembership": noMembership
        case "notStarted": notStarted(detail)
        case "ended": ended(detail)
        case "revokedOn": revoked(detail)
        case "outsideHours": outsideHours(detail)
        case "noRole": noRoleReason
        case "roleLacksGate": roleLacksGate
        default: denied
        }
    }

    /// The days of a membership in words; each day already in words, or nil.
    public func days(from first: String?, until last: String?) -> String {
        switch (first, last) {
        case (let first?, let last?): fromUntil(first, last)
        case (let first?, nil): fromDay(first)
        case (nil, let last?): untilDay(last)
        case (nil, nil): withoutLimit
        }
    }
}
