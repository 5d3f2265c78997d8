import Accounts
import Identity

/// The words about a new password. A language without one of them does not compile.
public struct PasswordWords: Sendable {
    /// Under every field for a new password, before anything is typed.
    public let rule: String
    let tooShort, tooLong, wellKnown, repeats, sequence, isOwnName: String

    /// What is wrong with a password.
    public func refused(_ fault: PasswordFault) -> String {
        switch fault {
        case .tooShort: tooShort
        case .tooLong: tooLong
        case .wellKnown: wellKnown
        case .repeats: repeats
        case .sequence: sequence
        case .isOwnName: isOwnName
        }
    }

    /// The words of a language.
    public static func `in`(_ language: Language) -> PasswordWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    static let en = PasswordWords(
        rule: "At least 10 characters. A sentence that you remember is good.",
        tooShort: "This is too short: it needs at least 10 characters.",
        tooLong: "This is longer than 1,024 bytes.",
        wellKnown: "Many people have this one, so it is tried first. Choose another.",
        repeats: "This is one piece again and again, and is guessed at once. Choose another.",
        sequence: "This is a row of keys, and is guessed at once. Choose another.",
        isOwnName: "This is made of your name, your address or the place’s name. Choose another.")

    static let it = PasswordWords(
        rule: "Almeno 10 caratteri. Va bene una frase che ricordi.",
        tooShort: "È troppo corta: servono almeno 10 caratteri.",
        tooLong: "Supera i 1024 byte.",
        wellKnown: "Ce l’hanno in molti, ed è tra le prime che si provano. Scegline un’altra.",
        repeats: "È sempre lo stesso pezzo, e si indovina subito. Scegline un’altra.",
        sequence: "È una fila di tasti, e si indovina subito. Scegline un’altra.",
        isOwnName: "È fatta del tuo nome, del tuo indirizzo o del nome del luogo. Scegline un’altra.")

    static let es = PasswordWords(
        rule: "Al menos 10 caracteres. Sirve una frase que recuerdes.",
        tooShort: "Es demasiado corta: necesita al menos 10 caracteres.",
        tooLong: "Pasa de 1024 bytes.",
        wellKnown: "La tienen muchas personas y es de las primeras que se prueban. Elige otra.",
        repeats: "Es siempre el mismo trozo y se adivina enseguida. Elige otra.",
        sequence: "Es una fila de teclas y se adivina enseguida. Elige otra.",
        isOwnName: "Está hecha de tu nombre, tu dirección o el nombre del lugar. Elige otra.")
}
