extension HomeKindWords {
    static let es = HomeKindWords(
        sensors: [
            .gas: KindWords(
                "Gas",
                "El nivel de gas inflamable o humo en el aire, como lo nota un MQ-2. No es una concentración ni un detector certificado.",
                "Más alto es peor. Mira qué tiene tu habitación en un buen día y pon el umbral por encima. Se calienta unos minutos tras encenderse."
            ),
            .gasAlarm: KindWords(
                "Detector de gas", "Si hay gas combustible en el aire.",
                "«Gas» es una alarma en todo momento, armada o no."),
            .smoke: KindWords("Humo", "Si hay humo.", "“Humo” es alarma enseguida, armada o no."),
            .heat: KindWords(
                "Detector de calor", "Si hace el calor de un incendio.",
                "«Calor» es una alarma en todo momento, armada o no."),
            .carbonMonoxide: KindWords(
                "Monóxido de carbono", "Si hay monóxido de carbono, que nadie huele.",
                "“Gas” es alarma enseguida: abre ventanas y sal."),
            .carbonMonoxideLevel: KindWords(
                "Nivel de monóxido de carbono", "Cuánto monóxido de carbono hay en el aire, en ppm o mg/m³.",
                "Una alarma según nivel y tiempo, como en EN 50291: 300 ppm en 3 minutos, 50 ppm en 90."),
            .panic: KindWords(
                "Botón de pánico", "Si se ha pulsado para pedir ayuda.", "Pulsado, pide ayuda al momento, armada o no."),
            .moisture: KindWords(
                "Agua", "Si está mojado donde se encuentra.", "“Mojado” es alarma enseguida, armada o no."),
            .distance: KindWords(
                "Distancia", "A qué distancia está lo que tiene delante, por ultrasonidos, en centímetros.",
                "Un valor que baja de golpe es alguien delante. Cuenta cuando la casa está armada y vacía."),
            .vibration: KindWords(
                "Vibración", "Si se sacude: una ventana, una caja fuerte, la caja misma.",
                "“Sacudido” es alarma enseguida con la casa armada."),
            .tag: KindWords(
                "Tag", "El tag que se acercó por última vez al lector.",
                "Un tag que la casa conoce la desarma. De los demás se te avisa."),
            .contact: KindWords(
                "Puerta o ventana", "Si una puerta o ventana está abierta.", "“Abierto” inicia el tiempo para desarmar."
            ),
            .motion: KindWords("Movimiento", "Si alguien se mueve.", "Cuenta cuando la casa está armada y vacía."),
            .temperature: KindWords("Temperatura", "Cuánto calor hace.", "En la unidad junto al valor."),
            .humidity: KindWords(
                "Humedad", "Cuánta agua tiene el aire, de la que podría tener.",
                "Del 40 al 60 % es agradable; mucho tiempo sobre el 70 % trae moho."),
            .battery: KindWords(
                "Batería", "Nivel de batería.",
                "Cámbiala por debajo del 15 %: descargada, el sensor deja de responder."),
            .power: KindWords("Potencia", "Lo que algo consume en este momento.", "En vatios; 0 cuando está apagado."),
            .energy: KindWords(
                "Energía", "Lo que algo ha consumido hasta ahora.", "Solo crece; cuentan las diferencias."),
            .signal: KindWords(
                "Señal", "Lo bien que se oye su radio.",
                "Más cerca de 0 es mejor; por debajo de −85 dBm se pierden mensajes."),
            .snapshot: KindWords(
                "Imagen", "La última imagen de una cámara.", "Se muestra como llegó; nada mira quién sale en ella."),
            .number: KindWords(
                "Número", "Un número al que su fabricante, o tú, da un significado.", "En la unidad junto al valor."),
            .truth: KindWords("Sí o no", "Un estado al que su fabricante, o tú, da un significado.", "Uno de dos."),
            .text: KindWords("Texto", "Lo que dice, con sus palabras.", "Como llegó."),
        ],
        actuators: [
            .siren: KindWords(
                "Sirena", "Hace ruido cuando hay alarma.",
                "Se enciende con la alarma y se apaga al acabar o al silenciarla."),
            .fan: KindWords(
                "Ventilador", "Saca el aire malo.", "0 es apagado; del 50 al 100 % gira. Sobre el umbral arranca solo."),
            .valve: KindWords(
                "Válvula de gas", "Deja entrar el gas, o lo corta.",
                "Una alarma de gas la cierra sola. Abrirla pregunta quién eres."),
            .light: KindWords(
                "Luz", "Una lámpara, o el LED de la caja.", "Encendida, apagada, un brillo o un color, según pueda."),
            .display: KindWords("Pantalla", "Muestra una línea de texto donde está.", "80 caracteres como máximo."),
            .plug: KindWords("Enchufe", "Da corriente a lo que tiene conectado.", "Encendido o apagado."),
            .number: KindWords("Ajuste", "Toma un número.", "Lo que significa lo dice su fabricante."),
            .other: KindWords(
                "Interruptor", "Puede estar encendido o apagado.", "Lo que significa lo dice su fabricante."),
        ])
}
