import Accounts
import Identity
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
    let confirm: @Sendable (String) -> String
    let moved: String
    let onlyFirst: String
    let confirmed: String
    let noticeTitle: String
    let noticeBody: @Sendable (_ isAhead: Bool, _ amount: String) -> String
    let informs: NoticeWords
    let days: @Sendable (Int) -> String
    let hours: @Sendable (Int) -> String
    let minutes: @Sendable (Int) -> String

    static func `in`(_ language: Language) -> ClockWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func notice(_ doubt: ClockDoubt) -> NoticeWords {
        NoticeWords(noticeTitle, noticeBody(doubt.ahead > 0, amount(abs(doubt.ahead))))
    }

    /// A difference of two clocks, in its largest unit.
    private func amount(_ seconds: Int) -> String {
        if seconds >= 2 * 86_400 { return days(seconds / 86_400) }
        return seconds >= 2 * 3_600 ? hours(seconds / 3_600) : minutes(max(1, (seconds + 30) / 60))
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
            "phones get no new passes: existing passes work for up to a day",
            "the hub sets no clock of a gate or a box", "nothing is deleted because of its age",
        ], goesOn: "Gates open, alarms sound and notices are sent as always, by the hub’s own count.",
        whatToDo: "What to do",
        setIt: "If the machine’s clock is wrong, set it. The hub notices by itself within seconds.",
        isRightAsItIs:
            "If it is right, confirm it: compare it with a watch first. The hub then uses that time. Sign-ins and passes that ended by then end at once.",
        confirm: { "Confirm \($0)" }, moved: "The machine’s clock shows another time by now. Look again.",
        onlyFirst:
            "The owners of the first place of this hub can confirm it, or the person who looks after the machine.",
        confirmed: "Confirmed. The hub goes by the machine’s clock.", noticeTitle: "The hub’s clock needs you",
        noticeBody: { isAhead, amount in
            "Set the machine’s clock, or confirm it. It is \(amount) \(isAhead ? "ahead of" : "behind") the hub’s own count. Until this is clear, phones get no new passes. Gates open and alarms sound as always."
        },
        informs: NoticeWords(
            "The hub’s clock is being checked",
            "Its owners have been asked to look at it. Until then phones get no new passes. Gates open and alarms sound as always."
        ), days: { "\($0) days" }, hours: { "\($0) hours" }, minutes: { $0 == 1 ? "1 minute" : "\($0) minutes" })

    static let it = ClockWords(
        language: .it, title: "L’orologio dell’hub", isRight: "L’orologio è giusto.",
        machine: "L’orologio della macchina segna", own: "L’hub ha contato",
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
            "i telefoni non ricevono nuovi pass: quelli esistenti valgono al massimo un giorno",
            "l’hub non regola l’orologio di varchi e centraline", "nulla viene cancellato perché vecchio",
        ],
        goesOn:
            "I varchi si aprono, gli allarmi suonano e gli avvisi partono come sempre, secondo il conteggio dell’hub.",
        whatToDo: "Che cosa fare",
        setIt: "Se l’orologio della macchina è sbagliato, regolalo. L’hub se ne accorge da solo in pochi secondi.",
        isRightAsItIs:
            "Se è giusto, confermalo: prima confrontalo con un altro orologio. L’hub userà quell’ora. Accessi e pass già scaduti a quell’ora finiscono subito.",
        confirm: { "Conferma \($0)" }, moved: "L’orologio della macchina ora segna un’altra ora. Guarda di nuovo.",
        onlyFirst: "Può confermarlo un proprietario del primo luogo di questo hub, o chi gestisce la macchina.",
        confirmed: "Confermato. L’hub segue l’orologio della macchina.",
        noticeTitle: "L’orologio dell’hub va controllato",
        noticeBody: { isAhead, amount in
            "Regola l’orologio della macchina, o confermalo. È \(isAhead ? "avanti" : "indietro") di \(amount) rispetto al conteggio dell’hub. Finché non è chiaro, i telefoni non ricevono nuovi pass. I varchi si aprono e gli allarmi suonano come sempre."
        },
        informs: NoticeWords(
            "Si sta controllando l’orologio dell’hub",
            "Ai suoi proprietari è stato chiesto di verificarlo. Fino ad allora i telefoni non ricevono nuovi pass. I varchi si aprono e gli allarmi suonano come sempre."
        ), days: { "\($0) giorni" }, hours: { "\($0) ore" }, minutes: { $0 == 1 ? "1 minuto" : "\($0) minuti" })

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
        isRightAsItIs:
            "Si va bien, confírmalo: compáralo antes con otro reloj. El hub adoptará esa hora. Las sesiones y los pases que ya habrían acabado terminan enseguida.",
        confirm: { "Confirmar \($0)" }, moved: "El reloj de la máquina muestra ahora otra hora. Míralo de nuevo.",
        onlyFirst:
            "Puede confirmarlo un propietario del primer lugar de este hub, o la persona que cuida de la máquina.",
        confirmed: "Confirmado. El hub sigue el reloj de la máquina.", noticeTitle: "Hay que revisar el reloj del hub",
        noticeBody: { isAhead, amount in
            "Pon en hora el reloj de la máquina, o confírmalo. Va \(amount) \(isAhead ? "por delante" : "por detrás") de la cuenta del hub. Hasta que se aclare, los teléfonos no reciben pases nuevos. Los accesos se abren y las alarmas suenan como siempre."
        },
        informs: NoticeWords(
            "Se está revisando el reloj del hub",
            "Se ha pedido a sus propietarios que lo comprueben. Hasta entonces los teléfonos no reciben pases nuevos. Los accesos se abren y las alarmas suenan como siempre."
        ), days: { "\($0) días" }, hours: { "\($0) horas" }, minutes: { $0 == 1 ? "1 minuto" : "\($0) minutos" })
}
