import Synchronization
import System

/// When a disk is too full for what can wait, and how much of it is kept for what cannot: pure sums.
struct ReservePlan: Sendable {
    /// A reserve takes no more than this part of a disk.
    static let part: Int64 = 16
    /// In so many slices it is given back: a program that fills the disk takes what is given back too.
    static let slices: Int64 = 8
    /// Blocks of file systems.
    private static let block: Int64 = 4096

    /// The whole reserve, in bytes.
    let size: Int64
    /// What is given back at once, in bytes. Of free room, so much is left to what cannot wait.
    let slice: Int64

    /// - Parameters:
    ///   - limit: the most that the reserve may take, in bytes.
    ///   - total: the bytes of the disk.
    init(limit: Int64, total: Int64) {
        slice = max(min(limit, total / Self.part) / Self.slices / Self.block, 1) * Self.block
        size = slice * Self.slices
    }

    /// Whether what can wait is refused: from less than a slice of free room on until, with a whole reserve, there are two.
    /// - Parameters:
    ///   - wasScarce: whether it was refused before.
    ///   - held: the bytes of the reserve that are left.
    func isScarce(_ wasScarce: Bool, held: Int64, free: Int64) -> Bool {
        wasScarce ? free < size - held + 2 * slice : free < slice
    }
}

/// Room on the disk that is kept for what must be written down while the disk is full: alarms, openings, revocations.
///
/// A file of that size lies beside the database. A vital write that finds the disk full has a slice of it given back, and is tried again; an
/// ordinary one is refused, and from then on every ordinary one, until there is plenty of room and the reserve is whole again.
public final class Reserve: Sendable {
    /// Its name in the folder of data.
    public static let file = "reserve"
    /// The most that the reserve of a hub takes, in bytes: some thousand openings, or alarms.
    public static let ofHub: Int64 = 32 << 20
    /// The most that the reserve of a gate or a box takes, in bytes: some thousand records of its journal.
    public static let ofField: Int64 = 4 << 20
    /// The pause after a reserve that could not be made, in milliseconds.
    static let pause: UInt64 = 10_000

    private struct State {
        var held: Int64
        var isScarce = false
        var triesAgain: UInt64 = 0
    }

    private let folder: String
    private let path: String
    private let plan: ReservePlan
    private let read: FreeSpace.Reader
    private let state: Mutex<State>

    /// Makes the file when there is room for it. On a disk that is full already, gives some of it back: opening a database takes room.
    /// - Parameters:
    ///   - folder: exists.
    ///   - limit: the most that it takes, in bytes; on a small disk it takes less.
    ///   - read: how the disk's room is read.
    public init(folder: String, limit: Int64, read: @escaping FreeSpace.Reader = { FreeSpace(of: $0) }) {
        (self.folder, self.read, path) = (folder, read, folder + "/" + Self.file)
        plan = ReservePlan(limit: limit, total: read(folder)?.total ?? 0)
        let length = Files.size(path) ?? 0
        // A copy that leaves zeros out, or a backup, has its length and nothing to give: it is filled as one that is not there.
        let held = min(Files.allocated(path) ?? 0, plan.size)
        // What is left of one that was given back says that the disk was full.
        state = Mutex(State(held: held, isScarce: length > 0 && length < plan.size))
        if let free = read(folder)?.free, free < plan.slice { _ = give() }
        look()
    }

    /// The bytes that are kept.
    public var held: Int64 { state.withLock { $0.held } }

    /// Whether what can wait is refused.
    public var isScarce: Bool { state.withLock { $0.isScarce } }

    /// Looks how much room there is, and makes the reserve whole when there is plenty.
    /// - Returns: whether what can wait is refused.
    @discardableResult
    func look() -> Bool {
        guard let free = read(folder)?.free else { return isScarce }
        return state.withLock { state in
            let isPlenty = free >= plan.size - state.held + 2 * plan.slice
            if state.held < plan.size, isPlenty { refill(&state) }
            let isWhole = state.held == plan.size
            // A disk that has room and takes nothing, by a quota for one, is full.
            if state.isScarce, isPlenty, !isWhole { return true }
            state.isScarce = plan.isScarce(state.isScarce, held: state.held, free: free)
            return state.isScarce
        }
    }

    private func refill(_ state: inout State) {
        let now = Uptime.milliseconds
        guard now >= state.triesAgain else { return }
        do throws(SystemError) {
            try Files.allocate(path, bytes: plan.size)
            state.held = plan.size
        } catch {
            // What was taken before it failed.
            try? Files.shorten(path, to: state.held)
            state.triesAgain = now + Self.pause
            Log.warning("store", "no room could be kept for alarms and openings", ["why": "\(error)"])
        }
    }

    /// A write found the disk full.
    func noteFull() { state.withLock { $0.isScarce = true } }

    /// A vital write found the disk full: gives a slice back.
    /// - Returns: its bytes; 0 when there is none.
    func give() -> Int64 {
        state.withLock { state in
            state.isScarce = true
            guard state.held > 0 else { return 0 }
            let given = min(plan.slice, state.held)
            do throws(SystemError) {
                // Also the last one: an empty file takes nothing.
                try Files.shorten(path, to: state.held - given)
            } catch {
                Log.failure("store", "the room that is kept could not be given back", ["why": "\(error)"])
                return 0
            }
            state.held -= given
            Log.warning(
                "store", "the disk is full: kept room is given back for alarms and openings",
                ["left": "\(state.held)"])
            return given
        }
    }
}
