import Accounts
import Gates
import HTTPServer
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
        let (person, tellers, now) = (principal.person.id, tellers, given.clock.now)
        let bytes = try await given.store.readAside {
            try Teller.tell(person, by: tellers, at: now, in: $0)
        }
        return Response.json(bytes).with("Content-Disposition", "attachment; filename=\"soglia-my-data.json\"")
    }

    /// The JSON interface of one's own data.
    func registerOwn(_ routes: inout Routes) {
        routes.on(
            .get, "/api/account/data",
            RouteDescription(
                "Everything that the hub keeps of oneself, as one document: what each part of it tells, and of which tables nothing is told and why.",
                answer: .anything("a member for each kind of thing; `told` and `notTold` name the tables"))
        ) { _, principal in try await self.told(principal) }
        routes.on(
            .post, "/api/account/delete",
            RouteDescription(
                "Deletes oneself, for good: what every site keeps of one, and the account. Asks for a fresh proof.",
                body: .object([("name", .text("one's own name: to be sure"))]), status: 204)
        ) { request, principal in
            struct Body: Decodable { let name: String }
            let body = try request.json(Body.self)
            try Routes.requireFreshProof(principal, at: self.given.clock.now)
            do { try await self.delete(principal, typed: body.name) } catch let hindrance as Hindrance {
                switch hindrance {
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

    /// The pages of one's own data.
    func registerOwn(_ pages: inout PageRoutes) {
        pages.on(.get, AccountSection.data.path.description) { _, principal, language in
            .html(OwnDataView.page(.init(language: language, person: principal.person.name)).bytes)
        }
        pages.on(.get, OwnDataView.deletePath.description) { _, principal, language in
            try Routes.requireFreshProof(principal, at: self.given.clock.now)
            return .html(OwnDataView.deleting(try self.leaving(principal, language)).bytes)
        }
        pages.on(.post, OwnDataView.deletePath.description) { request, principal, language in
            try Routes.requireFreshProof(principal, at: self.given.clock.now)
            do { try await self.delete(principal, typed: try request.form().get("name") ?? "") } catch is Hindrance {
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

    private func leaving(_ principal: Principal, _ language: Language) throws -> OwnDataView.Leaving {
        OwnDataView.Leaving(
            language: language, person: principal.person.name, traces: try traces(of: principal.person.id))
    }
}
