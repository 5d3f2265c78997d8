import JSON
import Safeguard
import Template

/// What is published so that an actuator does something.
package struct ActuatorMessage: Sendable, Equatable {
    /// Where, below its gateway's own topics, and what.
    package let (topic, payload): (String, [UInt8])
}

package extension ActuatorMessage {
    init(_ topic: String, _ text: String) { (self.topic, payload) = (topic, Array(text.utf8)) }

    init(_ topic: String, _ json: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(capacity: 64)
        writer.object(json)
        (self.topic, payload) = (topic, writer.bytes)
    }

    /// In the order in which they are sent.
    /// - Throws: `notOfItsKind`, `outOfRange`, `unknown` when it has nowhere to be told.
    static func messages(for actuator: Actuator, _ value: ActuatorValue) throws(ActuationRefusal) -> [ActuatorMessage] {
        let binding = actuator.binding
        switch value {
        case .on: return [try turned(actuator, on: true)]
        case .off: return [try turned(actuator, on: false)]
        case .percent(let percent):
            guard percent <= 100 else { throw .outOfRange }
            return try share(percent, actuator)
        case .colour(let red, let green, let blue):
            guard actuator.kind == .light, let topic = binding.colourTopic else { throw .notOfItsKind }
            if binding.isJSON {
                let light = LightColour(on: binding.on, colour: .init(red: red, green: green, blue: blue))
                return [ActuatorMessage(topic) { LightColour.shape.writeFields(of: light, to: &$0) }]
            }
            let colour = try ActuatorMessage(
                topic, "\(red),\(green),\(blue)", binding.templates?.colour,
                [
                    "red": .integer(Int(red)), "green": .integer(Int(green)), "blue": .integer(Int(blue)),
                    "value": .text("\(red),\(green),\(blue)"),
                ])
            return [colour] + (try switchedOn(actuator, beside: topic))
        case .number(let number):
            guard actuator.kind == .number || actuator.kind == .other, let topic = binding.valueTopic else {
                throw .notOfItsKind
            }
            guard number.isFinite, number >= min(binding.low, binding.high), number <= max(binding.low, binding.high)
            else { throw .outOfRange }
            return [try told(topic, number, binding)]
        case .text(let words):
            guard actuator.kind == .display else { throw .notOfItsKind }
            guard let topic = binding.valueTopic ?? binding.commandTopic else { throw .unknown }
            // What a display says that it shows may come from outside: not every number fits an integer.
            let most = Int(min(max(binding.high, 1), Double(longestText)))
            guard words.count <= most, words.utf8.count <= 4 * most,
                !words.unicodeScalars.contains(where: {
                    $0.value < 0x20 && $0 != "\n" || (0x7f..<0xa0).contains($0.value)
                })
            else { throw .outOfRange }
            return [try ActuatorMessage(topic, words, binding.templates?.value, ["value": .text(words)])]
        }
    }
}

extension ActuatorMessage {
    /// What a template makes of what is told; without one, the plain text.
    /// - Throws: `notOfItsKind` when it makes nothing of it.
    private init(
        _ topic: String, _ plain: String, _ template: Template?, _ variables: @autoclosure () -> [String: TemplateValue]
    ) throws(ActuationRefusal) {
        guard let template else {
            self.init(topic, plain)
            return
        }
        do { self.init(topic, try template.text(variables())) } catch { throw .notOfItsKind }
        if payload.isEmpty { throw .notOfItsKind }
    }

    /// A number as templates have it: a whole one without a point.
    private static func value(_ number: Double) -> TemplateValue {
        Int(exactly: number).map { .integer($0) } ?? .number(number)
    }

    /// A number, or the names that Home Assistant's templates have for it: a position is `value`, too.
    private static func told(
        _ topic: String, _ number: Double, _ binding: ActuatorBinding
    ) throws(ActuationRefusal) -> ActuatorMessage {
        try ActuatorMessage(
            topic, text(number), binding.templates?.value,
            [
                "value": value(number), "position": value(number), "position_open": value(binding.high),
                "position_closed": value(binding.low),
            ])
    }

    /// The most characters of a text, whatever a display says that it shows.
    static let longestText = 255

    private static func turned(_ actuator: Actuator, on isOn: Bool) throws(ActuationRefusal) -> ActuatorMessage {
        let binding = actuator.binding
        let isOfItsKind = actuator.kind != .number && actuator.kind != .display
        guard let topic = binding.commandTopic else {
            guard isOfItsKind else { throw .notOfItsKind }
            guard let topic = binding.valueTopic else { throw .unknown }
            return try told(topic, isOn ? binding.high : binding.low, binding)
        }
        guard isOfItsKind else { throw .notOfItsKind }
        let word = isOn ? binding.on : binding.off
        // A button is pressed; it has nothing for off.
        if word.isEmpty { throw .notOfItsKind }
        let template = isOn ? binding.templates?.turned : binding.templates?.off ?? binding.templates?.turned
        if binding.isJSON, template == nil { return ActuatorMessage(topic) { $0.field("state", word) } }
        return try ActuatorMessage(topic, word, template, ["value": .text(word)])
    }

    private static func share(_ percent: UInt8, _ actuator: Actuator) throws(ActuationRefusal) -> [ActuatorMessage] {
        let binding = actuator.binding
        switch actuator.kind {
        case .fan:
            let percent = Ventilation.meaning(of: Int(percent))
            if percent == 0 { return [try turned(actuator, on: false)] }
            guard let topic = binding.valueTopic else { return [try turned(actuator, on: true)] }
            // Of a fan with three speeds, 75 % is the third.
            let speed = min(value(of: percent, binding).rounded(.up), binding.high)
            return try switchedOn(actuator, beside: topic) + [try told(topic, speed, binding)]
        case .light:
            if percent == 0 { return [try turned(actuator, on: false)] }
            guard let topic = binding.valueTopic else { throw .notOfItsKind }
            let level = max(value(of: percent, binding).rounded(), 1)
            if binding.isJSON {
                let light = LightLevel(on: binding.on, level: text(level))
                return [ActuatorMessage(topic) { LightLevel.shape.writeFields(of: light, to: &$0) }]
            }
            return [try told(topic, level, binding)] + (try switchedOn(actuator, beside: topic))
        case .valve, .other:
            guard let topic = binding.valueTopic else {
                guard percent == 0 || percent == 100 else { throw .notOfItsKind }
                return [try turned(actuator, on: percent == 100)]
            }
            let position = value(of: percent, binding)
            return [try told(topic, abs(binding.high - binding.low) > 1 ? position.rounded() : position, binding)]
        case .siren, .display, .plug, .number: throw .notOfItsKind
        }
    }

    private static func value(of percent: UInt8, _ binding: ActuatorBinding) -> Double {
        binding.low + (binding.high - binding.low) * Double(percent) / 100
    }

    /// That it is on, where that is told at another place than how much.
    private static func switchedOn(_ actuator: Actuator, beside topic: String) throws(ActuationRefusal)
        -> [ActuatorMessage]
    {
        guard let command = actuator.binding.commandTopic, command != topic else { return [] }
        return [try turned(actuator, on: true)]
    }

    /// As devices write numbers: `100`, `0.5`.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { String($0) } ?? number.description
    }
}

/// What a light that takes JSON is told of its colour.
private struct LightColour: JSONObject {
    struct Colour: JSONObject {
        let red: UInt8
        let green: UInt8
        let blue: UInt8

        static let shape = Shape<Colour> {
            JSONField("r") { Int($0.red) }
            JSONField("g") { Int($0.green) }
            JSONField("b") { Int($0.blue) }
        }
    }

    let on: String
    let colour: Colour

    static let shape = Shape<LightColour> {
        JSONField("state") { $0.on }
        JSONField("color") { $0.colour }
    }
}

/// The same of its brightness.
private struct LightLevel: JSONObject {
    let on: String
    /// A number, as devices write them.
    let level: String

    static let shape = Shape<LightLevel> {
        JSONField("state") { $0.on }
        JSONField("brightness", Double.schema(""), writing: { light, json in json.raw(light.level.utf8) })
    }
}
