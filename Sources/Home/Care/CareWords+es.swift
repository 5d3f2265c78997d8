extension CareWords {
    static let es = CareWords(
        language: .es, title: "Aire",
        noSensor: "Aquí nada vigila el aire",
        noSensorDetail: "Un sensor de gas, de humo o de agua aparece aquí en cuanto está conectado.",
        below: { "Por debajo del umbral de \($0)." }, over: { "Por encima del umbral de \($0)." },
        unwatched: "No tiene umbral: mida lo que mida, no pasa nada.",
        nothingWatches: "Este sensor no está vigilado: no da alarmas.",
        exposure: "Alarma según nivel y tiempo (EN 50291): a 300 ppm en 3 minutos, a 100 ppm en 40, a 50 ppm en 90.",
        exposed: "Alarma: la exposición es demasiado alta desde hace demasiado tiempo.",
        exposing: {
            $0 == 1
                ? "Hay monóxido de carbono. Ventila: alarma en 1 minuto, más o menos."
                : "Hay monóxido de carbono. Ventila: alarma en unos \($0) minutos."
        },
        levelToo:
            "Se eligió un umbral a mano: da la alarma al momento, antes de lo que prevé EN 50291. Quítalo si no lo quieres.",
        usual: "Es el umbral habitual de un sensor así. Nadie ha elegido uno todavía.",
        unknown: "Sin lectura actual. No significa cero: comprueba su alimentación y su red.",
        warmingDetail: "Se calienta. Lo que muestra aún no es de fiar, y no da alarmas.",
        detectorQuiet: "Todo tranquilo.", detectorAlarm: "Da la alarma.", chart: "Cómo era",
        threshold: "Umbral",
        thresholdHint: { "Entre \($0) y \($1). Desde ahí es una alarma." },
        hysteresis: "La alarma termina por debajo del umbral en (histéresis)",
        hysteresisHint: "Así un valor que oscila alrededor del umbral no se vuelve muchas alarmas.",
        rise: "Alarma también con una subida por minuto de", riseHint: "Si queda vacío, solo cuenta el nivel.",
        more: "Fin de la alarma (histéresis) y subida por minuto", save: "Guardar", none: "Sin umbral",
        evidence: { count, days in
            count == 0
                ? "Con este nivel: ninguna alarma en los últimos \(days) días."
                : "Con este nivel: \(count) \(count == 1 ? "alarma" : "alarmas") en los últimos \(days) días."
        }, noEvidence: "Aún no se guardan bastantes medidas para decir cuántas veces se alcanzó este nivel.",
        changed: { "\($0): el umbral es ahora \($1)." }, before: { "Era \($0)." }, nothing: "ninguno",
        undo: "Deshacer",
        inUse: { "En uso desde el \($0)" + ($1.map { ", \($0)" } ?? "") + "." },
        months: { $0 == 1 ? "1 mes" : "\($0) meses" }, years: { $0 == 1 ? "1 año" : "\($0) años" },
        old: "Tiene más de cinco años. Un sensor así dice menos cada año: pon uno nuevo.",
        installed: "En uso desde",
        noDetector:
            "Estos sensores no sustituyen a los detectores certificados de gas o de humo: los complementan.",
        fans: "Ventiladores", fanOff: "Está parado.", fanRuns: { "Debe girar al \($0) %." },
        fanFollows: { "Sigue a \($0)." }, fanFree: "No sigue a nada, y gira solo a mano.",
        byHandUntil: { "A mano hasta las \($0); después vuelve a contar su regla." },
        byHandUntilTomorrow: { "A mano hasta mañana a las \($0); después vuelve a contar su regla." }, byHand: "A mano",
        speed: "Velocidad", off: "parado", duration: "Durante", minutes: { "\($0) minutos" },
        hours: { $0 == 1 ? "1 hora" : "\($0) horas" },
        run: "Encender el ventilador ahora", byRule: "Volver a su regla", rule: "A qué sigue", follows: "Sigue a",
        followsNothing: "nada", most: "Velocidad máxima en",
        mostHint: "Entre el umbral y aquí gira del 50 al 100 %. Por debajo del 50 % está parado.",
        shortestRun: "Gira al menos, en minutos", valves: "Válvulas",
        valveDetail: "El aire peligroso la cierra al momento. Para abrirla de nuevo tienes que confirmar quién eres.",
        isOn: "En esta casa los umbrales están activos.",
        isOff: "En esta casa los umbrales están desactivados",
        isOffDetail:
            "Se mida lo que se mida, el hub no hace nada. Los detectores de humo y de agua dan la alarma igualmente.",
        boxGoesOn: "La caja de esta casa sigue por sí sola: su gas y su humo dan la alarma en todo caso.",
        turnOff: "Desactivar los umbrales", turnOn: "Activar los umbrales",
        askOff: "¿Desactivar todas las alarmas de gas y aire?",
        askOffDetail:
            "Por mucho gas que se mida, no se avisa a nadie, no se cierra ninguna válvula ni gira ningún ventilador, hasta que los umbrales se activen de nuevo.",
        keepOn: "Dejarlos activos",
        notMeasured: "Este sensor no da números: para él no hay umbral.",
        notLevel: "Un umbral es un número.",
        outside: { "Este sensor mide de \($0) a \($1): el umbral está por encima del primero y no pasa del segundo." },
        hysteresisRefused: "Es un número desde 0, y no más de lo que deja el umbral.",
        riseRefused: "Es un número por encima de 0, o nada.",
        mostRefused: "La velocidad máxima está en el umbral o por encima.",
        runRefused: "Gira al menos de 0 a 60 minutos.",
        noSuchSensor: "Un ventilador sigue a un sensor de esta casa que mide el aire.",
        dayRefused: "Ese día no existe, o aún no ha llegado.")
}
