import Household
import Identity
import Ledger
import Safeguard
import Synchronization
import System

/// Looks at every reading of the sensors that watch for intruders: what goes from rest to tripped trips the panel. What does not speak, or
/// stands open, while a house is armed is named, and never quietly left out.
///
/// The air is Care's: sensors of the environmental class are none of these.
final class IntruderWatch: ReadingListener {
    /// So long a sensor may be silent before it counts, in milliseconds.
    static let grace: Int64 = 60_000
    /// A sensor that falls silent again so soon after it spoke was silent all the time, in milliseconds: whoever jams it lets it speak
    /// now and then.
    static let word: Int64 = 10_000
    /// Somebody is gone again when they are farther away than this times the distance.
    static let hysteresis = 1.1

    private struct State {
        /// Whether sensors are tripped, by what was heard of them: what the broker had kept, what warms up and what is told while nobody
        /// listens is shown, and none of it.
        var tripped: [SensorID: Bool] = [:]
        /// Those that nobody heard for a while: they may have come to rest, and been tripped again, since.
        var absences: [SensorID: Absence] = [:]
        /// Those that stood open, and then fell silent.
        var silentWhileOpen: Set<SensorID> = []
        /// Since when a sensor does not speak.
        var silent: [SensorID: Timestamp] = [:]
        /// Those that spoke after a silence: since when that was, and when they did.
        var spoke: [SensorID: (since: Timestamp, at: Timestamp)] = [:]
        /// What people were told of, also of sensors that are out of use since.
        var faults: [SiteID: [SensorID: Set<HouseAlarmID>]] = [:]
        /// What devices said while their houses were armed that it watches no more, with the names: it goes on until they are disarmed.
        var contradicted: [SiteID: [SensorID: String]] = [:]
    }
    private let state = Mutex(State())
    private let panels: HousePanels
    private let registry: Registry
    private let live: LiveReadings
    private let settings: SafetySettings
    private let alarms: AlarmDesk
    private let clock: WallClock

    init(
        _ panels: HousePanels, _ registry: Registry, _ live: LiveReadings, _ settings: SafetySettings,
        _ alarms: AlarmDesk, _ clock: WallClock
    ) {
        (self.panels, self.registry, self.live) = (panels, registry, live)
        (self.settings, self.alarms, self.clock) = (settings, alarms, clock)
        for site in Set(registry.catalog.sensors.values.map(\.site)).union(panels.houses.keys) {
            let weak = panels.house(site).weak
            for fault in alarms.standing(at: site) where fault.kind == .fault {
                guard let id = fault.sensor else { continue }
                let isOwn = !fault.aspect.isEmpty || weak[id] == .missing
                // The hub was stopped in the moment in which the house was disarmed.
                if isOwn, panels.house(site).panel.mode == nil {
                    alarms.end(fault.id)
                    continue
                }
                guard isOwn || registry.catalog.sensors[id].map({ watches($0) }) == true else { continue }
                state.withLock { _ = $0.faults[site, default: [:]][id, default: []].insert(fault.id) }
            }
        }
        // Missed, and there: its device took it back before the hub was stopped.
        for (site, house) in panels.houses {
            guard let mode = house.panel.mode else { continue }
            for sensor in registry.catalog.sensors(at: site)
            where house.weak[sensor.id] == .missing && sensor.counts(for: mode) {
                state.withLock { $0.contradicted[site, default: [:]][sensor.id] = sensor.name }
            }
        }
        panels.follow { [weak self] in self?.changed($0) }
        registry.follow { [weak self] in self?.forget(allBut: $0) }
    }

    /// Whether a sensor watches for intruders.
    private func watches(_ sensor: Sensor) -> Bool {
        sensor.alarmClass != nil && sensor.alarmClass != .environmental
    }

    // MARK: readings

    func heard(_ reading: Reading, of sensor: Sensor, before: SensorState) {
        guard let kind = sensor.alarmClass, kind != .environmental else { return }
        judge(reading.value, of: sensor, kind, before: before, isRetained: reading.isRetained)
    }

    func heardBeyond(_ value: Double, of sensor: Sensor) {
        guard let kind = sensor.alarmClass, kind != .environmental else { return }
        judge(.number(value), of: sensor, kind, before: live.sensor(sensor.id), isRetained: false)
    }

    private func judge(
        _ value: ReadingValue, of sensor: Sensor, _ kind: SensorClass, before: SensorState, isRetained: Bool
    ) {
        guard live.sensor(sensor.id).status != .warming else { return }
        let (now, weak) = (clock.now, panels.house(sensor.site).weak[sensor.id])
        let step = state.withLock { state -> (was: Bool, isNow: Bool, isUnsure: Bool)? in
            let known = state.tripped[sensor.id]
            let absence = state.absences[sensor.id]
            // What the broker had kept says nothing of who is heard all the time.
            if isRetained, known != nil, absence == nil { return nil }
            let was = known ?? before.value.flatMap { trips($0, sensor, was: false) } ?? false
            guard let isNow = trips(value, sensor, was: was) else { return nil }
            // That somebody moves is over soon, and is news again: what was kept of it is not held against who moves next.
            if !isRetained || !isNow || kind == .door { state.tripped[sensor.id] = isNow }
            if !isRetained || !isNow { state.absences[sensor.id] = nil }
            // Named as open before the hub was started: it is open still.
            let isNamed = known == nil && weak == .open
            return (was || isNamed, isNow, absence?.mayHideAnother(at: now) ?? false)
        }
        guard let (was, isNow, isUnsure) = step else { return }
        // What the broker had kept of one that is there says that it is there, too.
        if !isRetained || live.sensor(sensor.id).status == .live { spoke(sensor) }
        // A door that was open and is open is no news, and neither is who stood there when the house was armed; who moves again is.
        let isNews = !was || (isUnsure && kind != .door && weak != .open)
        if isNow, isNews {
            // What the broker had kept says how it is, and not that anything happens now. Time runs by the hub's clock, whatever the
            // sensor's says.
            if isRetained { nameWhatStands(sensor) } else { panels.trip(kind, by: sensor, at: now) }
        }
        if !isNow { mend(sensor, .open) }
        // It was so before the house was armed, and out of sight then.
        if isNow, !isNews { nameWhatStands(sensor, isHeard: !isRetained) }
    }

    func changed(to status: SensorStatus, of sensor: Sensor, before: SensorState, at now: Timestamp) {
        switch status {
        case .live:
            spoke(sensor)
            // What the broker had kept of it was only shown while it was away.
            if let kind = sensor.alarmClass, watches(sensor), let value = live.sensor(sensor.id).value,
                trips(value, sensor, was: false) == true
            {
                judge(value, of: sensor, kind, before: before, isRetained: true)
            }
            state.withLock { $0.absences[sensor.id]?.end(at: now) }
        case .warming:
            // It began anew, and is not believed yet: what it said before is over.
            if watches(sensor) { state.withLock { $0.absences[sensor.id] = Absence() } }
            spoke(sensor)
        case .waiting: state.withLock { $0.absences[sensor.id]?.end(at: now) }
        case .late, .unavailable, .isolated:
            guard watches(sensor) else { return }
            state.withLock { Self.lose(sensor.id, at: now, &$0) }
        }
    }

    /// The bus was lost: nobody hears what is said.
    func lostBus() {
        let (now, sensors) = (clock.now, registry.catalog.sensors.values.filter { watches($0) })
        state.withLock { state in for sensor in sensors { Self.lose(sensor.id, at: now, &state) } }
    }

    /// It is back.
    func foundBus() {
        let now = clock.now
        state.withLock { state in for id in state.absences.keys { state.absences[id]?.end(at: now) } }
    }

    private static func lose(_ sensor: SensorID, at now: Timestamp, _ state: inout State) {
        if state.absences[sensor] == nil {
            state.absences[sensor] = Absence(since: now)
        } else {
            state.absences[sensor]?.goOn(at: now)
        }
    }

    /// What is out of use, or watches for nobody, is forgotten: when it does again it begins anew.
    private func forget(allBut catalog: Catalog) {
        func isForgotten(_ id: SensorID) -> Bool { !(catalog.sensors[id].map { watches($0) } ?? false) }
        state.withLock { state in
            state.tripped = state.tripped.filter { !isForgotten($0.key) }
            state.absences = state.absences.filter { !isForgotten($0.key) }
            state.silentWhileOpen = state.silentWhileOpen.filter { !isForgotten($0) }
            state.spoke = state.spoke.filter { !isForgotten($0.key) }
        }
    }

    /// Whether a value trips a sensor; nil: it says nothing of that.
    /// - Parameter was: whether it was tripped: who stood near is gone when they are a little farther away.
    private func trips(_ value: ReadingValue, _ sensor: Sensor, was: Bool) -> Bool? {
        switch value {
        case .truth(let isOn): return isOn
        case .number(let number) where sensor.kind == .distance:
            let distance = number * Self.centimetres(of: sensor.unit)
            let limit = settings.guarding(of: sensor.id).distance
            // Nothing in front of an ultrasonic sensor reads as 0 with many of them.
            return distance > 0 && distance < (was ? limit * Self.hysteresis : limit)
        case .number(let number): return number != 0
        case .text: return nil
        }
    }

    private static func centimetres(of unit: String) -> Double {
        switch unit {
        case "mm": 0.1
        case "m": 100
        case "in": 2.54
        default: 1
        }
    }

    private func spoke(_ sensor: Sensor) {
        let now = clock.now
        let wasSilent = state.withLock { state in
            state.silentWhileOpen.remove(sensor.id)
            guard let since = state.silent.removeValue(forKey: sensor.id) else { return false }
            state.spoke[sensor.id] = (since, now)
            return true
        }
        if wasSilent || panels.house(sensor.site).weak[sensor.id] == .silent { mend(sensor, .silent) }
    }

    // MARK: what stands open, what does not speak

    /// The sensors of a house that are tripped now and would count in a mode.
    func open(at site: SiteID, for mode: ArmMode) -> [SensorID] {
        registry.catalog.sensors(at: site).filter { isWanted($0, for: mode) && isTripped($0) }.map(\.id)
    }

    /// Those that keep a house from being armed: all of them where there is no time to leave; else whoever leaves still moves.
    func obstacles(at site: SiteID, to mode: ArmMode) -> [SensorID] {
        let hasTime = settings.rules(of: site).panel.exitDelay[mode] > 0
        let catalog = registry.catalog
        return open(at: site, for: mode).filter { !hasTime || catalog.sensors[$0]?.alarmClass != .motion }
    }

    /// The sensors of a house that would count in a mode and do not speak now.
    func silent(at site: SiteID, for mode: ArmMode) -> [SensorID] {
        registry.catalog.sensors(at: site).filter { isWanted($0, for: mode) && isSilent($0) }.map(\.id)
    }

    private func isWanted(_ sensor: Sensor, for mode: ArmMode) -> Bool {
        guard let kind = sensor.alarmClass, kind != .environmental else { return false }
        return kind.counts(for: mode)
    }

    /// Whether somebody stands before it, or it stands open.
    func isTripped(_ sensor: Sensor) -> Bool {
        let now = live.sensor(sensor.id)
        guard now.status == .live || now.status == .late else { return false }
        let known = state.withLock { $0.tripped[sensor.id] }
        return known ?? now.value.flatMap { trips($0, sensor, was: false) } ?? false
    }

    private func isSilent(_ sensor: Sensor) -> Bool {
        switch live.sensor(sensor.id).status {
        case .late, .unavailable, .isolated: true
        // Who speaks only when something happens may never have had a reason to.
        case .waiting:
            sensor.period != nil || sensor.binding.expireAfter != nil || !sensor.binding.availability.isEmpty
                || sensor.kind == .contact
        case .live, .warming: false
        }
    }

    /// It was opened, maybe, while nobody heard it: then an armed house says so.
    /// - Parameter isHeard: whether it says so now; what is only known of before tells of doors, not of who moved.
    private func nameWhatStands(_ sensor: Sensor, isHeard: Bool = false) {
        let house = panels.house(sensor.site)
        guard isHeard || sensor.kind == .contact, house.panel.state.isArmed, let mode = house.panel.mode,
            isWanted(sensor, for: mode), !house.bypassed.contains(sensor.id), house.weak[sensor.id] == nil,
            panels.mark(sensor, as: .open)
        else { return }
        tell(sensor, .open)
    }

    // MARK: while a house is armed

    private func changed(_ change: HousePanels.Change) {
        let after = change.after
        guard let mode = after.panel.mode else {
            // Smoke in a house that is disarmed may come and go all the time: only what was named is looked at.
            let named = state.withLock { state in
                state.contradicted[change.site] = nil
                return state.faults.removeValue(forKey: change.site) ?? [:]
            }
            for fault in named.values.joined() { alarms.end(fault) }
            return
        }
        // The time to leave, or an alarm, is over: what is still open is named; so is what counts from now on.
        guard after.panel.state.isArmed else { return }
        let isNew = [.arming, .triggered].contains(change.before.panel.state)
        let included = change.before.panel.mode == mode ? change.before.bypassed.subtracting(after.bypassed) : []
        guard isNew || !included.isEmpty else { return }
        for id in open(at: change.site, for: mode)
        where !after.bypassed.contains(id) && (isNew || included.contains(id)) {
            guard let sensor = registry.catalog.sensors[id], panels.mark(sensor, as: .open) else { continue }
            tell(sensor, .open)
        }
    }

    /// Looks who has been silent for too long in the houses that are armed.
    func tick() {
        let now = clock.now
        for (site, house) in panels.houses {
            guard let mode = house.panel.mode else { continue }
            for sensor in registry.catalog.sensors(at: site) where isWanted(sensor, for: mode) {
                look(at: sensor, in: house, now)
            }
            let contradicted = state.withLock { $0.contradicted[site] } ?? [:]
            for (id, name) in house.watched.merging(contradicted, uniquingKeysWith: { first, _ in first }) {
                look(for: id, name, at: site, in: house, mode, isContradicted: contradicted[id] != nil)
            }
        }
    }

    /// Names what counted when the house was armed and does not any more, until it does again.
    private func look(
        for id: SensorID, _ name: String, at site: SiteID, in house: HousePanel, _ mode: ArmMode, isContradicted: Bool
    ) {
        let isThere =
            !isContradicted
            && (registry.catalog.sensors[id].map { $0.site == site && $0.counts(for: mode) } ?? false)
        let isMissed = house.weak[id] == .missing
        if isThere, isMissed {
            panels.mark(id, at: site, as: nil)
            end(id, at: site)
        } else if !isThere, !isMissed, !house.bypassed.contains(id), panels.mark(id, at: site, as: .missing) {
            end(id, at: site)
            let fault = alarms.raise(
                .fault, at: site, sensor: id, .weak(name: name, how: .missing),
                aspect: AlarmMessage.Weakness.missing.rawValue)
            state.withLock { _ = $0.faults[site, default: [:]][id, default: []].insert(fault) }
        }
    }

    /// A device says that these sensors of a house watch no more, or otherwise: while it is armed they go on as before, and are named
    /// until it is disarmed.
    func contradict(_ sensors: [SensorID: String], at site: SiteID) {
        state.withLock { $0.contradicted[site, default: [:]].merge(sensors) { first, _ in first } }
        let house = panels.house(site)
        guard let mode = house.panel.mode else { return state.withLock { $0.contradicted[site] = nil } }
        for (id, name) in sensors {
            look(for: id, house.watched[id] ?? name, at: site, in: house, mode, isContradicted: true)
        }
    }

    private func look(at sensor: Sensor, in house: HousePanel, _ now: Timestamp) {
        guard isSilent(sensor) else { return spoke(sensor) }
        let since = state.withLock { state in
            let spoke = state.spoke.removeValue(forKey: sensor.id).flatMap {
                (0..<Self.word).contains(now.milliseconds - $0.at.milliseconds) ? $0.since : nil
            }
            let since = min(state.silent[sensor.id] ?? spoke ?? now, now)
            state.silent[sensor.id] = since
            return since
        }
        let weak = house.weak[sensor.id]
        guard now.milliseconds - since.milliseconds >= Self.grace, !house.bypassed.contains(sensor.id), weak != .silent
        else { return }
        if weak == .open {
            // It is named already, and stays so when it speaks again: whether it was closed meanwhile nobody knows.
            guard state.withLock({ $0.silentWhileOpen.insert(sensor.id).inserted }) else { return }
        } else {
            guard panels.mark(sensor, as: .silent) else { return }
            tell(sensor, .silent)
        }
        if settings.guarding(of: sensor.id).tripsWhenSilent, let kind = sensor.alarmClass {
            panels.trip(kind, by: sensor, at: now)
        }
    }

    private func mend(_ sensor: Sensor, _ weakness: AlarmMessage.Weakness) {
        let now = panels.house(sensor.site).weak[sensor.id]
        if now == weakness { panels.mark(sensor, as: nil) }
        // What its device took back is named although it speaks, and what is open although it fell silent meanwhile.
        if now == nil || now == weakness { end(sensor.id, at: sensor.site) }
    }

    private func tell(_ sensor: Sensor, _ weakness: AlarmMessage.Weakness) {
        end(sensor.id, at: sensor.site)
        let fault = alarms.raise(
            .fault, at: sensor.site, sensor: sensor.id, .weak(name: panels.distinct(sensor).name, how: weakness),
            aspect: weakness.rawValue)
        state.withLock { _ = $0.faults[sensor.site, default: [:]][sensor.id, default: []].insert(fault) }
    }

    private func end(_ sensor: SensorID, at site: SiteID) {
        for fault in state.withLock({ $0.faults[site]?.removeValue(forKey: sensor) }) ?? [] { alarms.end(fault) }
    }
}
