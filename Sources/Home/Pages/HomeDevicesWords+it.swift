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
        inAirAlarm: "C’è un allarme per gas, fumo o acqua: le valvole restano chiuse finché non è finito.",
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
        },
        sensors: [
            .gas: KindWords(
                "Gas",
                "Il livello di gas infiammabile o fumo nell’aria, come lo sente un MQ-2. Non è una concentrazione né un rivelatore certificato.",
                "Più alto è peggio. Guarda che cosa ha la tua stanza in un giorno buono e metti la soglia più su. Si riscalda per qualche minuto dopo l’accensione."
            ),
            .gasAlarm: KindWords(
                "Rilevatore di gas", "Se nell’aria c’è gas combustibile.",
                "«Gas» è un allarme in ogni momento, inserito o no."),
            .smoke: KindWords("Fumo", "Se c’è fumo.", "“Fumo” è un allarme subito, inserito o no."),
            .heat: KindWords(
                "Rilevatore di calore", "Se c’è il calore di un incendio.",
                "«Calore» è un allarme in ogni momento, inserito o no."),
            .carbonMonoxide: KindWords(
                "Monossido di carbonio", "Se c’è monossido di carbonio, che nessuno sente.",
                "“Gas” è un allarme subito: apri le finestre ed esci."),
            .carbonMonoxideLevel: KindWords(
                "Livello di monossido di carbonio", "Quanto monossido di carbonio c’è nell’aria, in ppm o mg/m³.",
                "Un allarme secondo livello e durata, come da EN 50291: 300 ppm entro 3 minuti, 50 ppm entro 90."),
            .panic: KindWords(
                "Pulsante antipanico", "Se è stato premuto per chiedere aiuto.",
                "Premuto, chiede aiuto subito, inserito o no."),
            .moisture: KindWords("Acqua", "Se è bagnato dove sta.", "“Bagnato” è un allarme subito, inserito o no."),
            .distance: KindWords(
                "Distanza", "Quanto è lontana la cosa davanti, con gli ultrasuoni, in centimetri.",
                "Un valore che cala di colpo è qualcuno davanti. Conta con l’allarme inserito e la casa vuota."),
            .vibration: KindWords(
                "Vibrazione", "Se viene scosso: una finestra, una cassaforte, la scatola stessa.",
                "“Scosso” è un allarme subito quando è inserito."),
            .tag: KindWords(
                "Tag", "Il tag avvicinato per ultimo al lettore.",
                "Un tag che la casa conosce disinserisce l’allarme. Gli altri ti vengono segnalati."),
            .contact: KindWords(
                "Porta o finestra", "Se una porta o finestra è aperta.", "“Aperto” fa partire il tempo per disinserire."
            ),
            .motion: KindWords("Movimento", "Se qualcuno si muove.", "Conta con l’allarme inserito e la casa vuota."),
            .temperature: KindWords("Temperatura", "Quanto fa caldo.", "Nell’unità accanto al valore."),
            .humidity: KindWords(
                "Umidità", "Quanta acqua tiene l’aria, di quella che potrebbe.",
                "Dal 40 al 60 % si sta bene; a lungo sopra il 70 % viene la muffa."),
            .battery: KindWords(
                "Batteria", "Livello della batteria.",
                "Sostituiscila sotto il 15 %: se è scarica il sensore smette di rispondere."),
            .power: KindWords("Potenza", "Quanto qualcosa assorbe in questo momento.", "In watt; 0 quando è spento."),
            .energy: KindWords(
                "Energia", "Quanto qualcosa ha consumato finora.", "Cresce soltanto; contano le differenze."),
            .signal: KindWords(
                "Segnale", "Quanto bene si sente la sua radio.",
                "Più vicino a 0 è meglio; sotto −85 dBm i messaggi si perdono."),
            .snapshot: KindWords(
                "Immagine", "L’ultima immagine di una telecamera.",
                "Si mostra com’è arrivata; nulla guarda chi c’è sopra."),
            .number: KindWords(
                "Numero", "Un numero a cui chi l’ha fatto, o tu, dà un significato.", "Nell’unità accanto al valore."),
            .truth: KindWords("Sì o no", "Uno stato a cui chi l’ha fatto, o tu, dà un significato.", "Uno di due."),
            .text: KindWords("Testo", "Ciò che dice, con parole sue.", "Com’è arrivato."),
        ],
        actuators: [
            .siren: KindWords(
                "Sirena", "Fa rumore quando c’è l’allarme.",
                "Si accende con l’allarme e si spegne alla fine o quando la zittisci."),
            .fan: KindWords(
                "Ventola", "Porta fuori l’aria cattiva.",
                "0 è spenta; dal 50 al 100 % gira. Sopra la soglia parte da sé."),
            .valve: KindWords(
                "Valvola del gas", "Lascia entrare il gas, o lo tiene fuori.",
                "Un allarme gas la chiude da sé. Aprirla chiede chi sei."),
            .light: KindWords(
                "Luce", "Una lampada, o il LED della scatola.", "Accesa, spenta, una luminosità o un colore, come può."),
            .display: KindWords("Display", "Mostra una riga di testo dove sta.", "Al massimo 80 caratteri."),
            .plug: KindWords("Presa", "Dà corrente a ciò che vi è attaccato.", "Accesa o spenta."),
            .number: KindWords("Regolazione", "Prende un numero.", "Che cosa significa lo dice chi l’ha fatta."),
            .other: KindWords(
                "Interruttore", "Può essere acceso o spento.", "Che cosa significa lo dice chi l’ha fatto."),
        ])
}
