import Accounts
import Identity
import Ledger
import Notices
import Store
import Synchronization
import System

/// Writes down what happened to alarms after people were told: in order, one commit each, and again until the disk takes it. Nobody
/// waits for it. Faults, of which a device makes as many as it likes, wait behind all others, and each house has its own share of both.
final class AlarmJournal: Sendable {
    /// Something to write down.
    enum Entry: Sendable {
        case raised(HouseAlarm)
        /// What it says has changed.
        case reworded(HouseAlarmID, AlarmMessage)
        /// People were told; which round of telling it was, from 0.
        case told(HouseAlarmID, NoticeID, round: Int, at: Timestamp)
        case ended(HouseAlarmID, SiteID, at: Timestamp, by: PersonID?)
        /// Its cause came back a moment after its end.
        case reopened(HouseAlarmID, SiteID, at: Timestamp)
        case silenced(HouseAlarmID, SiteID, at: Timestamp, by: PersonID?)

        /// Only the last of what an alarm says has to be written.
        fileprivate var isRewording: Bool { if case .reworded = self { true } else { false } }
    }

    /// At most so many of a house wait for the disk, faults left out; those that come then are lost, and the log says so.
    /// - Key: site
    static let mostOfAlarms = 1_024
    /// The same for its faults.
    /// - Key: site
    static let mostOfFaults = 512
    fileprivate static let firstPause = Duration.milliseconds(250)
    /// The longest pause between two attempts.
    static let longestPause = Duration.seconds(15)

    private struct Waiting {
        let entry: Entry
        let alarm: HouseAlarmID
        let site: SiteID
    }

    /// What waits, the oldest first.
    private struct Queue {
        let most: Int
        private(set) var waiting: [Waiting] = []
        /// How many waited before those.
        private(set) var done: UInt64 = 0
        private var counts: [SiteID: Int] = [:]

        init(most: Int) { self.most = most }

        /// - Returns: false when the house has too many.
        mutating func append(_ one: Waiting) -> Bool {
            // The first may be on its way to the disk already.
            if one.entry.isRewording,
                let place = waiting.dropFirst().lastIndex(where: { $0.alarm == one.alarm && $0.entry.isRewording })
            {
                waiting[place] = one
                return true
            }
            guard counts[one.site, default: 0] < most else { return false }
            counts[one.site, default: 0] += 1
            waiting.append(one)
            return true
        }

        mutating func removeFirst() {
            let site = waiting.removeFirst().site
            done += 1
            let left = (counts[site] ?? 1) - 1
            counts[site] = left > 0 ? left : nil
        }
    }

    private struct State {
        /// Alarms, and behind them faults.
        var queues = [Queue(most: AlarmJournal.mostOfAlarms), Queue(most: AlarmJournal.mostOfFaults)]
        var isWriting = false
        var pause = AlarmJournal.firstPause
    }
    private let state = Mutex(State())
    private let store: Store

    init(_ store: Store) { self.store = store }

    /// How many are not on the disk yet.
    var waiting: Int { state.withLock { $0.queues.reduce(0) { $0 + $1.waiting.count } } }

    /// Whether something that happened to an alarm is not on the disk yet.
    func isWaiting(for alarm: HouseAlarmID) -> Bool {
        state.withLock { $0.queues.contains { $0.waiting.contains { $0.alarm == alarm } } }
    }

    /// What happened to the alarms of a house and is not on the disk yet, in order.
    func waiting(at site: SiteID) -> [HouseAlarmID: [Entry]] {
        state.withLock { state in
            let waiting = state.queues.flatMap { $0.waiting.filter { $0.site == site } }
            return Dictionary(grouping: waiting, by: \.alarm).mapValues { $0.map(\.entry) }
        }
    }

    /// How many entries of alarms there were so far, faults left out.
    var count: UInt64 { state.withLock { $0.queues[0].done + UInt64($0.queues[0].waiting.count) } }

    /// How many of them wait for nothing any more: they come in their order.
    var done: UInt64 { state.withLock { $0.queues[0].done } }

    /// Writes down what happened to an alarm as soon as that is possible.
    func append(_ entry: Entry, of alarm: HouseAlarm) {
        let one = Waiting(entry: entry, alarm: alarm.id, site: alarm.site)
        let (isKept, isFirst) = state.withLock { state in
            guard state.queues[alarm.kind == .fault ? 1 : 0].append(one) else { return (false, false) }
            defer { state.isWriting = true }
            return (true, !state.isWriting)
        }
        if !isKept {
            Log.failure(
                "home", "an alarm's record is lost: too many of its house wait for the disk",
                ["site": alarm.site.text, "kind": alarm.kind.rawValue])
        }
        if isFirst {
            Task { [weak self] in
                while let pause = await self?.writeNext() { try? await Task.sleep(for: pause) }
            }
        }
    }

    /// Writes the oldest that waits. Answers how long to wait before the next; nil when there is none.
    private func writeNext() async -> Duration? {
        guard let (entry, queue) = next() else { return nil }
        do {
            try await store.write(.vital) { try AlarmRecords.write(entry, in: $0) }
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
            state.queues[queue].removeFirst()
            state.pause = Self.firstPause
        }
        return .zero
    }

    /// The oldest alarm that waits, before the oldest fault; when there is none, the next one that comes starts the writing again.
    private func next() -> (entry: Entry, queue: Int)? {
        state.withLock { state in
            for (place, queue) in state.queues.enumerated() {
                if let first = queue.waiting.first { return (first.entry, place) }
            }
            state.isWriting = false
            return nil
        }
    }
}
