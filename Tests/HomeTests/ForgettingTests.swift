import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Home

/// What devices described and what is out of use: of each house so much is remembered.
struct ForgettingTests {
    private func plug(_ name: String, _ count: Int) -> String {
        let parts = (0..<count).map {
            "\"\(name)\($0)\":{\"p\":\"sensor\",\"unit_of_meas\":\"V\",\"stat_t\":\"\(name)/\($0)\"}"
        }
        return "{\"dev\":{\"ids\":\"\(name)\",\"name\":\"\(name)\"},\"cmps\":{\(parts.joined(separator: ","))}}"
    }

    private func topic(_ name: String) -> String { "homeassistant/device/\(name)/config" }

    private func rows(_ house: TestHouse) throws -> (devices: [Device], sensors: [Sensor]) {
        try house.household.store.read { database in
            (
                try HomeRecords.devices(at: house.site.id, in: database).filter { $0.origin == .discovered },
                try HomeRecords.sensors(at: house.site.id, in: database)
            )
        }
    }

    @Test func `A connection that describes without end forgets its own, and what told something last`() async throws {
        try await TestHouse.run { house in
            let (speaker, loud) = (try Speaker(house), try await house.gateway("Loud").0)
            let byHand = try await house.sensor("byhand", .number)
            try await speaker.say(topic("old"), plug("old", 2))
            for number in 0..<10 { try await speaker.say(topic("l\(number)"), plug("l\(number)", 1), from: loud) }
            let known = try rows(house).sensors
            // The first of the loud ones, and one that is in use, have a history.
            func sensor(_ key: String) throws -> Sensor { try #require(known.first { $0.key == key }) }
            let (told, used) = (try sensor("l00"), try sensor("l90"))
            for one in [told, used, byHand] { house.tell(1, of: one, at: noon) }
            await house.series.flush()
            try await speaker.say(topic("old"), "")
            for number in 0..<9 {
                speaker.pass(1)
                try await speaker.say(topic("l\(number)"), "", from: loud)
            }
            try await house.household.registry.change(at: house.site.id) { database in
                var byHand = byHand
                byHand.retired = noon
                try HomeRecords.change(byHand, in: database)
            }
            #expect(try await house.household.forget(beyond: 11) == 0)
            #expect(try await house.household.forget(beyond: 5) == 6)
            let left = try rows(house)
            #expect(left.sensors.map(\.key).sorted() == ["byhand", "l00", "l70", "l80", "l90", "old0", "old1"])
            #expect(left.devices.map(\.name).sorted() == ["l0", "l7", "l8", "l9", "old"])
            try await house.series.purge()
            for one in [told, used, byHand] { #expect(try !house.rows(.day, of: one).isEmpty) }
            // With nothing else left of it, what told something goes, too, and what it told.
            #expect(try await house.household.forget(beyond: 0) == 5)
            #expect(try rows(house).sensors.map(\.key).sorted() == ["byhand", "l90"])
            try await house.series.purge()
            for tier in Tier.allCases { #expect(try house.rows(tier, of: told).isEmpty) }
            for one in [used, byHand] { #expect(try !house.rows(.raw, of: one).isEmpty) }
            #expect(speaker.found.map(\.name) == ["l9"])
            // It comes again as new, under a number that nothing had.
            try await speaker.say(topic("l3"), plug("l3", 1), from: loud)
            let anew = try #require(try rows(house).sensors.first { $0.key == "l30" })
            #expect(anew.retired == nil && anew.number > known.map(\.number).max()!)
        }
    }

    @Test func `What somebody has chosen something for stays, and so does the highest number`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let fan = try await house.actuator("fan", .fan)
            try await speaker.say(topic("a"), plug("a", 3))
            let all = try rows(house).sensors
            let followed = try #require(all.first { $0.key == "a0" })
            try await house.household.store.write { database in
                try CareRecords.set(
                    FanRule(fan: fan.id, site: house.site.id, sensor: followed.id, most: 6, shortestRun: 300),
                    of: fan.id, in: database)
                try CareRecords.set(installed: Day(year: 2026, month: 11, day: 21)!, of: followed.id, in: database)
            }
            try await speaker.say(topic("a"), "")
            #expect(try await house.household.forget(beyond: 0) == 1)
            #expect(try rows(house).sensors.map(\.key) == ["a0", "a2"])
            #expect(try rows(house).devices.map(\.name) == ["a"])
        }
    }

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
}
