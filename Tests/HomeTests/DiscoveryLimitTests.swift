import Ledger
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// How much a connection may describe: ever, and at once.
struct DiscoveryLimitTests {
    private func plug(_ name: String, _ count: Int) -> String {
        let parts = (0..<count).map {
            "\"\(name)\($0)\":{\"p\":\"sensor\",\"unit_of_meas\":\"V\",\"stat_t\":\"\(name)/\($0)\"}"
        }
        return "{\"dev\":{\"ids\":\"\(name)\",\"name\":\"\(name)\"},\"cmps\":{\(parts.joined(separator: ","))}}"
    }

    private func topic(_ name: String) -> String { "homeassistant/device/\(name)/config" }

    @Test func `A connection that has changed too much waits, another one's detector does not`() async throws {
        try await TestHouse.run { house in
            let (speaker, other) = (try Speaker(house, news: 6), try await house.gateway("Other").0)
            try await speaker.say(topic("a"), plug("a", 4))
            try await speaker.say(topic("a"), "")
            try await speaker.say(topic("b"), plug("b", 1))
            #expect(speaker.found.isEmpty)
            try await speaker.say(topic("c"), plug("c", 1), from: other)
            #expect(speaker.found.map(\.name) == ["c"])
            #expect(speaker.faults().count == 1, "people are told")
            speaker.pass(DiscoveryQueue.calm)
            speaker.discoverer.look()
            try await speaker.settle()
            #expect(speaker.found.map(\.name).sorted() == ["b", "c"])
        }
    }

    /// Keeps sensors out of use that a connection described.
    private func fill(_ count: Int, _ gateway: Gateway, _ house: TestHouse) async throws {
        try await house.parts.registry.change(at: house.site.id) { database in
            let device = Device(
                id: .new(at: noon), site: gateway.site, gateway: gateway.id, key: "full", name: "Full",
                origin: .discovered, retired: noon)
            try HomeRecords.put(device, in: database)
            for number in 1..<count {
                try HomeRecords.add(
                    Sensor(
                        id: .new(at: noon), number: 0, device: device.id, site: device.site, key: "f\(number)",
                        name: "F", kind: .text, unit: "", range: nil, period: nil, alarmClass: nil,
                        binding: SensorBinding(topic: "f"), retired: noon), in: database)
            }
        }
    }

    @Test func `What a connection described is never forgotten, and has an end; what it knows goes on`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(topic("a"), plug("a", 2))
            let first = try #require(speaker.catalog.sensors(of: speaker.found[0].id).first)
            try await fill(DiscoveryLimit.known - 4, house.gateway, house)
            try await speaker.say(topic("b"), plug("b", 1))
            #expect(speaker.found.map(\.name) == ["a"])
            #expect(house.parts.refused[house.gateway.id].map(\.why) == [DiscoveryRefusal(.tooManyKnown)])
            // One sensor more of a device that is there fits; then nothing new does, and what is known comes and goes.
            try await speaker.say(topic("a"), plug("a", 3))
            #expect(speaker.catalog.sensors(of: speaker.found[0].id).count == 3)
            try await speaker.say(topic("a"), "")
            #expect(speaker.found.isEmpty)
            try await speaker.say(topic("a"), plug("a", 2))
            #expect(speaker.catalog.sensors[first.id] == first, "the same one, with all that was chosen for it")
            let other = try await house.gateway("Other").0
            try await speaker.say(topic("c"), plug("c", 1), from: other)
            #expect(speaker.found.map(\.name).sorted() == ["a", "c"])
        }
    }

    @Test func `A house has an end of its own, of the connections that are in use`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let (one, two) = (try await house.gateway("One").0, try await house.gateway("Two").0)
            for gateway in [one, two] { try await fill(DiscoveryLimit.known, gateway, house) }
            try await speaker.say(topic("a"), plug("a", 1))
            #expect(speaker.found.isEmpty)
            speaker.pass(DiscoveryQueue.calm)
            speaker.discoverer.look()
            try await speaker.say(topic("a"), plug("a", 1))
            #expect(speaker.found.isEmpty)
            // Another connection comes in the place of one, so that there are as many as before.
            _ = try await house.gateway("Three")
            try await house.parts.registry.change(at: house.site.id) { database in
                var two = two
                two.retired = noon
                try HomeRecords.put(two, in: database)
            }
            // What was refused is read again, word for word.
            try await speaker.say(topic("a"), plug("a", 1))
            #expect(speaker.found.isEmpty)
            speaker.pass(DiscoveryQueue.calm)
            speaker.discoverer.look()
            try await speaker.say(topic("a"), plug("a", 1))
            #expect(speaker.found.map(\.name) == ["a"])
        }
    }

    @Test func `A device that is back brings all of it, and in a house without room for that it stays out`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(topic("a"), plug("a", 4))
            try await house.parts.registry.change(at: house.site.id) { [device = speaker.found[0]] database in
                var device = device
                device.retired = noon
                try HomeRecords.put(device, in: database)
                for number in 1..<DiscoveryLimit.parts - 1 {
                    try HomeRecords.add(
                        Sensor(
                            id: .new(at: noon), number: 0, device: house.device.id, site: house.site.id,
                            key: "s\(number)", name: "S", kind: .text, unit: "", range: nil, period: nil,
                            alarmClass: nil, binding: SensorBinding(topic: "s")), in: database)
                }
            }
            // Two fit, and it would bring five.
            try await speaker.say(topic("a"), plug("a", 5))
            #expect(speaker.found.isEmpty)
            #expect(house.parts.refused[house.gateway.id].map(\.why) == [DiscoveryRefusal(.tooManyParts)])
        }
    }

    @Test func `In a full house a device moves its detector, whatever of it somebody took out of use`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(topic("a"), plug("a", 2))
            let out = try #require(speaker.catalog.sensors(of: speaker.found[0].id).last)
            try await house.parts.registry.change(at: house.site.id) { database in
                var out = out
                out.retired = noon
                try HomeRecords.change(out, in: database)
                for number in 1..<DiscoveryLimit.parts {
                    try HomeRecords.add(
                        Sensor(
                            id: .new(at: noon), number: 0, device: house.device.id, site: house.site.id,
                            key: "s\(number)", name: "S", kind: .text, unit: "", range: nil, period: nil,
                            alarmClass: nil, binding: SensorBinding(topic: "s")), in: database)
                }
            }
            try await speaker.say(topic("a"), plug("a", 2).replacing("a/0", with: "elsewhere"))
            let sensors = speaker.catalog.sensors(of: speaker.found[0].id)
            #expect(sensors.map(\.binding.topic) == ["elsewhere"])
        }
    }

    @Test func `What is withheld from an armed house is not read again and again, though it was refused before`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func smoke(_ device: String) -> String {
                #"{"dev":{"ids":"\#(device)","name":"\#(device)"},"uniq_id":"s","name":"Smoke","dev_cla":"smoke","stat_t":"s"}"#
            }
            let topic = "homeassistant/binary_sensor/s/config"
            try await speaker.say(topic, smoke("one"))
            try await house.parts.registry.change(at: house.site.id) { database in
                try house.addDevices(upTo: DiscoveryLimit.devices - 1, in: database)
            }
            try await speaker.say(topic, smoke("two"))
            #expect(house.parts.refused[house.gateway.id].map(\.why) == [DiscoveryRefusal(.tooManyDevices)])
            house.rest(try #require(speaker.catalog.sensors.values.first))
            try house.panels.arm(.away, at: house.site.id, by: .hub)
            try await house.parts.registry.change(at: house.site.id) { [device = house.device] database in
                var device = device
                device.retired = noon
                try HomeRecords.put(device, in: database)
            }
            speaker.pass(DiscoveryQueue.calm)
            speaker.discoverer.look()
            let reads = Shared(0)
            house.parts.registry.follow { _ in reads.change { $0 += 1 } }
            for _ in 0..<3 { try await speaker.say(topic, smoke("two")) }
            #expect(reads.value == 1)
            #expect(speaker.found.map(\.name) == ["one"])
        }
    }
}
