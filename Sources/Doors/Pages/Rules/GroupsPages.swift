import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

/// A site's groups of gates: the list, and the form of one.
enum GroupsView {
    /// A group in the list.
    struct Row: Sendable {
        var id: String
        var name: String
        var gates: Int
        var roles: Int
    }

    static func list(_ around: Surroundings, rows: [Row], notice: String?) -> HTML {
        let words = RulesWords.in(around.language)
        let own = RulesFrame.Tab.groups.path(around.siteID)
        return RulesFrame.list(around, .groups, notice: notice, add: rows.isEmpty ? nil : words.addGroup) {
            if rows.isEmpty {
                Part.empty(
                    title: words.noGroups, detail: words.noGroupsDetail, action: (own.under("new"), words.addGroup))
            } else {
                ul(.css("cards")) {
                    for one in rows {
                        li(.css("card")) {
                            div(.css("card-words")) {
                                h2 {
                                    a(.css("whole"), .href("/sites/\(around.siteID)/gate-groups/\(one.id)")) {
                                        bdi { one.name }
                                    }
                                }
                                p(.css("soft")) { "\(words.countGates(one.gates)) · \(words.countRoles(one.roles))" }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The form of a group.
    struct Model: Sendable {
        /// Nil for a new one.
        var id: String?
        var title = ""
        var name = ""
        var gates = RulesFrame.GateChoice(sections: [], chosen: [])
        var saved = false
        var refused: [String: String] = [:]
    }

    /// A form `POST /sites/{site}/gate-groups/{id or new}` with `name`, `gate` (any number), `filter`, `show`.
    static func page(_ around: Surroundings, _ model: Model) -> HTML {
        let words = RulesWords.in(around.language)
        let own: LocalPath = "/sites/\(around.siteID)/gate-groups/\(model.id ?? "new")"
        return RulesFrame.form(
            around, .groups, title: model.id == nil ? words.newGroup : model.title, path: own, saved: model.saved,
            refused: model.refused
        ) {
            form(.css("stack"), .method(.post), .action(own)) {
                fieldset {
                    legend(.css("unseen")) { words.groups }
                    Part.field(
                        words.name, name: "name", value: model.name, hint: words.groupNameHint,
                        refused: model.refused["name"], longest: 80)
                }
                RulesFrame.gates(model.gates, refused: model.refused["gates"], words)
                div(.css("thumb")) {
                    button(.type(.submit), .name("save"), .value("1")) {
                        model.id == nil ? words.addGroup : words.save
                    }
                }
            }
            if model.id != nil { p { a(.css("button quiet"), .href(own.under("remove"))) { words.remove } } }
        }
    }
}

extension Doors {
    func registerGroups(_ pages: inout PageRoutes) {
        let given = given
        pages.on(.get, "/sites/{site}/gate-groups", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            let rows = try given.store.read { database in
                let used = Set(try GateRecords.gates(of: site.id, in: database).map(\.id))
                return try DoorsRecords.gateGroups(of: site.id, in: database).map { group in
                    GroupsView.Row(
                        id: group.id.text, name: group.name, gates: used.intersection(group.gates).count,
                        roles: try DoorsRecords.roles(with: group.id, in: database).count)
                }
            }
            let words = RulesWords.in(language)
            let notice = try request.query.get("removed", as: String.self).map { _ in words.removed }
            return .html(GroupsView.list(around, rows: rows, notice: notice).bytes)
        }
        pages.on(.get, "/sites/{site}/gate-groups/{id}", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            var (model, _) = try group(request, site)
            model.saved = try request.query.get("saved", as: String.self) != nil
            return .html(GroupsView.page(around, model).bytes)
        }
        pages.on(.post, "/sites/{site}/gate-groups/{id}", for: Permission.managing, bodyLimit: Self.longBody) {
            request, principal, language in
            try await saveGroup(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/gate-groups/{id}/remove", for: Permission.managing) {
            request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            let (model, _) = try group(request, site)
            guard let text = model.id, let id = GateGroupID(text) else { throw Problem.notFound() }
            let (roles, people) = try given.store.read { database in
                (
                    try DoorsRecords.roles(with: id, in: database).count,
                    try DoorsRecords.people(with: id, at: site.id, in: database).count
                )
            }
            return .html(
                RulesFrame.removal(
                    around, .groups, name: model.title, id: text,
                    sentences: [RulesWords.in(language).removeGroupDetail(roles, people)]
                ).bytes)
        }
        pages.on(.post, "/sites/{site}/gate-groups/{id}/remove", for: Permission.managing) { request, principal, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: GateGroupID.self)
            let list = RulesFrame.Tab.groups.path(site.text)
            return try await Self.removing(back: list, to: "\(list)?removed=1") {
                try await removeGroup(id, at: site, by: principal.person.id)
            }
        }
    }

    private func group(_ request: Request, _ site: Site) throws -> (GroupsView.Model, unseen: [GateID]) {
        let name = try request.parameter("id", as: String.self)
        return try given.store.read { database in
            let groups = try DoorsRecords.gateGroups(of: site.id, in: database)
            let own = groups.first { $0.id.text == name }
            if own == nil && name != "new" { throw Problem.notFound() }
            let gates = try GateRecords.gates(of: site.id, in: database)
            var model = GroupsView.Model()
            // Under the names of the other groups: those of its own would stand under its own name.
            model.gates = Self.choice(
                gates, groups.filter { $0.id != own?.id }, chosen: Set(own?.gates.map(\.text) ?? []))
            guard let own else { return (model, []) }
            (model.id, model.title, model.name) = (own.id.text, own.name, own.name)
            let shown = Set(gates.map(\.id))
            return (model, own.gates.filter { !shown.contains($0) })
        }
    }

    private func saveGroup(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response {
        let (around, site) = try rulesAround(request, principal, language)
        var (model, unseen) = try group(request, site)
        let form = try request.form(fieldLimit: Self.longForm)
        model.name = try form.get("name") ?? ""
        model.gates.chosen = Set(form.all("gate"))
        if try form.get("show", as: String.self) != nil {
            model.gates.filter = String((try form.get("filter") ?? "").prefix(80))
            return .html(GroupsView.page(around, model).bytes)
        }
        do {
            let gates = model.gates.chosen.compactMap { GateID($0) }
            if gates.count != model.gates.chosen.count { throw RuleFault(field: "gates", why: .unknown) }
            let saved = try await putGroup(
                model.id.flatMap { GateGroupID($0) }, name: model.name, gates: gates + unseen, at: site.id,
                by: principal.person.id)
            return .redirect(to: "/sites/\(site.id.text)/gate-groups/\(saved.id.text)?saved=1")
        } catch let fault as RuleFault {
            if fault.why == .gone { throw Problem.notFound() }
            model.refused[fault.field] = RulesWords.in(language).fault(fault.why)
            return .html(GroupsView.page(around, model).bytes, status: 422)
        }
    }
}
