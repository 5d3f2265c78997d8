import Bus
import Glibc
import Safeguard
import Store
import System
// Exported: every file of these tests sees it.
@_exported import TestSupport
import Wire

@testable import Box

let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!

func id() -> ID16 { ID16(Random.bytes(16))! }

/// Rules with short times: 10 s to leave, 20 s to disarm, 60 s of alarm. All of them lie within the bounds of the format, so
/// that `try!` cannot fail.
let shortRules = try! BoxSettings.Rules(
    exit: [0, 10, 0, 10], entry: [20, 20, 20, 20], alarmTime: 60, disarmsAfterAlarm: false)

/// A folder that is gone afterwards.
func inFolder<Result>(_ test: (String) async throws -> Result) async throws -> Result {
    let folder = "/tmp/soglia-box-\(getpid())-" + Random.bytes(6).map { String($0, radix: 16) }.joined()
    try Files.makeFolder(folder)
    defer {
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
    }
    return try await test(folder)
}

/// A paired box on a real file, with a clock and an uptime of the test's, and the hub's side of the bus.
final class Bench: Sendable {
    let folder: String
    let identity: BoxMemory.Identity
    let memory: BoxMemory
    let controller: BoxController
    let wall: Shared<Timestamp>
    let uptime: Shared<UInt64>
    /// What the box has said.
    let said = Shared<[BoxSaying]>([])

    private init(
        _ folder: String, _ identity: BoxMemory.Identity, _ wall: Shared<Timestamp>, _ uptime: Shared<UInt64>,
        pageLimit: Int? = nil
    ) async throws {
        (self.folder, self.identity, self.wall, self.uptime) = (folder, identity, wall, uptime)
        memory = try await BoxMemory(folder: folder, pageLimit: pageLimit)
        controller = try await BoxController(
            memory: memory, identity: identity, wall: WallClock { wall.value }, uptime: { uptime.value })
    }

    static func run(pageLimit: Int? = nil, _ test: (Bench) async throws -> Void) async throws {
        try await inFolder { folder in
            let identity = BoxMemory.Identity(box: id(), site: id(), key: Key(Random.bytes(32))!, name: "Cucina")
            let first = try await BoxMemory(folder: folder)
            try await first.setIdentity(identity)
            await first.store.close()
            try await Bench(folder, identity, Shared(noon), Shared(1_000_000), pageLimit: pageLimit).take(test)
        }
    }

    private func take(_ test: (Bench) async throws -> Void) async throws {
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await test(self)) } catch { outcome = .failure(error) }
        await memory.store.close()
        try outcome.get()
    }

    /// The same box after its power was cut and came back: its uptime begins anew.
    func restarted(_ test: (Bench) async throws -> Void) async throws {
        await memory.store.close()
        try await Bench(folder, identity, wall, Shared(5_000)).take(test)
    }

    // MARK: the room

    /// Time passes, and the sensors are read as they were.
    func wait(_ milliseconds: UInt64, _ values: [BoxSensor: Double?] = [:]) async {
        uptime.change { $0 += milliseconds }
        wall.change { $0 = $0.adding(milliseconds: Int64(milliseconds)) }
        await controller.sense(values)
    }

    func sense(_ sensor: BoxSensor, _ value: Double?) async { await controller.sense([sensor: value]) }

    var panel: Panel { get async { await controller.core.panel } }

    // MARK: the hub's side

    func connect() async {
        let said = said
        await controller.connected { saying in said.change { $0.append(saying) } }
    }

    /// Connects, and tells the time.
    func meet() async {
        await connect()
        await tellTime()
    }

    var hellos: [BoxHello] {
        said.value.compactMap { saying in
            guard saying.topic == "hello", case .hello(let hello)? = try? BoxFrame(decoding: saying.payload) else {
                return nil
            }
            return hello
        }
    }

    var records: [BoxRecord] {
        said.value.compactMap { saying in
            guard saying.topic == "up", case .record(let record)? = try? BoxFrame(decoding: saying.payload) else {
                return nil
            }
            return record
        }
    }

    /// Orders that it says it does not obey.
    var refused: [BoxOrderRefused] {
        said.value.compactMap { saying in
            guard saying.topic == "up", case .refused(let one)? = try? BoxFrame(decoding: saying.payload) else {
                return nil
            }
            return one
        }
    }

    /// What was said last on a topic.
    func state(_ topic: String) -> String? {
        said.value.last { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    func tellTime(_ time: Timestamp? = nil) async {
        guard let hello = hellos.last else { return }
        await controller.receive(
            .time(TimeAnswer(nonce: hello.timeNonce, utc: (time ?? wall.value).seconds, gateKey: identity.key)))
    }

    func acknowledge(_ record: BoxRecord) async throws {
        await controller.receive(.acknowledgement(try Self.acknowledgement(record, identity.key)))
    }

    static func acknowledgement(_ record: BoxRecord, _ key: Key) throws -> Acknowledgement {
        try Acknowledgement(
            journalID: record.journalID, sequence: record.sequence, ledgerSequence: 1,
            ledgerHead: [UInt8](repeating: 7, count: 32), gateKey: key)
    }

    /// The hub's order under the session of the last hello, with its panel standing as told.
    func order(
        _ kind: BoxOrder.Kind, mode: ArmMode? = nil, panel: Panel? = nil, counter: UInt64 = 1, session: [UInt8]? = nil,
        late: Int64 = 5, bypass: UInt64 = 0, key: Key? = nil
    ) async throws -> BoxOrder {
        var hub = panel ?? Panel()
        if panel == nil {
            hub = await self.panel
            let (rules, now) = await (controller.core.setup.rules, controller.now)
            switch kind {
            case .arm: hub.take(.arm(mode ?? .away), at: now, rules)
            case .disarm: hub.take(.disarm, at: now, rules)
            case .silence: hub.take(.silence, at: now, rules)
            case .reset: hub.take(.reset, at: now, rules)
            case .trigger: hub.take(.trigger, at: now, rules)
            case .test, .openValve, .learnTag, .follow: break
            }
        }
        return try BoxOrder(
            session: session ?? hellos.last?.session ?? Random.bytes(8), counter: counter,
            notAfter: UInt64(Int64(wall.value.seconds) + late), kind: kind,
            mode: (mode ?? (kind == .arm ? .away : nil))?.rawValue ?? 0, bypass: bypass,
            panel: PanelStanding(hub, at: await controller.now), id: id(), boxKey: key ?? identity.key)
    }

    func give(_ order: BoxOrder) async { await controller.receive(.order(order)) }

    /// Settings with all the box's sensors in its own order.
    func settings(
        _ version: UInt64, rules: BoxSettings.Rules = shortRules, gas: Int32 = 400_000, tags: [BoxSettings.Known] = []
    ) throws -> BoxSettings {
        try Self.settings(version, rules: rules, gas: gas, tags: tags, identity.key)
    }

    static func settings(
        _ version: UInt64, rules: BoxSettings.Rules = shortRules, gas: Int32 = 400_000, tags: [BoxSettings.Known] = [],
        _ key: Key
    ) throws -> BoxSettings {
        let sensors = try BoxSensor.allCases.map { sensor in
            try BoxSettings.Sensor(
                key: Array(sensor.rawValue.utf8), alarmClass: sensor.usualClass?.rawValue ?? 0, isBypassed: false,
                threshold: sensor == .gas ? .init(level: gas, hysteresis: 40_000, risePerMinute: nil) : nil)
        }
        return try BoxSettings(
            version: version, rules: rules, sensors: sensors, fan: .init(sensor: 0, most: 800_000, shortestRun: 30),
            tags: tags, boxKey: key)
    }
}

extension BoxSensor {
    /// Its place in the settings of these tests.
    var place: UInt8 { UInt8(BoxSensor.allCases.firstIndex(of: self)!) }
}
