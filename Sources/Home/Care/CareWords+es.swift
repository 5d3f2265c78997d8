extension CareWords {
    static let es = CareWords(
        language: .es, title: "Aire",
        noSensor: "Aquí nada vigila el aire",
        noSensorDetail: "Un sensor de gas, de humo o de agua aparece aquí en cuanto está conectado.",
        below: { "Por debajo del umbral de \($0)." }, over: { "Por encima del umbral de \($0)." },
        unwatched: "No tiene umbral: mida lo que mida, no pasa nada.",
        unknown: "Ahora no se sabe qué mide. No es un cero: mira su alimentación y su red.",
        warmingDetail: "Se calienta. Lo que muestra aún no es de fiar, y no da alarmas.",
        detectorQuiet: "Todo tranquilo.", detectorAlarm: "Da la alarma.", chart: "Cómo era",
        threshold: "Umbral",
        thresholdHint: { "Entre \($0) y \($1). Desde ahí es una alarma." },
        hysteresis: "Termina cuando baja en",
        hysteresisHint: "Así un valor que oscila alrededor del umbral no se vuelve muchas alarmas.",
        rise: "También cuando sube tanto en un minuto", riseHint: "Si queda vacío, solo cuenta el nivel.",
        more: "Cuándo termina, y cuán deprisa puede subir", save: "Guardar", none: "Sin umbral",
        evidence: { count, days in
            count == 0
                ? "Con este nivel: ninguna alarma en los últimos \(days) días."
                : "Con este nivel: \(count) \(count == 1 ? "alarma" : "alarmas") en los últimos \(days) días."
        }, noEvidence: "Aún no se guardan bastantes medidas para decir cuántas veces se alcanzó este nivel.",
        changed: { "\($0): el umbral es ahora \($1)." }, before: { "Era \($0)." }, nothing: "ninguno",
        undo: "Deshacer",
        inUse: { "En uso desde el \($0), \($1)." },
        months: { $0 == 1 ? "1 mes" : "\($0) meses" }, years: { $0 == 1 ? "1 año" : "\($0) años" },
        old: "Tiene más de cinco años. Un sensor así dice menos cada año: pon uno nuevo.",
        installed: "En uso desde",
        noDetector:
            "Estos sensores no sustituyen a un detector certificado de gas o de humo. Están a su lado.",
        fans: "Ventiladores", fanOff: "Está parado.", fanRuns: { "Debe girar al \($0) %." },
        fanFollows: { "Sigue a \($0)." }, fanFree: "No sigue a nada, y gira solo a mano.",
        byHandUntil: { "A mano hasta las \($0); después vuelve a contar su regla." }, byHand: "A mano",
        speed: "Velocidad", off: "parado", duration: "Durante", minutes: { "\($0) minutos" },
        hours: { $0 == 1 ? "1 hora" : "\($0) horas" },
        run: "Que gire así", byRule: "Volver a su regla", rule: "A qué sigue", follows: "Sigue a",
        followsNothing: "nada", most: "Toda su velocidad en",
        mostHint: "Entre el umbral y aquí gira del 50 al 100 %. Por debajo del 50 % está parado.",
        shortestRun: "Gira al menos, en minutos", valves: "Válvulas",
        valveDetail: "El aire peligroso la cierra al momento. Solo la abre de nuevo quien dice quién es.",
        isOn: "En esta casa los umbrales cuentan.",
        isOff: "En esta casa los umbrales no cuentan",
        isOffDetail:
            "Se mida lo que se mida, el hub no hace nada. Los detectores de humo y de agua dan la alarma igualmente.",
        boxGoesOn: "La central de esta casa sigue por sí sola: su gas y su humo dan la alarma en todo caso.",
        turnOff: "Que los umbrales no cuenten", turnOn: "Que los umbrales cuenten de nuevo",
        askOff: "¿Que los umbrales ya no cuenten?",
        askOffDetail:
            "Por mucho gas que se mida, no se avisa a nadie, no se cierra ninguna válvula ni gira ningún ventilador, hasta que alguien lo active de nuevo.",
        keepOn: "Dejarlos activos",
        notMeasured: "Este sensor no da números: para él no hay umbral.",
        notLevel: "Un umbral es un número.",
        outside: { "Este sensor mide de \($0) a \($1): el umbral está por encima del primero y no pasa del segundo." },
        hysteresisRefused: "Es un número desde 0, y no más de lo que deja el umbral.",
        riseRefused: "Es un número por encima de 0, o nada.",
        mostRefused: "Toda su velocidad está en el umbral o por encima.",
        runRefused: "Gira al menos de 0 a 60 minutos.",
        noSuchSensor: "Un ventilador sigue a un sensor de esta casa que mide el aire.",
        dayRefused: "Ese día no existe, o aún no ha llegado.")
}
