import Ledger
import System

/// How many faults of what a gateway's devices say of themselves people are told by name. A device that contradicts itself under a hundred
/// names fills no list of notices: beyond the count one fault says that they are many.
struct DiscoveryFaults {
    /// What a fault is about.
    enum Matter: Hashable, Sendable {
        /// Devices contradict themselves, or one another.
        case contradiction
        /// A device takes back what protects a house that is armed, or sounds.
        case withheld
    }

    /// So many contradictions are told by name in an hour.
    /// - Key: gateway
    static let most = 12
    /// So many of what a device takes back.
    /// - Key: gateway
    static let mostWithheld = 60
    /// In milliseconds.
    static let hour: Int64 = 3_600_000

    private struct Count {
        let since: Timestamp
        var told: [Matter: Int] = [:]
        /// The fault that says that they are many.
        var many: HouseAlarmID?
    }
    private var counts: [GatewayID: Count] = [:]

    /// Counts a fault of a gateway.
    /// - Returns: whether it is told by name.
    mutating func admit(_ matter: Matter, of gateway: GatewayID, at now: Timestamp) -> Bool {
        var count = counts[gateway] ?? Count(since: now)
        count.told[matter, default: 0] += 1
        counts[gateway] = count
        return count.told[matter, default: 0] <= (matter == .withheld ? Self.mostWithheld : Self.most)
    }

    /// The fault that says of a gateway that they are many; nil: none stands.
    func many(of gateway: GatewayID) -> HouseAlarmID? { counts[gateway]?.many }

    /// Keeps that fault.
    mutating func set(many fault: HouseAlarmID, of gateway: GatewayID, at now: Timestamp) {
        counts[gateway, default: Count(since: now)].many = fault
    }

    /// Lets time pass: after an hour, also by a clock that was set back, a gateway is counted anew.
    /// - Returns: the faults that are over.
    mutating func settle(at now: Timestamp, isInUse: (GatewayID) -> Bool) -> [HouseAlarmID] {
        let over = counts.filter { gateway, count in
            !isInUse(gateway) || !(0..<Self.hour).contains(now.milliseconds - count.since.milliseconds)
        }
        for gateway in over.keys { counts[gateway] = nil }
        return over.values.compactMap(\.many)
    }
}
