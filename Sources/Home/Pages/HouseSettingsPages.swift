import Accounts
import HTTPServer
import Ledger
import Pages
import Platform
import Store
import System

/// The settings of a house, and with whom it is shared.
struct HouseSettingsPages: HouseFeature {
    let access: HouseAccess
    let desk: HousesDesk
    let sharing: HousePeople

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/settings", for: Permission.managing) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            let words = HomeHousesWords.in(language)
            var people = try self.people(frame)
            if try request.query.get("shared", as: String.self) != nil { people.notice = words.shared }
            if try request.query.get("ended", as: String.self) != nil { people.notice = words.ended }
            let saved = try request.query.get("saved", as: String.self) != nil
            return try settings(frame, self.entry(of: frame.site), [:], people, saved: saved)
        }
        pages.on(.post, "/houses/{site}/settings", for: Permission.managing, access.keeps) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let entry = try HouseEntry(request.form())
            do {
                try await desk.change(frame.site.id, entry, by: principal)
                return .redirect(to: "\(frame.root.under("settings"))?saved=1")
            } catch let fault as HouseFault {
                return try settings(
                    frame, entry, [fault.field: fault.words(.in(language))], self.people(frame), status: 422)
            }
        }
        // These forms stand on the page of the settings, and not on the one above.
        for form in ["people", "people/end"] {
            pages.on(.get, "/houses/{site}/\(form)", for: Permission.managing) { request, principal, language in
                .redirect(to: "\(try access.frame(request, principal, language).root.under("settings"))#people")
            }
        }
        pages.on(.post, "/houses/{site}/people", for: Permission.managing, access.weakensLater(.people)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let form = try request.form()
            let entry = ShareEntry(
                email: try form.get("email") ?? "", name: try form.get("person_name") ?? "",
                permission: try form.get("permission") ?? "")
            do {
                let shared = try await sharing.share(entry, at: frame.site, by: principal)
                if shared.needsPaper {
                    return .redirect(to: Invitations.path(shared.membership, at: frame.site.id).description)
                }
                return .redirect(to: "\(frame.root.under("settings"))?shared=1#people")
            } catch let fault as ShareFault {
                var people = try self.people(frame)
                people.entry = entry
                people.refused = [fault.field: fault.words(.in(language))]
                return try settings(frame, self.entry(of: frame.site), [:], people, status: 422)
            }
        }
        pages.on(.post, "/houses/{site}/people/end", for: Permission.managing, access.weakensLater(.people)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            guard let id = MembershipID(try request.form().require("membership", as: String.self)) else {
                throw Problem.notFound()
            }
            do {
                try await sharing.end(id, at: frame.site, by: principal)
                return .redirect(to: "\(frame.root.under("settings"))?ended=1#people")
            } catch let fault as ShareFault {
                var people = try self.people(frame)
                people.refused = ["person": fault.words(.in(language))]
                return try settings(frame, self.entry(of: frame.site), [:], people, status: 422)
            }
        }
    }

    private func entry(of site: Site) -> HouseEntry {
        let house = desk.registry.catalog.houses[site.id]
        return HouseEntry(
            name: site.name, zone: site.zone.name, street: house?.street ?? "",
            latitude: house?.place.map { "\($0.latitude)" } ?? "",
            longitude: house?.place.map { "\($0.longitude)" } ?? "")
    }

    private func people(_ frame: HomeFrame) throws -> HouseSettingsView.People {
        let isOwner = frame.may([.owner])
        let rows = try sharing.list(of: frame.site).map { one in
            let hasJoined = try sharing.given.accounts.hasJoined(one.person.id)
            let isReader = one.person.id == frame.principal.person.id
            let state = try sharing.given.store.read { [now = frame.now] in
                try InvitationRecords.state(of: one.person.id, at: now, in: $0)
            }
            return HouseSettingsView.People.Row(
                membership: one.membership.id, person: one.person, permission: one.membership.permission,
                invitation: hasJoined ? nil : Invitations.path(one.membership.id, at: frame.site.id),
                isRefused: state == .refused,
                isReader: isReader, mayEnd: !isReader && (isOwner || one.membership.permission != .owner))
        }
        return HouseSettingsView.People(
            rows: rows, grants: HousePeople.grants(of: frame.principal, at: frame.site.id, frame.now),
            sendsLetters: sharing.given.letters.isSetUp)
    }

    private func settings(
        _ frame: HomeFrame, _ entry: HouseEntry, _ refused: [String: String], _ people: HouseSettingsView.People,
        saved: Bool = false, status: Int = 200
    ) throws -> Response {
        let (words, tiles) = (HomeHousesWords.in(frame.language), try desk.tiles())
        let own = frame.root.under("settings")
        return frame.page(
            .house, title: words.settings, path: own, back: (frame.root, HomeLiveWords.in(frame.language).house),
            isLive: false, modules: ["house-map"], status: status
        ) {
            div(.css("pile narrow")) {
                HouseSettingsView.form(entry, refused, to: own, isNew: false, tiles, saved: saved, frame.language)
                HouseSettingsView.people(people, frame)
                section(.css("plate"), .aria("labelledby", "more")) {
                    h2(.id("more")) { words.more }
                    p(.css("soft")) { words.moreDetail }
                    p {
                        a(.css("button quiet"), .href("/sites/\(frame.site.id.text)/settings")) { words.moreLink }
                    }
                }
            }
        }.showingMap(tiles)
    }
}
