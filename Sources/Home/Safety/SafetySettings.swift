import Accounts
import Household
import Identity
import Ledger
import Safeguard
import Store
import Synchronization
import System

/// What a house has chosen for its panel.
struct HouseRules: Sendable, Equatable {
    /// Delays and what follows an alarm.
    var panel = PanelRules()
    /// Whether disarming with an account takes a code of the house, or a proof of the last minutes.
    var asksCode = false
}

/// What was chosen for one sensor.
struct SensorGuard: Sendable, Equatable {
    /// What a distance may be, in centimetres: the ear of an ultrasonic sensor reaches 4 m.
    static let distances: ClosedRange<Double> = 5...400

    /// Somebody nearer than this, in centimetres, is motion; of a sensor of distances alone.
    var distance = 100.0
    /// Whether silence counts as a trip, after its grace.
    var tripsWhenSilent = false
}

/// What houses have chosen about their safety: read by the panels many times a second, written now and then.
final class SafetySettings: Sendable {
    private struct State {
        var rules: [SiteID: HouseRules]
        var guards: [SensorID: SensorGuard]
    }
    private let state: Mutex<State>
    private let followers = Followers<SiteID>()
    private let (ofHouses, ofSensors) = (WriteOrder<SiteID>(), WriteOrder<SensorID>())
    private let store: Store
    private let clock: WallClock

    /// Reads the tables.
    init(_ store: Store, _ clock: WallClock) throws {
        (self.store, self.clock) = (store, clock)
        let (rules, guards) = try store.read { (try SafetyRecords.rules(in: $0), try SafetyRecords.guards(in: $0)) }
        state = Mutex(State(rules: rules, guards: guards))
    }

    /// Of a house.
    func rules(of site: SiteID) -> HouseRules { state.withLock { $0.rules[site] } ?? HouseRules() }

    /// Of a sensor.
    func guarding(of sensor: SensorID) -> SensorGuard { state.withLock { $0.guards[sensor] } ?? SensorGuard() }

    /// One more follows what houses choose otherwise.
    func follow(_ follower: @escaping @Sendable (SiteID) -> Void) { followers.add(follower) }

    /// Tells them: also of what lies elsewhere, as codes and tags.
    func announce(_ site: SiteID) { followers.tell(site) }

    /// Keeps a house's rules, with who changed what.
    func set(_ new: HouseRules, of site: SiteID, by person: PersonID) async throws {
        let now = clock.now
        let number = try await store.write { [ofHouses] database in
            let old = try SafetyRecords.rules(in: database)[site] ?? HouseRules()
            try SafetyRecords.put(new, of: site, in: database)
            try Audit("home.rules.changed", ("house", site.text), before: Self.told(old), after: Self.told(new))
                .append(at: now, site: site, by: person, in: database)
            return ofHouses.next()
        }
        ofHouses.follow(number, of: site) { state.withLock { $0.rules[site] = new } }
        announce(site)
    }

    /// Writes down what was chosen for a sensor, with what else is changed in that transaction; `take` follows.
    /// - Returns: the number of the change.
    func write(
        _ new: SensorGuard, of sensor: Sensor, by person: PersonID, at now: Timestamp, in database: Database
    ) throws -> UInt64 {
        let old = try SafetyRecords.guards(in: database)[sensor.id] ?? SensorGuard()
        if old != new {
            try SafetyRecords.put(new, of: sensor.id, in: database)
            try Audit("home.guard.changed", ("sensor", sensor.id.text), before: Self.told(old), after: Self.told(new))
                .append(at: now, site: sensor.site, by: person, in: database)
        }
        return ofSensors.next()
    }

    /// In force from now on.
    func take(_ new: SensorGuard, of sensor: Sensor, _ number: UInt64) {
        ofSensors.follow(number, of: sensor.id) { state.withLock { $0.guards[sensor.id] = new } }
        announce(sensor.site)
    }

    private static func told(_ rules: HouseRules) -> [(name: StaticString, value: String)] {
        func list(_ delays: Delays) -> String { ArmMode.allCases.map { "\(delays[$0])" }.joined(separator: " ") }
        return [
            ("exitDelay", list(rules.panel.exitDelay)), ("entryDelay", list(rules.panel.entryDelay)),
            ("alarmTime", "\(rules.panel.alarmTime)"), ("disarmsAfterAlarm", "\(rules.panel.disarmsAfterAlarm)"),
            ("asksCode", "\(rules.asksCode)"),
        ]
    }

    private static func told(_ guarding: SensorGuard) -> [(name: StaticString, value: String)] {
        [("distance", "\(guarding.distance)"), ("tripsWhenSilent", "\(guarding.tripsWhenSilent)")]
    }
}
