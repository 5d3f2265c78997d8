extension ImportWords {
    static let es = ImportWords(
        name: "Nombre", surname: "Apellidos", email: "Correo electrónico", role: "Rol", permission: "Permiso",
        firstDay: "Primer día", lastDay: "Último día", badge: "Credencial", language: "Idioma", password: "Contraseña",
        fileName: "personas", title: "Importar personas", importPeople: "Importar", exportPeople: "Exportar",
        lead:
            "Trae a muchas personas desde una hoja de cálculo. Primero ves lo que haría el archivo; no se escribe nada hasta que confirmes.",
        chooseFile: "Archivo CSV", fileHint: "Como máximo 10 MB y 5.000 líneas. En Excel: Guardar como, CSV UTF-8.",
        makeRoles: "Crear los roles que faltan", makeRolesHint: "No tienen accesos hasta que se los des.",
        check: "Comprobar el archivo", sample: "Descargar un archivo de ejemplo",
        columns: "Columnas, en cualquier orden",
        required: "obligatorio", optional: "opcional",
        aboutName: "Una columna, o dos: nombre y apellidos.",
        aboutEmail: "Quien ya está aquí conserva su nombre y recibe otra pertenencia.",
        aboutRole: "El nombre de un rol de esta sede. Vacío: ninguno.",
        aboutPermission: "propietario, gestor, instalador, miembro o invitado. Vacío: miembro.",
        aboutDays: "31/12/2026 o 2026-12-31. Vacío: sin límite.",
        aboutBadge:
            "De 1 a 24 letras, cifras, puntos, guiones o guiones bajos. Escribe '007 para que una hoja de cálculo no lo cambie por 7. Vacío: el siguiente número libre.",
        aboutLanguage: "en, it o es.",
        aboutPassword:
            "10 caracteres como mínimo. Vacío: entra con una invitación. Las personas que ya tienen una cuenta conservan la suya.",
        goodToKnow: "Conviene saber",
        adds: "Una importación solo añade. No cambia ni quita nada: quien falta en el archivo se queda.",
        keeps: "O todo o nada: basta un error para que no se escriba nada.",
        spreadsheets:
            "Separados por coma, punto y coma o tabulador. Una exportación de esta página se puede volver a importar.",
        noFile: "Elige primero un archivo.",
        deskFull: "Hay demasiadas importaciones en espera. Prueba en unos minutos.",
        report: "Lo que haría el archivo", nothingWritten: "Aún no se ha escrito nada.",
        cannotBeApplied: {
            $0 == 1
                ? "1 error. Corrígelo en el archivo y vuelve a elegirlo."
                : "\($0) errores. Corrígelos en el archivo y vuelve a elegirlo."
        },
        nothingToDo: "Todo lo que hay en este archivo ya está aquí. No hay nada que hacer.",
        changedMeanwhile:
            "Algo ha cambiado aquí después de tu comprobación, así que no se ha escrito nada. Comprueba otra vez lo que haría ahora el archivo.",
        newPeople: { $0 == 1 ? "1 persona nueva" : "\($0) personas nuevas" },
        memberships: {
            $0 == 1
                ? "1 pertenencia para alguien que ya está aquí" : "\($0) pertenencias para quienes ya están aquí"
        },
        unchanged: { $0 == 1 ? "1 línea que ya está aquí" : "\($0) líneas que ya están aquí" },
        newRoles: { "Roles nuevos, sin accesos: \($0)" },
        fromWindows:
            "El archivo no es UTF-8. Se ha leído como Windows-1252: comprueba los acentos de los nombres de abajo.",
        unknownColumns: { "Estas columnas se ignoran: \($0)" },
        problems: "Errores", line: "Línea", andOthers: { "y \($0) más" }, column: "Columna",
        whatIsWrong: "Error",
        whatStandsThere: "Pone", wholeLine: "toda la línea", moreProblems: { "… y \($0) más." },
        preview: { $0 == $1 ? "Las \($1) líneas" : "Las primeras \($0) de \($1) líneas" }, outcome: "Qué pasa",
        willBeNew: "persona nueva", willBeMember: "nueva pertenencia", isUnchanged: "sin cambios", willNot: "error",
        apply: { $0 == 1 ? "Añadir 1 pertenencia" : "Añadir \($0) pertenencias" },
        applyHint: "Todo, o nada. Puedes deshacerlo durante un día.",
        invite: {
            $0 == 1 ? "Enviar 1 invitación por correo electrónico" : "Enviar \($0) invitaciones por correo electrónico"
        },
        invited: { $0 == 1 ? "1 invitación en camino." : "\($0) invitaciones en camino." },
        another: "Elegir otro archivo",
        keptHalfAnHour: "Esta comprobación se guarda media hora, y solo tú la ves.",
        failedDisk: "El disco está lleno: no se ha escrito nada. Haz sitio y prueba otra vez.",
        failedNotAllowed: "Ya no gestionas esta sede: no se ha escrito nada.",
        failedFull:
            "No se ha importado nada: una sede tiene como máximo 500 roles y 50.000 pertenencias, y una persona, 100 en una sede.",
        failedOther: "No se ha podido escribir: no ha cambiado nada. Prueba otra vez.",
        working: "Importando", hashing: { "\($0) de \($1) contraseñas preparadas" }, writing: "Escribiendo",
        workingHint: "Esta página se actualiza sola. Puedes dejarla: la importación continúa.",
        result: "Importación",
        appliedPeople: { $0 == 1 ? "Se ha añadido 1 persona." : "Se han añadido \($0) personas." },
        appliedMemberships: {
            $0 == 1
                ? "Se ha añadido 1 pertenencia a alguien que ya estaba aquí."
                : "Se han añadido \($0) pertenencias a quienes ya estaban aquí."
        },
        appliedUnchanged: { $0 == 1 ? "1 línea ya estaba aquí." : "\($0) líneas ya estaban aquí." },
        appliedRoles: { $0 == 1 ? "Se ha creado 1 rol. Dale accesos." : "Se han creado \($0) roles. Dales accesos." },
        noPasswords: "Quien no tiene contraseña necesita una invitación.",
        showAwaited: "Mostrar quién aún no ha entrado",
        undo: "Deshacer esta importación…", undoNow: "Deshacer la importación ahora",
        undoRemoves: {
            $0 == 1
                ? "Se elimina 1 persona que aún no ha iniciado sesión."
                : "Se eliminan \($0) personas que aún no han iniciado sesión."
        },
        undoEnds: {
            $0 == 1
                ? "1 persona se queda: lo que le dio la importación termina de inmediato."
                : "\($0) personas se quedan: lo que les dio la importación termina de inmediato."
        },
        undoHint: {
            "Elimina lo que añadió la importación y no ha cambiado desde entonces. Posible hasta: \($0)."
        },
        undone: "Esta importación se ha deshecho.",
        undoneAndKept: {
            $0 == 1
                ? "Esta importación se ha deshecho. Una cosa se ha quedado."
                : "Esta importación se ha deshecho. \($0) cosas se han quedado."
        },
        tooLateToUndo: "Ha pasado un día: esta importación ya no se puede deshacer.",
        keptTitle: "Qué se ha quedado, y por qué", keptChanged: "cambiado desde entonces", keptGone: "ya no estaba",
        keptUsed: "ya en uso",
        keptNotAllowed: "propietario: solo un propietario puede quitarlo",
        keptEnded:
            "La cuenta se ha usado o cambiado desde entonces, así que se queda. Su acceso ha terminado. Un propietario puede borrarla desde la lista de personas.",
        gone: "Esta importación no está aquí",
        goneDetail: "Una comprobación se guarda media hora, y solo la ve quien la hizo. Vuelve a elegir el archivo.",
        empty: "El archivo no tiene una línea con los nombres de las columnas.",
        brokenEncoding: "El archivo está roto: dice ser UTF-16 y no lo es. Guárdalo otra vez como CSV UTF-8.",
        control: "Un carácter que ningún texto tiene. Guarda otra vez el archivo como CSV UTF-8.",
        unclosedQuote: "Aquí se abren unas comillas que no se cierran.",
        textAfterQuote: "Tras unas comillas cerradas viene un separador o el final de la línea.",
        ragged: { "Esta línea tiene \($1) campos, la primera tiene \($0)." },
        tooManyLines: { "Más de \($0) líneas. Divide el archivo." }, tooManyColumns: { "Más de \($0) columnas." },
        fieldTooLong: { "Un campo tiene más de \($0) bytes." }, columnMissing: { "Falta la columna \($0)." },
        columnTwice: "Esta columna está dos veces.", nameMissing: "Falta el nombre.",
        nameTooLong: "Un nombre tiene como máximo 120 caracteres, en una línea.",
        notAnAddress: "Esto no es una dirección de correo.",
        permissionUnknown: "Ese permiso no existe. Escribe propietario, gestor, instalador, miembro o invitado.",
        permissionNotAllowed: "Tu permiso no llega tan lejos.",
        roleUnknown: "Esta sede no tiene ese rol. Créalo antes, o marca «Crear los roles que faltan».",
        roleNameTooLong: "El nombre de un rol tiene como máximo 80 caracteres.",
        notADay: "Ese día no existe en el calendario. Escribe 31/12/2026.",
        ambiguousDay: "Podría ser uno de dos días. Escribe 2026-12-31.",
        endsBeforeItBegins: "El último día es anterior al primero.",
        notABadge: "Una credencial tiene de 1 a 24 letras, cifras, puntos, guiones o guiones bajos.",
        badgeTaken: "Otra persona tiene esta credencial.",
        addressUnconfirmed:
            "Una persona de aquí usa esta dirección y no la ha confirmado. Quita esta línea y cambia su acceso en su página.",
        badgeIsAnother: "La credencial de esta persona es otra. Una importación no cambia las credenciales.",
        badgeOnLine: { "La línea \($0) da esta credencial a otra persona, o a esta persona otra credencial." },
        languageUnknown: "Escribe en, it o es.",
        passwordTooShort: "Una contraseña tiene 10 caracteres como mínimo, y nadie la adivinaría.",
        sameAsLine: { "Es igual que la línea \($0)." },
        nameOnLine: { "La línea \($0) tiene la misma dirección con otro nombre." })
}
