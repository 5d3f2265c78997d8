import Accounts
import Ledger
import Notices
import Store
import Synchronization
import System

/// Writes down what happened to alarms after people were told: in order, one commit each, and again until the disk takes it. Nobody
/// waits for it.
final class AlarmJournal: Sendable {
    /// Something to write down.
    enum Entry: Sendable {
        case raised(HouseAlarm)
        /// People were told; which round of telling it was, from 0.
        case told(HouseAlarmID, NoticeID, round: Int, at: Timestamp)
        case ended(HouseAlarmID, SiteID, at: Timestamp, by: PersonID?)
        /// Its cause came back a moment after its end.
        case reopened(HouseAlarmID, SiteID, at: Timestamp)
        case silenced(HouseAlarmID, SiteID, at: Timestamp, by: PersonID?)
    }

    /// At most so many wait for the disk; those that come then are lost, and the log says so.
    /// - Key: hub
    static let most = 4_096
    fileprivate static let firstPause = Duration.milliseconds(250)
    /// The longest pause between two attempts.
    static let longestPause = Duration.seconds(15)

    private struct State {
        var waiting: [Entry] = []
        var isWriting = false
        var pause = AlarmJournal.firstPause
    }
    private let state = Mutex(State())
    private let store: Store

    init(_ store: Store) { self.store = store }

    /// How many are not on the disk yet.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Writes it down as soon as that is possible.
    func append(_ entry: Entry) {
        let (isKept, isFirst) = state.withLock { state in
            guard state.waiting.count < Self.most else { return (false, false) }
            state.waiting.append(entry)
            defer { state.isWriting = true }
            return (true, !state.isWriting)
        }
        if !isKept { Log.failure("home", "an alarm's record is lost: too many wait for the disk") }
        if isFirst {
            Task { [weak self] in
                while let pause = await self?.writeNext() { try? await Task.sleep(for: pause) }
            }
        }
    }

    /// Writes the oldest that waits. Answers how long to wait before the next; nil when there is none.
    private func writeNext() async -> Duration? {
        guard let entry = next() else { return nil }
        do {
            try await store.write { try AlarmRecords.write(entry, in: $0) }
        } catch let error as StoreError where error.isConstraint {
            // The house is gone: there is nowhere to write it.
            Log.warning("home", "an alarm's record does not fit the tables any more", ["why": "\(error)"])
        } catch {
            Log.failure("home", "an alarm was told and could not be written down yet", ["why": "\(error)"])
            return state.withLock { state in
                defer { state.pause = min(state.pause * 2, Self.longestPause) }
                return state.pause
            }
        }
        state.withLock { state in
            state.waiting.removeFirst()
            state.pause = Self.firstPause
        }
        return .zero
    }

    /// The oldest that waits; when there is none, the next one that comes starts the writing again.
    private func next() -> Entry? {
        state.withLock { state in
            if state.waiting.isEmpty { state.isWriting = false }
            return state.waiting.first
        }
    }
}
