import FoundationEssentials
import JSON
import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What real projects send as discovery, collected from their sources: each entity is taken for what it is, reads what its device sends, and
/// is told what Home Assistant would tell it.
struct EntityTableTests {
    /// An entity of `Tests/Vectors/discovery-entities.json`.
    struct Entity: Decodable, Sendable {
        struct Expectation: Decodable, Sendable {
            let platform: String
            let kind: String
            let unit: String
            let `class`: String?
            let isLifeSafety: Bool
        }
        struct Message: Decodable, Sendable {
            let topic: String
            let payload: String
            let reads: JSONTree?
            let isOnline: Bool?
        }
        struct Command: Decodable, Sendable {
            let `do`: String
            let topic: String
            let payload: String
        }
        let id: String
        let topic: String
        let component: String?
        let message: String
        let expect: Expectation
        let alsoRight: [String]?
        let states: [Message]
        let availability: [Message]?
        let commands: [Command]?
    }

    private static func entities() throws -> [Entity] {
        let path = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let bytes = try Files.read("/" + path + "/Vectors/discovery-entities.json", limit: 4 << 20)
        return try JSONReader.decode([Entity].self, from: bytes, limit: 4 << 20, depth: 32)
    }

    private func device(_ entity: Entity) throws -> DiscoveredDevice {
        let topic = try #require(DiscoveryTopic(entity.topic))
        let message = try DiscoveryMessage(topic: topic, payload: Array(entity.message.utf8))
        guard case .described(let device) = message.content else { throw DiscoveryRefusal(.notComponent) }
        return device
    }

    /// The id of the component that an entity is of a device's message; nil: the message is of one alone.
    private func unique(_ entity: Entity) -> String? {
        guard let component = entity.component,
            case .object(let members)? = try? JSONReader.decode(JSONTree.self, from: Array(entity.message.utf8)),
            case .object(let all)? = members["cmps"] ?? members["components"],
            case .object(let own)? = all[component]
        else { return nil }
        return (own["uniq_id"] ?? own["unique_id"])?.word ?? component
    }

    /// What is wrong with how an entity is taken; empty: nothing.
    private func faults(_ entity: Entity) -> [String] {
        let (expected, device): (Entity.Expectation, DiscoveredDevice)
        do { (expected, device) = (entity.expect, try self.device(entity)) } catch { return ["not taken: \(error)"] }
        let kinds = kinds(entity)
        let key = unique(entity).map(DiscoveryKey.of)
        if let sensor = device.sensors.first(where: { key == nil || $0.key == key }) {
            return faults(of: sensor, kinds, expected) + faults(reading: sensor, entity)
                + faults(availability: sensor.binding.availability, entity)
        }
        if let actuator = device.actuators.first(where: { key == nil || $0.key == key }) {
            let kind = kinds.contains(actuator.kind.rawValue) ? [] : ["is a \(actuator.kind), not \(expected.kind)"]
            return kind + faults(commanding: actuator, entity)
                + faults(availability: actuator.binding.availability, entity)
        }
        if kinds.contains("nothing") { return [] }
        return ["not taken: \(device.refused.first?.why.description ?? "in silence")"]
    }

    private func kinds(_ entity: Entity) -> [String] { [entity.expect.kind] + (entity.alsoRight ?? []) }

    private func faults(
        of sensor: DiscoveredSensor, _ kinds: [String], _ expected: Entity.Expectation
    ) -> [String] {
        let meaning = sensor.alarmClass.flatMap { SensorClass(rawValue: $0)?.name }
        let isState = kinds.contains("state") && (sensor.kind == .text || sensor.kind == .temperature)
        return [
            kinds.contains(sensor.kind.rawValue) || isState ? nil : "is \(sensor.kind), not \(expected.kind)",
            sensor.unit == expected.unit || isState ? nil : "unit \(sensor.unit), not \(expected.unit)",
            meaning == expected.class || kinds.count > 1 ? nil : "means \(meaning ?? "nothing")",
        ].compactMap(\.self)
    }

    private func faults(reading found: DiscoveredSensor, _ entity: Entity) -> [String] {
        let sensor = Sensor(
            id: .new(at: noon), number: 1, device: .new(at: noon), site: .new(at: noon), key: found.key,
            name: found.name, kind: found.kind, unit: found.unit, range: found.range, binding: found.binding)
        if found.kind == .snapshot { return [] }
        return entity.states.filter { $0.topic == found.binding.topic }.compactMap { state in
            let outcome = PayloadReader(sensor).read(Array(state.payload.utf8), now: noon)
            var read: ReadingValue?
            if case .value(let value) = outcome { read = value.value }
            if case .beyond(let number) = outcome { read = .number(number) }
            return Self.isSame(read, state.reads, isState: kinds(entity).contains("state"))
                ? nil : "\(state.payload.prefix(90)) reads \(outcome), not \(String(describing: state.reads))"
        }
    }

    /// What a template rounds for people to see is kept as exactly as the device says it.
    private static func isSame(_ read: ReadingValue?, _ wanted: JSONTree?, isState: Bool) -> Bool {
        switch (read, wanted) {
        case (nil, nil), (nil, .null?): true
        case (.number(let one), .number(let other)?): abs(one - other) <= 0.05
        case (.truth(let one), .truth(let other)?): one == other
        case (.text(let one), let other?): one == other.word || isState && one.lowercased() == other.word?.lowercased()
        default: isState
        }
    }

    private func faults(availability: [Availability], _ entity: Entity) -> [String] {
        (entity.availability ?? []).compactMap { said in
            let places = availability.filter { $0.topic == said.topic }
            if places.isEmpty { return "availability \(said.topic) is not heard" }
            let isOnline = places.contains { place in
                let outcome = PayloadReader(place).read(Array(said.payload.utf8), now: noon)
                return outcome == .value(.init(value: .truth(said.isOnline ?? true)))
            }
            return isOnline ? nil : "availability \(said.payload.prefix(60)) is not read"
        }
    }

    private func faults(commanding found: DiscoveredActuator, _ entity: Entity) -> [String] {
        let actuator = Actuator(
            id: .new(at: noon), device: .new(at: noon), site: .new(at: noon), gateway: .new(at: noon), key: found.key,
            name: found.name, kind: found.kind, binding: found.binding)
        return (entity.commands ?? []).compactMap { command in
            guard let value = Self.value(command.do, actuator) else { return nil }
            do throws(ActuationRefusal) {
                let told = try ActuatorMessage.messages(for: actuator, value)
                let isRight = told.contains {
                    $0.topic == command.topic
                        && Self.isSame(String(decoding: $0.payload, as: UTF8.self), command.payload)
                }
                let all = told.map { "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))" }
                return isRight ? nil : "\(command.do): \(all), not \(command.topic) \(command.payload)"
            } catch {
                return "\(command.do): \(error)"
            }
        }
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        func tree(_ text: String) -> JSONTree? { try? JSONReader.decode(JSONTree.self, from: Array(text.utf8)) }
        // A truth of JSON is one word in Python and another in JSON: devices read both.
        return one == other || ["true", "false"].contains(one) && one == other.lowercased()
            || tree(one).map { $0 == tree(other) } ?? false
    }

    /// What the table calls a command; nil: none that the hub has.
    private static func value(_ words: String, _ actuator: Actuator) -> ActuatorValue? {
        let parts = words.split(separator: " ").map(String.init)
        return switch (parts.first, parts.dropFirst().first) {
        case ("on", nil), ("open", nil), ("press", nil): .on
        case ("off", nil), ("close", nil): .off
        // Under 50 % a fan is off with us.
        case ("percent", let number?):
            UInt8(number).flatMap { actuator.kind == .fan && $0 < 50 ? nil : .percent($0) }
        case ("position", let number?): UInt8(number).map { .percent($0) }
        case ("number", let number?), ("value", let number?): Double(number).map { .number($0) }
        case ("text", _?): .text(parts.dropFirst().joined(separator: " "))
        default: nil
        }
    }

    @Test func `Every detector of gas, fire and carbon monoxide is taken for what it is`() throws {
        let detectors = try Self.entities().filter(\.expect.isLifeSafety)
        #expect(detectors.count >= 60)
        for entity in detectors {
            let faults = faults(entity)
            #expect(faults.isEmpty, "\(entity.id): \(faults.joined(separator: "; "))")
        }
    }

    @Test func `At least nine in ten entities are taken with the right kind, unit, meaning, readings and commands`()
        throws
    {
        let all = try Self.entities()
        let wrong = all.map { ($0.id, faults($0)) }.filter { !$0.1.isEmpty }
        #expect(all.count >= 300)
        let told = wrong.map { "\($0.0): \($0.1.joined(separator: "; "))" }.joined(separator: "\n")
        #expect(wrong.count <= 16 && wrong.count * 10 <= all.count, "\(wrong.count) of \(all.count) are not:\n\(told)")
    }
}
