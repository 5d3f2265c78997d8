import Accounts
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

extension Privacy {
    /// The pages of erasure and retention.
    func register(pages: inout PageRoutes) {
        registerOwn(&pages)
        pages.on(.get, "/sites/{site}/people/{person}/erase", for: [.owner]) { request, principal, language in
            // Asked for before the name is typed, not after.
            try Routes.requireFreshProof(principal, at: self.given.clock.now)
            return .html(EraseView.page(try self.model(request, principal, language)).bytes)
        }
        pages.on(.post, "/sites/{site}/people/{person}/erase", for: [.owner]) { request, principal, language in
            var model = try self.model(request, principal, language)
            let words = PrivacyWords.in(language)
            if model.isYourself { return .html(EraseView.page(model).bytes, status: 409) }
            do {
                let outcome = try await self.erase(
                    request, principal, typed: try request.form().get("name") ?? "")
                return .html(EraseView.done(model, outcome.events, accountIsGone: outcome.accountIsGone).bytes)
            } catch let problem as Problem where problem.type == "name-differs" {
                model.refused = words.otherName
                return .html(EraseView.page(model).bytes, status: 422)
            } catch let problem as Problem where problem.type == "last-owner" {
                model.refused = words.lastOwner
                return .html(EraseView.page(model).bytes, status: 409)
            }
        }
        pages.on(.get, "/sites/{site}/privacy", for: Permission.managing) { request, principal, language in
            let saved = try request.query.get("saved", as: String.self) != nil
            return .html(RetentionView.page(try self.retention(request, principal, language, saved)).bytes)
        }
        pages.on(.post, "/sites/{site}/privacy", for: [.owner]) { request, principal, language in
            guard let site = try self.site(of: request, principal) else { throw Problem.notFound() }
            let form = try request.form()
            var rules = RetentionRules()
            for group in RetentionGroup.allCases {
                guard let days = try form.get("\(group.name)").flatMap({ Int($0) }) else {
                    throw Problem.unprocessable("\(group.name): how many days?")
                }
                rules[group] = days
            }
            try await self.keep(rules, at: site.id, by: principal)
            return .redirect(to: "/sites/\(site.id.text)/privacy?saved=1")
        }
    }

    private func navigation(_ site: Site, _ principal: Principal, _ language: Language) -> [NavItem] {
        given.navigation.items(
            for: principal, at: site.id, now: given.clock.now, language, current: "/sites/\(site.id.text)/people")
    }

    private func model(_ request: Request, _ principal: Principal, _ language: Language) throws -> EraseView.Model {
        let id = try request.parameter("person", as: PersonID.self)
        guard let site = try site(of: request, principal), let person = try person(id, at: site.id) else {
            throw Problem.notFound()
        }
        let isElsewhere = try given.store.read {
            try AccountRecords.isMemberElsewhere(id, than: site.id, in: $0)
        }
        return EraseView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            name: person.name, email: person.shownAddress, personID: id.text, isElsewhere: isElsewhere,
            isYourself: id == principal.person.id, freeTexts: try freeTexts(at: site.id),
            navigation: navigation(site, principal, language))
    }

    private func retention(
        _ request: Request, _ principal: Principal, _ language: Language, _ saved: Bool
    ) throws -> RetentionView.Model {
        guard let site = try site(of: request, principal) else { throw Problem.notFound() }
        let rules = try given.store.read { try Ledger.retention(of: site.id, in: $0) }
        return RetentionView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            rules: rules, mayChange: principal.may([.owner], at: site.id, given.clock.now), saved: saved,
            navigation: navigation(site, principal, language))
    }
}
