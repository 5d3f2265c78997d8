import Crypto
import HTTPServer
import Identity
import Ledger
import Store
import System

extension Accounts {
    /// Counts what costs or lets somebody guess, before it is known who does it. A browser that signed in before has a count of its own.
    /// - Throws: 429 with the seconds to wait, when it was done too often.
    public func admit(_ action: LimitedAction, from visitor: Visitor) throws {
        let known = try knownBrowser(of: visitor).map { Asker.known($0.name) }
        try admit(action, known ?? .network(ClientNetwork(visitor.address)))
    }

    /// Counts a letter that is asked for before it is known who does it. One to the address of the browser's own person is counted by the
    /// browser; those to others by the person, since each sign-in makes a known browser.
    /// - Throws: 429 with the seconds to wait, when it was done too often.
    public func admitLetter(to address: String, from visitor: Visitor) throws {
        guard let known = try knownBrowser(of: visitor) else { return try admit(.letter, from: visitor) }
        let own = try store.read { try AccountRecords.person(known.person, in: $0)?.address }
        let isOwn = own == Self.normalised(address)
        try admit(.letter, isOwn ? .known(known.name) : .browsers(of: known.person))
    }

    /// Counts what somebody does who is signed in: by their session and what it was renewed from, letters by the person; whatever else comes
    /// from their network.
    /// - Throws: 429 with the seconds to wait, when it was done too often.
    public func admit(_ action: LimitedAction, of principal: Principal) throws(Problem) {
        try admit(action, .known(action == .letter ? principal.person.id.raw.bytes : principal.origin.raw.bytes))
    }

    /// Counts what somebody does with the link in a letter: by the link, when it is good.
    /// - Throws: 429 with the seconds to wait, when it was done too often.
    public func admit(
        _ action: LimitedAction, from visitor: Visitor, showing link: String, for purposes: Set<LinkPurpose>
    ) throws {
        if try self.link(link, for: purposes) != nil {
            try admit(action, .known(Token.hash(link)))
        } else {
            try admit(action, from: visitor)
        }
    }

    func admit(_ action: LimitedAction, _ asker: Asker) throws(Problem) {
        let now = uptime()
        if let seconds = requests.withLock({ $0.admit(action, asker, now) }) {
            throw .tooManyRequests(retryAfter: seconds)
        }
    }

    /// The browser's name, when it proves that its person signed in from it before.
    private func knownBrowser(of visitor: Visitor) throws -> (name: [UInt8], person: PersonID)? {
        guard let shown = visitor.device, let person = KnownDevice.person(in: shown) else { return nil }
        let now = clock.now
        return try store.read { database in
            guard let key = try AccountRecords.deviceKey(in: database),
                let hash = try AccountRecords.storedPassword(of: person, in: database)
            else { return nil }
            return KnownDevice.name(in: shown, of: person, passwordHash: hash, at: now, key: key).map { ($0, person) }
        }
    }
}
