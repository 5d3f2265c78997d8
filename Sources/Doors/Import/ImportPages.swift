import Accounts
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

extension Doors {
    /// The longest request with a file: the file, and what a form puts around it.
    static let importLimit = CSVText.fileLimit + (64 << 10)

    /// The screens of imports.
    func registerImport(pages: inout PageRoutes) {
        pages.on(.get, "/sites/{site}/people/import", for: Permission.managing) { request, principal, language in
            .html(ImportView.form(try importPlace(request, principal, language)).bytes)
        }
        pages.on(.post, "/sites/{site}/people/import", for: Permission.managing, bodyLimit: Self.importLimit) {
            request, principal, language in try await checkImport(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/people/import/sample.csv", for: Permission.managing) {
            request, principal, language in try sample(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/people/import/{import}", for: Permission.managing) {
            request, principal, language in try importPage(request, principal, language)
        }
        pages.on(.post, "/sites/{site}/people/import/{import}", for: Permission.managing) { request, principal, _ in
            let site = try Self.site(request, principal)
            let id = try request.parameter("import", as: ImportID.self)
            try requireProof(toApply: id, at: site, principal)
            let invites = try request.form().get("invite", as: String.self) == "1"
            _ = await applyImport(id, at: site, by: principal, invites: invites)
            return .redirect(to: "/sites/\(site.id.text)/people/import/\(id.text)")
        }
        pages.on(.post, "/sites/{site}/people/import/{import}/undo", for: Permission.managing) {
            request, principal, _ in
            let site = try Self.site(request, principal)
            let id = try request.parameter("import", as: ImportID.self)
            try requireProof(toUndo: id, at: site, principal)
            _ = try await undoImport(id, at: site, by: principal.person.id)
            return .redirect(to: "/sites/\(site.id.text)/people/import/\(id.text)")
        }
    }

    private func importPlace(
        _ request: Request, _ principal: Principal, _ language: Language
    ) throws -> ImportView.Place {
        let site = try Self.site(request, principal)
        return ImportView.Place(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            navigation: given.navigation.items(
                for: principal, at: site.id, now: given.clock.now, language,
                current: "/sites/\(site.id.text)/people"))
    }

    private func checkImport(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response
    {
        let (site, place) = (try Self.site(request, principal), try importPlace(request, principal, language))
        let form = try request.multipart()
        guard let file = try form.file("file"), !file.content.isEmpty else {
            return .html(ImportView.form(place, refused: ImportWords.in(language).noFile).bytes, status: 422)
        }
        if file.content.count > CSVText.fileLimit { throw Problem.tooLarge(limit: CSVText.fileLimit) }
        do {
            let draft = try await checkImport(
                file.content, at: site, by: principal.person.id, language: language,
                makesRoles: try form.text("make_roles") == "1")
            return .redirect(to: "/sites/\(site.id.text)/people/import/\(draft.id.text)")
        } catch is ImportDesk.Full {
            return .html(ImportView.form(place, refused: ImportWords.in(language).deskFull).bytes, status: 503)
        }
    }

    private func importPage(_ request: Request, _ principal: Principal, _ language: Language) throws -> Response {
        let (site, place) = (try Self.site(request, principal), try importPlace(request, principal, language))
        let id = try request.parameter("import", as: ImportID.self)
        if let draft = imports.draft(id, at: site.id, of: principal.person.id) {
            // Without script, too: the browser asks again by itself.
            return draft.isAtWork
                ? .html(ImportView.working(place, draft).bytes).with("Refresh", "2")
                : .html(ImportView.report(place, draft, sendsLetters: given.letters.isSetUp).bytes)
        }
        guard let (done, kept, keptCount, invited) = try importDone(id, at: site.id) else {
            return .html(ImportView.gone(place).bytes, status: 404)
        }
        let reach = try given.store.read { try ImportRecords.reach(of: id, in: $0) }
        let end = done.at.adding(milliseconds: Self.undoTime)
        let until = "\(site.zone.day(at: end).text(language)), \(site.zone.clockText(at: end))"
        return .html(
            ImportView.result(
                place,
                .init(
                    id: id.text, people: done.people, memberships: done.memberships, unchanged: done.unchanged,
                    roles: done.roles, invited: invited, isUndone: done.undone != nil,
                    undoUntil: done.undone == nil && given.clock.now < end ? until : nil, kept: kept,
                    keptCount: keptCount, staying: reach.stay, going: reach.go)
            ).bytes)
    }

    /// An import that was applied, and what stayed when it was taken back.
    func importDone(
        _ id: ImportID, at site: SiteID
    ) throws -> (done: ImportRecords.Done, kept: [(name: String, why: ImportKept)], keptCount: Int, invited: Int)? {
        try given.store.read { database in
            guard let done = try ImportRecords.done(id, at: site, in: database) else { return nil }
            return (
                done, try ImportRecords.kept(of: id, limit: ImportView.shownProblems, in: database),
                try ImportRecords.countKept(of: id, in: database), try ImportRecords.countInvited(of: id, in: database)
            )
        }
    }

    // MARK: files to take away

    /// What spreadsheets of a language expect between fields.
    static func delimiter(_ language: Language) -> UInt8 { language == .en ? UInt8(ascii: ",") : UInt8(ascii: ";") }

    static func csv(_ bytes: [UInt8], name: String) -> Response {
        Response(
            contentType: "text/csv; charset=utf-8",
            headers: [("Content-Disposition", "attachment; filename=\"\(name).csv\"")], body: .bytes(bytes))
    }

    private func sample(_ request: Request, _ principal: Principal, _ language: Language) throws -> Response {
        let site = try Self.site(request, principal)
        let words = ImportWords.in(language)
        let role = try given.store.read { try AccountRecords.roles(of: site.id, in: $0) }.first?.name ?? ""
        let member = PagesWords.in(language).permission(Permission.member.rawValue)
        var writer = CSVWriter(delimiter: Self.delimiter(language))
        writer.row(ImportColumn.exported.map { $0.heading(words) })
        let today = site.zone.day(at: given.clock.now)
        writer.row([
            "Giulia Marchetti", "giulia.marchetti@example.com", role, member, today.iso8601, "", "", language.rawValue,
        ])
        writer.row([
            "Andrés Núñez", "andres.nunez@example.com", role, member, today.iso8601, today.adding(days: 90).iso8601, "",
            "es",
        ])
        return Self.csv(writer.bytes, name: words.fileName)
    }
}
