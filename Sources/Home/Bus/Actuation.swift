import Bus
import Ledger
import System

/// Why an actuator was not told.
enum ActuationRefusal: Error, Sendable, Equatable {
    /// It knows nothing of the kind: a siren takes no colour.
    case notOfItsKind
    /// It is not known any more, or has nowhere to be told.
    case unknown
    /// There is no way to it now.
    case notReachable
}

/// How actuators are told something.
final class Actuation: Sendable {
    private let registry: Registry
    private let bus: HomeBus

    init(_ registry: Registry, _ bus: HomeBus) { (self.registry, self.bus) = (registry, bus) }

    /// Tells an actuator something, at once. What it does then, it says itself (`LiveReadings.actuator`).
    func set(_ actuator: Actuator, to value: ActuatorValue) throws(ActuationRefusal) {
        guard let gateway = registry.catalog.gateways[actuator.gateway], let topic = actuator.binding.commandTopic
        else { throw .unknown }
        let payload: String
        switch value {
        case .on: payload = actuator.binding.on
        case .off: payload = actuator.binding.off
        case .percent, .colour, .number, .text: throw .notOfItsKind
        }
        do { try bus.publish(topic, Array(payload.utf8), to: gateway) } catch { throw .notReachable }
    }
}
