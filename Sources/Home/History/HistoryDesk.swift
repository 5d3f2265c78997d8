import Accounts
import Household
import Identity
import Ledger
import Pages
import Store
import System

/// What can be asked of what sensors told, by pages and programs alike.
struct HistoryDesk: Sendable {
    let registry: Registry
    let series: Series
    let store: Store
    let clock: WallClock

    /// A sensor, in use or not.
    func knownSensor(_ id: SensorID) throws -> Sensor? {
        if let sensor = registry.catalog.sensors[id] { return sensor }
        return try store.read { try HomeRecords.sensors(in: $0) }.first { $0.id == id }
    }

    /// What people call a sensor's device.
    func deviceName(of sensor: Sensor) throws -> String {
        if let device = registry.catalog.devices[sensor.device] { return device.name }
        return try store.read { try HomeRecords.devices(in: $0) }.first { $0.id == sensor.device }?.name ?? ""
    }

    /// The chart that somebody asks for.
    func chart(of sensor: Sensor, _ wish: ChartWish, for principal: Principal, zone: Zone) async throws -> SensorChart {
        let (now, person) = (clock.now, principal.person.id)
        return try await store.readAside(for: person.raw.bytes) { database in
            try SensorChart.read(
                sensor,
                SensorChart.Wish(
                    span: wish.span, moment: wish.moment, mark: try StartMark.of(person, sensor.id, in: database)),
                zone: zone, at: now, in: database)
        }
    }

    /// Lets somebody's chart begin now, or from the beginning again.
    func startChart(of sensor: Sensor, anew: Bool, for principal: Principal) async throws {
        let (now, person) = (clock.now, principal.person.id)
        try await store.write { try StartMark.set(anew ? now : nil, of: person, sensor.id, in: $0) }
    }

    /// Keeps how long a house keeps what its sensors told.
    /// - Returns: false for days that cannot be.
    func keep(_ rules: HistoryRetention, for site: SiteID, by principal: Principal) async throws -> Bool {
        guard rules.isAllowed else { return false }
        // Less of it is a deletion.
        try Routes.requireFreshProof(principal, at: clock.now)
        let (now, person) = (clock.now, principal.person.id)
        try await store.write { try rules.keep(for: site, by: person, at: now, in: $0) }
        return true
    }

    /// Deletes everything that a sensor told.
    func deleteReadings(of sensor: Sensor, by principal: Principal) async throws {
        let (now, person) = (clock.now, principal.person.id)
        try Routes.requireFreshProof(principal, at: now)
        try await store.write(.vital) { database in
            try Audit("home.readings.deleted", ("sensor", sensor.id.text), before: [("name", sensor.name)]).append(
                at: now, site: sensor.site, by: person, in: database)
        }
        try await series.removeAll(of: sensor)
    }
}
