extension CareWords {
    static let it = CareWords(
        language: .it, title: "Aria",
        noSensor: "Qui nulla sorveglia l’aria",
        noSensorDetail: "Un sensore di gas, di fumo o d’acqua compare qui appena è collegato.",
        below: { "Sotto la soglia di \($0)." }, over: { "Sopra la soglia di \($0)." },
        unwatched: "Non ha una soglia: qualunque cosa misuri, non succede nulla.",
        nothingWatches: "Questo sensore non è sorvegliato: non dà allarmi.",
        exposure:
            "Allarme secondo livello e durata (EN 50291): a 300 ppm entro 3 minuti, a 100 ppm entro 40, a 50 ppm entro 90.",
        exposed: "Allarme: l’esposizione è troppo alta da troppo tempo.",
        exposing: {
            $0 == 1
                ? "C’è monossido di carbonio. Arieggia: allarme tra circa 1 minuto."
                : "C’è monossido di carbonio. Arieggia: allarme tra circa \($0) minuti."
        },
        levelToo:
            "È stata scelta una soglia a mano: dà l’allarme subito, prima di quanto prevede EN 50291. Toglila se non la vuoi.",
        usual: "È la soglia usuale per un sensore così. Nessuno ne ha ancora scelta una.",
        unknown: "Nessuna lettura attuale. Non significa zero: controlla alimentazione e rete.",
        warmingDetail: "Si riscalda. Ciò che mostra non è ancora credibile, e non dà allarmi.",
        detectorQuiet: "Tutto tranquillo.", detectorAlarm: "Dà l’allarme.", chart: "Com’era",
        threshold: "Soglia",
        thresholdHint: { "Tra \($0) e \($1). Da lì in poi è un allarme." },
        hysteresis: "L’allarme finisce sotto la soglia di (isteresi)",
        hysteresisHint: "Così un valore che oscilla intorno alla soglia non diventa molti allarmi.",
        rise: "Allarme anche con un aumento al minuto di", riseHint: "Se resta vuoto, conta solo il livello.",
        more: "Fine dell’allarme (isteresi) e aumento al minuto", save: "Salva", none: "Nessuna soglia",
        evidence: { count, days in
            count == 0
                ? "Con questo livello: nessun allarme negli ultimi \(days) giorni."
                : "Con questo livello: \(count) \(count == 1 ? "allarme" : "allarmi") negli ultimi \(days) giorni."
        },
        noEvidence: "Le misure non sono ancora abbastanza per dire quante volte questo livello è stato raggiunto.",
        changed: { "\($0): la soglia ora è \($1)." }, before: { "Era \($0)." }, nothing: "nessuna",
        undo: "Torna indietro",
        inUse: { "In uso dal \($0)" + ($1.map { ", \($0)" } ?? "") + "." },
        months: { $0 == 1 ? "1 mese" : "\($0) mesi" }, years: { $0 == 1 ? "1 anno" : "\($0) anni" },
        old: "Ha più di cinque anni. Un sensore così dice meno ogni anno: mettine uno nuovo.",
        installed: "In uso dal",
        noDetector:
            "Questi sensori non sostituiscono i rilevatori certificati di gas o di fumo: li affiancano.",
        fans: "Ventole", fanOff: "È ferma.", fanRuns: { "Deve girare al \($0) %." },
        fanFollows: { "Segue \($0)." }, fanFree: "Non segue nulla, e gira solo a mano.",
        byHandUntil: { "A mano fino alle \($0); poi conta di nuovo la sua regola." },
        byHandUntilTomorrow: { "A mano fino a domani alle \($0); poi conta di nuovo la sua regola." }, byHand: "A mano",
        speed: "Velocità", off: "ferma", duration: "Per", minutes: { "\($0) minuti" },
        hours: { $0 == 1 ? "1 ora" : "\($0) ore" },
        run: "Avvia la ventola ora", byRule: "Torna alla regola", rule: "Che cosa segue", follows: "Segue",
        followsNothing: "nulla", most: "Velocità massima a",
        mostHint: "Tra la soglia e qui gira dal 50 al 100 %. Sotto il 50 % è ferma.",
        shortestRun: "Gira almeno, in minuti", valves: "Valvole",
        valveDetail: "L’aria pericolosa la chiude subito. Per riaprirla devi confermare chi sei.",
        isOn: "In questa casa le soglie sono attive.",
        isOff: "In questa casa le soglie sono disattivate",
        isOffDetail:
            "Qualunque cosa si misuri, l’hub non fa nulla. I rilevatori di fumo e d’acqua danno comunque l’allarme.",
        boxGoesOn: "La centralina di questa casa va avanti da sola: il suo gas e il suo fumo danno comunque l’allarme.",
        turnOff: "Disattiva le soglie", turnOn: "Attiva le soglie",
        askOff: "Disattivare tutti gli allarmi di gas e aria?",
        askOffDetail:
            "Per quanto gas si misuri, nessuno viene avvisato, nessuna valvola si chiude e nessuna ventola gira, finché le soglie non vengono riattivate.",
        keepOn: "Lasciale attive",
        notMeasured: "Questo sensore non dà numeri: per lui non c’è una soglia.",
        notLevel: "Una soglia è un numero.",
        outside: { "Questo sensore misura da \($0) a \($1): la soglia sta sopra il primo e non oltre il secondo." },
        hysteresisRefused: "È un numero da 0 in su, e non più di quanto la soglia lascia.",
        riseRefused: "È un numero sopra 0, oppure niente.",
        mostRefused: "La velocità massima è alla soglia o sopra.",
        runRefused: "Gira per almeno 0 fino a 60 minuti.",
        noSuchSensor: "Una ventola segue un sensore di questa casa che misura l’aria.",
        dayRefused: "Quel giorno non esiste, o non è ancora venuto.")
}
