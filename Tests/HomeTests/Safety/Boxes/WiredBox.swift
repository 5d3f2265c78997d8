import Ledger
import Safeguard
import System
import TestSupport
import Wire

@testable import Box
@testable import Home
@testable import Household

/// A box with the firmware's own decisions and a journal, on a cable to a hub that can be cut. Both go by the house's clock.
final class WiredBox {
    let house: TestHouse
    private(set) var hub: TestBox
    /// What the house calls the sensors of the box.
    let sensors: [BoxSensor: Sensor]
    let tag: HouseTag
    private(set) var core: BoxCore
    private(set) var isConnected = false
    /// What happened there and, since it may be told again, was not acknowledged.
    private var journal: [BoxRecord] = []
    private var last: UInt64 = 0
    private var sentUpTo: UInt64 = 0
    private var hellos: UInt64 = 0
    private var boots: UInt32 = 1
    private var sessions: [[UInt8]] = []
    private var read = 0
    private var values: [BoxSensor: Double] = [.door: 0, .vibration: 0, .smoke: 0, .distance: 300]
    /// Which records the bus loses: told again later.
    var loses: () -> Bool = { false }
    /// Hears what happened at the box, in its order.
    var happened: (BoxCore.Happening) -> Void = { _ in }

    private static let tagNumber: [UInt8] = [1, 2, 3, 4]

    init(_ house: TestHouse) async throws {
        self.house = house
        hub = try await TestBox(house, air: house.parts.care)
        var sensors: [BoxSensor: Sensor] = [.door: hub.door]
        for (key, kind) in [
            (BoxSensor.distance, SensorKind.distance), (.vibration, .vibration), (.smoke, .smoke),
        ] {
            let sensor = Sensor(
                id: .new(at: noon), number: 0, device: hub.door.device, site: house.site.id, key: key.rawValue,
                name: key.rawValue.capitalized, kind: kind, unit: key.unit, alarmClass: key.usualClass,
                binding: SensorBinding(topic: "\(key.rawValue)/state"))
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.add(sensor, in: $0) }
            sensors[key] = sensor
        }
        self.sensors = sensors
        let digest = try BoxTag.digest(of: Self.tagNumber, boxKey: TestBox.key)
        let tag = HouseTag(
            id: .new(at: noon), site: house.site.id, gateway: hub.gateway.id, name: "Anna", digest: digest.bytes,
            added: noon)
        self.tag = tag
        try await house.parts.store.write { try SafetyRecords.add(tag, by: nil, in: $0) }
        core = BoxCore(setup: BoxSetup())
        try await connect()
    }

    private var now: Int64 { house.time.value.milliseconds }

    // MARK: the cable

    func cut() {
        isConnected = false
        let catalog = house.parts.registry.catalog
        for sensor in sensors.values.compactMap({ catalog.sensors[$0.id] }) {
            house.parts.readings.note(.unavailable, of: sensor)
        }
    }

    func connect() async throws {
        isConnected = true
        (sentUpTo, sessions) = (0, [])
        for (key, value) in values { tell(key, value) }
        try sayHello()
        tellJournal()
        try await settle()
    }

    /// The hub stops and begins anew: what it has not written down, it does not know.
    func restartHub() async throws {
        hub = TestBox(startedAnew: hub)
        guard isConnected else { return }
        try sayHello()
        sentUpTo = 0
        tellJournal()
        try await settle()
    }

    /// The power of the box fails for a moment: what it keeps on its disk, it knows.
    func restart() async throws {
        core = BoxCore(setup: core.setup, kept: core.kept)
        boots += 1
        if isConnected { try await connect() }
    }

    private func sayHello() throws {
        hellos += 1
        sessions.insert((0..<8).map { UInt8(truncatingIfNeeded: hellos >> UInt64(56 - 8 * $0)) }, at: 0)
        sessions = Array(sessions.prefix(4))
        try sayHow()
    }

    private func sayHow() throws {
        let hello = try BoxHello(
            session: sessions[0], uptime: UInt64(now - noon.milliseconds), bootCount: boots, journalID: hub.journal,
            lastSequence: last, settingsVersion: core.setup.version, clock: .trusted,
            timeNonce: Nonce([UInt8](repeating: 3, count: 16))!, panel: standingNow(core.panel),
            boxKey: TestBox.key)
        _ = hub.boxes.receive("hello", BoxFrame.hello(hello).encoded(), isRetained: false, from: hub.gateway)
    }

    private func standingNow(_ panel: Panel) -> PanelStanding {
        PanelStanding(
            state: panel.state.rawValue, mode: panel.mode?.rawValue ?? 0, isSounding: panel.isSounding,
            number: panel.number, left: panel.left(at: now).map { UInt32(clamping: $0) })
    }

    private func tell(_ key: BoxSensor, _ value: Double) {
        // What is out of use, nobody listens to.
        guard let sensor = sensors[key].flatMap({ house.parts.registry.catalog.sensors[$0.id] }) else { return }
        house.tell(sensor, key.isTruth ? .truth(value != 0) : .number(value))
    }

    private func tellJournal() {
        guard isConnected else { return }
        for record in journal.filter({ $0.sequence > sentUpTo }).prefix(64) {
            sentUpTo = record.sequence
            if loses() { continue }
            _ = hub.boxes.receive("up", BoxFrame.record(record).encoded(), isRetained: false, from: hub.gateway)
        }
    }

    /// Lets the hub write what it took, and the box do what it is told, until both are still.
    func settle() async throws {
        while true {
            await hub.boxes.settle()
            await hub.write()
            let frames = hub.heard.value
            guard frames.count > read else { return }
            let new = frames[read...]
            read = frames.count
            for frame in new where isConnected { try take(frame) }
        }
    }

    private func take(_ frame: BoxFrame) throws {
        switch frame {
        case .order(let order):
            guard sessions.contains(order.session), let happenings = core.take(order, at: now) else { return }
            try done(happenings)
            try sayHow()
        case .settings(let settings):
            guard settings.isNewer(than: core.setup.version) else { return }
            core.take(BoxSetup(settings, of: .zero))
            try sayHow()
        case .acknowledgement(let answer):
            journal.removeAll { $0.sequence == answer.sequence }
            if answer.sequence >= sentUpTo { tellJournal() }
        case .time, .hello, .record, .refused: return
        }
    }

    // MARK: what happens there

    func sense(_ key: BoxSensor, _ value: Double) async throws {
        let isNews = values[key] != value
        values[key] = value
        let happenings = core.sense(key, value, at: now)
        // Its states are told at once, its records once they are written.
        if isConnected, isNews { tell(key, value) }
        try done(happenings)
        try await settle()
    }

    func press() async throws {
        try done(core.press(at: now))
        try await settle()
    }

    func holdTag() async throws {
        try done(core.hold(BoxTag.digest(of: Self.tagNumber, boxKey: TestBox.key), at: now))
        try await settle()
    }

    /// The clocks of both go on.
    func pass(_ seconds: Int) async throws {
        for second in 0..<seconds {
            house.pass(1)
            try done(core.tick(at: now))
            if isConnected, second % 4 == 3 {
                try sayHello()
                sentUpTo = 0
                tellJournal()
            }
            try await settle()
        }
    }

    private func done(_ happenings: [BoxCore.Happening]) throws {
        for happening in happenings {
            happened(happening)
            last += 1
            let content = try BoxRecord.Content(
                kind: happening.kind, panel: standingNow(happening.panel), cause: happening.cause,
                sensor: happening.sensor, value: happening.value, credential: happening.credential,
                time: UInt64(now), clock: .trusted, digest: happening.digest)
            journal.append(
                BoxRecord(journalID: hub.journal, sequence: last, content: content, boxKey: TestBox.key))
        }
        tellJournal()
    }
}
