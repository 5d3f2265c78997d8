import Ledger
import Notices
import Safeguard
import System
import Template
import TestSupport
import Testing

@testable import Home
@testable import Household

/// Values, availability and commands that a device's templates compute.
struct ComputedTests {
    private func read(_ template: String, _ payload: String, _ kind: SensorKind) throws -> PayloadReader.Outcome {
        let sensor = Sensor(
            id: .new(at: noon), number: 1, device: .new(at: noon), site: .new(at: noon), key: "s", name: "S",
            kind: kind, binding: SensorBinding(topic: "s", template: try Template(template)))
        return PayloadReader(sensor).read(Array(payload.utf8), now: noon)
    }

    private func value(_ value: ReadingValue) -> PayloadReader.Outcome { .value(.init(value: value)) }

    @Test func `A heavy leak of Shelly's detector is an alarm`() throws {
        let template = #"{%if value in ["mild","heavy"]%}ON{%else%}OFF{%endif%}"#
        #expect(try read(template, "heavy", .gasAlarm) == value(.truth(true)))
        #expect(try read(template, "none", .gasAlarm) == value(.truth(false)))
    }

    @Test func `What is computed is read as the sensor's kind, and what is not known is nothing`() throws {
        #expect(try read("{{ value_json.t / 10 }}", #"{"t":215}"#, .temperature) == value(.number(21.5)))
        #expect(try read("{{ value_json.t / 10 }}", #"{"u":215}"#, .temperature) == .nothing)
        #expect(try read("{{ value_json.t / 10 }}", #"{"t":"x"}"#, .temperature) == .refused(.wrongKind))
        #expect(try read("{{ value_json.t / 10 }}", "no JSON", .temperature) == .nothing)
        #expect(try read("{{ value_json.t if value_json.t != 255 }}", #"{"t":255}"#, .number) == .nothing)
        #expect(try read("{{ none if value == 'x' else value }}", "x", .number) == .nothing)
        #expect(try read("{{ value_json.a ~ value_json.b }}", #"{"a":"x","b":1}"#, .text) == value(.text("x1")))
        #expect(try read("{{ value | float * 1e300 * 1e300 }}", "1", .number) != .nothing)
    }

    @Test func `A reading that a template would invent for a missing one ends no alarm`() throws {
        let fields = DiscoveryFields(["value_template": .text("{{ value_json.smoke | default(false) }}")])
        let source = try fields.source("value_template")
        #expect(source == ValueSource(path: ["smoke"]))
    }

    @Test func `Commands are what their templates make of them`() throws {
        func told(_ kind: ActuatorKind, _ binding: ActuatorBinding, _ value: ActuatorValue) throws -> [String] {
            let actuator = Actuator(
                id: .new(at: noon), device: .new(at: noon), site: .new(at: noon), gateway: .new(at: noon), key: "a",
                name: "A", kind: kind, binding: binding)
            return try ActuatorMessage.messages(for: actuator, value).map {
                $0.topic + " " + String(decoding: $0.payload, as: UTF8.self)
            }
        }
        var siren = ActuatorBinding(commandTopic: "s", isJSON: true, templates: CommandTemplates())
        siren.templates?.turned = try Template(
            #"{"warning":{"mode":"emergency","duration":{{ duration | int(10) if duration is defined else 10 }}}}"#)
        siren.templates?.off = try Template(#"{"warning":{"mode":"stop"}}"#)
        #expect(try told(.siren, siren, .on) == [#"s {"warning":{"mode":"emergency","duration":10}}"#])
        #expect(try told(.siren, siren, .off) == [#"s {"warning":{"mode":"stop"}}"#])
        siren.templates?.off = nil
        siren.templates?.turned = try Template("{{ value | lower }}")
        #expect(try told(.siren, siren, .off) == ["s off"])
        var fan = ActuatorBinding(commandTopic: "f", valueTopic: "f/pct", templates: CommandTemplates())
        fan.templates?.value = try Template("{{ {1:'low',2:'high'}[(value/50)|round(0,'ceil')|int] }}")
        #expect(try told(.fan, fan, .percent(60)) == ["f ON", "f/pct high"])
        var light = ActuatorBinding(commandTopic: "l", colourTopic: "l/c", templates: CommandTemplates())
        light.templates?.colour = try Template("#{{ '%02x%02x%02x' | format(red, green, blue) }}")
        #expect(try told(.light, light, .colour(0, 255, 1)) == ["l/c #00ff01", "l ON"])
        var number = ActuatorBinding(valueTopic: "n", low: 0, high: 10, templates: CommandTemplates())
        number.templates?.value = try Template(#"{"interval":{{ value * 1000 }}}"#)
        #expect(try told(.number, number, .number(1)) == [#"n {"interval":1000}"#])
        number.templates?.value = try Template("{{ 1 / value }}")
        #expect(throws: ActuationRefusal.notOfItsKind) { try told(.number, number, .number(0)) }
    }

    @Test func `What one template lacks costs that alone, and is named`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            let topic = "homeassistant/fan/k/extractor/config"
            try await speaker.say(
                topic,
                #"{"dev":{"ids":"k","name":"Hood"},"uniq_id":"f","name":"Fan","cmd_t":"f/set","stat_t":"f","pct_cmd_t":"f/pct","#
                    + #""pct_cmd_tpl":"{% for x in value %}{% endfor %}"}"#)
            let fan = try #require(speaker.catalog.actuators.values.first)
            #expect(fan.kind == .fan && fan.binding.commandTopic == "f/set" && fan.binding.valueTopic == nil)
            #expect(
                try house.parts.refused.untaken(of: house.gateway.id).map(\.why) == [
                    .init(.computedCommand, "percentage_command_template")
                ])
            #expect(speaker.faults().isEmpty)
        }
    }

    @Test func `A detector that cannot be read is a fault until it can, or is gone`() async throws {
        try await TestHouse.run { house in
            let topic = "homeassistant/binary_sensor/k/smoke/config"
            func smoke(_ template: String) -> String {
                #"{"dev":{"ids":"k","name":"Hall"},"uniq_id":"s","name":"Smoke","dev_cla":"smoke","stat_t":"s","val_tpl":"\#(template)"}"#
            }
            let speaker = try Speaker(house)
            try await speaker.say(topic, smoke("{{ states('x') }}"))
            #expect(speaker.faults().map { $0.text[.en].title } == ["Detector not in use: Smoke (Hall)"])
            #expect(await eventually { house.alarms.journal.waiting == 0 })
            // After a start it is the same one.
            let again = try Speaker(house)
            #expect(again.faults().map(\.id) == speaker.faults().map(\.id))
            // However it is called by now, and however often it says so.
            for name in 0..<RefusedDetectors.mostInAnHour + 2 {
                house.move(seconds: 60)
                try await again.say(topic, smoke("{{ now() }}{# \(name) #}").replacing("Smoke", with: "Smoke \(name)"))
                #expect(again.faults().count == 1)
            }
            try await again.say(topic, smoke("{{ value_json.smoke }}"))
            #expect(again.faults().isEmpty && again.catalog.sensors.values.first?.kind == .smoke)
            try await again.say(topic, smoke("{{ now() }}"))
            #expect(again.faults().count == 1)
            try await again.say(topic, "")
            #expect(again.faults().isEmpty)
            // A lamp that cannot be read is on the page of its connection alone.
            try await again.say("homeassistant/switch/k/lamp/config", smoke("{{ now() }}"))
            #expect(again.faults().isEmpty)
        }
    }

    @Test func `A fan in steps is shown in per cent, and one that is off is off`() async throws {
        try await TestHouse.run { house in
            let fan = try await house.actuator(
                "fan", .fan,
                binding: ActuatorBinding(
                    commandTopic: "fan/set", valueTopic: "fan/speed/set", low: 0, high: 3,
                    state: SensorBinding(topic: "fan/state"), level: SensorBinding(topic: "fan/speed")))
            let intake = house.parts.makeIntake()
            func value() -> ReadingValue? { house.parts.live.actuator(fan.id).value }
            await intake.receive("fan/speed", "3", from: house.gateway)
            #expect(value() == .number(100))
            await intake.receive("fan/state", "OFF", from: house.gateway)
            #expect(value() == .truth(false))
            await intake.receive("fan/speed", "2", from: house.gateway)
            #expect(value() == .truth(false), "it keeps its speed for the next time")
            await intake.receive("fan/state", "ON", from: house.gateway)
            #expect(value() == .number(67))
            for wrong in ["127", "-4"] { await intake.receive("fan/speed", wrong, from: house.gateway) }
            #expect(value() == .number(0), "never more than all")
        }
    }

    @Test func `A device's availability may be computed`() async throws {
        try await TestHouse.run { house in
            let availability = Availability(
                topic: "node/status", template: try Template("{{'true' if value_json.status == 'Alive' else 'false'}}"),
                online: "true", offline: "false")
            let sensor = try await house.sensor(
                "smoke", .smoke, binding: SensorBinding(topic: "smoke/state", availability: [availability]))
            let intake = house.parts.makeIntake()
            await intake.receive("smoke/state", "OFF", from: house.gateway)
            await intake.receive("node/status", #"{"status":"Dead"}"#, from: house.gateway)
            #expect(house.parts.live.sensor(sensor.id).status == .unavailable)
            await intake.receive("node/status", #"{"status":"Alive"}"#, from: house.gateway)
            #expect(house.parts.live.sensor(sensor.id).status == .live)
        }
    }
}
