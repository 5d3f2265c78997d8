import Accounts
import Identity
import Pages
import System

/// The pages of an import: choose a file, see what it would do, see what it did.
enum ImportView {
    /// Where one is.
    struct Place: Sendable {
        let language: Language
        let person: String
        let siteID: String
        let siteName: String
        let navigation: [NavItem]

        var people: LocalPath { "/sites/\(siteID)/people" }
        var start: LocalPath { "/sites/\(siteID)/people/import" }
        var sample: LocalPath { "/sites/\(siteID)/people/import/sample.csv" }
        func path(_ id: String) -> LocalPath { "/sites/\(siteID)/people/import/\(id)" }
        func undo(_ id: String) -> LocalPath { "/sites/\(siteID)/people/import/\(id)/undo" }
    }

    /// So many problems stand on the page.
    static let shownProblems = 200
    /// So many lines are shown as they would become.
    static let shownLines = 50

    private static func page(
        _ place: Place, _ title: String, path: LocalPath, actions: HTML = .empty, @HTMLBuilder content: () -> HTML
    ) -> HTML {
        Frame.page(
            title: title, place: place.siteName, language: place.language, navigation: place.navigation,
            person: place.person, style: .desk, path: path,
            back: (place.people, DoorsWords.in(place.language).allPeople), actions: actions,
            content: div(.css("pile")) { content() })
    }

    // MARK: the file

    /// A form `POST /sites/{site}/people/import`, multipart: `file`, `make_roles`.
    static func form(_ place: Place, refused: String? = nil) -> HTML {
        let words = ImportWords.in(place.language)
        return page(place, words.title, path: place.start) {
            p(.css("lead")) { words.lead }
            Pages.form(.css("stack narrow"), .method(.post), .multipart, .action(place.start)) {
                div(.css("row-field")) {
                    label(.for("file")) { words.chooseFile }
                    input(
                        .css("field"), .id("file"), .name("file"), .type(.file), .accept(".csv,.txt,text/csv"),
                        .required(true), .aria("describedby", refused == nil ? "file-hint" : "file-refused file-hint"),
                        .aria("invalid", refused == nil ? nil : "true"))
                    if let refused { p(.css("refused"), .id("file-refused"), .role("alert")) { refused } }
                    p(.css("hint"), .id("file-hint")) { words.fileHint }
                }
                div(.css("row-field")) {
                    label(.css("check"), .for("make_roles")) {
                        input(
                            .id("make_roles"), .name("make_roles"), .type(.checkbox), .value("1"),
                            .aria("describedby", "roles-hint"))
                        span { words.makeRoles }
                    }
                    p(.css("hint"), .id("roles-hint")) { words.makeRolesHint }
                }
                div(.css("thumb")) { button(.type(.submit)) { words.check } }
            }
            help(place, words)
        }
    }

    private static func help(_ place: Place, _ words: ImportWords) -> HTML {
        section(.css("pile narrow")) {
            h2 { words.columns }
            dl(.css("about")) {
                about(words.name, words.aboutName, words.required)
                about(words.email, words.aboutEmail, words.required)
                about(words.role, words.aboutRole, words.optional)
                about(words.permission, words.aboutPermission, words.optional)
                about("\(words.firstDay), \(words.lastDay)", words.aboutDays, words.optional)
                about(words.badge, words.aboutBadge, words.optional)
                about(words.language, words.aboutLanguage, words.optional)
                about(words.password, words.aboutPassword, words.optional)
            }
            p { a(.css("button quiet"), .href(place.sample)) { words.sample } }
            h2 { words.goodToKnow }
            ul(.css("facts")) {
                li { words.adds }
                li { words.keeps }
                li { words.spreadsheets }
            }
        }
    }

    private static func about(_ name: String, _ text: String, _ need: String) -> HTML {
        div {
            dt {
                name
                small { " \(need)" }
            }
            dd { text }
        }
    }

    // MARK: the dry run

    /// What a file would do, with a form `POST` to its own address that does it.
    static func report(_ place: Place, _ draft: ImportDraft, sendsLetters: Bool) -> HTML {
        let words = ImportWords.in(place.language)
        let problems = draft.problems
        return page(place, words.report, path: place.path(draft.id.text)) {
            notices(draft, problems, words)
            summary(draft, words)
            if !problems.isEmpty { problemTable(problems, words) }
            if draft.isReady {
                Pages.form(.css("stack narrow"), .method(.post), .action(place.path(draft.id.text))) {
                    if sendsLetters, draft.toInvite > 0 {
                        label(.css("check")) {
                            input(.type(.checkbox), .name("invite"), .value("1"), .autocomplete("off"))
                            span { words.invite(draft.toInvite) }
                        }
                    }
                    div(.css("thumb")) {
                        button(.type(.submit)) {
                            words.apply(draft.plan.count(.newPerson) + draft.plan.count(.membership))
                        }
                    }
                    p(.css("hint")) { words.applyHint }
                }
            }
            p { a(.css(draft.isReady ? "button quiet" : "button"), .href(place.start)) { words.another } }
            if !draft.file.lines.isEmpty { preview(place, draft, words) }
            p(.css("hint")) { words.keptHalfAnHour }
        }
    }

    private static func notices(_ draft: ImportDraft, _ problems: ImportProblems, _ words: ImportWords) -> HTML {
        let first: HTML =
            switch draft.state {
            case .changed: Part.notice(.wait, words.changedMeanwhile)
            case .failed(let why): Part.notice(.no, words.failure(why))
            default: .empty
            }
        let second =
            if !problems.isEmpty {
                Part.notice(.no, "\(words.cannotBeApplied(problems.count)) \(words.nothingWritten)")
            } else if !draft.isReady {
                Part.notice(.go, words.nothingToDo)
            } else {
                Part.notice(.idle, words.nothingWritten)
            }
        return HTMLBuilder.buildArray([first, second])
    }

    private static func summary(_ draft: ImportDraft, _ words: ImportWords) -> HTML {
        ul(.css("facts")) {
            li(.data("count", "people")) { words.newPeople(draft.plan.count(.newPerson)) }
            li(.data("count", "memberships")) { words.memberships(draft.plan.count(.membership)) }
            li(.data("count", "unchanged")) { words.unchanged(draft.plan.count(.unchanged)) }
            if !draft.plan.newRoles.isEmpty {
                li { words.newRoles(draft.plan.newRoles.prefix(20).joined(separator: ", ")) }
            }
            if !draft.file.unknownColumns.isEmpty {
                li { words.unknownColumns(draft.file.unknownColumns.prefix(20).joined(separator: ", ")) }
            }
            if draft.file.encoding == .windows1252 { li { words.fromWindows } }
        }
    }

    private static func problemTable(_ problems: ImportProblems, _ words: ImportWords) -> HTML {
        let shown = problems.together.prefix(shownProblems)
        let hidden = problems.count - shown.reduce(0) { $0 + 1 + $1.others }
        return section(.css("pile")) {
            h2 { words.problems }
            table(.css("sheet problems"), .role("table")) {
                caption(.css("unseen")) { words.problems }
                heading([words.line, words.column, words.whatIsWrong, words.whatStandsThere])
                tbody(.role("rowgroup")) {
                    for (problem, others) in shown {
                        tr(.role("row"), .data("line", String(problem.line)), .data("code", problem.why.code)) {
                            td(.css("line"), .role("cell")) {
                                "\(words.line) \(problem.line)"
                                if others > 0 { span(.css("soft")) { " \(words.andOthers(others))" } }
                            }
                            td(.css("column"), .role("cell")) { problem.column?.heading(words) ?? words.wholeLine }
                            td(.css("why"), .role("cell")) { words.text(problem) }
                            td(.css("says"), .role("cell")) {
                                if problem.text.isEmpty {
                                    span(.css("soft")) { "–" }
                                } else {
                                    code { bdi { problem.text } }
                                }
                            }
                        }
                    }
                }
            }
            if hidden > 0 { p(.css("soft")) { words.moreProblems(hidden) } }
        }
    }

    private static func heading(_ titles: [String]) -> HTML {
        thead(.role("rowgroup")) {
            tr(.role("row")) { for title in titles { th(.scope("col"), .role("columnheader")) { title } } }
        }
    }

    private static func preview(_ place: Place, _ draft: ImportDraft, _ words: ImportWords) -> HTML {
        let (doors, pages) = (DoorsWords.in(place.language), PagesWords.in(place.language))
        let shown = min(draft.file.lines.count, shownLines)
        let title = words.preview(shown, draft.file.lines.count)
        return section(.css("pile")) {
            h2 { title }
            table(.css("sheet people preview"), .role("table")) {
                caption(.css("unseen")) { title }
                heading([words.name, words.role, words.permission, doors.days, words.outcome])
                tbody(.role("rowgroup")) {
                    for (line, decision) in zip(draft.file.lines, draft.plan.decisions).prefix(shownLines) {
                        tr(.role("row")) {
                            td(.css("name"), .role("cell")) {
                                bdi { line.name }
                                span(.css("soft")) { bdi { line.email } }
                            }
                            td(.css("role"), .role("cell")) {
                                if line.role.isEmpty {
                                    span(.css("soft")) { doors.noRole }
                                } else {
                                    bdi { line.role }
                                }
                            }
                            td(.css("permission"), .role("cell")) { pages.permission(line.permission.rawValue) }
                            td(.css("days"), .role("cell")) {
                                doors.days(
                                    from: line.firstDay?.text(place.language), until: line.lastDay?.text(place.language)
                                )
                            }
                            td(.css("status"), .role("cell")) {
                                Part.chip(tone(decision), words.decision(decision))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func tone(_ decision: ImportDecision?) -> Tone {
        switch decision {
        case .newPerson, .membership: .go
        case .unchanged: .idle
        case nil: .no
        }
    }

    // MARK: while it works, and after

    /// How far it is. The page is asked for again by a header.
    static func working(_ place: Place, _ draft: ImportDraft) -> HTML {
        let words = ImportWords.in(place.language)
        return page(place, words.working, path: place.path(draft.id.text)) {
            if case .hashing(let done, let all) = draft.state {
                Part.notice(.wait, words.hashing(done, all))
            } else {
                Part.notice(.wait, words.writing)
            }
            p(.css("soft")) { words.workingHint }
        }
    }

    /// What an import did.
    struct Result: Sendable {
        let id: String
        let people: Int
        let memberships: Int
        let unchanged: Int
        let roles: Int
        let invited: Int
        let isUndone: Bool
        /// Until when it can be undone, in words; nil when it no longer can.
        let undoUntil: String?
        let kept: [(name: String, why: ImportKept)]
        let keptCount: Int
        /// Whose memberships it made: how many of them stay when it is taken back, and how many go.
        let staying: Int
        let going: Int
    }

    /// The result, with a form `POST …/undo`.
    static func result(_ place: Place, _ result: Result) -> HTML {
        let words = ImportWords.in(place.language)
        return page(place, words.result, path: place.path(result.id)) {
            if result.isUndone {
                Part.notice(.idle, result.keptCount == 0 ? words.undone : words.undoneAndKept(result.keptCount))
            } else {
                Part.notice(
                    .go,
                    result.people > 0
                        ? words.appliedPeople(result.people) : words.appliedMemberships(result.memberships))
                ul(.css("facts")) {
                    if result.people > 0 && result.memberships > 0 {
                        li { words.appliedMemberships(result.memberships) }
                    }
                    if result.unchanged > 0 { li { words.appliedUnchanged(result.unchanged) } }
                    if result.roles > 0 { li { words.appliedRoles(result.roles) } }
                    if result.invited > 0 { li { words.invited(result.invited) } }
                    if result.people > result.invited {
                        li {
                            "\(words.noPasswords) "
                            a(.href(place.people.adding("status", PeopleFilter.Status.waiting.rawValue))) {
                                words.showAwaited
                            }
                        }
                    }
                }
            }
            if !result.kept.isEmpty {
                section(.css("pile narrow")) {
                    h2 { words.keptTitle }
                    dl(.css("about")) {
                        for one in result.kept {
                            div {
                                dt { bdi { one.name } }
                                dd { words.kept(one.why) }
                            }
                        }
                    }
                    if result.keptCount > result.kept.count {
                        p(.css("soft")) { words.moreProblems(result.keptCount - result.kept.count) }
                    }
                }
            }
            p { a(.css("button"), .href(place.people)) { DoorsWords.in(place.language).allPeople } }
            if let until = result.undoUntil {
                details(.css("narrow")) {
                    Pages.summary { words.undo }
                    Pages.form(.css("stack"), .method(.post), .action(place.undo(result.id))) {
                        ul(.css("facts")) {
                            if result.going > 0 { li { words.undoRemoves(result.going) } }
                            if result.staying > 0 { li { words.undoEnds(result.staying) } }
                        }
                        p(.css("hint")) { words.undoHint(until) }
                        div { button(.css("danger"), .type(.submit)) { words.undoNow } }
                    }
                }
            } else if !result.isUndone {
                p(.css("hint")) { words.tooLateToUndo }
            }
        }
    }

    /// There is no such import, or it is somebody else's.
    static func gone(_ place: Place) -> HTML {
        let words = ImportWords.in(place.language)
        return page(place, words.title, path: place.start) {
            Part.empty(title: words.gone, detail: words.goneDetail, action: (place.start, words.another))
        }
    }
}
