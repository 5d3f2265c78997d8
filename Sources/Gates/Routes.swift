import Accounts
import Commands
import Crypto
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System
import Wire

extension Gates {
    /// The JSON interface of this room.
    public func register(routes: inout Routes, commands: Commands, pairing: PairingDesk?) {
        let accounts = routes.accounts
        routes.on(
            .get, "/api/gates",
            RouteDescription(
                "The gates of the sites that one is a member of today.",
                answer: JSONItems<GateRow>.schema)
        ) { _, principal in
            .json(JSONItems(try self.rows(of: principal)))
        }
        routes.on(
            .post, "/api/gates/{id}/open",
            RouteDescription(
                "Asks a gate to open, and waits at most three seconds for what it did. One person asks one gate 30 times a minute; more is 429.",
                body: .anything("nothing yet: {}"),
                answer: OpeningAnswer.schema
            ).counted(.apart), bodyLimit: 4096
        ) { request, principal in
            try Self.requireEmptyObject(request)
            let gate = try request.parameter("id", as: GateID.self)
            let language = Language.of(principal, request)
            let result: OpeningResult
            do { result = try await self.open(gate, principal, commands) } catch let refusal as TooOften {
                throw refusal.problem(in: language)
            }
            let reason = result.reason.map {
                OpeningAnswer.Why(code: $0.code, text: self.words(for: $0, gate: gate, language))
            }
            return .json(OpeningAnswer(result: result, reason: reason))
        }
        routes.on(
            .post, "/api/sites/{site}/passes",
            RouteDescription(
                "Passes for a phone, one for every gate that is granted now, each for a day at most. Whoever has one may open. "
                    + "The same ones come again while they open all that new ones would within 18 hours.",
                body: .anything("nothing yet: {}"),
                answer: JSONItems<IssuedPassRow>.schema
            )
            .counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            try Self.requireEmptyObject(request)
            let site = try request.parameter("site", as: SiteID.self)
            try principal.requireUnlocked(site)
            if principal.current(at: site, self.clock.now).isEmpty { throw Problem.notFound() }
            let issued = try await self.issuePasses(to: principal.person.id, at: site)
            return .json(JSONItems(issued.map { IssuedPassRow(issued: $0) }))
        }
        registerAdministration(&routes)
        routes.on(
            .post, "/api/sites/{site}/gates/{gate}/pairing", for: Permission.managing,
            RouteDescription(
                "A code for pairing a controller with this gate: ten minutes, one use, five tries. An older code of the gate ends. For a gate that has a controller it takes a fresh proof.",
                body: .anything("nothing yet: {}"),
                answer: PairingAnswer.schema, status: 201)
        ) { request, principal in
            try Self.requireEmptyObject(request)
            let (code, expires) = try await self.beginPairing(
                try request.parameter("gate", as: GateID.self), at: try request.parameter("site", as: SiteID.self),
                by: principal, accounts, pairing)
            return .json(PairingAnswer(code: code.text, expires: expires), status: 201)
        }
    }

    /// Makes a code for a controller, for a form and for programs alike.
    ///
    /// A controller takes the place of the one that the gate has. That one hears nothing any more, also not whose passes are denied, so
    /// it takes a fresh proof.
    /// - Throws: `Problem`: no such gate, one that is out of use, no bus, too many codes, no fresh proof.
    func beginPairing(
        _ id: GateID, at site: SiteID, by principal: Principal, _ accounts: Accounts, _ desk: PairingDesk?
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        guard let desk else { throw Problem.unavailable("this hub has no bus to pair over") }
        guard let gate = try store.read({ try GateRecords.gate(id, in: $0) }), gate.site == site else {
            throw Problem.notFound()
        }
        if gate.retired != nil { throw Problem.conflict(GateRefusal.retired.rawValue) }
        if gate.key != nil { try Routes.requireFreshProof(principal, at: clock.now) }
        try accounts.admit(.pairing, of: principal)
        return try await desk.begin(gate.id, by: principal.person.id)
    }

    /// An unsafe request without anything to say still says `{}`: what else it says is refused until it means something.
    static func requireEmptyObject(_ request: Request) throws {
        guard try request.jsonFields().isEmpty else {
            throw Problem.unprocessable("nothing can be said here yet: send {}")
        }
    }

    /// The gates of the sites where somebody's membership holds today.
    private func rows(of principal: Principal) throws -> [GateRow] {
        try principal.sites(at: clock.now).flatMap { site in
            try list(of: site.id).map { GateRow($0, of: site, state(of: $0)) }
        }
    }

    /// Opens for somebody, through the command; a gate of a site that they have no part in does not exist for them.
    func open(_ gate: GateID, _ principal: Principal, _ commands: Commands) async throws -> OpeningResult {
        let found = try store.read { try GateRecords.gate(gate, in: $0) }
        if let found { try principal.requireUnlocked(found.site) }
        guard let found,
            principal.memberships.contains(where: { $0.site.id == found.site })
        else { throw Problem.notFound() }
        // One that is out of use is not there either, also when it was taken out of use at this moment.
        do { return try await commands.send(OpenGate(gate: gate), by: .person(principal.person.id)) } catch is Unknown {
            throw Problem.notFound()
        }
    }
}
