import Accounts
import Household
import HTTPServer
import JSON
import Ledger
import Pages
import Store
import System

/// What sensors told, for programs.
struct HistoryRoutes: HouseFeature {
    let access: HouseAccess
    let desk: HistoryDesk

    func register(_ routes: inout Routes) {
        registerReadings(&routes)
        registerChart(&routes)
        registerKept(&routes)
    }

    /// The sensor that a route names as `{id}`, for somebody with one of the permissions at its house.
    /// - Throws: 404 for one of a house that they have no part in.
    func sensor(
        of request: Request, _ principal: Principal, for permissions: Set<Permission> = Permission.inHouse
    ) throws -> Sensor {
        guard let sensor = try desk.knownSensor(try request.parameter("id", as: SensorID.self)) else {
            throw Problem.notFound()
        }
        try principal.requireUnlocked(sensor.site)
        let current = principal.current(at: sensor.site, desk.clock.now)
        guard current.contains(where: { Permission.inHouse.contains($0.permission) }) else { throw Problem.notFound() }
        guard current.contains(where: { permissions.contains($0.permission) }) else {
            throw Problem.forbidden("your membership at this house does not allow it")
        }
        return sensor
    }

    private static let chartStart = JSONBody(JSONKey<Bool>("isNow", "false: from the beginning again"))

    private func registerReadings(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sensors/{id}/readings",
            RouteDescription(
                """
                What a sensor told, in stretches of one length; those without a reading are left out. A yes is 1, a no is 0. \
                A reading is in it about half a second after it came.
                """,
                answer: JSONItems<ChartBucket>.schema,
                query: [
                    ("from", false, "ISO 8601, UTC; a day before to"), ("to", false, "ISO 8601, UTC; now"),
                    (
                        "buckets", false,
                        "how many stretches at most, 1 to 400; one more where from lies within one; 288"
                    ),
                ])
        ) { request, principal in
            let sensor = try self.sensor(of: request, principal)
            let query = try request.query.decoded()
            let now = desk.clock.now
            let to = try query.moment("to") ?? now
            let from = try query.moment("from") ?? to.adding(milliseconds: -86_400_000)
            guard from < to else { throw Problem.unprocessable("from: a time before to") }
            let count = try query.get("buckets", as: Int.self) ?? 288
            guard (1...ChartGrid.most).contains(count) else {
                throw Problem.unprocessable("buckets: 1 to \(ChartGrid.most)")
            }
            let buckets = try await desk.store.readAside(for: principal.person.id.raw.bytes) { database in
                let rules = try HistoryRetention.of(sensor.site, in: database)
                return try ChartGrid.read(sensor.number, in: database) { least in
                    ChartGrid(from: from, to: to, count: count, least: least) { rules.kept($0, at: now) }
                }.buckets
            }
            return .json(JSONItems(buckets), capacity: 64 + buckets.count * 120)
        }
        routes.on(
            .get, "/api/sensors/{id}/readings.csv",
            RouteDescription(
                "What a sensor told, as a file that a spreadsheet opens: as finely as it is kept and as a file has room for.",
                answer: .text("comma- or semicolon-separated values in UTF-8"),
                query: [
                    ("from", false, "ISO 8601, UTC; a day before to"), ("to", false, "ISO 8601, UTC; now"),
                    ("every", false, "raw, 5m, 1h or 1d; the finest that has room"),
                    ("language", false, "en, it, es: of the columns' names, and of the numbers"),
                ], mediaType: "text/csv")
        ) { request, principal in try await export(request, principal) }
        routes.on(
            .delete, "/api/sensors/{id}/readings",
            access.keeps,
            RouteDescription("Deletes everything that a sensor told, for good. Owners do that.", status: 204)
        ) { request, principal in
            let sensor = try self.sensor(of: request, principal, for: [.owner])
            try await desk.deleteReadings(of: sensor, by: principal)
            return .empty()
        }
    }

    private func registerChart(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sensors/{id}/chart",
            RouteDescription(
                "What the chart of a sensor shows: an hour, day, week, month or year of its house, or all of it.",
                answer: ChartAnswer.schema,
                query: [
                    ("span", false, "hour, day, week, month, year or all; day"),
                    ("at", false, "a moment in it, ISO 8601, UTC; the day before"),
                    ("day", false, "instead: a day of the house, YYYY-MM-DD"),
                    ("style", false, "line, or bars, which are fewer"),
                ])
        ) { request, principal in
            let sensor = try self.sensor(of: request, principal)
            let zone = principal.memberships.first { $0.site.id == sensor.site }?.site.zone ?? .utc
            let wish = try ChartWish(try request.query.decoded(), zone: zone)
            let chart = try await desk.chart(of: sensor, wish, for: principal, zone: zone)
            let answer = ChartAnswer(chart: chart, unit: sensor.unit, style: wish.style)
            return .json(answer, capacity: 512 + answer.buckets.count * 120)
        }
        routes.on(
            .put, "/api/sensors/{id}/chart/start",
            access.keeps,
            RouteDescription(
                "Lets the caller's chart of a sensor begin now, or from the beginning again. Nothing is deleted.",
                body: Self.chartStart.schema, status: 204)
        ) { request, principal in
            let sensor = try self.sensor(of: request, principal)
            let isNow = try request.json(Self.chartStart)
            try await desk.startChart(of: sensor, anew: isNow, for: principal)
            return .empty()
        }
    }

    private func registerKept(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/readings/retention", for: Permission.inHouse,
            RouteDescription("How long a house keeps what its sensors told, in days.", answer: HistoryRetention.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            return .json(try desk.store.read { try HistoryRetention.of(site, in: $0) })
        }
        routes.on(
            .put, "/api/sites/{site}/readings/retention", for: [.owner], access.keeps,
            RouteDescription(
                "Says how long a house keeps what its sensors told. What is older goes within the hour.",
                body: HistoryRetention.body.schema, answer: HistoryRetention.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            let (raw, fiveMinutes, hours) = try request.json(HistoryRetention.body)
            let rules = HistoryRetention(raw: raw, fiveMinutes: fiveMinutes, hours: hours)
            guard try await desk.keep(rules, for: site, by: principal) else {
                throw Problem.unprocessable(
                    "raw 1 to 366, fiveMinutes 30 to 3660, hours 365 or more or 0, each at least as long as the one before",
                    type: "retention-refused")
            }
            return .json(rules)
        }
    }
}
