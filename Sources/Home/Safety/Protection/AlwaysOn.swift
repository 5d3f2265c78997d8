import Ledger

/// What protects a house at any time, whether or not it is armed: detectors of smoke, gas and water with the levels from which on they
/// warn, sirens and valves.
struct AlwaysOn: Sendable, Equatable {
    /// A detector that knows only yes and no has 0; one from which nothing is too much, infinity.
    private let levels: [SensorID: Double]
    private let actuators: Set<ActuatorID>

    /// As it is now.
    init(of site: SiteID, in household: Household) {
        let catalog = household.registry.catalog
        let care = household.care.settings(of: site)
        levels = catalog.sensors(at: site).filter { $0.counts(for: nil) }.reduce(into: [:]) { levels, sensor in
            let level = care.isEnabled ? care.thresholds[sensor.id]?.level : nil
            levels[sensor.id] = level ?? (sensor.kind.isTruth ? 0 : .infinity)
        }
        actuators = Set(catalog.actuators(at: site).filter { $0.kind == .siren || $0.kind == .valve }.map(\.id))
    }

    /// Whether something of it is missing later, or warns later.
    func isMore(than later: AlwaysOn) -> Bool {
        !actuators.isSubset(of: later.actuators)
            || levels.contains { id, level in later.levels[id].map { $0 > level } ?? true }
    }
}
