import Store
import Testing

@testable import Home
@testable import Household

/// What of a description makes what protects a house at any time less watchful.
struct AlwaysOnTests {
    @Test
    func `A detector or a siren that its device describes less watchfully is lost, and one more watchfully is not`()
        async throws
    {
        try await TestHouse.run { house in
            let (site, parts) = (house.site.id, house.parts)
            let there = [Availability(topic: "there")]
            let smoke = try await house.sensor(
                "smoke", .smoke, period: 60,
                binding: SensorBinding(topic: "smoke", offDelay: 30, expireAfter: 300, availability: there))
            let siren = try await house.actuator(
                "siren", .siren, binding: ActuatorBinding(commandTopic: "siren/set", availability: there))
            let fan = try await house.actuator(
                "fan", .fan, binding: ActuatorBinding(commandTopic: "fan/set", valueTopic: "fan/speed", high: 255))
            func lost(_ change: (inout Sensor) -> Void) async throws -> [String]? {
                var other = smoke
                change(&other)
                return try await changed { [other] in
                    try HomeRecords.change(other, in: $0)
                } undo: {
                    try HomeRecords.change(smoke, in: $0)
                }
            }
            func lost(_ actuator: Actuator, _ change: (inout ActuatorBinding) -> Void) async throws -> [String]? {
                var other = actuator
                change(&other.binding)
                return try await changed { [other] in
                    try HomeRecords.put(other, in: $0)
                } undo: {
                    try HomeRecords.put(actuator, in: $0)
                }
            }
            func changed(
                _ change: @escaping @Sendable (Database) throws -> Void,
                undo: @escaping @Sendable (Database) throws -> Void
            ) async throws -> [String]? {
                let before = parts.care.alwaysOn(at: site)
                _ = try await parts.registry.change(at: house.site.id) { try change($0) }
                defer { #expect(before.lost(in: parts.care.alwaysOn(at: site)) == nil) }
                let names = before.lost(in: parts.care.alwaysOn(at: site))?.names
                _ = try await parts.registry.change(at: house.site.id) { try undo($0) }
                return names
            }
            for period in [nil, 61] as [Double?] { #expect(try await lost { $0.period = period } == ["Smoke"]) }
            #expect(try await lost { $0.period = 30 } == nil)
            for seconds in [nil, 301] as [Double?] {
                #expect(try await lost { $0.binding.expireAfter = seconds } == ["Smoke"])
            }
            #expect(try await lost { $0.binding.expireAfter = 200 } == nil)
            #expect(try await lost { $0.binding.offDelay = 0.001 } == ["Smoke"])
            // Of water nobody leaves the house.
            #expect(try await lost { $0.kind = .moisture } == ["Smoke"])
            // One that never says that it is over warns once.
            for seconds in [nil, 60] as [Double?] {
                #expect(try await lost { $0.binding.offDelay = seconds } == ["Smoke"])
            }
            for places in [[], [Availability(topic: "elsewhere")]] {
                #expect(try await lost { $0.binding.availability = places } == ["Smoke"])
                #expect(try await lost(siren) { $0.availability = places } == ["Siren"])
            }
            // Of one word alone the mode means nothing; more of them are stricter where all are asked, and laxer where one does.
            let more = there + [Availability(topic: "bridge/state")]
            for mode in [Availability.Mode.all, .any, .latest] {
                #expect(try await lost { $0.binding.availabilityMode = mode } == nil)
                #expect(try await lost(siren) { $0.availabilityMode = mode } == nil)
                let isLaxer = mode != .all
                #expect(
                    try await lost { ($0.binding.availability, $0.binding.availabilityMode) = (more, mode) }
                        == (isLaxer ? ["Smoke"] : nil))
                #expect(
                    try await lost(siren) { ($0.availability, $0.availabilityMode) = (more.reversed(), mode) }
                        == (isLaxer ? ["Siren"] : nil))
            }
            #expect(try await lost(fan) { $0.high = 2 } == ["Fan"])
            // Where one of several words was enough, fewer are stricter.
            let one = try await house.actuator(
                "one", .siren,
                binding: ActuatorBinding(commandTopic: "one/set", availability: more, availabilityMode: .any))
            #expect(try await lost(one) { $0.availability = there } == nil)
            #expect(try await lost(one) { $0.availabilityMode = .all } == nil)
            #expect(try await lost(one) { $0.availabilityMode = .latest } == ["One"])
            #expect(try await lost(one) { $0.availability = [] } == ["One"])
            #expect(try await lost(fan) { $0.low = 200 } == ["Fan"])
            #expect(
                try await lost(fan) { ($0.commandTopic, $0.valueTopic) = ($0.valueTopic, $0.commandTopic) } == ["Fan"])
            #expect(try await lost(fan) { $0.availability = there } == nil)
            #expect(try await lost(siren) { $0.state = SensorBinding(topic: "siren/state") } == nil)
        }
    }
}
