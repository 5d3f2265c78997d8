import Accounts
import Identity
import Pages

/// The words of the pages of rules: what they share, roles and groups of gates.
struct RulesWords: Sendable {
    let rules: String
    let roles: String
    let hours: String
    let specialDays: String
    let groups: String
    let save: String
    let saved: String
    let removed: String
    let remove: String
    /// What is removed.
    let removeTitle: @Sendable (String) -> String
    let keep: String
    let name: String

    let addRole: String
    let newRole: String
    let noRoles: String
    let noRolesDetail: String
    let level: String
    let levelHint: String
    let roleHours: String
    let roleHoursHint: String
    let anyTime: String
    let gates: String
    let gatesGiven: String
    let groupsGiven: String
    let otherGates: String
    let filter: String
    let show: String
    /// How many of how many.
    let shown: @Sendable (Int, Int) -> String
    let nothingShown: String
    let noGatesYet: String
    let countGates: @Sendable (Int) -> String
    let countPeople: @Sendable (Int) -> String
    let countRoles: @Sendable (Int) -> String
    let people: String
    let removeRoleDetail: String
    let roleInUse: @Sendable (Int) -> String
    let showPeople: String
    let changeHolds: String

    let addGroup: String
    let newGroup: String
    let noGroups: String
    let noGroupsDetail: String
    let groupNameHint: String
    /// How many roles, how many people.
    let removeGroupDetail: @Sendable (Int, Int) -> String

    let whoOpens: String
    let nobodyOpens: String
    let inGroups: String
    let noGroup: String

    let faultName: String
    let faultTaken: String
    let faultLevel: String
    let faultNotASpan: @Sendable (String) -> String
    let faultOverlap: @Sendable (String, String) -> String
    let faultTooManySpans: String
    let faultWeek: String
    let faultNotADay: String
    let faultEnds: String
    let faultTooLong: String
    let faultUnknown: String
    let faultTooMany: @Sendable (Int) -> String
    let faultInUse: @Sendable (Int) -> String
    let faultGone: String

    static func `in`(_ language: Language) -> RulesWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// Why something will not do.
    func fault(_ why: RuleFault.Why) -> String {
        switch why {
        case .name: faultName
        case .taken: faultTaken
        case .level: faultLevel
        case .span(.notASpan(let text)): faultNotASpan(text)
        case .span(.overlap(let a, let b)): faultOverlap(a, b)
        case .span(.tooMany): faultTooManySpans
        case .week: faultWeek
        case .notADay: faultNotADay
        case .endsBeforeItBegins: faultEnds
        case .tooLong: faultTooLong
        case .unknown: faultUnknown
        case .tooMany(let limit): faultTooMany(limit)
        case .inUse(let count): faultInUse(count)
        case .gone: faultGone
        }
    }

    private static let en = RulesWords(
        rules: "Rules", roles: "Roles", hours: "Hours", specialDays: "Special days", groups: "Groups", save: "Save",
        saved: "Saved.", removed: "Removed.", remove: "Remove", removeTitle: { "Remove \($0)?" }, keep: "Keep it",
        name: "Name", addRole: "Add a role", newRole: "New role", noRoles: "No role yet",
        noRolesDetail: "A role says which gates its people open, and when: Office, Warehouse, Visitors.",
        level: "Level", levelHint: "A whole number for the order of the list; higher comes later.", roleHours: "Hours",
        roleHoursHint: "Outside these hours the gates stay shut for the role.", anyTime: "At any time", gates: "Gates",
        gatesGiven: "Gates, one by one", groupsGiven: "Groups of gates", otherGates: "Gates in no group",
        filter: "Only gates whose name contains", show: "Show",
        shown: { "\($0) of \($1) gates shown; the ticks of the others stay." },
        nothingShown: "No gate has that in its name.",
        noGatesYet: "There is no gate yet. Save the role now and give it gates later.",
        countGates: { $0 == 1 ? "1 gate" : "\($0) gates" }, countPeople: { $0 == 1 ? "1 person" : "\($0) people" },
        countRoles: { $0 == 1 ? "1 role" : "\($0) roles" }, people: "People",
        removeRoleDetail: "Nobody has it any more, so nobody loses anything.",
        roleInUse: {
            $0 == 1
                ? "1 person has this role. Give them another one first."
                : "\($0) people have this role. Give them another one first."
        },
        showPeople: "Show who", changeHolds: "What you take away holds at once, also for passes that phones keep.",
        addGroup: "Add a group", newGroup: "New group", noGroups: "No group yet",
        noGroupsDetail: "A group gathers gates that go together, so that a role has them with one tick: Ground floor.",
        groupNameHint: "As people call it: Ground floor.",
        removeGroupDetail: { roles, people in
            roles == 0
                ? "No role has it, so nobody loses anything."
                : "\(roles == 1 ? "1 role has" : "\(roles) roles have") it: \(people == 1 ? "1 person" : "\(people) people") no longer open its gates, unless their role has them otherwise."
        },
        whoOpens: "Who opens it", nobodyOpens: "No role has this gate, so nobody opens it.", inGroups: "Its groups",
        noGroup: "It is in no group.", faultName: "Write a name of at most 80 characters.",
        faultTaken: "Another one has that name already.", faultLevel: "Write a whole number from -1000 to 1000.",
        faultNotASpan: { "“\($0)” is not a stretch of a day. Write 08:00-12:30." },
        faultOverlap: { "\($0) and \($1) overlap." }, faultTooManySpans: "A day has at most 8 stretches.",
        faultWeek: "A week has seven days, Monday first.", faultNotADay: "This is not a day of the calendar.",
        faultEnds: "The last day is before the first.", faultTooLong: "At most 366 days at once.",
        faultUnknown: "This no longer exists here. Choose again.", faultTooMany: { "At most \($0)." },
        faultInUse: { "It is still in use (\($0))." }, faultGone: "This no longer exists.")

    private static let it = RulesWords(
        rules: "Regole", roles: "Ruoli", hours: "Orari", specialDays: "Giorni speciali", groups: "Gruppi",
        save: "Salva", saved: "Salvato.", removed: "Rimosso.", remove: "Rimuovi",
        removeTitle: { "Rimuovere \($0)?" }, keep: "Conserva", name: "Nome", addRole: "Aggiungi un ruolo",
        newRole: "Nuovo ruolo", noRoles: "Ancora nessun ruolo",
        noRolesDetail: "Un ruolo dice quali varchi aprono le sue persone, e quando: Ufficio, Magazzino, Visitatori.",
        level: "Livello", levelHint: "Un numero intero per l'ordine dell'elenco; i più alti vengono dopo.",
        roleHours: "Orario", roleHoursHint: "Fuori da questo orario i varchi restano chiusi per il ruolo.",
        anyTime: "A qualsiasi ora", gates: "Varchi", gatesGiven: "Varchi, uno per uno",
        groupsGiven: "Gruppi di varchi", otherGates: "Varchi senza gruppo",
        filter: "Solo i varchi il cui nome contiene", show: "Mostra",
        shown: { "Mostrati \($0) varchi su \($1); le spunte degli altri restano." },
        nothingShown: "Nessun varco ha questo nel nome.",
        noGatesYet: "Non c'è ancora alcun varco. Salva il ruolo e aggiungi i varchi più tardi.",
        countGates: { $0 == 1 ? "1 varco" : "\($0) varchi" }, countPeople: { $0 == 1 ? "1 persona" : "\($0) persone" },
        countRoles: { $0 == 1 ? "1 ruolo" : "\($0) ruoli" }, people: "Persone",
        removeRoleDetail: "Non lo ha più nessuno, quindi nessuno perde nulla.",
        roleInUse: {
            $0 == 1
                ? "1 persona ha questo ruolo. Prima assegnale un altro ruolo."
                : "\($0) persone hanno questo ruolo. Prima assegna loro un altro ruolo."
        },
        showPeople: "Mostra chi", changeHolds: "Ciò che togli vale subito, anche per i lasciapassare sui telefoni.",
        addGroup: "Aggiungi un gruppo", newGroup: "Nuovo gruppo", noGroups: "Ancora nessun gruppo",
        noGroupsDetail:
            "Un gruppo raccoglie varchi che vanno insieme, così un ruolo li ha con una spunta: Piano terra.",
        groupNameHint: "Come lo chiamano tutti: Piano terra.",
        removeGroupDetail: { roles, people in
            roles == 0
                ? "Nessun ruolo lo ha, quindi nessuno perde nulla."
                : "\(roles == 1 ? "Lo ha 1 ruolo" : "Lo hanno \(roles) ruoli"): \(people == 1 ? "1 persona non apre più" : "\(people) persone non aprono più") i suoi varchi, se il ruolo non li ha altrimenti."
        },
        whoOpens: "Chi lo apre", nobodyOpens: "Nessun ruolo ha questo varco: non lo apre nessuno.",
        inGroups: "I suoi gruppi", noGroup: "Non è in alcun gruppo.",
        faultName: "Scrivi un nome di al massimo 80 caratteri.", faultTaken: "Un altro ha già questo nome.",
        faultLevel: "Scrivi un numero intero da -1000 a 1000.",
        faultNotASpan: { "«\($0)» non è una parte di giornata. Scrivi 08:00-12:30." },
        faultOverlap: { "\($0) e \($1) si sovrappongono." }, faultTooManySpans: "Un giorno ha al massimo 8 fasce.",
        faultWeek: "Una settimana ha sette giorni, dal lunedì.",
        faultNotADay: "Questo giorno non esiste nel calendario.",
        faultEnds: "L'ultimo giorno viene prima del primo.", faultTooLong: "Al massimo 366 giorni alla volta.",
        faultUnknown: "Qui non esiste più. Scegli di nuovo.", faultTooMany: { "Al massimo \($0)." },
        faultInUse: { "È ancora in uso (\($0))." }, faultGone: "Non esiste più.")

    private static let es = RulesWords(
        rules: "Reglas", roles: "Roles", hours: "Horarios", specialDays: "Días especiales", groups: "Grupos",
        save: "Guardar", saved: "Guardado.", removed: "Eliminado.", remove: "Eliminar",
        removeTitle: { "¿Eliminar \($0)?" }, keep: "Conservar", name: "Nombre", addRole: "Añadir un rol",
        newRole: "Nuevo rol", noRoles: "Todavía no hay roles",
        noRolesDetail: "Un rol dice qué accesos abren sus personas, y cuándo: Oficina, Almacén, Visitas.",
        level: "Nivel", levelHint: "Un número entero para el orden de la lista; los más altos van después.",
        roleHours: "Horario", roleHoursHint: "Fuera de este horario los accesos quedan cerrados para el rol.",
        anyTime: "A cualquier hora", gates: "Accesos", gatesGiven: "Accesos, uno por uno",
        groupsGiven: "Grupos de accesos", otherGates: "Accesos sin grupo",
        filter: "Solo los accesos cuyo nombre contiene", show: "Mostrar",
        shown: { "Se muestran \($0) de \($1) accesos; las marcas de los demás se conservan." },
        nothingShown: "Ningún acceso tiene eso en su nombre.",
        noGatesYet: "Todavía no hay accesos. Guarda el rol ahora y añádele accesos después.",
        countGates: { $0 == 1 ? "1 acceso" : "\($0) accesos" },
        countPeople: { $0 == 1 ? "1 persona" : "\($0) personas" },
        countRoles: { $0 == 1 ? "1 rol" : "\($0) roles" }, people: "Personas",
        removeRoleDetail: "Ya no lo tiene nadie, así que nadie pierde nada.",
        roleInUse: {
            $0 == 1
                ? "1 persona tiene este rol. Antes dale otro." : "\($0) personas tienen este rol. Antes dales otro."
        },
        showPeople: "Mostrar quién",
        changeHolds: "Lo que quitas vale enseguida, también para los pases de los teléfonos.",
        addGroup: "Añadir un grupo", newGroup: "Nuevo grupo", noGroups: "Todavía no hay grupos",
        noGroupsDetail: "Un grupo reúne accesos que van juntos, para que un rol los tenga con una marca: Planta baja.",
        groupNameHint: "Como lo llama la gente: Planta baja.",
        removeGroupDetail: { roles, people in
            roles == 0
                ? "Ningún rol lo tiene, así que nadie pierde nada."
                : "\(roles == 1 ? "Lo tiene 1 rol" : "Lo tienen \(roles) roles"): \(people == 1 ? "1 persona deja" : "\(people) personas dejan") de abrir sus accesos, salvo que su rol los tenga de otro modo."
        },
        whoOpens: "Quién lo abre", nobodyOpens: "Ningún rol tiene este acceso: no lo abre nadie.",
        inGroups: "Sus grupos", noGroup: "No está en ningún grupo.",
        faultName: "Escribe un nombre de 80 caracteres como máximo.", faultTaken: "Otro tiene ya ese nombre.",
        faultLevel: "Escribe un número entero de -1000 a 1000.",
        faultNotASpan: { "«\($0)» no es una parte del día. Escribe 08:00-12:30." },
        faultOverlap: { "\($0) y \($1) se solapan." }, faultTooManySpans: "Un día tiene 8 tramos como máximo.",
        faultWeek: "Una semana tiene siete días, desde el lunes.", faultNotADay: "Ese día no existe en el calendario.",
        faultEnds: "El último día es anterior al primero.", faultTooLong: "366 días a la vez como máximo.",
        faultUnknown: "Aquí ya no existe. Elige de nuevo.", faultTooMany: { "\($0) como máximo." },
        faultInUse: { "Todavía se usa (\($0))." }, faultGone: "Ya no existe.")
}
