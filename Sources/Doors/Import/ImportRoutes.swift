import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

extension Doors {
    private static let problemSchema = Schema.object([
        ("line", .integer("the line of the file, from 1, as an editor shows it")),
        ("column", .optional(.text("which column; null for the line as a whole"))),
        ("code", .text("what is wrong, in one word")), ("text", .text("what stands there, cut short")),
        ("words", .text("what is wrong, and what to do")),
    ])

    private static let rowSchema = Schema.object([
        ("line", .integer("the line of the file")), ("name", .text("the name")), ("email", .text("the address")),
        ("role", .text("the role's name, or nothing")),
        ("permission", .choice(Permission.allCases.map(\.rawValue))), ("firstDay", .optional(.text("YYYY-MM-DD"))),
        ("lastDay", .optional(.text("YYYY-MM-DD, inclusive"))), ("badge", .optional(.text("the badge's code"))),
        ("decision", .optional(.choice(["newPerson", "membership", "unchanged"]))),
    ])

    private static let importSchema = Schema.object([
        ("id", .text("the import's id")),
        ("state", .choice(["checked", "changed", "hashing", "writing", "done", "failed"])),
        ("isReady", .truth("whether it can be applied")),
        (
            "progress",
            .optional(
                .object([("done", .integer("passwords that are hashed")), ("of", .integer("passwords in all"))]))
        ), ("failure", .optional(.choice(["diskFull", "notAllowed", "full", "other"]))),
        ("people", .integer("new people")), ("memberships", .integer("memberships of people whom the site knew")),
        ("unchanged", .integer("lines that are here already")), ("roles", .integer("roles that are made")),
        ("newRoles", .list(.text("the name of a role that is to be made"))),
        ("problemCount", .integer("how much is wrong; nothing is applied unless 0")),
        ("problems", .list(problemSchema)), ("unknownColumns", .list(.text("a heading that nobody knows"))),
        ("encoding", .optional(.choice(["UTF-8", "UTF-16", "Windows-1252"]))), ("rows", .list(rowSchema)),
        ("undone", .optional(.text("when it was taken back"))),
        ("kept", .integer("how much stayed when it was taken back")),
    ])

    /// The JSON interface of imports, and the export.
    func registerImport(routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/people/import", for: Permission.managing,
            RouteDescription(
                "Says what a CSV file of people would do, and keeps that for half an hour. Nothing is written.",
                body: .text("comma-, semicolon- or tab-separated values, with the names of columns on the first line"),
                answer: Self.importSchema,
                query: [
                    ("makeRoles", false, "true: roles that are missing are to be made"),
                    ("language", false, "en, it, es: how days such as 31/12/2026 are read, and of the words"),
                ], bodyType: "text/csv"), bodyLimit: Self.importLimit
        ) { request, principal in
            try request.requireContentType("text/csv")
            let (site, language) = (try Self.site(request, principal), try Self.language(request, principal))
            if request.body.count > CSVText.fileLimit { throw Problem.tooLarge(limit: CSVText.fileLimit) }
            do {
                let draft = try await checkImport(
                    request.body[...], at: site, by: principal.person.id, language: language,
                    makesRoles: try request.query.get("makeRoles", as: Bool.self) ?? false)
                return Self.json(draft, language)
            } catch is ImportDesk.Full {
                throw Problem.unavailable("Too many imports wait at this moment.", retryAfter: 60)
            }
        }
        routes.on(
            .get, "/api/sites/{site}/people/import/{import}", for: Permission.managing,
            RouteDescription(
                "How far an import is: its dry run, its progress, or what it did.", answer: Self.importSchema)
        ) { request, principal in try importState(request, principal) }
        routes.on(
            .post, "/api/sites/{site}/people/import/{import}", for: Permission.managing,
            RouteDescription(
                "Applies a dry run: all of it or nothing. Where passwords are hashed first, ask again until it is done.",
                answer: Self.importSchema,
                query: [("invite", false, "true: those who are new and get no password are invited by letter")])
        ) { request, principal in
            let site = try Self.site(request, principal)
            let id = try request.parameter("import", as: ImportID.self)
            try requireProof(toApply: id, at: site, principal)
            let invites = try request.query.get("invite", as: Bool.self) == true
            if await !applyImport(id, at: site, by: principal, invites: invites),
                let draft = imports.draft(id, at: site.id, of: principal.person.id), !draft.isAtWork
            {
                throw Problem.conflict("this import has problems, or nothing to do", type: "import-not-ready")
            }
            return try importState(request, principal)
        }
        routes.on(
            .post, "/api/sites/{site}/people/import/{import}/undo", for: Permission.managing,
            RouteDescription(
                "Undoes an import of the last day. What was changed since stays. An account that was used or changed stays, and its membership ends.",
                answer: Self.importSchema)
        ) { request, principal in
            let site = try Self.site(request, principal)
            let id = try request.parameter("import", as: ImportID.self)
            try requireProof(toUndo: id, at: site, principal)
            guard try await undoImport(id, at: site, by: principal.person.id) else {
                throw Problem.conflict("there is no such import, or its day is over", type: "import-not-undoable")
            }
            return try importState(request, principal)
        }
        registerExport(routes: &routes)
    }

    private static func language(_ request: Request, _ principal: Principal) throws -> Language {
        guard let asked = try request.query.get("language", as: String.self) else { return .of(principal, request) }
        guard let language = Language(rawValue: asked) else {
            throw Problem.unprocessable("a language is en, it or es")
        }
        return language
    }

    private func importState(_ request: Request, _ principal: Principal) throws -> Response {
        let (site, language) = (try Self.site(request, principal), try Self.language(request, principal))
        let id = try request.parameter("import", as: ImportID.self)
        if let draft = imports.draft(id, at: site.id, of: principal.person.id) { return Self.json(draft, language) }
        guard let (done, _, kept, _) = try importDone(id, at: site.id) else { throw Problem.notFound() }
        return Self.json(done, kept: kept)
    }

    private static func json(_ done: ImportRecords.Done, kept: Int) -> Response {
        var json = JSONWriter()
        json.object { json in
            json.field("id", done.id.text)
            json.field("state", "done")
            json.field("isReady", false)
            json.field("progress", nil as String?)
            json.field("failure", nil as String?)
            json.field("people", done.people)
            json.field("memberships", done.memberships)
            json.field("unchanged", done.unchanged)
            json.field("roles", done.roles)
            json.array("newRoles") { _ in }
            json.field("problemCount", 0)
            json.array("problems") { _ in }
            json.array("unknownColumns") { _ in }
            json.field("encoding", nil as String?)
            json.array("rows") { _ in }
            json.field("undone", done.undone?.iso8601)
            json.field("kept", kept)
        }
        return .json(json.bytes)
    }

    private static func json(_ draft: ImportDraft, _ language: Language) -> Response {
        let (words, problems) = (ImportWords.in(language), draft.problems)
        var json = JSONWriter(capacity: 8 << 10)
        json.object { json in
            json.field("id", draft.id.text)
            json.field("state", draft.state.name)
            json.field("isReady", draft.isReady)
            if case .hashing(let done, let all) = draft.state {
                json.object("progress") { json in
                    json.field("done", done)
                    json.field("of", all)
                }
            } else {
                json.field("progress", nil as String?)
            }
            if case .failed(let why) = draft.state {
                json.field("failure", why.rawValue)
            } else {
                json.field("failure", nil as String?)
            }
            json.field("people", draft.plan.count(.newPerson))
            json.field("memberships", draft.plan.count(.membership))
            json.field("unchanged", draft.plan.count(.unchanged))
            json.field("roles", draft.plan.newRoles.count)
            json.array("newRoles") { json in for role in draft.plan.newRoles { json.value(role) } }
            json.field("problemCount", problems.count)
            json.array("problems") { json in for problem in problems.list { write(problem, words, &json) } }
            json.array("unknownColumns") { json in for name in draft.file.unknownColumns { json.value(name) } }
            json.field("encoding", draft.file.encoding.rawValue)
            json.array("rows") { json in
                for (line, decision) in zip(draft.file.lines, draft.plan.decisions).prefix(ImportView.shownLines) {
                    write(line, decision, &json)
                }
            }
            json.field("undone", nil as String?)
            json.field("kept", 0)
        }
        return .json(json.bytes)
    }

    private static func write(_ problem: ImportProblem, _ words: ImportWords, _ json: inout JSONWriter) {
        json.object { json in
            json.field("line", problem.line)
            json.field("column", problem.column?.rawValue)
            json.field("code", problem.why.code)
            json.field("text", problem.text)
            json.field("words", words.text(problem))
        }
    }

    private static func write(_ line: ImportLine, _ decision: ImportDecision?, _ json: inout JSONWriter) {
        json.object { json in
            json.field("line", line.line)
            json.field("name", line.name)
            json.field("email", line.email)
            json.field("role", line.role)
            json.field("permission", line.permission.rawValue)
            json.field("firstDay", line.firstDay?.iso8601)
            json.field("lastDay", line.lastDay?.iso8601)
            json.field("badge", line.badge)
            json.field("decision", decision?.rawValue)
        }
    }

    // MARK: the export

    /// No export has more memberships.
    static let exportLimit = 100_000

    private func registerExport(routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/people.csv", for: Permission.managing,
            RouteDescription(
                "Who has a part in the site, as a file that a spreadsheet opens and an import reads.",
                answer: .text("comma- or semicolon-separated values in UTF-8"),
                query: [
                    ("search", false, "a part of a name or an address"), ("role", false, "a role's id"),
                    ("status", false, "current, future or ended"),
                    ("language", false, "en, it, es: of the columns' names"),
                ], mediaType: "text/csv")
        ) { request, principal in
            let (site, language) = (try Self.site(request, principal), try Self.language(request, principal))
            // It is told to the ledger each time.
            try given.accounts.admit(.change, of: principal)
            let filter = PeopleFilter(
                search: String((try request.query.get("search", as: String.self) ?? "").prefix(100)),
                role: try Self.optional(request, "role") { RoleID($0) },
                status: try Self.optional(request, "status") { PeopleFilter.Status(rawValue: $0) },
                today: site.zone.day(at: given.clock.now))
            return try await export(site, filter, by: principal.person.id, language)
        }
    }

    private func export(
        _ site: Site, _ filter: PeopleFilter, by author: PersonID, _ language: Language
    ) async throws -> Response {
        let given = given
        let (words, pages) = (ImportWords.in(language), PagesWords.in(language))
        let (bytes, count) = try await imports.export(for: author) {
            let rows = try given.store.read {
                try ImportRecords.exported(of: site.id, filter, limit: Self.exportLimit + 1, in: $0)
            }
            if rows.count > Self.exportLimit {
                throw Problem.unprocessable(
                    "there are more than \(Self.exportLimit) memberships: search for a part of them")
            }
            var writer = CSVWriter(delimiter: Self.delimiter(language))
            writer.row(ImportColumn.exported.map { $0.heading(words) })
            // Somebody may have the same membership twice, which an import would not make.
            var written: Set<[String]> = []
            for row in rows {
                let fields = [
                    row.person.name, row.person.shownAddress, row.role ?? "",
                    pages.permission(row.membership.permission.rawValue), row.membership.firstDay?.iso8601 ?? "",
                    row.membership.lastDay?.iso8601 ?? "", row.badge.map(BadgeCode.inFile) ?? "",
                    row.person.language ?? "",
                ]
                if written.insert(fields).inserted { writer.row(fields) }
            }
            return (writer.bytes, rows.count)
        }
        let now = given.clock.now
        var json = JSONWriter()
        json.object { json in
            json.field("memberships", count)
            // Not what was searched for: it may be the name of somebody who is erased later.
            json.field("by", author.text)
        }
        let payload = json.bytes
        try await given.store.write { database in
            _ = try Ledger.append(
                NewEvent(id: .new(at: now), site: site.id, kind: "people.exported", at: now, payload: payload),
                to: database)
        }
        return Self.csv(bytes, name: words.fileName)
    }
}

extension ImportDraft.State {
    /// For programs.
    var name: String {
        switch self {
        case .checked: "checked"
        case .changed: "changed"
        case .hashing: "hashing"
        case .writing: "writing"
        case .done: "done"
        case .failed: "failed"
        }
    }
}
