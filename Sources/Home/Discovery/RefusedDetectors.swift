import Ledger
import Synchronization
import System

/// A detector of gas, fire or carbon monoxide that the hub cannot read warns of nothing: its house has a fault for it until it is taken, or
/// gone. All else that is not taken stands on the page of its connection alone.
final class RefusedDetectors: Sendable {
    /// So many of one connection are told by name; the others are on its page.
    /// - Key: gateway
    static let most = 8
    /// So many new ones of a connection are told in an hour.
    /// - Key: gateway
    static let mostInAnHour = 16

    private let household: Household
    private let faults = Mutex<[GatewayID: Set<HouseAlarmID>]>([:])
    /// Where some wait for the next hour.
    private let waiting = Mutex<Set<GatewayID>>([])
    private let told = Mutex<[GatewayID: (since: Timestamp, count: Int)]>([:])

    /// Takes up the faults that stand.
    init(_ household: Household) {
        self.household = household
        for alarm in household.alarms.standing where alarm.kind == .fault {
            guard case .refusedDetector = alarm.message, let gateway = Self.gateway(of: alarm) else { continue }
            faults.withLock { _ = $0[gateway, default: []].insert(alarm.id) }
        }
    }

    /// - Parameter place: which of those that one message describes.
    private static func aspect(_ gateway: GatewayID, _ topic: String, _ place: Int) -> String {
        "refused \(gateway.text) \(place) \(topic)"
    }

    private static func gateway(of alarm: HouseAlarm) -> GatewayID? {
        let parts = alarm.aspect.split(separator: " ", maxSplits: 2)
        return parts.count > 1 ? GatewayID(String(parts[1])) : nil
    }

    /// Looks at what is not taken of what devices say.
    /// - Parameter gateway: of this connection; nil: of all.
    func review(_ gateway: GatewayID? = nil) {
        let gateways = household.registry.catalog.gateways
        do {
            let refused = try household.store.read { try AnnouncementRecords.refusedDetectors(of: gateway, in: $0) }
            let byGateway = Dictionary(grouping: refused, by: \.gateway)
            let known = faults.withLock { Set($0.keys) }
            for id in gateway.map({ [$0] }) ?? known.union(byGateway.keys) {
                let stand = gateways[id].map { gateway in
                    Set(
                        (byGateway[id] ?? []).prefix(Self.most).compactMap { one in
                            let name = one.detector.component
                            let isNamed = name == one.device || name.isEmpty
                            return fault(
                                of: gateway, Self.aspect(id, one.topic, place(of: one, in: byGateway[id] ?? [])),
                                .refusedDetector(
                                    name: isNamed ? one.device : "\(name) (\(one.device))", why: one.detector.why))
                        })
                }
                end(faults.withLock { $0.updateValue(stand ?? [], forKey: id) }?.subtracting(stand ?? []) ?? [])
            }
        } catch {
            Log.warning("home", "which detectors are not taken is not known yet", ["why": "\(error)"])
        }
    }

    private typealias Found = (gateway: GatewayID, topic: String, detector: DiscoveredDevice.Refused, device: String)

    /// The how manieth of its message a detector is.
    private func place(of one: Found, in all: [Found]) -> Int {
        all.filter { $0.topic == one.topic }.firstIndex { $0.detector == one.detector } ?? 0
    }

    /// The fault that stands for a detector, however it is called by now, or a new one while the hour has room for it.
    private func fault(of gateway: Gateway, _ aspect: String, _ message: AlarmMessage) -> HouseAlarmID? {
        let known = household.alarms.standing(at: gateway.site).first { $0.kind == .fault && $0.aspect == aspect }
        if let known { return known.id }
        let now = household.clock.now
        let hasRoom = told.withLock { told in
            var count = told[gateway.id] ?? (now, 0)
            if !(0..<3_600_000).contains(now.milliseconds - count.since.milliseconds) { count = (now, 0) }
            count.count += 1
            told[gateway.id] = count
            return count.count <= Self.mostInAnHour
        }
        guard hasRoom else {
            waiting.withLock { _ = $0.insert(gateway.id) }
            return nil
        }
        return household.alarms.raise(.fault, at: gateway.site, message, aspect: aspect)
    }

    /// Ends those of connections that are out of use, and tells what waited for the next hour.
    func look() {
        let (gateways, now) = (household.registry.catalog.gateways, household.clock.now)
        let due = waiting.withLock { waiting in
            let due = waiting.filter { id in
                let since = told.withLock { $0[id]?.since }
                return since.map { !(0..<3_600_000).contains(now.milliseconds - $0.milliseconds) } ?? true
            }
            waiting.subtract(due)
            return due
        }
        for id in due where gateways[id] != nil { review(id) }
        let gone = faults.withLock { faults in
            let gone = faults.filter { gateways[$0.key] == nil }
            for id in gone.keys { faults[id] = nil }
            return gone
        }
        told.withLock { told in told = told.filter { gateways[$0.key] != nil } }
        for faults in gone.values { end(faults) }
    }

    private func end(_ faults: Set<HouseAlarmID>) { for fault in faults { household.alarms.end(fault) } }
}
