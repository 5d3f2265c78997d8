import Ledger
import Wire

/// What protects a house at any time, whether or not it is armed: detectors of smoke, gas and water with the levels from which on they
/// warn, sirens, valves and fans, and what connects all of these.
struct AlwaysOn: Sendable {
    /// From when on a detector warns.
    private struct Warning {
        let name: String
        /// 0 of one that knows only yes and no; infinity of one from which nothing is too much.
        let level: Double
        /// How fast it may grow; infinity: however fast.
        let rise: Double
        /// What it tells below that is no reading.
        let least: Double
        let unit: String

        func isMore(than later: Warning?) -> Bool {
            guard let later else { return true }
            let hidesWhatWarned = later.least > level && later.least > least
            return later.level > level || later.rise > rise || hidesWhatWarned || later.unit != unit
        }
    }

    private let detectors: [SensorID: Warning]
    private let actuators: [ActuatorID: String]
    /// Gateways, with what they come in with.
    private let connections: [GatewayID: (name: String, key: [UInt8]?)]

    /// As it is now.
    init(of site: SiteID, in household: Household) {
        let catalog = household.registry.catalog
        let care = household.care.settings(of: site)
        let sensors = catalog.sensors(at: site).filter { $0.counts(for: nil) }
        detectors = sensors.reduce(into: [:]) { all, sensor in
            let threshold = care.isEnabled ? care.thresholds[sensor.id] : nil
            all[sensor.id] = Warning(
                name: catalog.distinct(sensor).name,
                level: threshold?.level ?? (sensor.kind.isTruth ? 0 : .infinity),
                rise: threshold?.risePerMinute ?? .infinity, least: sensor.range?.lowerBound ?? -.infinity,
                unit: sensor.unit)
        }
        let protectors = catalog.actuators(at: site).filter(\.kind.protects)
        actuators = protectors.reduce(into: [:]) { $0[$1.id] = $1.name }
        let used = Set(sensors.compactMap { catalog.gateway(of: $0)?.id } + protectors.map(\.gateway))
        connections = catalog.gateways(of: site).filter { used.contains($0.id) }
            .reduce(into: [:]) { $0[$1.id] = ($1.name, $1.key?.bytes) }
    }

    /// What of it is missing later, warns later, or comes in otherwise: the names, in their order; and a key of these very things.
    func lost(in later: AlwaysOn) -> (names: [String], key: String)? {
        var lost: [(id: String, name: String)] = []
        for (id, one) in detectors where one.isMore(than: later.detectors[id]) { lost.append((id.text, one.name)) }
        for (id, name) in actuators where later.actuators[id] == nil { lost.append((id.text, name)) }
        for (id, one) in connections {
            if let now = later.connections[id], now.key != one.key { lost.append((id.text, one.name)) }
        }
        guard let first = lost.map(\.id).min() else { return nil }
        return (lost.map(\.name).sorted(), "\(first)/\(lost.count)")
    }
}
