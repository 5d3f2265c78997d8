import HTTPServer

/// What costs the hub something, or lets somebody guess, and so is limited per network whoever asks.
public enum LimitedAction: Sendable, CaseIterable {
    /// Signing in: each costs a password hash.
    case signIn
    /// Bringing the set-up code.
    case setUp
    /// Making a pairing code.
    case pairing
    /// Changing one's password: two password hashes.
    case password
    /// Having a letter sent to an address that one has not proven to be one's own.
    case letter
    /// Asking for a passkey's challenge, and showing the passkey.
    case passkey

    /// How often one network may do it, right or wrong.
    var allowance: Allowance {
        switch self {
        case .signIn: Allowance(burst: 240, refill: 250)
        case .setUp: Allowance(burst: 30, refill: 2_000)
        case .pairing: Allowance(burst: 60, refill: 1_000)
        case .password: Allowance(burst: 20, refill: 6_000)
        case .letter: Allowance(burst: 20, refill: 30_000)
        case .passkey: Allowance(burst: 240, refill: 250)
        }
    }

    /// How many letters one address gets that anybody may have asked for: three, then one each twenty minutes.
    static let lettersToOne = Allowance(burst: 3, refill: 1_200_000)
}

/// The limits of all actions, per network. Times are milliseconds of a clock that never jumps.
struct RequestLimits: Sendable {
    /// At most so many networks are counted for each action.
    static let capacity = 10_000

    private var actions: [LimitedAction: Allowances<ClientNetwork>] = Dictionary(
        uniqueKeysWithValues: LimitedAction.allCases.map { ($0, Allowances($0.allowance, capacity: capacity)) })

    /// How many seconds a network has to wait; nil when it may, which then counts.
    mutating func admit(_ action: LimitedAction, _ network: ClientNetwork, _ now: UInt64) -> Int? {
        let wait = actions[action]!.wait(network, now)
        if wait > 0 { return Int((wait + 999) / 1000) }
        actions[action]!.take(network, now)
        return nil
    }
}
