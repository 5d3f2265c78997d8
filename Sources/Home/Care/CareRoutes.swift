import Accounts
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Safeguard
import System

extension Household {
    /// So many days are looked back on, to say how often a level would have been reached.
    static let evidenceDays = 30

    private static let newThreshold = JSONBody(
        JSONKey<Double>("level", "within what the sensor can tell"),
        JSONKey<Double?>("hysteresis", "from 0 on; null or left out: a tenth of the level"),
        JSONKey<Double?>("risePerMinute", "above 0; null or left out: however fast it grows"))
    private static let changedCare = JSONBody(
        JSONKey<Bool>("enabled", "whether thresholds count"), JSONKey<[FanWish]?>("fans"))
    private static let runByHand = JSONBody(
        JSONKey<Int?>("percent", "0 to 100, under 50 is off; null: by its rule from now on"),
        JSONKey<Int?>("minutes", "1 to 1440; with a percent it must be there"))

    /// The JSON interface of the air.
    func register(care routes: inout Routes) {
        registerThresholds(&routes)
        registerCareOfHouse(&routes)
    }

    private func registerThresholds(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sensors/{id}/threshold",
            RouteDescription("The level from which on a sensor's value is an alarm.", answer: ThresholdRow.schema)
        ) { request, principal in
            self.answer(try self.sensor(request, principal, for: Permission.inHouse))
        }
        routes.on(
            .put, "/api/sensors/{id}/threshold",
            weakensNow(.thresholds),
            RouteDescription(
                "Chooses the level from which on a sensor's value is an alarm, in force at once.",
                body: Self.newThreshold.schema, answer: ThresholdRow.schema)
        ) { request, principal in
            let sensor = try self.sensor(request, principal, for: Permission.atHome)
            let (level, hysteresis, rise) = try request.json(Self.newThreshold)
            let threshold = try self.threshold(level, hysteresis, rise, for: sensor)
            try await self.care.change(threshold, of: sensor, by: principal.person.id)
            return self.answer(sensor)
        }
        routes.on(
            .delete, "/api/sensors/{id}/threshold",
            weakensNow(.thresholds),
            RouteDescription("From now on no value of the sensor is an alarm.", answer: ThresholdRow.schema)
        ) { request, principal in
            let sensor = try self.sensor(request, principal, for: Permission.atHome)
            try await self.care.change(nil, of: sensor, by: principal.person.id)
            return self.answer(sensor)
        }
        routes.on(
            .get, "/api/sensors/{id}/evidence",
            RouteDescription(
                "How many alarms there would have been in the last days with a level.",
                answer: EvidenceAnswer.schema,
                query: [
                    ("level", true, "in the sensor's unit"), ("hysteresis", false, "the same; a tenth of the level"),
                ])
        ) { request, principal in
            let sensor = try self.sensor(request, principal, for: Permission.inHouse)
            guard let level = Figure.parsed(try request.query.require("level", as: String.self)) else {
                throw Problem.unprocessable("a level is a number")
            }
            let band = try request.query.get("hysteresis", as: String.self).flatMap(Figure.parsed)
            let threshold = try self.threshold(level, band, nil, for: sensor)
            let alarms = try self.evidence(for: threshold, of: sensor)
            let words = CareWords.in(Language.of(principal, request))
            let text = alarms.map { words.evidence($0, Self.evidenceDays) } ?? words.noEvidence
            return .json(EvidenceAnswer(alarms: alarms, days: Self.evidenceDays, text: text))
        }
    }

    private func registerCareOfHouse(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/care", for: Permission.inHouse,
            RouteDescription("What a house has chosen for its air.", answer: CareAnswer.schema)
        ) { request, principal in
            self.answer(try self.house(request, principal).id)
        }
        routes.on(
            .put, "/api/sites/{site}/care", for: Permission.managing, weakensNow(.thresholds),
            RouteDescription(
                "Says whether thresholds count at a house, and what its fans follow; a fan that is not named stays as it is.",
                body: Self.changedCare.schema, answer: CareAnswer.schema)
        ) { request, principal in
            let site = try self.house(request, principal).id
            let (isEnabled, fans) = try request.json(Self.changedCare)
            let rules = try (fans ?? []).map { fan in
                try self.rule(
                    fan: fan.fan, sensor: fan.sensor, most: fan.most, shortestRun: fan.shortestRun, at: site)
            }
            for (fan, rule) in rules { try await self.care.change(rule, of: fan, by: principal.person.id) }
            try await self.care.change(isEnabled: isEnabled, at: site, by: principal.person.id)
            return self.answer(site)
        }
        routes.on(
            .post, "/api/sites/{site}/care/fans/{fan}/run", for: Permission.atHome, keeps,
            RouteDescription(
                "Runs a fan by hand for a time, after which its rule counts again. While the house is armed less than 100 % takes what disarming takes.",
                body: Self.runByHand.schema, answer: CareAnswer.schema)
        ) { request, principal in
            let site = try self.house(request, principal).id
            let (percent, minutes) = try request.json(Self.runByHand)
            let fan = try self.fan(try request.parameter("fan", as: ActuatorID.self), at: site)
            try await self.run(fan, percent: percent, minutes: minutes, by: principal)
            return self.answer(site)
        }
    }

    // MARK: what a request names

    /// The sensor that a path names as `{id}`, for those with one of the permissions at its house.
    /// - Throws: 404 to whoever has no part in the house, so that nobody learns which sensors exist.
    private func sensor(_ request: Request, _ principal: Principal, for permissions: Set<Permission>) throws -> Sensor {
        let id = try request.parameter("id", as: SensorID.self)
        guard let sensor = registry.catalog.sensors[id] else { throw Problem.notFound() }
        try principal.requireUnlocked(sensor.site)
        if principal.current(at: sensor.site, clock.now).isEmpty { throw Problem.notFound() }
        guard principal.may(permissions, at: sensor.site, clock.now) else {
            throw Problem.forbidden("your membership at this site does not allow it")
        }
        return sensor
    }

    private func threshold(
        _ level: Double, _ hysteresis: Double?, _ rise: Double?, for sensor: Sensor
    ) throws(Problem) -> Threshold {
        do throws(ThresholdRefusal) {
            return try Threshold(checked: level, hysteresis: hysteresis, risePerMinute: rise, for: sensor)
        } catch {
            throw .unprocessable(CareWords.in(.en).refusal(error, sensor.unit))
        }
    }

    /// A fan of a house.
    func fan(_ id: ActuatorID, at site: SiteID) throws(Problem) -> Actuator {
        guard let fan = registry.catalog.actuators[id], fan.site == site, fan.kind == .fan else { throw .notFound() }
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
        guard let found = SensorID(sensor).flatMap({ registry.catalog.sensors[$0] }), found.site == site,
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
    func run(_ fan: Actuator, percent: Int?, minutes: Int?, by principal: Principal) async throws(Problem) {
        guard let percent else { return care.run(fan, byHand: nil) }
        guard (0...100).contains(percent), let minutes, FanRun.minutes.contains(minutes) else {
            throw .unprocessable("a fan runs at 0 to 100 % for 1 to 1440 minutes")
        }
        let byHand = FanRun.ByHand(
            percent: Ventilation.meaning(of: percent), until: clock.now.adding(milliseconds: Int64(minutes) * 60_000))
        // A fan that is held off or slow does not carry away what its sensor warns of.
        let isLowered = byHand.isSlowed ? try weakensNow(.switches).lowers(principal, at: fan.site) : false
        let lost = byHand.isSlowed ? AlwaysOn(of: fan.site, in: self).lost(holding: fan.id) : nil
        care.run(fan, byHand: byHand)
        if isLowered {
            await tellOwners(of: .switches, at: fan.site, by: principal.person.id)
        } else if let lost {
            await tellOwners(of: lost, at: fan.site, by: principal.person.id)
        }
    }

    /// How many alarms there would have been in the last days; nil: nobody knows.
    func evidence(for threshold: Threshold, of sensor: Sensor) throws -> Int? {
        let since = clock.now.adding(milliseconds: -Int64(Self.evidenceDays) * 86_400_000)
        return try care.alarms(of: sensor, at: threshold.level, hysteresis: threshold.hysteresis, since: since)
    }

    // MARK: answers

    private func answer(_ sensor: Sensor) -> Response { .json(row(sensor)) }

    private func answer(_ site: SiteID) -> Response {
        let (settings, catalog) = (care.settings(of: site), registry.catalog)
        let fans = catalog.actuators(at: site).filter { $0.kind == .fan }
        return .json(
            CareAnswer(
                site: site, isEnabled: settings.isEnabled,
                thresholds: catalog.sensors(at: site).filter { settings.thresholds[$0.id] != nil }.map(row),
                fans: fans.map { fan in
                    FanRow(fan: fan.id, rule: settings.fans.first { $0.fan == fan.id }, run: care.run(of: fan.id))
                }), capacity: 1024)
    }

    private func row(_ sensor: Sensor) -> ThresholdRow {
        ThresholdRow(sensor: sensor, watch: care.watch(of: sensor.id))
    }
}
