import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

extension Doors {
    /// A form of a thousand boxes has more fields than others.
    static let longForm = 2500

    func registerRoles(_ pages: inout PageRoutes) {
        pages.on(.get, "/sites/{site}/roles", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            let rows = try roleRows(site)
            let words = RulesWords.in(language)
            let notice = try request.query.get("removed", as: String.self).map { _ in words.removed }
            return .html(RolesView.list(around, rows: rows, notice: notice).bytes)
        }
        pages.on(.get, "/sites/{site}/roles/{role}", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            var (model, _) = try role(request, site)
            model.saved = try request.query.get("saved", as: String.self) != nil
            return .html(RolesView.page(around, model).bytes)
        }
        pages.on(.post, "/sites/{site}/roles/{role}", for: Permission.managing, bodyLimit: Self.longBody) {
            request, principal, language in
            try await saveRole(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/roles/{role}/remove", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            let (model, _) = try role(request, site)
            guard let id = model.id else { throw Problem.notFound() }
            let words = RulesWords.in(language)
            return .html(
                RulesFrame.removal(
                    around, .roles, name: model.title, id: id,
                    sentences: [model.people == 0 ? words.removeRoleDetail : words.roleInUse(model.people)],
                    canRemove: model.people == 0,
                    link: model.people == 0 ? nil : (RolesView.peopleHref(site.id.text, id), words.showPeople)
                ).bytes)
        }
        pages.on(.post, "/sites/{site}/roles/{role}/remove", for: Permission.managing) { request, principal, _ in
            let site = try Self.site(request, principal)
            let id = try request.parameter("role", as: RoleID.self)
            let own: LocalPath = "/sites/\(site.id.text)/roles/\(id.text)/remove"
            return try await Self.removing(back: own, to: "/sites/\(site.id.text)/roles?removed=1") {
                try await removeRole(id, at: site, by: principal.person.id)
            }
        }
    }

    /// What stands around a page of rules.
    func rulesAround(
        _ request: Request, _ principal: Principal, _ language: Language
    ) throws -> (Surroundings, Site) {
        let site = try Self.site(request, principal)
        return (
            Surroundings(
                language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
                navigation: given.navigation.items(
                    for: principal, at: site.id, now: given.clock.now, language,
                    current: RulesFrame.Tab.roles.path(site.id.text))),
            site
        )
    }

    /// Runs a removal from a page: what is in use asks again, what is gone is not there.
    static func removing(
        back: LocalPath, to list: String, _ body: () async throws -> Void
    ) async throws -> Response {
        do {
            try await body()
            return .redirect(to: list)
        } catch let fault as RuleFault {
            if case .inUse = fault.why { return .redirect(to: back.description) }
            throw fault
        }
    }

    private func roleRows(_ site: Site) throws -> [RolesView.Row] {
        let today = site.zone.day(at: given.clock.now)
        return try given.store.read { database in
            let used = Set(try GateRecords.gates(of: site.id, in: database).map(\.id))
            let groups = try DoorsRecords.gateGroups(of: site.id, in: database)
            let hours = try DoorsRecords.timetables(of: site.id, in: database)
            let people = try DoorsRecords.peopleCounts(at: site.id, today: today, in: database)
            return try DoorsRecords.roleRules(of: site.id, in: database).map { rule in
                let own = Set(rule.gates).union(groups.filter { rule.groups.contains($0.id) }.flatMap(\.gates))
                return RolesView.Row(
                    id: rule.role.id.text, name: rule.role.name, level: rule.role.level,
                    hours: hours.first { $0.id == rule.hours }?.name, gates: own.intersection(used).count,
                    people: people[rule.role.id] ?? 0)
            }
        }
    }

    /// The form of the role that the path names, or of a new one for `new`, and the gates that it has and does not show.
    private func role(_ request: Request, _ site: Site) throws -> (RolesView.Model, unseen: [GateID]) {
        let name = try request.parameter("role", as: String.self)
        let today = site.zone.day(at: given.clock.now)
        return try given.store.read { database in
            let rule = try RoleID(name).flatMap { try DoorsRecords.roleRule($0, at: site.id, in: database) }
            if rule == nil && name != "new" { throw Problem.notFound() }
            let gates = try GateRecords.gates(of: site.id, in: database)
            let groups = try DoorsRecords.gateGroups(of: site.id, in: database)
            var model = RolesView.Model()
            model.timetables = try DoorsRecords.timetables(of: site.id, in: database).map { ($0.id.text, $0.name) }
            model.groups = groups.map { ($0.id.text, $0.name, $0.gates.count) }
            model.gates = Self.choice(gates, groups, chosen: Set(rule?.gates.map(\.text) ?? []))
            guard let rule else { return (model, []) }
            (model.id, model.title, model.name) = (rule.role.id.text, rule.role.name, rule.role.name)
            model.level = "\(rule.role.level)"
            model.hours = rule.hours?.text ?? ""
            model.chosenGroups = Set(rule.groups.map(\.text))
            model.people = try DoorsRecords.peopleCounts(at: site.id, today: today, in: database)[rule.role.id] ?? 0
            let shown = Set(gates.map(\.id))
            return (model, rule.gates.filter { !shown.contains($0) })
        }
    }

    /// The gates of a form, each under the first group that has it.
    static func choice(_ gates: [Gate], _ groups: [GateGroup], chosen: Set<String>) -> RulesFrame.GateChoice {
        var left = gates
        var sections: [(name: String?, gates: [RulesFrame.GateChoice.One])] = []
        for group in groups {
            let own = Set(group.gates)
            let here = left.filter { own.contains($0.id) }
            if here.isEmpty { continue }
            left.removeAll { own.contains($0.id) }
            sections.append((group.name, here.map { .init(id: $0.id.text, name: $0.name) }))
        }
        if !left.isEmpty { sections.append((nil, left.map { .init(id: $0.id.text, name: $0.name) })) }
        return RulesFrame.GateChoice(sections: sections, chosen: chosen)
    }

    private func saveRole(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response {
        let (around, site) = try rulesAround(request, principal, language)
        var (model, unseen) = try role(request, site)
        let form = try request.form(fieldLimit: Self.longForm)
        model.name = try form.get("name") ?? ""
        model.level = try form.get("level") ?? ""
        model.hours = try form.get("hours") ?? ""
        model.chosenGroups = Set(form.all("group"))
        model.gates.chosen = Set(form.all("gate"))
        if try form.get("show", as: String.self) != nil {
            model.gates.filter = String((try form.get("filter") ?? "").prefix(80))
            return .html(RolesView.page(around, model).bytes)
        }
        do {
            guard let level = Int(model.level) else { throw RuleFault(field: "level", why: .level) }
            func ids<Kind>(_ texts: some Collection<String>, _ field: String) throws(RuleFault) -> [ID<Kind>] {
                let ids = texts.compactMap { ID<Kind>($0) }
                if ids.count != texts.count { throw RuleFault(field: field, why: .unknown) }
                return ids
            }
            let hours: [TimetableID] = try ids(model.hours.isEmpty ? [] : [model.hours], "hours")
            let entry = RoleEntry(
                name: model.name, level: level, gates: try ids(model.gates.chosen, "gates") + unseen,
                groups: try ids(model.chosenGroups, "groups"), hours: hours.first)
            let saved = try await putRole(
                model.id.flatMap { RoleID($0) }, entry, at: site.id, by: principal.person.id)
            return .redirect(to: "/sites/\(site.id.text)/roles/\(saved.role.id.text)?saved=1")
        } catch let fault as RuleFault {
            if fault.why == .gone { throw Problem.notFound() }
            model.refused[fault.field] = RulesWords.in(language).fault(fault.why)
            return .html(RolesView.page(around, model).bytes, status: 422)
        }
    }
}
