import HTTPServer
import Identity
import Ledger

/// How a request that may change something is counted, before it is worked on.
public enum Counted: Sendable {
    /// With all other changes of its person.
    case change
    /// Ends an alarm or a session, turns a valve or a fan, gets a phone's passes, or proves who somebody is: counted for the session
    /// alone, so that neither a flood of changes nor another session of that person keeps it out.
    case urgent
    /// Has a limit of its own.
    case apart
}

/// How many changes one person makes: what keeps a single account from filling the ledger. Milliseconds of a clock that never jumps.
struct ChangeLimit: Sendable {
    /// Requests that may change something: 5,000 at once, then one a second.
    /// - Key: person
    static let changes = Allowance(burst: 5_000, refill: 1_000)
    /// What is counted as `Counted.urgent`: 600 at once, then one a second.
    /// - Key: session
    static let urgent = Allowance(burst: 600, refill: 1_000)
    /// Memberships that are changed many at once, imported, or given back many at once: 20,000 at once, then one a second. Taking access
    /// away is free.
    /// - Key: person
    static let rows = Allowance(burst: 20_000, refill: 1_000)
    /// So many people, and so many sessions, are counted.
    /// - Key: hub
    static let capacity = 10_000

    private var people = Allowances<PersonID>(changes, capacity: capacity)
    private var sessions = Allowances<SessionID>(urgent, capacity: capacity)
    private var many = Allowances<PersonID>(rows, capacity: capacity)

    /// How many seconds somebody has to wait; nil when they may, which then counts.
    mutating func admit(_ counted: Counted, of principal: Principal, _ now: UInt64) -> Int? {
        switch counted {
        case .change: people.admit(principal.person.id, now)
        case .urgent: sessions.admit(principal.origin, now)
        case .apart: nil
        }
    }

    /// The same of many rows that one request changes. More than the burst are counted as that.
    mutating func admit(rows: Int, of principal: Principal, _ now: UInt64) -> Int? {
        many.admit(principal.person.id, now, count: min(max(rows, 0), Self.rows.burst))
    }

    /// Gives back what was counted for what was not done.
    mutating func giveBack(rows: Int, of principal: Principal) {
        many.giveBack(principal.person.id, count: min(max(rows, 0), Self.rows.burst))
    }
}

extension Accounts {
    /// Counts a request that may change something.
    /// - Throws: 429 with the seconds to wait, when there were too many.
    public func admit(_ counted: Counted, of principal: Principal) throws(Problem) {
        let now = uptime()
        if let seconds = changes.withLock({ $0.admit(counted, of: principal, now) }) {
            throw .tooManyRequests(retryAfter: seconds)
        }
    }

    /// Gives rows back that were counted and not changed.
    public func giveBack(rows: Int, of principal: Principal) {
        changes.withLock { $0.giveBack(rows: rows, of: principal) }
    }

    /// Counts the rows that one request changes: see `ChangeLimit.rows`.
    /// - Throws: 429 with the seconds to wait, when there were too many.
    public func admit(rows: Int, of principal: Principal) throws(Problem) {
        let now = uptime()
        if let seconds = changes.withLock({ $0.admit(rows: rows, of: principal, now) }) {
            throw .tooManyRequests(retryAfter: seconds)
        }
    }
}
