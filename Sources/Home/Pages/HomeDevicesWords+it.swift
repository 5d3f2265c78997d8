extension HomeDevicesWords {
    static let it = HomeDevicesWords(
        language: .it, devices: "Dispositivi", none: "Ancora nessun dispositivo",
        noneDetail:
            "Una scatola, un dispositivo che parla MQTT, o il broker di una casa che ne ha uno: collega il primo, e ciò che misura appare qui da sé.",
        connect: "Collega un dispositivo",
        connectDetail: "Servono il dispositivo, la corrente, e il codice o la password che la pagina seguente mostra.",
        gatewayKinds: [.box: "scatola", .device: "dispositivo", .bridge: "ponte"], lastContact: "ultimo contatto",
        nothingOnIt: "Qui nulla si è ancora descritto.",
        untaken: { $0 == 1 ? "1 cosa che descrive non è usata" : "\($0) cose che descrive non sono usate" },
        outOfUse: "Fuori uso",
        outOfUseDetail: "Non vengono più ascoltati. Ciò che hanno detto resta.", isolatedTitle: "Messo da parte",
        isolatedDetail: "Ha inviato troppo, o dati non validi, e viene ignorato finché non viene riammesso.",
        release: "Riammetti", area: { "in: \($0)" }, details: "Dettagli del dispositivo", what: "Che cosa significa",
        howToRead: "Come si legge", chart: "Grafico", currentValue: "Adesso", activeIn: "Questo tipo è attivo in",
        activeNowhere: "in nessuna delle tue case in questo momento", madeBy: "Fatto da", cameBy: "Come è arrivato",
        discovered: "si è descritto da sé", added: "aggiunto nell’app", change: "Cambia",
        changeOf: { "Cambia \($0)" }, name: "Nome", areaField: "Stanza", save: "Salva", saved: "Salvato.",
        retire: "Metti fuori uso",
        retireDetail: "Non viene più ascoltato e non fa scattare nulla. Ciò che ha detto resta, e può tornare.",
        reuse: "Rimetti in uso", reused: "È di nuovo in uso.", unit: "Unità", low: "Valore minimo",
        high: "Valore massimo",
        rangeHint: "Ciò che sta sotto viene rifiutato. Ciò che sta sopra non viene mostrato, ma fa scattare l’allarme.",
        period: "Invia una lettura ogni (secondi)",
        periodHint: "Dopo tre intervalli senza letture risulta guasto. Vuoto: nessun intervallo fisso.",
        alarmClass: "Che cosa significa quando scatta",
        classes: [
            .environmental: "pericolo: allarme subito, sempre", .motion: "qualcuno si muove",
            .door: "si apre una porta o una finestra", .tamper: "qualcuno armeggia con la casa",
        ],
        noClass: "niente", usualClass: "come di solito per il suo tipo", kind: "Che cos’è", topic: "Topic",
        topicHint: "Sotto quello del suo ingresso, per esempio cucina/gas/state.", member: "Membro del JSON",
        memberHint: "Per esempio aria.gas; vuoto quando il messaggio è il valore stesso.",
        onText: "Che cosa sta per sì o acceso", offText: "Che cosa sta per no o spento", set: "Comanda",
        told: "Comando inviato. In attesa della conferma del dispositivo.", turnOn: "Accendi", turnOff: "Spegni",
        openIt: "Apri",
        closeIt: "Chiudi", openNeedsProof: "Aprire chiede ancora una volta chi sei.", percent: "Per cento",
        colour: "Colore (rosso,verde,blu)", text: "Testo", number: "Numero", send: "Manda",
        notReachable: "Adesso non è raggiungibile. Nulla è stato tenuto per dopo: riprova quando torna.",
        outOfRange: "Il valore è fuori dai limiti consentiti.",
        opens: "Per aprire una valvola devi prima mostrare chi sei.",
        onlyByOrder: "La centralina apre la valvola solo dalla pagina Sicurezza, dove mostri chi sei.",
        tooOften: "Ha ricevuto troppi comandi negli ultimi secondi. Aspetta un momento.",
        anothers: "Un altro dispositivo usa questo topic. Comanda quello e togli dall’uso questa voce.",
        notOfItsKind: "Non lo capisce.", unknown: "Non gli si può dire nulla.",
        refused: { "\($0) \($0 == 1 ? "messaggio non corretto" : "messaggi non corretti"). L’ultimo: \($1)" },
        addSensor: "Aggiungi un sensore a mano", addActuator: "Aggiungi un attuatore a mano",
        addDetail: "Per un dispositivo che parla MQTT e non si descrive da sé.", gateway: "Arriva da",
        addOwn: "Aggiungi",
        faults: { fault in
            switch fault {
            case .name: "Scrivi un nome di al massimo 80 caratteri."
            case .area: "Scrivi al massimo 80 caratteri."
            case .unit: "Scrivi al massimo 16 caratteri."
            case .range: "Scrivi due numeri, prima il minore, o lascia vuoti tutti e due."
            case .period: "Scrivi i secondi, da 0,1 a 86.400, o niente."
            case .kind: "Scegli dall’elenco."
            case .alarmClass: "Scegli dall’elenco."
            case .topic: "Scrivi al massimo 8 parti con / in mezzo, nessuna vuota, senza + e #."
            case .member: "Scrivi nomi con punti in mezzo, al massimo 8."
            case .text: "Scrivi al massimo 64 caratteri, non gli stessi per tutti e due."
            case .gateway: "Scegli da che cosa arriva."
            case .duplicate: "Qualcosa ascolta già quel topic."
            case .outOfUse:
                "Un dispositivo fuori uso ascolta quel topic e farebbe ciò che vi si dice. Rimettilo in uso, oppure toglilo dal suo bridge."
            case .mutes:
                "Una sirena, una valvola o una ventola usa quel topic: non si potrebbe più comandare."
            case .tooMany: "Questo ingresso ne ha già quanti può tenerne."
            case .value: "Quel valore non va bene."
            }
        })
}
