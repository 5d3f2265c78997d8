import Accounts
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

/// The form of a site: its settings, or a new one.
enum SiteView {
    struct Model: Sendable {
        var name: String
        /// In words; nil for a new one.
        var kind: String?
        var zone: String
        var filter = ""
        var saved = false
        var refused: [String: String] = [:]
        /// Where its people are told something; nil for a new one.
        var notices: LocalPath?
        /// Whether to offer adding another one.
        var canAdd = false
        /// Whether the site asks for a passkey; nil: who reads does not own it.
        var secondFactor: Bool?
        /// Whether who reads has shown a passkey of their own.
        var hasShownPasskey = false
    }

    /// The fields `name`, `zone`, `filter`, `show`.
    static func content(_ model: Model, _ own: LocalPath, _ language: Language) -> HTML {
        let words = SiteWords.in(language)
        let wanted = model.filter.lowercased()
        let zones = Zone.allNames.filter {
            $0 == model.zone || wanted.isEmpty || $0.lowercased().utf8.contains(wanted.utf8)
        }
        return div(.css("pile narrow")) {
            if model.saved { Part.notice(.go, words.saved) }
            if !model.refused.isEmpty {
                Part.notice(.no, model.refused["site"] ?? PagesWords.in(language).checkFields)
            }
            form(.css("stack"), .method(.post), .action(own)) {
                Part.field(
                    words.name, name: "name", value: model.name, hint: words.nameHint, refused: model.refused["name"],
                    longest: 80)
                if let kind = model.kind {
                    div(.css("row-field")) {
                        p(.css("label")) { words.kind }
                        p { kind }
                    }
                }
                Part.choice(
                    words.zone, name: "zone", options: zones.map { ($0, $0) }, chosen: model.zone,
                    hint: words.zoneHint, refused: model.refused["zone"])
                div(.css("row")) {
                    button(.type(.submit), .name("save"), .value("1")) {
                        model.kind == nil ? words.add : words.save
                    }
                }
                div(.css("search")) {
                    label(.for("filter")) { words.filter }
                    input(
                        .css("field"), .id("filter"), .name("filter"), .type(.search), .value(model.filter),
                        .maxlength(60), .autocomplete("off"), also: Attribute.verbatim)
                    button(.css("quiet"), .type(.submit), .name("show"), .value("1")) { words.show }
                }
            }
            if let notices = model.notices {
                section(.css("plate"), .aria("labelledby", "notices")) {
                    h2(.id("notices")) { NoticesWords.in(language).sentTitle }
                    p(.css("soft")) { NoticesWords.in(language).sentIntro }
                    p { a(.css("button quiet"), .href(notices)) { NoticesWords.in(language).sentTitle } }
                }
            }
            if let isAsked = model.secondFactor { secondFactor(isAsked, model.hasShownPasskey, own, words) }
            if model.canAdd {
                section(.css("plate"), .aria("labelledby", "another")) {
                    h2(.id("another")) { words.another }
                    p(.css("soft")) { words.anotherDetail }
                    p { a(.css("button quiet"), .href("/sites/new")) { words.add } }
                }
            }
        }
    }
}

extension SiteView {
    /// A form `POST …/second-factor` with `asked`.
    private static func secondFactor(
        _ isAsked: Bool, _ hasShown: Bool, _ own: LocalPath, _ words: SiteWords
    ) -> HTML {
        section(.css("plate"), .aria("labelledby", "second-factor")) {
            h2(.id("second-factor")) { words.factor }
            p(.css("soft")) { words.factorDetail }
            p { Part.chip(isAsked ? .go : .idle, isAsked ? words.factorIsOn : words.factorIsOff) }
            if isAsked || hasShown {
                form(.css("row"), .method(.post), .action(own.under("second-factor"))) {
                    input(.type(.hidden), .name("asked"), .value(isAsked ? "0" : "1"))
                    button(.css("quiet"), .type(.submit)) { isAsked ? words.factorStop : words.factorAsk }
                }
            } else {
                p { words.factorNeedsOwn }
                p { a(.css("button quiet"), .href(AccountSection.proving(to: own))) { words.factorShow } }
            }
        }
    }
}

extension Sites {
    /// The screens. Registered after those of the features: the link to a site's settings is the last one.
    func register(pages: inout PageRoutes) {
        let given = given
        given.navigation.add { principal, site, now, language in
            principal.may(Permission.managing, at: site, now)
                ? [(href: Self.path(site), label: SiteWords.in(language).site)] : []
        }
        pages.on(.get, "/sites/{site}/settings", for: Permission.managing) { request, principal, language in
            let site = try Self.site(request, principal)
            var model = try settings(site, principal, language)
            model.saved = try request.query.get("saved", as: String.self) != nil
            return page(model, site, principal, language)
        }
        pages.on(.post, "/sites/{site}/settings", for: Permission.managing) { request, principal, language in
            let site = try Self.site(request, principal)
            var model = try settings(site, principal, language)
            if try Self.read(try request.form(), into: &model) { return page(model, site, principal, language) }
            do {
                _ = try await change(site.id, name: model.name, zone: model.zone, by: principal)
                return .redirect(to: "\(Self.path(site.id))?saved=1")
            } catch let fault as Fault {
                model.refused[fault.field] = SiteWords.in(language).fault(fault)
                return page(model, site, principal, language, status: 422)
            }
        }
        pages.on(.post, "/sites/{site}/settings/second-factor", for: [.owner]) { request, principal, _ in
            let site = try Self.site(request, principal)
            let isAsked = try request.form().get("asked", as: String.self) == "1"
            try await askSecondFactor(isAsked, at: site.id, by: principal)
            return .redirect(to: "\(Self.path(site.id))?saved=1")
        }
        pages.on(.get, "/sites/new") { _, principal, language in
            guard ownsOne(principal) else { throw Problem.forbidden(Fault.notOwner.rawValue) }
            let zone = principal.zone(at: given.clock.now)
            return newPage(.init(name: "", zone: zone.name), principal, language)
        }
        pages.on(.post, "/sites/new") { request, principal, language in
            guard ownsOne(principal) else { throw Problem.forbidden(Fault.notOwner.rawValue) }
            var model = SiteView.Model(name: "", zone: "")
            if try Self.read(try request.form(), into: &model) { return newPage(model, principal, language) }
            do {
                let site = try await add(
                    name: model.name, kind: SiteKind.company.rawValue, zone: model.zone, by: principal)
                return .redirect(to: "/sites/\(site.id.text)/gates")
            } catch let fault as Fault {
                model.refused[fault.field] = SiteWords.in(language).fault(fault)
                return newPage(model, principal, language, status: 422)
            }
        }
    }

    private static func path(_ site: SiteID) -> LocalPath { "/sites/\(site.text)/settings" }

    private static func site(_ request: Request, _ principal: Principal) throws -> Site {
        let id = try request.parameter("site", as: SiteID.self)
        guard let site = principal.memberships.first(where: { $0.site.id == id })?.site else {
            throw Problem.notFound()
        }
        return site
    }

    /// Takes what was typed.
    /// - Returns: whether only the list of zones is to be shown anew.
    private static func read(_ form: Form, into model: inout SiteView.Model) throws -> Bool {
        model.name = try form.get("name") ?? ""
        model.zone = try form.get("zone") ?? ""
        model.filter = String((try form.get("filter") ?? "").prefix(60))
        return try form.get("show", as: String.self) != nil
    }

    private func settings(_ site: Site, _ principal: Principal, _ language: Language) throws -> SiteView.Model {
        let words = PagesWords.in(language)
        var model = SiteView.Model(
            name: site.name, kind: words.kind(site.kind.rawValue), zone: site.zone.name,
            notices: "/sites/\(site.id.text)/notices", canAdd: ownsOne(principal))
        if principal.may([.owner], at: site.id, given.clock.now) { model.secondFactor = try asksSecondFactor(site.id) }
        model.hasShownPasskey = principal.proof.isStrong
        return model
    }

    private func page(
        _ model: SiteView.Model, _ site: Site, _ principal: Principal, _ language: Language, status: Int = 200
    ) -> Response {
        let own = Self.path(site.id)
        let around = Surroundings(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            navigation: given.navigation.items(
                for: principal, at: site.id, now: given.clock.now, language, current: own))
        let html = around.page(title: SiteWords.in(language).site, path: own) {
            SiteView.content(model, own, language)
        }
        return .html(html.bytes, status: status)
    }

    private func newPage(
        _ model: SiteView.Model, _ principal: Principal, _ language: Language, status: Int = 200
    ) -> Response {
        let html = Frame.page(
            title: SiteWords.in(language).newSite, language: language, person: principal.person.name, style: .phone,
            path: "/sites/new", back: ("/", PagesWords.in(language).places),
            content: SiteView.content(model, "/sites/new", language))
        return .html(html.bytes, status: status)
    }
}
