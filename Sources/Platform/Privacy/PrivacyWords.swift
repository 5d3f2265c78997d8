import Accounts
import Identity
import Ledger
import Pages

/// The words of erasure and retention.
struct PrivacyWords: Sendable {
    let allPeople: String
    let erase: @Sendable (String) -> String
    let warning: String
    let yourself: String
    /// Where nobody else owns the site without a last day.
    let lastOwner: String
    let goes: String
    let gone: [String]
    let accountGoes: String
    let accountStays: String
    let accountIsGone: String
    let stays: String
    let staying: [String]
    let review: String
    let reviewLead: String
    let typeName: String
    let typeNameHint: @Sendable (String) -> String
    let otherName: String
    let eraseForGood: String
    let erased: String
    let oneEntry: String
    let entries: @Sendable (String) -> String
    let afterwards: String
    let retention: String
    let retentionLead: String
    let retentionStays: String
    let openings: String
    let openingsHint: String
    let signIns: String
    let signInsHint: String
    let changes: String
    let changesHint: String
    let days: @Sendable (Int) -> String
    let years: @Sendable (Int) -> String
    let forEver: String
    let save: String
    let saved: String

    static func `in`(_ language: Language) -> PrivacyWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func group(_ group: RetentionGroup) -> String {
        switch group {
        case .openings: openings
        case .signIns: signIns
        case .changes: changes
        }
    }

    func groupHint(_ group: RetentionGroup) -> String {
        switch group {
        case .openings: openingsHint
        case .signIns: signInsHint
        case .changes: changesHint
        }
    }

    /// A number of days as people say it.
    func length(_ count: Int) -> String {
        if count == 0 { return forEver }
        return count % 365 == 0 ? years(count / 365) : days(count)
    }

    private static let en = PrivacyWords(
        allPeople: "All people", erase: { "Erase \($0)" },
        warning: "This cannot be undone, not even from a backup.",
        yourself: "You cannot erase yourself. Ask another owner to do it.",
        lastOwner: "This person is the only owner without a last day. Make another owner first.",
        goes: "What is deleted",
        gone: [
            "Every opening, refusal and change here about this person.",
            "Their memberships and badge here. Passes on their phone stop working at once.",
        ],
        accountGoes: "Their account: name, address, password. No other site has them.",
        accountStays: "Their account stays: another site has them too.",
        accountIsGone: "The account is deleted too: no other site had it.",
        stays: "What stays",
        staying: [
            "That there was an entry at that moment, without saying who or what, to prove that the log was not altered.",
            "A number, where this person changed something about others. It leads nowhere once the account is deleted.",
            "Messages that others wrote, even where they name this person.",
            "What owners were told of changes to a house's alarm, for 90 days.",
        ],
        review: "What to check yourself",
        reviewLead:
            "Check whether any of these names belongs to this person, and remove it. They were typed by people and are kept, because one name can be part of another.",
        typeName: "Type the name to be sure", typeNameHint: { "The name: \($0)" },
        otherName: "This is not the name.", eraseForGood: "Erase for good", erased: "Erased",
        oneEntry: "Done. One entry of the log was emptied.",
        entries: { "Done. \($0) entries of the log were emptied." },
        afterwards:
            "Backups made before still hold this person. A restore on this machine erases them again; delete old backups when you can.",
        retention: "How long things are kept",
        retentionLead:
            "Older entries are emptied every day. The log keeps that they were there, and that they were emptied.",
        retentionStays: "Gates keep their own journal for 30 days.",
        openings: "Openings", openingsHint: "Who went through which gate, who was refused.",
        signIns: "Sign-ins", signInsHint: "Who signed in, and when.",
        changes: "Changes", changesHint: "What was changed about people, roles and gates, and by whom.",
        days: { "\($0) days" }, years: { $0 == 1 ? "one year" : "\($0) years" }, forEver: "for ever", save: "Save",
        saved: "Saved.")

    private static let it = PrivacyWords(
        allPeople: "Tutte le persone", erase: { "Cancella \($0)" },
        warning: "Non si può annullare, nemmeno con una copia di sicurezza.",
        yourself: "Non puoi cancellare te stesso. Chiedi a un altro proprietario.",
        lastOwner: "È l’unica persona proprietaria senza ultimo giorno. Nomina prima un altro proprietario.",
        goes: "Che cosa viene eliminato",
        gone: [
            "Ogni apertura, rifiuto e modifica qui che riguarda questa persona.",
            "Le sue appartenenze e il suo badge qui. I pass sul suo telefono smettono subito di funzionare.",
        ],
        accountGoes: "Il suo account: nome, indirizzo, password. Nessun'altra sede ha questa persona.",
        accountStays: "Il suo account resta: anche un'altra sede ha questa persona.",
        accountIsGone: "Anche l’account è stato eliminato: nessun’altra sede lo aveva.",
        stays: "Che cosa resta",
        staying: [
            "Che in quel momento c’è stata una voce, senza dire chi o che cosa, per provare che il registro non è stato alterato.",
            "Un numero, dove questa persona ha cambiato qualcosa di altri. Non porta a nessuno, una volta eliminato l’account.",
            "I messaggi scritti da altri, anche dove nominano questa persona.",
            "Ciò che i proprietari hanno saputo delle modifiche all’allarme di una casa, per 90 giorni.",
        ],
        review: "Che cosa controllare di persona",
        reviewLead:
            "Controlla se qualcuno di questi nomi è di questa persona, e rimuovilo. Sono stati scritti a mano e restano, perché un nome può essere parte di un altro.",
        typeName: "Scrivi il nome per conferma", typeNameHint: { "Il nome: \($0)" },
        otherName: "Il nome non è questo.", eraseForGood: "Cancella per sempre", erased: "Cancellazione eseguita",
        oneEntry: "Fatto. Una voce del registro è stata svuotata.",
        entries: { "Fatto. \($0) voci del registro sono state svuotate." },
        afterwards:
            "Le copie di sicurezza fatte prima contengono ancora questa persona. Un ripristino su questa macchina la cancella di nuovo; elimina le vecchie copie appena puoi.",
        retention: "Per quanto si conserva",
        retentionLead:
            "Le voci più vecchie vengono svuotate ogni giorno. Nel registro resta che c’erano, e che sono state svuotate.",
        retentionStays: "I varchi tengono il proprio giornale per 30 giorni.",
        openings: "Aperture", openingsHint: "Chi è passato da quale varco, chi è stato respinto.",
        signIns: "Accessi", signInsHint: "Chi ha effettuato l’accesso, e quando.",
        changes: "Modifiche", changesHint: "Che cosa è cambiato di persone, ruoli e varchi, e per mano di chi.",
        days: { "\($0) giorni" }, years: { $0 == 1 ? "un anno" : "\($0) anni" }, forEver: "per sempre", save: "Salva",
        saved: "Salvato.")

    private static let es = PrivacyWords(
        allPeople: "Todas las personas", erase: { "Borrar a \($0)" },
        warning: "No se puede deshacer, ni siquiera con una copia de seguridad.",
        yourself: "No puedes borrarte. Pídeselo a otro propietario.",
        lastOwner: "Es la única persona propietaria sin último día. Nombra antes a otro propietario.",
        goes: "Lo que se elimina",
        gone: [
            "Cada apertura, rechazo y cambio de aquí relacionado con esta persona.",
            "Sus pertenencias y su credencial aquí. Los pases de su teléfono dejan de funcionar enseguida.",
        ],
        accountGoes: "Su cuenta: nombre, dirección, contraseña. Ninguna otra sede tiene a esta persona.",
        accountStays: "Su cuenta se queda: otra sede también tiene a esta persona.",
        accountIsGone: "La cuenta también se ha eliminado: ninguna otra sede la tenía.",
        stays: "Lo que queda",
        staying: [
            "Que en ese momento hubo una entrada, sin decir quién ni qué, para demostrar que el registro no se ha alterado.",
            "Un número, donde esta persona cambió algo de otras. No lleva a nadie cuando la cuenta está eliminada.",
            "Los mensajes que escribieron otros, aunque nombren a esta persona.",
            "Lo que los propietarios supieron de los cambios en la alarma de una casa, durante 90 días.",
        ],
        review: "Lo que debes revisar tú",
        reviewLead:
            "Comprueba si alguno de estos nombres es de esta persona, y elimínalo. Se escribieron a mano y se conservan, porque un nombre puede formar parte de otro.",
        typeName: "Escribe el nombre para confirmar", typeNameHint: { "El nombre: \($0)" },
        otherName: "Ese no es el nombre.", eraseForGood: "Borrar para siempre", erased: "Borrado",
        oneEntry: "Hecho. Se vació una entrada del registro.",
        entries: { "Hecho. Se vaciaron \($0) entradas del registro." },
        afterwards:
            "Las copias de seguridad anteriores aún contienen a esta persona. Una restauración en esta máquina la borra de nuevo; elimina las copias viejas cuando puedas.",
        retention: "Cuánto se conserva",
        retentionLead:
            "Las entradas más antiguas se vacían cada día. El registro conserva que existieron, y que se vaciaron.",
        retentionStays: "Los accesos guardan su propio diario durante 30 días.",
        openings: "Aperturas", openingsHint: "Quién pasó por qué acceso, quién fue rechazado.",
        signIns: "Inicios de sesión", signInsHint: "Quién inició sesión, y cuándo.",
        changes: "Cambios", changesHint: "Qué se cambió de personas, roles y accesos, y quién lo hizo.",
        days: { "\($0) días" }, years: { $0 == 1 ? "un año" : "\($0) años" }, forEver: "para siempre", save: "Guardar",
        saved: "Guardado.")
}
