import Accounts
import Pages

/// The words of what was changed.
struct ChangeWords: Sendable {
    let title: String
    let lead: String
    let none: String
    let noneDetail: String
    let noneFound: String
    let erased: String
    let theHub: String
    let somebodyGone: String
    let more: @Sendable (Int) -> String
    let who: String
    let what: String
    let everybody: String
    let everything: String
    let show: String
    let older: String
    let newest: String
    let searchedFar: String
    let empty: String
    let yes: String
    let no: String
    let groups: [ChangeGroup: String]
    /// What a thing is, by the first words of a kind.
    let things: [String: String]
    /// What was done, by the last word of a kind: "Added: role".
    let verbs: [String: String]
    /// What an event says as a whole.
    let kinds: [String: String]
    /// Fields, by their names in the JSON interface.
    let fields: [String: String]
    /// Of a kind that we have no words for.
    let other: @Sendable (String) -> String

    static func `in`(_ language: Language) -> ChangeWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// What happened, in words. A kind that nobody has words for is told as it is called.
    func text(kind: String) -> String {
        if let known = kinds[kind] { return known }
        let parts = kind.split(separator: ".").map(String.init)
        guard let verb = parts.last.flatMap({ verbs[$0] }), let thing = things[parts.dropLast().joined(separator: ".")]
        else { return other(kind) }
        return "\(verb): \(thing)"
    }

    func field(_ name: String) -> String { fields[name] ?? name }

    private static let en = ChangeWords(
        title: "Changes", lead: "Who changed what, and when: newest first. Nothing here can be altered.",
        none: "Nothing was changed yet",
        noneDetail: "People, roles, gates and hours: every change appears here with what it was before.",
        noneFound: "Nothing of that kind", erased: "its content was erased",
        theHub: "the hub itself", somebodyGone: "somebody who is gone", more: { "and \($0) more" }, who: "Who",
        what: "What", everybody: "everybody",
        everything: "everything",
        show: "Show", older: "Older", newest: "Newest", searchedFar: "Nothing so far back. Older ones may have some.",
        empty: "none", yes: "yes", no: "no",
        groups: [
            .people: "people", .roles: "roles", .gates: "gates", .hours: "hours and special days",
            .other: "everything else",
        ],
        things: [
            "home.threshold": "threshold of a sensor", "home.care": "care of the air", "home.fan": "what a fan follows",
            "gate.mode": "mode of a gate", "legacy.get": "old web service", "retention": "how long things are kept",
            "membership": "membership", "person": "person", "role": "role", "gate": "gate", "site": "place",
            "badge": "badge",
            "timetable": "timetable",
            "house": "house", "home.gateway": "connection", "home.device": "device", "home.sensor": "sensor",
            "home.actuator": "actuator",
            "special": "special day", "group": "group of gates",
        ],
        verbs: [
            "added": "Added", "created": "Created", "changed": "Changed", "removed": "Removed", "renamed": "Renamed",
            "revoked": "Taken away", "reinstated": "Given back", "retired": "Retired", "paired": "Paired",
            "renewed": "New password",
        ],
        kinds: [
            "notice.sent": "People were told something", "notice.acknowledged": "Somebody took care of a notice",
            "webhook.changed": "Server of the place",
            "gate.troubles": "A gate reports troubles", "gate.journal.contradiction": "A gate told one number twice",
            "ledger.erased": "Somebody was erased", "ledger.expired": "Old details were erased",
            "people.imported": "People imported", "people.import.undone": "Import undone",
            "people.exported": "People exported",
            "gate.paired": "Gate paired",
            "gate.mode.changed": "What a gate takes", "legacy.password.made": "New password for the old app",
            "legacy.badge.replaced": "New old badge", "legacy.account.revoked": "Old app taken away",
            "legacy.get.changed": "How the old app signs in", "gate.journal.replaced": "A gate has a new journal",
            "site.created": "Place created",
        ],
        fields: [
            "threshold": "Threshold", "hysteresis": "Hysteresis", "rise": "Rise in a minute",
            "enabled": "Thresholds count",
            "follows": "Follows", "most": "All its speed at", "shortestRun": "Runs at least",
            "installed": "In use since",
            "name": "Name", "email": "Email", "permission": "Permission", "role": "Role", "firstDay": "First day",
            "lastDay": "Last day", "revoked": "Taken away", "level": "Level", "gate": "Gate", "gates": "Gates",
            "groups": "Groups",
            "gateGroups": "Groups of gates", "policy": "Rules", "kind": "Kind", "zone": "Time zone", "site": "Place",
            "badge": "Badge",
            "timetable": "Timetable", "week": "Week", "spans": "Hours", "keepsSpecialDays": "Keeps special days",
            "pulse": "Pulse",
            "legacy": "Legacy mode", "retired": "Retired", "replaced": "Replaced an earlier one",
            "people": "New people",
            "memberships": "Memberships", "unchanged": "Unchanged", "roles": "New roles", "kept": "Kept",
            "search": "Search",
            "language": "Language", "mode": "Takes", "allowsGET": "Sign-in by GET",
        ], other: { "Something else: \($0)" })

    private static let it = ChangeWords(
        title: "Modifiche",
        lead: "Chi ha cambiato che cosa, e quando: prima le più recenti. Qui nulla si può alterare.",
        none: "Non è ancora cambiato nulla",
        noneDetail: "Persone, ruoli, varchi e orari: ogni modifica compare qui con ciò che era prima.",
        noneFound: "Nulla di questo tipo",
        erased: "il contenuto è stato cancellato",
        theHub: "l'hub stesso", somebodyGone: "qualcuno che non c'è più", more: { "e altri \($0)" }, who: "Chi",
        what: "Che cosa", everybody: "tutti",
        everything: "tutto",
        show: "Mostra", older: "Precedenti", newest: "Più recenti",
        searchedFar: "Fin qui nulla. Forse tra le precedenti c'è qualcosa.", empty: "nessuno", yes: "sì", no: "no",
        groups: [
            .people: "persone", .roles: "ruoli", .gates: "varchi", .hours: "orari e giorni speciali",
            .other: "tutto il resto",
        ],
        things: [
            "home.threshold": "soglia di un sensore", "home.care": "cura dell’aria",
            "home.fan": "che cosa segue una ventola",
            "gate.mode": "modo di un varco", "legacy.get": "vecchio servizio web",
            "retention": "durata di conservazione",
            "membership": "appartenenza", "person": "persona", "role": "ruolo", "gate": "varco", "site": "sede",
            "badge": "badge",
            "timetable": "orario",
            "house": "casa", "home.gateway": "collegamento", "home.device": "dispositivo", "home.sensor": "sensore",
            "home.actuator": "attuatore",
            "special": "giorno speciale",
            "group": "gruppo di varchi",
        ],
        verbs: [
            "added": "Aggiunta", "created": "Creazione", "changed": "Modifica", "removed": "Rimozione",
            "renamed": "Nuovo nome",
            "revoked": "Revoca", "reinstated": "Ripristino", "retired": "Ritiro", "paired": "Abbinamento",
            "renewed": "Nuova password",
        ],
        kinds: [
            "notice.sent": "Persone avvisate", "notice.acknowledged": "Qualcuno si è occupato di un avviso",
            "webhook.changed": "Server del luogo",
            "gate.troubles": "Un varco segnala problemi",
            "gate.journal.contradiction": "Un varco ha detto due volte un numero",
            "ledger.erased": "Una persona è stata cancellata", "ledger.expired": "Vecchi dettagli cancellati",
            "people.imported": "Persone importate", "people.import.undone": "Importazione annullata",
            "people.exported": "Persone esportate",
            "gate.mode.changed": "Che cosa accetta un varco",
            "legacy.password.made": "Nuova password per l'app vecchia",
            "legacy.badge.replaced": "Nuovo badge vecchio", "legacy.account.revoked": "App vecchia tolta",
            "legacy.get.changed": "Come accede l'app vecchia", "gate.paired": "Varco abbinato",
            "gate.journal.replaced": "Un varco ha un registro nuovo", "site.created": "Sede creata",
        ],
        fields: [
            "threshold": "Soglia", "hysteresis": "Isteresi", "rise": "Crescita in un minuto",
            "enabled": "Le soglie contano",
            "follows": "Segue", "most": "Tutta la velocità a", "shortestRun": "Gira almeno", "installed": "In uso dal",
            "name": "Nome", "email": "Email", "permission": "Permesso", "role": "Ruolo", "firstDay": "Primo giorno",
            "lastDay": "Ultimo giorno", "revoked": "Revocata", "level": "Livello", "gate": "Varco", "gates": "Varchi",
            "groups": "Gruppi", "gateGroups": "Gruppi di varchi", "policy": "Regole", "kind": "Tipo",
            "zone": "Fuso orario",
            "site": "Sede", "badge": "Badge", "timetable": "Orario", "week": "Settimana", "spans": "Ore",
            "keepsSpecialDays": "Segue i giorni speciali", "pulse": "Impulso", "legacy": "Modo di compatibilità",
            "retired": "Ritirato", "replaced": "Ne sostituisce uno", "people": "Persone nuove",
            "memberships": "Appartenenze",
            "unchanged": "Invariate", "roles": "Ruoli nuovi", "kept": "Rimaste", "search": "Ricerca",
            "language": "Lingua", "mode": "Accetta", "allowsGET": "Accesso con GET",
        ], other: { "Altro: \($0)" })

    private static let es = ChangeWords(
        title: "Cambios", lead: "Quién cambió qué, y cuándo: primero lo más reciente. Aquí nada se puede alterar.",
        none: "Aún no ha cambiado nada",
        noneDetail: "Personas, roles, accesos y horarios: cada cambio aparece aquí con lo que era antes.",
        noneFound: "Nada de ese tipo", erased: "su contenido se ha borrado",
        theHub: "el propio hub", somebodyGone: "alguien que ya no está", more: { "y \($0) más" }, who: "Quién",
        what: "Qué", everybody: "todos", everything: "todo",
        show: "Mostrar", older: "Anteriores", newest: "Lo más reciente",
        searchedFar: "Hasta aquí nada. Quizá haya algo entre los anteriores.", empty: "ninguno", yes: "sí", no: "no",
        groups: [
            .people: "personas", .roles: "roles", .gates: "accesos", .hours: "horarios y días especiales",
            .other: "todo lo demás",
        ],
        things: [
            "home.threshold": "umbral de un sensor", "home.care": "cuidado del aire",
            "home.fan": "a qué sigue un ventilador",
            "gate.mode": "modo de un acceso", "legacy.get": "antiguo servicio web",
            "retention": "tiempo de conservación",
            "membership": "pertenencia", "person": "persona", "role": "rol", "gate": "acceso", "site": "sede",
            "badge": "credencial", "timetable": "horario",
            "house": "casa", "home.gateway": "conexión", "home.device": "dispositivo", "home.sensor": "sensor",
            "home.actuator": "actuador",
            "special": "día especial",
            "group": "grupo de accesos",
        ],
        verbs: [
            "added": "Alta", "created": "Creación", "changed": "Cambio", "removed": "Baja", "renamed": "Nuevo nombre",
            "revoked": "Retirada", "reinstated": "Devolución", "retired": "Retiro", "paired": "Emparejamiento",
            "renewed": "Nueva contraseña",
        ],
        kinds: [
            "notice.sent": "Personas avisadas", "notice.acknowledged": "Alguien se ocupó de un aviso",
            "webhook.changed": "Servidor del lugar",
            "gate.troubles": "Un acceso avisa de problemas",
            "gate.journal.contradiction": "Un acceso dijo dos veces un número",
            "ledger.erased": "Se ha borrado a una persona", "ledger.expired": "Se han borrado detalles antiguos",
            "people.imported": "Personas importadas", "people.import.undone": "Importación deshecha",
            "people.exported": "Personas exportadas",
            "gate.mode.changed": "Qué acepta un acceso",
            "legacy.password.made": "Nueva contraseña para la app antigua",
            "legacy.badge.replaced": "Nueva credencial antigua", "legacy.account.revoked": "App antigua retirada",
            "legacy.get.changed": "Cómo inicia sesión la app antigua", "gate.paired": "Acceso emparejado",
            "gate.journal.replaced": "Un acceso tiene un registro nuevo", "site.created": "Sede creada",
        ],
        fields: [
            "threshold": "Umbral", "hysteresis": "Histéresis", "rise": "Subida en un minuto",
            "enabled": "Los umbrales cuentan",
            "follows": "Sigue a", "most": "Toda su velocidad en", "shortestRun": "Gira al menos",
            "installed": "En uso desde",
            "name": "Nombre", "email": "Correo", "permission": "Permiso", "role": "Rol", "firstDay": "Primer día",
            "lastDay": "Último día", "revoked": "Retirada", "level": "Nivel", "gate": "Acceso", "gates": "Accesos",
            "groups": "Grupos", "gateGroups": "Grupos de accesos", "policy": "Reglas", "kind": "Tipo",
            "zone": "Zona horaria",
            "site": "Sede", "badge": "Credencial", "timetable": "Horario", "week": "Semana", "spans": "Horas",
            "keepsSpecialDays": "Sigue los días especiales", "pulse": "Pulso", "legacy": "Modo de compatibilidad",
            "retired": "Retirado", "replaced": "Sustituye a otro", "people": "Personas nuevas",
            "memberships": "Pertenencias",
            "unchanged": "Sin cambios", "roles": "Roles nuevos", "kept": "Se quedan", "search": "Búsqueda",
            "language": "Idioma", "mode": "Acepta", "allowsGET": "Inicio de sesión con GET",
        ], other: { "Otra cosa: \($0)" })
}
