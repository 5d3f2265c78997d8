import Household
import Synchronization
import System

/// Watches what the broker keeps for each gateway, on the thread on which messages arrive: a full-speed flood must be found out
/// before its messages are read.
final class RetainedWatch: Sendable {
    /// What is to be done about a message.
    enum Act: Equatable {
        case nothing
        /// The broker is to be asked what it keeps below these topics.
        case ask(String)
        /// The gateway is to be shut out.
        case shutOut(GatewayID)
        /// The broker is to forget what it keeps on this topic.
        case clear
    }

    /// The broker is asked so many times in a row whether it keeps anything of a gateway that was shut out.
    static let looks = 3

    private struct Place {
        let gateway: GatewayID
        var meter: RetainedMeter
        var isShutOut = false
        var looksLeft = 0
    }
    /// By the beginning of the gateways' topics.
    private let places = Mutex<[Substring: Place]>([:])
    private let limits: IntakeLimits

    init(_ limits: IntakeLimits = IntakeLimits()) { self.limits = limits }

    /// Watches a gateway; one that was shut out stays so.
    func add(_ gateway: Gateway) {
        let limit = limits.retained(by: gateway.kind)
        places.withLock { places in
            if places[gateway.prefix[...]]?.meter.limit == limit { return }
            places[gateway.prefix[...]] = Place(gateway: gateway.id, meter: RetainedMeter(limit))
        }
    }

    /// A message has arrived.
    func heard(_ topic: String, _ bytes: Int, isRetained: Bool, at now: UInt64 = Uptime.milliseconds) -> Act {
        guard let (prefix, _) = Gateway.split(topic) else { return .nothing }
        return places.withLock { places in
            guard let index = places.index(forKey: prefix) else { return .nothing }
            if places.values[index].isShutOut, isRetained {
                if bytes == 0 { return .nothing }
                places.values[index].looksLeft = Self.looks
                return .clear
            }
            switch places.values[index].meter.take(topic, bytes, isRetained: isRetained, at: now) {
            case .within: return .nothing
            case .uncertain: return .ask(prefix + "#")
            case .over:
                places.values[index].meter = RetainedMeter(places.values[index].meter.limit)
                return .shutOut(places.values[index].gateway)
            }
        }
    }

    /// A gateway has been shut out: what the broker keeps of it is cleared from now on.
    func shutOut(_ gateway: Gateway) {
        places.withLock { places in
            places[gateway.prefix[...], default: place(of: gateway)].isShutOut = true
            places[gateway.prefix[...]]?.looksLeft = Self.looks
        }
    }

    /// A gateway comes in again.
    /// - Returns: whether it was shut out.
    @discardableResult
    func letIn(_ gateway: Gateway) -> Bool {
        places.withLock { $0.updateValue(place(of: gateway), forKey: gateway.prefix[...])?.isShutOut == true }
    }

    /// Whether it was shut out and did not come in again.
    func isShutOut(_ gateway: Gateway) -> Bool { places.withLock { $0[gateway.prefix[...]]?.isShutOut == true } }

    /// Whether what the broker keeps of it may not be cleared to its end yet.
    func isClearing(_ gateway: Gateway) -> Bool {
        places.withLock { places in places[gateway.prefix[...]].map { $0.looksLeft > 0 } == true }
    }

    /// For which topics the broker is asked once more. Called once a second.
    func look() -> [String] {
        places.withLock { places in
            places.keys.filter { places[$0]!.looksLeft > 0 }.map { prefix in
                places[prefix]!.looksLeft -= 1
                return prefix + "#"
            }
        }
    }

    /// A connection begins, which is sent all that the broker keeps.
    func beginAnew() {
        places.withLock { places in
            for prefix in places.keys { places[prefix]!.meter = RetainedMeter(places[prefix]!.meter.limit) }
        }
    }

    private func place(of gateway: Gateway) -> Place {
        Place(gateway: gateway.id, meter: RetainedMeter(limits.retained(by: gateway.kind)))
    }
}
