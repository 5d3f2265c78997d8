import Accounts
import Bus
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System
import Wire

extension Gates {
    /// The screens on which managers look after gates.
    func registerAdministration(_ pages: inout PageRoutes, navigation: Navigation, pairing: PairingDesk?) {
        let accounts = pages.accounts
        pages.on(.get, "/sites/{site}/gates/manage", for: Permission.managing) { request, principal, language in
            let (around, site) = try self.surroundings(request, principal, language, navigation)
            let now = self.clock.now
            let sign = GatesWords.in(language).decimalSign
            let (gates, waiting) = try self.store.read { database in
                (
                    try GateRecords.allGates(of: site.id, in: database),
                    try PairingRecords.waiting(PairedGates.kind, now: now, in: database)
                )
            }
            let rows = gates.map { gate in
                GateListView.Row(
                    id: gate.id.text, name: gate.name, pulse: gate.pulseText(sign),
                    state: self.stand(of: gate, isWaiting: waiting.contains(gate.id.raw)))
            }
            return .html(GateListView.page(around, rows: rows).bytes)
        }
        pages.on(.get, "/sites/{site}/gates/new", for: Permission.managing) { request, principal, language in
            let (around, _) = try self.surroundings(request, principal, language, navigation)
            return .html(GateAdminView.page(around, .init(policies: self.policyNames)).bytes)
        }
        pages.on(.post, "/sites/{site}/gates/new", for: Permission.managing) { request, principal, language in
            let (around, site) = try self.surroundings(request, principal, language, navigation)
            let form = try request.form()
            let entry = try GateEntry(form)
            do {
                guard let pulse = Gate.pulse(text: entry.pulse) else { throw GateRefusal.pulse }
                let gate = try await self.addGate(
                    name: entry.name, policy: try form.get("policy", as: String.self), pulse: pulse, at: site.id,
                    by: principal.person.id)
                return .redirect(to: "/sites/\(site.id.text)/gates/\(gate.id.text)?saved=1")
            } catch let refusal as GateRefusal {
                var model = GateAdminView.Model(name: entry.name, pulse: entry.pulse, policies: self.policyNames)
                model.refused[refusal.field] = GateAdminWords.in(language).refusal(refusal)
                return .html(GateAdminView.page(around, model).bytes, status: 422)
            }
        }
        pages.on(.get, "/sites/{site}/gates/{gate}", for: Permission.managing) { request, principal, language in
            let (around, site) = try self.surroundings(request, principal, language, navigation)
            var model = try self.administered(request, site, principal, language, hub: pairing?.address)
            model.saved = try request.query.get("saved", as: String.self) != nil
            return .html(GateAdminView.page(around, model).bytes)
        }
        pages.on(.post, "/sites/{site}/gates/{gate}", for: Permission.managing) { request, principal, language in
            let (around, site) = try self.surroundings(request, principal, language, navigation)
            let (_, id) = try Self.names(request)
            let entry = try GateEntry(try request.form())
            do {
                guard let pulse = Gate.pulse(text: entry.pulse) else { throw GateRefusal.pulse }
                _ = try await self.changeGate(
                    id, at: site.id, by: principal.person.id, name: entry.name, pulse: pulse)
                return .redirect(to: "/sites/\(site.id.text)/gates/\(id.text)?saved=1")
            } catch let refusal as GateRefusal {
                if refusal == .unknown { throw Problem.notFound() }
                var model = try self.administered(request, site, principal, language, hub: pairing?.address)
                (model.name, model.pulse) = (entry.name, entry.pulse)
                model.refused[refusal.field] = GateAdminWords.in(language).refusal(refusal)
                return .html(GateAdminView.page(around, model).bytes, status: 422)
            }
        }
        pages.on(.post, "/sites/{site}/gates/{gate}/pairing", for: Permission.managing) { request, principal, _ in
            let (site, id) = try Self.names(request)
            _ = try await self.beginPairing(id, at: site, by: principal, accounts, pairing)
            return .redirect(to: "/sites/\(site.text)/gates/\(id.text)")
        }
        registerRetirement(&pages, navigation)
    }

    private func registerRetirement(_ pages: inout PageRoutes, _ navigation: Navigation) {
        pages.on(.get, "/sites/{site}/gates/{gate}/retire", for: Permission.managing) { request, principal, language in
            let (around, site) = try self.surroundings(request, principal, language, navigation)
            let gate = try self.gate(request, at: site)
            return .html(
                GateAdminView.retirement(
                    around, id: gate.id.text, name: gate.name,
                    panel: try self.panel(about: gate, site, principal, language)
                ).bytes)
        }
        pages.on(.post, "/sites/{site}/gates/{gate}/retire", for: Permission.managing) { request, principal, _ in
            let (site, id) = try Self.names(request)
            try await Self.finding { _ = try await self.retire(id, at: site, by: principal.person.id) }
            return .redirect(to: "/sites/\(site.text)/gates/\(id.text)")
        }
        pages.on(.post, "/sites/{site}/gates/{gate}/reinstate", for: Permission.managing) { request, principal, _ in
            let (site, id) = try Self.names(request)
            try await Self.finding { _ = try await self.reinstate(id, at: site, by: principal.person.id) }
            return .redirect(to: "/sites/\(site.text)/gates/\(id.text)")
        }
    }

    /// The fields of a gate's form.
    private struct GateEntry {
        let name: String
        let pulse: String
        init(_ form: Form) throws {
            name = try form.get("name") ?? ""
            pulse = try form.get("pulse") ?? ""
        }
    }

    private static func finding(_ body: () async throws -> Void) async throws {
        do { try await body() } catch GateRefusal.unknown { throw Problem.notFound() }
    }

    private func surroundings(
        _ request: Request, _ principal: Principal, _ language: Language, _ navigation: Navigation
    ) throws -> (Surroundings, Site) {
        let site = try ownSite(request, principal)
        return (
            Surroundings(
                language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
                navigation: navigation.items(
                    for: principal, at: site.id, now: clock.now, language, current: Self.path(of: site.id))),
            site
        )
    }

    private func gate(_ request: Request, at site: Site) throws -> Gate {
        let (_, id) = try Self.names(request)
        guard let gate = try store.read({ try GateRecords.gate(id, in: $0) }), gate.site == site.id else {
            throw Problem.notFound()
        }
        return gate
    }

    private func stand(of gate: Gate, isWaiting: Bool) -> GateListView.State {
        if gate.retired != nil { return .outOfUse }
        return switch state(of: gate) {
        case .ready: .connected
        case .notReachable: .notConnected
        case .notPaired: isWaiting ? .waiting : .notPaired
        }
    }

    private func administered(
        _ request: Request, _ site: Site, _ principal: Principal, _ language: Language, hub: BusAddress?
    ) throws -> GateAdminView.Model {
        let gate = try gate(request, at: site)
        let now = clock.now
        let pending = try store.read { try PairingRecords.pending(PairedGates.kind, gate.id.raw, now: now, in: $0) }
        var model = GateAdminView.Model(
            id: gate.id.text, name: gate.name, pulse: gate.pulseText(GatesWords.in(language).decimalSign))
        model.state = stand(of: gate, isWaiting: pending != nil)
        model.retired = gate.retired.map {
            GateAdminWords.in(language).retiredOn(site.zone.day(at: $0).text(language))
        }
        model.hub = hub
        if gate.key != nil, let report = try health(of: gate.id) {
            model.health = GateHealthView.part(report, of: gate, in: site.zone, now: now, language)
        }
        model.panel = try panel(about: gate, site, principal, language)
        model.code = pending.flatMap { PairingCodeView.Code($0, at: site, now: now) }
        return model
    }
}
