import HTTPServer
import Identity
import Ledger
import Store
import System

/// What somebody changes of their own account; nil leaves a thing as it is.
public struct ProfileChange: Sendable, Equatable {
    /// What people call them.
    public var name: String?
    /// The language of their pages; the inner nil: what the browser asks for.
    public var language: Language??
    /// Which clock they live by; the inner nil: each site's own.
    public var zone: Zone??

    /// Why a field will not do.
    public enum Fault: String, Error {
        case name, language, zone
    }

    /// The language alone.
    public init(language: Language) { self.language = language }

    /// Fields as somebody wrote them. Of language and zone an empty text means the inner nil.
    public init(name: String? = nil, language: String? = nil, zone: String? = nil) throws(Fault) {
        if let name {
            guard let name = GivenName.parse(name, longest: GivenName.longestOfPerson) else { throw .name }
            self.name = name
        }
        if let language {
            let chosen = Language(rawValue: language)
            guard chosen != nil || language.isEmpty else { throw .language }
            self.language = .some(chosen)
        }
        if let zone {
            let chosen = Zone(name: zone)
            guard chosen != nil || zone.isEmpty else { throw .zone }
            self.zone = .some(chosen)
        }
    }
}

extension Accounts {
    /// Changes somebody's own account: how letters and notices call them, in which language and at which hour they come. A site that asks
    /// for a passkey reaches its people by these, so a session without it changes none.
    /// - Throws: `Problem.secondFactorNeeded`.
    public func change(_ profile: ProfileChange, by principal: Principal) async throws {
        guard principal.locked.isEmpty else { throw Problem.secondFactorNeeded }
        let person = principal.person.id
        try await change { database in
            if let name = profile.name { try AccountRecords.rename(person, to: name, in: database) }
            if let language = profile.language {
                try AccountRecords.setLanguage(language?.rawValue, of: person, in: database)
            }
            if let zone = profile.zone { try AccountRecords.setZone(zone, of: person, in: database) }
        }
    }
}
