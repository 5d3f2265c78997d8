import Notices
import Testing

@testable import Home
@testable import Household

/// Devices that contradict themselves, or one another.
struct ContradictionTests {
    @Test func `A message that keeps changing its mind is kept as it was until it is calm, and people are told`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            for turn in 0..<20 { try await speaker.say(gasTopic, gasDescription("state/\(turn)")) }
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["state/\(DiscoveryLimit.changes - 1)"])
            #expect(speaker.faults().count == 1)
            speaker.pass(30_000)
            speaker.discoverer.look()
            #expect(speaker.faults().count == 1)
            speaker.pass(30_000)
            speaker.discoverer.look()
            try await speaker.settle()
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["state/19"])
            #expect(speaker.faults().isEmpty)
        }
    }

    @Test func `A device that contradicts itself under many names is named a few times an hour, and then as one`()
        async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func contradict(_ round: Int) async throws {
                for number in 0..<DiscoveryFaults.most + 5 {
                    let topic = "homeassistant/sensor/many\(number)/gas/config"
                    for turn in 0...DiscoveryLimit.changes {
                        try await speaker.say(
                            topic,
                            #"{"dev":{"ids":"m\#(number)","name":"Name \#(number) \#(round)"},"#
                                + #""uniq_id":"m\#(number)","stat_t":"\#(round)/\#(turn)"}"#)
                    }
                }
            }
            func calm() async throws {
                speaker.pass(DiscoveryQueue.calm)
                speaker.discoverer.look()
                try await speaker.settle()
            }
            func many() -> Int {
                speaker.faults().count {
                    $0.text[.en].title == "Many devices of \(house.gateway.name) contradict themselves"
                }
            }
            try await contradict(0)
            #expect(speaker.faults().count == DiscoveryFaults.most + 1 && many() == 1)
            let first = speaker.faults().map(\.id)
            for round in 1...2 {
                try await calm()
                try await contradict(round)
                #expect(many() == 1 && Set(speaker.faults().map(\.id)).isSubset(of: first))
            }
            // After a start it is the same one. It is over with the last of what it tells of, and not within the hour.
            let again = try Speaker(house)
            #expect(many() == 1)
            speaker.pass(DiscoveryFaults.hour)
            for one in [speaker, again] {
                one.discoverer.look()
                try await one.settle()
            }
            #expect(speaker.faults().isEmpty)
            // The next hour they are named again.
            try await contradict(3)
            #expect(speaker.faults().count == DiscoveryFaults.most + 1)
        }
    }

    @Test func `A contradiction that is mended while the hub is away is over within an hour of its start`() async throws
    {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            func describe(_ turn: Int, _ speaker: Speaker) async throws {
                try await speaker.say(
                    "homeassistant/sensor/d/gas/config",
                    #"{"dev":{"ids":"d","name":"Restless"},"uniq_id":"d","stat_t":"state/\#(turn)"}"#)
            }
            for turn in 0...DiscoveryLimit.changes { try await describe(turn, speaker) }
            let fault = try #require(speaker.faults().first)
            for goesOn in [true, false] {
                let again = try Speaker(house)
                speaker.pass(DiscoveryFaults.hour - 1)
                if goesOn {
                    for turn in 0...DiscoveryLimit.changes { try await describe(turn + 100, again) }
                }
                again.discoverer.look()
                #expect(speaker.faults().map(\.id) == [fault.id])
                speaker.pass(1)
                again.discoverer.look()
                try await again.settle()
                #expect(speaker.faults().map(\.id) == (goesOn ? [fault.id] : []))
            }
        }
    }

    @Test func `Of two messages that claim one id the first counts, and people are told once`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(gasTopic, gasDescription())
            let rival = "homeassistant/sensor/rival/gas/config"
            for turn in 0..<3 { try await speaker.say(rival, gasDescription("rival/state", name: "Gas \(turn)")) }
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["mq/state"])
            #expect(speaker.faults().count == 1)
            // The first leaves: the other is taken when it says so again.
            try await speaker.say(gasTopic, "")
            speaker.pass(60_000)
            try await speaker.say(rival, gasDescription("rival/state", name: "Gas 2"))
            #expect(speaker.catalog.sensors.values.map(\.binding.topic) == ["rival/state"])
            #expect(speaker.faults().isEmpty)
        }
    }
}
