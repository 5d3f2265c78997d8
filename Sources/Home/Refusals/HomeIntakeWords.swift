import Accounts
import Identity

/// What the owner of a house reads when something that came in could not be used.
struct HomeIntakeWords {
    let notJSON: String
    let noValue: String
    let wrongKind: String
    let notFinite: String
    let outOfRange: String
    let wrongUnit: String
    let badTime: String
    let fromTheFuture: String
    let beforeSensors: String
    let fromThePast: String
    let tooLong: String
    let tooMuch: String
    let noPicture: String

    static func `in`(_ language: Language) -> HomeIntakeWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = HomeIntakeWords(
        notJSON: "What it sent is not JSON.",
        noValue: "What it sent has no value in it.",
        wrongKind: "What it sent is not of its kind.",
        notFinite: "What it sent is no number that can be.",
        outOfRange: "What it sent lies outside what it can measure.",
        wrongUnit: "What it sent is in another unit.",
        badTime: "The time that it sent is none: write it as 2026-11-21T12:00:00Z. The hub’s time counts.",
        fromTheFuture: "Its clock is fast: set it. The hub’s time counts.",
        beforeSensors: "Its clock was never set: set it. The hub’s time counts.",
        fromThePast: "Its clock is slow: set it. The hub’s time counts.",
        tooLong: "What it sent is too long.",
        tooMuch: "More came at once than the hub can read: this was left out.",
        noPicture: "What it sent is no picture that can be shown: send JPEG, PNG or WebP.")

    private static let it = HomeIntakeWords(
        notJSON: "Quello che ha inviato non è JSON.",
        noValue: "In quello che ha inviato manca il valore.",
        wrongKind: "Quello che ha inviato non è del suo tipo.",
        notFinite: "Quello che ha inviato non è un numero possibile.",
        outOfRange: "Quello che ha inviato è fuori da ciò che può misurare.",
        wrongUnit: "Quello che ha inviato è in un’altra unità.",
        badTime: "L’ora che ha inviato non è valida: va scritta come 2026-11-21T12:00:00Z. Vale l’ora dell’hub.",
        fromTheFuture: "Il suo orologio va avanti: regolalo. Vale l’ora dell’hub.",
        beforeSensors: "Il suo orologio non è mai stato regolato: regolalo. Vale l’ora dell’hub.",
        fromThePast: "Il suo orologio va indietro: regolalo. Vale l’ora dell’hub.",
        tooLong: "Quello che ha inviato è troppo lungo.",
        tooMuch: "È arrivato in una volta più di quanto l’hub può leggere: questo è stato saltato.",
        noPicture: "Quello che ha inviato non è un’immagine che si possa mostrare: invia JPEG, PNG o WebP.")

    private static let es = HomeIntakeWords(
        notJSON: "Lo que ha enviado no es JSON.",
        noValue: "En lo que ha enviado falta el valor.",
        wrongKind: "Lo que ha enviado no es de su tipo.",
        notFinite: "Lo que ha enviado no es un número posible.",
        outOfRange: "Lo que ha enviado está fuera de lo que puede medir.",
        wrongUnit: "Lo que ha enviado está en otra unidad.",
        badTime: "La hora que ha enviado no es válida: se escribe 2026-11-21T12:00:00Z. Vale la hora del hub.",
        fromTheFuture: "Su reloj va adelantado: ponlo en hora. Vale la hora del hub.",
        beforeSensors: "Su reloj nunca se puso en hora: ponlo en hora. Vale la hora del hub.",
        fromThePast: "Su reloj va atrasado: ponlo en hora. Vale la hora del hub.",
        tooLong: "Lo que ha enviado es demasiado largo.",
        tooMuch: "Ha llegado de una vez más de lo que el hub puede leer: esto se ha omitido.",
        noPicture: "Lo que ha enviado no es una imagen que se pueda mostrar: envía JPEG, PNG o WebP.")
}
