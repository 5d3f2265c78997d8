import Accounts
import Ledger
import Store
import System

/// How people are reached: what has to be told to whom, by which way, and what became of it.
public final class Notices: Sendable {
    /// The tables of this room.
    public static let migrations = [OutboxRecords.migration]
    /// What this room does when somebody is erased.
    public static let eraser = Eraser(erase: { erasure, database in
        guard try !AccountRecords.isMemberElsewhere(erasure.person, than: erasure.site, in: database) else { return }
        try OutboxRecords.erase(erasure.person, in: database)
    })

    /// Who people are.
    public let accounts: Accounts
    /// What has to leave the hub.
    public let outbox: Outbox

    /// - Parameter accounts: who people are.
    public init(accounts: Accounts) {
        self.accounts = accounts
        outbox = Outbox(store: accounts.store, clock: accounts.clock)
    }

    /// Its long work. Returns when the task is cancelled.
    public func run() async throws { try await outbox.run() }
}
