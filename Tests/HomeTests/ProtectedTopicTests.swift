import Accounts
import HTTPServer
import Ledger
import Store
import System
import Testing

@testable import Home
@testable import Household

/// What devices describe on the topics of sirens, valves and fans.
struct ProtectedTopicTests {
    private static func box(_ components: String) -> String {
        #"{"dev":{"ids":"x","name":"X"},"o":{"name":"x"},"cmps":{\#(components)}}"#
    }
    private static let boxTopic = "homeassistant/device/x/config"
    private static let plug = #""p":{"p":"switch","uniq_id":"p","name":"Output","cmd_t":"out/set"}"#
    private static let shock =
        #""v":{"p":"binary_sensor","uniq_id":"v","name":"Shock","dev_cla":"vibration","stat_t":"x/v"}"#
    private static let shockTopic = "homeassistant/binary_sensor/y/v/config"
    private static let shockAlone =
        #"{"dev":{"ids":"x"},"uniq_id":"v","name":"Shock","dev_cla":"vibration","stat_t":"x/v"}"#
    private static let sensorTopic = "homeassistant/binary_sensor/x/r/config"
    private static func sensor(_ topics: String) -> String {
        #"{"dev":{"ids":"x"},"uniq_id":"r","name":"Room",\#(topics)}"#
    }

    /// What devices said before the house was armed, and what they say then.
    enum Story: String, CaseIterable {
        case reading, availability, backInUse, switchOfDetector, switchOfDetectorElsewhere
    }

    private func added(_ kind: ActuatorKind, at house: TestHouse, topic: String = "out/set") async throws -> Actuator {
        let installer = try await house.principal("Ines", .installer)
        return try await house.parts.devicesDesk.add(
            actuator: ActuatorEntry(
                name: "Horn", kind: kind.rawValue, gateway: house.gateway.id.text, topic: topic), at: house.site.id,
            by: installer)
    }

    private func refusal(_ value: ActuatorValue, _ actuator: Actuator, _ house: TestHouse) -> ActuationRefusal? {
        do throws(ActuationRefusal) {
            try house.parts.actuation.set(actuator, to: value)
            return nil
        } catch { return error }
    }

    /// There is no bus: what gets as far as that was not refused.
    private func isReached(_ actuator: Actuator, _ house: TestHouse) -> Bool {
        let values: [ActuatorValue] = actuator.kind == .valve ? [.off] : [.on, .off]
        return values.allSatisfy { refusal($0, actuator, house) == .notReachable }
    }

    private func put(_ house: TestHouse, _ kind: ActuatorKind, _ key: String, on: String = "ON", off: String = "OFF")
        async throws -> Actuator
    {
        let one = Actuator(
            id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id, key: key,
            name: key, kind: kind, binding: ActuatorBinding(commandTopic: "out/set", on: on, off: off))
        try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(one, in: $0) }
        return one
    }

    // MARK: added by hand

    /// Says what comes before the house is armed.
    private func prepare(_ story: Story, _ speaker: Speaker, _ house: TestHouse) async throws -> Actuator {
        switch story {
        case .reading, .availability: return try await added(.siren, at: house)
        case .backInUse:
            // The plug is that of a detector only once this is described, too.
            try await speaker.say(Self.boxTopic, Self.box(Self.plug))
            let plug = try #require(speaker.catalog.actuators.values.first)
            try await house.parts.devicesDesk.change(plug.id, at: house.site.id, name: nil, isInUse: false, by: anna)
            let siren = try await added(.siren, at: house)
            try await speaker.say(Self.boxTopic, Self.box(Self.shock))
            return siren
        case .switchOfDetector, .switchOfDetectorElsewhere:
            let siren = try await added(.siren, at: house)
            try await speaker.say(Self.boxTopic, Self.box(Self.plug))
            try #require(speaker.catalog.actuators.count == 2)
            return siren
        }
    }

    private func message(_ story: Story) -> (topic: String, text: String) {
        switch story {
        case .reading: (Self.sensorTopic, Self.sensor(#""stat_t":"out/set""#))
        case .availability: (Self.sensorTopic, Self.sensor(#""stat_t":"x/r","avty_t":"out/set""#))
        case .backInUse, .switchOfDetector: (Self.boxTopic, Self.box(Self.plug + "," + Self.shock))
        case .switchOfDetectorElsewhere: (Self.shockTopic, Self.shockAlone)
        }
    }

    @Test(arguments: Story.allCases)
    func `No description mutes a siren that was added by hand, while its house is armed or afterwards`(story: Story)
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let siren = try await prepare(story, speaker, house)
            try #require(isReached(siren, house))
            let before = (speaker.catalog.sensors, speaker.catalog.actuators)
            try house.panels.arm(.home, at: house.site.id, by: .hub)
            let said = message(story)
            try await speaker.say(said.topic, said.text)
            #expect(isReached(siren, house))
            #expect((speaker.catalog.sensors, speaker.catalog.actuators) == before)
            #expect(speaker.faults().map { $0.text[.en].title.hasPrefix("Horn") } == [true])
            house.panels.disarm(house.site.id, by: .hub)
            speaker.discoverer.look()
            try await speaker.settle()
            #expect(isReached(siren, house))
            #expect(speaker.faults().isEmpty)
            #expect(try house.parts.refused.untaken(of: house.gateway.id).map(\.why) == [.init(.reserved, "Horn")])
            // The hub starts again while the house is armed, and hears the same.
            try house.panels.arm(.home, at: house.site.id, by: .hub)
            let again = try Speaker(house)
            try await again.say(said.topic, said.text)
            #expect(isReached(siren, house))
            #expect(again.faults().isEmpty)
        }
    }

    @Test(arguments: [ActuatorKind.light, .siren, .fan])
    func
        `The topic of a valve that is described no more is for a fresh proof, and the valve's once it is described again`(
            kind: ActuatorKind
        ) async throws
    {
        try await TestHouse.run { house in
            let (speaker, desk, site) = (try Speaker(house), house.parts.devicesDesk, house.site.id)
            let stale = try await house.principal("Ines", .installer)
            house.pass(3600)
            let fresh = try await house.principal("Ada", .owner)
            let valve =
                #""w":{"p":"valve","uniq_id":"w","name":"Valve","cmd_t":"out/set","pl_open":"OPEN","pl_cls":"CLOSE"}"#
            let entry = ActuatorEntry(
                name: "Horn", kind: kind.rawValue, gateway: house.gateway.id.text, topic: "out/set", on: "OPEN",
                off: "CLOSE")
            try await speaker.say(Self.boxTopic, Self.box(valve + "," + Self.shock))
            let real = try #require(speaker.catalog.actuators.values.first)
            try await desk.change(real.id, at: site, name: nil, isInUse: false, by: stale.person.id)
            await #expect(throws: DeviceFault.outOfUse) { try await desk.add(actuator: entry, at: site, by: fresh) }
            try await speaker.say(Self.boxTopic, Self.box(Self.shock))
            let problem = await #expect(throws: Problem.self) {
                try await desk.add(actuator: entry, at: site, by: stale)
            }
            #expect(problem?.type == Problem.freshProofNeeded.type)
            let own = try await desk.add(actuator: entry, at: site, by: fresh)
            #expect(isReached(own, house) && speaker.catalog.muted(at: house.gateway.id).isEmpty)
            // Its device says it again: what protects was there first, and a light tells it nothing, whether it is used or not.
            try await speaker.say(Self.boxTopic, Self.box(valve + "," + Self.shock))
            #expect((speaker.catalog.actuators[real.id] == nil) == kind.protects)
            guard !kind.protects else { return }
            for isInUse in [true, false] {
                try await desk.change(real.id, at: site, name: nil, isInUse: isInUse, by: stale.person.id)
                #expect(refusal(.on, own, house) == .opens)
            }
            // Nor in the moment in which its device says anew what it has: the proof was of before.
            try await desk.change(real.id, at: site, name: nil, isInUse: true, by: stale.person.id)
            house.pass(60)
            try await speaker.say(Self.boxTopic, Self.box(Self.shock))
            try #require(speaker.catalog.actuators[real.id] == nil)
            #expect(refusal(.on, own, house) == .opens)
            try await desk.change(own.id, at: site, name: nil, isInUse: false, by: stale.person.id)
            await #expect(throws: DeviceFault.duplicate) {
                try await desk.change(own.id, at: site, name: nil, isInUse: true, by: stale.person.id)
            }
        }
    }

    @Test(arguments: [ActuatorKind.siren, .valve, .fan])
    func `What was added by hand keeps its topic, and the description says why it is left out`(kind: ActuatorKind)
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let one = try await added(kind, at: house)
            try await speaker.say(
                Self.boxTopic,
                Self.box(
                    #""r":{"p":"sensor","uniq_id":"r","name":"Room","stat_t":"out/set"},"#
                        + #""s":{"p":"sensor","uniq_id":"s","name":"Hall","stat_t":"x/s"}"#))
            #expect(isReached(one, house))
            #expect(speaker.catalog.sensors.values.map(\.name) == ["Hall"])
            let untaken = try house.parts.refused.untaken(of: house.gateway.id)
            #expect(untaken.map(\.component) == ["Room"])
            #expect(untaken.first?.why.text(.en).contains("Horn") == true)
            // Once it is out of use, the topic is free.
            try await house.parts.devicesDesk.change(one.id, at: house.site.id, name: nil, isInUse: false, by: anna)
            speaker.pass(DiscoveryQueue.calm)
            try await speaker.say(
                Self.boxTopic,
                Self.box(
                    #""r":{"p":"sensor","uniq_id":"r","name":"Room","stat_t":"out/set"},"#
                        + #""s":{"p":"sensor","uniq_id":"s","name":"Hall","stat_t":"x/s"}"#))
            #expect(speaker.catalog.sensors.values.map(\.name).sorted() == ["Hall", "Room"])
            #expect(try house.parts.refused.untaken(of: house.gateway.id).isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `A device that comes back brings its detectors, without what would mute a siren that was added by hand`(
        isSwitch: Bool
    ) async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let smoke =
                #""s":{"p":"binary_sensor","uniq_id":"s","name":"Smoke","dev_cla":"smoke","stat_t":"x/s"}"#
            let muting =
                isSwitch ? Self.plug : #""r":{"p":"sensor","uniq_id":"r","name":"Output","stat_t":"out/set"}"#
            try await speaker.say(Self.boxTopic, Self.box(smoke + "," + muting))
            let device = try #require(speaker.catalog.devices.values.first { $0.key == "x" })
            try await house.parts.devicesDesk.change(
                device.id, at: house.site.id, name: nil, area: nil, isInUse: false, by: anna)
            let siren = try await added(.siren, at: house)
            try #require(isReached(siren, house))
            // It says more than before, and so it is back.
            speaker.pass(DiscoveryQueue.calm)
            try await speaker.say(Self.boxTopic, Self.box([smoke, muting, Self.shock].joined(separator: ",")))
            #expect(Set(speaker.catalog.sensors.values.map(\.name)) == ["Smoke", "Shock"])
            #expect(speaker.catalog.actuators.values.map(\.name) == ["Horn"])
            #expect(isReached(siren, house))
            #expect(try house.parts.refused.untaken(of: house.gateway.id).map(\.why) == [.init(.reserved, "Horn")])
        }
    }

    @Test func `Nobody mutes a siren that was added by hand by adding a sensor on its topic, or by putting one back`()
        async throws
    {
        try await TestHouse.run { house in
            let (speaker, desk) = (try Speaker(house), house.parts.devicesDesk)
            try await speaker.say(Self.sensorTopic, Self.sensor(#""stat_t":"out/set""#))
            let sensor = try #require(speaker.catalog.sensors.values.first)
            try await desk.change(sensor.id, at: house.site.id, isInUse: false, by: anna)
            let siren = try await added(.siren, at: house)
            try #require(isReached(siren, house))
            await #expect(throws: DeviceFault.mutes) {
                try await desk.change(sensor.id, at: house.site.id, isInUse: true, by: anna)
            }
            var entry = SensorEntry(sensor)
            (entry.gateway, entry.topic, entry.kind) = (house.gateway.id.text, "out/set", "contact")
            let wanted = entry
            await #expect(throws: DeviceFault.mutes) {
                _ = try await desk.add(sensor: wanted, at: house.site.id, by: anna)
            }
            #expect(isReached(siren, house))
        }
    }

    @Test func `Nobody mutes a siren that was added by hand by the class of a sensor`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let siren = try await added(.siren, at: house)
            let power = #""w":{"p":"binary_sensor","uniq_id":"w","name":"Load","stat_t":"x/w"}"#
            try await speaker.say(Self.boxTopic, Self.box(Self.plug + "," + power))
            let load = try #require(speaker.catalog.sensors.values.first { $0.name == "Load" })
            try #require(isReached(siren, house))
            let refused = await #expect(throws: Problem.self) {
                try await house.parts.safetyDesk.change(
                    load.id, at: house.site.id, to: .motion, SensorGuard(), by: anna)
            }
            #expect(refused?.type == "mutes")
            #expect(isReached(siren, house))
        }
    }

    // MARK: a valve on the topic of something else

    private static func component(_ kind: ActuatorKind, _ topic: String = "out/set") -> String {
        #""\#(kind)":{"p":"\#(kind)","uniq_id":"\#(kind)","name":"\#(kind)","cmd_t":"\#(topic)"}"#
    }

    @Test(arguments: [
        (ActuatorKind.siren, ActuatorKind.valve), (.valve, .siren), (.fan, .valve), (.valve, .fan), (.siren, .fan),
        (.fan, .siren),
    ])
    func `Of a valve, a siren and a fan on one topic the first keeps it, and the other says why it is left out`(
        first: ActuatorKind, second: ActuatorKind
    ) async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(Self.boxTopic, Self.box(Self.component(first)))
            try await speaker.say(
                "homeassistant/\(second)/y/other/config",
                #"{"dev":{"ids":"y"},"uniq_id":"other","name":"Other","cmd_t":"out/set"}"#)
            let one = try #require(speaker.catalog.actuators.values.first)
            #expect(speaker.catalog.actuators.values.map(\.kind) == [first])
            #expect(isReached(one, house))
            #expect(try house.parts.refused.untaken(of: house.gateway.id).map(\.why) == [.init(.reserved, "\(first)")])
            // Nor does one that it knows come to that topic.
            try await speaker.say(
                "homeassistant/\(second)/y/other/config",
                #"{"dev":{"ids":"y"},"uniq_id":"other","name":"Other","cmd_t":"other/set"}"#)
            #expect(speaker.catalog.actuators.count == 2)
            try await speaker.say(
                "homeassistant/\(second)/y/other/config",
                #"{"dev":{"ids":"y"},"uniq_id":"other","name":"Other","cmd_t":"out/set"}"#)
            #expect(speaker.catalog.actuators.values.map(\.kind) == [first])
        }
    }

    @Test func `A message that describes a siren and a valve on one topic has one of them`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(
                Self.boxTopic, Self.box(Self.component(.siren) + "," + Self.component(.valve)))
            #expect(speaker.catalog.actuators.values.map(\.kind) == [.siren])
            try await speaker.say(
                Self.boxTopic, Self.box(Self.component(.siren) + "," + Self.component(.valve, "gas/set")))
            #expect(Set(speaker.catalog.actuators.values.map(\.kind)) == [.siren, .valve])
        }
    }

    @Test(arguments: [("OPEN", "CLOSE", true), ("ON", "OFF", true), ("OFF", "ON", false)])
    func `A siren beside a valve of old is told to be still, unless that would open the valve`(
        open: String, close: String, isTold: Bool
    ) async throws {
        try await TestHouse.run { house in
            let siren = try await put(house, .siren, "siren")
            _ = try await put(house, .valve, "valve", on: open, off: close)
            house.panels.trigger(at: house.site.id, by: .hub)
            #expect(house.parts.actuation.last(toldTo: siren.id) == .on)
            house.panels.silence(house.site.id, by: .hub)
            #expect(house.parts.actuation.last(toldTo: siren.id) == (isTold ? .off : .on))
            #expect(refusal(.off, siren, house) == (isTold ? .notReachable : .opens))
        }
    }

    @Test func `A siren that was added by hand and sounds is told to be still, whatever has come to its topic since`()
        async throws
    {
        try await TestHouse.run { house in
            let siren = try await added(.siren, at: house)
            house.panels.trigger(at: house.site.id, by: .hub)
            // Put back into use by a person, or of an old database.
            _ = try await put(house, .fan, "fan")
            #expect(refusal(.on, siren, house) == .anothers)
            house.panels.silence(house.site.id, by: .hub)
            #expect(house.parts.actuation.last(toldTo: siren.id) == .off)
            #expect(refusal(.off, siren, house) == .anothers, "it is still already")
        }
    }
}
