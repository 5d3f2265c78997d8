import Accounts
import Identity
import Pages

/// The words of links to privacy, and of what the log tells of the ledger itself.
struct LedgerWords: Sendable {
    /// A link on a person's page.
    let erase: String
    /// A link on the list of people.
    let retention: String
    let wasErased: String
    let hasExpired: String
    let wasRestored: String
    /// How many entries.
    let wasCompared: @Sendable (Int) -> String

    static func `in`(_ language: Language) -> LedgerWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = LedgerWords(
        erase: "Erase this person…", retention: "How long things are kept", wasErased: "a person was erased",
        hasExpired: "old entries were emptied", wasRestored: "the hub was restored from a backup",
        wasCompared: {
            $0 == 0
                ? "compared after the restore: nothing is missing"
                : "compared after the restore: \($0) later entries of this place were lost, its own come back"
        })

    private static let it = LedgerWords(
        erase: "Cancella questa persona…", retention: "Per quanto si conserva",
        wasErased: "una persona è stata cancellata", hasExpired: "voci vecchie sono state svuotate",
        wasRestored: "l’hub è stato ripristinato da una copia",
        wasCompared: {
            $0 == 0
                ? "confrontato dopo il ripristino: non manca nulla"
                : "confrontato dopo il ripristino: \($0) voci successive di questa sede perse, le sue ritornano"
        })

    private static let es = LedgerWords(
        erase: "Borrar a esta persona…", retention: "Cuánto se conserva", wasErased: "se borró a una persona",
        hasExpired: "se vaciaron entradas antiguas", wasRestored: "el hub se restauró desde una copia",
        wasCompared: {
            $0 == 0
                ? "comparado tras la restauración: no falta nada"
                : "comparado tras la restauración: se perdieron \($0) entradas posteriores de esta sede, las suyas vuelven"
        })
}
