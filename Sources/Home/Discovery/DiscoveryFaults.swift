import Household
import Ledger
import System

/// How many faults of what a gateway's devices say of themselves people are told by name. A device that contradicts itself under a hundred
/// names fills no list of notices: beyond the count one fault says that they are many.
struct DiscoveryFaults {
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
        var told: [AlarmMessage.DevicesMatter: Int] = [:]
        /// Faults that say that they are many, of which people are told once an hour; and those of before the start.
        var kept: Set<HouseAlarmID> = []
    }
    private var counts: [GatewayID: Count] = [:]

    /// Counts a fault of a gateway.
    /// - Returns: whether it is told by name.
    mutating func admit(_ matter: AlarmMessage.DevicesMatter, of gateway: GatewayID, at now: Timestamp) -> Bool {
        counts[gateway, default: Count(since: now)].told[matter, default: 0] += 1
        return counts[gateway]?.told[matter] ?? 0 <= matter.most
    }

    /// Keeps a fault until the hour is over.
    mutating func keep(_ fault: HouseAlarmID, of gateway: GatewayID, at now: Timestamp) {
        counts[gateway, default: Count(since: now)].kept.insert(fault)
    }

    /// That fault stood when the hub was started: as many as are told by name have been, as far as is known.
    mutating func restore(
        many fault: HouseAlarmID, _ matter: AlarmMessage.DevicesMatter, of gateway: GatewayID, at now: Timestamp
    ) {
        keep(fault, of: gateway, at: now)
        counts[gateway]?.told[matter] = matter.most
    }

    /// Those that are kept for now.
    var kept: Set<HouseAlarmID> { counts.values.reduce(into: []) { $0.formUnion($1.kept) } }

    /// Lets time pass: after an hour, also by a clock that was set back, a gateway is counted anew.
    /// - Returns: faults that are not kept any more.
    mutating func settle(at now: Timestamp, isInUse: (GatewayID) -> Bool) -> Set<HouseAlarmID> {
        let over = counts.filter { gateway, count in
            !isInUse(gateway) || !(0..<Self.hour).contains(now.milliseconds - count.since.milliseconds)
        }
        for gateway in over.keys { counts[gateway] = nil }
        return over.values.reduce(into: []) { $0.formUnion($1.kept) }
    }
}

extension AlarmMessage.DevicesMatter {
    /// So many of a gateway are told by name in an hour.
    var most: Int {
        switch self {
        case .contradiction: DiscoveryFaults.most
        case .withheld: DiscoveryFaults.mostWithheld
        }
    }
}
