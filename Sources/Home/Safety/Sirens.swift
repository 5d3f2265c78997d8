import Household
import Identity
import Ledger
import Synchronization
import System

/// The sirens of houses: told as soon as a panel begins or ends to sound, and told again while there is reason to think that they did
/// not hear it.
final class Sirens: Sendable {
    /// While a house sounds its sirens are told so often, in milliseconds of a clock that never jumps: who has just come back hears it.
    static let interval: UInt64 = 5_000
    /// After a start of the hub the sirens of houses that had an alarm are told to be still, when it is no longer ago than this: a day, in
    /// milliseconds.
    static let remembered: Int64 = 86_400_000

    /// A siren, and how it came in.
    private struct Siren {
        let actuator: Actuator
        let gateway: Gateway

        /// Whether what is told to another one is the same for this one.
        func hears(_ value: ActuatorValue, toldTo other: Siren) -> Bool {
            gateway.id == other.gateway.id
                && (try? ActuatorMessage.messages(for: actuator, value))
                    == (try? ActuatorMessage.messages(for: other.actuator, value))
        }
    }

    private struct State {
        var sounding: Set<SiteID> = []
        /// Those in use.
        var known: [ActuatorID: Siren] = [:]
        /// Told to be still, and not reached: in use or not.
        var unheard: [ActuatorID: Siren] = [:]
        /// Whose device said that it is not there.
        var absent: Set<ActuatorID> = []
        /// Connections that are about to be shut out: nothing is told there to sound any more.
        var leaving: Set<GatewayID> = []
        var told: UInt64 = 0
    }
    private let state = Mutex(State())
    private let registry: Registry
    private let actuation: Actuation

    init(_ registry: Registry, _ actuation: Actuation) {
        (self.registry, self.actuation) = (registry, actuation)
        state.withLock { $0.known = Self.known(in: registry.catalog) }
    }

    /// From now on it hears who is back, and what comes into use and out of it.
    func follow(_ readings: HouseReadings) {
        readings.live.follow { [weak self, weak live = readings.live] change in
            if let live { self?.heard(change, live) }
        }
        readings.registry.follow { [weak self] in self?.follow($0) }
    }

    private static func known(in catalog: Catalog) -> [ActuatorID: Siren] {
        var known: [ActuatorID: Siren] = [:]
        for actuator in catalog.actuators.values where actuator.kind == .siren {
            known[actuator.id] = catalog.gateways[actuator.gateway].map { Siren(actuator: actuator, gateway: $0) }
        }
        return known
    }

    /// Of a house, by name.
    private func sirens(at site: SiteID) -> [Siren] {
        Self.known(in: registry.catalog).values.filter { $0.actuator.site == site }.sorted {
            ($0.actuator.name, $0.actuator.id) < ($1.actuator.name, $1.actuator.id)
        }
    }

    /// A panel sounds, or does not; saying what is known already does nothing.
    func sound(_ isSounding: Bool, at site: SiteID) {
        let isNew = state.withLock { state in
            isSounding ? state.sounding.insert(site).inserted : state.sounding.remove(site) != nil
        }
        if isNew { settle(site) }
    }

    private func isSounding(at site: SiteID) -> Bool { state.withLock { $0.sounding.contains(site) } }

    /// Tells the sirens of a house what it does now. Others may tell them meanwhile: who told them what no longer holds tells them once more.
    private func settle(_ site: SiteID) {
        var isSounding: Bool
        repeat {
            isSounding = self.isSounding(at: site)
            tell(site, isSounding)
        } while isSounding != self.isSounding(at: site)
    }

    /// The sirens of a house sound for an exercise, in a task that nothing cancels. A real alarm that sounds by its end keeps them.
    @discardableResult
    func drill(at site: SiteID, for time: Duration) -> Task<Void, Never> {
        let told = sirens(at: site)
        tell(site, true)
        return Task {
            try? await Task.sleep(for: time)
            // Also those that left use meanwhile.
            for siren in told where !isSounding(at: site) { try? end(siren) }
            if isSounding(at: site) { settle(site) }
        }
    }

    /// The sirens of a house may not have heard that they are to be still: unless it sounds, they are told once more.
    func doubt(at site: SiteID) {
        let sirens = sirens(at: site)
        state.withLock { state in
            if state.sounding.contains(site) { return }
            for siren in sirens { state.unheard[siren.actuator.id] = siren }
        }
    }

    /// A siren that was told to sound, and is out of use from now on or is something else, is told to be still as it was until now.
    func follow(_ catalog: Catalog) {
        let known = Self.known(in: catalog)
        let former = state.withLock { state in
            defer { state.known = known }
            return state.known.values.filter { known[$0.actuator.id]?.actuator != $0.actuator }
        }
        for siren in former where actuation.last(toldTo: siren.actuator.id) == .on {
            // By the same or another name it is there still, and ends with its house.
            let isThere = known.values.contains { $0.hears(.off, toldTo: siren) }
            if !isThere { try? end(siren) }
        }
    }

    /// A connection is taken out of use: what sounds on it is told to be still while it can still hear that.
    /// - Returns: whether something sounds there.
    func leave(_ gateway: GatewayID) -> Bool {
        state.withLock { _ = $0.leaving.insert(gateway) }
        let sounding = Self.known(in: registry.catalog).values.filter {
            $0.gateway.id == gateway && actuation.last(toldTo: $0.actuator.id) == .on
        }
        for siren in sounding { try? end(siren) }
        return !sounding.isEmpty
    }

    /// It is shut out, or stays after all: then it is told to sound again with the others of its house.
    func hasLeft(_ gateway: GatewayID) { state.withLock { _ = $0.leaving.remove(gateway) } }

    private func tell(_ site: SiteID, _ isSounding: Bool) {
        for siren in sirens(at: site) {
            do throws(ActuationRefusal) {
                guard isSounding else {
                    try end(siren)
                    continue
                }
                if state.withLock({ $0.leaving.contains(siren.gateway.id) }) { continue }
                try actuation.set(siren.actuator, to: .on)
                state.withLock { $0.unheard[siren.actuator.id] = nil }
            } catch {
                Log.failure(
                    "home", "a siren could not be told", ["siren": siren.actuator.id.text, "why": "\(error)"])
            }
        }
    }

    /// Tells it to be still. Where that throws it is kept and told again, so that a caller may pass over it.
    private func end(_ siren: Siren) throws(ActuationRefusal) {
        state.withLock { $0.unheard[siren.actuator.id] = siren }
        try actuation.set(siren.actuator, to: .off, by: siren.gateway)
        state.withLock { $0.unheard[siren.actuator.id] = nil }
    }

    /// Who was away may not have heard that it is to be still, whoever told it that last. Those that are to sound for an alarm are told
    /// again and again.
    func heard(_ change: LiveReadings.Change, _ live: LiveReadings) {
        let returned: [Siren]
        switch change {
        case .sensor: return
        case .gateway(let id):
            guard live.gateway(id).isThere else { return }
            returned = Self.known(in: registry.catalog).values.filter { $0.gateway.id == id }
        case .actuator(let id):
            let isAway = live.actuator(id).status == .unavailable
            let isBack = state.withLock { state in
                if isAway { state.absent.insert(id) }
                return !isAway && state.absent.remove(id) != nil
            }
            guard isBack, let one = Self.known(in: registry.catalog)[id] else { return }
            returned = [one]
        }
        for siren in returned where actuation.last(toldTo: siren.actuator.id) == .off { try? end(siren) }
    }

    /// Tells those of houses that sound once more, and those that should be still and were not reached.
    func repeatWhatWasNotHeard() {
        let now = Uptime.milliseconds
        let (sounding, unheard) = state.withLock { state -> (Set<SiteID>, [ActuatorID: Siren]) in
            guard now - state.told >= Self.interval else { return ([], [:]) }
            state.told = now
            return (state.sounding, state.unheard)
        }
        for site in sounding { settle(site) }
        if unheard.isEmpty { return }
        let known = Self.known(in: registry.catalog)
        for (id, siren) in unheard {
            // Wanted again: there is nothing left to end.
            let isWanted = known[id].map { one in state.withLock { $0.sounding.contains(one.actuator.site) } } ?? false
            if isWanted { state.withLock { $0.unheard[id] = nil } } else { try? end(known[id] ?? siren) }
        }
    }
}
