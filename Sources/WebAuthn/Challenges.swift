import Crypto
import Synchronization
import System
import Wire

/// The challenges of ceremonies: each good once, for one purpose, for whoever asked, for five minutes.
///
/// A challenge proves itself, by a code under a key that lives as long as the process: however many strangers ask, nobody's is forgotten.
/// What was used is remembered until it is over. A hub that starts anew knows no challenge: whoever was in the middle of a ceremony begins
/// it again.
public final class Challenges: Sendable {
    /// What a challenge was given for.
    public enum Purpose: UInt8, Sendable {
        /// A new passkey.
        case registration = 1
        /// Signing in.
        case signIn = 2
        /// Showing once more who one is.
        case proof = 3
    }

    /// One lives so long, in milliseconds: five minutes, as long as the browser is told to wait.
    public static let lifetime: UInt64 = 300_000
    /// So many that strangers used are remembered, and so many of those who are signed in; then the one that is over first is forgotten.
    /// - Key: hub
    static let spentLimit = 100_000

    /// 8 random bytes, when it is over in milliseconds, and the first 16 bytes of the code.
    private enum Layout {
        static let random = 0..<8
        static let until = 8..<16
        static let code = 16..<32
    }

    private struct Spent {
        /// When what was used is over.
        var until: [[UInt8]: UInt64] = [:]

        mutating func makeRoom(at now: UInt64) {
            guard until.count >= Challenges.spentLimit else { return }
            until = until.filter { $0.value > now }
            // A quarter at once, so that not each one looks at all.
            guard until.count >= Challenges.spentLimit * 3 / 4 else { return }
            let first = until.sorted { $0.value < $1.value }.prefix(Challenges.spentLimit / 4)
            for (challenge, _) in first { until[challenge] = nil }
        }
    }
    /// Who asks.
    private struct Shares {
        var strangers = Spent()
        var signedIn = Spent()
    }
    private let shares = Mutex(Shares())
    private let key = HMACSHA256(key: Random.bytes(32))
    private let uptime: @Sendable () -> UInt64

    /// - Parameter uptime: milliseconds of a clock that never jumps.
    public init(uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }) {
        // A challenge is for strangers: how long the machine has been up is not.
        let offset = UInt64.random(in: 0..<1 << 60)
        self.uptime = { uptime() + offset }
    }

    /// How many are remembered.
    var count: Int { shares.withLock { $0.strangers.until.count + $0.signedIn.until.count } }

    /// A new one: 32 bytes that nobody can foretell.
    /// - Parameter holder: what alone may use it: where a session began, or the hash of a cookie.
    public func give(_ purpose: Purpose, to holder: [UInt8]) -> [UInt8] {
        let until = uptime() + Self.lifetime
        let head = Random.bytes(Layout.random.count) + until.bigEndianBytes
        return head + code(head, purpose, holder)
    }

    /// Uses one up, whatever comes of the ceremony.
    /// - Returns: the one that was given; nil when none such was given to that holder for that purpose, or it is over, or was used.
    public func spend(_ shown: [UInt8], for purpose: Purpose, by holder: [UInt8]) -> [UInt8]? {
        guard shown.count == Layout.code.upperBound,
            constantTimeEquals(
                Array(shown[Layout.code]), code(Array(shown[..<Layout.code.lowerBound]), purpose, holder))
        else { return nil }
        let (now, until) = (uptime(), UInt64(bigEndianBytes: shown[Layout.until]))
        guard until > now else { return nil }
        let isFirst = shares.withLock { shares in
            let share = purpose == .signIn ? \Shares.strangers : \Shares.signedIn
            guard shares[keyPath: share].until[shown] == nil else { return false }
            shares[keyPath: share].makeRoom(at: now)
            shares[keyPath: share].until[shown] = until
            return true
        }
        return isFirst ? shown : nil
    }

    private func code(_ head: [UInt8], _ purpose: Purpose, _ holder: [UInt8]) -> [UInt8] {
        Array(key.authenticate([purpose.rawValue] + head, holder).bytes.prefix(Layout.code.count))
    }
}
