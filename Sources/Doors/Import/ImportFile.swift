import Accounts
import HTTPServer
import Identity
import Pages
import System

/// What one line of an import says, before it is held against who is there.
struct ImportLine: Equatable, Sendable {
    /// Where it begins in the file.
    let line: Int
    var name: String
    /// In lower case.
    var email: String
    /// The role's name as it was written; empty: none.
    var role: String
    var permission: Permission
    var firstDay: Day?
    var lastDay: Day?
    /// As badges are stored.
    var badge: String?
    /// `en`, `it`, `es`, for somebody who has no account yet.
    var language: String?
    /// The first password, for somebody who has no account yet. It is never shown.
    var password: String?
}

/// A file of people, read: its lines, and what is wrong with it.
struct ImportFile: Sendable {
    var lines: [ImportLine] = []
    var problems = ImportProblems()
    var encoding = CSVText.Encoding.utf8
    var delimiter = UInt8(ascii: ",")
    var unknownColumns: [String] = []

    /// Reads a file.
    /// - Parameter language: decides how a day like 31/12/2026 is read. ISO days (2026-12-31) always are.
    init(_ file: ArraySlice<UInt8>, language: Language) {
        do {
            let text = try CSVText(file)
            encoding = text.encoding
            var reader = CSVReader(text.bytes)
            delimiter = reader.delimiter
            guard let first = try reader.next() else { return }
            let heading = ImportHeading(first.fields.map(Self.trimmed))
            unknownColumns = heading.unknown
            problems.append(contentsOf: heading.twice.map { ImportProblem(first.line, $0, .columnTwice) })
            problems.append(contentsOf: heading.missing.map { ImportProblem(first.line, $0, .columnMissing) })
            guard problems.isEmpty else { return }
            try readLines(&reader, heading, language)
        } catch {
            // What ends a file goes before all that is wrong with its lines: they may only look wrong because of it.
            (lines, problems) = ([], ImportProblems())
            problems.append(ImportProblem(error.line, nil, .csv(error.kind)))
        }
    }

    private mutating func readLines(
        _ reader: inout CSVReader<[UInt8]>, _ heading: ImportHeading, _ language: Language
    ) throws(CSVError) {
        while true {
            do {
                guard let record = try reader.next() else { return }
                add(record, heading, language)
            } catch {
                if error.endsFile { throw error }
                problems.append(ImportProblem(error.line, nil, .csv(error.kind)))
            }
        }
    }

    private mutating func add(_ record: CSVReader<[UInt8]>.Record, _ heading: ImportHeading, _ language: Language) {
        var reading = LineReading(record, heading)
        let line = reading.line(language)
        if reading.problems.isEmpty { lines.append(line) } else { problems.append(contentsOf: reading.problems) }
    }

    /// Without blanks at both ends, among them those that spreadsheets put in (U+00A0).
    static func trimmed(_ text: String) -> String {
        let front = text.drop(while: \.isWhitespace)
        guard let last = front.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(front[...last])
    }
}

/// One record on its way to a line.
private struct LineReading {
    private let record: CSVReader<[UInt8]>.Record
    private let heading: ImportHeading
    var problems: [ImportProblem] = []

    init(_ record: CSVReader<[UInt8]>.Record, _ heading: ImportHeading) {
        (self.record, self.heading) = (record, heading)
    }

    private func text(_ column: ImportColumn) -> String {
        guard let place = heading.places[column] else { return "" }
        return CSVWriter.unguarded(ImportFile.trimmed(record.fields[place]))
    }

    private mutating func refuse(_ column: ImportColumn, _ why: ImportProblem.Why) {
        // A password is nobody's to read, not even where it was refused.
        problems.append(ImportProblem(record.line, column, why, text: column == .password ? "" : text(column)))
    }

    mutating func line(_ language: Language) -> ImportLine {
        let surname = text(.surname)
        let name = surname.isEmpty ? text(.name) : ImportFile.trimmed("\(text(.name)) \(surname)")
        let email = Accounts.normalised(text(.email))
        if name.isEmpty {
            refuse(.name, .nameMissing)
        } else if !Self.isAccepted(name: name) {
            refuse(.name, .nameTooLong)
        }
        if !Self.isAccepted(email: email) { refuse(.email, .notAnAddress) }
        let (first, last) = (day(.firstDay, language), day(.lastDay, language))
        if let first, let last, last < first { refuse(.lastDay, .endsBeforeItBegins) }
        return ImportLine(
            line: record.line, name: name, email: email, role: role(), permission: permission(), firstDay: first,
            lastDay: last, badge: badge(), language: personLanguage(), password: password())
    }

    /// The rules of accounts, asked one field at a time.
    private static func isAccepted(name: String) -> Bool {
        (try? Accounts.check(name: name, email: "a@b.c", password: nil)) != nil
    }

    private static func isAccepted(email: String) -> Bool {
        (try? Accounts.check(name: "a", email: email, password: nil)) != nil
    }

    private mutating func role() -> String {
        let role = text(.role)
        if role.count > 80 || role.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            refuse(.role, .roleNameTooLong)
        }
        return role
    }

    private mutating func permission() -> Permission {
        let text = text(.permission)
        if text.isEmpty { return .member }
        if let known = ImportFile.permission(text) { return known }
        refuse(.permission, .permissionUnknown)
        return .member
    }

    private mutating func day(_ column: ImportColumn, _ language: Language) -> Day? {
        let text = text(column)
        if text.isEmpty { return nil }
        switch ImportDay(text, language) {
        case .day(let day): return day
        case .ambiguous: refuse(column, .ambiguousDay)
        case .none: refuse(column, .notADay)
        }
        return nil
    }

    private mutating func badge() -> String? {
        let text = text(.badge)
        if text.isEmpty { return nil }
        guard let code = BadgeCode.read(text) else {
            refuse(.badge, .notABadge)
            return nil
        }
        return code
    }

    private mutating func personLanguage() -> String? {
        let text = text(.language)
        if text.isEmpty { return nil }
        let found = ImportFile.language(text)
        if found == nil { refuse(.language, .languageUnknown) }
        return found?.rawValue
    }

    private mutating func password() -> String? {
        let text = heading.places[.password].map { record.fields[$0] } ?? ""
        if text.isEmpty { return nil }
        if (try? Accounts.check(name: "a", email: "a@b.c", password: text)) == nil {
            refuse(.password, .passwordTooShort)
        }
        return text
    }
}

extension ImportFile {
    /// The permission of a word: its own name, or what it is called in any of the languages.
    static func permission(_ text: String) -> Permission? { permissions[ImportColumn.plain(text)] }

    private static let permissions: [String: Permission] = {
        var found: [String: Permission] = [:]
        for permission in Permission.allCases {
            for language in Language.allCases {
                found[ImportColumn.plain(PagesWords.in(language).permission(permission.rawValue))] = permission
            }
            found[permission.rawValue] = permission
        }
        return found
    }()

    /// The language of a word: its code, or its name in itself.
    static func language(_ text: String) -> Language? {
        let plain = ImportColumn.plain(text)
        return Language.allCases.first { $0.rawValue == plain || ImportColumn.plain($0.ownName) == plain }
    }
}

/// A day as people write it in a spreadsheet.
enum ImportDay: Equatable {
    case day(Day)
    /// It could be one of two.
    case ambiguous

    /// `2026-12-31` in every language; `31/12/2026`, `31-12-2026` or `31.12.2026` in Italian and Spanish, and in English only where
    /// it is the same day for those who write the month first. Nil when it is no day of the calendar.
    init?(_ text: String, _ language: Language) {
        if let day = Day(iso8601: text) {
            self = .day(day)
            return
        }
        guard let separator = text.first(where: { !$0.isNumber }), "/-.".contains(separator) else { return nil }
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 3, (1...2).contains(parts[0].utf8.count), (1...2).contains(parts[1].utf8.count),
            parts[2].utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "/-.".utf8.contains($0) }),
            let first = Int(parts[0]), let second = Int(parts[1]), let year = Int(parts[2])
        else { return nil }
        let dayFirst = Day(year: year, month: second, day: first)
        let monthFirst = Day(year: year, month: first, day: second)
        switch (language, dayFirst, monthFirst) {
        case (.it, let day?, _), (.es, let day?, _): self = .day(day)
        case (.it, nil, _), (.es, nil, _): return nil
        case (.en, let one?, let other?): self = one == other ? .day(one) : .ambiguous
        case (.en, let one, let other):
            guard let day = one ?? other else { return nil }
            self = .day(day)
        }
    }
}
