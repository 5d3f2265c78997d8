extension HomeKindWords {
    static let it = HomeKindWords(
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
