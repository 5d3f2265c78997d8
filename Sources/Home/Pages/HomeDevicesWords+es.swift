extension HomeDevicesWords {
    static let es = HomeDevicesWords(
        language: .es, devices: "Dispositivos", none: "Aún no hay dispositivos",
        noneDetail:
            "Una caja, un dispositivo que habla MQTT, o el broker de una casa que tiene uno: conecta el primero, y lo que mide aparece aquí solo.",
        connect: "Conectar un dispositivo",
        connectDetail:
            "Hacen falta el dispositivo, corriente, y el código o la contraseña que muestra la página siguiente.",
        gatewayKinds: [.box: "caja", .device: "dispositivo", .bridge: "puente"], lastContact: "último contacto",
        nothingOnIt: "Aquí aún no se ha descrito nada.",
        untaken: { $0 == 1 ? "1 cosa que describe no se usa" : "\($0) cosas que describe no se usan" },
        outOfUse: "Fuera de uso",
        outOfUseDetail: "Ya no se les escucha. Lo que dijeron se conserva.", isolatedTitle: "Apartado",
        isolatedDetail: "Envió demasiado, o datos no válidos, y se ignora hasta que se readmita.",
        release: "Readmitir", area: { "en: \($0)" }, details: "Detalles del dispositivo", what: "Qué significa",
        howToRead: "Cómo leerlo", chart: "Gráfico", currentValue: "Ahora", activeIn: "Este tipo está activo en",
        activeNowhere: "en ninguna casa tuya en este momento", madeBy: "Hecho por", cameBy: "Cómo llegó",
        discovered: "se describió solo", added: "añadido en la aplicación", change: "Cambiar",
        changeOf: { "Cambiar \($0)" }, name: "Nombre", areaField: "Habitación", save: "Guardar", saved: "Guardado.",
        retire: "Poner fuera de uso",
        retireDetail: "Ya no se le escucha y no hace saltar nada. Lo que dijo se conserva, y puede volver.",
        reuse: "Volver a usar", reused: "Está otra vez en uso.", unit: "Unidad", low: "Valor mínimo",
        high: "Valor máximo",
        rangeHint: "Lo que queda por debajo se rechaza. Lo que queda por encima no se muestra, pero dispara la alarma.",
        period: "Envía una lectura cada (segundos)",
        periodHint: "Tras tres intervalos sin lecturas se considera averiado. Vacío: sin intervalo fijo.",
        alarmClass: "Qué significa que salte",
        classes: [
            .environmental: "peligro: alarma enseguida, siempre", .motion: "alguien se mueve",
            .door: "se abre una puerta o ventana", .tamper: "alguien manipula la casa",
        ],
        noClass: "nada", usualClass: "lo habitual para su tipo", kind: "Qué es", topic: "Tema",
        topicHint: "Debajo del de su entrada, por ejemplo cocina/gas/state.", member: "Miembro del JSON",
        memberHint: "Por ejemplo aire.gas; vacío cuando el mensaje es el valor mismo.",
        onText: "Qué significa sí o encendido", offText: "Qué significa no o apagado", set: "Accionar",
        told: "Orden enviada. Esperando la confirmación del dispositivo.", turnOn: "Encender", turnOff: "Apagar",
        openIt: "Abrir",
        closeIt: "Cerrar", openNeedsProof: "Abrir pregunta otra vez quién eres.", percent: "Por ciento",
        colour: "Color (rojo,verde,azul)", text: "Texto", number: "Número", send: "Enviar",
        notReachable: "Ahora no se llega a él. No se ha guardado nada para después: inténtalo cuando vuelva.",
        outOfRange: "El valor está fuera de los límites permitidos.",
        opens: "Para abrir una válvula tienes que mostrar antes quién eres.",
        onlyByOrder: "La caja abre su válvula solo desde la página Seguridad, donde muestras quién eres.",
        tooOften: "Ha recibido demasiadas órdenes en los últimos segundos. Espera un momento.",
        anothers: "Otro dispositivo usa este topic. Controla ese y retira esta entrada.",
        notOfItsKind: "No lo entiende.", unknown: "No se le puede decir nada.",
        refused: { "\($0) \($0 == 1 ? "mensaje incorrecto" : "mensajes incorrectos"). El último: \($1)" },
        addSensor: "Añadir un sensor a mano", addActuator: "Añadir un actuador a mano",
        addDetail: "Para un dispositivo que habla MQTT y no se describe solo.", gateway: "Llega por",
        addOwn: "Añadir",
        faults: { fault in
            switch fault {
            case .name: "Escribe un nombre de 80 caracteres como máximo."
            case .area: "Escribe 80 caracteres como máximo."
            case .unit: "Escribe 16 caracteres como máximo."
            case .range: "Escribe dos números, primero el menor, o deja los dos vacíos."
            case .period: "Escribe segundos, de 0,1 a 86.400, o nada."
            case .kind: "Elige uno de la lista."
            case .alarmClass: "Elige uno de la lista."
            case .topic: "Escribe 8 partes como máximo con / entre ellas, ninguna vacía, sin + ni #."
            case .member: "Escribe nombres con puntos entre ellos, 8 como máximo."
            case .text: "Escribe 64 caracteres como máximo, distintos en los dos."
            case .gateway: "Elige por dónde llega."
            case .duplicate: "Algo escucha ya ese tema."
            case .outOfUse:
                "Un dispositivo fuera de uso escucha ese tema y haría lo que se diga ahí. Vuelve a ponerlo en uso o quítalo de su puente."
            case .mutes:
                "Una sirena, una válvula o un ventilador usa ese tema: ya no se podría manejar."
            case .tooMany: "Esta entrada ya tiene todos los que admite."
            case .value: "Ese valor no sirve."
            }
        })
}
