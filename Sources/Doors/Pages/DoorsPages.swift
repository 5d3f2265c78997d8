import Accounts
import Gates
import HTTPServer
import Ledger
import Pages
import Store
import System

extension Doors {
    /// So many people, or entries of the log, stand on a page.
    private static let pageSize = 50

    /// The screens of managers.
    public func register(pages: inout PageRoutes) {
        let given = given
        given.navigation.add { principal, site, now, language in
            guard principal.may(Permission.managing, at: site, now) else { return [] }
            let words = DoorsWords.in(language)
            let (people, log): (LocalPath, LocalPath) = ("/sites/\(site.text)/people", "/sites/\(site.text)/log")
            return [(href: people, label: words.people), (href: log, label: words.log)]
        }
        pages.on(.get, "/sites/{site}/people", for: Permission.managing) { request, principal, language in
            .html(PeopleView.page(try people(request, principal, language)).bytes)
        }
        pages.on(.get, "/sites/{site}/people/{membership}", for: Permission.managing) { request, principal, language in
            let saved = try request.query.get("saved", as: String.self) != nil
            return .html(MembershipView.page(try membership(request, principal, language, saved: saved)).bytes)
        }
        pages.on(.post, "/sites/{site}/people/{membership}", for: Permission.managing) { request, principal, language in
            try await save(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/log", for: Permission.managing) { request, principal, language in
            .html(LogView.page(try log(request, principal, language)).bytes)
        }
    }

    private func navigation(_ site: SiteID, _ principal: Principal, _ language: Language, _ current: LocalPath)
        -> [NavItem]
    {
        given.navigation.items(for: principal, at: site, now: given.clock.now, language, current: current)
    }

    // MARK: people

    private func people(_ request: Request, _ principal: Principal, _ language: Language) throws -> PeopleView.Model {
        let site = try Self.site(request, principal)
        let search = String((try request.query.get("search", as: String.self) ?? "").prefix(100))
        let page = min(max(try request.query.get("page", as: Int.self) ?? 1, 1), 100_000)
        let offset = (page - 1) * Self.pageSize
        let rows = try given.store.read {
            try AccountRecords.people(of: site.id, search: search, offset: offset, limit: Self.pageSize + 1, in: $0)
        }
        let today = site.zone.day(at: given.clock.now)
        let base: LocalPath = "/sites/\(site.id.text)/people"
        func href(_ page: Int) -> LocalPath { base.adding("search", search).adding("page", "\(page)") }
        let words = (PagesWords.in(language), DoorsWords.in(language))
        return PeopleView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            rows: rows.prefix(Self.pageSize).map { membership, person, role in
                PeopleView.Row(
                    membershipID: membership.id.text, name: person.name, email: person.email,
                    permission: words.0.permission(membership.permission.rawValue), role: role,
                    firstDay: membership.firstDay?.text(language), lastDay: membership.lastDay?.text(language),
                    status: Self.status(membership, today, words.1, language),
                    href: "/sites/\(site.id.text)/people/\(membership.id.text)")
            }, search: search, previousHref: page > 1 ? href(page - 1) : nil,
            nextHref: rows.count > Self.pageSize ? href(page + 1) : nil,
            navigation: navigation(site.id, principal, language, base))
    }

    private static func status(
        _ membership: Membership, _ today: Day, _ words: DoorsWords, _ language: Language
    ) -> PeopleView.Status {
        if let first = membership.firstDay, first > today { return .future(words.startsOn(first.text(language))) }
        if let last = membership.lastDay, last < today { return .ended(words.endedOn(last.text(language))) }
        return .current
    }

    /// The form of a membership: of the one that the path names, or of a new person for `new`.
    private func membership(
        _ request: Request, _ principal: Principal, _ language: Language, saved: Bool = false
    ) throws -> MembershipView.Model {
        let site = try Self.site(request, principal)
        let name = try request.parameter("membership", as: String.self)
        let (roles, found) = try given.store.read { database in
            (
                try AccountRecords.roles(of: site.id, in: database),
                try MembershipID(name).flatMap { id -> (Membership, Person)? in
                    guard let membership = try AccountRecords.membership(id, in: database), membership.site == site.id,
                        let person = try AccountRecords.person(membership.person, in: database)
                    else { return nil }
                    return (membership, person)
                }
            )
        }
        if found == nil, name != "new" { throw Problem.notFound() }
        return MembershipView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            membershipID: found?.0.id.text, name: found?.1.name ?? "", email: found?.1.email ?? "",
            roles: roles.map { .init(id: $0.id.text, name: $0.name) }, roleID: found?.0.role?.text,
            permission: found?.0.permission.rawValue ?? "member",
            permissions: Self.permissions(for: principal, at: site.id, given.clock.now).map(\.rawValue),
            firstDay: found?.0.firstDay?.iso8601 ?? (found == nil ? site.zone.day(at: given.clock.now).iso8601 : ""),
            lastDay: found?.0.lastDay?.iso8601 ?? "", timeZone: site.zone.name, saved: saved,
            navigation: navigation(site.id, principal, language, "/sites/\(site.id.text)/people"))
    }

    private func save(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response {
        var model = try membership(request, principal, language)
        let site = try Self.site(request, principal)
        let form = try request.form()
        func text(_ field: String) throws -> String { try form.get(field) ?? "" }
        let entry = MembershipEntry(
            name: try text("name"), email: try text("email"), password: try text("password"),
            permission: try text("permission"),
            role: try text("role"), firstDay: try text("first_day"), lastDay: try text("last_day"))
        do {
            let saved: Membership
            if let id = model.membershipID.flatMap({ MembershipID($0) }) {
                (saved, _) = try await changeMembership(id, at: site, by: principal, name: entry.name, entry)
            } else {
                (saved, _) = try await addPerson(entry, at: site, by: principal)
            }
            return .redirect(to: "/sites/\(site.id.text)/people/\(saved.id.text)?saved=1")
        } catch let refusal as MembershipEntry.Refusal {
            (model.name, model.roleID, model.permission) = (entry.name, entry.role, entry.permission)
            (model.firstDay, model.lastDay) = (entry.firstDay, entry.lastDay)
            if model.membershipID == nil { model.email = entry.email }
            model.refused[refusal.field] = MembershipWords.in(language).refusal(refusal.why)
            return .html(MembershipView.page(model).bytes, status: 422)
        }
    }

    // MARK: the log

    private func log(_ request: Request, _ principal: Principal, _ language: Language) throws -> LogView.Model {
        let site = try Self.site(request, principal)
        let before = try request.query.get("before", as: UInt64.self)
        let events = try given.ledger.newest(
            of: site.id, kinds: OpeningKind.endings, before: before, limit: Self.pageSize + 1)
        let base: LocalPath = "/sites/\(site.id.text)/log"
        let shown = events.prefix(Self.pageSize)
        let older = events.count > Self.pageSize ? shown.last.map { base.adding("before", "\($0.sequence)") } : nil
        return LogView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            entries: shown.compactMap { entry($0, site, language) },
            navigation: navigation(site.id, principal, language, base),
            olderHref: older, isNewest: before == nil)
    }

    /// A line of the log, in words.
    private func entry(_ event: Event, _ site: Site, _ language: Language) -> LogView.Entry? {
        guard let line = given.gates.line(of: event) else { return nil }
        let (words, more) = (DoorsWords.in(language), MembershipWords.in(language))
        let reason = line.reason.map { given.gates.words(for: $0, policy: line.policy, language, to: .manager) } ?? ""
        let outcome: LogView.Outcome =
            switch event.kind {
            case OpeningKind.opened: .opened
            case OpeningKind.refused: .refused(reason)
            case OpeningKind.denied: .denied(reason)
            case OpeningKind.unconfirmed: .unconfirmed
            default: .other(event.kind)
            }
        let how =
            switch line.how {
            case "ble": words.overTheAir
            case "qr": words.byCode
            case "serial": words.byCard
            default: words.throughHub
            }
        let today = site.zone.day(at: given.clock.now)
        let day = site.zone.day(at: line.at)
        let clock = site.zone.clockText(at: line.at)
        return LogView.Entry(
            eventID: event.id.text, sequence: Int(event.sequence), time: line.at.iso8601,
            timeText: day == today ? clock : "\(day.text(language)), \(clock)", person: line.person ?? more.nobody,
            gate: line.gate ?? "", how: line.isLate ? "\(how), \(more.cameLater)" : how, outcome: outcome)
    }

    /// Tells managers' pages every line of the log as it is written. Runs until cancelled.
    func tellLive() async throws {
        given.live.whenSomebodyReturns { principal, language, lastID in
            guard let position = Int64(lastID), let events = try? given.ledger.events(after: position, limit: 200)
            else { return [] }
            return events.compactMap { notice($0, principal, language) }
        }
        try await given.ledger.follow { events in
            for event in events where OpeningKind.endings.contains(event.kind) {
                given.live.publish { notice(event, $0, $1) }
            }
        }
    }

    private func notice(_ event: Event, _ principal: Principal, _ language: Language) -> Live.Notice? {
        guard principal.may(Permission.managing, at: event.site, given.clock.now),
            let site = principal.memberships.first(where: { $0.site.id == event.site })?.site,
            OpeningKind.endings.contains(event.kind), let entry = entry(event, site, language)
        else { return nil }
        var json = JSONWriter(capacity: 400)
        json.object { json in
            json.field("id", entry.eventID)
            json.field("site", event.site.text)
            json.field("sequence", entry.sequence)
            json.field("at", entry.time)
            json.field("atText", entry.timeText)
            json.field("person", entry.person)
            json.field("gate", entry.gate)
            json.field("how", entry.how)
            json.field("outcome", entry.outcome.name)
            json.field("text", entry.outcome.text(DoorsWords.in(language)))
        }
        return .init(event: "log", id: String(event.position), data: json.bytes)
    }
}
