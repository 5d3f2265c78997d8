import Crypto
import HTTPServer
import Ledger
import Store
import System

extension Accounts {
    /// Counts what costs or lets somebody guess, before it is known who does it. A browser that signed in before has a count of its own.
    /// - Throws: 429 with the seconds to wait, when it was done too often.
    public func admit(_ action: LimitedAction, from visitor: Visitor) throws {
        try admit(action, knownBrowser(of: visitor).map { .known($0) } ?? .network(ClientNetwork(visitor.address)))
    }

    /// Counts what somebody does who is signed in: by their session and what it was renewed from, whatever else comes from their network.
    /// - Throws: 429 with the seconds to wait, when it was done too often.
    public func admit(_ action: LimitedAction, of principal: Principal) throws(Problem) {
        try admit(action, .known(principal.origin.raw.bytes))
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
    private func knownBrowser(of visitor: Visitor) throws -> [UInt8]? {
        guard let shown = visitor.device, let person = KnownDevice.person(in: shown) else { return nil }
        let now = clock.now
        return try store.read { database in
            guard let key = try AccountRecords.deviceKey(in: database),
                let hash = try AccountRecords.storedPassword(of: person, in: database)
            else { return nil }
            return KnownDevice.name(in: shown, of: person, passwordHash: hash, at: now, key: key)
        }
    }
}
