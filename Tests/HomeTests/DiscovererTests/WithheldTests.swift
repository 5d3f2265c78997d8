import Notices
import Store
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What a device takes back of what protects a house that sounds or is armed: after a start, and who hears of it.
struct WithheldTests {
    @Test(arguments: ["emptied", "left out", "reclassed", "moved", "reworded"], [true, false])
    func `Smoke that stands is not over because its detector is described no more`(how: String, isSounding: Bool)
        async throws
    {
        try await TestHouse.run { house in
            let olga = try await house.principal("Olga", .owner).person.id
            let speaker = try Speaker(house)
            let topic = "homeassistant/device/det/config"
            func describe(_ parts: String) async throws {
                try await speaker.say(topic, #"{"dev":{"ids":"det","name":"Hall"},"cmps":{\#(parts)}}"#)
            }
            let smoke = #""s":{"p":"binary_sensor","uniq_id":"s","name":"Smoke","dev_cla":"smoke","stat_t":"s"}"#
            let lamp = #""l":{"p":"light","uniq_id":"l","name":"Lamp","cmd_t":"l/set"}"#
            try await describe(smoke + "," + lamp)
            let detector = try #require(speaker.catalog.sensors(at: house.site.id).first)
            if isSounding {
                house.tell(detector, .truth(true))
                // The sirens have been silent for long, and it still burns.
                for _ in 0..<10 { house.pass(60) }
                #expect(house.fires.count == 1)
            }
            switch how {
            case "emptied": try await speaker.say(topic, "")
            case "left out": try await describe(lamp)
            case "moved": try await describe(smoke.replacing(#""stat_t":"s""#, with: #""stat_t":"t""#) + "," + lamp)
            case "reworded":
                try await describe(smoke.replacing(#""stat_t""#, with: #""pl_on":"x","stat_t""#) + "," + lamp)
            default: try await describe(smoke.replacing("smoke", with: "light") + "," + lamp)
            }
            func told() throws -> [String] {
                try house.parts.store.read { database in
                    try database.rows(
                        """
                        SELECT n.content FROM notice_recipients r JOIN notices n ON n.id = r.notice
                        WHERE r.person = ? AND n.kind = 'home.protection'
                        """, olga
                    ) { $0[0] as String }
                }
            }
            if isSounding {
                #expect(house.fires.count == 1)
                #expect(speaker.catalog.sensors[detector.id] == detector)
                let words = speaker.faults().map { $0.text[.en].title }
                #expect(words == ["Smoke was changed by its device during an alarm"])
                house.tell(detector, .truth(false))
                #expect(house.fires.isEmpty)
                house.panels.reset(house.site.id, by: .person(anna))
                speaker.discoverer.look()
                try await speaker.settle()
            }
            #expect(speaker.catalog.sensors[detector.id] != detector)
            // Nobody did it but the device: its owners hear of it all the same.
            #expect(
                await eventually {
                    ((try? told()) ?? []).contains { $0.contains("The connection “Kitchen”") && $0.contains(": Smoke") }
                })
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `What was taken back in an alarm, or while the house was armed, is taken back after a start, too`(
        isArmed: Bool, isSaidAgain: Bool
    ) async throws {
        try await TestHouse.run { house in
            let before = try Speaker(house)
            let topic = "homeassistant/device/det/config"
            let kind = isArmed ? "motion" : "smoke"
            let message =
                #"{"dev":{"ids":"det","name":"Hall"},"cmps":{"s":{"p":"binary_sensor","uniq_id":"s","name":"One","#
                + #""dev_cla":"\#(kind)","stat_t":"s"}}}"#
            try await before.say(topic, message)
            let sensor = try #require(before.catalog.sensors(at: house.site.id).first)
            if isArmed {
                house.rest(sensor)
                try house.armAway()
            } else {
                house.tell(sensor, .truth(true))
            }
            try await before.say(topic, "")
            #expect(before.catalog.sensors[sensor.id] == sensor)
            // Its fault is written down in a moment.
            if !isArmed {
                #expect(before.faults().count == 1)
                #expect(
                    await eventually {
                        (try? house.parts.store.read { try AnnouncementRecords.withheld(in: $0).first?.fault })
                            != nil
                    })
            }
            // The hub was killed, and with it what waited in memory.
            let after = try Speaker(house)
            if isSaidAgain { try await after.say(topic, message) }
            if isArmed {
                house.panels.disarm(house.site.id, by: .person(anna))
            } else {
                house.tell(sensor, .truth(false))
                house.panels.reset(house.site.id, by: .person(anna))
            }
            after.discoverer.look()
            try await after.settle()
            after.discoverer.look()
            #expect((after.catalog.sensors[sensor.id] != nil) == isSaidAgain)
            #expect(await eventually { after.faults().isEmpty })
            // Nothing is left of it for the start after that.
            #expect(try house.parts.store.read { try AnnouncementRecords.withheld(in: $0) }.isEmpty)
        }
    }

    @Test func `A device that was taken back in an alarm and describes itself otherwise is there after a start`()
        async throws
    {
        try await TestHouse.run { house in
            let before = try Speaker(house)
            let topic = "homeassistant/binary_sensor/det/s/config"
            func told(_ state: String) -> String {
                #"{"dev":{"ids":"det"},"uniq_id":"s","name":"One","dev_cla":"smoke","stat_t":"\#(state)"}"#
            }
            try await before.say(topic, told("a"))
            let sensor = try #require(before.catalog.sensors(at: house.site.id).first)
            house.tell(sensor, .truth(true))
            try await before.say(topic, "")
            #expect(try house.parts.store.read { try AnnouncementRecords.withheld(in: $0).count } == 1)
            try await before.say(topic, told("b"))
            #expect(before.catalog.sensors[sensor.id] == sensor, "it waits, too")
            let after = try Speaker(house)
            house.tell(sensor, .truth(false))
            house.panels.reset(house.site.id, by: .person(anna))
            after.discoverer.look()
            try await after.settle()
            #expect(after.catalog.sensors[sensor.id] == sensor)
        }
    }

    @Test func `What several connections weaken at one moment is told of each by itself, and of no other`() async throws
    {
        try await TestHouse.run { house in
            _ = try await house.principal("Olga", .owner)
            let speaker = try Speaker(house)
            var gateways: [Gateway] = []
            for number in 0..<6 { gateways.append(try await house.gateway("Stick \(number)").0) }
            func describe(_ topic: String, _ kind: String, from gateway: Gateway) {
                _ = speaker.discoverer.receive(
                    "homeassistant/binary_sensor/d/s/config",
                    Array(
                        #"{"dev":{"ids":"d"},"uniq_id":"s","name":"\#(kind) of \#(gateway.name)","dev_cla":"\#(kind)","stat_t":"\#(topic)"}"#
                            .utf8), isRetained: true, from: gateway)
            }
            func describeAll(_ topic: String) async throws {
                for (number, gateway) in gateways.enumerated() {
                    describe(topic, number < 4 ? "smoke" : "light", from: gateway)
                }
                try await speaker.settle()
            }
            try await describeAll("here")
            try await describeAll("there")
            func told() throws -> [String] {
                try house.parts.store.read { database in
                    try database.rows("SELECT content FROM notices WHERE kind = 'home.protection'") { $0[0] as String }
                }
            }
            #expect(await eventually { (try? told().count) == 4 })
            for (number, gateway) in gateways.enumerated() {
                let own = try told().filter { $0.contains("smoke of \(gateway.name)") }
                #expect(own.count == (number < 4 ? 1 : 0))
                #expect(
                    own.allSatisfy { text in gateways.allSatisfy { $0.name == gateway.name || !text.contains($0.name) }
                    })
            }
        }
    }
}
