import Crypto
import HTTPServer

/// How many wrong passwords are heard, so that nobody guesses and nobody can lock somebody else out.
///
/// A stranger is counted three times: per account *and* network (few, then a pause: whoever guesses locks out nobody but themselves), per
/// account over all networks (more, then slowly: what a thousand machines may guess together), and per network over all accounts (one
/// password tried on everybody). A device from which somebody signed in before stands outside all three, with a count of its own: a
/// flood of guesses does not keep the right person out.
///
/// An attempt counts as wrong from its beginning until it turns out right, so that many at once are no more than one by one. Times are
/// milliseconds of a clock that never jumps. Memory is bounded by the capacities.
struct AttemptLimit: Sendable {
    /// Wrong ones of one account from one network, or from one known device, that are free.
    /// - Key: account and network
    static let free = 10
    /// After them nobody of that key gets in for so long: ten minutes.
    static let pause: UInt64 = 600_000
    /// Wrong ones of one account from all strangers together: a hundred, then one a minute.
    /// - Key: account
    static let perAccount = Allowance(burst: 100, refill: 60_000)
    /// Wrong ones from one network for all accounts together: a hundred, then ten a minute.
    /// - Key: network
    static let perNetwork = Allowance(burst: 100, refill: 6_000)
    /// At most so many keys are counted of each kind.
    /// - Key: hub
    static let capacity = 10_000

    /// An account as the counts know it: whatever was typed as an address, in 16 bytes.
    struct Account: Hashable, Sendable {
        private let a, b: UInt64

        /// A name of it: 16 bytes.
        var bytes: [UInt8] { [a, b].flatMap { word in withUnsafeBytes(of: word, Array.init) } }

        /// - Parameter email: normalised; of any length.
        init(_ email: String) {
            let hash = Digest.sha256(Array(email.utf8))
            (a, b) = hash.withUnsafeBytes { ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self)) }
        }
    }

    /// Somebody who is about to be asked for a password.
    struct Attempt: Hashable, Sendable {
        let account: Account
        let network: ClientNetwork
        /// The device, when it has proven that this account signed in from it before.
        let device: [UInt8]?

        /// See the properties.
        init(account: Account, network: ClientNetwork, device: [UInt8]?) {
            (self.account, self.network, self.device) = (account, network, device)
        }

        /// Whoever has a session has a count of their own: strangers' guesses do not keep its person out. A renewal gives no new one.
        init(of principal: Principal, from visitor: Visitor) {
            self.init(
                account: .init(principal.person.email), network: ClientNetwork(visitor.address),
                device: principal.origin.raw.bytes)
        }
    }

    private struct Pair: Hashable, Sendable {
        let account: Account
        let network: ClientNetwork
    }

    private struct Known: Hashable, Sendable {
        let account: Account
        let device: [UInt8]
    }

    private var pairs = Lockouts<Pair>(free: free, pause: pause, capacity: capacity)
    private var devices = Lockouts<Known>(free: free, pause: pause, capacity: capacity)
    private var accounts = Allowances<Account>(perAccount, capacity: capacity)
    private var networks = Allowances<ClientNetwork>(perNetwork, capacity: capacity)

    /// How many keys are remembered in all.
    var count: Int { pairs.count + devices.count + accounts.count + networks.count }

    /// How many seconds somebody has to wait; nil when they may try, which then counts.
    mutating func begin(_ attempt: Attempt, _ now: UInt64) -> Int? {
        let wait = wait(attempt, now)
        if wait > 0 { return Int((wait + 999) / 1000) }
        if let device = attempt.device {
            devices.take(Known(account: attempt.account, device: device), now)
        } else {
            pairs.take(Pair(account: attempt.account, network: attempt.network), now)
            accounts.take(attempt.account, now)
            networks.take(attempt.network, now)
        }
        return nil
    }

    private func wait(_ attempt: Attempt, _ now: UInt64) -> UInt64 {
        if let device = attempt.device { return devices.wait(Known(account: attempt.account, device: device), now) }
        let pair = pairs.wait(Pair(account: attempt.account, network: attempt.network), now)
        return max(pair, accounts.wait(attempt.account, now), networks.wait(attempt.network, now))
    }

    /// It turned out right: earlier failures of the same pair or device are forgotten.
    mutating func succeeded(_ attempt: Attempt) {
        if let device = attempt.device { return devices.reset(Known(account: attempt.account, device: device)) }
        pairs.reset(Pair(account: attempt.account, network: attempt.network))
        accounts.giveBack(attempt.account)
        networks.giveBack(attempt.network)
    }

    /// It was never looked at.
    mutating func withdraw(_ attempt: Attempt) {
        if let device = attempt.device { return devices.giveBack(Known(account: attempt.account, device: device)) }
        pairs.giveBack(Pair(account: attempt.account, network: attempt.network))
        accounts.giveBack(attempt.account)
        networks.giveBack(attempt.network)
    }
}
