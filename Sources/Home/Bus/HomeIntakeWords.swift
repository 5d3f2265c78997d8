import Accounts

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
    let outOfOrder: String
    let tooLong: String
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
        badTime: "The time that it sent is none: write it as 2026-11-21T12:00:00Z.",
        fromTheFuture: "What it sent is from the future: set its clock.",
        beforeSensors: "What it sent is from before 2020: set its clock.",
        outOfOrder: "What it sent is older than what it sent before.",
        tooLong: "What it sent is too long.",
        noPicture: "What it sent is no picture that can be shown: send JPEG, PNG or WebP.")

    private static let it = HomeIntakeWords(
        notJSON: "Quello che ha inviato non è JSON.",
        noValue: "In quello che ha inviato manca il valore.",
        wrongKind: "Quello che ha inviato non è del suo tipo.",
        notFinite: "Quello che ha inviato non è un numero possibile.",
        outOfRange: "Quello che ha inviato è fuori da ciò che può misurare.",
        wrongUnit: "Quello che ha inviato è in un’altra unità.",
        badTime: "L’ora che ha inviato non è valida: va scritta come 2026-11-21T12:00:00Z.",
        fromTheFuture: "Quello che ha inviato viene dal futuro: regola il suo orologio.",
        beforeSensors: "Quello che ha inviato è di prima del 2020: regola il suo orologio.",
        outOfOrder: "Quello che ha inviato è più vecchio di quanto aveva inviato prima.",
        tooLong: "Quello che ha inviato è troppo lungo.",
        noPicture: "Quello che ha inviato non è un’immagine che si possa mostrare: invia JPEG, PNG o WebP.")

    private static let es = HomeIntakeWords(
        notJSON: "Lo que ha enviado no es JSON.",
        noValue: "En lo que ha enviado falta el valor.",
        wrongKind: "Lo que ha enviado no es de su tipo.",
        notFinite: "Lo que ha enviado no es un número posible.",
        outOfRange: "Lo que ha enviado está fuera de lo que puede medir.",
        wrongUnit: "Lo que ha enviado está en otra unidad.",
        badTime: "La hora que ha enviado no es válida: se escribe 2026-11-21T12:00:00Z.",
        fromTheFuture: "Lo que ha enviado viene del futuro: ajusta su reloj.",
        beforeSensors: "Lo que ha enviado es de antes de 2020: ajusta su reloj.",
        outOfOrder: "Lo que ha enviado es más antiguo que lo anterior.",
        tooLong: "Lo que ha enviado es demasiado largo.",
        noPicture: "Lo que ha enviado no es una imagen que se pueda mostrar: envía JPEG, PNG o WebP.")
}
