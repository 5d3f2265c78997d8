import Accounts
import Identity
import Ledger
import Notices
import Platform
import Store
import Synchronization
import System

/// An exercise: for a while alarms may be raised that are none. Real ones stay real: an exercise begins by its own button alone.
struct Drill: Sendable, Equatable {
    /// In minutes.
    static let lengths = 1...60
    /// So long a siren sounds in an exercise.
    static let siren = Duration.seconds(3)

    /// When it ends by itself.
    let until: Timestamp
    /// Whether sirens sound, for a moment.
    let sounds: Bool
    /// Who began it; nil: they are gone.
    let by: PersonID?

    /// Whether it goes on. One that would go on for longer than any was begun by a clock that was ahead: it is over.
    func isOn(at now: Timestamp) -> Bool {
        let longest = Int64(Self.lengths.upperBound) * 60_000 + ClockCheck.tolerance
        return until > now && until <= now.adding(milliseconds: longest)
    }
}

/// The exercises of houses.
final class Drills: HouseWork {
    private struct State {
        var drills: [SiteID: Drill]
        /// How often houses were armed.
        var armings: [SiteID: Int] = [:]
        /// Those that arming ended and that the table still has.
        var unwritten: [SiteID: Drill] = [:]
    }
    private let state: Mutex<State>
    private let given: Given
    private let alarms: AlarmDesk
    /// Sounds the sirens of a house for a moment.
    private let sound: @Sendable (SiteID) -> Void

    init(_ given: Given, _ alarms: AlarmDesk, sound: @escaping @Sendable (SiteID) -> Void) throws {
        (self.given, self.alarms, self.sound) = (given, alarms, sound)
        let kept = try given.store.read { try SelfTestRecords.drills(in: $0) }
        state = Mutex(State(drills: Dictionary(uniqueKeysWithValues: kept.map { ($0.site, $0.drill) })))
    }

    /// The exercise of a house; nil: there is none now.
    func drill(at site: SiteID) -> Drill? {
        let now = given.clock.now
        return state.withLock { $0.drills[site] }.flatMap { $0.isOn(at: now) ? $0 : nil }
    }

    /// Begins one; one that runs is replaced. There is none when the house is armed in the same moment: nobody knows whether before it.
    /// - Parameter minutes: of `Drill.lengths`.
    func begin(at site: SiteID, minutes: Int, sounds: Bool, by person: PersonID) async throws {
        let minutes = min(max(minutes, Drill.lengths.lowerBound), Drill.lengths.upperBound)
        let drill = Drill(
            until: given.clock.now.adding(milliseconds: Int64(minutes) * 60_000), sounds: sounds, by: person)
        let armings = state.withLock { $0.armings[site] }
        try await given.store.write(.vital) { try SelfTestRecords.set(drill, at: site, in: $0) }
        let isOver = state.withLock { state in
            let isOver = state.armings[site] != armings
            if isOver { state.unwritten[site] = drill } else { state.drills[site] = drill }
            return isOver
        }
        if isOver { await forget() }
    }

    /// A house was armed: its exercise is over, and its alarms with it. From now on it takes what disarming takes to begin one.
    func armed(_ site: SiteID) {
        let isOver = state.withLock { state in
            state.armings[site, default: 0] += 1
            let drill = state.drills.removeValue(forKey: site)
            if let drill { state.unwritten[site] = drill }
            return drill != nil
        }
        guard isOver else { return }
        endAlarms(at: site, by: nil)
        Task { await self.forget() }
    }

    /// Takes those that arming ended out of the table; what cannot be written now is tried again.
    private func forget() async {
        for (site, drill) in state.withLock({ $0.unwritten }) {
            do {
                try await given.store.write(.vital) { database in
                    let kept = try SelfTestRecords.drills(in: database).first { $0.site == site }?.drill
                    // Another one may have begun since, with the proof.
                    if kept == drill { try SelfTestRecords.set(nil, at: site, in: database) }
                }
                state.withLock { if $0.unwritten[site] == drill { $0.unwritten[site] = nil } }
            } catch { Log.failure("home", "an exercise is over and could not be taken out yet", ["why": "\(error)"]) }
        }
    }

    /// Raises an alarm of it.
    /// - Returns: nil when there is no exercise now.
    func raise(_ kind: HouseAlarm.Kind, at site: SiteID, by person: PersonID) -> HouseAlarmID? {
        guard let drill = drill(at: site), kind != .fault else { return nil }
        if drill.sounds { sound(site) }
        return alarms.raise(
            kind, at: site, .hazard(Hazard(kind, nil)), isDrill: true, by: person)
    }

    /// Ends one, and its alarms with it.
    func end(at site: SiteID, by person: PersonID?) async throws {
        try await given.store.write(.vital) { try SelfTestRecords.set(nil, at: site, in: $0) }
        state.withLock { $0.drills[site] = nil }
        endAlarms(at: site, by: person)
    }

    private func endAlarms(at site: SiteID, by person: PersonID?) {
        for alarm in alarms.standing(at: site) where alarm.isDrill { alarms.end(alarm.id, by: person) }
    }

    /// Ends those whose time is over. Runs until it is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            try await look()
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// One look at the clock.
    func look() async throws {
        let now = given.clock.now
        for (site, drill) in state.withLock({ $0.drills }) where !drill.isOn(at: now) {
            try await end(at: site, by: nil)
        }
        await forget()
    }
}
