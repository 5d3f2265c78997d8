import Accounts
import Household
import Identity
import Ledger
import Safeguard
import Store
import System

/// What people change: written down with what it was before, and in force at once.
extension Care {
    /// Chooses a threshold; nil: none. A fan that follows nothing follows the first sensor of dangerous air of its own device that gets one:
    /// which other fan may run in a gas alarm, people say.
    /// - Parameter isUsual: whether nobody chose it: then it counts only where nobody has chosen anything.
    func change(
        _ threshold: Threshold?, of sensor: Sensor, by person: PersonID?, isUsual: Bool = false
    ) async throws {
        let (now, catalog) = (clock.now, registry.catalog)
        let isFirst = sensor.isEnvironmental
        let (since, rule, number) = try await store.write { [ofFans] database -> (Timestamp?, FanRule?, UInt64) in
            let number = ofFans.next()
            let latest = try ThresholdRecords.latest(of: sensor.id, in: database).now
            let before = latest?.threshold
            guard before != threshold, !isUsual || latest == nil else { return (nil, nil, number) }
            let since = try ThresholdRecords.set(threshold, of: sensor.id, at: now, in: database)
            try Audit(
                "home.threshold.changed", ("sensor", sensor.id.text), before: before.map { Self.fields($0, sensor) },
                after: threshold.map { Self.fields($0, sensor) }
            ).append(at: now, site: sensor.site, by: person, in: database)
            guard isFirst, let threshold else { return (since, nil, number) }
            let taken = Set(try CareRecords.rules(in: database).map(\.fan))
            guard
                let fan = catalog.actuators(at: sensor.site).first(where: {
                    $0.kind == .fan && $0.device == sensor.device && !taken.contains($0.id)
                })
            else { return (since, nil, number) }
            let rule = FanRule(fan: fan.id, for: sensor, threshold)
            try Self.write(rule, of: fan, by: person, at: now, catalog, in: database)
            return (since, rule, number)
        }
        if let rule, let fan = catalog.actuators[rule.fan] {
            ofFans.follow(number, of: fan.id) { choose(rule, of: fan) }
        }
        if let since { choose(threshold, of: sensor, since: since) }
    }

    /// Says whether thresholds count at a house.
    func change(isEnabled: Bool, at site: SiteID, by person: PersonID?) async throws {
        let now = clock.now
        let number = try await store.write { [ofHouses] database in
            let before = try !CareRecords.disabled(in: database).contains(site)
            try CareRecords.set(isEnabled: isEnabled, at: site, in: database)
            try Audit(
                "home.care.changed", ("site", site.text), before: [("enabled", "\(before)")],
                after: [("enabled", "\(isEnabled)")]
            ).append(at: now, site: site, by: person, in: database)
            return ofHouses.next()
        }
        ofHouses.follow(number, of: site) { choose(isEnabled: isEnabled, at: site) }
    }

    /// Says what a fan follows; nil: nothing.
    func change(_ rule: FanRule?, of fan: Actuator, by person: PersonID?) async throws {
        let (now, catalog) = (clock.now, registry.catalog)
        let number = try await store.write { [ofFans] database in
            try Self.write(rule, of: fan, by: person, at: now, catalog, in: database)
            return ofFans.next()
        }
        ofFans.follow(number, of: fan.id) { choose(rule, of: fan) }
    }

    /// Says since when a sensor is in use.
    func change(installed day: Day, of sensor: Sensor, by person: PersonID?) async throws {
        let now = clock.now
        try await store.write { database in
            let before = try CareRecords.installed(sensor.id, in: database)
            try CareRecords.set(installed: day, of: sensor.id, in: database)
            try Audit(
                "home.sensor.changed", ("sensor", sensor.id.text),
                before: [("name", sensor.name), ("installed", before?.iso8601 ?? "")],
                after: [("name", sensor.name), ("installed", day.iso8601)]
            ).append(at: now, site: sensor.site, by: person, in: database)
        }
    }

    /// A sensor that was kept as something else before this hub knew what it measures.
    func change(_ sensor: Sensor, to kind: SensorKind) async throws {
        let now = clock.now
        try await registry.change(at: sensor.site) { database in
            guard var kept = try HomeRecords.sensor(sensor.id, in: database), kept.kind == sensor.kind else { return }
            kept.kind = kind
            try HomeRecords.change(kept, in: database)
            try Audit(
                "home.sensor.changed", ("sensor", sensor.id.text),
                before: [("name", sensor.name), ("kind", sensor.kind.rawValue)],
                after: [("name", sensor.name), ("kind", kind.rawValue)]
            ).append(at: now, site: sensor.site, by: nil, in: database)
        }
    }

    private static func write(
        _ rule: FanRule?, of fan: Actuator, by person: PersonID?, at now: Timestamp, _ catalog: Catalog,
        in database: Database
    ) throws {
        let before = try CareRecords.rule(of: fan.id, in: database)
        try CareRecords.set(rule, of: fan.id, in: database)
        func fields(_ rule: FanRule) -> [(name: StaticString, value: String)] {
            let sensor = catalog.sensors[rule.sensor]
            return [
                ("name", fan.name), ("follows", sensor?.name ?? rule.sensor.text),
                ("most", Figure.chosen(rule.most, sensor?.unit ?? "", .en)), ("shortestRun", "\(rule.shortestRun) s"),
            ]
        }
        try Audit(
            "home.fan.changed", ("fan", fan.id.text), before: before.map(fields), after: rule.map(fields)
        ).append(at: now, site: fan.site, by: person, in: database)
    }

    private static func fields(_ threshold: Threshold, _ sensor: Sensor) -> [(name: StaticString, value: String)] {
        [
            ("name", sensor.name), ("threshold", Figure.chosen(threshold.level, sensor.unit, .en)),
            ("hysteresis", Figure.chosen(threshold.hysteresis, sensor.unit, .en)),
            ("rise", threshold.risePerMinute.map { Figure.chosen($0, sensor.unit + "/min", .en) } ?? ""),
        ]
    }
}
