import Notices

extension AlarmMessageWords {
    static let it = AlarmMessageWords(
        language: .it,
        air: {
            switch $0 {
            case .gas, .gasAlarm: "Gas nell’aria"
            case .smoke: "Fumo"
            case .heat: "Incendio"
            case .carbonMonoxide, .carbonMonoxideLevel: "Monossido di carbonio"
            case .moisture: "Acqua sul pavimento"
            default: nil
            }
        },
        level: { "La soglia è \($0)." }, rise: { "È salito di oltre \($0) in un minuto." },
        exposure: "A questo livello l’esposizione dura da troppo tempo (EN 50291).",
        silent: { isDetector, status, name in
            let what = isDetector ? "Rilevatore" : "Sensore"
            return switch status {
            case .unavailable: "\(what) senza collegamento: \(name)"
            case .isolated: "\(what) escluso: \(name)"
            case .late, .waiting, .live, .warming: "\(what) che non risponde: \(name)"
            }
        },
        noAllClear: "Ora non può avvisarti. Non vuol dire che non c’è pericolo. Controlla alimentazione e rete.",
        noReading:
            "Nessuna lettura attuale, quindi non dà allarmi. Non vuol dire zero: controlla alimentazione e rete.",
        tripped: { trip, name in
            switch trip {
            case .near: "Movimento vicino a: \(name)"
            case .opened: "Apertura: \(name)"
            case .shaken: "Vibrazione: \(name)"
            case .handled: "Manomissione: \(name)"
            case .other: "Sensore scattato: \(name)"
            }
        },
        trippedUnknown: "È scattato un sensore non più in uso",
        sounds: { "La sirena della centralina suona: \($0)" }, called: { "Richiesta di aiuto: \($0)" },
        unknownTag: {
            NoticeWords(
                "Tag sconosciuto: \($0)",
                "È stato avvicinato al lettore con l’allarme inserito. Non ha disinserito nulla. Controlla chi c’è.")
        },
        weak: { how, name in
            switch how {
            case .silent: NoticeWords("Inserito, ma non risponde: \(name)", "Non rileva nulla finché non risponde.")
            case .open: NoticeWords("Inserito, ma aperto: \(name)", "Conta di nuovo quando viene chiuso.")
            case .missing:
                NoticeWords(
                    "Inserito, ma non sorveglia più: \(name)",
                    "Il sensore è stato messo fuori uso, o la sua funzione è cambiata.")
            }
        },
        unreachable: { isValve, name in
            NoticeWords(
                "Senza collegamento: \(name)",
                (isValve ? "Non si chiude in caso di allarme" : "Non suona in caso di allarme")
                    + " finché non torna collegata. Controlla alimentazione e rete.")
        },
        gone: { name in
            NoticeWords(
                "Nessun collegamento: \(name)",
                "I suoi rilevatori, sirene e valvole non sono raggiungibili: da lì l’hub non riceve avvisi. Non significa che non ci sia pericolo. Controlla alimentazione e rete."
            )
        },
        gateway: { trouble, name in
            switch trouble {
            case .storm:
                NoticeWords(
                    "\(name) invia troppi messaggi ed è escluso",
                    "Le sue letture non contano finché non è tranquillo da un minuto o non lo riammetti tu. Controlla se è guasto."
                )
            case .twice:
                NoticeWords(
                    "\(name) continua a collegarsi e scollegarsi",
                    "O la rete è cattiva, o due dispositivi usano la stessa credenziale e si scollegano a vicenda. Associane di nuovo uno."
                )
            case .hoard:
                NoticeWords(
                    "\(name) è stato escluso: riempiva la memoria del broker",
                    "I suoi messaggi conservati (retain) sono stati cancellati. Potrà ricollegarsi tra dieci minuti o quando lo riammetti tu. Controlla se è guasto."
                )
            case .overlong:
                NoticeWords(
                    "\(name) invia messaggi troppo lunghi",
                    "Sono stati scartati senza leggerli. Controlla che cosa invia.")
            case .cut:
                NoticeWords(
                    "Messaggi di \(name) persi o non conservati",
                    "Invia più di quanto ci stia. Le sue letture possono non essere aggiornate, e un allarme dei suoi rilevatori può essersi perso. Controllalo."
                )
            case .keptCommand:
                NoticeWords(
                    "Un comando conservato (retain) per \(name) è stato tolto",
                    "Il dispositivo lo avrebbe eseguito a ogni collegamento. Controlla quale programma invia comandi con retain."
                )
            }
        },
        orderRefused: { isAboutClock, name in
            NoticeWords(
                "La centralina non esegue gli ordini dell’hub: \(name)",
                (isAboutClock
                    ? "Il suo orologio e quello dell’hub non coincidono, perciò da qui non si può inserire, disinserire né silenziare. "
                    : "Da qui non si può inserire, disinserire né silenziare. ")
                    + "Continua ad avvisare da sola, e i tag che conosce lì funzionano. Di solito finisce entro un minuto; altrimenti "
                    + (isAboutClock ? "controlla l’orologio dell’hub." : "riavvia la centralina.")
            )
        },
        device: { matter, name in
            switch matter {
            case .restless:
                NoticeWords(
                    "\(name) cambia di continuo la sua descrizione",
                    "L’hub lo usa come prima. Forse due dispositivi hanno lo stesso nome sul bus: dai a ciascuno il suo, o spegnine uno."
                )
            case .withheld:
                NoticeWords(
                    "\(name) è stato cambiato dal suo dispositivo con l’allarme inserito",
                    "L’hub continua a usarlo come prima fino al disinserimento. Controlla il dispositivo.")
            case .withheldWhileSounding:
                NoticeWords(
                    "\(name) è stato cambiato dal suo dispositivo durante un allarme",
                    "L’hub continua a usarlo come prima fino alla fine dell’allarme. Controlla il dispositivo.")
            case .contested:
                NoticeWords(
                    "Due dispositivi dicono di essere \(name)",
                    "Vale il primo, l’altro resta fuori. Dai a ciascuno un identificativo suo.")
            }
        },
        devices: { matter, gateway in
            switch matter {
            case .contradiction:
                NoticeWords(
                    "Molti dispositivi di \(gateway) si contraddicono",
                    "L’hub li usa come prima, e per un’ora non li elenca uno per uno. Controlla questo collegamento, o mettilo fuori uso."
                )
            case .withheld:
                NoticeWords(
                    "Molte parti di \(gateway) sono state cambiate dai suoi dispositivi",
                    "L’hub continua a usarle come prima fino al disinserimento e alla fine dell’allarme. Controlla questo collegamento."
                )
            }
        },
        refusedDetector: { name in
            NoticeWords("Rilevatore non in uso: \(name)", "L’hub non riesce a leggerlo, quindi qui non dà allarmi.")
        },
        refusedDetectors: { more, gateway in
            more == 1
                ? NoticeWords(
                    "Un altro rilevatore di \(gateway) non in uso",
                    "L’hub non riesce a leggerlo, quindi qui non dà allarmi. Controlla questo collegamento.")
                : NoticeWords(
                    "Altri \(more) rilevatori di \(gateway) non in uso",
                    "L’hub non riesce a leggerli, quindi qui non danno allarmi. Controlla questo collegamento.")
        },
        late: { minutes in
            switch minutes {
            case nil: "È successo mentre la centralina era senza collegamento."
            case 0: "È successo poco prima che la centralina tornasse collegata."
            case 1: "È successo 1 minuto prima che la centralina tornasse collegata."
            case let minutes?: "È successo \(minutes) minuti prima che la centralina tornasse collegata."
            }
        })
}
