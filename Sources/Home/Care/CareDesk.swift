import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Safeguard
import System

/// What people and programs do about the air of a house, for the screens and the interface.
struct CareDesk: Sendable {
    /// So many days are looked back on, to say how often a level would have been reached.
    static let evidenceDays = 30

    let access: HouseAccess
    let care: Care

    /// A fan of a house.
    func fan(_ id: ActuatorID, at site: SiteID) throws(Problem) -> Actuator {
        guard let fan = care.registry.catalog.actuators[id], fan.site == site, fan.kind == .fan else {
            throw .notFound()
        }
        return fan
    }

    /// What a fan is to follow, checked.
    /// - Parameter sensor: nil: nothing.
    func rule(
        fan: String, sensor: String?, most: Double?, shortestRun: Int?, at site: SiteID
    ) throws(Problem) -> (fan: Actuator, rule: FanRule?) {
        guard let id = ActuatorID(fan) else { throw .notFound() }
        let fan = try self.fan(id, at: site)
        guard let sensor else { return (fan, nil) }
        let words = CareWords.in(.en)
        guard let found = SensorID(sensor).flatMap({ care.registry.catalog.sensors[$0] }), found.site == site,
            CareState.isOfCare(found), found.kind.isSeries
        else { throw .unprocessable(words.noSuchSensor) }
        let seconds = shortestRun ?? FanRule.usualRun
        guard FanRule.runs.contains(seconds) else { throw .unprocessable(words.runRefused) }
        let threshold = care.watch(of: found.id).threshold
        let usual = FanRule(fan: fan.id, for: found, threshold ?? AirWatch.yes)
        let most = most ?? usual.most
        guard most.isFinite, most.magnitude <= Threshold.greatest, threshold.map({ most >= $0.level }) ?? true else {
            throw .unprocessable(words.mostRefused)
        }
        return (fan, FanRule(fan: fan.id, site: site, sensor: found.id, most: most, shortestRun: seconds))
    }

    /// Runs a fan by hand, at once.
    /// - Parameter percent: nil: by its rule.
    func runByHand(_ fan: Actuator, percent: Int?, minutes: Int?, by principal: Principal) async throws(Problem) {
        guard let percent else { return care.run(fan, byHand: nil) }
        guard (0...100).contains(percent), let minutes, FanRun.minutes.contains(minutes) else {
            throw .unprocessable("a fan runs at 0 to 100 % for 1 to 1440 minutes")
        }
        let byHand = FanRun.ByHand(
            percent: Ventilation.meaning(of: percent),
            until: care.clock.now.adding(milliseconds: Int64(minutes) * 60_000))
        // A fan that is held off or slow does not carry away what its sensor warns of.
        let isLowered = byHand.isSlowed ? try access.weakensNow(.switches).lowers(principal, at: fan.site) : false
        let lost = byHand.isSlowed ? care.alwaysOn(at: fan.site).lost(holding: fan.id) : nil
        care.run(fan, byHand: byHand)
        if isLowered {
            await access.owners.tell(of: .switches, at: fan.site, by: principal.person.id)
        } else if let lost {
            await access.owners.tell(of: lost, at: fan.site, by: principal.person.id)
        }
    }

    /// How many alarms there would have been in the last days; nil: nobody knows.
    func evidence(for threshold: Threshold, of sensor: Sensor) throws -> Int? {
        let since = care.clock.now.adding(milliseconds: -Int64(Self.evidenceDays) * 86_400_000)
        return try care.alarms(of: sensor, at: threshold.level, hysteresis: threshold.hysteresis, since: since)
    }
}
