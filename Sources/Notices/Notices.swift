import Accounts
import Ledger
import Store
import Synchronization
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

    /// Called with what somebody has just been told, for pages that live; nil: what they read has changed.
    public typealias InAppHook = @Sendable (PersonID, NoticeDelivery?) -> Void

    /// Who people are.
    public let accounts: Accounts
    /// What has to leave the hub.
    public let outbox: Outbox
    private let hooks = Mutex(Hooks())

    private struct Hooks {
        var ways: [any NoticeWay] = []
        var handlers: [String: ActHandler] = [:]
        var inApp: InAppHook?
    }

    /// - Parameter accounts: who people are.
    public init(accounts: Accounts) {
        self.accounts = accounts
        outbox = Outbox(store: accounts.store, clock: accounts.clock)
    }

    // MARK: what others hang in, before `run`

    /// Adds a way of reaching people.
    public func use(_ way: any NoticeWay) { hooks.withLock { $0.ways.append(way) } }

    /// Says what an action of a kind of notice does. One answers each.
    public func onAction(kind: NoticeKind, name: String, _ handler: @escaping ActHandler) {
        precondition(NoticeAction.isName(name), "not a name of an action: \(name)")
        hooks.withLock { hooks in
            let key = kind.text + "/" + name
            precondition(hooks.handlers[key] == nil, "two answer \(key)")
            hooks.handlers[key] = handler
        }
    }

    /// Says who tells the pages that live.
    public func whenToldInApp(_ hook: @escaping InAppHook) { hooks.withLock { $0.inApp = hook } }

    var ways: [any NoticeWay] { hooks.withLock { $0.ways } }

    func handler(of action: String, kind: NoticeKind) -> ActHandler? {
        hooks.withLock { $0.handlers[kind.text + "/" + action] }
    }

    func tellInApp(_ person: PersonID, _ delivery: NoticeDelivery?) { hooks.withLock { $0.inApp }?(person, delivery) }

    /// Its long work. Returns when the task is cancelled.
    public func run() async throws { try await outbox.run() }
}
