import Accounts
import HTTPServer
import JSON
import OpenID

/// The same for programs, and what services themselves ask of us.
extension SignInByOthers {
    func register(routes: inout Routes) {
        routes.on(
            .get, "/api/account/ways",
            RouteDescription(
                "Everything by which one gets in.",
                answer: .object([
                    ("hasPassword", .truth("whether there is a password")),
                    (
                        "identities",
                        .list(
                            .object([
                                ("id", .text("the identity's id")), ("service", .text("what people call the service")),
                                ("issuer", .text("who speaks")), ("label", .text("what one is called there")),
                                ("added", .text("when it was linked")),
                                ("used", .optional(.text("when it was last used"))),
                            ]))
                    ),
                    (
                        "passkeys",
                        .list(
                            .object([
                                ("name", .text("what one calls it")), ("added", .text("when it was added")),
                                ("used", .optional(.text("when it was last used"))),
                            ]))
                    ),
                ]))
        ) { _, principal in
            let ways = try accounts.waysIn(of: principal.person.id)
            var json = JSONWriter()
            json.object { json in
                json.field("hasPassword", ways.hasPassword)
                json.array("identities") { json in
                    for identity in ways.identities {
                        json.object { json in
                            json.field("id", identity.handle)
                            json.field("service", services.name(of: identity.issuer))
                            json.field("issuer", identity.issuer)
                            json.field("label", identity.label)
                            json.field("added", identity.added.iso8601)
                            json.field("used", identity.used?.iso8601)
                        }
                    }
                }
                json.array("passkeys") { json in
                    for passkey in ways.passkeys {
                        json.object { json in
                            json.field("name", passkey.name)
                            json.field("added", passkey.added.iso8601)
                            json.field("used", passkey.used?.iso8601)
                        }
                    }
                }
            }
            return .json(json.bytes)
        }
        routes.on(
            .delete, "/api/account/identities/{identity}",
            RouteDescription(
                "Unlinks a service from one's account, never the last way in, and ends the sessions that it opened; this one too, unless another proof is fresh.",
                status: 204)
        ) { request, principal in
            try Routes.requireFreshProof(principal, at: accounts.clock.now)
            do { try await remove(request, principal) } catch let refusal as WayRefusal {
                throw refusal == .isLast
                    ? Problem.conflict("it is the only way in: add another one first", type: "last-way-in")
                    : Problem.notFound()
            }
            return .empty()
        }
        routes.onPublic(
            .post, "/api/providers/{id}/deletion", why: "the service signs what it posts",
            RouteDescription(
                "Called by a service when somebody asks it to have their data erased: the identity is unlinked.",
                body: .object([("signed_request", .text("signature and payload, as Facebook signs them"))]),
                answer: .object([
                    ("url", .text("where it says what was done")), ("confirmation_code", .text("the receipt")),
                ]), bodyType: "application/x-www-form-urlencoded"), bodyLimit: 8 << 10
        ) { request in
            let service = try service(request)
            let text = try request.form().require("signed_request", as: String.self)
            let asked: SignedRequest
            do { asked = try services.erasureRequest(service.id, text) } catch SignInRefusal.unknownService {
                throw Problem.notFound()
            } catch { throw Problem.forbidden("this is not what the service signs", type: "wrong-signature") }
            try await accounts.forgetIdentity(issuer: service.issuer, subject: asked.subject, asked: asked.issued)
            let receipt = try await accounts.forgettingReceipt(service: service.id)
            let page: LocalPath = "/services/\(service.id)/forgotten/\(receipt)"
            var json = JSONWriter()
            json.object { json in
                json.field("url", (RequestRules.origin(of: request) ?? "") + page.description)
                json.field("confirmation_code", receipt)
            }
            return .json(json.bytes)
        }
    }
}
