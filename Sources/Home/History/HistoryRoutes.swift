import Accounts
import Household
import HTTPServer
import JSON
import Ledger
import Pages
import Store
import System

extension Household {
    /// What sensors told, for programs.
    func registerHistory(routes: inout Routes) {
        registerReadings(&routes)
        registerChart(&routes)
        registerKept(&routes)
    }

    /// The sensor that a route names as `{id}`, for somebody with one of the permissions at its house.
    /// - Throws: 404 for one of a house that they have no part in.
    func sensor(
        of request: Request, _ principal: Principal, for permissions: Set<Permission> = Permission.inHouse
    ) throws -> Sensor {
        guard let sensor = try knownSensor(try request.parameter("id", as: SensorID.self)) else {
            throw Problem.notFound()
        }
        try principal.requireUnlocked(sensor.site)
        let current = principal.current(at: sensor.site, clock.now)
        guard current.contains(where: { Permission.inHouse.contains($0.permission) }) else { throw Problem.notFound() }
        guard current.contains(where: { permissions.contains($0.permission) }) else {
            throw Problem.forbidden("your membership at this house does not allow it")
        }
        return sensor
    }

    private static let bucket = Schema.object([
        ("from", .text("when the stretch begins")), ("count", .integer("how many readings")),
        ("min", .number("the lowest")), ("max", .number("the highest")), ("mean", .number("the middle of all")),
        ("last", .number("the last one")),
    ])

    private func registerReadings(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sensors/{id}/readings",
            RouteDescription(
                """
                What a sensor told, in stretches of one length; those without a reading are left out. A yes is 1, a no is 0. \
                A reading is in it about half a second after it came.
                """,
                answer: .object([("items", .list(Self.bucket))]),
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
            let now = self.clock.now
            let to = try query.moment("to") ?? now
            let from = try query.moment("from") ?? to.adding(milliseconds: -86_400_000)
            guard from < to else { throw Problem.unprocessable("from: a time before to") }
            let count = try query.get("buckets", as: Int.self) ?? 288
            guard (1...ChartGrid.most).contains(count) else {
                throw Problem.unprocessable("buckets: 1 to \(ChartGrid.most)")
            }
            let buckets = try await self.store.readAside(for: principal.person.id.raw.bytes) { database in
                let rules = try HistoryRetention.of(sensor.site, in: database)
                return try ChartGrid.read(sensor.number, in: database) { least in
                    ChartGrid(from: from, to: to, count: count, least: least) { rules.kept($0, at: now) }
                }.buckets
            }
            var json = JSONWriter(capacity: 64 + buckets.count * 120)
            json.object { json in Self.write(buckets, to: &json, "items") }
            return .json(json.bytes)
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
        ) { request, principal in try await self.export(request, principal) }
        routes.on(
            .delete, "/api/sensors/{id}/readings",
            keeps, RouteDescription("Deletes everything that a sensor told, for good. Owners do that.", status: 204)
        ) { request, principal in
            let sensor = try self.sensor(of: request, principal, for: [.owner])
            try await self.deleteReadings(of: sensor, by: principal)
            return .empty()
        }
    }

    private static func write(_ buckets: [ChartBucket], to json: inout JSONWriter, _ name: StaticString) {
        json.array(name) { json in
            for bucket in buckets {
                json.object { json in
                    json.field("from", bucket.from.iso8601)
                    json.field("count", bucket.rollup.count)
                    json.field("min", bucket.rollup.low)
                    json.field("max", bucket.rollup.high)
                    json.field("mean", bucket.rollup.mean)
                    json.field("last", bucket.rollup.last)
                }
            }
        }
    }

    private func registerChart(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sensors/{id}/chart",
            RouteDescription(
                "What the chart of a sensor shows: an hour, day, week, month or year of its house, or all of it.",
                answer: .object([
                    ("from", .text("when it begins")), ("to", .text("when it ends")), ("unit", .text("of the values")),
                    ("since", .optional(.text("where the caller's chart begins, as they asked"))),
                    ("items", .list(Self.bucket)),
                    (
                        "thresholds",
                        .list(
                            .object([
                                ("since", .text("from when on it counted")),
                                ("level", .optional(.number("null: none counted"))),
                            ]))
                    ),
                    (
                        "alarms",
                        .list(
                            .object([
                                ("at", .text("when it began")), ("ended", .optional(.text("null: it has not"))),
                            ]))
                    ),
                ]),
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
            let chart = try await self.chart(of: sensor, wish, for: principal, zone: zone)
            return .json(Self.json(chart, of: sensor, wish.style))
        }
        routes.on(
            .put, "/api/sensors/{id}/chart/start",
            keeps,
            RouteDescription(
                "Lets the caller's chart of a sensor begin now, or from the beginning again. Nothing is deleted.",
                body: .object([("isNow", .truth("false: from the beginning again"))]), status: 204)
        ) { request, principal in
            struct Body: Decodable { let isNow: Bool }
            let sensor = try self.sensor(of: request, principal)
            let body = try request.json(Body.self)
            try await self.startChart(of: sensor, anew: body.isNow, for: principal)
            return .empty()
        }
    }

    private static func json(_ chart: SensorChart, of sensor: Sensor, _ style: ChartStyle) -> [UInt8] {
        let buckets = style == .line ? chart.line : chart.bars
        var json = JSONWriter(capacity: 512 + buckets.count * 120)
        json.object { json in
            json.field("from", chart.window.from.iso8601)
            json.field("to", chart.window.to.iso8601)
            json.field("unit", sensor.unit)
            json.field("since", chart.mark?.iso8601)
            write(buckets, to: &json, "items")
            json.array("thresholds") { json in
                for step in chart.thresholds {
                    json.object { json in
                        json.field("since", step.since.iso8601)
                        json.field("level", step.threshold?.level)
                    }
                }
            }
            json.array("alarms") { json in
                for span in chart.alarms {
                    json.object { json in
                        json.field("at", span.at.iso8601)
                        json.field("ended", span.ended?.iso8601)
                    }
                }
            }
        }
        return json.bytes
    }

    private static let keptSchema = Schema.object([
        ("raw", .integer("days that each value is kept, 1 to 366")),
        ("fiveMinutes", .integer("days that every five minutes are kept, 30 to 3660")),
        ("hours", .integer("days that every hour and day are kept, from 365; 0 is for ever")),
    ])

    private func registerKept(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/readings/retention", for: Permission.inHouse,
            RouteDescription("How long a house keeps what its sensors told, in days.", answer: Self.keptSchema)
        ) { request, principal in
            let site = try self.house(request, principal).id
            return .json(Self.json(try self.store.read { try HistoryRetention.of(site, in: $0) }))
        }
        routes.on(
            .put, "/api/sites/{site}/readings/retention", for: [.owner], keeps,
            RouteDescription(
                "Says how long a house keeps what its sensors told. What is older goes within the hour.",
                body: Self.keptSchema, answer: Self.keptSchema)
        ) { request, principal in
            struct Body: Decodable {
                let raw: Int
                let fiveMinutes: Int
                let hours: Int
            }
            let site = try self.house(request, principal).id
            let body = try request.json(Body.self)
            let rules = HistoryRetention(raw: body.raw, fiveMinutes: body.fiveMinutes, hours: body.hours)
            guard try await self.keep(rules, for: site, by: principal) else {
                throw Problem.unprocessable(
                    "raw 1 to 366, fiveMinutes 30 to 3660, hours 365 or more or 0, each at least as long as the one before",
                    type: "retention-refused")
            }
            return .json(Self.json(rules))
        }
    }

    private static func json(_ rules: HistoryRetention) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("raw", rules.raw)
            json.field("fiveMinutes", rules.fiveMinutes)
            json.field("hours", rules.hours)
        }
        return json.bytes
    }
}
