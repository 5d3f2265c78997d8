import Accounts
import Identity
import Pages

/// The words of the pages of the sites themselves.
struct SiteWords: Sendable {
    let site: String
    let name: String
    let nameHint: String
    let kind: String
    let zone: String
    let zoneHint: String
    let filter: String
    let show: String
    let save: String
    let saved: String
    let another: String
    let anotherDetail: String
    let add: String
    let newSite: String
    let faultName: String
    let faultZone: String
    let faultZoneMovesAccess: String
    let faultTooMany: String
    let faultTooManyOfOne: String
    let faultNotOwner: String
    let faultNotItsOwner: String
    let factor: String
    let factorDetail: String
    let factorIsOn: String
    let factorIsOff: String
    let factorNeedsOwn: String
    let factorShow: String
    let factorAsk: String
    let factorStop: String

    static func `in`(_ language: Language) -> SiteWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    func fault(_ fault: Sites.Fault) -> String {
        switch fault {
        case .name: faultName
        case .zone, .kind: faultZone
        case .zoneMovesAccess: faultZoneMovesAccess
        case .tooMany: faultTooMany
        case .tooManyOfOne: faultTooManyOfOne
        case .notOwner: faultNotOwner
        case .notItsOwner: faultNotItsOwner
        }
    }

    private static let en = SiteWords(
        site: "Site", name: "Name of the site", nameHint: "As people call it; it stands above every page.",
        kind: "Kind", zone: "Time zone",
        zoneHint:
            "Hours, special days and the days of memberships follow it. A change holds at once, also for passes that phones keep.",
        filter: "Only time zones whose name contains", show: "Show", save: "Save", saved: "Saved.",
        another: "Another site",
        anotherDetail: "A second office or depot with people, gates and rules of its own. You will own it.",
        add: "Add a site", newSite: "New site", faultName: "Write a name of at most 80 characters.",
        faultZone: "Choose a time zone of the list.",
        faultZoneMovesAccess:
            "There it is another day now: the access of some people would begin or end at once. Change their first or last day, then the time zone.",
        faultTooMany: "This hub has as many sites as it can hold.",
        faultTooManyOfOne: "You own 100 sites already. Ask another owner to add this one.",
        faultNotOwner: "Only who owns a site adds another one.",
        faultNotItsOwner: "Only an owner says whether a site asks for a passkey.", factor: "Passkeys",
        factorDetail:
            "When this site asks for a passkey, a password alone shows nobody its gates, its people or its log, and opens nothing. Each member adds a passkey once, on their own phone. Programs and old apps that know only a password stay outside. Passes that phones hold already end within a day.",
        factorIsOn: "This site asks for a passkey.", factorIsOff: "A password is enough here.",
        factorNeedsOwn: "Show a passkey of your own first, so that you do not lock yourself out.",
        factorShow: "Show my passkey", factorAsk: "Ask for a passkey", factorStop: "Let a password be enough")

    private static let it = SiteWords(
        site: "Sede", name: "Nome della sede", nameHint: "Come la chiamano tutti; sta sopra ogni pagina.",
        kind: "Tipo", zone: "Fuso orario",
        zoneHint:
            "Orari, giorni speciali e giorni delle appartenenze lo seguono. Un cambio vale subito, anche per i lasciapassare sui telefoni.",
        filter: "Solo i fusi orari il cui nome contiene", show: "Mostra", save: "Salva", saved: "Salvato.",
        another: "Un'altra sede",
        anotherDetail: "Un secondo ufficio o deposito con persone, varchi e regole propri. Ne sarai proprietario.",
        add: "Aggiungi una sede", newSite: "Nuova sede", faultName: "Scrivi un nome di al massimo 80 caratteri.",
        faultZone: "Scegli un fuso orario dall'elenco.",
        faultZoneMovesAccess:
            "Lì adesso è un altro giorno: l'accesso di alcune persone comincerebbe o finirebbe subito. Cambia il loro primo o ultimo giorno, poi il fuso orario.",
        faultTooMany: "Questo hub ha già tutte le sedi che può tenere.",
        faultTooManyOfOne: "Hai già 100 sedi. Chiedi a un altro proprietario di aggiungere questa.",
        faultNotOwner: "Solo chi possiede una sede ne aggiunge un'altra.",
        faultNotItsOwner: "Solo un proprietario decide se una sede chiede una passkey.", factor: "Passkey",
        factorDetail:
            "Quando questa sede chiede una passkey, la sola password non mostra a nessuno i suoi varchi, le persone o il registro, e non apre nulla. Ogni membro aggiunge una volta la sua passkey, sul proprio telefono. I programmi e le vecchie app che conoscono solo una password restano fuori. I lasciapassare già sui telefoni finiscono entro un giorno.",
        factorIsOn: "Questa sede chiede una passkey.", factorIsOff: "Qui basta una password.",
        factorNeedsOwn: "Prima mostra una tua passkey, così non ti chiudi fuori.",
        factorShow: "Mostra la mia passkey", factorAsk: "Chiedi una passkey", factorStop: "Fai bastare la password")

    private static let es = SiteWords(
        site: "Sede", name: "Nombre de la sede", nameHint: "Como la llama la gente; aparece encima de cada página.",
        kind: "Tipo", zone: "Zona horaria",
        zoneHint:
            "La siguen los horarios, los días especiales y los días de las pertenencias. Un cambio vale enseguida, también para los pases de los teléfonos.",
        filter: "Solo las zonas cuyo nombre contiene", show: "Mostrar", save: "Guardar", saved: "Guardado.",
        another: "Otra sede",
        anotherDetail: "Una segunda oficina o un depósito con personas, accesos y reglas propios. Será tuya.",
        add: "Añadir una sede", newSite: "Nueva sede", faultName: "Escribe un nombre de 80 caracteres como máximo.",
        faultZone: "Elige una zona horaria de la lista.",
        faultZoneMovesAccess:
            "Allí ahora es otro día: el acceso de algunas personas empezaría o terminaría enseguida. Cambia su primer o último día y después la zona horaria.",
        faultTooMany: "Este hub ya tiene todas las sedes que admite.",
        faultTooManyOfOne: "Ya tienes 100 sedes. Pide a otro propietario que añada esta.",
        faultNotOwner: "Solo quien es propietario de una sede añade otra.",
        faultNotItsOwner: "Solo un propietario decide si una sede pide una clave de acceso.",
        factor: "Claves de acceso",
        factorDetail:
            "Cuando esta sede pide una clave de acceso, la contraseña sola no muestra a nadie sus accesos, sus personas ni su registro, y no abre nada. Cada miembro añade una vez su clave, en su propio teléfono. Los programas y las aplicaciones antiguas que solo conocen una contraseña quedan fuera. Los pases que ya están en los teléfonos terminan en un día.",
        factorIsOn: "Esta sede pide una clave de acceso.", factorIsOff: "Aquí basta una contraseña.",
        factorNeedsOwn: "Primero muestra una clave tuya, para no quedarte fuera.",
        factorShow: "Mostrar mi clave", factorAsk: "Pedir una clave de acceso", factorStop: "Que baste la contraseña")
}
