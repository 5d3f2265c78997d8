import Bus
import Identity
import JSON
import Ledger
import Safeguard
import System
import TestSupport
import Testing
import Wire

@testable import Home
@testable import Household

struct IntakeTests {
    /// A house with its intake and somebody who looks.
    private func run(
        _ test: (TestHouse, Intake, Recorder) async throws -> Void
    ) async throws {
        try await TestHouse.run { house in
            let recorder = Recorder()
            house.parts.readings.add(recorder)
            house.parts.bus.add(recorder)
            try await test(house, house.parts.makeIntake(), recorder)
        }
    }

    private func status(_ sensor: Sensor, in house: TestHouse) -> SensorStatus {
        house.parts.live.sensor(sensor.id).status
    }

    @Test func `A reading comes to whoever looks, with the time that it tells`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas, unit: "ppm")
            await intake.receive("gas/state", "412", from: house.gateway)
            await intake.receive("gas/state", #"{"value":413,"at":"2026-11-21T11:59:59.500Z"}"#, from: house.gateway)
            #expect(
                recorder.readings(of: gas) == [
                    Reading(.number(412), at: noon), Reading(.number(413), at: noon.adding(milliseconds: -500)),
                ])
            #expect(house.parts.live.sensor(gas.id).value == .number(413))
            #expect(house.parts.live.gateway(house.gateway.id) == .init(isThere: true, heard: noon))
        }
    }

    @Test func `A gateway that was shut out comes back by itself after ten minutes, or with a new password`()
        async throws
    {
        try await run { house, intake, _ in
            let gas = try await house.sensor("gas", .gas)
            func shutOut() async {
                house.parts.bus.clear(house.gateway)
                await intake.shutOut(house.gateway.id)
                #expect(status(gas, in: house) == .isolated)
            }
            await shutOut()
            await intake.pass(seconds: 599, in: house)
            #expect(status(gas, in: house) == .isolated)
            await intake.pass(seconds: 1, in: house)
            #expect(status(gas, in: house) != .isolated)
            await shutOut()
            house.parts.bus.retained.letIn(house.gateway)
            await intake.pass(seconds: 1, in: house)
            #expect(status(gas, in: house) != .isolated)
        }
    }

    @Test func `A gateway that is let back is in when nothing of it is left at the broker`() async throws {
        try await run { house, intake, _ in
            let gas = try await house.sensor("gas", .gas)
            let (retained, kept) = (house.parts.bus.retained, house.gateway.prefix + "kept")
            house.parts.bus.clear(house.gateway)
            await intake.shutOut(house.gateway.id)
            #expect(await intake.release(house.gateway.id))
            #expect(retained.heard(kept, 1, isRetained: true, at: 0) == .clear)
            for _ in 0..<RetainedWatch.looks { #expect(retained.look() == [house.gateway.prefix + "#"]) }
            #expect(status(gas, in: house) == .isolated)
            #expect(retained.look().isEmpty)
            await intake.pass(seconds: 1, in: house)
            #expect(status(gas, in: house) != .isolated)
            #expect(retained.heard(kept, 1, isRetained: true, at: 0) == .nothing)
        }
    }

    @Test func `Several sensors may hang on one topic`() async throws {
        try await run { house, intake, recorder in
            func binding(_ path: String) -> SensorBinding { SensorBinding(topic: "0x01", path: [path]) }
            let warm = try await house.sensor("t", .temperature, unit: "°C", binding: binding("temperature"))
            let damp = try await house.sensor("h", .humidity, unit: "%", binding: binding("humidity"))
            await intake.receive("0x01", #"{"temperature": 21.5, "linkquality": 90}"#, from: house.gateway)
            await intake.receive("0x01", #"{"temperature": 22, "humidity": 48}"#, from: house.gateway)
            #expect(recorder.readings(of: warm).map(\.value) == [.number(21.5), .number(22)])
            #expect(recorder.readings(of: damp).map(\.value) == [.number(48)])
            #expect(house.parts.live.refusals(of: damp.id) == nil)
        }
    }

    @Test func `A house with many cameras loses its own pictures, and takes none of another house`() {
        let (one, other) = (SiteID.new(at: noon), SiteID.new(at: noon))
        let (lone, cameras) = (SensorID.new(at: noon), (0..<Pictures.most + 16).map { _ in SensorID.new(at: noon) })
        var kept: [SensorID: Pictures.Kept] = [:]
        Pictures.keep(.init(number: 1, site: one, jpeg: [], at: noon), of: lone, &kept)
        for (index, camera) in cameras.enumerated() {
            Pictures.keep(.init(number: index + 2, site: other, jpeg: [], at: noon), of: camera, &kept)
        }
        #expect(Set(kept.keys) == Set(cameras.suffix(Pictures.most - 1) + [lone]))
    }

    @Test func `A camera's picture is made anew and shown; what is none is refused, and the last one stays`()
        async throws
    {
        try await run { house, intake, recorder in
            let camera = try await house.sensor("camera", .snapshot)
            let pictures = house.parts.readings.pictures
            await intake.receive("camera/state", pngOfOneGrey, from: house.gateway)
            #expect(await eventually { pictures.last(of: camera.id)?.number == 1 })
            #expect(await eventually { recorder.readings(of: camera).count == 1 })
            #expect(pictures.last(of: camera.id)?.jpeg.starts(with: [0xff, 0xd8]) == true)
            // Sooner than two seconds after it none is looked at.
            await intake.receive("camera/state", Array("sooner".utf8), from: house.gateway)
            #expect(house.parts.live.refusals(of: camera.id) == nil)
            house.time.change { $0 = $0.adding(milliseconds: Pictures.pause) }
            await intake.receive("camera/state", Array("<svg onload='x'/>".utf8), from: house.gateway)
            #expect(await eventually { house.parts.live.refusals(of: camera.id)?.reason == .noPicture })
            #expect(pictures.last(of: camera.id)?.number == 1)
        }
    }

    @Test func `What is refused leaves what was there, and its owner can read why`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1023)
            await intake.receive("gas/state", "412", from: house.gateway)
            for text in ["NaN", "5000", "{", "-1"] {
                await intake.receive("gas/state", text, from: house.gateway)
            }
            #expect(recorder.readings(of: gas).count == 1)
            #expect(house.parts.live.sensor(gas.id).value == .number(412))
            #expect(house.parts.live.refusals(of: gas.id) == SensorRefusals(count: 4, reason: .outOfRange, at: noon))
        }
    }

    @Test func `What the broker kept is marked as maybe old, and what comes now counts as of now`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas)
            await intake.receive("gas/state", "900", isRetained: true, from: house.gateway)
            await intake.receive("gas/state", #"{"value":901,"at":"2026-11-21T11:50:00Z"}"#, from: house.gateway)
            await intake.receive("gas/state", "3", from: house.gateway)
            #expect(recorder.readings(of: gas).map(\.isRetained) == [true, false, false])
            #expect(recorder.readings(of: gas).map(\.at) == [noon, noon, noon])
            #expect(house.parts.live.refusals(of: gas.id)?.reason == .fromThePast)
            // The broker hands over what we have already.
            await intake.receive(
                "gas/state", #"{"value":901,"at":"2026-11-21T11:50:00Z"}"#, isRetained: true, from: house.gateway)
            #expect(recorder.readings(of: gas).count == 3)
            #expect(house.parts.live.sensor(gas.id).value == .number(3))
        }
    }

    @Test func `A description is read, whatever an older hub was told to hear on its topic`() async throws {
        try await run { house, intake, recorder in
            let topic = "homeassistant/binary_sensor/smoke/config"
            let deaf = try await house.sensor("deaf", .text, binding: SensorBinding(topic: topic))
            _ = try await house.sensor(
                "other", .text, binding: SensorBinding(topic: "o", availability: [Availability(topic: topic)]))
            await intake.receive(topic, "{}", from: house.gateway)
            #expect(recorder.unbound.map(\.topic) == [topic])
            #expect(recorder.readings(of: deaf).isEmpty)
        }
    }

    @Test func `A lamp on the topic on which a siren says that it is there hides nothing of that`() async throws {
        try await run { house, intake, _ in
            // Whichever of the two is looked at first.
            for number in 0..<12 {
                let binding = ActuatorBinding(
                    commandTopic: "siren\(number)/set", availability: [Availability(topic: "lamp\(number)/set")])
                let siren = Actuator(
                    id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                    key: "siren\(number)", name: "Siren", kind: .siren, binding: binding)
                try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(siren, in: $0) }
                _ = try await house.actuator("lamp\(number)", .light)
                await intake.receive("lamp\(number)/set", "offline", from: house.gateway)
                #expect(house.parts.live.actuator(siren.id).status == .unavailable)
                // Whoever switches the lamp says so.
                house.parts.bus.say(house.gateway.prefix + "lamp\(number)/set", Array("online".utf8))
                await intake.receive("lamp\(number)/set", "online", from: house.gateway)
                #expect(house.parts.live.actuator(siren.id).status == .unavailable)
                await intake.receive("lamp\(number)/set", "online", from: house.gateway)
                #expect(house.parts.live.actuator(siren.id).status == .unavailable, "a copy of that")
            }
        }
    }

    @Test func `What the hub says itself is no sign of life of a gateway`() async throws {
        try await run { house, intake, _ in
            let (bridge, device) = try await house.gateway("Bridge", .bridge)
            let echo = SensorBinding(topic: "from-soglia/soglia/x/state")
            _ = try await house.sensor("echo", .text, of: device, binding: echo)
            _ = try await house.sensor("lamp", .text, binding: SensorBinding(topic: "lamp/set"))
            _ = try await house.actuator("lamp", .light)
            for (gateway, topic) in [(bridge, echo.topic), (house.gateway, "lamp/set")] {
                await intake.receive("availability", gateway.kind == .bridge ? "1" : "online", from: gateway)
                await intake.receive("availability", gateway.kind == .bridge ? "0" : "offline", from: gateway)
                #expect(!house.parts.live.gateway(gateway.id).isThere)
                house.parts.bus.say(gateway.prefix + topic, Array("ON".utf8))
                await intake.receive(topic, "ON", from: gateway)
                #expect(!house.parts.live.gateway(gateway.id).isThere)
                // One that says what it does where it is told: its own word is one.
                await intake.receive(gateway.kind == .bridge ? "other/state" : topic, "OFF", from: gateway)
                #expect(house.parts.live.gateway(gateway.id).isThere)
            }
        }
    }

    @Test func `A detector that is away is not back by what the hub says on its topic, and warns all the same`()
        async throws
    {
        try await run { house, intake, _ in
            let binding = SensorBinding(topic: "one/set", availability: [Availability(topic: "there")])
            let smoke = try await house.sensor("smoke", .smoke, binding: binding)
            _ = try await house.actuator("one", .light)
            await intake.receive("one/set", "OFF", from: house.gateway)
            await intake.receive("there", "offline", from: house.gateway)
            for word in ["OFF", "ON"] {
                house.parts.bus.say(house.gateway.prefix + "one/set", Array(word.utf8))
                await intake.receive("one/set", word, from: house.gateway)
                #expect((house.parts.live.sensor(smoke.id).status == .live) == (word == "ON"))
            }
        }
    }

    @Test func `An actuator that is new, back, or says otherwise how it is there, is as its topics say`() async throws {
        try await run { house, intake, _ in
            let there = [Availability(topic: "there")]
            func siren(_ key: String, _ availability: [Availability]) async throws -> Actuator {
                try await house.actuator(
                    key, .siren, binding: ActuatorBinding(commandTopic: key + "/set", availability: availability))
            }
            func status(_ one: Actuator) -> SensorStatus { house.parts.live.actuator(one.id).status }
            _ = try await house.sensor("smoke", .smoke, binding: SensorBinding(topic: "smoke", availability: there))
            let first = try await siren("first", there)
            await intake.receive("there", "offline", from: house.gateway)
            let second = try await siren("second", there)
            await intake.look()
            #expect(status(first) == .unavailable && status(second) == .unavailable)
            // Out of use and back.
            for isInUse in [false, true] {
                try await house.parts.devicesDesk.change(
                    first.id, at: house.site.id, name: nil, isInUse: isInUse, by: anna)
            }
            await intake.look()
            #expect(status(first) == .unavailable)
            // Something else there speaks, and it has no such topic any more.
            await intake.receive("other/state", "ON", from: house.gateway)
            #expect(status(first) == .unavailable)
            try await house.parts.registry.change(at: house.site.id) { database in
                var other = first
                other.binding.availability = []
                try HomeRecords.put(other, in: database)
            }
            await intake.look()
            #expect(status(first) == .waiting && status(second) == .unavailable)
            await intake.receive("availability", "offline", from: house.gateway)
            let third = try await siren("third", [])
            await intake.look()
            #expect(status(third) == .unavailable)
        }
    }

    @Test func `What the broker kept says nothing about whether the gateway is there`() async throws {
        try await run { house, intake, _ in
            _ = try await house.sensor("gas", .gas)
            await intake.receive("gas/state", "900", isRetained: true, from: house.gateway)
            #expect(house.parts.live.gateway(house.gateway.id) == .init())
        }
    }

    @Test func `A sensor that is silent for three of its periods is late, and its value is no zero`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas, period: 5)
            let door = try await house.sensor("door", .contact)
            await intake.receive("gas/state", "412", from: house.gateway)
            await intake.receive("door/state", "OFF", from: house.gateway)
            await intake.pass(seconds: 15, in: house)
            #expect(status(gas, in: house) == .live)
            await intake.pass(seconds: 1, in: house)
            #expect(status(gas, in: house) == .late)
            #expect(house.parts.live.sensor(gas.id).value == .number(412))
            await intake.pass(seconds: 600, in: house)
            #expect(status(door, in: house) == .live)
            await intake.receive("gas/state", "413", from: house.gateway)
            #expect(status(gas, in: house) == .live)
            #expect(recorder.statuses(of: gas) == [.late])
        }
    }

    @Test func `A sensor that never spoke since the hub began is late, too`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas, period: 5)
            await intake.look()
            await intake.pass(seconds: 16, in: house)
            #expect(recorder.statuses(of: gas) == [.late])
        }
    }

    @Test func `Nonsense is no sign of life`() async throws {
        try await run { house, intake, _ in
            let gas = try await house.sensor("gas", .gas, period: 5)
            await intake.receive("gas/state", "412", from: house.gateway)
            for _ in 0..<16 {
                await intake.receive("gas/state", "NaN", from: house.gateway)
                await intake.pass(seconds: 1, in: house)
            }
            #expect(status(gas, in: house) == .late)
        }
    }

    @Test func `A clock that is set makes nobody late`() async throws {
        try await run { house, intake, _ in
            let gas = try await house.sensor("gas", .gas, period: 5)
            await intake.receive("gas/state", "412", from: house.gateway)
            await intake.look()
            for jump in [3_600_000, -7_200_000] {
                house.time.change { $0 = $0.adding(milliseconds: Int64(jump)) }
                await intake.look()
                #expect(status(gas, in: house) == .live)
            }
            await intake.pass(seconds: 16, in: house)
            #expect(status(gas, in: house) == .late)
        }
    }

    @Test func `A value expires`() async throws {
        try await run { house, intake, _ in
            let gas = try await house.sensor(
                "gas", .gas, binding: SensorBinding(topic: "gas/state", expireAfter: 10))
            await intake.receive("gas/state", "412", from: house.gateway)
            await intake.pass(seconds: 10, in: house)
            #expect(status(gas, in: house) == .live)
            await intake.pass(seconds: 1, in: house)
            #expect(status(gas, in: house) == .unavailable)
            await intake.receive("gas/state", "413", from: house.gateway)
            #expect(status(gas, in: house) == .live)
        }
    }

    @Test func `A yes becomes a no by itself where nobody says no`() async throws {
        try await run { house, intake, recorder in
            let motion = try await house.sensor(
                "pir", .motion, binding: SensorBinding(topic: "pir/state", offDelay: 3))
            await intake.receive("pir/state", "ON", from: house.gateway)
            await intake.pass(seconds: 2, in: house)
            await intake.receive("pir/state", "ON", from: house.gateway)
            await intake.pass(seconds: 2, in: house)
            #expect(recorder.readings(of: motion).map(\.value) == [.truth(true), .truth(true)])
            await intake.pass(seconds: 5, in: house)
            #expect(recorder.readings(of: motion).map(\.value) == [.truth(true), .truth(true), .truth(false)])
        }
    }

    @Test func `A sensor that warms up is shown, not believed, and not for ever`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas, period: 60)
            await intake.receive("gas/state", #"{"value":900,"warming":true}"#, from: house.gateway)
            #expect(house.parts.live.sensor(gas.id) == SensorState(value: .number(900), at: noon, status: .warming))
            #expect(recorder.readings(of: gas).isEmpty)
            #expect(recorder.statuses(of: gas) == [.warming])
            for _ in 0..<15 {
                await intake.pass(seconds: 60, in: house)
                await intake.receive("gas/state", #"{"value":901,"warming":true}"#, from: house.gateway)
            }
            #expect(recorder.readings(of: gas).map(\.value) == [.number(901)])
            #expect(status(gas, in: house) == .live)
        }
    }

    @Test func `A program reads what a house has, with why something was refused, in its language`() async throws {
        try await run { house, intake, _ in
            let gas = try await house.sensor("gas", .gas, unit: "ppm")
            _ = try await house.sensor("door", .contact)
            await intake.receive("gas/state", "412", from: house.gateway)
            await intake.receive("gas/state", "NaN", from: house.gateway)
            struct Answer: Decodable {
                struct Refused: Decodable { let count: Int, code: String, text: String }
                struct Sensor: Decodable {
                    let id: String, name: String, unit: String, status: String, kind: String
                    let value: Double?, at: String?, refused: Refused?
                }
                struct Device: Decodable { let id: String, name: String, sensors: [Sensor] }
                let items: [Device]
            }
            var json = JSONWriter()
            DeviceRoutes(
                access: house.parts.access, registry: house.parts.registry, live: house.parts.live, intake: intake
            ).devices(at: house.site.id, .it).write(to: &json)
            let device = try #require(try JSONReader.decode(Answer.self, from: json.bytes).items.first)
            #expect(device.id == house.device.id.text)
            #expect(device.sensors.map(\.name) == ["Gas", "Door"])
            #expect(device.sensors[0].id == gas.id.text)
            #expect(device.sensors[0].value == 412)
            #expect(device.sensors[0].at == "2026-11-21T12:00:00.000Z")
            #expect(device.sensors[0].refused?.code == "notFinite")
            #expect(device.sensors[0].refused?.text == PayloadRefusal.notFinite.text(.it))
            #expect(device.sensors[1].value == nil)
            #expect(device.sensors[1].status == "waiting")
        }
    }

    // MARK: availability

    private func availability(_ mode: Availability.Mode) -> SensorBinding {
        SensorBinding(
            topic: "0x01",
            availability: [
                Availability(topic: "bridge", path: ["state"]), Availability(topic: "0x01/availability"),
            ], availabilityMode: mode)
    }

    @Test(arguments: [
        (Availability.Mode.all, [SensorStatus.live, .unavailable, .unavailable, .live]),
        (.any, [.live, .live, .unavailable, .live]), (.latest, [.live, .unavailable, .unavailable, .live]),
    ])
    func `Availability is read as its mode says`(mode: Availability.Mode, expected: [SensorStatus]) async throws {
        try await run { house, intake, _ in
            let gas = try await house.sensor("gas", .gas, binding: availability(mode))
            await intake.receive("0x01", "7", from: house.gateway)
            await intake.receive("bridge", #"{"state":"online"}"#, from: house.gateway)
            var seen = [status(gas, in: house)]
            let said: [(String, String)] = [
                ("0x01/availability", "offline"), ("bridge", #"{"state":"offline"}"#), ("0x01/availability", "online"),
            ]
            for (topic, text) in said {
                await intake.receive(topic, text, from: house.gateway)
                if topic.hasSuffix("availability"), text == "online" {
                    await intake.receive("bridge", #"{"state":"online"}"#, from: house.gateway)
                }
                seen.append(status(gas, in: house))
            }
            #expect(seen == expected)
        }
    }

    @Test func `Who speaks is there, whatever was said of it`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas, binding: availability(.all))
            await intake.receive("0x01/availability", "offline", isRetained: true, from: house.gateway)
            await intake.receive("0x01", "7", isRetained: true, from: house.gateway)
            #expect(house.parts.live.sensor(gas.id).value == .number(7))
            #expect(status(gas, in: house) == .unavailable)
            #expect(recorder.readings(of: gas).isEmpty)
            await intake.receive("0x01", "900", from: house.gateway)
            #expect(status(gas, in: house) == .live)
            #expect(recorder.readings(of: gas).map(\.value) == [.number(900)])
        }
    }

    @Test func `A gateway that leaves takes its sensors along, and brings them back`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas)
            await intake.receive("availability", "online", from: house.gateway)
            await intake.receive("gas/state", "7", from: house.gateway)
            await intake.receive("availability", "offline", from: house.gateway)
            #expect(house.parts.live.gateway(house.gateway.id).isThere == false)
            #expect(status(gas, in: house) == .unavailable)
            await intake.receive("availability", "online", from: house.gateway)
            #expect(recorder.statuses(of: gas) == [.unavailable, .live])
        }
    }

    @Test func `What says only of its sensors whether they are there is there as long as one of them is`() async throws
    {
        try await run { house, intake, _ in
            func there() -> Bool { house.parts.live.gateway(house.gateway.id).isThere }
            _ = try await house.sensor("gas", .gas, binding: availability(.all))
            let other = SensorBinding(topic: "0x02", availability: [Availability(topic: "0x02/availability")])
            _ = try await house.sensor("smoke", .smoke, binding: other)
            await intake.receive("bridge", #"{"state":"online"}"#, isRetained: true, from: house.gateway)
            #expect(there())
            await intake.receive("bridge", #"{"state":"offline"}"#, from: house.gateway)
            #expect(there(), "nobody said that of the other")
            await intake.receive("0x02/availability", "offline", from: house.gateway)
            #expect(!there())
            await intake.receive("bridge", #"{"state":"online"}"#, from: house.gateway)
            #expect(there())
        }
    }

    @Test func `A box is there while its hello is kept, and gone after 45 seconds of silence`() async throws {
        try await run { house, intake, recorder in
            let (box, device) = try await house.gateway("Box", .box)
            let gas = try await house.sensor("gas", .gas, of: device)
            await intake.receive("hello", "a frame", from: box)
            await intake.receive("gas/state", "7", from: box)
            // The box link has had it, and knows it for no frame of that box.
            #expect(house.parts.safety.boxes.dropped(of: box.id) == 1)
            await intake.pass(seconds: 45, in: house)
            #expect(house.parts.live.gateway(box.id).isThere)
            await intake.pass(seconds: 1, in: house)
            #expect(house.parts.live.gateway(box.id).isThere == false)
            #expect(status(gas, in: house) == .unavailable)
            await intake.receive("gas/state", "7", from: box)
            #expect(status(gas, in: house) == .live)
            await intake.receive("hello", "", from: box)
            #expect(status(gas, in: house) == .unavailable)
        }
    }

    @Test func `An actuator says what it does`() async throws {
        try await run { house, intake, _ in
            let fan = Actuator(
                id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                key: "fan", name: "Fan", kind: .fan,
                binding: ActuatorBinding(commandTopic: "fan/set", state: SensorBinding(topic: "fan/state")))
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(fan, in: $0) }
            await intake.receive("fan/state", "62", from: house.gateway)
            #expect(house.parts.live.actuator(fan.id).value == .number(62))
            await intake.receive("fan/state", "OFF", from: house.gateway)
            #expect(house.parts.live.actuator(fan.id).value == .truth(false))
            await intake.receive("availability", "offline", from: house.gateway)
            #expect(house.parts.live.actuator(fan.id).status == .unavailable)
        }
    }

    @Test func `What is bound to nothing goes to whoever reads the like, and nobody's words to nobody`() async throws {
        try await run { house, intake, recorder in
            let config = "homeassistant/sensor/kitchen/gas/config"
            await intake.receive(config, "{}", isRetained: true, from: house.gateway)
            await intake.receive("homeassistant/status", "online", from: house.gateway)
            await intake.receive([BusMessage(topic: "soglia/x/y/state", payload: [], isRetained: false)])
            // Our own word comes back, and so does a Home Assistant's behind a bridge.
            #expect(recorder.unbound.map(\.topic) == [config, "homeassistant/status"])
            #expect(recorder.unbound.map(\.isRetained) == [true, false])
            #expect(house.parts.live.gateway(house.gateway.id).heard == nil)
        }
    }

    // MARK: hostile gateways

    @Test func `A storm puts one gateway aside and no other, is told once, and ends by itself`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas)
            let (calm, device) = try await house.gateway("Calm")
            let air = try await house.sensor("air", .temperature, of: device)
            let message = BusMessage(topic: house.gateway.prefix + "gas/state", payload: [0x37], isRetained: false)
            for _ in 0..<6 { await intake.receive(Array(repeating: message, count: 1_000)) }
            // More than ten seconds' worth of the 210 a second that it may send.
            #expect(recorder.readings(of: gas).count == 5_000)
            #expect(status(gas, in: house) == .isolated)
            await intake.receive("air/state", "21", from: calm)
            #expect(recorder.readings(of: air).map(\.value) == [.number(21)])
            #expect(house.parts.alarms.standing(at: house.site.id).map(\.kind) == [.fault])
            // It goes on for a while, then it is quiet.
            for _ in 0..<30 {
                await intake.receive(Array(repeating: message, count: 300))
                await intake.pass(seconds: 1, in: house)
            }
            #expect(recorder.readings(of: gas).count == 5_000)
            await intake.pass(seconds: 59, in: house)
            #expect(status(gas, in: house) == .isolated)
            await intake.pass(seconds: 1, in: house)
            #expect(status(gas, in: house) == .live)
            #expect(house.parts.alarms.standing(at: house.site.id).isEmpty)
            await intake.receive("gas/state", "8", from: house.gateway)
            #expect(recorder.readings(of: gas).count == 5_001)
            #expect(recorder.statuses(of: air).isEmpty)
            let kinds = { try house.parts.given.ledger.events(of: house.site.id, after: 0, limit: 100).map(\.kind) }
            #expect(try await eventually { try kinds().contains("home.gateway.released") })
            #expect(try kinds().filter { $0 == "home.gateway.isolated" }.count == 1)
        }
    }

    @Test func `Whatever is sent in a storm counts, known or not`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas)
            for topic in ["nobody/knows", "homeassistant/status"] {
                let message = BusMessage(topic: house.gateway.prefix + topic, payload: [], isRetained: false)
                await intake.receive(Array(repeating: message, count: 6_000))
                #expect(status(gas, in: house) == .isolated)
                #expect(await intake.release(house.gateway.id))
                #expect(status(gas, in: house) == .waiting)
            }
            #expect(await intake.release(house.gateway.id) == false)
        }
    }

    @Test func `What the broker kept is no storm`() async throws {
        try await run { house, intake, recorder in
            let gas = try await house.sensor("gas", .gas)
            let message = BusMessage(topic: house.gateway.prefix + "gas/state", payload: [0x37], isRetained: true)
            await intake.receive(Array(repeating: message, count: 6_000))
            #expect(status(gas, in: house) == .live)
        }
    }

    @Test func `The frames of a box are heard in a storm, a few of them`() async throws {
        try await run { house, intake, recorder in
            let (box, _) = try await house.gateway("Box", .box)
            let noise = BusMessage(topic: box.prefix + "noise/state", payload: [0x37], isRetained: false)
            await intake.receive(Array(repeating: noise, count: 6_000))
            for _ in 0..<30 { await intake.receive("up", "a record", from: box) }
            #expect(house.parts.safety.boxes.dropped(of: box.id) == 20)
        }
    }

    @Test func `A box that says hello every few seconds does not come and go`() async throws {
        try await run { house, intake, _ in
            let (box, _) = try await house.gateway("Box", .box)
            let (nonce, key) = (Nonce([UInt8](repeating: 3, count: 16))!, Key([UInt8](repeating: 9, count: 32))!)
            for second in 0..<30 {
                let hello = try BoxHello(
                    session: [UInt8](repeating: UInt8(second), count: 8), uptime: UInt64(second) * 4_000, bootCount: 1,
                    journalID: box.id.raw, lastSequence: 0, settingsVersion: 0, clock: .trusted, timeNonce: nonce,
                    panel: PanelStanding(Panel(), at: 0), boxKey: key)
                await intake.receive([
                    BusMessage(
                        topic: box.prefix + "hello", payload: BoxFrame.hello(hello).encoded(), isRetained: false)
                ])
                await intake.pass(seconds: 4, in: house)
            }
            #expect(house.parts.live.gateway(box.id).isThere)
            #expect(house.parts.alarms.standing(at: house.site.id).isEmpty)
        }
    }

    @Test func `Two clients with one credential are told of, bad weather is not`() async throws {
        try await run { house, intake, _ in
            for _ in 0..<6 {
                await intake.receive("availability", "offline", from: house.gateway)
                await intake.receive("availability", "online", from: house.gateway)
                await intake.pass(seconds: 11, in: house)
            }
            #expect(house.parts.alarms.standing(at: house.site.id).isEmpty)
            for _ in 0..<7 {
                await intake.receive("availability", "offline", from: house.gateway)
                await intake.receive("availability", "online", from: house.gateway)
                await intake.pass(seconds: 2, in: house)
            }
            #expect(house.parts.alarms.standing(at: house.site.id).count == 1)
            await intake.pass(seconds: 600, in: house)
            #expect(house.parts.alarms.standing(at: house.site.id).isEmpty)
        }
    }
}

/// A grey square of 8 × 8 pixels.
private let pngOfOneGrey: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x08, 0x00, 0x00, 0x00, 0x08, 0x08, 0x00, 0x00, 0x00, 0x00, 0xe1, 0x64, 0xe1, 0x57, 0x00, 0x00, 0x00, 0x0e, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x68, 0x80, 0x02, 0x06, 0xca, 0x18, 0x00, 0x80, 0x84, 0x20, 0x01, 0x0d, 0x80,
    0x24, 0x61, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
]
