extension ImportWords {
    static let it = ImportWords(
        name: "Nome", surname: "Cognome", email: "Email", role: "Ruolo", permission: "Permesso",
        firstDay: "Primo giorno", lastDay: "Ultimo giorno", badge: "Badge", language: "Lingua", password: "Password",
        fileName: "persone", title: "Importa persone", importPeople: "Importa", exportPeople: "Esporta",
        lead:
            "Porta qui molte persone da un foglio di calcolo. Prima vedi che cosa farebbe il file; nulla viene scritto finché non confermi.",
        chooseFile: "File CSV", fileHint: "Al massimo 10 MB e 5.000 righe. In Excel: Salva con nome, CSV UTF-8.",
        makeRoles: "Crea i ruoli che mancano", makeRolesHint: "Non hanno varchi finché non li assegni.",
        check: "Controlla il file", sample: "Scarica un file di esempio", columns: "Colonne, in qualsiasi ordine",
        required: "obbligatorio", optional: "facoltativo",
        aboutName: "Una colonna, o due: nome e cognome.",
        aboutEmail: "Chi è già qui conserva il suo nome e riceve un’altra appartenenza.",
        aboutRole: "Il nome di un ruolo di questa sede. Vuoto: nessuno.",
        aboutPermission: "proprietario, gestore, installatore, membro oppure ospite. Vuoto: membro.",
        aboutDays: "31/12/2026 oppure 2026-12-31. Vuoto: senza limite.",
        aboutBadge:
            "Da 1 a 24 lettere, cifre, punti, trattini o trattini bassi. Scrivi '007 perché un foglio di calcolo non lo cambi in 7. Vuoto: il prossimo numero libero.",
        aboutLanguage: "en, it oppure es.",
        aboutPassword:
            "Almeno 10 caratteri. Vuoto: accede dopo un invito. Le persone che hanno già un account mantengono la propria.",
        goodToKnow: "Da sapere",
        adds: "Un’importazione aggiunge soltanto. Non cambia e non toglie nulla: chi manca dal file resta.",
        keeps: "O tutto o niente: basta un errore, e non viene scritto nulla.",
        spreadsheets:
            "Separati da virgola, punto e virgola o tabulazione. Un’esportazione di questa pagina si può reimportare.",
        noFile: "Prima scegli un file.", deskFull: "Troppe importazioni in attesa. Riprova tra qualche minuto.",
        report: "Che cosa farebbe il file", nothingWritten: "Non è ancora stato scritto nulla.",
        cannotBeApplied: {
            $0 == 1
                ? "1 errore. Correggilo nel file e scegli di nuovo il file."
                : "\($0) errori. Correggili nel file e scegli di nuovo il file."
        },
        nothingToDo: "Tutto ciò che sta in questo file c’è già. Non c’è nulla da fare.",
        changedMeanwhile:
            "Qui è cambiato qualcosa dopo il tuo controllo, quindi non è stato scritto nulla. Controlla di nuovo che cosa farebbe ora il file.",
        newPeople: { $0 == 1 ? "1 persona nuova" : "\($0) persone nuove" },
        memberships: {
            $0 == 1 ? "1 appartenenza per chi è già qui" : "\($0) appartenenze per chi è già qui"
        },
        unchanged: { $0 == 1 ? "1 riga che c’è già" : "\($0) righe che ci sono già" },
        newRoles: { "Ruoli nuovi, senza varchi: \($0)" },
        fromWindows: "Il file non è UTF-8. È stato letto come Windows-1252: controlla gli accenti nei nomi qui sotto.",
        unknownColumns: { "Queste colonne vengono ignorate: \($0)" },
        problems: "Errori", line: "Riga", andOthers: { $0 == 1 ? "e un’altra" : "e altre \($0)" },
        column: "Colonna", whatIsWrong: "Errore",
        whatStandsThere: "C’è scritto", wholeLine: "tutta la riga", moreProblems: { "… e altre \($0)." },
        preview: { $0 == $1 ? "Tutte le righe: \($1)" : "Le prime \($0) righe di \($1)" }, outcome: "Che cosa succede",
        willBeNew: "persona nuova", willBeMember: "nuova appartenenza", isUnchanged: "invariata", willNot: "errore",
        apply: { $0 == 1 ? "Aggiungi 1 appartenenza" : "Aggiungi \($0) appartenenze" },
        applyHint: "Tutto, o niente. Puoi annullare l’importazione per un giorno.",
        invite: { $0 == 1 ? "Invia 1 invito per email" : "Invia \($0) inviti per email" },
        invited: { $0 == 1 ? "1 invito in partenza." : "\($0) inviti in partenza." },
        another: "Scegli un altro file",
        keptHalfAnHour: "Questo controllo resta per mezz’ora, e lo vedi solo tu.",
        failedDisk: "Il disco è pieno: non è stato scritto nulla. Fai spazio e riprova.",
        failedNotAllowed: "Non gestisci più questa sede: non è stato scritto nulla.",
        failedFull:
            "Non è stato importato nulla: una sede ha al massimo 500 ruoli e 50.000 appartenenze, una persona al massimo 100 in una sede.",
        failedOther: "Non è stato possibile scrivere: non è cambiato nulla. Riprova.",
        working: "Importazione in corso", hashing: { "\($0) di \($1) password preparate" }, writing: "Scrittura",
        workingHint: "Questa pagina si aggiorna da sola. Puoi lasciarla: l’importazione continua.",
        result: "Importazione",
        appliedPeople: { $0 == 1 ? "È stata aggiunta 1 persona." : "Sono state aggiunte \($0) persone." },
        appliedMemberships: {
            $0 == 1
                ? "È stata aggiunta 1 appartenenza a chi era già qui."
                : "Sono state aggiunte \($0) appartenenze a chi era già qui."
        },
        appliedUnchanged: { $0 == 1 ? "1 riga c’era già." : "\($0) righe c’erano già." },
        appliedRoles: {
            $0 == 1
                ? "È stato creato 1 ruolo. Assegnagli dei varchi."
                : "Sono stati creati \($0) ruoli. Assegna loro dei varchi."
        },
        noPasswords: "A chi non ha una password serve un invito.",
        showAwaited: "Mostra chi non ha ancora fatto il primo accesso",
        undo: "Annulla questa importazione…", undoNow: "Annulla subito l’importazione",
        undoRemoves: {
            $0 == 1
                ? "Viene rimossa 1 persona che non ha ancora effettuato l’accesso."
                : "Vengono rimosse \($0) persone che non hanno ancora effettuato l’accesso."
        },
        undoEnds: {
            $0 == 1
                ? "1 persona resta: ciò che l’importazione le ha dato termina subito."
                : "\($0) persone restano: ciò che l’importazione ha dato loro termina subito."
        },
        undoHint: {
            "Rimuove ciò che l’importazione ha aggiunto e che non è cambiato da allora. Possibile fino a: \($0)."
        },
        undone: "Questa importazione è stata annullata.",
        undoneAndKept: {
            $0 == 1
                ? "Questa importazione è stata annullata. Una cosa è rimasta."
                : "Questa importazione è stata annullata. \($0) cose sono rimaste."
        },
        tooLateToUndo: "È passato un giorno: questa importazione non si può più annullare.",
        keptTitle: "Che cosa è rimasto, e perché", keptChanged: "cambiato da allora", keptGone: "non c’era già più",
        keptUsed: "ormai in uso",
        keptNotAllowed: "proprietario: può toglierlo solo un proprietario",
        keptEnded:
            "L’account è stato usato o cambiato da allora, quindi resta. Il suo accesso è terminato. Un proprietario può cancellarlo dall’elenco delle persone.",
        gone: "Questa importazione non c’è",
        goneDetail: "Un controllo resta per mezz’ora, e lo vede solo chi l’ha fatto. Scegli di nuovo il file.",
        empty: "Il file non ha una riga con i nomi delle colonne.",
        brokenEncoding: "Il file è rotto: dice di essere UTF-16 e non lo è. Salvalo di nuovo come CSV UTF-8.",
        control: "Un carattere che nessun testo ha. Salva di nuovo il file come CSV UTF-8.",
        unclosedQuote: "Qui si aprono virgolette che non si chiudono più.",
        textAfterQuote: "Dopo le virgolette chiuse viene un separatore o la fine della riga.",
        ragged: { "Questa riga ha \($1) campi, la prima ne ha \($0)." },
        tooManyLines: { "Più di \($0) righe. Dividi il file." }, tooManyColumns: { "Più di \($0) colonne." },
        fieldTooLong: { "Un campo ha più di \($0) byte." }, columnMissing: { "Manca la colonna \($0)." },
        columnTwice: "Questa colonna c’è due volte.", nameMissing: "Manca il nome.",
        nameTooLong: "Un nome ha al massimo 120 caratteri, su una riga.",
        notAnAddress: "Questo non è un indirizzo email.",
        permissionUnknown:
            "Questo permesso non esiste. Scrivi proprietario, gestore, installatore, membro oppure ospite.",
        permissionNotAllowed: "Il tuo permesso non arriva fin lì.",
        roleUnknown: "Questa sede non ha questo ruolo. Crealo prima, oppure spunta «Crea i ruoli che mancano».",
        roleNameTooLong: "Il nome di un ruolo ha al massimo 80 caratteri.",
        notADay: "Questo giorno non esiste nel calendario. Scrivi 31/12/2026.",
        ambiguousDay: "Potrebbe essere uno di due giorni. Scrivi 2026-12-31.",
        endsBeforeItBegins: "L’ultimo giorno viene prima del primo.",
        notABadge: "Un badge ha da 1 a 24 lettere, cifre, punti, trattini o trattini bassi.",
        badgeTaken: "Un’altra persona ha questo badge.",
        addressUnconfirmed:
            "Una persona qui usa questo indirizzo e non l’ha confermato. Togli questa riga e cambia il suo accesso nella sua pagina.",
        badgeIsAnother: "Il badge di questa persona è un altro. Un’importazione non cambia i badge.",
        badgeOnLine: { "La riga \($0) dà questo badge a un’altra persona, o a questa persona un altro badge." },
        languageUnknown: "Scrivi en, it oppure es.",
        passwordTooShort: "Una password ha almeno 10 caratteri, e nessuno la indovinerebbe.",
        sameAsLine: { "È uguale alla riga \($0)." },
        nameOnLine: { "La riga \($0) ha lo stesso indirizzo con un altro nome." })
}
