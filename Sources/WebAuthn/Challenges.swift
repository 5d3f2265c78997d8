import Synchronization
import System
import Wire

/// The challenges that were given and not used yet: each once, for one purpose, for whoever asked, for five minutes.
///
/// They are kept in memory alone. A hub that starts anew knows none: whoever was in the middle of a ceremony begins it again.
public final class Challenges: Sendable {
    /// What a challenge was given for.
    public enum Purpose: Sendable, Hashable {
        /// A new passkey.
        case registration
        /// Signing in.
        case signIn
        /// Showing once more who one is.
        case proof
    }

    /// One lives so long, in milliseconds: five minutes, as long as the browser is told to wait.
    public static let lifetime: UInt64 = 300_000
    /// Whoever asks holds at most so many for each purpose; the oldest goes.
    /// - Key: holder of a challenge
    static let perHolder = 4
    /// At most so many holders of challenges to sign in by, and so many of those who are signed in: strangers make nobody of these begin anew.
    /// Of each kind whoever asked longest ago goes.
    /// - Key: hub
    static let capacity = 20_000

    private struct Place: Hashable {
        let purpose: Purpose
        let holder: [UInt8]
    }
    private struct Given {
        let challenge: [UInt8]
        let until: UInt64
    }
    /// Who asks.
    private enum Share: Hashable {
        case strangers, signedIn

        init(_ purpose: Purpose) { self = purpose == .signIn ? .strangers : .signedIn }
    }
    private let shares = Mutex<[Share: [Place: [Given]]]>([:])
    private let uptime: @Sendable () -> UInt64

    /// - Parameter uptime: milliseconds of a clock that never jumps.
    public init(uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }) { self.uptime = uptime }

    /// How many holders have one.
    var count: Int { shares.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    /// A new one: 32 random bytes.
    /// - Parameter holder: what alone may use it: where a session began, or the hash of a cookie.
    public func give(_ purpose: Purpose, to holder: [UInt8]) -> [UInt8] {
        let (challenge, now) = (Random.bytes(32), uptime())
        let place = Place(purpose: purpose, holder: holder)
        shares.withLock { shares in
            var places = shares.removeValue(forKey: Share(purpose)) ?? [:]
            if places[place] == nil, places.count >= Self.capacity { Self.makeRoom(&places, now) }
            let open = (places[place] ?? []).filter { $0.until > now }.suffix(Self.perHolder - 1)
            places[place] = open + [Given(challenge: challenge, until: now + Self.lifetime)]
            shares[Share(purpose)] = places
        }
        return challenge
    }

    /// Uses one up, whatever comes of the ceremony.
    /// - Returns: the one that was given; nil when none such was given to that holder for that purpose, or it is over.
    public func spend(_ shown: [UInt8], for purpose: Purpose, by holder: [UInt8]) -> [UInt8]? {
        let (place, now) = (Place(purpose: purpose, holder: holder), uptime())
        return shares.withLock { shares in
            guard var given = shares[Share(purpose)]?[place],
                let index = given.firstIndex(where: { constantTimeEquals($0.challenge, shown) })
            else { return nil }
            let found = given.remove(at: index)
            shares[Share(purpose)]?[place] = given.isEmpty ? nil : given
            return found.until > now ? found.challenge : nil
        }
    }

    /// Forgets what is over; when that is not enough, the quarter that asked longest ago.
    private static func makeRoom(_ places: inout [Place: [Given]], _ now: UInt64) {
        places = places.filter { $0.value.last!.until > now }
        guard places.count > capacity * 3 / 4 else { return }
        let oldest = places.sorted { $0.value.last!.until < $1.value.last!.until }.prefix(capacity / 4)
        for (place, _) in oldest { places[place] = nil }
    }
}
