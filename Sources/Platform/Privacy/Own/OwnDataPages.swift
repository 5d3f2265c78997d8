import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Notices
import Pages
import Store
import System

extension Privacy {
    /// What every room tells somebody of themselves: accounts first, the ledger last.
    static func tellers(of features: [any Feature.Type]) -> [Teller] {
        AccountRecords.tellers + Notices.tellers + GateRecords.tellers + features.flatMap { $0.tellers }
            + Ledger.tellers
    }

    /// Everything that the hub knows of somebody, as JSON.
    private func told(_ principal: Principal) async throws -> Response {
        let (person, tellers, now, isStrong) = (principal.person.id, tellers, given.clock.now, principal.proof.isStrong)
        let bytes = try await given.store.readAside(for: person.raw.bytes) { database in
            let traces = try Self.traces(of: person, at: now, in: database)
            let withheld =
                try isStrong
                ? []
                : WayRecords.sitesThatAsk(in: database).map { site in
                    Teller.Withheld(
                        site: site.id, name: traces.contains { $0.site.id == site.id } ? site.name : nil,
                        why: Self.whyWithheld)
                }
            let before = try InvitationRecords.standIns(of: person, in: database)
            return try Teller.tell(person, before: before, by: tellers, without: withheld, at: now, in: database)
        }
        return Response.json(bytes).with("Content-Disposition", "attachment; filename=\"soglia-my-data.json\"")
    }

    private static let whyWithheld =
        "This site asks for a passkey, which this session has not shown. Show it, and ask for the file again."

    /// The sites that know somebody and are left out of what their session is told, by name.
    private func withheld(from principal: Principal) throws -> [Site] {
        if principal.proof.isStrong { return [] }
        let (person, now) = (principal.person.id, given.clock.now)
        return try given.store.read { database in
            let known = try Set(Self.traces(of: person, at: now, in: database).map(\.site.id))
            return try WayRecords.sitesThatAsk(in: database).filter { known.contains($0.id) }
        }
    }

    /// The JSON interface of one's own data.
    func registerOwn(_ routes: inout Routes) {
        routes.on(
            .get, "/api/account/data",
            RouteDescription(
                "Everything that the hub keeps of oneself, as one document: what each part of it tells, and of which tables nothing is told and why. Left out is what sites keep that ask for a passkey which this session has not shown.",
                answer: .anything(
                    "a member for each kind of thing; `told` and `notTold` name the tables, `withheld` the sites that are left out"
                ))
        ) { _, principal in try await self.told(principal) }
        routes.on(
            .post, "/api/account/delete",
            RouteDescription(
                "Deletes oneself, for good: what every site keeps of one, and the account. Asks for a fresh proof, by a passkey where the account has one.",
                body: .object([("name", .text("one's own name: to be sure"))]), status: 204)
        ) { request, principal in
            struct Body: Decodable { let name: String }
            let body = try request.json(Body.self)
            try self.given.accounts.requireStrongestProof(principal)
            do { try await self.delete(principal, typed: body.name) } catch let hindrance as Hindrance {
                switch hindrance {
                case .moving: throw Self.moving
                case .otherName:
                    throw Problem(
                        status: 422, type: "name-differs", title: "The content does not fit",
                        detail: "name: it is not your name", extra: [("field", "name")])
                case .onlyOwner(let sites):
                    throw Problem.conflict(
                        "Make somebody else an owner first: nobody else owns \(sites.joined(separator: ", ")).",
                        type: "only-owner")
                }
            }
            return .empty()
        }
    }

    private static let moving = Problem.conflict(
        "You join a place in the same moment. Nothing was deleted: try again.", type: "changes-now")

    /// The pages of one's own data.
    func registerOwn(_ pages: inout PageRoutes) {
        pages.on(.get, AccountSection.data.path.description) { _, principal, language in
            let withheld = try self.withheld(from: principal).map(\.name)
            return .html(
                OwnDataView.page(.init(language: language, person: principal.person.name, withheld: withheld)).bytes)
        }
        pages.on(.get, OwnDataView.deletePath.description) { _, principal, language in
            if let waiting = try self.waiting(principal, language) { return waiting }
            try self.given.accounts.requireStrongestProof(principal)
            return .html(OwnDataView.deleting(try self.leaving(principal, language)).bytes)
        }
        pages.on(.post, OwnDataView.deletePath.description) { request, principal, language in
            if let waiting = try self.waiting(principal, language) { return waiting }
            try self.given.accounts.requireStrongestProof(principal)
            do { try await self.delete(principal, typed: try request.form().get("name") ?? "") } catch Hindrance.moving
            {
                throw Self.moving
            } catch is Hindrance {
                var model = try self.leaving(principal, language)
                // Who is the only owner reads so on the page itself.
                if model.traces.allSatisfy({ !$0.isOnlyOwner }) {
                    model.refused = OwnDataWords.in(language).otherName
                }
                return .html(OwnDataView.deleting(model).bytes, status: 422)
            }
            return Response.html(OwnDataView.gone(language).bytes).with(Entrance.expired(request))
                .forgettingEverything()
        }
    }

    /// The page for somebody who cannot delete their account yet: see `Accounts.changeWaits`.
    private func waiting(_ principal: Principal, _ language: Language) throws -> Response? {
        guard let end = try given.accounts.changeWaits(for: principal) else { return nil }
        let words = OwnDataWords.in(language)
        let zone = principal.zone(at: given.clock.now)
        let model = MessageView.Model(
            language: language, title: words.waits,
            detail: words.waitsDetail("\(zone.day(at: end).text(language)), \(zone.clockText(at: end))"),
            action: (AccountSection.ways.path, words.showWays), tone: .wait)
        return .html(MessageView.page(model).bytes, status: 409)
    }

    private func leaving(_ principal: Principal, _ language: Language) throws -> OwnDataView.Leaving {
        OwnDataView.Leaving(
            language: language, person: principal.person.name, traces: try traces(of: principal.person.id),
            withheld: Set(try withheld(from: principal).map(\.id)))
    }
}
