import Accounts
import Ledger
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// Detectors that the hub cannot read, as the people of their house are told of them.
struct RefusedDetectorTests {
    private static let topic = "homeassistant/device/two/config"

    private func smoke(
        _ id: String, _ name: String?, template: String? = "{{ now() }}", platform: String? = "binary_sensor"
    ) -> String {
        let members = [
            platform.map { #""p":"\#($0)""# }, #""uniq_id":"\#(id)""#, name.map { #""name":"\#($0)""# },
            #""dev_cla":"smoke""#, #""stat_t":"\#(id)""#, template.map { #""val_tpl":"\#($0)""# },
        ]
        return #""\#(id)":{\#(members.compactMap(\.self).joined(separator: ","))}"#
    }

    private func device(_ components: String...) -> String {
        #"{"dev":{"ids":"two","name":"Two"},"o":{"name":"x"},"cmps":{\#(components.joined(separator: ","))}}"#
    }

    private func titles(_ speaker: Speaker) -> [String] { speaker.faults().map { $0.text[.en].title }.sorted() }

    private func title(_ names: String...) -> [String] { names.map { "Detector not in use: \($0)" } }

    @Test func `A fault names the detector that is refused, whatever is mended, added or renamed beside it`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let (attic, cellar) = (smoke("a", "Attic"), smoke("c", "Cellar"))
            try await speaker.say(Self.topic, device(cellar))
            let first = try #require(speaker.faults().first?.id)
            // Another one before it in the message.
            try await speaker.say(Self.topic, device(attic, cellar))
            #expect(titles(speaker) == title("Attic (Two)", "Cellar (Two)"))
            #expect(speaker.faults().contains { $0.id == first })
            try await speaker.say(Self.topic, device(attic, smoke("c", "Cellar", template: nil)))
            #expect(titles(speaker) == title("Attic (Two)"))
            try await speaker.say(Self.topic, device(smoke("a", "Garden"), smoke("c", "Cellar", template: nil)))
            #expect(titles(speaker) == title("Garden (Two)"))
            // After a start it is the same one.
            let again = try Speaker(house)
            #expect(again.faults().map(\.id) == speaker.faults().map(\.id))
        }
    }

    @Test func `Two without names are two`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(Self.topic, device(smoke("a", nil), smoke("c", nil)))
            #expect(speaker.faults().count == 2)
            try await speaker.say(Self.topic, device(smoke("a", nil, template: nil), smoke("c", nil)))
            #expect(speaker.faults().count == 1)
        }
    }

    @Test func `Beyond eight it is told how many more, and none ends for another`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func say(_ number: String) async throws {
                let json = device(smoke("s", "Smoke \(number)")).replacing(#""two""#, with: "\"d\(number)\"")
                try await speaker.say("homeassistant/device/z\(number)/config", json)
            }
            for number in 1...9 { try await say("\(number)") }
            let named = Set(speaker.faults().filter { $0.text[.en].title.hasPrefix("Detector") }.map(\.id))
            #expect(named.count == 8)
            #expect(titles(speaker).first == "1 more detector of \(house.gateway.name) is not in use")
            // One whose topic comes before them all.
            try await say("0")
            #expect(named.isSubset(of: speaker.faults().map(\.id)))
            #expect(titles(speaker).first == "2 more detectors of \(house.gateway.name) are not in use")
            #expect(speaker.faults().count == 9)
        }
    }

    @Test func `That there are more is one fault, which says how many there are now, and is told once until it ends`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func say(_ number: Int, template: String? = "{{ now() }}") async throws {
                let json = device(smoke("s", "Smoke \(number)", template: template))
                    .replacing(#""two""#, with: "\"d\(number)\"")
                try await speaker.say("homeassistant/device/z\(number)/config", json)
            }
            func more(_ speaker: Speaker) -> HouseAlarm? { speaker.faults().first { $0.aspect.hasSuffix(":more") } }
            func raised() async throws -> Int {
                #expect(await eventually { house.alarms.journal.waiting == 0 })
                return try house.parts.given.ledger.events(of: house.site.id, after: 0, limit: 500)
                    .count { $0.kind == "home.alarm.raised" }
            }
            for number in 10...18 { try await say(number) }
            let first = try #require(more(speaker))
            #expect(try await raised() == 9)
            for number in 19...30 {
                house.move(minutes: 1)
                try await say(number)
                #expect(more(speaker)?.id == first.id)
                #expect(
                    more(speaker)?.text[.en].title
                        == "\(number - 17) more detectors of \(house.gateway.name) are not in use")
            }
            // Within a minute it keeps its words, whatever is said; then it is made up for.
            try await say(30, template: nil)
            #expect(more(speaker)?.message == .refusedDetectors(gateway: house.gateway.name, more: 13))
            house.move(minutes: 1)
            speaker.discoverer.look()
            #expect(more(speaker)?.message == .refusedDetectors(gateway: house.gateway.name, more: 12))
            #expect(try await raised() == 9)
            // In the log, and after a start, it says the same.
            let logged = try house.parts.store.read { try AlarmRecords.alarm(first.id, in: $0) }
            #expect(logged?.alarm.message == more(speaker)?.message)
            #expect(more(try Speaker(house))?.id == first.id)
            // It ends, and is another one later.
            for number in 18...29 { try await say(number, template: nil) }
            #expect(more(speaker) == nil)
            house.move(seconds: 3_600)
            try await say(18)
            let second = try #require(more(speaker))
            #expect(second.id != first.id)
            // People ended it: fewer are no news, more are.
            try await say(19)
            house.alarms.end(second.id, by: .new(at: house.time.value))
            try await say(19, template: nil)
            try await say(19)
            #expect(more(speaker) == nil)
            house.move(minutes: 1)
            try await say(20)
            #expect(more(speaker)?.text[.en].title.hasPrefix("3 more") == true)
        }
    }

    @Test(arguments: [nil, "binarysensor"] as [String?])
    func `One whose platform is missing or misspelt is told by its class`(_ platform: String?) async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(Self.topic, device(smoke("a", "Attic", template: nil, platform: platform)))
            #expect(titles(speaker) == title("Attic (Two)"))
        }
    }

    @Test func `Detectors of a message that is refused whole are told, too`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let others = (0..<DiscoveryLimit.components).map { number in
                #""n\#(number)":{"p":"sensor","uniq_id":"n\#(number)","stat_t":"n\#(number)"}"#
            }.joined(separator: ",")
            try await speaker.say(Self.topic, device(smoke("a", "Attic", template: nil), others))
            #expect(titles(speaker) == title("Attic (Two)"))
            #expect(speaker.catalog.sensors.isEmpty)
            try await speaker.say(Self.topic, device(smoke("a", "Attic", template: nil)))
            #expect(speaker.faults().isEmpty && speaker.catalog.sensors.count == 1)
        }
    }

    @Test func `A detector for which there is no room is told until there is`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func say(_ number: Int, _ json: String) async throws {
                try await speaker.say("homeassistant/device/d\(number)/config", json)
            }
            for number in 0..<DiscoveryLimit.devices {
                let lamp =
                    #"{"dev":{"ids":"d\#(number)"},"o":{"name":"x"},"cmps":{"n\#(number)":{"p":"sensor","stat_t":"n\#(number)"}}}"#
                try await say(number, lamp)
            }
            try await speaker.say(Self.topic, device(smoke("a", "Attic", template: nil)))
            #expect(titles(speaker) == title("Attic (Two)"))
            try await speaker.say(Self.topic, "")
            #expect(speaker.faults().isEmpty)
        }
    }

    @Test func `People end the fault of a dead device, and it stays ended`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(Self.topic, device(smoke("a", "Attic")))
            let fault = try #require(speaker.faults().first)
            house.alarms.end(fault.id, by: nil)
            try await speaker.say(Self.topic, device(smoke("a", "Attic"), smoke("c", "Cellar")))
            #expect(titles(speaker) == title("Cellar (Two)"))
            // Another one in its place is told.
            try await speaker.say(Self.topic, device(smoke("a", "Garden"), smoke("c", "Cellar")))
            #expect(titles(speaker) == title("Cellar (Two)", "Garden (Two)"))
        }
    }
}
