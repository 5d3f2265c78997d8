import Accounts
import Crypto
import HTTPServer
import Identity
import Ledger
import System
import WebAuthn

/// Passkeys: adding one, signing in with one, showing once more by one who one is. The ceremonies are WebAuthn's; what is kept, Accounts'.
public struct Passkeys: Sendable {
    let accounts: Accounts
    let challenges: Challenges

    /// - Parameter accounts: who people are.
    public init(accounts: Accounts) {
        self.accounts = accounts
        challenges = Challenges()
    }

    /// Where this hub can have passkeys: under a name, and with TLS or on this machine; nil elsewhere.
    static func party(_ request: Request) -> RelyingParty? {
        RequestRules.origin(of: request).flatMap { RelyingParty(origin: $0) }
    }

    static func requireParty(_ request: Request) throws(Problem) -> RelyingParty {
        guard let party = party(request) else { throw .noPasskeysHere }
        return party
    }

    // MARK: adding one

    func addingOptions(_ request: Request, _ principal: Principal) throws -> [UInt8] {
        try accounts.admit(.passkey, of: principal)
        try accounts.requireRightToChangePasskeys(principal)
        let party = try Self.requireParty(request)
        let own = try accounts.waysIn(of: principal.person.id).passkeys
        guard own.count < WayRecords.limit else { throw Problem.tooManyPasskeys }
        return PasskeyOptions(
            challenge: challenges.give(.registration, to: principal.origin.raw.bytes), party: party,
            passkeys: own.filter { $0.party == party.id }
        ).creating(for: principal.person)
    }

    func add(_ request: Request, _ principal: Principal) async throws -> Passkey {
        try accounts.admit(.passkey, of: principal)
        try accounts.requireRightToChangePasskeys(principal)
        let party = try Self.requireParty(request)
        let body = try request.json(PasskeyBody.Registration.self)
        let suggested = Self.suggestedName(for: Visitor(request).client)
        guard let name = GivenName.parse(body.name ?? suggested) else { throw Problem.wrongPasskeyName }
        let answer = try body.answer()
        let challenge = try spend(answer.clientDataJSON, for: .registration, by: principal.origin.raw.bytes)
        let credential = try Registration(challenge: challenge, party: party).verify(answer)
        let passkey = Passkey(
            id: credential.id, party: party.id, name: name, publicKey: credential.publicKey,
            counter: credential.counter, isBackupEligible: credential.isBackupEligible,
            isBackedUp: credential.isBackedUp, transports: body.transports, added: accounts.clock.now)
        try await accounts.addPasskey(passkey, to: principal)
        return passkey
    }

    /// What a passkey may be called, by what the browser says of itself: `iPhone · Safari`.
    static func suggestedName(for client: Client) -> String {
        let parts = [client.system?.rawValue, client.browser?.rawValue].compactMap { $0 }
        return parts.isEmpty ? "Passkey" : parts.joined(separator: " · ")
    }

    // MARK: using one

    /// - Parameter holder: the hash of the cookie that will show that it is the same browser.
    func signInOptions(_ request: Request, holder: [UInt8]) throws -> [UInt8] {
        try accounts.admit(.passkey, from: Visitor(request))
        let party = try Self.requireParty(request)
        return PasskeyOptions(challenge: challenges.give(.signIn, to: holder), party: party, passkeys: []).getting()
    }

    /// - Returns: who it is; they are signed in from then on.
    func signIn(_ request: Request, holder: [UInt8]) async throws -> Accounts.SignedIn {
        try accounts.admit(.passkey, from: Visitor(request))
        let (person, passkey) = try await use(request, .signIn, holder: holder, of: nil)
        return try await accounts.signIn(person, by: .passkey(passkey), from: Visitor(request))
    }

    func proofOptions(_ request: Request, _ principal: Principal) throws -> [UInt8] {
        try accounts.admit(.passkey, of: principal)
        let party = try Self.requireParty(request)
        let own = try accounts.waysIn(of: principal.person.id).passkeys.filter { $0.party == party.id }
        guard !own.isEmpty else { throw Problem.unknownPasskey }
        return PasskeyOptions(
            challenge: challenges.give(.proof, to: principal.origin.raw.bytes), party: party, passkeys: own
        ).getting()
    }

    func prove(_ request: Request, _ principal: Principal) async throws {
        try accounts.admit(.passkey, of: principal)
        let (_, passkey) = try await use(request, .proof, holder: principal.origin.raw.bytes, of: principal.person.id)
        try await accounts.prove(principal, by: .passkey(passkey))
    }

    /// Checks an assertion, and notes that the passkey was used.
    /// - Parameter person: whose it has to be; nil: the passkey says who it is.
    private func use(
        _ request: Request, _ purpose: Challenges.Purpose, holder: [UInt8], of person: PersonID?
    ) async throws -> (person: PersonID, passkey: PasskeyID) {
        let party = try Self.requireParty(request)
        let answer = try request.json(PasskeyBody.Assertion.self).answer()
        let challenge = try spend(answer.clientDataJSON, for: purpose, by: holder)
        guard let (known, owner) = try accounts.passkey(answer.id), known.party == party.id,
            person == nil || person == owner
        else { throw Problem.unknownPasskey }
        do {
            let outcome = try Assertion(challenge: challenge, party: party).verify(
                answer,
                by: .init(
                    publicKey: known.publicKey, counter: known.counter, isBackupEligible: known.isBackupEligible,
                    user: owner.raw.bytes), isUserNeeded: person == nil)
            var used = known
            (used.counter, used.isBackedUp) = (outcome.counter, outcome.isBackedUp)
            // Two at once with the same count: one of them is not the device.
            guard try await accounts.noteUse(of: used) else { throw CeremonyRefusal.counterWentBack }
        } catch let refusal as CeremonyRefusal {
            if refusal == .counterWentBack { try await accounts.suspect(known, of: owner) }
            throw refusal
        }
        return (owner, known.reference)
    }

    /// Uses up the challenge that a browser signed.
    private func spend(_ json: [UInt8], for purpose: Challenges.Purpose, by holder: [UInt8]) throws -> [UInt8] {
        guard let challenge = challenges.spend(try ClientData(json: json).challenge, for: purpose, by: holder) else {
            throw Problem.stalePasskey
        }
        return challenge
    }
}
