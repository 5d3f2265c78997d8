import Identity
import Ledger
import Store
import Synchronization
import System

/// The way of what houses tell: into memory first, then to those who act on it, then to those who keep it.
package final class HouseReadings: Sendable {
    /// What there is.
    package let registry: Registry
    /// How it is now.
    package let live = LiveReadings()
    /// What cameras saw last.
    package let pictures = Pictures()
    private let clock: WallClock
    private let listeners = Mutex<[any ReadingListener]>([])

    /// Reads the tables.
    package init(_ store: Store, clock: WallClock) throws { (registry, self.clock) = (try Registry(store), clock) }

    private var all: [any ReadingListener] { listeners.withLock { $0 } }
}

package extension HouseReadings {
    /// Says who looks at every reading, after those that were added before; before anything runs.
    func add(_ listener: any ReadingListener) { listeners.withLock { $0.append(listener) } }

    /// A sensor told a value that counts.
    func observe(_ reading: Reading, of sensor: Sensor) {
        let before = live.set(sensor.id, SensorState(value: reading.value, at: reading.at, status: .live))
        for listener in all { listener.heard(reading, of: sensor, before: before) }
    }

    /// A sensor told what is shown and not acted upon: it warms up, or it is not there any more and the broker kept its value.
    func show(_ reading: Reading, of sensor: Sensor, as status: SensorStatus) {
        set(SensorState(value: reading.value, at: reading.at, status: status), of: sensor)
    }

    /// A sensor is in another state without having told anything.
    func note(_ status: SensorStatus, of sensor: Sensor) {
        var state = live.sensor(sensor.id)
        guard state.status != status else { return }
        state.status = status
        set(state, of: sensor)
    }

    private func set(_ state: SensorState, of sensor: Sensor) {
        let before = live.set(sensor.id, state)
        guard before.status != state.status else { return }
        let now = clock.now
        for listener in all { listener.changed(to: state.status, of: sensor, before: before, at: now) }
    }

    /// A sensor told a number above what it can measure. What is shown of it stays.
    func observeBeyond(_ value: Double, of sensor: Sensor) {
        for listener in all { listener.heardBeyond(value, of: sensor) }
    }

    /// A sensor is there which has not told anything since the hub started.
    func isThere(_ sensor: Sensor) { for listener in all { listener.isThere(sensor) } }

    /// The bus was lost: from now on nobody hears what sensors say.
    func lostBus() { for listener in all { listener.lostBus() } }

    /// The bus is back.
    func foundBus() { for listener in all { listener.foundBus() } }

    /// Whether everything that comes in by a gateway was put aside.
    func isIsolated(_ gateway: GatewayID, at site: SiteID) -> Bool {
        let catalog = registry.catalog
        return catalog.sensors(at: site).contains {
            catalog.devices[$0.device]?.gateway == gateway && live.sensor($0.id).status == .isolated
        }
    }
}
