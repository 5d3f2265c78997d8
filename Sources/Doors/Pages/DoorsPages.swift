import Accounts
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

extension Doors {
    /// So many people, or entries of the log, stand on a page.
    static let pageSize = 50

    /// The screens of managers.
    public func register(pages: inout PageRoutes) {
        let given = given
        given.navigation.add { principal, site, now, language in
            guard principal.may(Permission.managing, at: site, now) else { return [] }
            let words = DoorsWords.in(language)
            let (people, log): (LocalPath, LocalPath) = ("/sites/\(site.text)/people", "/sites/\(site.text)/log")
            let rules = RulesFrame.Tab.roles.path(site.text)
            return [
                (href: people, label: words.people), (href: log, label: words.log),
                (href: rules, label: RulesWords.in(language).rules),
            ]
        }
        registerPeople(&pages)
        registerImport(pages: &pages)
        registerChanges(pages: &pages)
        given.gates.addPanel(aboutGate: { gate, site, _, language in try panel(about: gate, site, language) })
        given.gates.addPanel(aboutPlace: { site, _, language in try guide(site, language) })
        register(checkIn: &pages)
        registerRoles(&pages)
        registerHours(&pages)
        registerSpecialDays(&pages)
        registerGroups(&pages)
        pages.on(.get, "/sites/{site}/log", for: Permission.managing) { request, principal, language in
            .html(LogView.page(try log(request, principal, language)).bytes)
        }
        register(legacyPages: &pages)
    }

    func navigation(_ site: SiteID, _ principal: Principal, _ language: Language, _ current: LocalPath)
        -> [NavItem]
    {
        given.navigation.items(for: principal, at: site, now: given.clock.now, language, current: current)
    }

    // MARK: the log

    private func log(_ request: Request, _ principal: Principal, _ language: Language) throws -> LogView.Model {
        let site = try Self.site(request, principal)
        let before = try request.query.get("before", as: UInt64.self)
        let events = try given.ledger.newest(
            of: site.id, kinds: Self.logKinds, before: before, limit: Self.pageSize + 1)
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
        if !OpeningKind.endings.contains(event.kind) { return ledgerEntry(event, site, language) }
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
            case "legacy": LegacyWords.in(language).byOldBadge
            default: words.throughHub
            }
        let today = site.zone.day(at: given.clock.now)
        let day = site.zone.day(at: line.at)
        let clock = site.zone.clockText(at: line.at)
        let repeated = line.repeats.map {
            [more.repeated($0.count, site.zone.clockText(at: $0.first), site.zone.clockText(at: $0.last))]
        }
        return LogView.Entry(
            eventID: event.id.text, sequence: Int(event.sequence), time: line.at.iso8601,
            timeText: day == today ? clock : "\(day.text(language)), \(clock)", person: line.person ?? more.nobody,
            gate: line.gate ?? "",
            how: ([how] + more.intent(line.intent, reason: line.intentReason) + (repeated ?? [])
                + (line.isLate ? [more.cameLater] : []))
                .joined(separator: ", "), outcome: outcome)
    }

    /// Tells managers' pages every line of the log as it is written. Runs until cancelled.
    func tellLive() async throws {
        given.live.whenSomebodyReturns { principal, language, lastID in
            guard let position = Int64(lastID), let events = try? given.ledger.events(after: position, limit: 200)
            else { return [] }
            return events.compactMap { notice($0, principal, language) }
        }
        try await given.ledger.follow { events in
            for event in events where Self.logKinds.contains(event.kind) {
                given.live.publish { notice(event, $0, $1) }
            }
        }
    }

    private func notice(_ event: Event, _ principal: Principal, _ language: Language) -> Live.Notice? {
        guard principal.may(Permission.managing, at: event.site, given.clock.now),
            let site = principal.memberships.first(where: { $0.site.id == event.site })?.site,
            Self.logKinds.contains(event.kind), let entry = entry(event, site, language)
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
