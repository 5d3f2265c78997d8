import HTTPServer
import Identity
import Ledger
import Store
import System

/// Somebody whom a service speaks of, before it is known whether they have an account here.
public struct Introduced: Sendable, Equatable {
    /// Who speaks.
    public let issuer: String
    /// Whom it speaks of.
    public let subject: String
    /// What they are called there; nil when it was not told.
    public let name: String?
    /// Their address; nil when it was not told, or nobody vouches for it.
    public let address: String?
    /// Whether the service made sure that the address is theirs.
    public let isAddressConfirmed: Bool
    /// What people call the service.
    public let service: String

    /// See the properties.
    public init(
        issuer: String, subject: String, name: String?, address: String?, isAddressConfirmed: Bool, service: String
    ) {
        (self.issuer, self.subject, self.name, self.service) = (issuer, subject, name, service)
        (self.address, self.isAddressConfirmed) = (address, isAddressConfirmed)
    }

    /// How the list of ways in shows it.
    var label: String { String((address ?? name.flatMap(GivenName.parse) ?? "").prefix(254)) }

    /// The address as it is stored; nil unless it is one.
    var email: String? {
        let email = address.map(Accounts.normalised)
        return email.flatMap { (try? Accounts.check(name: "-", email: $0, password: nil)) == nil ? nil : $0 }
    }

    /// What to call them here: their name, else what stands before the @ of their address, else the service's name.
    var calling: String {
        name.flatMap(GivenName.parse) ?? email.flatMap { GivenName.parse(String($0.prefix { $0 != "@" })) } ?? service
    }

    func identity(at now: Timestamp, used: Timestamp? = nil) -> Identity {
        Identity(issuer: issuer, subject: subject, label: label, added: now, used: used)
    }
}

/// Why somebody whom a service speaks of is not signed in.
public enum IntroductionRefusal: Error, Sendable, Equatable {
    /// They have no account here, and strangers may not make themselves one.
    case closed
    /// An account has their address already. The two are never taken for one because of it.
    case addressTaken
    /// The service speaks of somebody else than who holds the session.
    case another
}

extension Accounts {
    /// Signs in somebody whom a service speaks of; a stranger gets an account, where strangers may.
    /// - Throws: `IntroductionRefusal`.
    public func signIn(_ introduced: Introduced, from visitor: Visitor) async throws -> SignedIn {
        let now = clock.now
        let (issuer, subject) = (introduced.issuer, introduced.subject)
        let known = try store.read { try WayRecords.person(issuer: issuer, subject: subject, in: $0) }
        let person: PersonID
        if let known {
            try await store.write(.vital) { try WayRecords.noteUse(issuer: issuer, subject: subject, at: now, in: $0) }
            person = known
        } else {
            person = try await change { try Self.welcome(introduced, at: now, in: $0) }
        }
        return try await signIn(person, by: .identity(issuer: issuer, subject: subject), from: visitor)
    }

    private static func welcome(
        _ introduced: Introduced, at now: Timestamp, in database: Database
    ) throws -> PersonID {
        // They may have come twice at the same moment.
        let (issuer, subject) = (introduced.issuer, introduced.subject)
        if let known = try WayRecords.person(issuer: issuer, subject: subject, in: database) { return known }
        // While nobody has an account, the first is the owner's.
        guard try AccountRecords.isRegistrationOpen(in: database), try !AccountRecords.isEmpty(in: database) else {
            throw IntroductionRefusal.closed
        }
        let email = introduced.email
        if let email, try AccountRecords.person(email: email, in: database) != nil {
            throw IntroductionRefusal.addressTaken
        }
        let id = PersonID.new(at: now)
        let person = Person(
            id: id, name: introduced.calling, email: email ?? Person.placeholder(for: id), language: nil)
        try AccountRecords.add(person, passwordHash: nil, at: now, in: database)
        if email != nil, introduced.isAddressConfirmed {
            try database.execute("UPDATE people SET confirmed = ? WHERE id = ?", now, id)
        }
        try WayRecords.add(introduced.identity(at: now), to: id, in: database)
        try WayRecords.noteUse(issuer: issuer, subject: subject, at: now, in: database)
        return id
    }

    /// Adds an identity to the ways into somebody's own account. It is a GET that comes back from the service, so the session is judged
    /// here where it is written.
    /// - Throws: `WayRefusal`; 401 when the session has ended.
    public func link(_ introduced: Introduced, to principal: Principal) async throws {
        let now = clock.now
        let (identity, person) = (introduced.identity(at: now), principal.person.id)
        try await change { database in
            guard try SessionRecords.stands(principal, at: now, in: database) else {
                throw Problem.unauthorized("sign in first")
            }
            try WayRecords.add(identity, to: person, in: database)
        }
        tell(principal.person, of: .added)
    }

    /// Proves by a service's word who holds a session.
    /// - Throws: `IntroductionRefusal.another`.
    public func prove(_ principal: Principal, by introduced: Introduced) async throws {
        let (issuer, subject, now) = (introduced.issuer, introduced.subject, clock.now)
        guard try store.read({ try WayRecords.person(issuer: issuer, subject: subject, in: $0) }) == principal.person.id
        else { throw IntroductionRefusal.another }
        try await store.write(.vital) { try WayRecords.noteUse(issuer: issuer, subject: subject, at: now, in: $0) }
        try await prove(principal, by: .identity(issuer: issuer, subject: subject))
    }

    /// Forgets an identity because its person asked for that at the service; also where it is the only way in. One that was linked
    /// after they asked stays: somebody may have kept their words and say them again. What it opened ends.
    /// - Parameter asked: when they did.
    public func forgetIdentity(issuer: String, subject: String, asked: Timestamp) async throws {
        let now = clock.now
        let (holder, changed) = try await change { database -> (Person?, [[UInt8]]) in
            guard let person = try WayRecords.person(issuer: issuer, subject: subject, in: database),
                let identity = try WayRecords.identities(of: person, in: database).first(where: {
                    $0.issuer == issuer && $0.subject == subject
                }), identity.added.milliseconds < asked.adding(milliseconds: 60_000).milliseconds
            else { return (nil, []) }
            try database.execute("DELETE FROM identities WHERE issuer = ? AND subject = ?", issuer, subject)
            var payload = AuditPayload()
            payload.add("person", person.text)
            payload.add("way", "identity")
            payload.add("of", issuer)
            payload.add("why", "asked for at the service")
            try Ledger.append(
                NewEvent(
                    id: .new(at: now), site: .hub, kind: "way.removed", at: now, person: person, payload: payload.bytes),
                to: database)
            let changed = try SessionProofs.takeAway(
                .identity(issuer: issuer, subject: subject), from: person, by: nil, at: now, in: database)
            return (try AccountRecords.person(person, in: database), changed)
        }
        announceEnd(of: changed)
        if let holder { tell(holder, of: .removed) }
    }
}
