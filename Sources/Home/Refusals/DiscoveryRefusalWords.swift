/// Why something that a device says of itself is not taken, in sentences. Words of MQTT and of Home Assistant stay as those write them.
enum DiscoveryRefusalWords {
    static func en(_ refusal: DiscoveryRefusal) -> String {
        let subject = refusal.subject
        return switch refusal.reason {
        case .tooLong: "It is too long: at most \(DiscoveryLimit.payload >> 10) KB are read."
        case .notJSON: "It is no JSON object that can be read."
        case .tooManyTopics: "Whoever sent it describes more than there is room for."
        case .tooManyDevices: "There are \(DiscoveryLimit.devices) devices on this connection already."
        case .tooManyParts:
            "This house has \(DiscoveryLimit.parts) sensors and switches already: take devices out of use first."
        case .tooManyKnown:
            "This connection has told of \(DiscoveryLimit.known) things, or its house of \(DiscoveryLimit.knownOfHouse), with those out of use: take the connection out of use that told of most, and make a new one."
        case .noComponents: "It has no components."
        case .tooManyComponents: "It has more than \(DiscoveryLimit.components) components."
        case .notComponent: "It is no component that can be understood."
        case .noPlatform: "It does not say what it is: platform is missing."
        case .unknownPlatform: "Soglia does not use components of the kind \(subject)."
        case .sameID: "Another component has its unique_id."
        case .missing: "\(subject) is missing."
        case .notText: "\(subject) is no short text."
        case .notNumber: "\(subject) is no number."
        case .notSeconds: "\(subject) is no time in seconds."
        case .impossible: "\(subject) has a value that cannot be."
        case .notTopic: "\(subject) is no topic below the device’s own."
        case .forbiddenTopic: "\(subject) is a topic on which nobody is told anything."
        case .describingTopic: "\(subject) is a topic for descriptions or for a box, and not for values."
        case .notTemplate: "\(subject) is no template."
        case .computed: "Its template \(subject) cannot be read."
        case .computedCommand: "Its template \(subject) cannot be read, so it cannot be controlled that way."
        case .badAvailability: "availability is no list of topics."
        case .tooManyAvailabilities: "It has more than \(DiscoveryLimit.path) availability topics."
        case .longUnit: "Its unit is too long."
        case .emptyRange: "Its min does not lie below its max."
        case .encodedPicture: "Pictures in base64 are not read: send them as they are."
        case .remotePicture: "Pictures at another address are not fetched."
        case .templateLight: "Lights that are told by templates are not read."
        case .opensDoors: "The hub does not control doors and locks of a house: it shows how they are."
        case .reserved:
            "It conflicts with \(subject), which the hub could no longer control. Use another topic, or take \(subject) out of use."
        }
    }

    static func it(_ refusal: DiscoveryRefusal) -> String {
        let subject = refusal.subject
        return switch refusal.reason {
        case .tooLong: "È troppo lungo: si leggono al massimo \(DiscoveryLimit.payload >> 10) KB."
        case .notJSON: "Non è un oggetto JSON leggibile."
        case .tooManyTopics: "Chi lo ha inviato descrive più di quanto ci sia posto."
        case .tooManyDevices: "Su questo collegamento ci sono già \(DiscoveryLimit.devices) dispositivi."
        case .tooManyParts:
            "Questa casa ha già \(DiscoveryLimit.parts) sensori e interruttori: prima metti fuori uso qualche dispositivo."
        case .tooManyKnown:
            "Questo collegamento ha già descritto \(DiscoveryLimit.known) cose, o la casa \(DiscoveryLimit.knownOfHouse), comprese quelle fuori uso: metti fuori uso il collegamento che ne ha descritte di più e creane uno nuovo."
        case .noComponents: "Non ha componenti (components)."
        case .tooManyComponents: "Ha più di \(DiscoveryLimit.components) componenti."
        case .notComponent: "Non è un componente comprensibile."
        case .noPlatform: "Non dice che cosa è: manca platform."
        case .unknownPlatform: "Soglia non usa componenti del tipo \(subject)."
        case .sameID: "Un altro componente ha il suo unique_id."
        case .missing: "Manca \(subject)."
        case .notText: "\(subject) non è un testo breve."
        case .notNumber: "\(subject) non è un numero."
        case .notSeconds: "\(subject) non è un tempo in secondi."
        case .impossible: "\(subject) ha un valore impossibile."
        case .notTopic: "\(subject) non è un topic sotto quello del dispositivo."
        case .forbiddenTopic: "\(subject) è un topic sul quale non si dice nulla a nessuno."
        case .describingTopic: "\(subject) è un topic per le descrizioni o per una centralina, e non per i valori."
        case .notTemplate: "\(subject) non è un template."
        case .computed: "Il suo template \(subject) non è leggibile."
        case .computedCommand: "Il suo template \(subject) non è leggibile, quindi così non si può comandare."
        case .badAvailability: "availability non è un elenco di topic."
        case .tooManyAvailabilities: "Ha più di \(DiscoveryLimit.path) topic di availability."
        case .longUnit: "La sua unità è troppo lunga."
        case .emptyRange: "Il suo min non sta sotto il suo max."
        case .encodedPicture: "Le immagini in base64 non si leggono: inviale così come sono."
        case .remotePicture: "Le immagini a un altro indirizzo non si vanno a prendere."
        case .templateLight: "Le luci comandate con template non si leggono."
        case .opensDoors: "L’hub non comanda porte e serrature di una casa: mostra come sono."
        case .reserved:
            "È in conflitto con \(subject), che l’hub non potrebbe più comandare. Usa un altro topic, o metti \(subject) fuori uso."
        }
    }

    static func es(_ refusal: DiscoveryRefusal) -> String {
        let subject = refusal.subject
        return switch refusal.reason {
        case .tooLong: "Es demasiado largo: se leen como máximo \(DiscoveryLimit.payload >> 10) KB."
        case .notJSON: "No es un objeto JSON que se pueda leer."
        case .tooManyTopics: "Quien lo ha enviado describe más de lo que cabe."
        case .tooManyDevices: "En esta conexión ya hay \(DiscoveryLimit.devices) dispositivos."
        case .tooManyParts:
            "Esta casa ya tiene \(DiscoveryLimit.parts) sensores e interruptores: antes pon fuera de uso algún dispositivo."
        case .tooManyKnown:
            "Esta conexión ya ha descrito \(DiscoveryLimit.known) cosas, o la casa \(DiscoveryLimit.knownOfHouse), con las que están fuera de uso: pon fuera de uso la conexión que más ha descrito y crea una nueva."
        case .noComponents: "No tiene componentes (components)."
        case .tooManyComponents: "Tiene más de \(DiscoveryLimit.components) componentes."
        case .notComponent: "No es un componente que se entienda."
        case .noPlatform: "No dice qué es: falta platform."
        case .unknownPlatform: "Soglia no usa componentes del tipo \(subject)."
        case .sameID: "Otro componente tiene su unique_id."
        case .missing: "Falta \(subject)."
        case .notText: "\(subject) no es un texto breve."
        case .notNumber: "\(subject) no es un número."
        case .notSeconds: "\(subject) no es un tiempo en segundos."
        case .impossible: "\(subject) tiene un valor imposible."
        case .notTopic: "\(subject) no es un topic por debajo del propio del dispositivo."
        case .forbiddenTopic: "\(subject) es un topic en el que no se dice nada a nadie."
        case .describingTopic: "\(subject) es un topic para descripciones o para una caja, y no para valores."
        case .notTemplate: "\(subject) no es una plantilla."
        case .computed: "Su plantilla \(subject) no se puede leer."
        case .computedCommand: "Su plantilla \(subject) no se puede leer, así que no se puede manejar así."
        case .badAvailability: "availability no es una lista de topics."
        case .tooManyAvailabilities: "Tiene más de \(DiscoveryLimit.path) topics de availability."
        case .longUnit: "Su unidad es demasiado larga."
        case .emptyRange: "Su min no está por debajo de su max."
        case .encodedPicture: "Las imágenes en base64 no se leen: envíalas tal como son."
        case .remotePicture: "Las imágenes de otra dirección no se van a buscar."
        case .templateLight: "Las luces que se mandan con plantillas no se leen."
        case .opensDoors: "El hub no maneja puertas ni cerraduras de una casa: muestra cómo están."
        case .reserved:
            "Entra en conflicto con \(subject), que el hub ya no podría controlar. Usa otro topic o pon \(subject) fuera de uso."
        }
    }
}
