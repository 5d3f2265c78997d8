import Accounts
import Identity
import Pages

/// The words of what a manager's entries are refused with, and of the log's lines.
struct MembershipWords: Sendable {
    let missing: String
    let notAnAddress: String
    let tooShort: String
    let guessable: String
    let notAllowed: String
    let lastOwner: String
    let unknown: String
    let notADay: String
    let endsBeforeItBegins: String
    let isOver: String
    let alreadyThere: String
    let hasOwnWay: String
    let addressTaken: String
    let ownAddress: String
    let yourself: String
    let tooMany: String
    let changedSince: String
    let isFull: String
    /// In the log, where nobody is known.
    let nobody: String
    /// In the log, after how: the gate was without the hub then.
    let cameLater: String
    /// In the log, after how: what a gate was asked for, where it was not to open.
    let toClose: String
    let goingIn: String
    let goingOut: String
    /// In the log, after going in or out; the site's own code.
    let reasonCode: @Sendable (Int) -> String
    /// In the log, after how: refusals that were repeated; how many, and the times of the first and the last.
    let repeated: @Sendable (Int, String, String) -> String
    /// In the log: why somebody was refused, as a manager is told.
    let noMembership: String
    let starts: @Sendable (String) -> String
    let ended: @Sendable (String) -> String
    let noRole: String
    let roleLacksGate: String
    let revoked: @Sendable (String) -> String
    /// When the hours begin next, empty when that is far away.
    let outsideHours: @Sendable (String) -> String

    static func `in`(_ language: Language) -> MembershipWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = MembershipWords(
        missing: "Write a name of at most 120 characters.", notAnAddress: "This is not a mail address.",
        tooShort: "Use at least 10 characters.",
        guessable: "Others would guess this one. Choose another.",
        notAllowed: "Your own permission does not reach that far.",
        lastOwner: "Make another person an owner first: a site always has one.",
        unknown: "This no longer exists. Choose again.",
        notADay: "This is not a day of the calendar.", endsBeforeItBegins: "The last day is before the first.",
        isOver: "This day is over: no invitation would go, and nothing would open.",
        alreadyThere: "This person has the same membership already.",
        hasOwnWay: "This person is here already. Leave the password empty.",
        addressTaken: "Another person here has this address.",
        ownAddress: "They have accepted the invitation in the meantime.",
        yourself: "You cannot take away your own access. Ask another manager.",
        tooMany: "These are too many at once: choose fewer.", changedSince: "It was changed in the meantime.",
        isFull: "There is no room for another membership: a person has at most 100 at a site, a site at most 50,000.",
        nobody: "unknown",
        cameLater: "told later, the gate was alone",
        toClose: "to close", goingIn: "going in", goingOut: "going out", reasonCode: { "reason code \($0)" },
        repeated: {
            $0 == 1
                ? "once more at \($2)"
                : $1 == $2 ? "\($0) more times at \($2)" : "\($0) more times from \($1) to \($2)"
        },
        noMembership: "no membership here", starts: { "membership starts on \($0)" },
        ended: { "membership ended on \($0)" },
        noRole: "no role", roleLacksGate: "the role does not include this gate",
        revoked: { "membership taken away on \($0)" },
        outsideHours: { $0.isEmpty ? "outside the hours of the role" : "outside the hours of the role, next: \($0)" })

    private static let it = MembershipWords(
        missing: "Scrivi un nome di al massimo 120 caratteri.", notAnAddress: "Questo non è un indirizzo email.",
        tooShort: "Usa almeno 10 caratteri.",
        guessable: "Gli altri la indovinerebbero. Scegline un’altra.", notAllowed: "Il tuo permesso non arriva fin lì.",
        lastOwner: "Prima nomina un altro proprietario: una sede non ne resta mai senza.",
        unknown: "Non esiste più. Scegli di nuovo.", notADay: "Questo giorno non esiste nel calendario.",
        endsBeforeItBegins: "L'ultimo giorno viene prima del primo.",
        isOver: "Questo giorno è già passato: non partirebbe alcun invito e non si aprirebbe nulla.",
        alreadyThere: "Questa persona ha già la stessa appartenenza.",
        hasOwnWay: "Questa persona c’è già. Lascia vuota la password.",
        addressTaken: "Un’altra persona qui ha questo indirizzo.",
        ownAddress: "Nel frattempo la persona ha accettato l’invito.",
        yourself: "Non puoi revocare il tuo accesso. Chiedi a un altro gestore.",
        tooMany: "Sono troppe in una volta: scegline meno.", changedSince: "Nel frattempo qualcuno l'ha cambiata.",
        isFull: "Non c’è posto per un’altra: una persona ne ha al massimo 100 in una sede, una sede al massimo 50.000.",
        nobody: "sconosciuto", cameLater: "comunicato dopo, il varco era da solo",
        toClose: "per chiudere", goingIn: "in entrata", goingOut: "in uscita", reasonCode: { "causale \($0)" },
        repeated: {
            $0 == 1
                ? "ancora una volta alle \($2)"
                : $1 == $2 ? "altre \($0) volte alle \($2)" : "altre \($0) volte dalle \($1) alle \($2)"
        },
        noMembership: "nessuna appartenenza qui", starts: { "appartenenza dal giorno \($0)" },
        ended: { "appartenenza terminata: \($0)" }, noRole: "nessun ruolo",
        roleLacksGate: "il ruolo non comprende questo varco", revoked: { "appartenenza revocata: \($0)" },
        outsideHours: {
            $0.isEmpty ? "fuori dall'orario del ruolo" : "fuori dall'orario del ruolo, prossima apertura: \($0)"
        })

    private static let es = MembershipWords(
        missing: "Escribe un nombre de 120 caracteres como máximo.",
        notAnAddress: "Esto no es una dirección de correo.",
        tooShort: "Usa al menos 10 caracteres.",
        guessable: "Otros la adivinarían. Elige otra.", notAllowed: "Tu permiso no llega tan lejos.",
        lastOwner: "Antes nombra a otro propietario: una sede nunca se queda sin uno.",
        unknown: "Ya no existe. Elige de nuevo.", notADay: "Ese día no existe en el calendario.",
        endsBeforeItBegins: "El último día es anterior al primero.",
        isOver: "Este día ya pasó: no saldría ninguna invitación y no se abriría nada.",
        alreadyThere: "Esta persona ya tiene la misma pertenencia.",
        hasOwnWay: "Esta persona ya está aquí. Deja vacía la contraseña.",
        addressTaken: "Otra persona de aquí tiene esta dirección.",
        ownAddress: "Entretanto la persona ha aceptado la invitación.",
        yourself: "No puedes retirar tu propio acceso. Pídeselo a otro gestor.",
        tooMany: "Son demasiadas a la vez: elige menos.", changedSince: "Alguien la cambió entretanto.",
        isFull: "No cabe otra: una persona tiene como máximo 100 en una sede, y una sede, 50.000.",
        nobody: "desconocido", cameLater: "comunicado después, el acceso estaba solo",
        toClose: "para cerrar", goingIn: "de entrada", goingOut: "de salida", reasonCode: { "código de motivo \($0)" },
        repeated: {
            $0 == 1
                ? "una vez más a las \($2)"
                : $1 == $2 ? "\($0) veces más a las \($2)" : "\($0) veces más entre las \($1) y las \($2)"
        },
        noMembership: "sin pertenencia aquí", starts: { "la pertenencia empieza el \($0)" },
        ended: { "la pertenencia terminó el \($0)" }, noRole: "sin rol", roleLacksGate: "el rol no incluye este acceso",
        revoked: { "pertenencia retirada el \($0)" },
        outsideHours: {
            $0.isEmpty ? "fuera del horario del rol" : "fuera del horario del rol, próxima apertura: \($0)"
        })

    /// What a gate was asked for, where it is more than to open: "going out", "reason code 7".
    func intent(_ intent: String?, reason: Int?) -> [String] {
        let what: String? =
            switch intent {
            case "chiudi": toClose
            case "enter": goingIn
            case "leave": goingOut
            default: nil
            }
        // 0 is none.
        return [what, reason.flatMap { $0 == 0 ? nil : reasonCode($0) }].compactMap(\.self)
    }

    /// Why somebody was refused at a gate, as a manager is told.
    /// - Parameter detail: the day or the time that the reason names, in words.
    func told(code: String, detail: String) -> String? {
        switch code {
        case "noMembership": noMembership
        case "notStarted": starts(detail)
        case "ended": ended(detail)
        case "revokedOn": revoked(detail)
        case "outsideHours": outsideHours(detail)
        case "noRole": noRole
        case "roleLacksGate": roleLacksGate
        default: nil
        }
    }

    /// Why an entry was refused.
    func refusal(_ why: MembershipEntry.Refusal.Why) -> String {
        switch why {
        case .missing: missing
        case .notAnAddress: notAnAddress
        case .tooShort: tooShort
        case .guessable: guessable
        case .notAllowed: notAllowed
        case .lastOwner: lastOwner
        case .unknown: unknown
        case .notADay: notADay
        case .endsBeforeItBegins: endsBeforeItBegins
        case .isOver: isOver
        case .alreadyThere: alreadyThere
        case .hasOwnWay: hasOwnWay
        case .addressTaken: addressTaken
        case .ownAddress: ownAddress
        case .yourself: yourself
        case .tooMany: tooMany
        case .changedSince: changedSince
        case .isFull: isFull
        }
    }
}
