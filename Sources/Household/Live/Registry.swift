import Identity
import Ledger
import Store
import Synchronization
import System

/// Everything that houses have, as it stands in the tables; read by everybody, many times a second.
package struct Catalog: Sendable {
    /// Where houses stand, by site; a house that has not told is not in it.
    package fileprivate(set) var houses: [SiteID: House] = [:]
    /// Those in use.
    package fileprivate(set) var gateways: [GatewayID: Gateway] = [:]
    /// Those in use.
    package fileprivate(set) var devices: [DeviceID: Device] = [:]
    /// Those in use.
    package fileprivate(set) var sensors: [SensorID: Sensor] = [:]
    /// Those in use.
    package fileprivate(set) var actuators: [ActuatorID: Actuator] = [:]
    /// Those out of use whose connection is in use: they go on doing what is told on their topics.
    fileprivate(set) var unusedActuators: [ActuatorID: UnusedActuator] = [:]

    /// The same by house, in the order in which it is asked for: for every reading, and so nothing may grow with what other houses have.
    private var parts: [SiteID: Part] = [:]

    private struct Part {
        var gateways: [Gateway] = []
        var devices: [Device] = []
        var sensors: [Sensor] = []
        var actuators: [Actuator] = []
    }

    package init() {}
}

package extension Catalog {
    /// An actuator out of use.
    struct UnusedActuator {
        let actuator: Actuator
        /// Since when no message tells of it any more: it may be gone, left out of a description, or about to be described anew. Nil: one does.
        package let gone: Timestamp?
    }

    /// What is in use of all that there is.
    /// - Parameter gone: since when no message tells any more of actuators out of use.
    init(
        _ gateways: some Sequence<Gateway>, _ devices: some Sequence<Device>, _ sensors: some Sequence<Sensor>,
        _ actuators: some Sequence<Actuator>, gone: [ActuatorID: Timestamp]
    ) {
        for one in gateways where one.retired == nil { self.gateways[one.id] = one }
        for one in devices where one.retired == nil && self.gateways[one.gateway] != nil { self.devices[one.id] = one }
        for one in sensors where one.retired == nil && self.devices[one.device] != nil { self.sensors[one.id] = one }
        for one in actuators where one.retired == nil && self.devices[one.device] != nil {
            self.actuators[one.id] = one
        }
        for one in actuators where self.actuators[one.id] == nil && self.gateways[one.gateway] != nil {
            unusedActuators[one.id] = UnusedActuator(actuator: one, gone: gone[one.id])
        }
        for one in self.gateways.values { parts[one.site, default: Part()].gateways.append(one) }
        for one in self.devices.values { parts[one.site, default: Part()].devices.append(one) }
        for one in self.sensors.values { parts[one.site, default: Part()].sensors.append(one) }
        for one in self.actuators.values { parts[one.site, default: Part()].actuators.append(one) }
        for site in parts.keys {
            parts[site]?.gateways.sort { ($0.name, $0.id) < ($1.name, $1.id) }
            parts[site]?.devices.sort { ($0.name, $0.id) < ($1.name, $1.id) }
            parts[site]?.sensors.sort { $0.number < $1.number }
            parts[site]?.actuators.sort { ($0.name, $0.id) < ($1.name, $1.id) }
        }
    }

    /// This one, with another one's content of a house in the place of its own.
    func replacing(_ site: SiteID, by part: Catalog) -> Catalog {
        var all = self
        all.houses[site] = part.houses[site]
        all.parts[site] = part.parts[site]
        all.gateways = gateways.filter { $0.value.site != site }.merging(part.gateways) { $1 }
        all.devices = devices.filter { $0.value.site != site }.merging(part.devices) { $1 }
        all.sensors = sensors.filter { $0.value.site != site }.merging(part.sensors) { $1 }
        all.actuators = actuators.filter { $0.value.site != site }.merging(part.actuators) { $1 }
        all.unusedActuators = unusedActuators.filter { $0.value.actuator.site != site }.merging(part.unusedActuators) {
            $1
        }
        return all
    }

    /// Of a house, by name.
    func gateways(of site: SiteID) -> [Gateway] {
        parts[site]?.gateways ?? []
    }

    /// Of a house, by name.
    func devices(of site: SiteID) -> [Device] {
        parts[site]?.devices ?? []
    }

    /// Of a device, in the order in which they came.
    func sensors(of device: DeviceID) -> [Sensor] {
        sensors.values.filter { $0.device == device }.sorted { $0.number < $1.number }
    }

    /// A sensor under a name that no other in its house has: with its device's, where another one is called the same.
    /// - Parameter known: what people have read of it: a name with its device's stays, also where it is the only one left.
    func distinct(_ sensor: Sensor, known: String? = nil) -> Sensor {
        let full = withDevice(sensor)
        let isAlone = !sensors(at: sensor.site).contains { $0.id != sensor.id && $0.name == sensor.name }
        return isAlone && known != full.name ? sensor : full
    }

    private func withDevice(_ sensor: Sensor) -> Sensor {
        guard let device = devices[sensor.device] else { return sensor }
        var named = sensor
        named.name = "\(sensor.name) (\(device.name))"
        return named
    }

    /// All sensors of a house, in the order in which they came, under names that no other one has.
    func distinctSensors(at site: SiteID) -> [Sensor] {
        let all = sensors(at: site)
        let sharing = Dictionary(grouping: all, by: \.name)
        return all.map { sharing[$0.name, default: []].count > 1 ? withDevice($0) : $0 }
    }

    /// Of a house, in the order in which they came.
    func sensors(at site: SiteID) -> [Sensor] {
        parts[site]?.sensors ?? []
    }

    /// Of a device, by name.
    func actuators(of device: DeviceID) -> [Actuator] {
        actuators.values.filter { $0.device == device }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Of a house, by name.
    func actuators(at site: SiteID) -> [Actuator] {
        parts[site]?.actuators ?? []
    }

    /// Whether an actuator or a sensor in use listens to one of the topics below a gateway, or what protects a house is heard there.
    /// - Parameter own: an actuator that does not count.
    func hears(_ topics: Set<String>, at gateway: GatewayID, butFor own: ActuatorID? = nil) -> Bool {
        isHeard(topics, at: gateway) || !actuators(on: topics, at: gateway, butFor: own).isEmpty
            || !protectors(reportingOn: topics, at: gateway, butFor: own).isEmpty
    }

    /// The sirens, valves and fans that are heard on one of the topics below a gateway: what is told there would be taken for what they say.
    /// - Parameter own: one that does not count.
    func protectors(
        reportingOn topics: Set<String>, at gateway: GatewayID, butFor own: ActuatorID? = nil
    ) -> [Actuator] {
        actuators.values.filter { actuator in
            actuator.id != own && actuator.gateway == gateway && actuator.kind.protects
                && !topics.isDisjoint(with: actuator.binding.reports)
        }
    }

    /// Whether a sensor in use would take what is said on one of the topics below a gateway for its own.
    func isHeard(_ topics: Set<String>, at gateway: GatewayID) -> Bool { !hearers(of: topics, at: gateway).isEmpty }

    /// Those sensors.
    func hearers(of topics: Set<String>, at gateway: GatewayID) -> [Sensor] {
        sensors.values.filter { sensor in
            devices[sensor.device]?.gateway == gateway
                && (topics.contains(sensor.binding.topic)
                    || sensor.binding.availability.contains { topics.contains($0.topic) })
        }
    }

    /// The actuators in use that listen to one of the topics below a gateway.
    /// - Parameter own: one that does not count.
    func actuators(
        on topics: Set<String>, at gateway: GatewayID, butFor own: ActuatorID? = nil
    ) -> [Actuator] {
        actuators.values.filter { actuator in
            actuator.id != own && actuator.gateway == gateway && !topics.isDisjoint(with: actuator.binding.topics)
        }
    }

    /// The actuators out of use that hear what another one is told, and with which a house would lose what protects it: a siren, a valve, a fan,
    /// the switch of a detector. Those that are gone count for what was added by hand alone, unless that was done with a fresh proof since:
    /// whoever waits until a bridge says anew what it has puts nothing in the place of a valve.
    func unusedProtectors(hearing actuator: Actuator) -> [Actuator] {
        unusedActuators.values.filter { counts($0, for: actuator) }.map(\.actuator).filter {
            !actuator.binding.topics.isDisjoint(with: $0.binding.topics)
        }
    }

    private func counts(_ unused: UnusedActuator, for actuator: Actuator) -> Bool {
        let other = unused.actuator
        guard other.gateway == actuator.gateway, other.id != actuator.id else { return false }
        guard let gone = unused.gone else { return other.kind.protects || isSwitchOfDetector(other) }
        return other.kind.protects && devices[actuator.device]?.isByHand == true
            && actuator.proven.map { $0 < gone } ?? true
    }

    /// Other actuators that hear what one is told, and take it for something else: by another kind, or with other words for it. Those in
    /// use, and those out of use that protect.
    func others(hearing value: ActuatorValue, toldTo actuator: Actuator) -> [Actuator] {
        let said = try? ActuatorMessage.messages(for: actuator, value)
        let all =
            actuators(on: actuator.binding.topics, at: actuator.gateway, butFor: actuator.id)
            + unusedProtectors(hearing: actuator)
        return all.filter { other in
            other.kind != actuator.kind || (try? ActuatorMessage.messages(for: other, value)) != said
        }
    }

    /// What is out of use and would do something else by what one that was added by hand is told, or would take it for what it says itself. What
    /// was added by hand, too, is not another's.
    func unusedOthers(hearing actuator: Actuator) -> [UnusedActuator] {
        let hearing = Set([ActuatorValue.on, .off].flatMap { others(hearing: $0, toldTo: actuator) }.map(\.id))
        return unusedActuators.values.filter { unused in
            let other = unused.actuator
            let isMistaken =
                other.kind.protects && counts(unused, for: actuator)
                && !actuator.binding.topics.isDisjoint(with: other.binding.reports)
            return other.device != actuator.device && (hearing.contains(other.id) || isMistaken)
        }
    }

    /// Whether it is a switch or a number of a device that protects a house in some mode.
    func isSwitchOfDetector(_ actuator: Actuator) -> Bool {
        actuator.kind.isSwitch
            && sensors.values.contains { $0.device == actuator.device && ($0.alarmClass != nil || $0.counts(for: nil)) }
    }

    /// Where something was added, changed or taken away since another catalog.
    func sites(otherThan before: Catalog) -> Set<SiteID> {
        func changed<Key: Hashable, One>(
            _ now: [Key: One], _ then: [Key: One], _ site: (One) -> SiteID, _ isSame: (One, One) -> Bool
        ) -> Set<SiteID> {
            var sites = Set(then.filter { now[$0.key] == nil }.map { site($0.value) })
            for (key, one) in now where !(then[key].map { isSame($0, one) } ?? false) { sites.insert(site(one)) }
            return sites
        }
        return changed(gateways, before.gateways, \.site) { $0.name == $1.name && $0.key?.bytes == $1.key?.bytes }
            .union(changed(devices, before.devices, \.site, ==)).union(changed(sensors, before.sensors, \.site, ==))
            .union(changed(actuators, before.actuators, \.site, ==))
    }

    /// How a sensor's device came in; nil when it is out of use.
    func gateway(of sensor: Sensor) -> Gateway? { devices[sensor.device].flatMap { gateways[$0.gateway] } }
}

/// Keeps the catalog, and changes it together with its tables.
package final class Registry: Sendable {
    private let present: Mutex<Catalog>
    private let followers = Followers<Catalog>()
    private let order = WriteOrder<SiteID>()
    private let store: Store

    /// Reads the tables.
    init(_ store: Store) throws {
        self.store = store
        present = Mutex(try store.read { try Self.read($0) })
    }
}

package extension Registry {
    /// As it is now.
    var catalog: Catalog { present.withLock { $0 } }

    /// One more follows the changes, with the catalog as it is then.
    func follow(_ follower: @escaping @Sendable (Catalog) -> Void) { followers.add(follower) }

    /// Changes the tables of a house in one transaction, and then the catalog. What it takes grows with that house alone.
    func change<T: Sendable>(
        at site: SiteID, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let (result, part, number) = try await store.write { [order] database -> (T, Catalog, UInt64) in
            let result = try body(database)
            return (result, try Self.read(site, database), order.next())
        }
        order.follow(number, of: site) {
            let catalog = present.withLock { present in
                present = present.replacing(site, by: part)
                return present
            }
            followers.tell(catalog)
        }
        return result
    }

    private static func read(_ site: SiteID, _ database: Database) throws -> Catalog {
        var catalog = Catalog(
            try HomeRecords.gateways(at: site, in: database),
            try HomeRecords.devices(at: site, isConnected: true, in: database),
            try HomeRecords.sensors(at: site, isConnected: true, in: database),
            try HomeRecords.actuators(at: site, isConnected: true, in: database),
            gone: try HomeRecords.goneActuators(at: site, in: database))
        catalog.houses[site] = try HomeRecords.house(site, in: database)
        return catalog
    }

    private static func read(_ database: Database) throws -> Catalog {
        var catalog = Catalog(
            try HomeRecords.gateways(in: database), try HomeRecords.devices(in: database),
            try HomeRecords.sensors(in: database), try HomeRecords.actuators(in: database),
            gone: try HomeRecords.goneActuators(at: nil, in: database))
        for house in try HomeRecords.houses(in: database) { catalog.houses[house.site] = house }
        return catalog
    }
}
