import Accounts
import HTTPServer
import Identity
import Ledger
import Notices
import Store
import System

extension NoticePages {
    /// Of the form: the people, and its other fields.
    private static let mostFields = PeopleChoice.mostChosen + 16
    /// An id for each of the people, and the text, every byte of which may be percent-encoded.
    private static let formLimit = 64 << 10

    func registerSent(_ pages: inout PageRoutes) {
        pages.on(.get, "/sites/{site}/notices", for: Permission.managing) { request, principal, language in
            try page(request, principal, language)
        }
        pages.on(.post, "/sites/{site}/notices", for: Permission.managing, bodyLimit: Self.formLimit) {
            request, principal, language in
            let site = try Self.site(request, principal)
            let form = try request.form(fieldLimit: Self.mostFields)
            var draft = try Self.draft(form)
            if let number = try form.get("show", as: Int.self) {
                // Whoever looks for people does not mean everybody.
                (draft.page, draft.isForEverybody) = (number, false)
                return try page(request, principal, language, draft)
            }
            do {
                let id = try await send(draft, at: site, by: principal)
                return .redirect(to: "/sites/\(site.id.text)/notices/\(id.text)?sent=1")
            } catch let refusal as NoticeRefusal {
                return try page(request, principal, language, draft, refusal)
            }
        }
        pages.on(.get, "/sites/{site}/notices/{id}", for: Permission.managing) { request, principal, language in
            let site = try Self.site(request, principal)
            let id = try request.parameter("id", as: NoticeID.self)
            let delivery = try notices.delivery(of: id, for: principal)
            guard delivery.notice.site == site.id else { throw Problem.notFound() }
            let (words, now) = (NoticesWords.in(language), accounts.clock.now)
            let own: LocalPath = "/sites/\(site.id.text)/notices"
            let isSent = try request.query.get("sent", as: String.self) != nil
            let html = around(site, principal, language, own).page(
                title: words.deliveryTitle, path: "/sites/\(site.id.text)/notices/\(id.text)",
                back: (own, words.sentTitle)
            ) {
                if isSent { Part.notice(.go, words.sent) }
                DeliveryView.content(delivery, language) {
                    PagesWords.in(language).moment($0, in: site.zone, now: now)
                }
            }
            return .html(html.bytes)
        }
    }

    static func site(_ request: Request, _ principal: Principal) throws -> Site {
        let id = try request.parameter("site", as: SiteID.self)
        guard let site = principal.memberships.first(where: { $0.site.id == id })?.site else {
            throw Problem.notFound()
        }
        return site
    }

    func around(_ site: Site, _ principal: Principal, _ language: Language, _ current: LocalPath) -> Surroundings {
        Surroundings(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            navigation: navigation.items(
                for: principal, at: site.id, now: accounts.clock.now, language, current: current))
    }

    // MARK: the form

    private static func draft(_ form: Form) throws -> SentView.Draft {
        var draft = SentView.Draft()
        draft.title = String((try form.get("title") ?? "").prefix(2_000))
        draft.body = String((try form.get("body") ?? "").prefix(4_000))
        draft.urgency = try form.get("urgency") ?? ""
        draft.isForEverybody = try form.get("everybody", as: String.self) != nil
        draft.people = Set(form.all("person"))
        draft.filter = String((try form.get("filter") ?? "").prefix(100))
        draft.isInTurn = try form.get("turns", as: String.self) != nil
        draft.minutes = String((try form.get("minutes") ?? "").prefix(8))
        return draft
    }

    private func send(_ draft: SentView.Draft, at site: Site, by principal: Principal) async throws -> NoticeID {
        let words = try NoticeWords(typedTitle: draft.title, body: draft.body)
        guard let urgency = Urgency(rawValue: draft.urgency), urgency != .critical else {
            throw NoticeRefusal.invalid(field: "urgency")
        }
        if draft.isForEverybody, !draft.people.isEmpty { throw NoticeRefusal.invalid(field: "everybody") }
        let minutes = draft.isInTurn ? Int(draft.minutes) : nil
        if draft.isInTurn && minutes == nil { throw NoticeRefusal.invalid(field: "minutesBetween") }
        // In the order of the list, which is that of names.
        let named = try accounts.store.read { try chosen(draft, at: site, in: $0) }.map(\.id)
        guard named.count == draft.people.count else { throw NoticeRefusal.invalid(field: "people") }
        return try await notices.sendNews(
            words, urgency, at: site.id, to: draft.isForEverybody ? nil : named, minutesBetween: minutes,
            by: principal.person.id)
    }

    /// Who was ticked and is here today, by name.
    private func chosen(_ draft: SentView.Draft, at site: Site, in database: Database) throws -> [Person] {
        if draft.people.isEmpty { return [] }
        let present = try Notices.present(at: site.id, accounts.clock.now, in: database)
        return try draft.people.compactMap { PersonID($0) }.filter(present.contains)
            .compactMap { try AccountRecords.person($0, in: database) }
            .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    private func choice(_ draft: SentView.Draft, at site: Site, in database: Database) throws -> PeopleChoice {
        let today = site.zone.day(at: accounts.clock.now)
        func count(_ search: String) throws -> Int {
            try AccountRecords.presentCount(at: site.id, on: today, search: search, in: database)
        }
        let found = try count(draft.filter)
        let page = PeopleChoice.page(draft.page, of: found)
        return PeopleChoice(
            total: draft.filter.isEmpty ? found : try count(""), count: found, page: page,
            found: try AccountRecords.present(
                at: site.id, on: today, search: draft.filter, offset: (page - 1) * PeopleChoice.pageSize,
                limit: PeopleChoice.pageSize, in: database
            ).map(PeopleChoice.One.init), chosen: try chosen(draft, at: site, in: database).map(PeopleChoice.One.init))
    }

    private func page(
        _ request: Request, _ principal: Principal, _ language: Language, _ draft: SentView.Draft = .init(),
        _ refusal: NoticeRefusal? = nil
    ) throws -> Response {
        let site = try Self.site(request, principal)
        let (words, now) = (NoticesWords.in(language), accounts.clock.now)
        let own: LocalPath = "/sites/\(site.id.text)/notices"
        let before = try request.query.get("before", as: String.self).flatMap { NoticeID($0) }
        let (rows, last) = try accounts.store.read { database in
            let found = try NoticeRecords.sent(at: site.id, before: before, limit: Self.pageSize + 1, in: database)
            let rows = try found.map { sent in
                let sender = try sent.notice.sender.flatMap { try AccountRecords.person($0, in: database)?.name }
                let created = sent.notice.created
                return SentView.Row(
                    href: "/sites/\(site.id.text)/notices/\(sent.notice.id.text)",
                    title: sent.notice.content.text[language].title,
                    moment: (created.iso8601, PagesWords.in(language).moment(created, in: site.zone, now: now)),
                    sender: sender, recipients: sent.recipients, notReached: sent.notReached, read: sent.read,
                    isTaken: sent.isTaken)
            }
            return (rows, found.prefix(Self.pageSize).last?.notice.id)
        }
        let shown = Array(rows.prefix(Self.pageSize))
        var model = SentView.Model(
            rows: shown, choice: try accounts.store.read { try choice(draft, at: site, in: $0) }, draft: draft,
            olderHref: rows.count > Self.pageSize ? last.map { own.adding("before", $0.text) } : nil)
        let status = Self.tell(refusal, words, &model)
        let html = around(site, principal, language, own).page(title: words.sentTitle, path: own) {
            SentView.content(model, own, language)
            p { a(.href("/sites/\(site.id.text)/webhook")) { words.server } }
        }
        return .html(html.bytes, status: status)
    }

    /// - Returns: the status of the page.
    private static func tell(_ refusal: NoticeRefusal?, _ words: NoticesWords, _ model: inout SentView.Model) -> Int {
        switch refusal {
        case nil: return 200
        case .tooMany:
            model.notice = (.wait, words.tooMany)
            return 429
        case .invalid(let field):
            let said = [
                "title": words.titleRefused, "body": words.bodyRefused, "minutesBetween": words.inTurnHint,
                "everybody": words.everybodyOrSome,
            ]
            let text = said[field] ?? words.peopleRefused
            model.draft.refused[field == "everybody" ? "people" : field] = text
            model.notice = (.no, text)
            return 422
        default:
            model.notice = (.no, words.peopleRefused)
            return 422
        }
    }
}
