import Household
import Identity
import Ledger
import Wire

/// What protects a house at any time, whether or not it is armed: detectors of smoke, gas and water with the levels from which on they
/// warn, sirens, valves and fans, and what connects all of these.
struct AlwaysOn: Sendable {
    /// From when on a detector warns.
    private struct Warning {
        let name: String
        /// Of what it warns, which is what people are told to do something about.
        let kind: SensorKind
        /// How it comes in; nil: its device is out of use.
        let gateway: GatewayID?
        /// 0 of one that knows only yes and no; infinity of one from which nothing is too much.
        let level: Double
        /// So far below the level it has to come before it warns again.
        let band: Double
        /// How fast it may grow; infinity: however fast.
        let rise: Double
        /// What it tells below that is no reading.
        let least: Double
        let unit: String
        /// How often it is to speak, in seconds; nil: it is not missed by that.
        let period: Double?
        /// Where it is heard, and in which words.
        let binding: SensorBinding

        func isMore(than later: Warning?) -> Bool {
            guard let later else { return true }
            // What is no reading is neither above the level, nor below it, so that it warns again. Nothing of these is less than nothing.
            let hidesWhatWarned = later.least > max(least, 0)
            let (here, there) = (binding, later.binding)
            let isMoved =
                (here.topic, here.on, here.off) != (there.topic, there.on, there.off) || here.source != there.source
            let isMissedLater =
                (later.period ?? .infinity) > (period ?? .infinity)
                || (there.expireAfter ?? .infinity) > (here.expireAfter ?? .infinity)
                || isGone(here.availability, here.availabilityMode, in: there.availability, there.availabilityMode)
            let warnsOnce = level.isFinite && later.band > band && later.level - later.band < level - band
            // One that never says that it is over warns once, where nothing ends it.
            let endsOtherwise =
                (there.offDelay ?? .infinity) < (here.offDelay ?? .infinity)
                || here.offDelay.map { (there.offDelay ?? .infinity) > $0 } ?? false
            return isMoved || isMissedLater || endsOtherwise || warnsOnce || later.level > level || later.rise > rise
                || hidesWhatWarned || later.unit != unit || later.kind != kind
        }
    }

    /// What sounds, closes or blows.
    private struct Protector {
        let name: String
        let gateway: GatewayID
        let kind: ActuatorKind
        let binding: ActuatorBinding

        func thing(_ id: ActuatorID) -> LostProtection.Thing {
            LostProtection.Thing(id: id.text, name: name, kind: .protector(kind), gateway: gateway)
        }

        /// Whether it hears what it heard, does the same at it, and is missed as it was.
        func isSame(as later: Protector?) -> Bool {
            guard let later, kind == later.kind else { return false }
            let (here, there) = (binding, later.binding)
            let isMoved =
                (here.commandTopic, here.valueTopic, here.colourTopic, here.isJSON)
                != (there.commandTopic, there.valueTopic, there.colourTopic, there.isJSON)
            return !isMoved && here.templates == there.templates
                && (here.on, here.off, here.low, here.high) == (there.on, there.off, there.low, there.high)
                && !isGone(here.availability, here.availabilityMode, in: there.availability, there.availabilityMode)
        }
    }

    private let detectors: [SensorID: Warning]
    private let actuators: [ActuatorID: Protector]
    /// What fans do about such a detector.
    private let rules: [ActuatorID: FanRule]
    /// Gateways, with what they come in with.
    private let connections: [GatewayID: (name: String, key: [UInt8]?)]

    /// As it is now.
    init(of site: SiteID, in catalog: Catalog, _ care: CareSettings) {
        let sensors = catalog.sensors(at: site).filter { $0.counts(for: nil) || $0.kind == .panic }
        detectors = sensors.reduce(into: [:]) { all, sensor in
            // Carbon monoxide in numbers warns by level and time, also where nobody chose a level.
            let byTime = CareState.factor(of: sensor).map { AirWatch.plain($0) }
            let threshold = care.isEnabled ? care.thresholds[sensor.id] ?? byTime : nil
            all[sensor.id] = Warning(
                name: catalog.distinct(sensor).name,
                kind: sensor.kind,
                gateway: catalog.gateway(of: sensor)?.id,
                level: threshold?.level ?? (sensor.kind.isTruth ? 0 : .infinity),
                band: threshold?.hysteresis ?? 0, rise: threshold?.risePerMinute ?? .infinity,
                least: sensor.range?.lowerBound ?? -.infinity,
                unit: sensor.unit, period: sensor.period, binding: sensor.binding)
        }
        let protectors = catalog.actuators(at: site).filter(\.kind.protects)
        actuators = protectors.reduce(into: [:]) {
            $0[$1.id] = Protector(name: $1.name, gateway: $1.gateway, kind: $1.kind, binding: $1.binding)
        }
        let watching = Set(sensors.map(\.id))
        rules = care.fans.reduce(into: [:]) { rules, rule in
            if watching.contains(rule.sensor) { rules[rule.fan] = rule }
        }
        let used = Set(sensors.compactMap { catalog.gateway(of: $0)?.id } + protectors.map(\.gateway))
        connections = catalog.gateways(of: site).filter { used.contains($0.id) }
            .reduce(into: [:]) { $0[$1.id] = ($1.name, $1.key?.bytes) }
    }

    private static func isMore(_ rule: FanRule, than later: FanRule?) -> Bool {
        guard let later else { return true }
        return later.sensor != rule.sensor || later.most > rule.most || later.shortestRun < rule.shortestRun
    }

    /// What of it is lost later; nil: nothing. Detectors and sirens come first, then valves and connections, then fans.
    func lost(in later: AlwaysOn) -> LostProtection? {
        var lost: [(rank: Int, thing: LostProtection.Thing)] = []
        for (id, one) in detectors where one.isMore(than: later.detectors[id]) {
            lost.append(
                (0, LostProtection.Thing(id: id.text, name: one.name, kind: .detector(one.kind), gateway: one.gateway)))
        }
        for (id, one) in actuators
        where !one.isSame(as: later.actuators[id]) || rules[id].map({ Self.isMore($0, than: later.rules[id]) }) == true
        {
            lost.append((one.kind == .siren ? 0 : one.kind == .fan ? 2 : 1, one.thing(id)))
        }
        for (id, one) in connections {
            if let now = later.connections[id], now.key != one.key {
                lost.append((1, LostProtection.Thing(id: id.text, name: one.name, kind: .connection, gateway: id)))
            }
        }
        if lost.isEmpty { return nil }
        lost.sort { ($0.rank, $0.thing.name, $0.thing.id) < ($1.rank, $1.thing.name, $1.thing.id) }
        return LostProtection(things: lost.map(\.thing))
    }

    /// What is lost while a fan is held off or slow; nil: it carries away nothing that a detector warns of.
    func lost(holding fan: ActuatorID) -> LostProtection? {
        guard rules[fan] != nil, let one = actuators[fan] else { return nil }
        return LostProtection(things: [one.thing(fan)])
    }
}

/// Whether something may be away later without being missed, which was missed before.
private func isGone(
    _ before: [Availability], _ mode: Availability.Mode, in after: [Availability], _ later: Availability.Mode
) -> Bool {
    guard !before.isEmpty else { return false }
    // Where one word was enough, fewer that may say it make it stricter.
    let mayBeFewer = mode == .any && before.count > 1 && (later != .latest || after.count == 1)
    if mayBeFewer, !after.isEmpty, after.allSatisfy(before.contains) { return false }
    guard before.allSatisfy(after.contains) else { return true }
    // One word alone is read in the same way in any mode; where all have to say so, another one more makes it stricter.
    let isStrict = later == .all || after.count == 1
    return !isStrict && (mode != later || before.count != after.count || before.count == 1)
}
