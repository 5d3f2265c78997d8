import Accounts
import Courier
import Crypto
import Home
import Household
import Identity
import Ledger
import Phone
import Platform
import Store
import System
import Wire

/// Charts over what ten sensors told in ten years: each reading of 30 days (one in ten seconds), five minutes of two years, every hour and
/// day. Asked for over HTTP, from a hub of its own.
struct BenchHistory {
    private static let sensors = 10
    private static let day: Int64 = 86_400_000

    func run() async throws -> [Figure] {
        let place = try await Place()
        var figures = try await place.fill()
        let hub = try await Measured.start(
            "soglia", ThisProcess.executable, ["serve", "--data", place.folder, "--port", "0", "--demo"]
        ) { $0 }
        let token = try await HubAccess(hub.url).signIn(email: GrowthPlace.email, password: place.password)
        let client = HTTPClient(limit: 8 << 20)
        func ask(_ path: String) async throws {
            let answer = try await client.send(
                HTTPClientRequest(
                    method: "GET", url: hub.url + path, headers: [(name: "Authorization", value: "Bearer \(token)")]))
            guard answer.status == 200 else { throw SystemError("\(path) answered \(answer.status)") }
        }
        func measure(_ name: String, days: Int, _ path: (Int) -> String) async throws {
            for sensor in 0..<Self.sensors { try await ask(path(sensor)) }
            var round = 0
            figures.append(
                Figure(
                    name, size: days,
                    try await Stopwatch.middle(of: 51) {
                        round += 1
                        try await ask(path(round % Self.sensors))
                    }))
        }
        let spans: [(name: String, hours: Int64)] = [
            ("an hour", 1), ("a day", 24), ("33 hours", 33), ("a week", 168), ("30 days", 720), ("a year", 8_760),
            ("399 days", 9_576), ("two years", 17_520), ("ten years", 87_600),
        ]
        for span in spans {
            let from = place.now.adding(milliseconds: -span.hours * 3_600_000).iso8601
            try await measure("400 stretches of \(span.name)", days: Int(max(span.hours / 24, 1))) {
                "/api/sensors/\(place.sensors[$0].text)/readings?from=\(from)&to=\(place.now.iso8601)&buckets=400"
            }
        }
        for span in ["hour", "day", "week", "month", "year", "all"] {
            try await measure("the chart, \(span)", days: 0) {
                "/api/sensors/\(place.sensors[$0].text)/chart?span=\(span)&at=\(place.now.adding(milliseconds: -Self.day).iso8601)"
            }
        }
        await hub.child.stop()
        try await place.remove()
        return figures
    }

    /// A house with its history in a folder of its own.
    private struct Place {
        let folder = "/tmp/soglia-history-" + EventID.new(at: WallClock.system.now).text.suffix(10)
        let now = WallClock.system.now
        let password = Token().text
        let sensors: [SensorID]
        private let site: Site

        init() async throws {
            let now = now
            sensors = (0..<BenchHistory.sensors).map { _ in .new(at: now) }
            site = Site(id: .new(at: now), name: "Bench", kind: .home, zone: Zone(name: "Europe/Rome") ?? .utc)
            try Files.makeFolder(folder)
        }

        func remove() async throws { _ = try await Child.start("/bin/rm", ["-rf", folder]).wait() }

        /// Writes ten years of readings. How large that is, is a figure too.
        func fill() async throws -> [Figure] {
            let store = try Store(path: folder + "/soglia.sqlite", migrations: Hub.migrations + Home.migrations)
            let hash = try await Passwords().hash(password)
            let (site, now, sensors) = (site, now, sensors)
            let person = Person(id: .new(at: now), name: "Ada", email: GrowthPlace.email, language: nil)
            try await store.write { database in
                try AccountRecords.add(site, at: now, by: nil, in: database)
                try AccountRecords.add(person, passwordHash: hash, at: now, in: database)
                try AccountRecords.found(
                    Membership(
                        id: .new(at: now), person: person.id, site: site.id, permission: .owner, role: nil,
                        firstDay: nil, lastDay: nil), at: now, in: database)
                let (gateway, device) = (GatewayID.new(at: now), DeviceID.new(at: now))
                try database.execute(
                    "INSERT INTO home_gateways (id, site, kind, name) VALUES (?, ?, 'device', 'Bench')", gateway,
                    site.id)
                try database.execute(
                    """
                    INSERT INTO home_devices (id, site, gateway, key, name, maker, model, area, origin)
                    VALUES (?, ?, ?, 'bench', 'Bench', '', '', '', 'added')
                    """, device, site.id, gateway)
                for (index, sensor) in sensors.enumerated() {
                    try database.execute(
                        """
                        INSERT INTO home_sensors (number, id, device, key, name, kind, unit, period, binding)
                        VALUES (?, ?, ?, ?, 'Gas', 'gas', 'ppm', 10, ?)
                        """, index + 1, sensor, device, "gas\(index)",
                        #"{"availability":[],"availabilityMode":"latest","path":[],"topic":"gas/state"}"#)
                }
                try AccountRecords.setHubValue(ServeCommand.demoMark, [1], in: database)
            }
            let start = Uptime.milliseconds
            for number in 1...sensors.count { try await store.write { try Self.tell(number, until: now, in: $0) } }
            let spent = Double(Uptime.milliseconds - start) * 1000
            let bytes = try store.read { database in
                try database.row("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()") {
                    $0[0] as Int
                }
            }
            await store.close()
            return [Figure("fill \(sensors.count) sensors, \((bytes ?? 0) >> 20) MB", size: 3_650, spent)]
        }

        private static func tell(_ sensor: Int, until now: Timestamp, in database: Database) throws {
            func start(_ days: Int64, _ width: Int64) -> Int64 {
                (now.milliseconds - days * BenchHistory.day) / width * width
            }
            try database.execute(
                """
                INSERT INTO home_samples (sensor, at, value)
                WITH RECURSIVE t (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM t WHERE n + 1 < 259200)
                SELECT ?1, ?2 + n * 10000, 200 + abs(random() % 4000) / 16.0 FROM t
                """, sensor, start(30, 10_000))
            try database.execute(
                """
                INSERT INTO home_r5m (sensor, start, n, low, high, sum, last, last_at)
                WITH RECURSIVE t (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM t WHERE n + 1 < 210240)
                SELECT ?1, ?2 + n * 300000, 30, 200 + abs(random() % 100) / 16.0, 300 + abs(random() % 4000) / 16.0, 7500,
                    250, ?2 + n * 300000 + 290000 FROM t
                """, sensor, start(730, 300_000))
            try database.execute(
                """
                INSERT INTO home_r1h (sensor, start, n, low, high, sum, last, last_at)
                WITH RECURSIVE t (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM t WHERE n + 1 < 87600)
                SELECT ?1, ?2 + n * 3600000, 360, 200 + abs(random() % 100) / 16.0, 300 + abs(random() % 4000) / 16.0, 90000,
                    250, ?2 + n * 3600000 + 3590000 FROM t
                """, sensor, start(3_650, 3_600_000))
            try database.execute(
                """
                INSERT INTO home_r1d (sensor, start, n, low, high, sum, last, last_at)
                WITH RECURSIVE t (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM t WHERE n + 1 < 3650)
                SELECT ?1, ?2 + n * 86400000, 8640, 200 + abs(random() % 100) / 16.0, 300 + abs(random() % 4000) / 16.0,
                    2160000, 250, ?2 + n * 86400000 + 86390000 FROM t
                """, sensor, start(3_650, BenchHistory.day))
        }
    }
}
