/// Why a line of an import will not do.
struct ImportProblem: Equatable, Sendable {
    /// The line of the file, from 1, as an editor shows it.
    let line: Int
    /// Which column it is about; nil for the line as a whole.
    let column: ImportColumn?
    /// What stands there, cut short.
    let text: String
    let why: Why

    enum Why: Hashable, Sendable {
        /// The file cannot be read there.
        case csv(CSVError.Kind)
        case columnMissing, columnTwice
        case nameMissing, nameTooLong
        case notAnAddress
        case permissionUnknown, permissionNotAllowed
        case roleUnknown, roleNameTooLong
        case notADay
        /// It could be one of two days: 03/04/2026.
        case ambiguousDay
        case endsBeforeItBegins
        case notABadge
        /// Somebody else has it.
        case badgeTaken
        /// Whoever uses it here has not shown that it is theirs.
        case addressUnconfirmed
        /// The person has another one, which an import does not change.
        case badgeIsAnother
        /// Another line gives it to somebody else, or gives this person another one.
        case badgeOnLine(Int)
        case languageUnknown
        case passwordTooShort
        /// Another line says the same of the same person.
        case sameAsLine(Int)
        /// Another line has the same address under another name.
        case nameOnLine(Int)

        /// For programs: one word.
        var code: String {
            switch self {
            case .csv(let kind):
                switch kind {
                case .empty: "empty"
                case .brokenEncoding: "brokenEncoding"
                case .control: "controlCharacter"
                case .unclosedQuote: "unclosedQuote"
                case .textAfterQuote: "textAfterQuote"
                case .ragged: "ragged"
                case .tooManyLines: "tooManyLines"
                case .tooManyColumns: "tooManyColumns"
                case .fieldTooLong: "fieldTooLong"
                }
            case .columnMissing: "columnMissing"
            case .columnTwice: "columnTwice"
            case .nameMissing: "nameMissing"
            case .nameTooLong: "nameTooLong"
            case .notAnAddress: "notAnAddress"
            case .permissionUnknown: "permissionUnknown"
            case .permissionNotAllowed: "permissionNotAllowed"
            case .roleUnknown: "roleUnknown"
            case .roleNameTooLong: "roleNameTooLong"
            case .notADay: "notADay"
            case .ambiguousDay: "ambiguousDay"
            case .endsBeforeItBegins: "endsBeforeItBegins"
            case .notABadge: "notABadge"
            case .badgeTaken: "badgeTaken"
            case .addressUnconfirmed: "addressUnconfirmed"
            case .badgeIsAnother: "badgeIsAnother"
            case .badgeOnLine: "badgeTwice"
            case .languageUnknown: "languageUnknown"
            case .passwordTooShort: "passwordTooShort"
            case .sameAsLine: "sameLine"
            case .nameOnLine: "anotherName"
            }
        }
    }

    init(_ line: Int, _ column: ImportColumn? = nil, _ why: Why, text: String = "") {
        (self.line, self.column, self.text, self.why) = (line, column, Self.shortened(text), why)
    }

    /// A text from a file as a report shows it: at most so many characters of it.
    static let shownCharacters = 60

    static func shortened(_ text: String) -> String {
        text.count <= shownCharacters ? text : text.prefix(shownCharacters) + "…"
    }
}

/// What is wrong with a file: all of it counted, the first of it kept.
struct ImportProblems: Equatable, Sendable {
    /// So many are kept; whoever has more has another trouble than their details.
    static let kept = 1_000

    private(set) var list: [ImportProblem] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ problem: ImportProblem) {
        count += 1
        if list.count < Self.kept { list.append(problem) }
    }

    mutating func append(contentsOf problems: [ImportProblem]) { for problem in problems { append(problem) } }

    /// What is wrong in the same way with the same text on several lines, once, where it comes first.
    var together: [(first: ImportProblem, others: Int)] {
        struct Sort: Hashable {
            let column: ImportColumn?
            let text: String
            let why: ImportProblem.Why
        }
        var found: [(first: ImportProblem, others: Int)] = []
        var places: [Sort: Int] = [:]
        for problem in list {
            let sort = Sort(column: problem.column, text: problem.text, why: problem.why)
            if let place = places[sort] {
                found[place].others += 1
            } else {
                places[sort] = found.count
                found.append((problem, 0))
            }
        }
        return found
    }

    /// Those of two, in the order of the file.
    static func merged(_ a: ImportProblems, _ b: ImportProblems) -> ImportProblems {
        var merged = ImportProblems()
        merged.count = a.count + b.count
        merged.list = Array(
            (a.list + b.list).sorted { ($0.line, $0.column?.rawValue ?? "") < ($1.line, $1.column?.rawValue ?? "") }
                .prefix(kept))
        return merged
    }
}
