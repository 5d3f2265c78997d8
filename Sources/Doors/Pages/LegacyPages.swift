import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

extension Doors {
    private static func path(_ site: SiteID) -> LocalPath { "/sites/\(site.text)/old-app" }

    /// The screens of the original system's app.
    func register(legacyPages pages: inout PageRoutes) {
        given.navigation.add { principal, site, now, language in
            // Only where it is in use; managers find it behind their list of people.
            guard !principal.current(at: site, now).isEmpty, !principal.may(Permission.managing, at: site, now),
                (try? given.store.read({ try !LegacyRecords.gates(of: site, in: $0).isEmpty })) ?? false
            else { return [] }
            return [(href: Self.path(site), label: LegacyWords.in(language).oldApp)]
        }
        pages.on(.get, "/sites/{site}/old-app") { request, principal, language in
            .html(LegacyView.page(try legacyPage(request, principal, language, done: nil)).bytes)
        }
        pages.on(.post, "/sites/{site}/old-app") { request, principal, language in
            let site = try Self.site(request, principal)
            if principal.current(at: site.id, given.clock.now).isEmpty { throw Problem.notFound() }
            let done = try await changeLegacy(principal.person.id, at: site, by: principal, try request.form())
            return .html(LegacyView.page(try legacyPage(request, principal, language, done: done)).bytes)
        }
        pages.on(.post, "/sites/{site}/old-app/gates/{gate}", for: Permission.managing) { request, principal, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let gate = try request.parameter("gate", as: GateID.self)
            let mode: String = try request.form().require("mode")
            guard mode == "legacy" || mode == "pass" else { throw Problem.unprocessable("a mode is pass or legacy") }
            do { try await setLegacy(gate, mode == "legacy", at: site, by: principal) } catch is Gates.Unknown {
                throw Problem.notFound()
            }
            return .redirect(to: Self.path(site).description)
        }
        pages.on(.post, "/sites/{site}/old-app/get", for: Permission.managing) { request, principal, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let allows: String = try request.form().require("allows")
            try await setLegacyGET(allows == "yes", at: site, by: principal)
            return .redirect(to: Self.path(site).description)
        }
        pages.on(.post, "/sites/{site}/people/{membership}/old-app", for: Permission.managing) {
            request, principal, language in
            var model = try membership(request, principal, language)
            let site = try Self.site(request, principal)
            guard let id = model.membershipID.flatMap({ MembershipID($0) }),
                let person = try given.store.read({ try AccountRecords.membership(id, in: $0)?.person })
            else { throw Problem.notFound() }
            let done = try await changeLegacy(person, at: site, by: principal, try request.form())
            model.oldApp = try legacyAccount(of: person, at: site, principal, language, model.membershipID, done)
            return .html(MembershipView.page(model).bytes)
        }
    }

    private func changeLegacy(
        _ person: PersonID, at site: Site, by principal: Principal, _ form: Form
    ) async throws -> LegacyAccountView.Done {
        try requireMayChangeLegacy(of: person, at: site.id, principal)
        let author = principal.person.id
        do {
            switch try form.require("do", as: String.self) {
            case "password":
                try Routes.requireFreshProof(principal, at: given.clock.now)
                try given.accounts.admit(.password, of: principal)
                return .password(try await makeLegacyPassword(for: person, at: site, by: author).password)
            case "badge":
                try await replaceLegacyBadge(of: person, at: site.id, by: author)
                return .badge
            case "revoke":
                try await revokeLegacy(of: person, at: site.id, by: author)
                return .takenAway
            default: throw Problem.unprocessable("what is to be done is password, badge or revoke")
            }
        } catch is NoLegacyAccount {
            throw Problem.notFound()
        } catch is LegacyBadgesFull {
            return .full
        } catch AccountRefusal.busy {
            throw Problem.unavailable("too many sign-ins at this moment", retryAfter: 2)
        }
    }

    /// The part of somebody's account.
    /// - Parameter membership: on whose page it stands; nil: on one's own.
    func legacyAccount(
        of person: PersonID, at site: Site, _ principal: Principal, _ language: Language, _ membership: String?,
        _ done: LegacyAccountView.Done?
    ) throws -> LegacyAccountView.Model {
        let account = try given.store.read { try LegacyRecords.account(of: person, at: site.id, in: $0) }
        return LegacyAccountView.Model(
            language: language,
            action: membership.map { "/sites/\(site.id.text)/people/\($0)/old-app" } ?? Self.path(site.id),
            isOwn: membership == nil,
            account: account.map {
                .init(
                    username: $0.username, made: text(of: $0.created, site, language),
                    lastUsed: $0.lastUsed.map { text(of: $0, site, language) }, isTakenAway: $0.revoked != nil)
            }, done: done)
    }

    /// The part for a membership's page; nil where the site has nothing to do with the old app.
    func legacyAccount(
        of person: PersonID, at site: Site, _ principal: Principal, _ language: Language, membership: String
    ) throws -> LegacyAccountView.Model? {
        let isInUse = try given.store.read { database in
            try LegacyRecords.account(of: person, at: site.id, in: database) != nil
                || !LegacyRecords.gates(of: site.id, in: database).isEmpty
        }
        guard isInUse, try mayChangeLegacy(of: person, at: site.id, principal) else { return nil }
        return try legacyAccount(of: person, at: site, principal, language, membership, nil)
    }

    private func text(of time: Timestamp, _ site: Site, _ language: Language) -> String {
        "\(site.zone.day(at: time).text(language)), \(site.zone.clockText(at: time))"
    }

    private func legacyPage(
        _ request: Request, _ principal: Principal, _ language: Language, done: LegacyAccountView.Done?
    ) throws -> LegacyView.Model {
        let site = try Self.site(request, principal)
        let now = given.clock.now
        if principal.current(at: site.id, now).isEmpty { throw Problem.notFound() }
        let management =
            principal.may(Permission.managing, at: site.id, now) ? try legacyManagement(of: site, language) : nil
        return LegacyView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            own: try legacyAccount(of: principal.person.id, at: site, principal, language, nil, done),
            management: management,
            navigation: given.navigation.items(
                for: principal, at: site.id, now: now, language,
                current: management == nil ? Self.path(site.id) : "/sites/\(site.id.text)/people"))
    }

    private func legacyManagement(of site: Site, _ language: Language) throws -> LegacyView.Management {
        try given.store.read { database in
            let legacy = Set(try LegacyRecords.gates(of: site.id, in: database).map(\.id))
            return LegacyView.Management(
                gates: try GateRecords.gates(of: site.id, in: database).map {
                    .init(id: $0.id.text, name: $0.name, isLegacy: legacy.contains($0.id))
                },
                allowsGET: try LegacyRecords.allowsGET(site.id, in: database),
                holders: try LegacyRecords.accounts(of: site.id, in: database).map { account, name in
                    .init(
                        name: name, username: account.username,
                        lastUsed: account.lastUsed.map { text(of: $0, site, language) },
                        isTakenAway: account.revoked != nil)
                })
        }
    }
}
