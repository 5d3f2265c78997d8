import Pages

/// A column that an import knows, by the names that people give it in three languages.
enum ImportColumn: String, CaseIterable, Sendable {
    case name, surname, email, role, permission, firstDay, lastDay, badge, language, password

    /// The names that count, besides that of the export in each language; without marks and signs, in lower case.
    private var names: [String] {
        switch self {
        case .name: ["name", "fullname", "firstname", "nome", "nomeecognome", "nombre", "nombreyapellidos"]
        case .surname: ["surname", "lastname", "familyname", "cognome", "apellido", "apellidos"]
        case .email:
            ["email", "emailaddress", "mail", "indirizzoemail", "postaelettronica", "correo", "correoelectronico"]
        case .role: ["role", "ruolo", "mansione", "rol", "puesto"]
        case .permission: ["permission", "permesso", "permiso"]
        case .firstDay:
            ["firstday", "from", "start", "startdate", "primogiorno", "dal", "inizio", "primerdia", "desde", "inicio"]
        case .lastDay:
            ["lastday", "until", "to", "end", "enddate", "ultimogiorno", "al", "fine", "ultimodia", "hasta", "fin"]
        case .badge: ["badge", "badgecode", "card", "tessera", "codicebadge", "credencial", "tarjeta"]
        case .language: ["language", "lingua", "idioma"]
        case .password: ["password", "contrasena"]
        }
    }

    private static let byName: [String: ImportColumn] = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { column in column.names.map { ($0, column) } })

    /// The column of a heading; nil when nobody knows it.
    init?(heading: String) {
        guard let column = Self.byName[Self.plain(heading)] else { return nil }
        self = column
    }

    /// In lower case, without marks, blanks and signs: `E-mail` and `Último día` are as good as `email` and `ultimodia`.
    static func plain(_ heading: String) -> String {
        String(heading.lowercased().map { bare[$0] ?? $0 }.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    private static let bare: [Character: Character] = [
        "à": "a", "á": "a", "è": "e", "é": "e", "ì": "i", "í": "i", "ò": "o", "ó": "o", "ù": "u", "ú": "u", "ü": "u",
        "ñ": "n",
    ]

    /// What the export calls it.
    func heading(_ words: ImportWords) -> String {
        switch self {
        case .name: words.name
        case .surname: words.surname
        case .email: words.email
        case .role: words.role
        case .permission: words.permission
        case .firstDay: words.firstDay
        case .lastDay: words.lastDay
        case .badge: words.badge
        case .language: words.language
        case .password: words.password
        }
    }

    /// The columns of an export, in its order.
    static let exported: [ImportColumn] = [.name, .email, .role, .permission, .firstDay, .lastDay, .badge, .language]
}

/// What the first line of a file says about the columns.
struct ImportHeading: Equatable, Sendable {
    /// Where each known column stands, from 0.
    private(set) var places: [ImportColumn: Int] = [:]
    /// Headings that nobody knows: those columns are passed over, and the report says so.
    private(set) var unknown: [String] = []
    /// Columns that are there twice.
    private(set) var twice: [ImportColumn] = []

    init(_ fields: [String]) {
        for (place, field) in fields.enumerated() {
            if let column = ImportColumn(heading: field) {
                if places.updateValue(place, forKey: column) != nil { twice.append(column) }
            } else if !field.isEmpty {
                unknown.append(ImportProblem.shortened(field))
            }
        }
    }

    /// Without these nothing can be imported.
    var missing: [ImportColumn] { [.name, .email].filter { places[$0] == nil } }
}
