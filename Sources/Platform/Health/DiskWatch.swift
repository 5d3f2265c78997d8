import Accounts
import Ledger
import Notices
import Store
import Synchronization
import System

/// Watches the room on the disk of the folder of data: once a minute, and when a write finds the disk full. Owners are told when it falls
/// below a level, the log and `/api/health` also when it is above it again.
final class DiskWatch: Sendable {
    /// Between two looks while there is little room: what can wait begins again soon.
    static let beat = Duration.seconds(5)
    /// With plenty of room, a look at every beat of so many: once a minute.
    static let beatsBetween = 12
    /// A write that found the disk full counts for so long, in milliseconds, where no room is kept that would tell.
    static let memory: UInt64 = 120_000

    private struct State {
        var level = DiskLevel.plenty
        /// When a write found the disk full last, by a clock that never jumps.
        var filled: UInt64?
    }

    private let given: Given
    private let health: HubHealth
    private let folder: String
    private let read: FreeSpace.Reader
    private let uptime: @Sendable () -> UInt64
    private let state = Mutex(State())
    private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        _ given: Given, _ health: HubHealth, folder: String, read: @escaping FreeSpace.Reader,
        uptime: @escaping @Sendable () -> UInt64
    ) {
        (self.given, self.health, self.folder, self.read, self.uptime) = (given, health, folder, read, uptime)
        given.store.whenFull { [weak self] in self?.noteFull() }
    }

    /// The room that there is; nil: the file system does not say.
    var space: FreeSpace? { read(folder) }

    private var isPlenty: Bool { state.withLock { $0.level == .plenty } }

    private func noteFull() {
        let now = uptime()
        state.withLock { $0.filled = now }
        wake.yield()
    }

    /// Runs until it is cancelled.
    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [wake] in
                var beats = 0
                while !Task.isCancelled {
                    if beats % Self.beatsBetween == 0 || !self.isPlenty { wake.yield() }
                    beats += 1
                    try? await Task.sleep(for: Self.beat)
                }
            }
            for await _ in wakes { await look() }
            group.cancelAll()
        }
        try Task.checkCancellation()
    }

    func look() async {
        let isScarce = given.store.lookAtDisk()
        guard let space else { return }
        let (now, hasReserve) = (uptime(), given.store.reserve != nil)
        let (before, level) = state.withLock { state in
            let isFilled = hasReserve ? false : state.filled.map { now - $0 < Self.memory } ?? false
            let before = state.level
            state.level = before.next(space, refuses: isScarce || isFilled)
            return (before, state.level)
        }
        health.set(.diskLow, level == .low)
        health.set(.diskFull, level == .nearlyFull)
        if level == before { return }
        let facts: KeyValuePairs = ["free": "\(space.free)", "of": "\(space.total)"]
        switch level {
        case .plenty: return Log.info("hub", "the disk has room again", facts)
        case .low: Log.warning("hub", "the disk has little room", facts)
        case .nearlyFull: Log.failure("hub", "the disk is full, or nearly: what can wait is refused", facts)
        }
        if level > before { await tell(level) }
    }

    private func tell(_ level: DiskLevel) async {
        let notify: Notify
        do {
            let owners = try await given.ownersOfAll()
            if owners.isEmpty { return }
            notify = Notify(
                site: nil, content: DiskNotice.content(level), to: .all(owners), key: "\(level)",
                window: DiskNotice.window, lifetime: DiskNotice.lifetime)
        } catch { return Log.failure("hub", "the owners could not be told of the disk", ["why": "\(error)"]) }
        do { try await given.notices.send(notify) } catch let error as StoreError where error.isFull {
            // It is recorded when there is room.
            given.notices.notifyAtOnce(notify)
        } catch { Log.failure("hub", "the owners could not be told of the disk", ["why": "\(error)"]) }
    }
}
