import Accounts
import Identity
import Images

/// The words of one's own profile. A language without one of them does not compile.
struct ProfileWords: Sendable {
    /// Title of the page.
    let title: String
    /// The picture.
    let photo: String
    /// What a photo is called for whoever does not see it; the person's name.
    let photoOf: @Sendable (String) -> String
    /// Under it: who sees it, what becomes of the file.
    let photoHint: String
    /// Field.
    let chooseFile: String
    /// Button.
    let keepPhoto: String
    /// Button.
    let removePhoto: String
    /// Notice.
    let photoKept: String
    /// Notice.
    let photoRemoved: String
    /// Refused.
    let noFile: String
    /// Refused.
    let notAPicture: String
    /// Refused.
    let broken: String
    /// Refused.
    let moving: String
    /// Refused.
    let tooLarge: String
    /// Refused.
    let tooManyScans: String
    /// Refused.
    let unsupportedJPEG: String
    /// Refused.
    let tooLargeForFormat: String
    /// Refused.
    let tooMuchLossless: String
    /// Refused.
    let tooSmall: String
    /// Refused.
    let busy: String

    /// Part of the page.
    let about: String
    /// Under the field.
    let nameHint: String
    let nameRefused: String
    /// Label of the address.
    let address: String
    /// There is none.
    let noAddress: String
    /// A choice.
    let languageOfBrowser: String
    /// A choice.
    let zoneOfPlaces: String
    /// Under the field.
    let zoneHint: String
    /// Button of an island; the browser's own zone.
    let zoneHere: String
    /// Notice.
    let saved: String

    /// Part of the page.
    let places: String
    /// There is none.
    let noPlaces: String
    /// Link.
    let allPlaces: String
    /// A part in a site that does not hold today.
    let notToday: String

    /// Why a photo was not kept.
    func refused(_ error: PhotoError) -> String {
        switch error {
        case .notAPicture: notAPicture
        case .broken: broken
        case .moving: moving
        case .tooLarge: tooLarge
        case .tooManyScans: tooManyScans
        case .unsupportedJPEG: unsupportedJPEG
        case .tooLargeForFormat: tooLargeForFormat
        case .tooMuchLossless: tooMuchLossless
        case .tooSmall: tooSmall
        case .busy: busy
        }
    }

    /// The words of a language.
    static func `in`(_ language: Language) -> ProfileWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    static let en = ProfileWords(
        title: "You", photo: "Photo", photoOf: { "Photo of \($0)" },
        photoHint:
            "People at your places see it. Only the picture is kept: where and with what it was taken is not.",
        chooseFile: "A JPEG, PNG or WebP file of up to 8 MB", keepPhoto: "Keep this photo", removePhoto: "Remove photo",
        photoKept: "Your photo is kept.", photoRemoved: "Your photo is gone.",
        noFile: "No file was chosen yet.",
        notAPicture: "This file is no picture in JPEG, PNG or WebP. Choose another one.",
        broken: "This picture is cut off or damaged. Choose another one.",
        moving: "This picture moves. Choose one that stands still.",
        tooLarge: "This picture is too large: at most 8 MB and 40 million pixels. Choose a smaller one.",
        tooManyScans: "This JPEG has too many scans: at most 20. Save it as a standard JPEG, then choose it again.",
        unsupportedJPEG: "This kind of JPEG is not supported. Save it as a standard JPEG, then choose it again.",
        tooLargeForFormat:
            "This picture is too large for its format: at most 16 million pixels for a progressive JPEG, 64 MB uncompressed for a PNG, 16 million pixels for a lossless or transparent WebP. Save it as a standard JPEG or choose a smaller one.",
        tooMuchLossless:
            "This WebP is lossless or transparent and too large: at most 32 kB, or 360 × 360 pixels. Save it as a JPEG or PNG, then choose it again.",
        tooSmall: "This picture is too small: at least 96 pixels at each side. Choose a larger one.",
        busy: "Many photos are being made at this moment. Try again in a few seconds.",
        about: "About you", nameHint: "As people at your places know you.",
        nameRefused: "A name has 1 to 120 characters.", address: "Email", noAddress: "None is known.",
        languageOfBrowser: "What the browser asks for", zoneOfPlaces: "Each place’s own",
        zoneHint: "Times on the pages of your account are shown in it. A place keeps its own.",
        zoneHere: "Where I am:", saved: "Saved.", places: "My places",
        noPlaces: "Nobody has added you to a place yet.", allPlaces: "To my places", notToday: "does not hold today")

    static let it = ProfileWords(
        title: "Tu", photo: "Foto", photoOf: { "Foto di \($0)" },
        photoHint:
            "La vedono le persone dei tuoi luoghi. Resta solo l’immagine: non dove né con che cosa è stata scattata.",
        chooseFile: "Un file JPEG, PNG o WebP fino a 8 MB", keepPhoto: "Usa questa foto", removePhoto: "Togli la foto",
        photoKept: "La tua foto è salvata.", photoRemoved: "La tua foto non c’è più.",
        noFile: "Non hai ancora scelto un file.",
        notAPicture: "Questo file non è un’immagine JPEG, PNG o WebP. Scegline un altro.",
        broken: "Questa immagine è tagliata o danneggiata. Scegline un’altra.",
        moving: "Questa immagine si muove. Scegline una ferma.",
        tooLarge: "Questa immagine è troppo grande: al massimo 8 MB e 40 milioni di pixel. Scegline una più piccola.",
        tooManyScans:
            "Questo JPEG ha troppe scansioni: al massimo 20. Salvalo come JPEG normale e sceglilo di nuovo.",
        unsupportedJPEG: "Questo tipo di JPEG non è supportato. Salvalo come JPEG normale e sceglilo di nuovo.",
        tooLargeForFormat:
            "Questa immagine è troppo grande per il suo formato: al massimo 16 milioni di pixel per un JPEG progressivo, 64 MB non compressi per un PNG, 16 milioni di pixel per un WebP senza perdita o trasparente. Salvala come JPEG normale o scegline una più piccola.",
        tooMuchLossless:
            "Questo WebP è senza perdita o trasparente ed è troppo grande: al massimo 32 kB, oppure 360 × 360 pixel. Salvalo come JPEG o PNG e sceglilo di nuovo.",
        tooSmall: "Questa immagine è troppo piccola: almeno 96 pixel per lato. Scegline una più grande.",
        busy: "In questo momento si preparano molte foto. Riprova tra qualche secondo.",
        about: "Su di te", nameHint: "Come ti conoscono le persone dei tuoi luoghi.",
        nameRefused: "Un nome ha da 1 a 120 caratteri.", address: "Email", noAddress: "Non se ne conosce nessuna.",
        languageOfBrowser: "Quella chiesta dal browser", zoneOfPlaces: "Quello di ogni luogo",
        zoneHint: "Gli orari nelle pagine del tuo account sono in questo fuso. Ogni luogo tiene il proprio.",
        zoneHere: "Dove sono:", saved: "Salvato.", places: "I miei luoghi",
        noPlaces: "Nessuno ti ha ancora aggiunto a un luogo.", allPlaces: "Ai miei luoghi", notToday: "oggi non vale")

    static let es = ProfileWords(
        title: "Tú", photo: "Foto", photoOf: { "Foto de \($0)" },
        photoHint:
            "La ven las personas de tus lugares. Se guarda solo la imagen: no dónde ni con qué se tomó.",
        chooseFile: "Un archivo JPEG, PNG o WebP de hasta 8 MB", keepPhoto: "Usar esta foto",
        removePhoto: "Quitar la foto", photoKept: "Tu foto está guardada.", photoRemoved: "Tu foto ya no está.",
        noFile: "Todavía no has elegido un archivo.",
        notAPicture: "Este archivo no es una imagen JPEG, PNG o WebP. Elige otro.",
        broken: "Esta imagen está cortada o dañada. Elige otra.",
        moving: "Esta imagen se mueve. Elige una fija.",
        tooLarge: "Esta imagen es demasiado grande: como máximo 8 MB y 40 millones de píxeles. Elige una más pequeña.",
        tooManyScans:
            "Este JPEG tiene demasiados barridos: como máximo 20. Guárdalo como JPEG normal y elígelo de nuevo.",
        unsupportedJPEG: "Este tipo de JPEG no es compatible. Guárdalo como JPEG normal y elígelo de nuevo.",
        tooLargeForFormat:
            "Esta imagen es demasiado grande para su formato: como máximo 16 millones de píxeles en un JPEG progresivo, 64 MB sin comprimir en un PNG, 16 millones de píxeles en un WebP sin pérdida o transparente. Guárdala como JPEG normal o elige una más pequeña.",
        tooMuchLossless:
            "Este WebP es sin pérdida o transparente y demasiado grande: como máximo 32 kB, o 360 × 360 píxeles. Guárdalo como JPEG o PNG y elígelo de nuevo.",
        tooSmall: "Esta imagen es demasiado pequeña: al menos 96 píxeles por lado. Elige una más grande.",
        busy: "En este momento se preparan muchas fotos. Inténtalo de nuevo en unos segundos.",
        about: "Sobre ti", nameHint: "Como te conocen las personas de tus lugares.",
        nameRefused: "Un nombre tiene de 1 a 120 caracteres.", address: "Correo electrónico",
        noAddress: "No se conoce ninguno.",
        languageOfBrowser: "El que pide el navegador", zoneOfPlaces: "La de cada lugar",
        zoneHint: "Las horas de las páginas de tu cuenta se muestran en ella. Cada lugar conserva la suya.",
        zoneHere: "Donde estoy:", saved: "Guardado.", places: "Mis lugares",
        noPlaces: "Nadie te ha añadido todavía a un lugar.", allPlaces: "A mis lugares", notToday: "hoy no vale")
}
