import Accounts
import HTTPServer
import Commands
import Identity
import Ledger
import Store
import Synchronization
import System

/// How people are reached: what has to be told to whom, by which way, and what became of it.
public final class Notices: Sendable {
    /// The tables of this room.
    public static let migrations = [
        OutboxRecords.migration, OutboxRecords.expiryMigration, NoticeRecords.migration, PreferenceRecords.migration,
        WebhookRecords.migration,
        PushRecords.migration, ReceiptRecords.migration, NoticeRecords.goingMigration, OutboxRecords.shareMigration,
        NoticeRecords.peopleMigration, OutboxRecords.endMigration, NoticeRecords.sentMigration,
    ]

    /// Called with what somebody has just been told, for pages that live; nil: something about what they were told has changed.
    public typealias InAppHook = @Sendable (PersonID, NoticeDelivery?) -> Void

    /// Who people are.
    public let accounts: Accounts
    /// What has to leave the hub.
    public let outbox: Outbox
    /// The devices that pushes go to.
    public let devices: PushDevices
    let remembered = Remembered()
    let unrecorded = Unrecorded()
    /// What managers write to many goes one after the other; each of them has their turn after the others.
    let telling = FairTurns<PersonID>(1)
    let isOpenToPrivate = Mutex(false)
    private let hooks = Mutex(Hooks())

    private struct Hooks {
        var ways: [any NoticeWay] = []
        var handlers: [String: ActHandler] = [:]
        var concerned: [NoticeKind: Set<Permission>] = [:]
        var inApp: InAppHook?
    }

    /// - Parameter accounts: who people are.
    public init(accounts: Accounts) {
        self.accounts = accounts
        outbox = Outbox(store: accounts.store, clock: accounts.clock)
        devices = PushDevices(accounts: accounts)
        accounts.whenTakenOver { try PreferenceRecords.erase($0, in: $1) }
    }

    var store: Store { accounts.store }
    var clock: WallClock { accounts.clock }

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

    /// Says whom a kind of notice concerns at its site: only they are told in turn and take care of it. A kind of which nothing is said
    /// concerns everybody who has a part there.
    public func concern(_ permissions: Set<Permission>, kind: NoticeKind) {
        hooks.withLock { $0.concerned[kind] = permissions }
    }

    /// Says who tells the pages that live.
    public func whenToldInApp(_ hook: @escaping InAppHook) { hooks.withLock { $0.inApp = hook } }

    var ways: [any NoticeWay] { hooks.withLock { $0.ways } }

    func handler(of action: String, kind: NoticeKind) -> ActHandler? {
        hooks.withLock { $0.handlers[kind.text + "/" + action] }
    }

    func concerned(by kind: NoticeKind) -> Set<Permission> {
        hooks.withLock { $0.concerned[kind] } ?? Set(Permission.allCases)
    }

    func tellInApp(_ person: PersonID, _ delivery: NoticeDelivery?) { hooks.withLock { $0.inApp }?(person, delivery) }

    /// What others may ask of this room.
    public func register(commands: Commands) {
        commands.register(Notify.self) { notify, caller in try await self.send(notify, by: caller) }
        commands.register(AcknowledgeNotice.self) { acknowledge, caller in
            // A person answers for nobody but themselves.
            if case .person(let person) = caller, person != acknowledge.person { throw NoticeRefusal.unknown }
            return try await self.acknowledge(acknowledge.notice, by: acknowledge.person)
        }
    }

    // MARK: preferences

    /// Keeps how somebody wants to be told, as they ask for in a session. It is about all their sites: one that asks for a passkey is not
    /// kept from telling them by whoever knows their password alone.
    /// - Throws: `Problem.secondFactorNeeded`.
    public func setPreferences(_ preferences: NoticePreferences, by principal: Principal) async throws {
        guard principal.locked.isEmpty else { throw Problem.secondFactorNeeded }
        try await setPreferences(preferences, of: principal.person.id)
    }

    func setPreferences(_ preferences: NoticePreferences, of person: PersonID) async throws {
        let reader = try await store.write { database in
            try PreferenceRecords.put(preferences, of: person, in: database)
            return try PreferenceRecords.reader(person, in: database)
        }
        if let reader { remembered.note(reader) }
    }

    /// How somebody wants to be told.
    public func preferences(of person: PersonID) throws -> NoticePreferences {
        try store.read { try PreferenceRecords.preferences(of: person, in: $0) }
    }

    // MARK: life

    /// Its long work. Returns when the task is cancelled.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.outbox.run() }
            group.addTask { try await self.devices.keepHouse() }
            group.addTask { try await self.takeTurns() }
            group.addTask { try await self.remember() }
            group.addTask { try await self.keepHouse() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func remember() async throws {
        while !Task.isCancelled {
            try await remembered.refresh(from: store)
            try await Task.sleep(for: Remembered.age)
        }
    }

    private func keepHouse() async throws {
        while !Task.isCancelled {
            try await clock.waitUntilRemoving()
            let now = clock.now
            let line = now.adding(milliseconds: -NoticeRecords.kept)
            while try await store.write(.vital, { try NoticeRecords.sweepOver(at: now, in: $0) }) {}
            while try await store.write(.vital, { try NoticeRecords.sweep(before: line, in: $0) }) {}
            try await Task.sleep(for: .seconds(3_600))
        }
    }
}
