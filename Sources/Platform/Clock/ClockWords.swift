import Accounts
import Notices
import System

/// The words about the hub's clock in one language.
struct ClockWords: Sendable {
    let language: Language
    let title: String
    let isRight: String
    let machine: String
    let own: String
    let why: [ClockDoubt.Cause: String]
    let meanwhile: String
    let stopped: [String]
    let goesOn: String
    let whatToDo: String
    let setIt: String
    let isRightAsItIs: String
    let confirm: String
    let onlyFirst: String
    let confirmed: String
    let noticeTitle: String
    let noticeBody: @Sendable (_ machine: String, _ own: String) -> String

    static func `in`(_ language: Language) -> ClockWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func notice(_ doubt: ClockDoubt) -> NoticeWords {
        NoticeWords(
            noticeTitle, noticeBody(Self.text(doubt.machine, .utc, language), Self.text(doubt.own, .utc, language)))
    }

    /// Day and hour.
    static func text(_ time: Timestamp, _ zone: Zone, _ language: Language) -> String {
        "\(zone.day(at: time).text(language)), \(zone.clockText(at: time))"
    }

    static let en = ClockWords(
        language: .en, title: "The hub’s clock", isRight: "The clock is right.", machine: "The machine’s clock says",
        own: "By the hub’s own count it is",
        why: [
            .jumped: "The machine’s clock jumped while the hub was running.",
            .behind: "Since the last start the machine’s clock shows a time that has already passed.",
            .ahead: "Since the last start the machine’s clock shows a time long after the hub last ran.",
            .contradicted: "Since the last start the clocks of the gates show another time.",
            .neverSet: "The machine’s clock has not been set.",
        ],
        meanwhile: "Until this is clear",
        stopped: [
            "phones get no new passes: those that they have hold for up to a day",
            "the hub sets no clock of a gate or a box", "nothing is deleted because of its age",
        ], goesOn: "Gates open, alarms sound and notices are sent as always, by the hub’s own count.",
        whatToDo: "What to do",
        setIt: "If the machine’s clock is wrong, set it. The hub notices by itself within seconds.",
        isRightAsItIs: "If the machine’s clock is right, confirm it. The hub then takes that time over.",
        confirm: "The machine’s clock is right",
        onlyFirst:
            "The owners of the first place of this hub can confirm it, or the person who looks after the machine.",
        confirmed: "Confirmed. The hub goes by the machine’s clock.", noticeTitle: "The hub’s clock needs you",
        noticeBody: {
            "Set the machine’s clock, or confirm it. It says \($0) (UTC); by the hub’s own count it is \($1) (UTC). Until this is clear, phones get no new passes. Gates open and alarms sound as always."
        })

    static let it = ClockWords(
        language: .it, title: "L’orologio dell’hub", isRight: "L’orologio è giusto.",
        machine: "L’orologio della macchina dice", own: "Secondo il conteggio dell’hub è",
        why: [
            .jumped: "L’orologio della macchina è saltato mentre l’hub era in funzione.",
            .behind: "Dall’ultimo avvio l’orologio della macchina mostra un’ora già passata.",
            .ahead:
                "Dall’ultimo avvio l’orologio della macchina mostra un’ora molto successiva all’ultima volta in cui l’hub era in funzione.",
            .contradicted: "Dall’ultimo avvio gli orologi dei varchi mostrano un’altra ora.",
            .neverSet: "L’orologio della macchina non è stato regolato.",
        ],
        meanwhile: "Finché non è chiaro",
        stopped: [
            "i telefoni non ricevono nuovi pass: quelli che hanno valgono al massimo un giorno",
            "l’hub non regola l’orologio di varchi e centraline", "nulla viene cancellato per la sua età",
        ],
        goesOn:
            "I varchi si aprono, gli allarmi suonano e gli avvisi partono come sempre, secondo il conteggio dell’hub.",
        whatToDo: "Che cosa fare",
        setIt: "Se l’orologio della macchina è sbagliato, regolalo. L’hub se ne accorge da solo in pochi secondi.",
        isRightAsItIs: "Se l’orologio della macchina è giusto, confermalo. L’hub prenderà quell’ora.",
        confirm: "L’orologio della macchina è giusto",
        onlyFirst: "Può confermarlo un proprietario del primo posto di questo hub, o chi gestisce la macchina.",
        confirmed: "Confermato. L’hub segue l’orologio della macchina.",
        noticeTitle: "L’orologio dell’hub va controllato",
        noticeBody: {
            "Regola l’orologio della macchina, o confermalo. Dice \($0) (UTC); secondo il conteggio dell’hub è \($1) (UTC). Finché non è chiaro, i telefoni non ricevono nuovi pass. I varchi si aprono e gli allarmi suonano come sempre."
        })

    static let es = ClockWords(
        language: .es, title: "El reloj del hub", isRight: "El reloj va bien.", machine: "El reloj de la máquina dice",
        own: "Según la cuenta del hub es",
        why: [
            .jumped: "El reloj de la máquina saltó mientras el hub estaba en marcha.",
            .behind: "Desde el último arranque, el reloj de la máquina muestra una hora que ya pasó.",
            .ahead:
                "Desde el último arranque, el reloj de la máquina muestra una hora muy posterior a la última vez que el hub estuvo en marcha.",
            .contradicted: "Desde el último arranque, los relojes de los accesos muestran otra hora.",
            .neverSet: "El reloj de la máquina no se ha puesto en hora.",
        ],
        meanwhile: "Hasta que se aclare",
        stopped: [
            "los teléfonos no reciben pases nuevos: los que tienen valen un día como mucho",
            "el hub no pone en hora ningún acceso ni ninguna caja", "no se borra nada por su antigüedad",
        ], goesOn: "Los accesos se abren, las alarmas suenan y los avisos salen como siempre, según la cuenta del hub.",
        whatToDo: "Qué hacer",
        setIt: "Si el reloj de la máquina va mal, ponlo en hora. El hub lo nota por sí solo en unos segundos.",
        isRightAsItIs: "Si el reloj de la máquina va bien, confírmalo. El hub tomará esa hora.",
        confirm: "El reloj de la máquina va bien",
        onlyFirst:
            "Puede confirmarlo un propietario del primer lugar de este hub, o la persona que cuida de la máquina.",
        confirmed: "Confirmado. El hub sigue el reloj de la máquina.", noticeTitle: "Hay que revisar el reloj del hub",
        noticeBody: {
            "Pon en hora el reloj de la máquina, o confírmalo. Dice \($0) (UTC); según la cuenta del hub es \($1) (UTC). Hasta que se aclare, los teléfonos no reciben pases nuevos. Los accesos se abren y las alarmas suenan como siempre."
        })
}
