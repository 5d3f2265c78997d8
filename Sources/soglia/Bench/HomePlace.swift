import Accounts
import Bus
import Home
import Household
import Identity
import Ledger
import Platform
import Store
import System

/// Ten houses with two hundred sensors behind gateways of one kind, and a broker, in a folder of their own, for measuring; gone afterwards.
struct HomePlace: Sendable {
    private static let houses = 10
    private static let gatewaysPerHouse = 4
    private static let sensorsPerGateway = 5
    /// What a gas sensor must not reach, in ppm. The peer has the same in its source.
    private static let threshold = 300.0

    let folder: String
    let broker: Broker
    /// Who publishes: it may say everything.
    let publisher: BusCredentials
    /// Who listens beside us.
    let peer: BusCredentials
    /// Each topic of readings, one a line; of the first sensor of each house also where its valve is told to close.
    var topics: String { folder + "/topics" }
    var database: String { folder + "/soglia.sqlite" }

    /// - Parameter kind: of all gateways. A bridge is told what the others of its house tell.
    init(_ kind: Gateway.Kind) async throws {
        folder = "/tmp/soglia-bench-home-" + EventID.new(at: WallClock.system.now).text.suffix(10)
        try Files.makeFolder(folder)
        broker = try Broker(folder: folder + "/broker")
        // The publisher stands for two hundred devices: one that says so much is cut short.
        (publisher, peer) = (.random(username: "hub-bench"), .random(username: "peer"))
        try await broker.start()
        try await letIn()
        try await fill(kind)
    }

    /// Ends the broker and removes the folder.
    func remove() async throws {
        await broker.stop()
        _ = try await Child.start("/bin/rm", ["-rf", folder]).wait()
    }

    private func letIn() async throws {
        let hub = try BusClient(address: broker.address, credentials: broker.hubCredentials)
        let control = BrokerControl(client: hub)
        hub.start()
        for await state in hub.states where state == .connected { break }
        for one in [publisher, peer] {
            try await control.addClient(
                username: one.username, password: one.password, publish: ["soglia/#"], subscribe: ["soglia/#"])
        }
        await hub.stop()
    }

    private func fill(_ kind: Gateway.Kind) async throws {
        let store = try Store(path: database, migrations: Hub.migrations + Home.migrations)
        let lines = try await store.write { database in
            var lines: [String] = []
            for number in 0..<Self.houses { lines += try Self.addHouse(number, kind, in: database) }
            try AccountRecords.setHubValue(ServeCommand.demoMark, [1], in: database)
            return lines
        }
        await store.close()
        try Files.replace(topics, with: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// - Returns: its lines of `topics`.
    private static func addHouse(
        _ number: Int, _ kind: Gateway.Kind, in database: Database
    ) throws -> [String] {
        let now = WallClock.system.now
        let site = Site(id: .new(at: now), name: "House \(number)", kind: .home, zone: .utc)
        try AccountRecords.add(site, at: now, by: nil, in: database)
        var lines: [String] = []
        for place in 0..<gatewaysPerHouse {
            let gateway = Gateway(id: .new(at: now), site: site.id, kind: kind, name: "Gateway \(place)")
            let device = DeviceID.new(at: now)
            try database.execute(
                "INSERT INTO home_gateways (id, site, kind, name) VALUES (?, ?, ?, ?)", gateway.id, site.id,
                gateway.kind.rawValue, gateway.name)
            try database.execute(
                """
                INSERT INTO home_devices (id, site, gateway, key, name, maker, model, area, origin)
                VALUES (?, ?, ?, 'bench', 'Bench', '', '', '', 'added')
                """, device, site.id, gateway.id)
            for index in 0..<sensorsPerGateway {
                let topic = gateway.prefix + "gas\(index)/state"
                let isWatched = place == 0 && index == 0
                lines.append(isWatched ? topic + " " + gateway.down + "valve/set" : topic)
                let sensor = SensorID.new(at: now)
                try database.execute(
                    """
                    INSERT INTO home_sensors (id, device, key, name, kind, unit, period, binding)
                    VALUES (?, ?, ?, ?, 'gas', 'ppm', 10, ?)
                    """, sensor, device, "gas\(index)", "Gas \(index)",
                    #"{"availability":[],"availabilityMode":"latest","path":[],"topic":"gas\#(index)/state"}"#)
                try database.execute(
                    "INSERT INTO home_thresholds (sensor, since, level, hysteresis) VALUES (?, ?, ?, ?)", sensor, now,
                    threshold, threshold / 10)
            }
            guard place == 0 else { continue }
            try database.execute(
                """
                INSERT INTO home_actuators (id, device, key, name, kind, binding)
                VALUES (?, ?, 'valve', 'Valve', 'valve', ?)
                """, ActuatorID.new(at: now), device,
                #"{"availability":[],"availabilityMode":"latest","colourTopic":null,"commandTopic":"valve/set","#
                    + #""high":100,"isJSON":false,"low":0,"off":"OFF","on":"ON"}"#)
        }
        return lines
    }
}
