import Accounts
import Identity

extension ImportWords {
    static let en = ImportWords(
        name: "Name", surname: "Surname", email: "Email", role: "Role", permission: "Permission", firstDay: "First day",
        lastDay: "Last day", badge: "Badge", language: "Language", password: "Password", fileName: "people",
        title: "Import people", importPeople: "Import", exportPeople: "Export",
        lead:
            "Bring many people in from a spreadsheet. You see first what the file would do; nothing is written until you confirm.",
        chooseFile: "CSV file", fileHint: "At most 10 MB and 5,000 lines. In Excel: Save as, CSV UTF-8.",
        makeRoles: "Make roles that are missing", makeRolesHint: "They get no gates until you give them some.",
        check: "Check the file", sample: "Download a sample file", columns: "Columns, in any order",
        required: "required", optional: "optional",
        aboutName: "One column, or two: name and surname.",
        aboutEmail: "A person who is already here keeps their name and gets another membership.",
        aboutRole: "The name of a role of this site. Empty: none.",
        aboutPermission: "owner, manager, installer, member or guest. Empty: member.",
        aboutDays: "2026-12-31, or 31/12/2026 where it can only be that day. Empty: without limit.",
        aboutBadge:
            "1 to 24 letters, digits, dots, dashes or underscores. Write '007 so that a spreadsheet does not make it 7. Empty: the next free number.",
        aboutLanguage: "en, it or es.",
        aboutPassword:
            "At least 10 characters. Empty: they join by an invitation. People with an account keep their password.",
        goodToKnow: "Good to know",
        adds: "An import only adds. It never changes or removes what is here: people missing from the file stay.",
        keeps: "It is all or nothing: with one error, nothing is written.",
        spreadsheets: "Separated by comma, semicolon or tab. An export of this page can be imported again.",
        noFile: "Choose a file first.", deskFull: "Too many imports wait at this moment. Try again in a few minutes.",
        report: "What the file would do", nothingWritten: "Nothing is written yet.",
        cannotBeApplied: {
            $0 == 1
                ? "1 error. Fix it in the file and choose the file again."
                : "\($0) errors. Fix them in the file and choose the file again."
        },
        nothingToDo: "Everything in this file is here already. There is nothing to do.",
        changedMeanwhile:
            "Something changed here since your check, so nothing was written. Check again what the file would do now.",
        newPeople: { $0 == 1 ? "1 new person" : "\($0) new people" },
        memberships: {
            $0 == 1
                ? "1 membership for somebody who is here already" : "\($0) memberships for people who are here already"
        },
        unchanged: { $0 == 1 ? "1 line that is here already" : "\($0) lines that are here already" },
        newRoles: { "New roles, without gates: \($0)" },
        fromWindows:
            "The file is not UTF-8. It was read as Windows-1252: check the accents in the names below.",
        unknownColumns: { "These columns are ignored: \($0)" },
        problems: "Errors", line: "Line", andOthers: { "and \($0) more" }, column: "Column",
        whatIsWrong: "Error",
        whatStandsThere: "It says", wholeLine: "whole line", moreProblems: { "… and \($0) more." },
        preview: { $0 == $1 ? "All \($1) lines" : "The first \($0) of \($1) lines" }, outcome: "What happens",
        willBeNew: "new person", willBeMember: "new membership", isUnchanged: "unchanged", willNot: "error",
        apply: { $0 == 1 ? "Add 1 membership" : "Add \($0) memberships" },
        applyHint: "All of it, or nothing. You can undo it for one day.",
        invite: { $0 == 1 ? "Send 1 invitation by email" : "Send \($0) invitations by email" },
        invited: { $0 == 1 ? "1 invitation is on its way." : "\($0) invitations are on their way." },
        another: "Choose another file", keptHalfAnHour: "This check is kept for half an hour, and only you see it.",
        failedDisk: "The disk is full: nothing was written. Make room and try again.",
        failedNotAllowed: "You no longer manage this site: nothing was written.",
        failedFull:
            "Nothing was imported: a site has at most 500 roles and 50,000 memberships, a person at most 100 at a site.",
        failedOther: "It could not be written: nothing was changed. Try again.",
        working: "Importing", hashing: { "\($0) of \($1) passwords are prepared" }, writing: "Writing",
        workingHint: "This page looks again by itself. You can leave it; the import goes on.",
        result: "Import",
        appliedPeople: { "\($0 == 1 ? "1 person was" : "\($0) people were") added." },
        appliedMemberships: {
            "\($0 == 1 ? "1 membership was" : "\($0) memberships were") added to people who were here already."
        },
        appliedUnchanged: { $0 == 1 ? "1 line was here already." : "\($0) lines were here already." },
        appliedRoles: { $0 == 1 ? "1 role was made. Give it gates." : "\($0) roles were made. Give them gates." },
        noPasswords: "People without a password need an invitation.", showAwaited: "Show who has not joined yet",
        undo: "Undo this import…", undoNow: "Undo import now",
        undoRemoves: {
            $0 == 1
                ? "1 person who has not joined yet is removed." : "\($0) people who have not joined yet are removed."
        },
        undoEnds: {
            $0 == 1
                ? "1 person stays: what the import gave them ends at once."
                : "\($0) people stay: what the import gave them ends at once."
        },
        undoHint: { "Removes everything this import added that has not changed since. Possible until \($0)." },
        undone: "This import was undone.",
        undoneAndKept: {
            $0 == 1 ? "This import was undone. One thing stayed." : "This import was undone. \($0) things stayed."
        },
        tooLateToUndo: "A day has gone by: this import can no longer be undone.", keptTitle: "What stayed, and why",
        keptChanged: "changed since", keptGone: "was already gone", keptUsed: "in use by now",
        keptNotAllowed: "an owner, whom only an owner takes away",
        keptEnded:
            "The account was used or changed since, so it stays. Its access has ended. An owner can erase it from the list of people.",
        gone: "This import is not here",
        goneDetail: "A check is kept for half an hour, and only the person who made it sees it. Choose the file again.",
        empty: "The file has no line with the names of columns.",
        brokenEncoding: "The file is broken: it says UTF-16 and is not. Save it again as CSV UTF-8.",
        control: "A character that no text has. Save the file again as CSV UTF-8.",
        unclosedQuote: "A quote begins here and never ends.",
        textAfterQuote: "After a closing quote comes a separator or the end of the line.",
        ragged: { "This line has \($1) fields, the first line has \($0)." },
        tooManyLines: { "More than \($0) lines. Split the file." },
        tooManyColumns: { "More than \($0) columns." }, fieldTooLong: { "A field has more than \($0) bytes." },
        columnMissing: { "The column \($0) is missing." }, columnTwice: "This column is there twice.",
        nameMissing: "The name is missing.", nameTooLong: "A name has at most 120 characters, on one line.",
        notAnAddress: "This is not a mail address.",
        permissionUnknown: "There is no such permission. Write owner, manager, installer, member or guest.",
        permissionNotAllowed: "Your own permission does not reach that far.",
        roleUnknown: "This site has no such role. Make it first, or tick “Make roles that are missing”.",
        roleNameTooLong: "A role's name has at most 80 characters.",
        notADay: "This is no day of the calendar. Write 2026-12-31.",
        ambiguousDay: "This could be one of two days. Write it as 2026-12-31.",
        endsBeforeItBegins: "The last day is before the first.",
        notABadge: "A badge has 1 to 24 letters, digits, dots, dashes or underscores.",
        badgeTaken: "Another person has this badge.",
        addressUnconfirmed:
            "A person here uses this address and has not confirmed it. Take this line out, and change their access on their own page.",
        badgeIsAnother: "This person's badge is another one. An import does not change badges.",
        badgeOnLine: { "Line \($0) uses this badge for another person, or gives this person another badge." },
        languageUnknown: "Write en, it or es.",
        passwordTooShort: "A password has at least 10 characters, and is none that others would guess.",
        sameAsLine: { "This is the same as line \($0)." },
        nameOnLine: { "Line \($0) has the same address under another name." })
}
