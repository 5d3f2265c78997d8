import Accounts
import HTTPServer
import Ledger
import Safeguard
import System
import Testing

@testable import Home
@testable import Household

struct HouseDevicesTests {
    @Test(arguments: [
        "", "/gas", "gas/", "a//b", "a/#", "a/+/b", "$SYS/x", " a", "a ", "a/ /b", "a\n", "a\u{200b}/\u{200b}",
        "a\u{202e}b", "homeassistant/x/config", "hello", "up",
        String(repeating: "a", count: 121), "a/b/c/d/e/f/g/h/i",
    ])
    func `A topic that reaches elsewhere, or is none, is refused`(topic: String) {
        #expect(throws: DeviceFault.topic) { try DeviceRules.topic(topic) }
    }

    @Test(arguments: [
        "shellyplus1-a8032ab12345/status/switch:0", "zigbee2mqtt/Sensore porta", "zigbee2mqtt/Cucina/Fumo è qui",
        "stat/x/RESULT",
    ])
    func `A topic as makers and people name theirs is taken`(topic: String) throws {
        #expect(try DeviceRules.topic(topic) == topic)
    }

    @Test func `Ranges and periods are finite, in order and within what makes sense`() throws {
        #expect(try DeviceRules.range("0", "1023") == 0...1023)
        #expect(try DeviceRules.range("", "") == nil)
        for (low, high) in [("1", "1"), ("2", "1"), ("", "1"), ("nan", "1"), ("0", "inf"), ("0", "1e9")] {
            #expect(throws: DeviceFault.range) { try DeviceRules.range(low, high) }
        }
        #expect(try DeviceRules.period("0,5") == 0.5)
        for text in ["0", "-1", "86401", "soon"] {
            #expect(throws: DeviceFault.period) { try DeviceRules.period(text) }
        }
    }

    @Test func `A sensor added by hand is heard where somebody said, once`() async throws {
        try await TestHouse.run { house in
            let installer = try await house.principal("Ines", .installer)
            let desk = house.parts.devicesDesk
            var entry = SensorEntry(
                name: "Cellar", unit: "%", low: "0", high: "100", period: "30", kind: "humidity",
                gateway: house.gateway.id.text, topic: "cellar/air", member: "air.humidity")
            let sensor = try await desk.add(sensor: entry, at: house.site.id, by: installer.person.id)
            #expect(sensor.binding == SensorBinding(topic: "cellar/air", path: ["air", "humidity"]))
            #expect(sensor.range == 0...100 && sensor.period == 30 && sensor.kind == .humidity)
            #expect(house.parts.registry.catalog.sensors[sensor.id] == sensor)
            await #expect(throws: DeviceFault.duplicate) {
                try await desk.add(sensor: entry, at: house.site.id, by: installer.person.id)
            }
            entry.gateway = GatewayID.new(at: noon).text
            await #expect(throws: DeviceFault.gateway) {
                try await desk.add(sensor: entry, at: house.site.id, by: installer.person.id)
            }
        }
    }

    @Test func `What was added by hand and is out of use blocks no topic, and is the same when it is added again`()
        async throws
    {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            let owner = try await house.principal("Ada", .owner)
            let ada = owner.person.id
            var catalog: Catalog { house.parts.registry.catalog }
            var entry = SensorEntry(
                name: "Cellar", kind: "humidity", gateway: house.gateway.id.text, topic: "cellar/air")
            let first = try await desk.add(sensor: entry, at: site, by: ada)
            try await desk.change(first.id, at: site, isInUse: false, by: ada)
            entry.name = "Cellar again"
            let again = try await desk.add(sensor: entry, at: site, by: ada)
            #expect(again.id == first.id && again.name == "Cellar again" && again.retired == nil)
            // Of another kind it is another one: what it told before was something else.
            try await desk.change(first.id, at: site, isInUse: false, by: ada)
            entry.kind = "temperature"
            let other = try await desk.add(sensor: entry, at: site, by: ada)
            #expect(other.id != first.id && catalog.sensors[other.id] != nil && catalog.sensors[first.id] == nil)
            // Two topics that would be called the same are two.
            entry.topic = "cellar-air"
            let third = try await desk.add(sensor: entry, at: site, by: ada)
            #expect(Set([first.key, other.key, third.key]).count == 3)

            var lamp = ActuatorEntry(name: "Lamp", kind: "light", gateway: house.gateway.id.text, topic: "k/b")
            let one = try await desk.add(actuator: lamp, at: site, by: owner)
            try await desk.change(one.id, at: site, name: nil, isInUse: false, by: ada)
            #expect(try await desk.add(actuator: lamp, at: site, by: owner).id == one.id)
            lamp.topic = "k-b"
            #expect(try await desk.add(actuator: lamp, at: site, by: owner).id != one.id)
            await #expect(throws: DeviceFault.duplicate) { try await desk.add(actuator: lamp, at: site, by: owner) }
        }
    }

    @Test func `At most 256 things are added by hand to a gateway, in use or not`() async throws {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            let owner = try await house.principal("Ada", .owner)
            let ada = owner.person.id
            func add(_ number: Int) async throws -> Actuator {
                try await desk.add(
                    actuator: ActuatorEntry(
                        name: "Lamp", kind: "light", gateway: house.gateway.id.text, topic: "lamp/\(number)"), at: site,
                    by: owner)
            }
            let first = try await add(0)
            for number in 1..<DevicesDesk.most { _ = try await add(number) }
            await #expect(throws: DeviceFault.tooMany) { try await add(DevicesDesk.most) }
            try await desk.change(first.id, at: site, name: nil, isInUse: false, by: ada)
            #expect(try await add(0).id == first.id)
        }
    }

    @Test func `A new password for what a device hangs on takes a fresh proof, though the device is out of use`()
        async throws
    {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.gatewayDesk, house.site.id)
            let stale = try await house.principal("Ines", .installer)
            house.pass(3600)
            let fresh = try await house.principal("Ada", .owner)
            let spare = Gateway(
                id: .new(at: noon), site: site, kind: .device, name: "Spare", key: house.gateway.key)
            try await house.parts.registry.change(at: site) { try HomeRecords.put(spare, in: $0) }
            for isInUse in [true, false] {
                try await house.parts.devicesDesk.change(
                    house.device.id, at: site, name: nil, area: nil, isInUse: isInUse, by: stale.person.id)
                let refusal = await #expect(throws: Problem.self) {
                    try await desk.renew(house.gateway.id, at: site, by: stale)
                }
                #expect(refusal?.type == Problem.freshProofNeeded.type)
            }
            // This hub has no broker: whoever gets as far as that was not refused.
            await #expect(throws: GatewayRefusal.noBroker) {
                try await desk.renew(house.gateway.id, at: site, by: fresh)
            }
            await #expect(throws: GatewayRefusal.noBroker) { try await desk.renew(spare.id, at: site, by: stale) }
        }
    }

    @Test func `What is taken out of use is not heard, and comes back as it was`() async throws {
        try await TestHouse.run { house in
            let installer = try await house.principal("Ines", .installer)
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1023, period: 5)
            let desk = house.parts.devicesDesk
            let site = house.site.id
            try await desk.change(
                house.device.id, at: site, name: nil, area: nil, isInUse: false, by: installer.person.id)
            #expect(house.parts.registry.catalog.sensors[gas.id] == nil)
            try await desk.change(
                house.device.id, at: site, name: "Kitchen wall", area: "Kitchen", isInUse: true,
                by: installer.person.id)
            #expect(house.parts.registry.catalog.sensors[gas.id] == gas)
            #expect(house.parts.registry.catalog.devices[house.device.id]?.area == "Kitchen")
        }
    }

    @Test func `A house is in the state of the worst that is in it`() async throws {
        try await TestHouse.run { house in
            let parts = house.parts
            func condition() -> HouseCondition { parts.sight.summary(of: house.site.id).condition }
            let gas = try await house.sensor("gas", .gas)
            #expect(condition() == .noConnection)
            parts.live.set(house.gateway.id, .init(isThere: true, heard: noon))
            parts.live.set(gas.id, SensorState(value: .number(3), at: noon, status: .warming))
            #expect(condition() == .warming)
            parts.live.set(gas.id, SensorState(value: .number(3), at: noon, status: .live))
            #expect(condition() == .fine)
            let door = try await house.sensor("door", .contact)
            try house.panels.arm(.away, at: house.site.id, by: .hub, bypassing: [door.id])
            #expect(condition() == .bypassed)
            house.panels.disarm(house.site.id, by: .hub)
            #expect(condition() == .fine)
            parts.live.set(gas.id, SensorState(value: .number(3), at: noon, status: .late))
            #expect(condition() == .faulty)
            for sensor in [gas, door] {
                try await parts.devicesDesk.change(sensor.id, at: house.site.id, isInUse: false, by: .new(at: noon))
            }
            #expect(condition() == .unwatched, "nothing looks, and so not all is well")
            #expect(parts.sight.summary(of: .new(at: noon)).condition == .empty)
        }
    }

    @Test func `Only the house in which something is other is told of`() async throws {
        try await TestHouse.run { house in
            let before = house.parts.registry.catalog
            #expect(before.sites(otherThan: before).isEmpty)
            _ = try await house.sensor("gas", .gas)
            #expect(house.parts.registry.catalog.sites(otherThan: before) == [house.site.id])
        }
    }
}
