import Accounts
import Identity
import Pages

/// The words of the pages of hours and special days.
struct HoursWords: Sendable {
    /// Seven, Monday first.
    let weekdays: [String]
    let addHours: String
    let newHours: String
    let noHours: String
    let noHoursDetail: String
    let nameHint: String
    let weekHint: String
    let copyMonday: String
    let keepsSpecialDays: String
    let keepsSpecialDaysHint: String
    let ignoresSpecialDays: String
    let closed: String
    let allDay: String
    let openNow: String
    let openUntil: @Sendable (String) -> String
    let closedNow: String
    let opens: @Sendable (String) -> String
    let removeDetail: String
    let inUse: @Sendable (String) -> String
    let picture: String
    /// In front of the picture: what the fields say before they are saved.
    let zoneHint: @Sendable (String) -> String

    let addSpecial: String
    let newSpecial: String
    let noSpecial: String
    let noSpecialDetail: String
    let specialNameHint: String
    let firstDay: String
    let lastDay: String
    let lastDayHint: String
    let specialHours: String
    let specialHoursHint: String
    let past: @Sendable (Int) -> String
    let removeSpecialDetail: String
    let holidays: String
    let holidaysHint: String
    let country: String
    let year: String
    let addHolidays: String
    let added: @Sendable (Int) -> String
    let countries: @Sendable (String) -> String

    static func `in`(_ language: Language) -> HoursWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = HoursWords(
        weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        addHours: "Add hours", newHours: "New hours", noHours: "No hours yet",
        noHoursDetail: "Hours say when a role may pass. A role without hours may pass at any time.",
        nameHint: "As people call it: Office hours.",
        weekHint: "Write 08:00-12:30 13:30-18:00. Empty means closed, 22:00-06:00 reaches into the next day.",
        copyMonday: "As Monday, until Friday", keepsSpecialDays: "Special days count in these hours",
        keepsSpecialDaysHint: "Untick it for those who come on holidays too.",
        ignoresSpecialDays: "also on special days", closed: "closed", allDay: "all day", openNow: "open",
        openUntil: { "open until \($0)" }, closedNow: "closed for the next three weeks",
        opens: { "closed, opens \($0)" }, removeDetail: "No role keeps them, so nobody loses anything.",
        inUse: { "In use by \($0). Give them other hours first." }, picture: "The week",
        zoneHint: { "The clock at the site counts: \($0)." }, addSpecial: "Add a special day",
        newSpecial: "New special day", noSpecial: "No special day yet",
        noSpecialDetail: "On a special day other hours hold than on other days: a holiday, a stocktaking.",
        specialNameHint: "As people call it: Summer break.", firstDay: "First day", lastDay: "Last day",
        lastDayHint: "Empty: one day only.", specialHours: "Hours on these days",
        specialHoursHint: "Write 08:00-12:30, or leave it empty for closed.", past: { "Past ones (\($0))" },
        removeSpecialDetail: "The usual hours hold on these days again, for everybody.", holidays: "Public holidays",
        holidaysHint:
            "Adds those of the whole country, closed all day. Local ones you add yourself; a day that is there already stays.",
        country: "Country", year: "Year", addHolidays: "Add the holidays",
        added: {
            $0 == 0
                ? "All of them were there already." : $0 == 1 ? "1 holiday was added." : "\($0) holidays were added."
        },
        countries: {
            switch $0 {
            case "IT": "Italy"
            case "ES": "Spain"
            case "FR": "France"
            default: "Germany"
            }
        })

    private static let it = HoursWords(
        weekdays: ["Lunedì", "Martedì", "Mercoledì", "Giovedì", "Venerdì", "Sabato", "Domenica"],
        addHours: "Aggiungi un orario", newHours: "Nuovo orario", noHours: "Ancora nessun orario",
        noHoursDetail: "Un orario dice quando un ruolo può passare. Un ruolo senza orario può passare a qualsiasi ora.",
        nameHint: "Come lo chiamano tutti: Orario d'ufficio.",
        weekHint: "Scrivi 08:00-12:30 13:30-18:00. Vuoto significa chiuso, 22:00-06:00 arriva al giorno dopo.",
        copyMonday: "Come lunedì, fino a venerdì", keepsSpecialDays: "I giorni speciali contano in questo orario",
        keepsSpecialDaysHint: "Togli la spunta per chi viene anche nei giorni festivi.",
        ignoresSpecialDays: "anche nei giorni speciali", closed: "chiuso", allDay: "tutto il giorno", openNow: "aperto",
        openUntil: { "aperto fino a \($0)" }, closedNow: "chiuso per le prossime tre settimane",
        opens: { "chiuso, apre \($0)" }, removeDetail: "Nessun ruolo lo usa, quindi nessuno perde nulla.",
        inUse: { "Lo usa: \($0). Prima assegna un altro orario." }, picture: "La settimana",
        zoneHint: { "Vale l'orologio della sede: \($0)." }, addSpecial: "Aggiungi un giorno speciale",
        newSpecial: "Nuovo giorno speciale", noSpecial: "Ancora nessun giorno speciale",
        noSpecialDetail: "In un giorno speciale vale un orario diverso dal solito: una festa, un inventario.",
        specialNameHint: "Come lo chiamano tutti: Chiusura estiva.", firstDay: "Primo giorno",
        lastDay: "Ultimo giorno", lastDayHint: "Vuoto: un giorno solo.", specialHours: "Orario in questi giorni",
        specialHoursHint: "Scrivi 08:00-12:30, o lascia vuoto per chiuso.", past: { "Passati (\($0))" },
        removeSpecialDetail: "In questi giorni torna a valere l'orario di sempre, per tutti.",
        holidays: "Giorni festivi",
        holidaysHint:
            "Aggiunge quelli di tutto il paese, chiusi tutto il giorno. Quelli locali li aggiungi tu; un giorno già presente resta.",
        country: "Paese", year: "Anno", addHolidays: "Aggiungi i festivi",
        added: {
            $0 == 0 ? "C'erano già tutti." : $0 == 1 ? "Aggiunto 1 giorno festivo." : "Aggiunti \($0) giorni festivi."
        },
        countries: {
            switch $0 {
            case "IT": "Italia"
            case "ES": "Spagna"
            case "FR": "Francia"
            default: "Germania"
            }
        })

    private static let es = HoursWords(
        weekdays: ["Lunes", "Martes", "Miércoles", "Jueves", "Viernes", "Sábado", "Domingo"],
        addHours: "Añadir un horario", newHours: "Nuevo horario", noHours: "Todavía no hay horarios",
        noHoursDetail: "Un horario dice cuándo puede pasar un rol. Un rol sin horario puede pasar a cualquier hora.",
        nameHint: "Como lo llama la gente: Horario de oficina.",
        weekHint: "Escribe 08:00-12:30 13:30-18:00. Vacío es cerrado, 22:00-06:00 llega al día siguiente.",
        copyMonday: "Como el lunes, hasta el viernes", keepsSpecialDays: "Los días especiales cuentan en este horario",
        keepsSpecialDaysHint: "Quita la marca para quienes vienen también los festivos.",
        ignoresSpecialDays: "también en días especiales", closed: "cerrado", allDay: "todo el día", openNow: "abierto",
        openUntil: { "abierto hasta \($0)" }, closedNow: "cerrado las próximas tres semanas",
        opens: { "cerrado, abre \($0)" }, removeDetail: "Ningún rol lo usa, así que nadie pierde nada.",
        inUse: { "Lo usa: \($0). Antes asigna otro horario." }, picture: "La semana",
        zoneHint: { "Vale el reloj de la sede: \($0)." }, addSpecial: "Añadir un día especial",
        newSpecial: "Nuevo día especial", noSpecial: "Todavía no hay días especiales",
        noSpecialDetail: "En un día especial vale un horario distinto del habitual: un festivo, un inventario.",
        specialNameHint: "Como lo llama la gente: Cierre de verano.", firstDay: "Primer día", lastDay: "Último día",
        lastDayHint: "Vacío: un solo día.", specialHours: "Horario de estos días",
        specialHoursHint: "Escribe 08:00-12:30, o déjalo vacío para cerrado.", past: { "Pasados (\($0))" },
        removeSpecialDetail: "En estos días vuelve a valer el horario habitual, para todos.", holidays: "Festivos",
        holidaysHint:
            "Añade los de todo el país, cerrados todo el día. Los locales los añades tú; un día que ya está se conserva.",
        country: "País", year: "Año", addHolidays: "Añadir los festivos",
        added: {
            $0 == 0 ? "Ya estaban todos." : $0 == 1 ? "Se ha añadido 1 festivo." : "Se han añadido \($0) festivos."
        },
        countries: {
            switch $0 {
            case "IT": "Italia"
            case "ES": "España"
            case "FR": "Francia"
            default: "Alemania"
            }
        })
}
