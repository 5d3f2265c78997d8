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

/// How everything is now, in memory: the last value of each sensor, what each actuator says that it does, when each gateway spoke last.
package final class LiveReadings: Sendable {
    private struct State {
        var sensors: [SensorID: SensorState] = [:]
        var actuators: [ActuatorID: SensorState] = [:]
        var gateways: [GatewayID: GatewayState] = [:]
        var refusals: [SensorID: SensorRefusals] = [:]
        /// Here, and not in `Followers`: they are taken out under the same lock, for every reading.
        var followers: [@Sendable (Change) -> Void] = []
    }
    private let state = Mutex(State())
}

package extension LiveReadings {
    /// What changed.
    enum Change: Sendable, Hashable {
        case sensor(SensorID)
        case actuator(ActuatorID)
        case gateway(GatewayID)
    }

    /// How a gateway is.
    struct GatewayState: Sendable, Equatable {
        /// Whether it is connected, as far as anybody knows; and when it spoke last, nil: never in this run of the hub.
        package let (isThere, heard): (Bool, Timestamp?)

        package init(isThere: Bool = false, heard: Timestamp? = nil) { (self.isThere, self.heard) = (isThere, heard) }
    }

    /// How a sensor is.
    func sensor(_ id: SensorID) -> SensorState { state.withLock { $0.sensors[id] } ?? SensorState() }

    /// What an actuator says that it does.
    func actuator(_ id: ActuatorID) -> SensorState { state.withLock { $0.actuators[id] } ?? SensorState() }

    /// Whether a gateway has gone, as far as that was said in this run of the hub.
    func isGone(_ id: GatewayID) -> Bool { state.withLock { $0.gateways[id] }.map { !$0.isThere } ?? false }

    /// How a gateway is.
    func gateway(_ id: GatewayID) -> GatewayState { state.withLock { $0.gateways[id] } ?? GatewayState() }

    /// Keeps how a sensor is; whoever wants to know is told when that is something new.
    /// - Returns: how it was.
    @discardableResult
    func set(_ id: SensorID, _ new: SensorState) -> SensorState {
        let (old, followers) = state.withLock { state in
            let old = state.sensors.updateValue(new, forKey: id) ?? SensorState()
            return (old, old == new ? [] : state.followers)
        }
        for follower in followers { follower(.sensor(id)) }
        return old
    }

    /// The same for an actuator.
    func set(_ id: ActuatorID, _ new: SensorState) {
        let followers = state.withLock { state in
            state.actuators.updateValue(new, forKey: id) == new ? [] : state.followers
        }
        for follower in followers { follower(.actuator(id)) }
    }

    /// The same for a gateway. That it spoke once more is no news; that it came or went is.
    func set(_ id: GatewayID, _ new: GatewayState) {
        let followers = state.withLock { state in
            state.gateways.updateValue(new, forKey: id)?.isThere == new.isThere ? [] : state.followers
        }
        for follower in followers { follower(.gateway(id)) }
    }

    /// Forgets what is out of use: when it is back, what it told before is old.
    func keep(only catalog: Catalog) {
        state.withLock { state in
            state.sensors = state.sensors.filter { catalog.sensors[$0.key] != nil }
            state.actuators = state.actuators.filter { catalog.actuators[$0.key] != nil }
            state.refusals = state.refusals.filter { catalog.sensors[$0.key] != nil }
        }
    }

    /// One more follows the changes; called on whatever thread made them, and so must return at once.
    func follow(_ follower: @escaping @Sendable (Change) -> Void) { state.withLock { $0.followers.append(follower) } }

    /// What was refused of a sensor; nil: nothing.
    func refusals(of id: SensorID) -> SensorRefusals? { state.withLock { $0.refusals[id] } }

    /// Keeps that something of a sensor was refused.
    func refuse(_ id: SensorID, _ reason: PayloadRefusal, at now: Timestamp) {
        state.withLock { state in
            let count = (state.refusals[id]?.count ?? 0) + 1
            state.refusals[id] = SensorRefusals(count: count, reason: reason, at: now)
        }
    }
}
