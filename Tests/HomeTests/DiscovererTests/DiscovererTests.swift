import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

struct DiscovererTests {
    @Test func `A device that says what it is appears by itself, once`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            let device = try #require(speaker.found.first)
            #expect((device.name, device.area, device.key) == ("Kitchen box", "Kitchen", "mq"))
            let sensor = try #require(speaker.catalog.sensors(of: device.id).first)
            #expect((sensor.kind, sensor.name, sensor.binding.topic) == (.gas, "Gas", "mq/state"))
            try await speaker.say(
                "homeassistant/fan/mq/fan/config", #"{"dev":{"ids":"mq"},"uniq_id":"f","cmd_t":"mq/fan/set"}"#)
            #expect(speaker.found.count == 1)
            #expect(speaker.catalog.actuators(of: device.id).map(\.kind) == [.fan])
            #expect(try speaker.events() == ["home.device.found", "home.device.changed"])
        }
    }

    @Test func `What was said before writes nothing, also after the hub was away`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            let commits = house.parts.store.commits
            try await speaker.say(gasTopic, gasDescription())
            try await Speaker(house).say(gasTopic, gasDescription())
            // The same, written otherwise.
            try await Speaker(house).say(gasTopic, " " + gasDescription())
            #expect(house.parts.store.commits == commits)
        }
    }

    @Test func `A sensor that moves keeps its id, and the ledger says that it moved`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            let before = try #require(speaker.catalog.sensors.values.first)
            try await speaker.say(gasTopic, gasDescription("other/state", unit: "ppm"))
            let after = try #require(speaker.catalog.sensors.values.first)
            #expect((after.id, after.number) == (before.id, before.number))
            #expect((after.binding.topic, after.unit) == ("other/state", "ppm"))
            let event = try #require(try house.parts.given.ledger.events(of: house.site.id, after: 0, limit: 100).last)
            #expect(event.kind == "home.device.changed")
            #expect(String(decoding: event.payload ?? [], as: UTF8.self).contains(#""what":"topic""#))
            // Another device takes it over: the sensor goes with it.
            try await speaker.say(gasTopic, gasDescription("other/state", unit: "ppm", device: "mq2"))
            let moved = try #require(speaker.catalog.sensors.values.first)
            #expect(moved.id == before.id)
            #expect(speaker.found.map(\.key) == ["mq2"])
        }
    }

    @Test func `An empty message takes a device out of use, and it comes back as the one that it was`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            let (device, sensor) = (
                try #require(speaker.found.first), try #require(speaker.catalog.sensors.values.first)
            )
            try await speaker.say(gasTopic, "")
            #expect(speaker.found.isEmpty && speaker.catalog.sensors.isEmpty)
            try await speaker.say(gasTopic, gasDescription())
            #expect(speaker.found.map(\.id) == [device.id])
            #expect(speaker.catalog.sensors.values.map(\.id) == [sensor.id])
            #expect(try speaker.events() == ["home.device.found", "home.device.removed", "home.device.found"])
        }
    }

    @Test func `A device that calls itself as what was added by hand is none of that`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(
                "homeassistant/switch/w/s/config",
                #"{"dev":{"ids":"by-hand"},"uniq_id":"s","name":"Detection","cmd_t":"w/set"}"#)
            let device = try #require(speaker.found.first)
            #expect(device.key != Device.keyByHand && !device.isByHand)
            let told = Device(
                id: .new(at: noon), site: house.site.id, gateway: house.gateway.id, key: Device.keyByHand,
                name: "Of before", origin: .discovered)
            #expect(!told.isByHand)
        }
    }

    @Test func `A device that leaves a component out of its message loses it`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func box(_ more: String) -> String {
                #"{"dev":{"ids":"b"},"o":{"name":"x"},"cmps":{"gas":{"p":"sensor","stat_t":"g","uniq_id":"gas"}\#(more)}}"#
            }
            try await speaker.say(
                "homeassistant/device/b/config", box(#","fan":{"p":"fan","cmd_t":"f","uniq_id":"fan"}"#))
            #expect(speaker.catalog.actuators.count == 1)
            try await speaker.say("homeassistant/device/b/config", box(""))
            #expect(speaker.catalog.actuators.isEmpty)
            #expect(speaker.catalog.sensors.count == 1)
        }
    }

    @Test func `Names that people gave stay, names that nobody touched follow`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            try await speaker.say(gasTopic, gasDescription(name: "Gas level"))
            #expect(speaker.catalog.sensors.values.map(\.name) == ["Gas level"])
            try await house.parts.registry.change(at: house.site.id) { [catalog = speaker.catalog] database in
                var (sensor, device) = (catalog.sensors.values.first!, catalog.devices.values.first { $0.key == "mq" }!)
                (sensor.name, sensor.alarmClass, device.name) = ("Stove", .tamper, "Cucina")
                try HomeRecords.change(sensor, in: database)
                try HomeRecords.put(device, in: database)
            }
            try await speaker.say(gasTopic, gasDescription("x/state", name: "Gas raw"))
            let sensor = try #require(speaker.catalog.sensors.values.first)
            #expect((sensor.name, sensor.alarmClass, sensor.binding.topic) == ("Stove", .tamper, "x/state"))
            #expect(speaker.found.map(\.name) == ["Cucina"])
        }
    }

    @Test func `What somebody took out of use stays so while its message only repeats or changes`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            try await house.parts.registry.change(at: house.site.id) { [device = speaker.found[0]] database in
                var device = device
                device.retired = noon
                try HomeRecords.put(device, in: database)
            }
            try await Speaker(house).say(gasTopic, gasDescription())
            try await speaker.say(gasTopic, gasDescription("elsewhere"))
            #expect(speaker.found.isEmpty)
            try await speaker.say(gasTopic, "")
            try await speaker.say(gasTopic, gasDescription())
            #expect(speaker.found.count == 1)
        }
    }

    @Test func `A message handed over to another leaves everything in place`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            let id = try #require(speaker.catalog.sensors.keys.first)
            try await speaker.say(gasTopic, #"{"migrate_discovery":true}"#)
            #expect(speaker.catalog.sensors.keys.first == id)
            try await speaker.say(
                "homeassistant/device/mq/config",
                #"{"dev":{"ids":"mq"},"o":{"name":"x"},"cmps":{"g":{"p":"sensor","uniq_id":"mq_gas","stat_t":"new"}}}"#)
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["new"])
            #expect(speaker.catalog.sensors.keys.first == id)
            #expect(speaker.faults().isEmpty)
        }
    }

    @Test func `What we wrote ourselves is left out of a bridge, and taken from a box`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let ours =
                #"{"dev":{"ids":"b"},"o":{"name":"soglia"},"cmps":{"gas":{"p":"sensor","stat_t":"gas/state","kind":"gas"}}}"#
            let gateways = [Gateway.Kind.bridge, .box].map {
                Gateway(id: .new(at: noon), site: house.site.id, kind: $0, name: $0.rawValue)
            }
            try await house.parts.registry.change(at: house.site.id) { database in
                for one in gateways { try HomeRecords.put(one, in: database) }
            }
            for one in gateways { try await speaker.say("homeassistant/device/b/config", ours, from: one) }
            #expect(speaker.found.map(\.gateway) == [gateways[1].id])
            #expect(speaker.catalog.sensors.values.map(\.kind) == [.gas])
        }
    }

    @Test func `Nonsense takes nothing away, and its reason is kept`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            try await speaker.say(gasTopic, "{]")
            #expect(speaker.catalog.sensors.count == 1)
            #expect(
                try house.parts.refused.untaken(of: house.gateway.id) == [
                    Untaken(topic: gasTopic, why: .init(.notJSON))
                ])
            try await speaker.say(gasTopic, gasDescription("next"))
            #expect(try house.parts.refused.untaken(of: house.gateway.id).isEmpty)
            #expect(!speaker.discoverer.receive("kitchen/state", [], isRetained: false, from: house.gateway))
        }
    }

    @Test func `What is not taken of a device is told with its reason until the device says something else or is gone`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func untaken() throws -> [Untaken] { try house.parts.refused.untaken(of: house.gateway.id) }
            let topic = "homeassistant/device/oven/config"
            func oven(_ second: String) -> String {
                #"{"dev":{"ids":"oven","name":"Oven \"refused\":[{"},"o":{"name":"x"},"cmps":{"t":{"p":"sensor","stat_t":"t"},\#(second)}}"#
            }
            try await speaker.say(topic, oven(#""h":{"p":"vacuum","stat_t":"h"}"#))
            let heater = Untaken(
                topic: topic, device: #"Oven "refused":[{"#, component: "h", why: .init(.unknownPlatform, "vacuum"))
            #expect(try untaken() == [heater])
            try await speaker.say("homeassistant/sensor/a/config", "{]")
            #expect(try untaken() == [Untaken(topic: "homeassistant/sensor/a/config", why: .init(.notJSON)), heater])
            try await speaker.say("homeassistant/sensor/a/config", "")
            try await speaker.say(topic, oven(#""h":{"p":"sensor","stat_t":"h"}"#))
            #expect(try untaken().isEmpty, "a name that looks like a list of refusals is none")
            try await speaker.say(topic, oven(#""h":{"p":"sensor","stat_t":"h","unit_of_meas":[]}"#))
            #expect(try untaken().map(\.why) == [.init(.notText, "unit_of_measurement")])
            try await speaker.say(topic, "")
            #expect(try untaken().isEmpty)
            for number in 0...Untaken.most { try await speaker.say("homeassistant/sensor/n\(number)/config", "{]") }
            #expect(try untaken().count == Untaken.most)
        }
    }
}
