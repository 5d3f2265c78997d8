import Accounts
import Identity

/// The words of the page that teaches a phone to trust the hub's own authority. Names of menus are those of the phones
/// in that language.
struct TrustWords: Sendable {
    let title: String
    /// Under it: why.
    let lead: String
    /// Title above the fingerprint.
    let compare: String
    /// What to compare it with, and when to stop.
    let compareDetail: String
    /// Title of the part for iPhone and iPad.
    let apple: String
    /// Link to the profile.
    let appleDownload: String
    /// In order; what stands on the phone's screen between asterisks.
    let appleSteps: [String]
    /// Title of the part for Android.
    let android: String
    /// Link to the certificate.
    let androidDownload: String
    /// In order; what stands on the phone's screen between asterisks.
    let androidSteps: [String]
    /// Title of the part for computers.
    let computer: String
    /// What to do there.
    let computerDetail: String
    /// Link to the certificate.
    let computerDownload: String
    /// Title above the link to the hub.
    let done: String
    /// What must be seen then.
    let doneDetail: String
    /// Link.
    let openHub: String
    /// Title of what the authority may do.
    let limits: String
    /// For which names alone.
    let limitsNames: String
    /// Until when; the date in words.
    let limitsUntil: @Sendable (String) -> String
    /// How to take it back.
    let limitsUndo: String

    /// The words of a language.
    static func `in`(_ language: Language) -> TrustWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }
}

extension TrustWords {
    static let en = TrustWords(
        title: "Let your phone trust this hub",
        lead:
            "The hub vouches for itself, and your phone does not know it yet. Introduce them once: then nobody on the "
            + "network reads along, and camera, notifications and passkeys work.",
        compare: "Compare first",
        compareDetail:
            "Whoever runs the hub can read these characters to you: the hub shows them at its start. Your phone shows them "
            + "too, as SHA-256 fingerprint. If one differs, stop: somebody stands in between.",
        apple: "iPhone and iPad",
        appleDownload: "Download the profile",
        appleSteps: [
            "Open this page in Safari, tap *Download the profile*, then *Allow*.",
            "Open *Settings*, tap *Profile Downloaded*, then *Install*.",
            "Before you confirm, tap *More Details*, then the certificate, and compare its SHA-256 fingerprint.",
            "Open *Settings › General › About › Certificate Trust Settings* and switch this hub on.",
        ],
        android: "Android",
        androidDownload: "Download the certificate",
        androidSteps: [
            "Tap *Download the certificate* and keep the file.",
            "Open *Settings* and search for *CA certificate*. It is under *Security › Encryption & credentials › Install a certificate*.",
            "Tap *CA certificate*, *Install anyway*, and choose the file *soglia-authority.crt*.",
            "Go back to *Encryption & credentials › Trusted credentials › User*. Tap *Soglia* and compare the SHA-256 fingerprint; "
                + "remove it if it differs.",
        ],
        computer: "A computer",
        computerDetail:
            "Import the certificate in the settings of the browser, among the authorities, for websites alone.",
        computerDownload: "Download the certificate",
        done: "Then open the hub",
        doneDetail: "It opens without a warning. If it warns, one of the steps is still missing.",
        openHub: "Open the hub",
        limits: "What this lets the hub do",
        limitsNames: "It can vouch for these names, and for no other site:",
        limitsUntil: { "It holds until \($0)." },
        limitsUndo:
            "To take it back: on an iPhone remove the profile under VPN and Device Management, on Android the entry under "
            + "Trusted credentials, User.")

    static let it = TrustWords(
        title: "Fai conoscere l'hub al telefono",
        lead:
            "L'hub garantisce per sé stesso, e il telefono non lo conosce ancora. Presentali una volta: poi nessuno sulla "
            + "rete legge ciò che fai, e fotocamera, notifiche e passkey funzionano.",
        compare: "Prima confronta",
        compareDetail:
            "Chi gestisce l'hub può leggerti questi caratteri: l'hub li mostra all'avvio. Li mostra anche il telefono, come "
            + "impronta SHA-256. Se uno è diverso, fermati: qualcuno si è messo in mezzo.",
        apple: "iPhone e iPad",
        appleDownload: "Scarica il profilo",
        appleSteps: [
            "Apri questa pagina in Safari, tocca *Scarica il profilo*, poi *Consenti*.",
            "Apri *Impostazioni*, tocca *Profilo scaricato*, poi *Installa*.",
            "Prima di confermare tocca *Altri dettagli*, poi il certificato, e confronta la sua impronta SHA-256.",
            "Apri *Impostazioni › Generali › Info › Attendibilità certificati* e attiva questo hub.",
        ],
        android: "Android",
        androidDownload: "Scarica il certificato",
        androidSteps: [
            "Tocca *Scarica il certificato* e conserva il file.",
            "Apri *Impostazioni* e cerca *certificato CA*. Si trova in *Sicurezza › Crittografia e credenziali › Installa un certificato*.",
            "Tocca *Certificato CA*, *Installa comunque*, e scegli il file *soglia-authority.crt*.",
            "Torna a *Crittografia e credenziali › Credenziali attendibili › Utente*. Tocca *Soglia* e confronta l'impronta SHA-256; "
                + "rimuovilo se è diversa.",
        ],
        computer: "Un computer",
        computerDetail:
            "Importa il certificato nelle impostazioni del browser, tra le autorità, solo per i siti web.",
        computerDownload: "Scarica il certificato",
        done: "Poi apri l'hub",
        doneDetail: "Si apre senza avvisi. Se avvisa, manca ancora un passo.",
        openHub: "Apri l'hub",
        limits: "Che cosa permette all'hub",
        limitsNames: "Può garantire per questi nomi, e per nessun altro sito:",
        limitsUntil: { "Vale fino al \($0)." },
        limitsUndo:
            "Per tornare indietro: su iPhone rimuovi il profilo in VPN e gestione dispositivi, su Android la voce in "
            + "Credenziali attendibili, Utente.")

    static let es = TrustWords(
        title: "Presenta el hub a tu teléfono",
        lead:
            "El hub responde por sí mismo, y tu teléfono aún no lo conoce. Preséntalos una vez: después nadie en la red lee "
            + "lo que haces, y la cámara, los avisos y las passkeys funcionan.",
        compare: "Primero compara",
        compareDetail:
            "Quien lleva el hub puede leerte estos caracteres: el hub los muestra al arrancar. También los muestra tu "
            + "teléfono, como huella SHA-256. Si uno es distinto, detente: alguien se ha puesto en medio.",
        apple: "iPhone y iPad",
        appleDownload: "Descargar el perfil",
        appleSteps: [
            "Abre esta página en Safari, toca *Descargar el perfil* y luego *Permitir*.",
            "Abre *Ajustes*, toca *Perfil descargado* y luego *Instalar*.",
            "Antes de confirmar toca *Más detalles*, luego el certificado, y compara su huella SHA-256.",
            "Abre *Ajustes › General › Información › Confianza de los certificados* y activa este hub.",
        ],
        android: "Android",
        androidDownload: "Descargar el certificado",
        androidSteps: [
            "Toca *Descargar el certificado* y guarda el archivo.",
            "Abre *Ajustes* y busca *certificado de CA*. Está en *Seguridad › Cifrado y credenciales › Instalar un certificado*.",
            "Toca *Certificado de CA*, *Instalar de todos modos*, y elige el archivo *soglia-authority.crt*.",
            "Vuelve a *Cifrado y credenciales › Credenciales de confianza › Usuario*. Toca *Soglia* y compara la huella SHA-256; "
                + "quítalo si es distinta.",
        ],
        computer: "Un ordenador",
        computerDetail:
            "Importa el certificado en los ajustes del navegador, entre las autoridades, solo para sitios web.",
        computerDownload: "Descargar el certificado",
        done: "Después abre el hub",
        doneDetail: "Se abre sin avisos. Si avisa, falta todavía un paso.",
        openHub: "Abrir el hub",
        limits: "Qué le permite esto al hub",
        limitsNames: "Puede responder por estos nombres, y por ningún otro sitio:",
        limitsUntil: { "Vale hasta el \($0)." },
        limitsUndo:
            "Para deshacerlo: en un iPhone quita el perfil en VPN y gestión de dispositivos, en Android la entrada en "
            + "Credenciales de confianza, Usuario.")
}
