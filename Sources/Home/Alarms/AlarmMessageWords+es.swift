import Notices

extension AlarmMessageWords {
    static let es = AlarmMessageWords(
        language: .es,
        air: {
            switch $0 {
            case .gas, .gasAlarm: "Gas en el aire"
            case .smoke: "Humo"
            case .heat: "Incendio"
            case .carbonMonoxide, .carbonMonoxideLevel: "Monóxido de carbono"
            case .moisture: "Agua en el suelo"
            default: nil
            }
        },
        level: { "El umbral es \($0)." }, rise: { "Ha subido más de \($0) en un minuto." },
        exposure: "A este nivel, la exposición dura ya demasiado (EN 50291).",
        silent: { isDetector, status, name in
            let what = isDetector ? "Detector" : "Sensor"
            return switch status {
            case .unavailable: "\(what) sin conexión: \(name)"
            case .isolated: "\(what) apartado: \(name)"
            case .late, .waiting, .live, .warming: "\(what) que no responde: \(name)"
            }
        },
        noAllClear: "Ahora no puede avisarte. No significa que no haya peligro. Comprueba su alimentación y su red.",
        noReading: "Sin lectura actual, así que no da alarmas. No significa cero: comprueba su alimentación y su red.",
        tripped: { trip, name in
            switch trip {
            case .near: "Movimiento cerca de: \(name)"
            case .opened: "Apertura: \(name)"
            case .shaken: "Vibración: \(name)"
            case .handled: "Manipulación: \(name)"
            case .other: "Sensor activado: \(name)"
            }
        },
        trippedUnknown: "Se ha activado un sensor que ya no está en uso",
        sounds: { "Suena la sirena de la caja: \($0)" }, called: { "Petición de ayuda: \($0)" },
        unknownTag: {
            NoticeWords(
                "Tag desconocido: \($0)",
                "Se acercó al lector con la casa armada. No ha desarmado nada. Comprueba quién está allí.")
        },
        weak: { how, name in
            switch how {
            case .silent: NoticeWords("Armada, pero no responde: \(name)", "No detecta nada hasta que responda.")
            case .open: NoticeWords("Armada, pero abierto: \(name)", "Vuelve a contar cuando se cierre.")
            case .missing:
                NoticeWords(
                    "Armada, pero ya no vigila: \(name)", "El sensor se ha retirado, o su función ha cambiado.")
            }
        },
        unreachable: { isValve, name in
            NoticeWords(
                "Sin conexión: \(name)",
                (isValve ? "No se cierra en caso de alarma" : "No suena en caso de alarma")
                    + " hasta que vuelva a estar conectada. Comprueba su alimentación y su red.")
        },
        gone: { name in
            NoticeWords(
                "Sin conexión: \(name)",
                "No se llega a sus detectores, sirenas y válvulas: el hub no recibe ningún aviso de allí. Esto no significa que no haya peligro. Comprueba su alimentación y su red."
            )
        },
        gateway: { trouble, name in
            switch trouble {
            case .storm:
                NoticeWords(
                    "\(name) envía demasiados mensajes y queda apartado",
                    "Sus lecturas no cuentan hasta que lleve un minuto tranquilo o lo recuperes tú. Comprueba si está averiado."
                )
            case .twice:
                NoticeWords(
                    "\(name) se conecta y desconecta sin parar",
                    "O su red es mala, o dos dispositivos usan la misma credencial y se desconectan uno a otro. Vuelve a emparejar uno de ellos."
                )
            case .hoard:
                NoticeWords(
                    "\(name) ha quedado excluido: llenaba la memoria del broker",
                    "Sus mensajes conservados (retain) se han borrado. Podrá volver a conectarse en diez minutos o cuando lo readmitas. Comprueba si está averiado."
                )
            case .overlong:
                NoticeWords(
                    "\(name) envía mensajes demasiado largos", "Se han desechado sin leer. Comprueba qué envía.")
            case .cut:
                NoticeWords(
                    "Mensajes de \(name) perdidos o no conservados",
                    "Envía más de lo que cabe. Sus lecturas pueden no estar al día, y una alarma de sus detectores puede haberse perdido. Compruébalo."
                )
            case .keptCommand:
                NoticeWords(
                    "Se ha quitado una orden conservada (retain) para \(name)",
                    "El dispositivo la habría obedecido en cada conexión. Comprueba qué programa envía órdenes con retain."
                )
            }
        },
        orderRefused: { isAboutClock, name in
            NoticeWords(
                "La caja no obedece al hub: \(name)",
                (isAboutClock
                    ? "Su reloj y el del hub no coinciden, por eso desde aquí no se puede armar, desarmar ni silenciar. "
                    : "Desde aquí no se puede armar, desarmar ni silenciar. ")
                    + "Sigue avisando por sí sola, y los tags que conoce funcionan allí. Suele terminar en un minuto; si no, "
                    + (isAboutClock ? "comprueba el reloj del hub." : "reinicia la caja.")
            )
        },
        device: { matter, name in
            switch matter {
            case .restless:
                NoticeWords(
                    "\(name) cambia sin parar su descripción",
                    "El hub lo usa como antes. Quizá dos dispositivos tienen el mismo nombre en el bus: da a cada uno el suyo o apaga uno."
                )
            case .withheld:
                NoticeWords(
                    "\(name) ha sido cambiado por su dispositivo con la casa armada",
                    "El hub lo sigue usando como antes hasta que se desarme. Revisa el dispositivo.")
            case .withheldWhileSounding:
                NoticeWords(
                    "\(name) ha sido cambiado por su dispositivo durante una alarma",
                    "El hub lo sigue usando como antes hasta que termine la alarma. Revisa el dispositivo.")
            case .contested:
                NoticeWords(
                    "Dos dispositivos dicen ser \(name)",
                    "Cuenta el primero, el otro queda fuera. Da a cada uno un identificador propio.")
            }
        },
        devices: { matter, gateway in
            switch matter {
            case .contradiction:
                NoticeWords(
                    "Muchos dispositivos de \(gateway) se contradicen",
                    "El hub los usa como antes, y durante una hora no los nombra uno a uno. Revisa esta conexión o retírala."
                )
            case .withheld:
                NoticeWords(
                    "Muchas partes de \(gateway) han sido cambiadas por sus dispositivos",
                    "El hub las sigue usando como antes hasta que se desarme y termine la alarma. Revisa esta conexión."
                )
            }
        },
        refusedDetector: { name in
            NoticeWords("Detector sin uso: \(name)", "El hub no puede leerlo, así que aquí no da alarmas.")
        },
        refusedDetectors: { more, gateway in
            more == 1
                ? NoticeWords(
                    "1 detector más de \(gateway) sin uso",
                    "El hub no puede leerlo, así que aquí no da alarmas. Revisa esta conexión.")
                : NoticeWords(
                    "\(more) detectores más de \(gateway) sin uso",
                    "El hub no puede leerlos, así que aquí no dan alarmas. Revisa esta conexión.")
        },
        late: { minutes in
            switch minutes {
            case nil: "Ocurrió mientras la caja no tenía conexión."
            case 0: "Ocurrió poco antes de que la caja volviera a conectarse."
            case 1: "Ocurrió 1 minuto antes de que la caja volviera a conectarse."
            case let minutes?: "Ocurrió \(minutes) minutos antes de que la caja volviera a conectarse."
            }
        })
}
