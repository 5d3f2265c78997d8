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

    private struct State {
        var sounding: Set<SiteID> = []
        /// Told to be still, and not reached.
        var unheard: Set<ActuatorID> = []
        /// Whose device said that it is not there.
        var absent: Set<ActuatorID> = []
        var told: UInt64 = 0
    }
    private let state = Mutex(State())
    private let registry: Registry
    private let actuation: Actuation

    init(_ registry: Registry, _ actuation: Actuation) { (self.registry, self.actuation) = (registry, actuation) }

    /// A panel sounds, or does not; saying what is known already does nothing.
    func sound(_ isSounding: Bool, at site: SiteID) {
        let isNew = state.withLock { state in
            isSounding ? state.sounding.insert(site).inserted : state.sounding.remove(site) != nil
        }
        if isNew { tell(site, isSounding) }
    }

    /// The sirens of a house may not have heard that they are to be still: unless it sounds, they are told once more.
    func doubt(at site: SiteID) {
        let sirens = registry.catalog.actuators(at: site).filter { $0.kind == .siren }
        state.withLock { state in
            if !state.sounding.contains(site) { state.unheard.formUnion(sirens.map(\.id)) }
        }
    }

    private func tell(_ site: SiteID, _ isSounding: Bool) {
        for siren in registry.catalog.actuators(at: site) where siren.kind == .siren {
            do throws(ActuationRefusal) {
                try actuation.set(siren, to: isSounding ? .on : .off)
                state.withLock { _ = $0.unheard.remove(siren.id) }
            } catch {
                if !isSounding { state.withLock { _ = $0.unheard.insert(siren.id) } }
                Log.failure("home", "a siren could not be told", ["siren": siren.id.text, "why": "\(error)"])
            }
        }
    }

    /// Who was away may not have heard that it is to be still, whoever told it that last. Those that are to sound for an alarm are told
    /// again and again.
    func heard(_ change: LiveReadings.Change, _ live: LiveReadings) {
        let returned: [Actuator]
        switch change {
        case .sensor: return
        case .gateway(let id):
            guard live.gateway(id).isThere else { return }
            returned = registry.catalog.actuators.values.filter { $0.gateway == id }
        case .actuator(let id):
            let isAway = live.actuator(id).status == .unavailable
            let isBack = state.withLock { state in
                if isAway { state.absent.insert(id) }
                return !isAway && state.absent.remove(id) != nil
            }
            guard isBack, let one = registry.catalog.actuators[id] else { return }
            returned = [one]
        }
        for siren in returned where siren.kind == .siren && actuation.last(toldTo: siren.id) == .off {
            do throws(ActuationRefusal) { try actuation.set(siren, to: .off) } catch {
                state.withLock { _ = $0.unheard.insert(siren.id) }
            }
        }
    }

    /// Tells those of houses that sound once more, and those that should be still and were not reached.
    func repeatWhatWasNotHeard() {
        let now = Uptime.milliseconds
        let (sounding, unheard) = state.withLock { state -> (Set<SiteID>, Set<ActuatorID>) in
            guard now - state.told >= Self.interval else { return ([], []) }
            state.told = now
            return (state.sounding, state.unheard)
        }
        for site in sounding { tell(site, true) }
        let catalog = registry.catalog
        for id in unheard {
            let siren = catalog.actuators[id]
            // Out of use, or wanted again: there is nothing left to end.
            let isOver = siren.map { one in state.withLock { $0.sounding.contains(one.site) } } ?? true
            guard isOver || (try? actuation.set(siren!, to: .off)) != nil else { continue }
            state.withLock { _ = $0.unheard.remove(id) }
        }
    }
}
