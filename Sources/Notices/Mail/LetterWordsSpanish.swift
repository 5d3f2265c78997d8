extension LetterWords {
    static let es = LetterWords(
        greeting: { "Hola, \($0):" }, greetingToNobody: "Hola:",
        end: { "Enviado por Soglia en \($0). No respondas a este correo." },
        reset: { host, link in
            Body(
                subject: "Elige una contraseña nueva",
                text: """
                    alguien ha pedido una contraseña nueva para tu cuenta en \(host).

                    Si has sido tú, abre este enlace antes de 30 minutos. Vale una sola vez:

                    \(link)

                    Si no has sido tú, no hagas nada. Tu contraseña sigue como está.
                    """)
        },
        register: { host, link in
            Body(
                subject: "Tu cuenta en \(host)",
                text: """
                    alguien quiere una cuenta en \(host) con esta dirección.

                    Si has sido tú, abre este enlace antes de dos días y elige una contraseña. Vale una sola vez:

                    \(link)

                    Si no has sido tú, no hagas nada. No se crea ninguna cuenta.
                    """)
        },
        haveOne: { host, signIn, forgotten in
            Body(
                subject: "Ya tienes una cuenta",
                text: """
                    alguien quería crear una cuenta en \(host) con esta dirección. Ya tiene una, y no ha cambiado nada.

                    Si has sido tú, entra aquí:

                    \(signIn)

                    Si has olvidado la contraseña, elige una nueva:

                    \(forgotten)

                    Si no has sido tú, no hagas nada.
                    """)
        },
        invite: { host, site, inviter, link in
            Body(
                subject: "Invitación a \(site)",
                text: """
                    \(inviter.map { "\($0) te invita a" } ?? "tienes una invitación para") «\(site)» en \(host).

                    Abre este enlace antes de una semana para aceptar la invitación. Vale una sola vez:

                    \(link)

                    Si no conoces a quien te invita, ignora este correo. Quien lo envía no sabrá si tienes una cuenta.
                    """)
        },
        address: { host, link in
            Body(
                subject: "Confirma esta dirección",
                text: """
                    alguien quiere usar esta dirección para su cuenta en \(host).

                    Si has sido tú, inicia sesión en esa cuenta y abre este enlace antes de dos días. Vale una sola vez:

                    \(link)

                    Si no has sido tú, no hagas nada. La cuenta conserva la dirección que tiene.
                    """)
        },
        addressIsYours: { host in
            Body(
                subject: "Alguien ha pedido tu dirección",
                text: """
                    alguien quería usar esta dirección para otra cuenta en \(host). Es tuya y sigue siendo tuya: no ha cambiado nada.

                    Si has sido tú, tienes dos cuentas. En esta entras con esta dirección.
                    """)
        },
        addressChanged: { host in
            Body(
                subject: "Tu cuenta tiene otra dirección",
                text: """
                    tu cuenta en \(host) tiene desde ahora otra dirección, y los correos van allí. Este es el último a esta dirección.

                    Si no has sido tú, avisa enseguida al administrador de \(host).
                    """)
        },
        passwordChanged: { host, forgotten in
            Body(
                subject: "Tu contraseña ha cambiado",
                text: """
                    la contraseña de tu cuenta en \(host) ha cambiado. En los demás dispositivos tienes que iniciar sesión de nuevo.

                    Si no has sido tú, elige enseguida una nueva:

                    \(forgotten)
                    """)
        },
        wayAdded: { host, ways in
            Body(
                subject: "Una nueva forma de iniciar sesión",
                text: """
                    desde ahora también se puede iniciar sesión en tu cuenta de \(host) con una nueva clave de acceso o con otro servicio.

                    Si no has sido tú, elimínala aquí y elige otra contraseña:

                    \(ways)
                    """)
        },
        wayRemoved: { host, ways in
            Body(
                subject: "Se ha eliminado una forma de iniciar sesión",
                text: """
                    se ha eliminado una clave de acceso u otro servicio de tu cuenta en \(host), y ya no sirve para entrar. En los dispositivos que lo usaban, inicia sesión de nuevo.

                    Si no has sido tú, elige enseguida otra contraseña y vuelve a añadir lo que falta:

                    \(ways)
                    """)
        },
        signedOut: { host, password in
            Body(
                subject: "Se ha cerrado la sesión en un dispositivo",
                text: """
                    se ha cerrado la sesión de tu cuenta de \(host) en otro dispositivo o programa. Allí ya no llegan avisos ni alarmas, hasta que inicies sesión de nuevo.

                    Si no has sido tú, cambia enseguida la contraseña:

                    \(password)
                    """)
        },
        unheard: { host, most, password in
            Body(
                subject: "Un dispositivo ya no recibe avisos",
                text: """
                    tu cuenta de \(host) envía avisos a \(most) dispositivos como máximo. Se ha añadido otro: uno de los que se añadieron antes ya no recibe avisos ni alarmas. Para recibirlos otra vez, abre Soglia en ese dispositivo y activa los avisos.

                    Si no has sido tú, cambia enseguida la contraseña:

                    \(password)
                    """)
        },
        deleted: { host in
            Body(
                subject: "Tu cuenta se ha eliminado",
                text: """
                    tu cuenta de \(host) se ha eliminado, con lo que se guardaba de ti. Allí ya no se te abre ningún acceso y no llegan avisos ni alarmas.

                    Si no has sido tú, avisa enseguida a quien lleva el lugar: puede añadirte otra vez.
                    """)
        },
        appPassword: { host, password in
            Body(
                subject: "Una contraseña para la app antigua",
                text: """
                    en \(host) se ha creado a tu nombre una contraseña para la app antigua. Con ella un teléfono abre los accesos antiguos.

                    Si no la has creado tú, ni un gestor a quien se la pediste, cambia aquí la contraseña de tu cuenta. Así termina también la de la app:

                    \(password)
                    """)
        },
        newDevice: { host, time, client, address, sessions in
            Body(
                subject: "Entrada desde un dispositivo nuevo",
                text: """
                    alguien ha entrado en tu cuenta en \(host) desde un dispositivo que no se había visto antes.

                    Cuándo: \(time)
                    Con: \(client)
                    Desde: \(address)

                    Si has sido tú, no hay nada que hacer.

                    Si no has sido tú, termina esa sesión y cambia la contraseña:

                    \(sessions)
                    """)
        },
        browser: "un navegador que no dice cuál", program: "un programa", on: "en",
        trial: { host in
            Body(subject: "Correo de prueba", text: "los correos de \(host) llegan. No hay nada que hacer.")
        })
}
