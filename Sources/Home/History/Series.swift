import Household
import Ledger
import Store
import Synchronization
import System

/// What sensors told, over time. Readings wait in memory for half a second at most, and nothing waits for them: whoever acts on a reading
/// has acted by then.
final class Series: ReadingListener, HouseWork {
    let store: Store
    let clock: WallClock

    private struct State {
        /// As they come, for the least work on the bus's own path.
        var heard: [Heard] = []
        var waiting = SeriesBatch()
        var kept: [Int64: (value: Double, at: Int64)] = [:]
        var lost = 0
        var isStuck = false
    }
    private let state = Mutex(State())
    private let first = Bell()
    private let full = Bell()

    init(_ store: Store, clock: WallClock) { (self.store, self.clock) = (store, clock) }

    /// So many readings are written at once, without waiting any longer.
    static let batch = 1_000
    /// Readings wait no longer than this for others to be written with.
    static let patience = Duration.milliseconds(500)
    /// One transaction writes no more readings, and no more rows of folds, than this.
    static let transactionLimit = 4_000
    /// After a write that failed.
    static let pause = Duration.seconds(1)

    // MARK: readings

    /// Keeps a reading. What the broker had kept is old, and is no part of the series.
    func heard(_ reading: Reading, of sensor: Sensor, before: SensorState) {
        guard !reading.isRetained, sensor.kind.isSeries else { return }
        guard let value = reading.value.number, value.magnitude <= ReadingValue.greatest else { return }
        let one = Heard(sensor: sensor.number, at: reading.at, value: value, keeping: Keeping(sensor.kind))
        let count = state.withLock { state in
            // The writer hangs, and does not fail: nothing of these is counted any more.
            if state.heard.count >= SeriesBatch.rawLimit {
                state.lost += SeriesBatch.rawLimit / 10
                state.heard.removeFirst(SeriesBatch.rawLimit / 10)
            }
            state.heard.append(one)
            return state.heard.count
        }
        if count == 1 { first.ring() }
        if count == Self.batch { full.ring() }
    }

    /// Only values make a series.
    func changed(to status: SensorStatus, of sensor: Sensor, before: SensorState, at now: Timestamp) {}

    // MARK: writing

    /// Writes what comes, and removes what is old, until cancelled. What is left to write then, `flush` writes.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.writeWhatComes() }
            group.addTask { try await self.keepHouse() }
            try await group.waitForAll()
        }
    }

    private func writeWhatComes() async throws {
        while true {
            await first.wait()
            try Task.checkCancellation()
            await full.wait(atMost: Self.patience)
            while await !flush() { try await Task.sleep(for: Self.pause) }
        }
    }

    /// Writes everything that waits.
    /// - Returns: whether it is on disk; else it waits for the next time.
    @discardableResult
    func flush() async -> Bool {
        while let part = next() {
            do {
                try await store.write { try SeriesRecords.add(part, in: $0) }
                tellEnd()
            } catch {
                tellTrouble(error, part)
                return false
            }
        }
        return true
    }

    private func next() -> SeriesBatch? {
        full.hush()
        return state.withLock { state in
            state.waiting.add(state.heard, kept: &state.kept)
            state.heard.removeAll(keepingCapacity: true)
            return state.waiting.isEmpty ? nil : state.waiting.next(limit: Self.transactionLimit)
        }
    }

    private func tellTrouble(_ error: any Error, _ part: SeriesBatch) {
        let isNew = state.withLock { state in
            state.waiting.takeBack(part)
            defer { state.isStuck = true }
            return !state.isStuck
        }
        if isNew {
            Log.warning("home", "readings cannot be written: they wait in memory", ["why": "\(error)"])
        }
    }

    private func tellEnd() {
        let (wasStuck, lost) = state.withLock { state in
            defer { (state.isStuck, state.lost) = (false, 0) }
            return (state.isStuck, state.lost + state.waiting.forgetLost())
        }
        if wasStuck { Log.info("home", "readings are written again") }
        if lost > 0 {
            Log.warning("home", "readings were lost while they could not be written", ["count": "\(lost)"])
        }
    }
}

/// Which readings of a sensor are kept one by one. Roll-ups count every reading, and alarms see every reading, whatever this says.
enum Keeping: Sendable, Equatable {
    /// All of them.
    case every
    /// Those that differ from the one kept last by so much at least, or by so large a share of it; and one a minute.
    case changes(by: Double, share: Double = 0)

    /// After so many milliseconds a reading is kept although nothing changed: a flat line is not a silent sensor.
    static let heartbeat: Int64 = 60_000

    /// What is usual for a kind: about what its sensor can tell apart.
    init(_ kind: SensorKind) {
        switch kind {
        case .gas, .carbonMonoxideLevel, .power: self = .changes(by: 0, share: 0.01)
        case .distance, .battery: self = .changes(by: 1)
        case .temperature: self = .changes(by: 0.1)
        case .humidity: self = .changes(by: 0.5)
        case .signal: self = .changes(by: 2)
        case .energy: self = .changes(by: 0)
        // Nobody knows what a custom number means, and so neither what is little of it.
        case .number: self = .every
        default: self = .changes(by: 0)
        }
    }

    /// Whether a reading is kept.
    /// - Parameter before: the one that was kept last; nil: none in this run of the hub.
    func keeps(_ value: Double, at time: Int64, after before: (value: Double, at: Int64)?) -> Bool {
        guard case .changes(let least, let share) = self, let before else { return true }
        // Earlier than the last one: it came late, or the clock was set back.
        if time < before.at || time - before.at >= Self.heartbeat { return true }
        let change = abs(value - before.value)
        return change > 0 && change >= max(least, abs(before.value) * share)
    }
}
