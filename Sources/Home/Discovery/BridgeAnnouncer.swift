import Crypto
import Household
import Ledger
import Synchronization
import System

/// Tells a home's own broker of the house, so that a Home Assistant behind it shows what the hub shows: devices by discovery, and what
/// they tell, kept for whoever comes later. It offers no commands: nothing behind a bridge arms, disarms, opens or switches by us.
final class BridgeAnnouncer: GatewayListener, Sendable {
    /// Says something to a gateway, kept; false: there is no way to it now.
    typealias Publish = @Sendable (_ topic: String, _ payload: [UInt8], _ gateway: Gateway) -> Bool

    /// After so many milliseconds everything is said again: what is not, expires on the other side.
    static let refresh: Int64 = 120_000

    private struct State {
        /// The bridges that are to be told everything.
        var due: Set<GatewayID> = []
        /// What stands at each bridge: SHA-256 by topic.
        var told: [GatewayID: [String: [UInt8]]] = [:]
        var sensors: Set<SensorID> = []
        var actuators: Set<ActuatorID> = []
        var refreshed: Timestamp?
    }

    private let registry: Registry
    private let live: LiveReadings
    private let panels: HousePanels
    private let clock: WallClock
    private let publish: Publish
    private let state = Mutex(State())
    /// Whether there is any bridge: without one, a reading costs one look at this.
    private let isNeeded = Atomic(false)

    init(
        _ registry: Registry, _ live: LiveReadings, _ panels: HousePanels, _ clock: WallClock,
        publish: @escaping Publish
    ) {
        (self.registry, self.live, self.panels, self.clock, self.publish) = (registry, live, panels, clock, publish)
        registry.follow { [weak self] in self?.follow($0) }
        live.follow { [weak self] in self?.note($0) }
        follow(registry.catalog)
    }

    private func follow(_ catalog: Catalog) {
        let bridges = Set(catalog.gateways.values.lazy.filter { $0.kind == .bridge }.map(\.id))
        isNeeded.store(!bridges.isEmpty, ordering: .relaxed)
        state.withLock { state in
            state.due = bridges
            state.told = state.told.filter { bridges.contains($0.key) }
        }
    }

    private func note(_ change: LiveReadings.Change) {
        guard isNeeded.load(ordering: .relaxed) else { return }
        state.withLock { state in
            switch change {
            case .sensor(let id): state.sensors.insert(id)
            case .actuator(let id): state.actuators.insert(id)
            case .gateway: break
            }
        }
    }

    /// A Home Assistant that has just started wants to be told everything. What the broker keeps of ours comes, too: what we would not say
    /// any more is taken back.
    func receive(_ topic: Substring, _ payload: [UInt8], isRetained: Bool, from gateway: Gateway) -> Bool {
        guard gateway.kind == .bridge else { return false }
        if topic == GatewayTopics.status {
            guard payload == Array("online".utf8) else { return true }
            state.withLock { state in
                state.told[gateway.id] = nil
                state.due.insert(gateway.id)
            }
            return true
        }
        guard topic.hasPrefix(GatewayTopics.ownDescriptions) else { return false }
        if isRetained, !payload.isEmpty {
            // An empty digest is that of nothing: the next announcement says it again, or takes it back.
            state.withLock { state in
                guard state.told[gateway.id]?[String(topic)] == nil, state.told[gateway.id]?.count ?? 0 < 1_000 else {
                    return
                }
                state.told[gateway.id, default: [:]][String(topic)] = []
                state.due.insert(gateway.id)
            }
        }
        return true
    }

    // MARK: saying

    /// Says what has changed since the last look; once a second is enough.
    func look() {
        guard isNeeded.load(ordering: .relaxed) else { return }
        let (catalog, now) = (registry.catalog, clock.now)
        let work = state.withLock { state in
            let isDue = state.refreshed.map { !(0..<Self.refresh).contains(now.milliseconds - $0.milliseconds) } ?? true
            if isDue { state.refreshed = now }
            defer { (state.due, state.sensors, state.actuators) = ([], [], []) }
            return (due: state.due, sensors: state.sensors, actuators: state.actuators, isWhole: isDue)
        }
        for bridge in catalog.gateways.values where bridge.kind == .bridge {
            let isAll = work.due.contains(bridge.id) || work.isWhole
            let isSaid =
                (!work.due.contains(bridge.id) || announce(to: bridge, catalog)) && saying(bridge, catalog, isAll, work)
            // There is no way to it: everything once more when there is.
            if !isSaid { state.withLock { _ = $0.due.insert(bridge.id) } }
        }
    }

    private func saying(
        _ bridge: Gateway, _ catalog: Catalog, _ isAll: Bool,
        _ work: (due: Set<GatewayID>, sensors: Set<SensorID>, actuators: Set<ActuatorID>, isWhole: Bool)
    ) -> Bool {
        let sensors = isAll ? catalog.sensors(at: bridge.site) : work.sensors.compactMap { catalog.sensors[$0] }
        for sensor in sensors where sensor.site == bridge.site && catalog.devices[sensor.device]?.gateway != bridge.id {
            let said = BridgeMessage.state(of: sensor, live.sensor(sensor.id))
            guard said.allSatisfy({ publish($0.topic, $0.payload, bridge) }) else { return false }
        }
        let actuators = isAll ? catalog.actuators(at: bridge.site) : work.actuators.compactMap { catalog.actuators[$0] }
        for actuator in actuators where actuator.site == bridge.site && actuator.gateway != bridge.id {
            let said = BridgeMessage.state(of: actuator, live.actuator(actuator.id))
            guard said.allSatisfy({ publish($0.topic, $0.payload, bridge) }) else { return false }
        }
        let panel = BridgeMessage.state(of: panels.panel(of: bridge.site), at: bridge.site)
        return tell(panel, to: bridge, again: isAll)
    }

    private func announce(to bridge: Gateway, _ catalog: Catalog) -> Bool {
        let devices = catalog.devices(of: bridge.site).filter { $0.gateway != bridge.id }
        let configs =
            devices.compactMap { BridgeMessage.config(of: $0, catalog) } + [BridgeMessage.panelConfig(of: bridge.site)]
        for config in configs where !tell(config, to: bridge) { return false }
        let wanted = Set(configs.map(\.topic))
        let old = state.withLock { $0.told[bridge.id] ?? [:] }.keys.filter {
            $0.hasPrefix(GatewayTopics.ownDescriptions) && !wanted.contains($0)
        }
        for topic in old {
            guard publish(topic, [], bridge) else { return false }
            state.withLock { _ = $0.told[bridge.id]?.removeValue(forKey: topic) }
        }
        return true
    }

    /// Says it, unless it stands there already.
    private func tell(_ message: ActuatorMessage, to bridge: Gateway, again: Bool = false) -> Bool {
        let digest = Digest.sha256(message.payload)
        if !again, state.withLock({ $0.told[bridge.id]?[message.topic] == digest }) { return true }
        guard publish(message.topic, message.payload, bridge) else { return false }
        state.withLock { $0.told[bridge.id, default: [:]][message.topic] = digest }
        return true
    }
}
