import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Pages
import Platform
import Store
import System

// The screens of a site's people: the list, one membership, several at once, and taking a change back.

extension Doors {
    func registerPeople(_ pages: inout PageRoutes) {
        pages.on(.get, "/sites/{site}/people", for: Permission.managing) { request, principal, language in
            .html(PeopleView.page(try people(request, principal, language)).bytes)
        }
        pages.on(.post, "/sites/{site}/people/bulk", for: Permission.managing) { request, principal, language in
            try await changeSeveral(request, principal, language)
        }
        pages.on(.post, "/sites/{site}/people/undo", for: Permission.managing) { request, principal, language in
            try await takeBack(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/people/{membership}", for: Permission.managing) { request, principal, language in
            let saved = try request.query.get("saved", as: String.self)
            var model = try membership(request, principal, language, saved: saved != nil)
            model.isMoved = saved == "moved"
            return .html(MembershipView.page(model).bytes)
        }
        pages.on(.post, "/sites/{site}/people/{membership}", for: Permission.managing) { request, principal, language in
            try await save(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/people/{membership}/more", for: Permission.managing) {
            request, principal, language in
            .html(MembershipView.page(try another(request, principal, language)).bytes)
        }
        pages.on(.post, "/sites/{site}/people/{membership}/more", for: Permission.managing) {
            request, principal, language in
            try await addAnother(request, principal, language)
        }
        pages.on(.post, "/sites/{site}/people/{membership}/badge", for: Permission.managing) {
            request, principal, language in
            try await saveBadge(request, principal, language)
        }
    }

    // MARK: the list

    private func filter(_ search: String, _ role: String, _ status: String, _ site: Site) -> PeopleFilter {
        PeopleFilter(
            search: String(search.prefix(100)), role: RoleID(role), status: PeopleFilter.Status(rawValue: status),
            today: site.zone.day(at: given.clock.now))
    }

    private func people(
        _ request: Request, _ principal: Principal, _ language: Language, _ outcome: PeopleView.Outcome? = nil
    ) throws -> PeopleView.Model {
        let site = try Self.site(request, principal)
        func text(_ name: String) throws -> String { try request.query.get(name, as: String.self) ?? "" }
        return try people(
            site, principal, language, filter(try text("search"), try text("role"), try text("status"), site),
            page: try request.query.get("page", as: Int.self) ?? 1, outcome)
    }

    private func people(
        _ site: Site, _ principal: Principal, _ language: Language, _ filter: PeopleFilter, page: Int,
        _ outcome: PeopleView.Outcome?
    ) throws -> PeopleView.Model {
        let page = min(max(page, 1), 100_000)
        let offset = (page - 1) * Self.pageSize
        let (rows, count, roles) = try given.store.read { database in
            (
                try AccountRecords.people(
                    of: site.id, filter, offset: offset, limit: Self.pageSize, now: given.clock.now, in: database),
                try AccountRecords.peopleCount(of: site.id, filter, in: database),
                try AccountRecords.roles(of: site.id, in: database)
            )
        }
        let base: LocalPath = "/sites/\(site.id.text)/people"
        func href(_ page: Int) -> LocalPath {
            base.adding("search", filter.search).adding("role", filter.role?.text ?? "")
                .adding("status", filter.status?.rawValue ?? "").adding("page", "\(page)")
        }
        let words = (PagesWords.in(language), DoorsWords.in(language))
        return PeopleView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            rows: rows.map { row in
                let membership = row.membership
                return PeopleView.Row(
                    membershipID: membership.id.text, name: row.person.name, email: row.person.shownAddress,
                    permission: words.0.permission(membership.permission.rawValue), role: row.role,
                    firstDay: membership.firstDay?.text(language), lastDay: membership.lastDay?.text(language),
                    status: Self.status(
                        membership,
                        row.hasJoined ? .current : .of(row.invitation), site.zone, filter.today, words.1, language),
                    href: "/sites/\(site.id.text)/people/\(membership.id.text)")
            }, search: filter.search, roles: roles.map { .init(id: $0.id.text, name: $0.name) },
            roleID: filter.role?.text ?? "", filter: filter.status?.rawValue ?? "", count: count, outcome: outcome,
            previousHref: page > 1 ? href(page - 1) : nil,
            nextHref: count > offset + rows.count ? href(page + 1) : nil,
            navigation: navigation(site.id, principal, language, base))
    }

    private static func status(
        _ membership: Membership, _ status: PeopleView.Status, _ zone: Zone, _ today: Day, _ words: DoorsWords,
        _ language: Language
    ) -> PeopleView.Status {
        if let revoked = membership.revoked {
            return .revoked(PeopleWords.in(language).revokedOn(zone.day(at: revoked).text(language)))
        }
        if let first = membership.firstDay, first > today { return .future(words.startsOn(first.text(language))) }
        if let last = membership.lastDay, last < today { return .ended(words.endedOn(last.text(language))) }
        return status
    }

    // MARK: several at once

    private func changeSeveral(
        _ request: Request, _ principal: Principal, _ language: Language
    ) async throws -> Response {
        let site = try Self.site(request, principal)
        let form = try request.form()
        func text(_ field: String) throws -> String { try form.get(field) ?? "" }
        let words = PeopleWords.in(language)
        let filter = filter(try text("search"), try text("of_role"), try text("of_status"), site)
        func again(_ outcome: PeopleView.Outcome, status: Int = 200) throws -> Response {
            .html(
                PeopleView.page(try people(site, principal, language, filter, page: 1, outcome)).bytes, status: status)
        }
        var ids = form.all("membership").compactMap { MembershipID($0) }
        if try text("all") == "1" {
            ids = try given.store.read {
                try AccountRecords.people(of: site.id, filter, offset: 0, limit: Self.bulkLimit + 1, in: $0)
            }.map(\.membership.id)
        }
        guard !ids.isEmpty else { return try again(.init(tone: .no, text: words.nobodyChosen), status: 422) }
        do {
            if try text("do") == "invite" {
                return try again(try await inviteSeveral(ids, at: site, by: principal, language))
            }
            let change: BulkChange
            switch try text("do") {
            case "revoke": change = .revoke
            case "reinstate": change = .reinstate
            case "role":
                let role = try text("new_role")
                guard role == PeopleView.noRole || RoleID(role) != nil else {
                    return try again(.init(tone: .no, text: words.noRoleChosen), status: 422)
                }
                change = .role(RoleID(role))
            case "lastDay":
                let entry = MembershipEntry(permission: "", role: "", firstDay: "", lastDay: try text("last_day"))
                change = .lastDay(try entry.days().last)
            default: return try again(.init(tone: .no, text: words.noActionChosen), status: 422)
            }
            let result = try await self.change(ids, change, at: site, by: principal)
            // A page of its own, so that loading it again does nothing twice: the batch names what was done.
            let name: String? =
                ids.count == 1 && result.changed == 1
                ? try given.store.read { database in
                    try AccountRecords.membership(ids[0], in: database).flatMap {
                        try AccountRecords.person($0.person, in: database)?.name
                    }
                } : nil
            let text = name.map(words.changedOf) ?? words.changed(result.changed)
            return try again(try outcome(result, text, language, canUndo: true))
        } catch let refusal as MembershipEntry.Refusal {
            return try again(.init(tone: .no, text: MembershipWords.in(language).refusal(refusal.why)), status: 422)
        }
    }

    private func inviteSeveral(
        _ ids: [MembershipID], at site: Site, by principal: Principal, _ language: Language
    ) async throws -> PeopleView.Outcome {
        let words = PeopleWords.in(language)
        guard given.letters.isSetUp else { return .init(tone: .no, text: words.noLetters) }
        let result = try await invite(ids, at: site, by: principal)
        let stayed = try given.store.read { database in
            try result.refused.map { id, refusal in
                let person = try AccountRecords.membership(id, in: database).flatMap {
                    try AccountRecords.person($0.person, in: database)?.name
                }
                let why =
                    switch refusal {
                    case .hasJoined: words.hasJoined
                    case .accessEnded: words.accessEnded
                    case .notAllowed: MembershipWords.in(language).notAllowed
                    case .tooMany: words.tooManyLetters
                    }
                return (name: person ?? MembershipWords.in(language).nobody, why: why)
            }
        }
        return PeopleView.Outcome(
            tone: result.sent > 0 || stayed.isEmpty ? .go : .no, text: words.invited(result.sent), stayed: stayed)
    }

    private func takeBack(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response {
        let site = try Self.site(request, principal)
        let words = PeopleWords.in(language)
        var outcome = PeopleView.Outcome(tone: .no, text: words.tooLate)
        if let batch = EventID(try request.form().get("batch") ?? ""),
            let result = try await undo(batch, at: site, by: principal)
        {
            outcome = try self.outcome(result, words.undone(result.changed), language, canUndo: false)
        }
        return .html(
            PeopleView.page(try people(site, principal, language, filter("", "", "", site), page: 1, outcome)).bytes)
    }

    private func outcome(
        _ result: BulkResult, _ text: String, _ language: Language, canUndo: Bool
    ) throws -> PeopleView.Outcome {
        let why = MembershipWords.in(language)
        let stayed = try given.store.read { database in
            try result.refused.map { id, refusal in
                let person = try AccountRecords.membership(id, in: database).flatMap {
                    try AccountRecords.person($0.person, in: database)?.name
                }
                return (name: person ?? why.nobody, why: why.refusal(refusal.why))
            }
        }
        return PeopleView.Outcome(
            tone: result.changed > 0 || stayed.isEmpty ? .go : .no, text: text,
            batch: canUndo && result.changed > 0 ? result.batch.text : nil, stayed: stayed)
    }

    // MARK: one membership

    /// The form of a membership: of the one that the path names, or of a new person for `new`.
    func membership(
        _ request: Request, _ principal: Principal, _ language: Language, saved: Bool = false
    ) throws -> MembershipView.Model {
        let site = try Self.site(request, principal)
        let name = try request.parameter("membership", as: String.self)
        let (roles, found, badge, others) = try given.store.read { database in
            let found = try MembershipID(name).flatMap { id -> (Membership, Person)? in
                guard let membership = try AccountRecords.membership(id, in: database), membership.site == site.id,
                    let person = try AccountRecords.person(membership.person, in: database)
                else { return nil }
                return (membership, person)
            }
            return (
                try AccountRecords.roles(of: site.id, in: database), found,
                try found.flatMap { try DoorsRecords.badge(of: $0.1.id, at: site.id, in: database) },
                try found.map { try AccountRecords.memberships(of: $0.1.id, at: site.id, in: database) } ?? []
            )
        }
        if found == nil, name != "new" { throw Problem.notFound() }
        var model = MembershipView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            membershipID: found?.0.id.text, name: found?.1.name ?? "", email: found?.1.shownAddress ?? "",
            roles: roles.map { .init(id: $0.id.text, name: $0.name) }, roleID: found?.0.role?.text,
            permission: found?.0.permission.rawValue ?? "member",
            permissions: Self.grantable(
                by: principal.current(at: site.id, given.clock.now).map(\.permission)
            ).map(\.rawValue),
            firstDay: found?.0.firstDay?.iso8601 ?? (found == nil ? site.zone.day(at: given.clock.now).iso8601 : ""),
            lastDay: found?.0.lastDay?.iso8601 ?? "", timeZone: site.zone.name, saved: saved,
            navigation: navigation(site.id, principal, language, "/sites/\(site.id.text)/people"))
        model.sendsLetters = given.letters.isSetUp
        guard let (membership, holder) = found else { return model }
        model.isInvited = holder.invited != nil
        let hasJoined = try given.accounts.hasJoined(holder.id)
        model.isUnconfirmed = try hasJoined && holder.address != nil && !given.accounts.isConfirmed(holder.id)
        if !hasJoined {
            model.invitationHref = Invitations.path(membership.id, at: site.id)
            let (open, hasPassword) = try given.store.read { database in
                (
                    try InvitationRecords.open(of: holder.id, at: given.clock.now, in: database),
                    try Self.hasFirstPassword(holder.id, database)
                )
            }
            (model.hasInvitation, model.hasPassword) = (!open.isEmpty, hasPassword)
            if open.count == 1 { model.trouble = Invitations.trouble(of: open[0], to: holder, language) }
        }
        model.revokedOn = membership.revoked.map { site.zone.day(at: $0).text(language) }
        model.badge = badge ?? ""
        model.others = others.filter { $0.id != membership.id }.map { other in
            (text: Self.text(of: other, roles, language), href: "/sites/\(site.id.text)/people/\(other.id.text)")
        }
        model.addHref = "/sites/\(site.id.text)/people/\(membership.id.text)/more"
        model.oldApp = try legacyAccount(
            of: membership.person, at: site, principal, language, membership: membership.id.text)
        if membership.person != principal.person.id, principal.may([.owner], at: site.id, given.clock.now) {
            model.eraseHref = "/sites/\(site.id.text)/people/\(membership.person.text)/erase"
        }
        return model
    }

    /// A membership in a line: *Clerk, member, from 3 March 2027*.
    private static func text(of membership: Membership, _ roles: [Role], _ language: Language) -> String {
        let words = DoorsWords.in(language)
        let role = roles.first { $0.id == membership.role }?.name ?? words.noRole
        let days = words.days(from: membership.firstDay?.text(language), until: membership.lastDay?.text(language))
        return
            [role, PagesWords.in(language).permission(membership.permission.rawValue), days].joined(separator: ", ")
            + (membership.revoked == nil ? "" : " (\(PeopleWords.in(language).statusRevoked))")
    }

    private static func entry(_ request: Request) throws -> MembershipEntry {
        let form = try request.form()
        func text(_ field: String) throws -> String { try form.get(field) ?? "" }
        return MembershipEntry(
            name: try text("name"), email: try text("email"), password: try text("password"),
            permission: try text("permission"), role: try text("role"), firstDay: try text("first_day"),
            lastDay: try text("last_day"))
    }

    private func save(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response {
        var model = try membership(request, principal, language)
        let site = try Self.site(request, principal)
        let entry = try Self.entry(request)
        do {
            let saved: Membership
            if let id = model.membershipID.flatMap({ MembershipID($0) }) {
                // The form of somebody who has joined has no such field: what stands in it was typed before they did.
                let address = model.isInvited || !entry.email.isEmpty ? entry.email : nil
                (saved, _) = try await changeMembership(
                    id, at: site, by: principal, name: entry.name, address: address, entry)
            } else {
                // Programs bring what was, too; who fills in the form expects an invitation to go.
                if let last = try entry.days().last, last < site.zone.day(at: given.clock.now) {
                    throw MembershipEntry.Refusal(field: "last_day", why: .isOver)
                }
                (saved, _) = try await addPerson(entry, at: site, by: principal)
            }
            if model.membershipID == nil, !given.letters.isSetUp, try !given.accounts.hasJoined(saved.person) {
                // The next thing to do: hand over an invitation.
                return .redirect(to: Invitations.path(saved.id, at: site.id).adding("added", "1").description)
            }
            let isMoved = model.isInvited && Accounts.normalised(entry.email) != model.email
            return .redirect(to: "/sites/\(site.id.text)/people/\(saved.id.text)?saved=\(isMoved ? "moved" : "1")")
        } catch let refusal as MembershipEntry.Refusal {
            if model.membershipID == nil || model.isInvited { model.email = entry.email }
            model.name = entry.name
            return Self.refused(model, entry, refusal)
        }
    }

    private static func refused(
        _ model: MembershipView.Model, _ entry: MembershipEntry, _ refusal: MembershipEntry.Refusal
    ) -> Response {
        var model = model
        (model.roleID, model.permission) = (entry.role, entry.permission)
        (model.firstDay, model.lastDay) = (entry.firstDay, entry.lastDay)
        model.refused[refusal.field] = MembershipWords.in(model.language).refusal(refusal.why)
        return .html(MembershipView.page(model).bytes, status: 422)
    }

    /// The form of another membership of the person whose membership the path names.
    private func another(
        _ request: Request, _ principal: Principal, _ language: Language
    ) throws -> MembershipView.Model {
        var model = try membership(request, principal, language)
        guard let id = model.membershipID else { throw Problem.notFound() }
        model.action = "/sites/\(model.siteID)/people/\(id)/more"
        (model.membershipID, model.roleID, model.permission) = (nil, nil, "member")
        (model.firstDay, model.lastDay) = ("", "")
        return model
    }

    private func addAnother(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response {
        let model = try another(request, principal, language)
        let site = try Self.site(request, principal)
        let entry = try Self.entry(request)
        let known = try request.parameter("membership", as: MembershipID.self)
        do {
            let added = try await addMembership(entry, toHolderOf: known, at: site, by: principal)
            return .redirect(to: "/sites/\(site.id.text)/people/\(added.id.text)?saved=1")
        } catch let refusal as MembershipEntry.Refusal { return Self.refused(model, entry, refusal) }
    }

    private func saveBadge(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response {
        var model = try membership(request, principal, language)
        let site = try Self.site(request, principal)
        guard let id = model.membershipID.flatMap({ MembershipID($0) }) else { throw Problem.notFound() }
        let code = try request.form().get("badge") ?? ""
        do {
            try await setBadge(code, ofHolderOf: id, at: site, by: principal)
            return .redirect(to: "/sites/\(site.id.text)/people/\(id.text)?saved=1")
        } catch let refusal as MembershipEntry.Refusal {
            let words = PeopleWords.in(language)
            model.badge = code
            model.refused["badge"] = refusal.why == .alreadyThere ? words.badgeTaken : words.badgeRefused
            return .html(MembershipView.page(model).bytes, status: 422)
        }
    }
}
