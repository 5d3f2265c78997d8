import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Notices
import Pages
import Store
import System
import Wire

/// How people come to a site: the manager's invitation, and the page on which its holder joins.
public struct Invitations: Sendable {
    let given: Given
    /// Of all features.
    let handovers: [Handover]

    init(_ given: Given, features: [any Feature.Type]) {
        (self.given, handovers) = (given, features.flatMap { $0.handovers })
    }

    // MARK: joining

    /// Joins with the account that is signed in.
    /// - Throws: `LinkIsSpent`, `JoiningRefusal`.
    func join(_ code: String, as principal: Principal) async throws -> ShownInvitation {
        let (accounts, handovers, now) = (given.accounts, handovers, given.clock.now)
        guard let shown = try accounts.invitation(code) else { throw LinkIsSpent() }
        return try await given.changeMemberships(at: shown.site.id) { database in
            let joined = try accounts.join(code, as: principal, handovers, in: database, at: now)
            return (joined, [joined.standIn.id, principal.person.id])
        }
    }

    /// Joins with a password chosen on the page. What it makes is signed in by whoever calls.
    /// - Throws: `LinkIsSpent`, `JoiningRefusal`, `AccountRefusal`.
    func join(_ code: String, name: String, address: String, password: String) async throws -> PersonID {
        let (accounts, handovers) = (given.accounts, handovers)
        guard let shown = try accounts.invitation(code) else { throw LinkIsSpent() }
        let address = shown.invitation.way == .letter ? shown.address : Accounts.normalised(address)
        guard let name = GivenName.parse(name, longest: GivenName.longestOfPerson) else {
            throw AccountRefusal.invalid(field: "name")
        }
        try Accounts.check(name: name, email: address, password: password, site: shown.site.name)
        let hash = try await accounts.passwordHash(password, showing: shown.standIn.id.raw.bytes, of: shown.standIn.id)
        let now = given.clock.now
        let (person, ended) = try await given.changeMemberships(at: shown.site.id) { database in
            let joined = try accounts.join(
                code, name: name, address: address, passwordHash: hash, handovers, in: database, at: now)
            return ((joined.person, joined.ended), [shown.standIn.id, joined.person])
        }
        accounts.announceEnd(of: ended)
        return person
    }

    // MARK: inviting

    /// The holder of a membership at a site, if they can still be invited.
    func awaited(_ membership: MembershipID, at site: SiteID) throws -> (person: Person, open: [Invitation])? {
        let now = given.clock.now
        return try given.store.read { database in
            guard let known = try AccountRecords.membership(membership, in: database), known.site == site,
                let person = try AccountRecords.person(known.person, in: database)
            else { throw Problem.notFound() }
            guard try InvitationRecords.isAwaited(person.id, in: database) else { return nil }
            return (person, try InvitationRecords.open(of: person.id, at: now, in: database))
        }
    }

    /// Makes a code for paper. Whoever holds it becomes what the person is, so it takes the proof that making them that takes.
    /// - Throws: `InvitingRefusal`; 403 without a fresh proof where one is asked for, 404 for a membership of another site.
    func paper(
        for membership: MembershipID, at site: Site, by principal: Principal
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        let person = try invited(membership, at: site, by: principal)
        return try await given.proving(toInvite: person, at: site, principal) {
            try await given.accounts.invitationOnPaper(for: person, at: site.id, by: principal.person.id)
        }
    }

    /// Sends the letter, again if it went out before.
    /// - Throws: see `paper`; `AccountRefusal.tooManyAttempts`.
    func letter(for membership: MembershipID, at site: Site, by principal: Principal) async throws {
        let person = try invited(membership, at: site, by: principal)
        try await given.proving(toInvite: person, at: site, principal) {
            try await given.letters.invite(person, to: site.id, by: principal.person)
        }
    }

    private func invited(_ membership: MembershipID, at site: Site, by principal: Principal) throws -> PersonID {
        let now = given.clock.now
        try Routes.requireProof(toShare: site, as: [], principal, at: now)
        guard let (person, _) = try awaited(membership, at: site.id) else { throw InvitingRefusal.hasCome }
        let all = try given.store.read { try AccountRecords.memberships(of: person.id, at: site.id, in: $0) }
        try Routes.requireProof(toShare: site, as: all.map(\.permission), principal, at: now)
        return person.id
    }

    // MARK: JSON

    /// The JSON interface.
    func register(routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/people/{membership}/invitation", for: Permission.managing,
            RouteDescription(
                "Invites a person who has not joined yet: by a letter, or with a code for paper. A first password that a manager chose for them ends. In a house, and for who may change the place, it takes a fresh proof.",
                body: .object([("way", .choice(InvitationWay.allCases.map(\.rawValue)))]),
                answer: .object([
                    (
                        "code",
                        .optional(.text("for paper: 26 characters, good for a week and one use; shown this once"))
                    ),
                    ("path", .optional(.text("for paper: the page that takes it"))),
                    ("expires", .text("when it ends")),
                ]))
        ) { request, principal in
            struct Body: Decodable { let way: String }
            let site = try Self.site(request, principal)
            let membership = try request.parameter("membership", as: MembershipID.self)
            let body = try request.json(Body.self)
            guard let way = InvitationWay(rawValue: body.way) else {
                throw Problem.unprocessable("way is letter or paper")
            }
            var json = JSONWriter()
            do {
                switch way {
                case .paper:
                    let (code, expires) = try await paper(for: membership, at: site, by: principal)
                    json.object { json in
                        json.field("code", code.text)
                        json.field("path", "/join/\(code.text)")
                        json.field("expires", expires.iso8601)
                    }
                case .letter:
                    guard given.letters.isSetUp else { throw Problem.unprocessable("this hub sends no email") }
                    try await letter(for: membership, at: site, by: principal)
                    json.object { json in
                        json.field("code", nil as String?)
                        json.field("path", nil as String?)
                        json.field(
                            "expires", given.clock.now.adding(milliseconds: Invitation.lifetime).iso8601)
                    }
                }
            } catch InvitingRefusal.notOwner {
                throw Problem.forbidden("Only an owner of the site invites an owner.")
            } catch InvitingRefusal.isOver {
                throw Problem.conflict("Their access has ended. Give it back first.", type: "access-ended")
            } catch is InvitingRefusal {
                throw Problem(
                    status: 409, type: "has-joined", title: "This person has joined already",
                    detail: "They have an account of their own and sign in with it.")
            } catch AccountRefusal.tooManyAttempts(let seconds) {
                throw Problem.tooManyRequests(retryAfter: seconds)
            }
            return .json(json.bytes)
        }
        routes.on(
            .post, "/api/account/join",
            RouteDescription(
                "Joins the site that an invitation is for, with the account that asks. An invitation by letter is for the confirmed address that it went to; one on paper for whoever was given it.",
                body: .object([("code", .text("the code of the invitation"))]),
                answer: .object([("site", .text("the site's id")), ("name", .text("the site's name"))]))
        ) { request, principal in
            struct Body: Decodable { let code: String }
            let body = try request.json(Body.self)
            try given.accounts.admit(.password, of: principal)
            do {
                let joined = try await join(body.code, as: principal)
                var json = JSONWriter()
                json.object { json in
                    json.field("site", joined.site.id.text)
                    json.field("name", joined.site.name)
                }
                return .json(json.bytes)
            } catch is LinkIsSpent {
                throw Problem(
                    status: 410, type: "invitation-spent", title: "This invitation is no longer valid",
                    detail: "It was used, replaced by a newer one, or is more than a week old.")
            } catch JoiningRefusal.isGone {
                throw Problem(
                    status: 410, type: "account-gone", title: "This account does not exist any more",
                    detail: "It was deleted. The invitation is still valid for another account.")
            } catch let refusal as JoiningRefusal {
                throw Problem(
                    status: 403, type: "invitation-of-another", title: "This invitation is for another account",
                    detail: refusal == .waysFirst
                        ? "Open the link in the email and choose a password first: this address is not confirmed."
                        : "The invitation was sent to another address. Sign in with the account that has it.")
            }
        }
    }

    static func site(_ request: Request, _ principal: Principal) throws -> Site {
        let id = try request.parameter("site", as: SiteID.self)
        guard let site = principal.memberships.first(where: { $0.site.id == id })?.site else {
            throw Problem.notFound()
        }
        return site
    }
}

extension Given {
    /// Judges once more where an invitation is written whether the session stands and the proof suffices: the person may have been made more
    /// than they were.
    /// - Parameter asked: when the principal asked for it; nil: now.
    /// - Throws: what the body throws; 403 without a fresh proof where one is asked for.
    public func proving<T>(
        toInvite person: PersonID, at site: Site, _ principal: Principal, asked: Timestamp? = nil,
        _ body: nonisolated(nonsending) () async throws -> T
    ) async throws -> T {
        let asked = asked ?? clock.now
        return try await Store.writing(
            only: { database in
                guard try SessionRecords.stands(principal, at: clock.now, in: database) else {
                    throw Problem.unauthorized("sign in first")
                }
                let all = try AccountRecords.memberships(of: person, at: site.id, in: database)
                try Routes.requireProof(toShare: site, as: all.map(\.permission), principal, at: asked)
            }, body)
    }
}
