import Accounts
import Identity
import System

/// The words of charts and of what is kept.
struct HistoryWords: Sendable {
    // MARK: the chart
    let history: String
    let spans: String
    let hour: String
    let day: String
    let week: String
    let month: String
    let year: String
    let all: String
    let line: String
    let bars: String
    let drawnAs: String
    let earlier: String
    let later: String
    let goToDay: String
    let show: String
    let now: String
    let outOfUse: String
    let lowest: String
    let highest: String
    let mean: String
    let last: String
    let readings: String
    let time: String
    let band: String
    let threshold: String
    let alarm: String
    let alarms: String
    let lasts: String
    let until: String
    let asTable: String
    let readIt: String
    let nothingYet: String
    let nothingYetDetail: String
    let nothingThen: String
    let notLoaded: String
    let yes: String
    let no: String

    // MARK: what one can do
    let startAnew: String
    let startAnewDetail: String
    let beginsAt: String
    let fromBeginning: String
    let take: String
    let takeDetail: String
    let delete: String
    let deleteDetail: String
    let deleted: String

    // MARK: what is kept
    let historyLead: String
    let noSensors: String
    let noSensorsDetail: String
    let kept: String
    let keptLead: String
    let keptRaw: String
    let keptFive: String
    let keptHours: String
    let keptHoursHint: String
    let days: String
    let years: String
    let forEver: String
    let save: String
    let saved: String
    let refused: String

    // MARK: the file
    let fileName: String
    let utc: String

    // MARK: the calendar
    let months: [String]
    let shortMonths: [String]
    let weekdays: [String]
    let shortWeekdays: [String]

    func month(_ number: Int) -> String { months[number - 1] }
    func shortMonth(_ number: Int) -> String { shortMonths[number - 1] }
    func weekday(_ day: Day) -> String { weekdays[day.weekday - 1] }
    func shortWeekday(_ day: Day) -> String { shortWeekdays[day.weekday - 1] }

    func span(_ span: ChartSpan) -> String {
        switch span {
        case .hour: hour
        case .day: day
        case .week: week
        case .month: month
        case .year: year
        case .all: all
        }
    }

    func style(_ style: ChartStyle) -> String { style == .line ? line : bars }

    /// A number of days, in years where it makes whole ones.
    func length(_ count: Int) -> String {
        if count == 0 { return forEver }
        let whole = count % 365 == 0 && count >= 730
        return Self.fill(whole ? years : days, "n", "\(whole ? count / 365 : count)")
    }

    /// A phrase with a word put in for its mark.
    static func fill(_ phrase: String, _ mark: String, _ word: String) -> String {
        let parts = phrase.split(separator: "{\(mark)}", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[0] + word + parts[1] : phrase
    }

    static func `in`(_ language: Language) -> HistoryWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = HistoryWords(
        history: "History", spans: "How much to show", hour: "Hour", day: "Day", week: "Week",
        month: "Month", year: "Year", all: "All", line: "Line", bars: "Bars", drawnAs: "Drawn as", earlier: "Earlier",
        later: "Later", goToDay: "Go to a day", show: "Show", now: "Now",
        outOfUse: "This sensor is out of use. What it told is kept until an owner deletes it.", lowest: "Lowest",
        highest: "Highest", mean: "Mean", last: "Last", readings: "Readings", time: "Time",
        band: "from the lowest to the highest", threshold: "threshold {n}", alarm: "alarm", alarms: "Alarms",
        lasts: "since {from}, and not over", until: "{from} until {to}",
        asTable: "As a table", readIt: "Touch the chart, or use the arrow keys, to read it.",
        nothingYet: "Nothing to show yet",
        nothingYetDetail: "As soon as the sensor tells a value, its chart begins here.",
        nothingThen: "Nothing was told in this time.",
        notLoaded: "The hub cannot be reached: the chart stays as it is.", yes: "yes", no: "no",
        startAnew: "Begin the chart anew",
        startAnewDetail: "Your chart then begins now. Nothing is deleted, and others see theirs as before.",
        beginsAt: "Your chart begins on {when}, as you asked.", fromBeginning: "Show it from the beginning",
        take: "Save as a file (CSV)", takeDetail: "What the chart shows, as a spreadsheet opens it.",
        delete: "Delete everything this sensor told",
        deleteDetail: "Every value of it, of all years, for everybody at this house. It cannot be taken back.",
        deleted: "What this sensor told is deleted.",
        historyLead: "What each sensor of the house has told. Sensors that are out of use keep theirs.",
        noSensors: "No sensor yet", noSensorsDetail: "Connect a device, and what its sensors tell is kept here.",
        kept: "How long it is kept",
        keptLead:
            "Values become coarser with time. The lowest and the highest always stay, so a peak is never lost.",
        keptRaw: "Each value", keptFive: "Every five minutes", keptHours: "Every hour and day",
        keptHoursHint: "Nothing finer is kept longer than what is coarser.", days: "{n} days", years: "{n} years",
        forEver: "for ever", save: "Save", saved: "Saved. What is older goes within the hour.",
        refused: "Each step has to be kept at least as long as the one before it.", fileName: "readings",
        utc: "Time (UTC)",
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ],
        shortMonths: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        shortWeekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])

    private static let it = HistoryWords(
        history: "Storico", spans: "Quanto mostrare", hour: "Ora", day: "Giorno", week: "Settimana",
        month: "Mese", year: "Anno", all: "Tutto", line: "Linea", bars: "Barre", drawnAs: "Disegnato a",
        earlier: "Prima", later: "Dopo", goToDay: "Vai a un giorno", show: "Mostra", now: "Adesso",
        outOfUse: "Questo sensore non è più in uso. Ciò che ha detto resta finché un proprietario non lo elimina.",
        lowest: "Minimo", highest: "Massimo", mean: "Media", last: "Ultimo", readings: "Letture", time: "Ora",
        band: "dal minimo al massimo", threshold: "soglia {n}", alarm: "allarme",
        alarms: "Allarmi", lasts: "da {from}, non ancora finito", until: "{from} fino a {to}",
        asTable: "Come tabella", readIt: "Tocca il grafico, o usa le frecce, per leggerlo.",
        nothingYet: "Ancora niente da mostrare",
        nothingYetDetail: "Appena il sensore dice un valore, il suo grafico comincia qui.",
        nothingThen: "In questo tempo non è stato detto nulla.",
        notLoaded: "L’hub non è raggiungibile: il grafico resta com’è.", yes: "sì", no: "no",
        startAnew: "Ricomincia il grafico",
        startAnewDetail:
            "Il tuo grafico comincia adesso. Nulla viene eliminato, e gli altri vedono il loro come prima.",
        beginsAt: "Il tuo grafico comincia il {when}, come hai chiesto.", fromBeginning: "Mostralo dall’inizio",
        take: "Salva come file (CSV)", takeDetail: "Ciò che il grafico mostra, come lo apre un foglio di calcolo.",
        delete: "Elimina tutto ciò che questo sensore ha detto",
        deleteDetail: "Ogni suo valore, di tutti gli anni, per tutti in questa casa. Non si può tornare indietro.",
        deleted: "Ciò che questo sensore ha detto è eliminato.",
        historyLead: "Ciò che ogni sensore della casa ha detto. I sensori non più in uso conservano il loro.",
        noSensors: "Ancora nessun sensore",
        noSensorsDetail: "Collega un dispositivo: ciò che i suoi sensori dicono viene conservato qui.",
        kept: "Per quanto viene conservato",
        keptLead:
            "Con il tempo i valori diventano più radi. Il minimo e il massimo restano sempre: un picco non va mai perso.",
        keptRaw: "Ogni valore", keptFive: "Ogni cinque minuti", keptHours: "Ogni ora e giorno",
        keptHoursHint: "Ciò che è più fitto non resta più a lungo di ciò che è più rado.", days: "{n} giorni",
        years: "{n} anni", forEver: "per sempre", save: "Salva",
        saved: "Salvato. Ciò che è più vecchio sparisce entro un’ora.",
        refused: "Ogni passo va conservato almeno quanto quello precedente.", fileName: "letture", utc: "Ora (UTC)",
        months: [
            "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
            "novembre", "dicembre",
        ],
        shortMonths: ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"],
        weekdays: ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
        shortWeekdays: ["lun", "mar", "mer", "gio", "ven", "sab", "dom"])

    private static let es = HistoryWords(
        history: "Historial", spans: "Cuánto mostrar", hour: "Hora", day: "Día", week: "Semana",
        month: "Mes", year: "Año", all: "Todo", line: "Línea", bars: "Barras", drawnAs: "Dibujado con",
        earlier: "Antes", later: "Después", goToDay: "Ir a un día", show: "Mostrar", now: "Ahora",
        outOfUse: "Este sensor ya no está en uso. Lo que dijo se conserva hasta que un propietario lo elimine.",
        lowest: "Mínimo", highest: "Máximo", mean: "Media", last: "Último", readings: "Lecturas", time: "Hora",
        band: "del mínimo al máximo", threshold: "umbral {n}", alarm: "alarma",
        alarms: "Alarmas", lasts: "desde {from}, aún no ha terminado", until: "{from} hasta {to}",
        asTable: "Como tabla", readIt: "Toca el gráfico, o usa las flechas, para leerlo.",
        nothingYet: "Aún no hay nada que mostrar",
        nothingYetDetail: "En cuanto el sensor diga un valor, su gráfico empieza aquí.",
        nothingThen: "En este tiempo no se dijo nada.",
        notLoaded: "No se puede alcanzar el hub: el gráfico queda como está.", yes: "sí", no: "no",
        startAnew: "Empezar el gráfico de nuevo",
        startAnewDetail: "Tu gráfico empieza ahora. No se elimina nada, y los demás ven el suyo como antes.",
        beginsAt: "Tu gráfico empieza el {when}, como pediste.", fromBeginning: "Mostrarlo desde el principio",
        take: "Guardar como archivo (CSV)", takeDetail: "Lo que muestra el gráfico, como lo abre una hoja de cálculo.",
        delete: "Eliminar todo lo que dijo este sensor",
        deleteDetail: "Todos sus valores, de todos los años, para todos en esta casa. No se puede deshacer.",
        deleted: "Lo que dijo este sensor está eliminado.",
        historyLead: "Lo que dijo cada sensor de la casa. Los sensores fuera de uso conservan lo suyo.",
        noSensors: "Aún no hay sensores",
        noSensorsDetail: "Conecta un dispositivo: lo que digan sus sensores se conserva aquí.",
        kept: "Cuánto tiempo se conserva",
        keptLead:
            "Con el tiempo los valores se vuelven más espaciados. El mínimo y el máximo siempre quedan: un pico nunca se pierde.",
        keptRaw: "Cada valor", keptFive: "Cada cinco minutos", keptHours: "Cada hora y día",
        keptHoursHint: "Lo más fino no se conserva más tiempo que lo más espaciado.", days: "{n} días",
        years: "{n} años", forEver: "para siempre", save: "Guardar",
        saved: "Guardado. Lo más antiguo desaparece en una hora.",
        refused: "Cada paso debe conservarse al menos tanto como el anterior.", fileName: "lecturas", utc: "Hora (UTC)",
        months: [
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre",
        ],
        shortMonths: ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"],
        weekdays: ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
        shortWeekdays: ["lun", "mar", "mié", "jue", "vie", "sáb", "dom"])
}
