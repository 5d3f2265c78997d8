import Accounts
import Commands
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

extension Day {
    /// The day as a person writes it.
    public func text(_ language: Language) -> String {
        let (year, month, day) = civil
        return PagesWords.in(language).date(year: year, month: month, day: day)
    }
}

extension Gates {
    /// The words of a reason: the policy's, the gate's or the hub's.
    func words(for reason: Reason, gate: GateID, _ language: Language) -> String {
        let name = (try? store.read { try GateRecords.gate(gate, in: $0)?.policy }) ?? nil
        return words(for: reason, policy: name, language)
    }

    /// The words of a reason, where the name of the gate's policy is known.
    public func words(
        for reason: Reason, policy name: String?, _ language: Language, to audience: Audience = .person
    ) -> String {
        text(of: reason, policy: name, in: language.rawValue, to: audience)
            ?? GatesWords.in(language).gateReason(code: reason.code)
    }

    /// The screens of this room.
    public func register(
        pages: inout PageRoutes, commands: Commands, navigation: Navigation, live: Live, pairing: PairingDesk?
    ) {
        navigation.add { _, site, _, language in [(href: Self.path(of: site), label: GatesWords.in(language).gates)] }
        tellLive(live)

        pages.on(.get, "/") { _, principal, language in
            let sites = principal.sites(at: self.clock.now)
            if sites.count == 1, principal.locked.isEmpty {
                return .redirect(to: Self.start(of: sites[0], navigation).description)
            }
            // Nothing holds today: the page of what was, or is to come, says so gate by gate.
            if sites.isEmpty, principal.locked.isEmpty, let site = principal.memberships.last?.site.id {
                return .redirect(to: Self.path(of: site).description)
            }
            if let kind = sites.first?.kind, principal.locked.isEmpty, sites.allSatisfy({ $0.kind == kind }),
                let all = navigation.all(of: kind)
            {
                return .redirect(to: all.description)
            }
            return .html(PlacesView.page(try self.places(of: principal, sites, navigation, language)).bytes)
        }
        // Also for whoever has one place, and is led past this page.
        pages.on(.get, PlacesView.path.description) { _, principal, language in
            let sites = principal.sites(at: self.clock.now)
            return .html(PlacesView.page(try self.places(of: principal, sites, navigation, language)).bytes)
        }
        pages.on(.get, "/sites/{site}/gates") { request, principal, language in
            let site = try self.ownSite(request, principal)
            let path = Self.path(of: site.id)
            let isSaved = request.asksForSavedForm
            let isManager = principal.may(Permission.managing, at: site.id, self.clock.now)
            var model = GatesView.Model(
                language: language, person: principal.person.name, place: site.name,
                siteHref: principal.sites(at: self.clock.now).count > 1 ? "/" : nil,
                gates: try self.cards(of: principal, at: site, language, withDays: isSaved),
                navigation: navigation.items(for: principal, at: site.id, now: self.clock.now, language, current: path),
                path: path)
            model.isOver = !principal.belongs(to: site.id, self.clock.now)
            if isSaved {
                return Response.html(GatesView.page(self.saved(model, site.zone)).bytes)
                    .saved(for: principal.person, language)
            }
            model.keep = Self.kept(of: site.id, gates: model.gates.map(\.id))
            if isManager {
                model.manageHref = path.under("manage")
                model.panel = try self.panel(about: site, principal, language)
            }
            return .html(GatesView.page(model).bytes)
        }
        registerAdministration(&pages, navigation: navigation, pairing: pairing)
        pages.on(.get, "/gates/{id}") { request, principal, language in
            let (gate, site) = try self.ownGate(request, principal)
            var model = try self.badge(gate, site, principal, language, navigation)
            if request.asksForSavedForm {
                return Response.html(BadgeView.page(self.saved(model, site.zone)).bytes)
                    .saved(for: principal.person, language)
            }
            model.keep = Self.kept(of: gate.id, at: site.id)
            model.panel = try self.panel(onBadge: gate, site, principal, language)
            return .html(BadgeView.page(model).bytes)
        }
        pages.on(.post, "/gates/{id}/open", counted: .apart) { request, principal, language in
            let (gate, site) = try self.ownGate(request, principal)
            let result: Result<OpeningResult, TooOften>
            do { result = .success(try await self.open(gate.id, principal, commands)) } catch let refusal as TooOften {
                result = .failure(refusal)
            }
            var model = try self.badge(gate, site, principal, language, navigation)
            model.panel = try self.panel(onBadge: gate, site, principal, language)
            switch result {
            case .success(let result):
                model.eventID = result.eventID.text
                model.outcome = self.outcome(result, gate, language)
                return .html(BadgeView.page(model).bytes)
            case .failure(let refusal):
                model.outcome = .refused(refusal.text(in: language))
                var response = Response.html(BadgeView.page(model).bytes, status: 429)
                response.headers += refusal.problem(in: language).headers
                return response
            }
        }
        registerBadge(&pages, navigation: navigation)
    }

    static func path(of site: SiteID) -> LocalPath { "/sites/\(site.text)/gates" }

    /// Where a place begins: at its gates, unless another room has such places.
    static func start(of site: Site, _ navigation: Navigation) -> LocalPath {
        navigation.start(of: site) ?? path(of: site.id)
    }

    private func outcome(_ result: OpeningResult, _ gate: Gate, _ language: Language) -> BadgeView.Outcome {
        let text = result.reason.map { words(for: $0, policy: gate.policy, language) } ?? ""
        return switch result.outcome {
        case .opened: .opened(GatesWords.in(language).confirmed(milliseconds: result.milliseconds))
        case .unconfirmed: .unconfirmed(text)
        case .refused, nil: .refused(text)
        }
    }

    /// The site that the path names, if somebody has any membership there, current or not: a refusal then has words.
    func ownSite(_ request: Request, _ principal: Principal) throws -> Site {
        let id = try request.parameter("site", as: SiteID.self)
        try principal.requireUnlocked(id)
        guard let site = principal.memberships.first(where: { $0.site.id == id })?.site else {
            throw Problem.notFound()
        }
        return site
    }

    /// The gate that the path names, if somebody may know of it: a refusal then has words.
    private func ownGate(_ request: Request, _ principal: Principal) throws -> (Gate, Site) {
        let id = try request.parameter("id", as: GateID.self)
        let found = try store.read { database in
            try GateRecords.gate(id, in: database).flatMap { gate in
                try known([gate], to: principal, at: gate.site, clock.now, database).first
            }
        }
        guard let gate = found, gate.retired == nil else { throw Problem.notFound() }
        try principal.requireUnlocked(gate.site)
        guard let site = principal.memberships.first(where: { $0.site.id == gate.site })?.site
        else { throw Problem.notFound() }
        return (gate, site)
    }

    /// Whoever has, or is to have, access to a place sees its gates. Whose access is over sees those that they opened, to read why these
    /// are closed for them now.
    private func known(
        _ gates: [Gate], to principal: Principal, at site: SiteID, _ now: Timestamp, _ database: Database
    ) throws -> [Gate] {
        if principal.belongs(to: site, now) { return gates }
        let opened = try GateRecords.lastTransits(of: principal.person.id, in: database)
        return gates.filter { opened[$0.id] != nil }
    }

    /// - Parameter withDays: also a time of today with its day, for whoever reads it later.
    private func cards(
        of principal: Principal, at site: Site, _ language: Language, withDays: Bool = false
    ) throws -> [GatesView.Gate] {
        let now = clock.now
        return try store.read { database in
            let last = try GateRecords.lastTransits(of: principal.person.id, in: database)
            let gates = try known(
                GateRecords.gates(of: site.id, in: database), to: principal, at: site.id, now, database)
            return try gates.map { gate in
                .init(
                    id: gate.id.text, name: gate.name, state: try face(gate, principal, now, language, database),
                    lastOpened: last[gate.id].map { text(of: $0, site.zone, withDays ? nil : now, language) })
            }
        }
    }

    /// A time of today as a time, an earlier one with its day.
    private func text(of time: Timestamp, _ zone: Zone, _ now: Timestamp?, _ language: Language) -> String {
        let day = zone.day(at: time)
        return day == now.map(zone.day)
            ? zone.clockText(at: time) : "\(day.text(language)), \(zone.clockText(at: time))"
    }

    /// How a gate is for somebody at this moment.
    func face(
        _ gate: Gate, _ principal: Principal, _ now: Timestamp, _ language: Language, _ database: Database
    ) throws -> GatesView.State {
        if let policy = policy(gate.policy),
            case .denied(let reason) = try policy.decide(principal.person.id, gate, at: now, in: database)
        {
            return .denied(words(for: reason, policy: gate.policy, language))
        }
        return switch state(of: gate) {
        case .ready: .ready
        case .notReachable: .notReachable
        case .notPaired: .notPaired
        }
    }

    func badge(
        _ gate: Gate, _ site: Site, _ principal: Principal, _ language: Language, _ navigation: Navigation
    ) throws -> BadgeView.Model {
        let now = clock.now
        let (state, badge) = try store.read { database in
            (
                try face(gate, principal, now, language, database),
                try policy(gate.policy)?.badge(of: principal.person.id, at: site.id, now, in: database)
            )
        }
        return BadgeView.Model(
            language: language, person: principal.person.name, badgeCode: badge?.code ?? "", roleName: badge?.role,
            place: site.name, gate: .init(id: gate.id.text, name: gate.name, state: state),
            navigation: navigation.items(
                for: principal, at: site.id, now: now, language, current: Self.path(of: site.id)))
    }

    /// Tells the pages that live when a gate comes or goes, each reader what it means for them.
    private func tellLive(_ live: Live) {
        whenStateChanges { [self] id, _ in
            guard let gate = try? store.read({ try GateRecords.gate(id, in: $0) }) else { return }
            tell(live, gate)
        }
        whenGranted { gate, person in
            live.publish(to: person) { principal, _ in
                // Not in a session that the site shows nothing.
                principal.memberships.contains { $0.site.id == gate.site }
                    ? .init(event: "opening", id: nil, data: OpeningNews(gate: gate.id).document()) : nil
            }
        }
    }

    /// Tells somebody's pages how the gates of a site are for them now: something about them was changed.
    public func tellLive(_ live: Live, person: PersonID, at site: SiteID) throws {
        for gate in try store.read({ try GateRecords.gates(of: site, in: $0) }) {
            tell(live, gate, to: person)
        }
    }

    /// Tells the pages of several people, of everybody where nil, how the gates of a site are for them now.
    public func tellLive(_ live: Live, people: Set<PersonID>?, at site: SiteID) throws {
        for gate in try store.read({ try GateRecords.gates(of: site, in: $0) }) {
            tell(live, gate, people: people)
        }
    }

    private func tell(_ live: Live, _ gate: Gate, to person: PersonID? = nil, people: Set<PersonID>? = nil) {
        // Whose access has just ended may have the gate on an open page; of what happens later they hear as their pages show it.
        let isTheirs = person != nil || people != nil
        live.publish(to: person) { principal, language in
            guard principal.memberships.contains(where: { $0.site.id == gate.site }),
                people?.contains(principal.person.id) ?? true,
                let face = try? store.read({ database in
                    let shown = isTheirs ? [gate] : try known([gate], to: principal, at: gate.site, clock.now, database)
                    return try shown.first.map { try face($0, principal, clock.now, language, database) }
                })
            else { return nil }
            let news = GateNews(gate: gate.id, state: face, text: face.chip(GatesWords.in(language)))
            return .init(event: "gate", id: nil, data: news.document())
        }
    }
}
