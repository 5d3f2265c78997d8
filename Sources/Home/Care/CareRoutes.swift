import Accounts
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Safeguard
import System

/// The JSON interface of the air.
struct CareRoutes: HouseFeature {
    let access: HouseAccess
    let desk: CareDesk

    private var care: Care { desk.care }

    private static let newThreshold = JSONBody(
        JSONKey<Double>("level", "within what the sensor can tell"),
        JSONKey<Double?>("hysteresis", "from 0 on; null or left out: a tenth of the level"),
        JSONKey<Double?>("risePerMinute", "above 0; null or left out: however fast it grows"))
    private static let changedCare = JSONBody(
        JSONKey<Bool>("enabled", "whether thresholds count"), JSONKey<[FanWish]?>("fans"))
    private static let newRun = JSONBody(
        JSONKey<Int?>("percent", "0 to 100, under 50 is off; null: by its rule from now on"),
        JSONKey<Int?>("minutes", "1 to 1440; with a percent it must be there"))

    func register(_ routes: inout Routes) {
        registerThresholds(&routes)
        registerCareOfHouse(&routes)
    }

    private func registerThresholds(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sensors/{id}/threshold",
            RouteDescription("The level from which on a sensor's value is an alarm.", answer: ThresholdRow.schema)
        ) { request, principal in
            answer(try sensor(request, principal, for: Permission.inHouse))
        }
        routes.on(
            .put, "/api/sensors/{id}/threshold",
            access.weakensNow(.thresholds),
            RouteDescription(
                "Chooses the level from which on a sensor's value is an alarm, in force at once.",
                body: Self.newThreshold.schema, answer: ThresholdRow.schema)
        ) { request, principal in
            let sensor = try self.sensor(request, principal, for: Permission.atHome)
            let (level, hysteresis, rise) = try request.json(Self.newThreshold)
            let threshold = try self.threshold(level, hysteresis, rise, for: sensor)
            try await care.change(threshold, of: sensor, by: principal.person.id)
            return answer(sensor)
        }
        routes.on(
            .delete, "/api/sensors/{id}/threshold",
            access.weakensNow(.thresholds),
            RouteDescription("From now on no value of the sensor is an alarm.", answer: ThresholdRow.schema)
        ) { request, principal in
            let sensor = try self.sensor(request, principal, for: Permission.atHome)
            try await care.change(nil, of: sensor, by: principal.person.id)
            return answer(sensor)
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
            let alarms = try desk.evidence(for: threshold, of: sensor)
            let words = CareWords.in(Language.of(principal, request))
            let text = alarms.map { words.evidence($0, CareDesk.evidenceDays) } ?? words.noEvidence
            return .json(EvidenceAnswer(alarms: alarms, days: CareDesk.evidenceDays, text: text))
        }
    }

    private func registerCareOfHouse(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/care", for: Permission.inHouse,
            RouteDescription("What a house has chosen for its air.", answer: CareAnswer.schema)
        ) { request, principal in
            answer(try access.house(request, principal).id)
        }
        routes.on(
            .put, "/api/sites/{site}/care", for: Permission.managing, access.weakensNow(.thresholds),
            RouteDescription(
                "Says whether thresholds count at a house, and what its fans follow; a fan that is not named stays as it is.",
                body: Self.changedCare.schema, answer: CareAnswer.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            let (isEnabled, fans) = try request.json(Self.changedCare)
            let rules = try (fans ?? []).map { fan in
                try desk.rule(fan: fan.fan, sensor: fan.sensor, most: fan.most, shortestRun: fan.shortestRun, at: site)
            }
            for (fan, rule) in rules { try await care.change(rule, of: fan, by: principal.person.id) }
            try await care.change(isEnabled: isEnabled, at: site, by: principal.person.id)
            return answer(site)
        }
        routes.on(
            .post, "/api/sites/{site}/care/fans/{fan}/run", for: Permission.atHome, access.keeps,
            RouteDescription(
                "Runs a fan by hand for a time, after which its rule counts again. While the house is armed less than 100 % takes what disarming takes.",
                body: Self.newRun.schema, answer: CareAnswer.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            let (percent, minutes) = try request.json(Self.newRun)
            let fan = try desk.fan(try request.parameter("fan", as: ActuatorID.self), at: site)
            try await desk.runByHand(fan, percent: percent, minutes: minutes, by: principal)
            return answer(site)
        }
    }

    // MARK: what a request names

    /// The sensor that a path names as `{id}`, for those with one of the permissions at its house.
    /// - Throws: 404 to whoever has no part in the house, so that nobody learns which sensors exist.
    private func sensor(_ request: Request, _ principal: Principal, for permissions: Set<Permission>) throws -> Sensor {
        let id = try request.parameter("id", as: SensorID.self)
        guard let sensor = care.registry.catalog.sensors[id] else { throw Problem.notFound() }
        try principal.requireUnlocked(sensor.site)
        if principal.current(at: sensor.site, care.clock.now).isEmpty { throw Problem.notFound() }
        guard principal.may(permissions, at: sensor.site, care.clock.now) else {
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

    // MARK: answers

    private func answer(_ sensor: Sensor) -> Response { .json(row(sensor)) }

    private func answer(_ site: SiteID) -> Response {
        let (settings, catalog) = (care.settings(of: site), care.registry.catalog)
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
