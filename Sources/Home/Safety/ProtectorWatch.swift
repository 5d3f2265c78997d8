import Household
import Ledger
import Notices
import Synchronization
import System

/// Looks whether the sirens and valves of houses can be reached, armed or not: one that cannot is a fault, as a detector is.
final class ProtectorWatch: Sendable, ActuatorListener {
    private struct State {
        /// Since when one cannot be reached.
        var away: [ActuatorID: Timestamp] = [:]
        /// Those that were there again: since when they had been away, and when they were.
        var back: [ActuatorID: (since: Timestamp, at: Timestamp)] = [:]
        /// What people were told of.
        var faults: [ActuatorID: HouseAlarmID] = [:]
        /// Those of them of which nothing is known since the hub was started.
        var unheard: Set<ActuatorID> = []
        /// Those that have said since then that they are there, or what they do, with where they were to say it.
        var said: [ActuatorID: [Availability]] = [:]
    }
    private let state = Mutex(State())
    private let registry: Registry
    private let live: LiveReadings
    private let alarms: AlarmDesk
    private let clock: WallClock
    private let isConnected: @Sendable () -> Bool

    /// What people were told of when the hub stopped stands until the thing is there.
    /// - Parameter isConnected: whether devices can be heard now.
    init(
        _ registry: Registry, _ live: LiveReadings, _ alarms: AlarmDesk, _ clock: WallClock,
        isConnected: @escaping @Sendable () -> Bool
    ) {
        (self.registry, self.live, self.alarms, self.clock) = (registry, live, alarms, clock)
        self.isConnected = isConnected
        for site in Set(registry.catalog.actuators.values.map(\.site)) {
            for fault in alarms.standing(at: site) where fault.kind == .fault {
                guard let actuator = fault.actuator else { continue }
                state.withLock { state in
                    state.faults[actuator] = fault.id
                    state.unheard.insert(actuator)
                }
            }
        }
    }

    private static func protectors(of catalog: Catalog) -> [Actuator] {
        catalog.actuators.values.filter { $0.kind == .siren || $0.kind == .valve }.sorted { $0.id < $1.id }
    }

    /// One has said that it is there, or what it does now.
    /// - Parameter actuator: as it was described when it did.
    func isThere(_ actuator: Actuator) {
        state.withLock { state in
            state.unheard.remove(actuator.id)
            state.said[actuator.id] = actuator.binding.availability
        }
    }

    /// Looks at the clock; once a second is enough.
    func tick() {
        let (now, catalog) = (clock.now, registry.catalog)
        let protectors = Self.protectors(of: catalog)
        for actuator in protectors {
            guard let isAway = isAway(actuator) else { continue }
            if isAway {
                let since = state.withLock { state in
                    state.unheard.remove(actuator.id)
                    // One that is let speak for a moment was away all the time.
                    let back = state.back.removeValue(forKey: actuator.id).flatMap {
                        (0..<IntruderWatch.word).contains(now.milliseconds - $0.at.milliseconds) ? $0.since : nil
                    }
                    let since = min(state.away[actuator.id] ?? back ?? now, now)
                    state.away[actuator.id] = since
                    return since
                }
                let isKnown = state.withLock { $0.faults[actuator.id] != nil }
                guard now.milliseconds - since.milliseconds >= IntruderWatch.grace, !isKnown else { continue }
                let fault = alarms.raise(
                    .fault, at: actuator.site, actuator: actuator.id, Self.message(of: actuator, catalog))
                state.withLock { $0.faults[actuator.id] = fault }
            } else {
                let isUnheard = state.withLock { state in
                    if let since = state.away.removeValue(forKey: actuator.id) {
                        state.back[actuator.id] = (since, now)
                    }
                    // What never says by itself that it is there is there with its gateway.
                    let hasWord = live.actuator(actuator.id).status == .live || actuator.binding.availability.isEmpty
                    if hasWord, live.gateway(actuator.gateway).isThere { state.unheard.remove(actuator.id) }
                    return state.unheard.contains(actuator.id)
                }
                if !isUnheard { end(actuator.id) }
            }
        }
        let used = Set(protectors.map(\.id))
        for id in state.withLock({ state in
            state.away = state.away.filter { used.contains($0.key) }
            state.back = state.back.filter { used.contains($0.key) }
            state.said = state.said.filter { used.contains($0.key) }
            return state.faults.keys.filter { !used.contains($0) }
        }) { end(id) }
    }

    /// Whether it cannot be reached, as far as is known. What is to say that it is there, and has not said so since the hub was started or
    /// since it says so elsewhere, may have gone meanwhile; what the broker kept of what it did says nothing. While the hub itself has no
    /// connection nobody can say anything.
    /// - Returns: nil: nobody knows, and it stays as it was.
    private func isAway(_ actuator: Actuator) -> Bool? {
        let places = actuator.binding.availability
        if [.unavailable, .isolated].contains(live.actuator(actuator.id).status) { return true }
        if places.isEmpty || state.withLock({ $0.said[actuator.id] == places }) { return false }
        return isConnected() ? true : nil
    }

    private func end(_ id: ActuatorID) {
        if let over = state.withLock({ $0.faults.removeValue(forKey: id) }) { alarms.end(over) }
    }

    private static func message(of actuator: Actuator, _ catalog: Catalog) -> AlarmMessage {
        let device = catalog.devices[actuator.device]
        let around = device.map { $0.area.isEmpty ? $0.name : $0.area } ?? ""
        let name = around.isEmpty || around == actuator.name ? actuator.name : "\(actuator.name) (\(around))"
        return .unreachable(name: name, isValve: actuator.kind == .valve)
    }
}
