import Bus
import Household
import Ledger
import Synchronization
import System

/// How actuators are told something.
final class Actuation: Sendable {
    /// So often one actuator is told something…
    /// - Key: actuator
    static let most = 20
    /// …in so many milliseconds. What protects people is always told.
    static let window: Int64 = 10_000

    private let registry: Registry
    private let bus: HomeBus
    private let clock: WallClock
    /// What sirens were told last.
    private let sirens = Mutex<[ActuatorID: ActuatorValue]>([:])
    private let told = Mutex<[ActuatorID: (since: Timestamp, count: Int)]>([:])

    init(_ registry: Registry, _ bus: HomeBus, clock: WallClock) {
        (self.registry, self.bus, self.clock) = (registry, bus, clock)
    }

    /// Tells an actuator something, at once and never retained. What it does then, it says itself (`LiveReadings.actuator`).
    /// - Parameters:
    ///   - mayOpen: whether it may open a valve: a person asks for it, who has just proven who they are.
    ///   - former: how it came in, where that may be out of use by now.
    func set(
        _ actuator: Actuator, to value: ActuatorValue, mayOpen: Bool = false, by former: Gateway? = nil
    ) throws(ActuationRefusal) {
        let catalog = registry.catalog
        guard let gateway = catalog.gateways[actuator.gateway] ?? former else { throw .unknown }
        if let refusal = catalog.refusal(ofOpening: value, by: actuator, mayOpen: mayOpen) { throw refusal }
        let messages = try ActuatorMessage.messages(for: actuator, value)
        // What sounds is ended, whatever came to its topic since.
        let isEnd = actuator.kind == .siren && value == .off && last(toldTo: actuator.id) == .on
        if !isEnd, catalog.isAnothers(actuator, value) { throw .anothers }
        guard Self.protects(actuator, value) || admits(actuator.id) else { throw .tooOften }
        let others = catalog.actuators(
            on: Set(messages.map(\.topic)), at: actuator.gateway, butFor: actuator.id)
        sirens.withLock { sirens in
            // Switched on by another name, as a plug of the same output, say.
            for other in others
            where other.kind == .siren && sirens[other.id] != .on
                && (try? ActuatorMessage.messages(for: other, .on)) == messages
            {
                sirens[other.id] = nil
            }
            if actuator.kind == .siren { sirens[actuator.id] = value }
        }
        for message in messages {
            do { try bus.publish(message.topic, message.payload, to: gateway) } catch { throw .notReachable }
        }
    }

    /// What anybody told a siren last, whether or not it heard it; nil: nothing since the hub began, or by another name of its output.
    func last(toldTo siren: ActuatorID) -> ActuatorValue? { sirens.withLock { $0[siren] } }

    /// Whether it opens what keeps gas in.
    static func opens(_ actuator: Actuator, _ value: ActuatorValue) -> Bool {
        actuator.kind == .valve && value != .off && value != .percent(0)
    }

    /// Whether it warns of something or ends a danger: a siren that sounds, a valve that closes.
    static func protects(_ actuator: Actuator, _ value: ActuatorValue) -> Bool {
        switch actuator.kind {
        case .siren: value == .on
        case .valve: value == .off || value == .percent(0)
        default: false
        }
    }

    private func admits(_ id: ActuatorID) -> Bool {
        let now = clock.now
        return told.withLock { told in
            var one = told[id] ?? (now, 0)
            // Also when the clock was set back.
            if !(0..<Self.window).contains(now.milliseconds - one.since.milliseconds) { one = (now, 0) }
            one.count += 1
            told[id] = one
            return one.count <= Self.most
        }
    }
}
