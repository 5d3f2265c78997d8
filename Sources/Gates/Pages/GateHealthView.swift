import Accounts
import Identity
import Pages
import System

/// How a gate's controller is: what somebody looks at before they drive there with a ladder.
enum GateHealthView {
    /// What it last said, as a definition list, and what does not work above it.
    static func part(_ report: GateReport, of gate: Gate, in zone: Zone, now: Timestamp, _ language: Language) -> HTML {
        let words = GateHealthWords.in(language)
        let troubles = report.troubles.map { words.trouble($0, report.clockOffset ?? 0) }
        return div(.css("stack"), .data("part", "health")) {
            for trouble in troubles { Part.notice(.no, trouble) }
            dl(.css("pairs")) {
                fact(words.lastHeard, moment(report.at, in: zone, now: now, language))
                if let offset = report.clockOffset { fact(words.clock, words.clockText(offset)) }
                if let waiting = report.waiting, let kept = report.kept {
                    fact(words.journal, words.journalText(waiting, kept))
                }
                fact(words.rights, report.rightsVersion >= gate.rightsVersion ? words.current : words.onTheWay)
                if let software = report.software { fact(words.software, software) }
                fact(words.starts, String(report.starts))
            }
        }
    }

    @HTMLBuilder private static func fact(_ name: String, _ value: String) -> HTML {
        dt { name }
        dd { value }
    }

    private static func moment(_ time: Timestamp, in zone: Zone, now: Timestamp, _ language: Language) -> String {
        let (day, today) = (zone.day(at: time), zone.day(at: now))
        let clock = zone.clockText(at: time)
        return day == today ? clock : "\(day.text(language)), \(clock)"
    }
}

/// The words of how a controller is.
struct GateHealthWords: Sendable {
    let lastHeard: String
    let clock: String
    /// Seconds ahead of the hub; behind when negative. One more or less is how long a word is on its way.
    let clockText: @Sendable (Int) -> String
    let journal: String
    /// Records that wait for the hub, and records altogether.
    let journalText: @Sendable (Int, Int) -> String
    let rights: String
    let current: String
    let onTheWay: String
    let software: String
    let starts: String
    let journalFull: String
    let relayFailed: String
    let rightsNotKept: String
    let diskFull: String
    let clockUntrusted: String
    /// Seconds, whichever way.
    let clockOff: @Sendable (Int) -> String
    let contradiction: String
    let badgesCut: String

    func trouble(_ trouble: GateTrouble, _ offset: Int) -> String {
        switch trouble {
        case .journalFull: journalFull
        case .relayFailed: relayFailed
        case .rightsNotKept: rightsNotKept
        case .diskFull: diskFull
        case .clockUntrusted: clockUntrusted
        case .clockOff: clockOff(abs(offset))
        case .contradiction: contradiction
        case .badgesCut: badgesCut
        }
    }

    static func `in`(_ language: Language) -> GateHealthWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = GateHealthWords(
        lastHeard: "Last heard", clock: "Clock",
        clockText: { abs($0) < 2 ? "as the hub's" : $0 > 0 ? "\($0) s ahead" : "\(-$0) s behind" }, journal: "Journal",
        journalText: { $0 == 0 ? "\($1) records, all told" : "\($1) records, \($0) still to tell" }, rights: "Rights",
        current: "up to date", onTheWay: "newer ones are on the way", software: "Software", starts: "Starts",
        journalFull: "The journal cannot be written. Nobody is let in until it can; everybody is let out.",
        relayFailed: "The relay did not move when it was last asked to.",
        rightsNotKept: "New rights came and could not be kept. The old ones hold.",
        diskFull: "The gate’s disk is nearly full. It still records openings, but no refusals. Make room on it.",
        clockUntrusted: "The clock cannot be trusted. The gate opens through the hub alone.",
        clockOff: { "The clock is off by \($0) seconds." },
        contradiction: "The gate told two different things under one number of its journal. Have a look at it.",
        badgesCut:
            "The gate has more old badges, or more different hours, than it can hold. Some badges do not open it, or not in all their hours. Take away old apps that are no longer used."
    )

    private static let it = GateHealthWords(
        lastHeard: "Ultimo contatto", clock: "Orologio",
        clockText: { abs($0) < 2 ? "come quello dell'hub" : $0 > 0 ? "avanti di \($0) s" : "indietro di \(-$0) s" },
        journal: "Registro",
        journalText: { $0 == 0 ? "\($1) voci, tutte comunicate" : "\($1) voci, \($0) da comunicare" },
        rights: "Diritti", current: "aggiornati", onTheWay: "ne arrivano di nuovi", software: "Software",
        starts: "Avvii",
        journalFull: "Il registro non si può scrivere. Finché è così nessuno entra; tutti possono uscire.",
        relayFailed: "Il relè non si è mosso l'ultima volta che doveva.",
        rightsNotKept: "Sono arrivati diritti nuovi e non si sono potuti salvare. Valgono i vecchi.",
        diskFull:
            "Il disco del varco è quasi pieno. Registra ancora le aperture, ma non gli accessi negati. Libera spazio.",
        clockUntrusted: "L'orologio non è affidabile. Il varco apre solo tramite l'hub.",
        clockOff: { "L'orologio sbaglia di \($0) secondi." },
        contradiction: "Il varco ha detto due cose diverse sotto lo stesso numero del registro. Va controllato.",
        badgesCut:
            "Il varco ha più vecchi badge, o più orari diversi, di quanti ne può tenere. Alcuni badge non lo aprono, o non in tutti i loro orari. Togli le app vecchie che non servono più."
    )

    private static let es = GateHealthWords(
        lastHeard: "Último contacto", clock: "Reloj",
        clockText: { abs($0) < 2 ? "como el del hub" : $0 > 0 ? "\($0) s adelantado" : "\(-$0) s atrasado" },
        journal: "Registro",
        journalText: { $0 == 0 ? "\($1) entradas, todas comunicadas" : "\($1) entradas, \($0) por comunicar" },
        rights: "Derechos", current: "al día", onTheWay: "llegan otros nuevos", software: "Software",
        starts: "Arranques",
        journalFull: "El registro no se puede escribir. Mientras tanto nadie entra; todos pueden salir.",
        relayFailed: "El relé no se movió la última vez que debía.",
        rightsNotKept: "Llegaron derechos nuevos y no se pudieron guardar. Valen los anteriores.",
        diskFull:
            "El disco del acceso está casi lleno. Aún registra las aperturas, pero no los rechazos. Libera espacio.",
        clockUntrusted: "El reloj no es de fiar. El acceso solo se abre a través del hub.",
        clockOff: { "El reloj está desviado \($0) segundos." },
        contradiction: "El acceso contó dos cosas distintas con el mismo número de su registro. Conviene revisarlo.",
        badgesCut:
            "El acceso tiene más credenciales antiguas, o más horarios distintos, de los que caben en él. Algunas credenciales no lo abren, o no en todos sus horarios. Retira las apps antiguas que ya no se usen."
    )
}

extension GateTrouble {
    /// A sentence for whoever looks after the gate.
    /// - Parameter offset: the gate's clock less the hub's, in seconds.
    public func text(_ language: Language, offset: Int) -> String { GateHealthWords.in(language).trouble(self, offset) }
}
