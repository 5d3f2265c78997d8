import Accounts
import Identity
import Pages

/// The words of imports and exports.
struct ImportWords: Sendable {
    // The columns, as the export writes them and as the import knows them.
    let name: String
    let surname: String
    let email: String
    let role: String
    let permission: String
    let firstDay: String
    let lastDay: String
    let badge: String
    let language: String
    let password: String
    /// The name of a downloaded file.
    let fileName: String

    // The first page.
    let title: String
    let importPeople: String
    let exportPeople: String
    let lead: String
    let chooseFile: String
    let fileHint: String
    let makeRoles: String
    let makeRolesHint: String
    let check: String
    let sample: String
    let columns: String
    let required: String
    let optional: String
    let aboutName: String
    let aboutEmail: String
    let aboutRole: String
    let aboutPermission: String
    let aboutDays: String
    let aboutBadge: String
    let aboutLanguage: String
    let aboutPassword: String
    let goodToKnow: String
    let adds: String
    let keeps: String
    let spreadsheets: String
    let noFile: String
    let deskFull: String

    // The dry run.
    let report: String
    let nothingWritten: String
    let cannotBeApplied: @Sendable (Int) -> String
    let nothingToDo: String
    let changedMeanwhile: String
    let newPeople: @Sendable (Int) -> String
    let memberships: @Sendable (Int) -> String
    let unchanged: @Sendable (Int) -> String
    let newRoles: @Sendable (String) -> String
    let fromWindows: String
    let unknownColumns: @Sendable (String) -> String
    let problems: String
    let line: String
    /// After a line: so many others have the same.
    let andOthers: @Sendable (Int) -> String
    let column: String
    let whatIsWrong: String
    let whatStandsThere: String
    let wholeLine: String
    let moreProblems: @Sendable (Int) -> String
    let preview: @Sendable (Int, Int) -> String
    let outcome: String
    let willBeNew: String
    let willBeMember: String
    let isUnchanged: String
    let willNot: String
    let apply: @Sendable (Int) -> String
    let applyHint: String
    /// A box to tick: how many people are new and get no password.
    let invite: @Sendable (Int) -> String
    /// How many letters are on their way.
    let invited: @Sendable (Int) -> String
    let another: String
    let keptHalfAnHour: String
    let failedDisk: String
    let failedNotAllowed: String
    let failedFull: String
    let failedOther: String

    // While it works, and after.
    let working: String
    let hashing: @Sendable (Int, Int) -> String
    let writing: String
    let workingHint: String
    let result: String
    let appliedPeople: @Sendable (Int) -> String
    let appliedMemberships: @Sendable (Int) -> String
    let appliedUnchanged: @Sendable (Int) -> String
    let appliedRoles: @Sendable (Int) -> String
    let noPasswords: String
    /// A link to those of the list of people.
    let showAwaited: String
    /// Over what an undoing does, and its button.
    let undo: String
    let undoNow: String
    /// How many who have not joined go.
    let undoRemoves: @Sendable (Int) -> String
    /// How many stay and lose what the import gave.
    let undoEnds: @Sendable (Int) -> String
    let undoHint: @Sendable (String) -> String
    let undone: String
    let undoneAndKept: @Sendable (Int) -> String
    let tooLateToUndo: String
    let keptTitle: String
    let keptChanged: String
    let keptGone: String
    let keptUsed: String
    let keptNotAllowed: String
    let keptEnded: String
    let gone: String
    let goneDetail: String

    // What is wrong with a line.
    let empty: String
    let brokenEncoding: String
    let control: String
    let unclosedQuote: String
    let textAfterQuote: String
    let ragged: @Sendable (_ expected: Int, _ found: Int) -> String
    let tooManyLines: @Sendable (Int) -> String
    let tooManyColumns: @Sendable (Int) -> String
    let fieldTooLong: @Sendable (Int) -> String
    let columnMissing: @Sendable (String) -> String
    let columnTwice: String
    let nameMissing: String
    let nameTooLong: String
    let notAnAddress: String
    let permissionUnknown: String
    let permissionNotAllowed: String
    let roleUnknown: String
    let roleNameTooLong: String
    let notADay: String
    let ambiguousDay: String
    let endsBeforeItBegins: String
    let notABadge: String
    let badgeTaken: String
    let addressUnconfirmed: String
    let badgeIsAnother: String
    let badgeOnLine: @Sendable (Int) -> String
    let languageUnknown: String
    let passwordTooShort: String
    let sameAsLine: @Sendable (Int) -> String
    let nameOnLine: @Sendable (Int) -> String

    static func `in`(_ language: Language) -> ImportWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    /// What is wrong with a line, and what to do.
    func text(_ problem: ImportProblem) -> String {
        switch problem.why {
        case .csv(let kind): text(kind)
        case .columnMissing: columnMissing(problem.column?.heading(self) ?? "")
        case .columnTwice: columnTwice
        case .nameMissing: nameMissing
        case .nameTooLong: nameTooLong
        case .notAnAddress: notAnAddress
        case .permissionUnknown: permissionUnknown
        case .permissionNotAllowed: permissionNotAllowed
        case .roleUnknown: roleUnknown
        case .roleNameTooLong: roleNameTooLong
        case .notADay: notADay
        case .ambiguousDay: ambiguousDay
        case .endsBeforeItBegins: endsBeforeItBegins
        case .notABadge: notABadge
        case .badgeTaken: badgeTaken
        case .addressUnconfirmed: addressUnconfirmed
        case .badgeIsAnother: badgeIsAnother
        case .badgeOnLine(let line): badgeOnLine(line)
        case .languageUnknown: languageUnknown
        case .passwordTooShort: passwordTooShort
        case .sameAsLine(let line): sameAsLine(line)
        case .nameOnLine(let line): nameOnLine(line)
        }
    }

    private func text(_ kind: CSVError.Kind) -> String {
        switch kind {
        case .empty: empty
        case .brokenEncoding: brokenEncoding
        case .control: control
        case .unclosedQuote: unclosedQuote
        case .textAfterQuote: textAfterQuote
        case .ragged(let expected, let found): ragged(expected, found)
        case .tooManyLines(let limit): tooManyLines(limit)
        case .tooManyColumns(let limit): tooManyColumns(limit)
        case .fieldTooLong(let limit): fieldTooLong(limit)
        }
    }

    func kept(_ why: ImportKept) -> String {
        switch why {
        case .changed: keptChanged
        case .gone: keptGone
        case .used: keptUsed
        case .ended: keptEnded
        case .notAllowed: keptNotAllowed
        }
    }

    func failure(_ why: ImportDraft.Failure) -> String {
        switch why {
        case .diskFull: failedDisk
        case .notAllowed: failedNotAllowed
        case .full: failedFull
        case .other: failedOther
        }
    }

    func decision(_ decision: ImportDecision?) -> String {
        switch decision {
        case .newPerson: willBeNew
        case .membership: willBeMember
        case .unchanged: isUnchanged
        case nil: willNot
        }
    }
}
