import Accounts
import Commands
import Household
import Identity
import Ledger
import Store
import System

/// Answers the commands that look at sensors and tell actuators something, for whoever may.
struct Acting: HouseFeature {
    let registry: Registry
    let live: LiveReadings
    let actuation: Actuation
    let switching: Switching
    let store: Store
    let clock: WallClock

    func register(_ commands: Commands) {
        commands.register(SetActuator.self) { command, caller in
            try set(command.actuator, to: command.value, by: caller)
        }
        commands.register(ReadSensor.self) { command, caller in try report(command.sensor, to: caller) }
    }

    /// - Parameter isJudged: whether it may open a valve and lower what protects a house: a person asks of whom was asked what that takes.
    /// - Throws: `HomeRefusal`.
    func set(_ id: ActuatorID, to value: ActuatorValue, by caller: Caller, isJudged: Bool = false) throws {
        guard let actuator = registry.catalog.actuators[id] else { throw HomeRefusal.unknown }
        try require(Permission.setting, at: actuator.site, caller)
        if !isJudged, switching.lowers(actuator, to: value) {
            throw Actuation.opens(actuator, value) ? HomeRefusal.opens : .protects
        }
        do { try actuation.set(actuator, to: value, mayOpen: isJudged) } catch { throw HomeRefusal(error) }
    }

    /// - Throws: `HomeRefusal`.
    func report(_ id: SensorID, to caller: Caller) throws -> SensorReport {
        guard let sensor = registry.catalog.sensors[id] else { throw HomeRefusal.unknown }
        try require(Permission.inHouse, at: sensor.site, caller)
        return SensorReport(sensor: sensor, state: live.sensor(id))
    }

    /// The hub may always; a person with one of the permissions there today. A house of others is not there.
    func require(_ permissions: Set<Permission>, at site: SiteID, _ caller: Caller) throws {
        guard case .person(let person) = caller else { return }
        let now = clock.now
        let held = try store.read { database -> [Membership] in
            guard let site = try AccountRecords.site(site, in: database) else { return [] }
            let today = site.zone.day(at: now)
            return try AccountRecords.memberships(of: person, at: site.id, in: database).filter { $0.holds(on: today) }
        }
        if held.isEmpty { throw HomeRefusal.unknown }
        guard held.contains(where: { permissions.contains($0.permission) }) else { throw HomeRefusal.notAllowed }
    }
}
