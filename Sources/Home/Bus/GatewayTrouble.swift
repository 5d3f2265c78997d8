import Notices

/// Something that is wrong with what a gateway sends, of which its owner is told once until it is over.
enum GatewayTrouble: String, Sendable, CaseIterable {
    /// It sends more than a house does: it is not listened to.
    case storm
    /// It comes and goes as two clients with one credential do, who throw each other out.
    case twice
    /// It has the broker keep more than a house needs: it is shut out.
    case hoard
    /// It sends what is too long for the bus.
    case overlong
    /// It sends more than the broker passes on, or has room for.
    case cut
    /// Somebody had the broker keep a command, which whatever connects would obey again and again.
    case keptCommand

    /// The kind of its event in the ledger.
    var event: String {
        switch self {
        case .storm: "home.gateway.isolated"
        case .twice: "home.gateway.twice"
        case .hoard: "home.gateway.shutOut"
        case .overlong: "home.gateway.overlong"
        case .cut: "home.gateway.cut"
        case .keptCommand: "home.command.kept"
        }
    }

    /// For the people of the house.
    func text(_ name: String) -> LocalizedText {
        switch self {
        case .storm:
            LocalizedText(
                en: NoticeWords(
                    "\(name) is put aside: it sends far too much",
                    "Nothing that it measures counts until it has been quiet for a minute, or you take it back. Look whether it is broken."
                ),
                it: NoticeWords(
                    "\(name) è messo da parte: invia troppo",
                    "Quello che misura non conta finché non è tranquillo da un minuto o non lo riprendi tu. Guarda se è guasto."
                ),
                es: NoticeWords(
                    "\(name) queda apartado: envía demasiado",
                    "Lo que mide no cuenta hasta que lleve un minuto tranquilo o lo recuperes tú. Mira si está averiado."
                ))
        case .twice:
            LocalizedText(
                en: NoticeWords(
                    "\(name) comes and goes all the time",
                    "Either its network is bad, or two devices use its credential and throw each other out. Pair one of them anew."
                ),
                it: NoticeWords(
                    "\(name) va e viene di continuo",
                    "O la sua rete è cattiva, o due dispositivi usano la sua credenziale e si escludono a vicenda. Associane uno di nuovo."
                ),
                es: NoticeWords(
                    "\(name) va y viene todo el tiempo",
                    "O su red es mala, o dos dispositivos usan su credencial y se expulsan uno a otro. Vuelve a emparejar uno de ellos."
                ))
        case .hoard:
            LocalizedText(
                en: NoticeWords(
                    "\(name) was shut out: it filled the broker's memory",
                    "Its retained messages were deleted. It may connect again in ten minutes, or when you let it back. Check whether it is broken."
                ),
                it: NoticeWords(
                    "\(name) è stato escluso: riempiva la memoria del broker",
                    "I suoi messaggi conservati (retain) sono stati cancellati. Potrà ricollegarsi tra dieci minuti o quando lo riammetti tu. Controlla se è guasto."
                ),
                es: NoticeWords(
                    "\(name) ha quedado excluido: llenaba la memoria del broker",
                    "Sus mensajes conservados (retain) se han borrado. Podrá volver a conectarse en diez minutos o cuando lo readmitas. Comprueba si está averiado."
                ))
        case .overlong:
            LocalizedText(
                en: NoticeWords(
                    "\(name) sends what is too long", "It was thrown away unread. Look what it sends, and how."),
                it: NoticeWords(
                    "\(name) invia cose troppo lunghe", "Sono state scartate senza leggerle. Guarda che cosa invia."),
                es: NoticeWords(
                    "\(name) envía cosas demasiado largas", "Se han desechado sin leer. Mira qué envía y cómo."))
        case .cut:
            LocalizedText(
                en: NoticeWords(
                    "Messages of \(name) were lost or not kept",
                    "More is sent than there is room for. What it reports may be out of date. Check it: an alarm of its detectors may be lost."
                ),
                it: NoticeWords(
                    "Messaggi di \(name) persi o non conservati",
                    "Arriva più di quanto ci stia. Quello che riporta può non essere aggiornato. Controllalo: può essersi perso un allarme dei suoi rilevatori."
                ),
                es: NoticeWords(
                    "Mensajes de \(name) perdidos o no conservados",
                    "Llega más de lo que cabe. Lo que indica puede no estar al día. Compruébalo: puede haberse perdido una alarma de sus detectores."
                ))
        case .keptCommand:
            LocalizedText(
                en: NoticeWords(
                    "A command for \(name) lay in wait and was removed",
                    "It would have been obeyed at each connection. Whoever sends commands must not have them retained."),
                it: NoticeWords(
                    "Un comando per \(name) era in attesa ed è stato tolto",
                    "Sarebbe stato eseguito a ogni connessione. Chi invia comandi non deve farli conservare (retain)."),
                es: NoticeWords(
                    "Una orden para \(name) estaba a la espera y se ha quitado",
                    "Se habría obedecido en cada conexión. Quien envía órdenes no debe hacer que se conserven (retain)."
                ))
        }
    }
}
