import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What a home's own broker keeps.
private final class Kept: Sendable {
    let messages = Shared<[String: String]>([:])
    let isThere = Shared(true)
    let count = Shared(0)

    func publish(_ topic: String, _ payload: [UInt8]) -> Bool {
        guard isThere.value else { return false }
        count.change { $0 += 1 }
        let text = String(decoding: payload, as: UTF8.self)
        messages.change { $0[topic] = text.isEmpty ? nil : text }
        return true
    }

    subscript(_ topic: String) -> String? { messages.value[topic] }
}

struct BridgeAnnouncerTests {
    private func bridged(
        _ test: (TestHouse, Gateway, Sensor, BridgeAnnouncer, Kept) async throws -> Void
    ) async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "V")
            let kept = Kept()
            let announcer = BridgeAnnouncer(
                house.parts.registry, house.parts.live, house.parts.panels, house.parts.clock
            ) { topic, payload, _ in kept.publish(topic, payload) }
            let bridge = Gateway(id: .new(at: noon), site: house.site.id, kind: .bridge, name: "Home Assistant")
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(bridge, in: $0) }
            try await test(house, bridge, gas, announcer, kept)
        }
    }

    @Test func `A home's own broker is told of the house's devices, and by nothing how to move them`() async throws {
        try await bridged { house, _, gas, announcer, kept in
            house.parts.readings.observe(Reading(.number(1.5), at: noon), of: gas)
            announcer.look()
            let config = try #require(kept["homeassistant/device/soglia_\(house.device.id.text)/config"])
            // What we write, we read; a reader of others finds what it needs.
            let topic = try #require(DiscoveryTopic("homeassistant/device/soglia_\(house.device.id.text)/config"))
            let message = try DiscoveryMessage(topic: topic, payload: Array(config.utf8))
            guard case .described(let device) = message.content else { throw SystemError("nothing described") }
            #expect(message.isOurs && device.refused.isEmpty)
            #expect(device.sensors.map(\.unit) == ["V"])
            #expect(device.sensors.map(\.binding.topic) == ["soglia/\(gas.id.text)/state"])
            #expect(kept["soglia/\(gas.id.text)/state"] == "1.5")
            #expect(kept["soglia/\(gas.id.text)/availability"] == "online")
            #expect(kept["soglia/\(house.site.id.text)/state"] == "disarmed")
            #expect(!kept.messages.value.values.contains { $0.contains("command_topic") })
        }
    }

    @Test func `States are said when they change, the last of many, and all again in time`() async throws {
        try await bridged { house, _, gas, announcer, kept in
            announcer.look()
            #expect(kept["soglia/\(gas.id.text)/availability"] == "offline")
            kept.count.change { $0 = 0 }
            for value in 0..<100 {
                house.parts.readings.observe(Reading(.number(Double(value)), at: noon), of: gas)
            }
            announcer.look()
            #expect(kept["soglia/\(gas.id.text)/state"] == "99")
            #expect(kept.count.value == 2)
            announcer.look()
            #expect(kept.count.value == 2)
            house.time.change { $0 = $0.adding(milliseconds: BridgeAnnouncer.refresh) }
            announcer.look()
            #expect(kept.count.value == 5)
        }
    }

    @Test func `A Home Assistant that starts is told everything again, and what is gone is taken back`() async throws {
        try await bridged { house, bridge, gas, announcer, kept in
            announcer.look()
            kept.messages.change { $0 = [:] }
            #expect(announcer.receive("homeassistant/status", Array("online".utf8), isRetained: false, from: bridge))
            announcer.look()
            let config = "homeassistant/device/soglia_\(house.device.id.text)/config"
            #expect(kept[config] != nil)
            try await house.parts.registry.change(at: house.site.id) { [device = house.device] database in
                var device = device
                device.retired = noon
                try HomeRecords.put(device, in: database)
            }
            // Of an earlier run of the hub.
            let old = "homeassistant/device/soglia_old/config"
            kept.messages.change { $0[old] = "{}" }
            #expect(announcer.receive(Substring(old), Array("{}".utf8), isRetained: true, from: bridge))
            announcer.look()
            #expect(kept[config] == nil && kept[old] == nil)
            #expect(kept["homeassistant/device/soglia_\(house.site.id.text)/config"] != nil)
            _ = gas
        }
    }

    @Test func `What cannot be said now is said when there is a way`() async throws {
        try await bridged { house, _, gas, announcer, kept in
            kept.isThere.change { $0 = false }
            house.parts.readings.observe(Reading(.number(7), at: noon), of: gas)
            announcer.look()
            #expect(kept.messages.value.isEmpty)
            kept.isThere.change { $0 = true }
            announcer.look()
            #expect(kept["soglia/\(gas.id.text)/state"] == "7")
        }
    }

    @Test func `A device behind the bridge is not told back to it, and no other gateway's status is taken`()
        async throws
    {
        try await bridged { house, bridge, _, announcer, kept in
            let own = Device(
                id: .new(at: noon), site: house.site.id, gateway: bridge.id, key: "z", name: "Zigbee",
                origin: .discovered)
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(own, in: $0) }
            announcer.look()
            #expect(!kept.messages.value.keys.contains { $0.contains(own.id.text) })
            #expect(
                !announcer.receive("homeassistant/status", Array("online".utf8), isRetained: false, from: house.gateway)
            )
        }
    }
}
