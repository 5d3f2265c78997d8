import Bus
import Safeguard
import System
import TestSupport
import Testing
import Wire

@testable import Home
@testable import Household

/// A box as the hub hears it, and what it hears.
final class TestBox: Sendable {
    let house: TestHouse
    let gateway: Gateway
    let boxes: Boxes
    let heard: Shared<[BoxFrame]>
    static let key = Key([UInt8](repeating: 9, count: 32))!
    var key: Key { Self.key }
    let journal = ID16(hex: "00000000000000000000000000000b0c".utf8)!
    let door: Sensor
    private let air: any BoxAir

    /// - Parameter air: what it sees of the air counts for nothing, unless the test says so.
    init(
        _ house: TestHouse, recordsAtOnce: Int = Boxes.mostRecordsAtOnce, air: any BoxAir = UnwatchedAir()
    ) async throws {
        let heard = Shared<[BoxFrame]>([])
        let gateway = Gateway(id: .new(at: noon), site: house.site.id, kind: .box, name: "Hall", key: Self.key)
        let device = Device(
            id: .new(at: noon), site: house.site.id, gateway: gateway.id, key: "box", name: "Box", origin: .added)
        let door = Sensor(
            id: .new(at: noon), number: 0, device: device.id, site: house.site.id, key: "door", name: "Front door",
            kind: .contact, alarmClass: .door, binding: SensorBinding(topic: "door/state"))
        try await house.parts.registry.change(at: house.site.id) { database in
            try HomeRecords.put(gateway, in: database)
            try HomeRecords.put(device, in: database)
            try HomeRecords.add(door, in: database)
        }
        boxes = Self.boxes(of: house, recordsAtOnce, air, heard)
        (self.house, self.gateway, self.heard, self.door, self.air) = (house, gateway, heard, door, air)
    }

    /// The same box, as a hub knows it that was started anew.
    init(startedAnew box: TestBox) {
        (house, gateway, heard, door, air) = (box.house, box.gateway, box.heard, box.door, box.air)
        boxes = Self.boxes(of: house, Boxes.mostRecordsAtOnce, air, heard)
    }

    private static func boxes(
        of house: TestHouse, _ recordsAtOnce: Int, _ air: any BoxAir, _ heard: Shared<[BoxFrame]>
    ) -> Boxes {
        Boxes(
            house.parts.store, house.parts.clock, house.parts.registry, house.panels,
            house.parts.safety.settings, house.parts.alarms, air, recordsAtOnce: recordsAtOnce,
            uptime: { 1_000_000 }
        ) { (frame, _) throws(BusError) in heard.change { $0.append(frame) } }
    }

    /// The box knows smoke too.
    func smoke() async throws -> Sensor {
        let smoke = Sensor(
            id: .new(at: noon), number: 0, device: door.device, site: house.site.id, key: "smoke", name: "Smoke",
            kind: .smoke, alarmClass: .environmental, binding: SensorBinding(topic: "smoke/state"))
        try await house.parts.registry.change(at: house.site.id) { try HomeRecords.add(smoke, in: $0) }
        return smoke
    }

    /// A tag that the box knows.
    func tag() async throws -> HouseTag {
        let tag = HouseTag(
            id: .new(at: noon), site: house.site.id, gateway: gateway.id, name: "Anna", digest: [1], added: noon)
        try await house.parts.store.write { try SafetyRecords.add(tag, by: nil, in: $0) }
        return tag
    }

    func hello(
        _ panel: Panel, last: UInt64 = 0, uptime: UInt64 = 1_000, version: UInt64 = 0, isRetained: Bool = false,
        session: String = "session1", at hub: Boxes? = nil
    ) throws {
        let hello = try BoxHello(
            session: Array(session.utf8), uptime: uptime, bootCount: 1, journalID: journal, lastSequence: last,
            settingsVersion: version, clock: .trusted, timeNonce: Nonce([UInt8](repeating: 3, count: 16))!,
            panel: PanelStanding(panel, at: house.time.value.milliseconds), boxKey: key)
        _ = (hub ?? boxes).receive("hello", BoxFrame.hello(hello).encoded(), isRetained: isRetained, from: gateway)
    }

    func record(
        _ sequence: UInt64, _ kind: BoxRecord.Kind, _ panel: Panel, _ cause: BoxRecord.Cause = .none,
        sensor: UInt8? = nil, credential: ID16 = .zero, ago: Double = 0, time: UInt64? = nil, digest: [UInt8]? = nil,
        key: Key? = nil,
        from other: Gateway? = nil
    ) throws {
        let now = house.time.value.milliseconds
        let content = try BoxRecord.Content(
            kind: kind, panel: PanelStanding(panel, at: now), cause: cause, sensor: sensor, value: 1000,
            credential: credential, time: time ?? UInt64(now - Int64(ago * 1000)), clock: .trusted, digest: digest)
        let record = BoxRecord(journalID: journal, sequence: sequence, content: content, boxKey: key ?? self.key)
        _ = boxes.receive("up", BoxFrame.record(record).encoded(), isRetained: false, from: other ?? gateway)
    }

    /// Writes down what it told, after what people were told of that.
    func write() async {
        #expect(await eventually { house.alarms.journal.done == house.alarms.journal.count })
        while await boxes.writeRecords() {}
    }

    /// What it was told last.
    var orders: [BoxOrder.Kind] {
        heard.value.compactMap { frame in if case .order(let order) = frame { order.kind } else { nil } }
    }
    var acknowledged: [UInt64] {
        heard.value.compactMap { frame in
            if case .acknowledgement(let answer) = frame { answer.sequence } else { nil }
        }
    }
    var settings: [BoxSettings] {
        heard.value.compactMap { frame in if case .settings(let settings) = frame { settings } else { nil } }
    }
}

/// How a panel stands.
func standing(
    _ state: PanelState, _ mode: ArmMode?, number: UInt64, left: Int64? = nil, at now: Timestamp = noon
) -> Panel {
    Panel(
        state: state, mode: mode, deadline: left.map { now.milliseconds + $0 }, isSounding: state == .triggered,
        number: number)
}

/// Air that nobody holds against a threshold.
struct UnwatchedAir: BoxAir {
    func told(_ crossing: Crossing, of sensor: Sensor, value: Double?) {}
    func tripped(_ sensor: Sensor, value: Double?) -> Bool { false }
    func fan(of gateway: Gateway) -> BoxFan? { nil }
}
