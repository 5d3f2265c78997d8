import Testing

@testable import Home
@testable import Household

struct ActuatorMessageTests {
    private func actuator(_ kind: ActuatorKind, _ binding: ActuatorBinding) -> Actuator {
        Actuator(
            id: .new(at: noon), device: .new(at: noon), site: .new(at: noon), gateway: .new(at: noon), key: "a",
            name: "A",
            kind: kind, binding: binding)
    }

    private func told(_ kind: ActuatorKind, _ binding: ActuatorBinding, _ value: ActuatorValue) throws -> [String] {
        try ActuatorMessage.messages(for: actuator(kind, binding), value).map {
            $0.topic + " " + String(decoding: $0.payload, as: UTF8.self)
        }
    }

    @Test func `A siren is told its two words, as JSON where it wants that`() throws {
        #expect(try told(.siren, ActuatorBinding(commandTopic: "s", on: "1", off: "0"), .on) == ["s 1"])
        #expect(try told(.siren, ActuatorBinding(commandTopic: "s", isJSON: true), .off) == [#"s {"state":"OFF"}"#])
        #expect(throws: ActuationRefusal.notOfItsKind) {
            try told(.siren, ActuatorBinding(commandTopic: "s"), .percent(50))
        }
    }

    @Test func `A fan runs from 50 to 100 per cent, and less is off`() throws {
        let fan = ActuatorBinding(commandTopic: "f", valueTopic: "f/pct")
        #expect(try told(.fan, fan, .percent(49)) == ["f OFF"])
        #expect(try told(.fan, fan, .percent(50)) == ["f ON", "f/pct 50"])
        #expect(try told(.fan, fan, .percent(100)) == ["f ON", "f/pct 100"])
        #expect(throws: ActuationRefusal.outOfRange) { try told(.fan, fan, .percent(101)) }
        let steps = ActuatorBinding(commandTopic: "f", valueTopic: "f/step", low: 0, high: 3)
        #expect(try told(.fan, steps, .percent(75)) == ["f ON", "f/step 3"])
        #expect(try told(.fan, steps, .percent(50)) == ["f ON", "f/step 2"])
        #expect(try told(.fan, ActuatorBinding(commandTopic: "f"), .percent(60)) == ["f ON"])
        #expect(try told(.fan, ActuatorBinding(commandTopic: "f", valueTopic: "f"), .percent(60)) == ["f 60"])
    }

    @Test func `A light is told brightness and colour in its own scale and form`() throws {
        let plain = ActuatorBinding(commandTopic: "l", valueTopic: "l/bri", high: 255, colourTopic: "l/rgb")
        #expect(try told(.light, plain, .percent(50)) == ["l/bri 128", "l ON"])
        #expect(try told(.light, plain, .percent(0)) == ["l OFF"])
        #expect(try told(.light, plain, .colour(255, 128, 0)) == ["l/rgb 255,128,0", "l ON"])
        let json = ActuatorBinding(commandTopic: "l", valueTopic: "l", high: 254, colourTopic: "l", isJSON: true)
        #expect(try told(.light, json, .percent(100)) == [#"l {"state":"ON","brightness":254}"#])
        #expect(try told(.light, json, .colour(1, 2, 3)) == [#"l {"state":"ON","color":{"r":1,"g":2,"b":3}}"#])
    }

    @Test func `A number stays within its bounds, and a text within its display`() throws {
        let number = ActuatorBinding(valueTopic: "n", low: 0, high: 10)
        #expect(try told(.number, number, .number(2.5)) == ["n 2.5"])
        for wrong in [-1, 11, Double.nan, .infinity] {
            #expect(throws: ActuationRefusal.outOfRange) { try told(.number, number, .number(wrong)) }
        }
        #expect(throws: ActuationRefusal.notOfItsKind) { try told(.number, number, .on) }
        let display = ActuatorBinding(valueTopic: "t", high: 5)
        #expect(try told(.display, display, .text("Città")) == ["t Città"])
        #expect(throws: ActuationRefusal.outOfRange) { try told(.display, display, .text("123456")) }
        #expect(throws: ActuationRefusal.outOfRange) { try told(.display, display, .text("a\u{7}")) }
    }

    @Test func `A valve is told a position, and a button is pressed and never released`() throws {
        let valve = ActuatorBinding(commandTopic: "v", valueTopic: "v/pos", low: 100, high: 0)
        #expect(try told(.valve, valve, .percent(25)) == ["v/pos 75"])
        let button = ActuatorBinding(commandTopic: "b", on: "PRESS", off: "")
        #expect(try told(.other, button, .on) == ["b PRESS"])
        #expect(throws: ActuationRefusal.notOfItsKind) { try told(.other, button, .off) }
        #expect(throws: ActuationRefusal.unknown) { try told(.plug, ActuatorBinding(), .on) }
    }

    @Test func `A valve opens for whoever may, one of a box never, and what protects is told however often`()
        async throws
    {
        try await TestHouse.run { house in
            let (parts, gateway, device) = (house.parts, house.gateway, house.device)
            func add(_ kind: ActuatorKind) async throws -> Actuator {
                let one = Actuator(
                    id: .new(at: noon), device: device.id, site: house.site.id, gateway: gateway.id, key: kind.rawValue,
                    name: kind.rawValue, kind: kind, binding: ActuatorBinding(commandTopic: kind.rawValue + "/set"))
                try await parts.registry.change(at: house.site.id) { try HomeRecords.put(one, in: $0) }
                return one
            }
            let (valve, siren) = (try await add(.valve), try await add(.siren))
            #expect(throws: ActuationRefusal.opens) { try parts.actuation.set(valve, to: .on) }
            // There is no bus in this house: whoever gets that far was let through.
            #expect(throws: ActuationRefusal.notReachable) {
                try parts.actuation.set(valve, to: .on, mayOpen: true)
            }
            for _ in 0..<(2 * Actuation.most) {
                #expect(throws: ActuationRefusal.notReachable) { try parts.actuation.set(valve, to: .off) }
                #expect(throws: ActuationRefusal.notReachable) { try parts.actuation.set(siren, to: .on) }
            }
            for _ in 0..<Actuation.most {
                #expect(throws: ActuationRefusal.notReachable) { try parts.actuation.set(siren, to: .off) }
            }
            #expect(throws: ActuationRefusal.tooOften) { try parts.actuation.set(siren, to: .off) }
            house.time.change { $0 = $0.adding(milliseconds: Actuation.window) }
            #expect(throws: ActuationRefusal.notReachable) { try parts.actuation.set(siren, to: .off) }
        }
    }
}
