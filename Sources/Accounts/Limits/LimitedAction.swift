import HTTPServer
import Identity
import Ledger

/// What costs the hub something, or lets somebody guess, and so is limited: for strangers per network, for whoever is known on a count
/// of their own, so that a flood from their network does not keep them out.
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
    /// Sending oneself the notice by which one opens a gate.
    case checkIn

    /// How often the strangers of one network may do it together, right or wrong.
    /// - Key: network or known browser
    var allowance: Allowance {
        switch self {
        case .signIn: Allowance(burst: 240, refill: 250)
        case .setUp: Allowance(burst: 30, refill: 2_000)
        case .pairing: Allowance(burst: 60, refill: 1_000)
        case .password: Allowance(burst: 20, refill: 6_000)
        case .letter: Allowance(burst: 20, refill: 30_000)
        case .passkey: Allowance(burst: 240, refill: 250)
        case .checkIn: Allowance(burst: 30, refill: 60_000)
        }
    }

    /// How often somebody known may do it: as often as a whole network; a password, which the limit on guesses counts besides, more often.
    var knownAllowance: Allowance { self == .password ? Self.knownPassword : allowance }
    /// - Key: session
    private static let knownPassword = Allowance(burst: 60, refill: 1_000)

    /// How many letters of one kind one address gets that one person asks for, or that anybody may have asked for: three, then one each twenty
    /// minutes.
    /// - Key: address of a letter, and who asks
    static let lettersToOne = Allowance(burst: 3, refill: 1_200_000)

    /// How many letters one address gets by which people with an account want to have it, all of them together: twelve, then one each five minutes.
    /// - Key: address of a letter
    static let lettersOfClaims = Allowance(burst: 12, refill: 300_000)

    /// How many letters of one kind tell one person what happens to their account: ten, then one each twenty minutes.
    /// - Key: address of a letter
    static let lettersOfWays = Allowance(burst: 10, refill: 1_200_000)

    /// How many invitations go out by letter in the name of one site: a thousand, then about a thousand a day.
    /// - Key: site
    static let lettersOfSite = Allowance(burst: 1_000, refill: 86_000)
}

/// Who is counted when somebody does what is limited.
enum Asker: Hashable, Sendable {
    /// Nobody knows who: all of a network count together.
    case network(ClientNetwork)
    /// They showed what no stranger has: a browser that signed in before, a session, a letter's link. Its name.
    case known([UInt8])

    /// All known browsers of a person together; apart from what is counted of them signed in, which may be somebody else in their session.
    static func browsers(of person: PersonID) -> Self { .known(Array("browsers".utf8) + person.raw.bytes) }
}

/// The limits of all actions. Times are milliseconds of a clock that never jumps.
struct RequestLimits: Sendable {
    /// At most so many networks, and so many who are known, are counted for each action.
    /// - Key: hub
    static let capacity = 10_000

    private var strangers = Self.counts(\.allowance)
    private var known = Self.counts(\.knownAllowance)

    /// How many seconds somebody has to wait; nil when they may, which then counts.
    mutating func admit(_ action: LimitedAction, _ asker: Asker, _ now: UInt64) -> Int? {
        switch asker {
        case .network: strangers[action]!.admit(asker, now)
        case .known: known[action]!.admit(asker, now)
        }
    }

    private static func counts(
        _ allowance: (LimitedAction) -> Allowance
    ) -> [LimitedAction: Allowances<Asker>] {
        Dictionary(
            uniqueKeysWithValues: LimitedAction.allCases.map {
                ($0, Allowances(allowance($0), capacity: capacity))
            })
    }
}

extension Allowances {
    /// How many seconds a key has to wait; nil when it may, which then counts.
    mutating func admit(_ key: Key, _ now: UInt64, count: Int = 1) -> Int? {
        let wait = wait(key, now, count: count)
        if wait > 0 { return Int((wait + 999) / 1000) }
        take(key, now, count: count)
        return nil
    }
}
