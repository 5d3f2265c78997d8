extension LetterWords {
    static let it = LetterWords(
        greeting: { "Ciao \($0)," }, greetingToNobody: "Ciao,",
        end: { "Inviata da Soglia su \($0). Non rispondere a questa email." },
        reset: { host, link in
            Body(
                subject: "Scegli una nuova password",
                text: """
                    qualcuno ha chiesto una nuova password per il tuo account su \(host).

                    Se eri tu, apri questo link entro 30 minuti. Vale una volta sola:

                    \(link)

                    Se non eri tu, non fare nulla. La password resta com’è.
                    """)
        },
        register: { host, link in
            Body(
                subject: "Il tuo account su \(host)",
                text: """
                    qualcuno vuole un account su \(host) con questo indirizzo.

                    Se eri tu, apri questo link entro due giorni e scegli una password. Vale una volta sola:

                    \(link)

                    Se non eri tu, non fare nulla. Non nasce nessun account.
                    """)
        },
        haveOne: { host, signIn, forgotten in
            Body(
                subject: "Hai già un account",
                text: """
                    qualcuno voleva creare un account su \(host) con questo indirizzo. Ne ha già uno, e non è cambiato nulla.

                    Se eri tu, accedi qui:

                    \(signIn)

                    Se hai dimenticato la password, scegline una nuova:

                    \(forgotten)

                    Se non eri tu, non fare nulla.
                    """)
        },
        invite: { host, site, inviter, link in
            Body(
                subject: "Invito in \(site)",
                text: """
                    \(inviter.map { "\($0) ti invita in" } ?? "c’è un invito per te in") «\(site)» su \(host).

                    Apri questo link entro una settimana per accettare l’invito. Vale una volta sola:

                    \(link)

                    Se non conosci chi ti invita, ignora questa email. Chi l’ha inviata non viene a sapere se hai un account.
                    """)
        },
        address: { host, link in
            Body(
                subject: "Conferma questo indirizzo",
                text: """
                    qualcuno vuole usare questo indirizzo per il suo account su \(host).

                    Se eri tu, accedi a quell’account e apri questo link entro due giorni. Vale una volta sola:

                    \(link)

                    Se non eri tu, non fare nulla. L’account tiene l’indirizzo che ha.
                    """)
        },
        addressIsYours: { host in
            Body(
                subject: "Qualcuno ha chiesto il tuo indirizzo",
                text: """
                    qualcuno voleva usare questo indirizzo per un altro account su \(host). È tuo e resta tuo: non è cambiato nulla.

                    Se eri tu, hai due account. In questo accedi con questo indirizzo.
                    """)
        },
        addressChanged: { host in
            Body(
                subject: "Il tuo account ha un altro indirizzo",
                text: """
                    il tuo account su \(host) ha da ora un altro indirizzo, e le email vanno lì. Questa è l’ultima a questo indirizzo.

                    Se non eri tu, avvisa subito l’amministratore di \(host).
                    """)
        },
        passwordChanged: { host, forgotten in
            Body(
                subject: "La tua password è cambiata",
                text: """
                    la password del tuo account su \(host) è cambiata. Sugli altri dispositivi devi accedere di nuovo.

                    Se non eri tu, scegline subito una nuova:

                    \(forgotten)
                    """)
        },
        wayAdded: { host, ways in
            Body(
                subject: "Un nuovo modo di accedere",
                text: """
                    da ora si può accedere al tuo account su \(host) anche con una nuova passkey o con un altro servizio.

                    Se non eri tu, eliminalo qui e scegli un’altra password:

                    \(ways)
                    """)
        },
        wayRemoved: { host, ways in
            Body(
                subject: "Un modo di accedere è stato eliminato",
                text: """
                    una passkey o un altro servizio è stato eliminato dal tuo account su \(host), e non serve più per accedere. Sui dispositivi che lo usavano devi accedere di nuovo.

                    Se non eri tu, scegli subito un’altra password, poi aggiungi di nuovo ciò che manca:

                    \(ways)
                    """)
        },
        signedOut: { host, password in
            Body(
                subject: "Su un dispositivo l’accesso è terminato",
                text: """
                    su un altro dispositivo o programma l’accesso al tuo account su \(host) è stato terminato. Lì non arrivano più avvisi né allarmi, finché non accedi di nuovo.

                    Se non eri tu, cambia subito la password:

                    \(password)
                    """)
        },
        unheard: { host, most, password in
            Body(
                subject: "Un dispositivo non riceve più avvisi",
                text: """
                    il tuo account su \(host) manda avvisi a \(most) dispositivi al massimo. Ne è stato aggiunto un altro: uno di quelli aggiunti prima non riceve più avvisi né allarmi. Per riceverli di nuovo, apri Soglia su quel dispositivo e attiva gli avvisi.

                    Se non eri tu, cambia subito la password:

                    \(password)
                    """)
        },
        deleted: { host in
            Body(
                subject: "Il tuo account è stato eliminato",
                text: """
                    il tuo account su \(host) è stato eliminato, con ciò che era conservato di te. Lì non ti si apre più nessun varco e non arrivano più avvisi né allarmi.

                    Se non sei stato tu, avvisa subito chi gestisce il posto: può aggiungerti di nuovo.
                    """)
        },
        appPassword: { host, password in
            Body(
                subject: "Una password per l’app vecchia",
                text: """
                    su \(host) è stata creata a tuo nome una password per l’app vecchia. Con quella un telefono apre i vecchi varchi.

                    Se non l’hai creata tu, né un gestore a cui l’hai chiesta, cambia qui la password del tuo account. Così finisce anche quella dell’app:

                    \(password)
                    """)
        },
        newDevice: { host, time, client, address, sessions in
            Body(
                subject: "Accesso da un dispositivo nuovo",
                text: """
                    qualcuno è entrato nel tuo account su \(host) da un dispositivo mai visto prima.

                    Quando: \(time)
                    Con: \(client)
                    Da: \(address)

                    Se eri tu, non c’è nulla da fare.

                    Se non eri tu, termina quella sessione, poi cambia la password:

                    \(sessions)
                    """)
        },
        browser: "un browser che non dice quale", program: "un programma", on: "su",
        trial: { host in
            Body(subject: "Email di prova", text: "le email da \(host) arrivano. Non c’è nulla da fare.")
        })
}
