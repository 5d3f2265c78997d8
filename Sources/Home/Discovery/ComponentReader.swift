import Household
import Safeguard
import Template

/// Reads one component of a discovery message.
struct ComponentReader {
    /// What a component turned out to be.
    enum Part {
        case sensor(DiscoveredSensor)
        case actuator(DiscoveredActuator)
        /// Nothing that is of use here, and nothing wrong with it.
        case nothing
    }

    /// `sensor`, `switch`, …
    let platform: String
    let fields: DiscoveryFields
    /// Its unique id, as a key.
    let key: String
    /// What it is called where it has no name.
    let deviceName: String
    /// What its device is; empty: not told.
    let deviceModel: String
    /// Whether it describes itself by our own words beside Home Assistant's.
    let isOurs: Bool
    /// What of it cannot be read while the rest is taken.
    var lacks: [DiscoveryRefusal] = []

    /// - Throws: why it is not taken.
    mutating func part() throws(DiscoveryRefusal) -> Part {
        // What a device does not want to be seen unless somebody asks, nobody has asked for.
        if fields["enabled_by_default"] != nil, !fields.truth("enabled_by_default") { return .nothing }
        switch platform {
        case "sensor": return .sensor(try sensor())
        case "binary_sensor": return .sensor(try binarySensor())
        case "tag": return .sensor(try tag())
        case "camera", "image": return .sensor(try picture())
        case "switch": return .actuator(try toggle(.plug))
        case "siren": return .actuator(try siren())
        case "light": return .actuator(try light())
        case "fan": return .actuator(try fan())
        case "valve": return .actuator(try valve())
        case "cover" where opensDoors: return .sensor(try state())
        case "cover": return .actuator(try cover())
        case "number": return .actuator(try number())
        case "text", "notify": return .actuator(try text())
        case "button": return .actuator(try button())
        // What they are set to can be seen; to set them is for others.
        case "lock", "select", "event": return .sensor(try state())
        case "climate", "water_heater": return .sensor(try climate())
        // The hub has a panel of its own; the press of a remote control is no reading.
        case "alarm_control_panel", "device_automation", "scene", "update", "device_tracker": return .nothing
        default: throw DiscoveryRefusal(.unknownPlatform, Self.shown(platform))
        }
    }

    private static func shown(_ platform: String) -> String {
        platform.utf8.count <= 32 && platform.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "_") }
            ? platform : "…"
    }

    // MARK: sensors

    private mutating func sensor() throws(DiscoveryRefusal) -> DiscoveredSensor {
        let unit = try fields.word("unit_of_measurement").map(DiscoveryText.unit) ?? ""
        guard unit.utf8.count <= DiscoveryLimit.unit else { throw DiscoveryRefusal(.longUnit) }
        _ = try fields.word("device_class")
        let own = isOurs ? try fields.word("kind") : nil
        let kind = own.flatMap { SensorKind(rawValue: $0) } ?? SensorMeaning.kind(of: description)
        var found = DiscoveredSensor(
            key: key, name: name, kind: kind, unit: unit, binding: try heard(isNumber: !kind.isTruth && kind != .text))
        if kind.isTruth { (found.binding.on, found.binding.off) = try onAndOff(found.binding.path) }
        (found.low, found.high) = (try fields.number("min"), try fields.number("max"))
        if let low = found.low, let high = found.high, low > high { throw DiscoveryRefusal(.emptyRange) }
        if isOurs { found.period = try fields.seconds("period") }
        found.alarmClass = kind.usualClass?.rawValue
        return found
    }

    private mutating func binarySensor() throws(DiscoveryRefusal) -> DiscoveredSensor {
        let (kind, alarmClass) = SensorMeaning.binary(description)
        var found = DiscoveredSensor(key: key, name: name, kind: kind, binding: try heard())
        (found.binding.on, found.binding.off) = try onAndOff(found.binding.path)
        found.binding.offDelay = try fields.seconds("off_delay")
        if isOurs { found.period = try fields.seconds("period") }
        found.alarmClass = alarmClass?.rawValue
        return found
    }

    /// Whether it is a door, a garage or a gate: what lets people in is no actuator of a house.
    private var opensDoors: Bool { ["door", "garage", "gate"].contains(fields["device_class"]?.word ?? "") }

    /// Whether it would watch for gas, fire or carbon monoxide, if it could be read.
    var savesLives: Bool {
        let described = description
        return switch platform {
        case "sensor": SensorMeaning.kind(of: described).savesLives
        case "binary_sensor": SensorMeaning.binary(described).0.savesLives
        default: false
        }
    }

    /// The same by its class alone, where its platform is missing or misspelt.
    var isOfClassThatSavesLives: Bool {
        let described = description
        guard described.deviceClass != nil else { return false }
        return SensorMeaning.kind(of: described).savesLives || SensorMeaning.binary(described).0.savesLives
    }

    /// What it says of itself.
    private var description: SensorMeaning.Description {
        SensorMeaning.Description(
            deviceClass: fields["device_class"]?.word,
            unit: fields["unit_of_measurement"]?.word.map(DiscoveryText.unit) ?? "",
            stateClass: fields["state_class"]?.word, options: fields.words("options"),
            names: [key, fields["name"]?.word ?? ""], device: [deviceName, deviceModel],
            isDiagnostic: fields["entity_category"]?.word == "diagnostic")
    }

    private mutating func tag() throws(DiscoveryRefusal) -> DiscoveredSensor {
        DiscoveredSensor(key: key, name: name, kind: .tag, binding: try heard("topic"))
    }

    private mutating func picture() throws(DiscoveryRefusal) -> DiscoveredSensor {
        if fields["image_encoding"] != nil { throw DiscoveryRefusal(.encodedPicture) }
        guard platform == "camera" || fields["url_topic"] == nil else {
            throw DiscoveryRefusal(.remotePicture)
        }
        return DiscoveredSensor(
            key: key, name: name, kind: .snapshot, binding: try heard(platform == "camera" ? "topic" : "image_topic"))
    }

    /// What something is set to, as a text: a lock, a choice, the last event.
    private mutating func state() throws(DiscoveryRefusal) -> DiscoveredSensor {
        let isPosition = fields["state_topic"] == nil && fields["position_topic"] != nil
        var binding: SensorBinding
        if isPosition, let topic = try fields.topic("position_topic") {
            binding = try heard(at: topic, fields.source("position_template"))
        } else {
            binding = try heard()
        }
        if fields["command_topic"] != nil, platform != "select" { lacks.append(DiscoveryRefusal(.opensDoors)) }
        if platform == "event" { binding.path = binding.path + ["event_type"] }
        return DiscoveredSensor(key: key, name: name, kind: .text, binding: binding)
    }

    /// How warm it is there; of one that does not measure that, what it is set to.
    private mutating func climate() throws(DiscoveryRefusal) -> DiscoveredSensor {
        guard let topic = try fields.topic("current_temperature_topic") else {
            guard let topic = try fields.topic("mode_state_topic") else {
                throw DiscoveryRefusal(.missing, "current_temperature_topic")
            }
            return DiscoveredSensor(
                key: key, name: name, kind: .text, binding: try heard(at: topic, fields.source("mode_state_template")))
        }
        let unit = try fields.word("temperature_unit") ?? "C"
        return DiscoveredSensor(
            key: key, name: name, kind: .temperature, unit: unit.hasPrefix("°") ? unit : "°" + unit,
            binding: try heard(at: topic, fields.source("current_temperature_template", isNumber: true)))
    }

    // MARK: actuators

    private mutating func toggle(_ kind: ActuatorKind) throws(DiscoveryRefusal) -> DiscoveredActuator {
        var binding = try switched()
        let on = binding.on
        binding.templates = try commands { (all, fields) throws(DiscoveryRefusal) in
            all.turned = try fields.command("command_template", trying: ["value": .text(on)])
        }
        return DiscoveredActuator(key: key, name: name, kind: kind, binding: binding)
    }

    private mutating func siren() throws(DiscoveryRefusal) -> DiscoveredActuator {
        var binding = try switched()
        let (on, off) = (binding.on, binding.off)
        binding.templates = try commands { (all, fields) throws(DiscoveryRefusal) in
            all.turned = try fields.command("command_template", trying: ["value": .text(on)])
            all.off = try fields.command("command_off_template", trying: ["value": .text(off)])
        }
        // Home Assistant tells sirens `{"state": "ON"}` unless a template says otherwise; our own topics know the bare word.
        binding.isJSON = !isOurs && fields["command_template"] == nil
        return DiscoveredActuator(key: key, name: name, kind: .siren, binding: binding)
    }

    private mutating func light() throws(DiscoveryRefusal) -> DiscoveredActuator {
        switch try fields.word("schema") ?? "basic" {
        case "basic", "default":
            var binding = try switched()
            binding.valueTopic = try fields.commandTopic("brightness_command_topic")
            binding.high = try scale("brightness_scale", usual: 255)
            binding.colourTopic = try fields.commandTopic("rgb_command_topic")
            let value = command("brightness_command_template", trying: Self.level)
            let colour = command("rgb_command_template", trying: Self.colour)
            if value.isUnreadable { binding.valueTopic = nil }
            if colour.isUnreadable { binding.colourTopic = nil }
            binding.templates = try commands { (all, _) throws(DiscoveryRefusal) in
                (all.value, all.colour) = (value.template, colour.template)
            }
            return DiscoveredActuator(key: key, name: name, kind: .light, binding: binding)
        case "json":
            var binding = try switched(on: "ON", off: "OFF")
            binding.isJSON = true
            binding.high = try scale("brightness_scale", usual: 255)
            let modes = Set(fields.words("supported_color_modes"))
            let hasColour = !modes.isDisjoint(with: ["rgb", "rgbw", "rgbww", "hs", "xy"])
            if fields.truth("brightness") || hasColour
                || !modes.isDisjoint(with: ["brightness", "color_temp", "white"])
            {
                binding.valueTopic = binding.commandTopic
            }
            if hasColour { binding.colourTopic = binding.commandTopic }
            binding.state?.path = ["state"]
            return DiscoveredActuator(key: key, name: name, kind: .light, binding: binding)
        case "template":
            var binding = try switched(on: "on", off: "off")
            binding.templates = try commands { (all, fields) throws(DiscoveryRefusal) in
                all.turned = try fields.command("command_on_template")
                all.off = try fields.command("command_off_template")
            }
            guard binding.templates?.turned != nil, binding.templates?.off != nil else {
                throw DiscoveryRefusal(.templateLight)
            }
            return DiscoveredActuator(key: key, name: name, kind: .light, binding: binding)
        default: throw DiscoveryRefusal(.templateLight)
        }
    }

    /// What a template is tried with.
    private static let level: [String: TemplateValue] = [
        "value": .integer(50), "position": .integer(50), "position_open": .integer(100), "position_closed": .integer(0),
    ]
    private static let colour: [String: TemplateValue] = [
        "red": .integer(1), "green": .integer(2), "blue": .integer(3), "value": .text("1,2,3"),
    ]

    /// The templates of its commands; nil: it has none.
    private func commands(
        _ read: (inout CommandTemplates, DiscoveryFields) throws(DiscoveryRefusal) -> Void
    ) throws(DiscoveryRefusal) -> CommandTemplates? {
        var all = CommandTemplates()
        try read(&all, fields)
        return all == CommandTemplates() ? nil : all
    }

    /// The template of a command that a component can do without.
    private mutating func command(
        _ key: String, trying sample: [String: TemplateValue]
    ) -> (template: Template?, isUnreadable: Bool) {
        let before = lacks.count
        let template = ifReadable { (reader: inout Self) throws(DiscoveryRefusal) in
            try reader.fields.command(key, trying: sample)
        }
        return (template, lacks.count > before)
    }

    private mutating func fan() throws(DiscoveryRefusal) -> DiscoveredActuator {
        var binding = try switched()
        binding.valueTopic = try fields.commandTopic("percentage_command_topic")
        let value = command("percentage_command_template", trying: Self.level)
        if value.isUnreadable { binding.valueTopic = nil }
        let on = binding.on
        binding.templates = try commands { (all, fields) throws(DiscoveryRefusal) in
            all.turned = try fields.command("command_template", trying: ["value": .text(on)])
            all.value = value.template
        }
        let (low, high) = (try fields.number("speed_range_min") ?? 1, try fields.number("speed_range_max") ?? 100)
        guard low >= 1, low < high, high <= 65_535 else { throw DiscoveryRefusal(.impossible, "speed_range_max") }
        // Steps, of which what lies below the first is off. Ours does not turn below 50 %, and is told per cent.
        (binding.low, binding.high) = isOurs ? (0, high) : (low - 1, high)
        if let topic = try fields.topic("percentage_state_topic") {
            binding.level = ifReadable { reader throws(DiscoveryRefusal) in
                try reader.heard(at: topic, reader.fields.source("percentage_value_template", isNumber: true))
            }
        }
        return DiscoveredActuator(key: key, name: name, kind: .fan, binding: binding)
    }

    private mutating func valve() throws(DiscoveryRefusal) -> DiscoveredActuator {
        var binding: ActuatorBinding
        if fields.truth("reports_position") {
            // Told and telling positions.
            let (closed, open) = try positions()
            binding = try switched(on: Self.text(open), off: Self.text(closed))
            (binding.valueTopic, binding.low, binding.high) = (binding.commandTopic, closed, open)
            binding.setState(on: Self.text(open), off: Self.text(closed))
        } else {
            binding = try opened()
        }
        let off = binding.off
        binding.templates = try commands { (all, fields) throws(DiscoveryRefusal) in
            all.turned = try fields.command("command_template", trying: ["value": .text(off)])
            all.value = all.turned
        }
        return DiscoveredActuator(key: key, name: name, kind: .valve, binding: binding)
    }

    private mutating func cover() throws(DiscoveryRefusal) -> DiscoveredActuator {
        var binding = try opened()
        binding.valueTopic = try fields.commandTopic("set_position_topic")
        let value = command("set_position_template", trying: Self.level)
        if value.isUnreadable { binding.valueTopic = nil }
        binding.templates = try commands { (all, _) throws(DiscoveryRefusal) in all.value = value.template }
        (binding.low, binding.high) = try positions()
        if binding.state == nil, let topic = try fields.topic("position_topic") {
            binding.state = ifReadable { reader throws(DiscoveryRefusal) in
                try reader.heard(at: topic, reader.fields.source("position_template"))
            }
            binding.setState(on: Self.text(binding.high), off: Self.text(binding.low))
        }
        return DiscoveredActuator(key: key, name: name, kind: .other, binding: binding)
    }

    private mutating func number() throws(DiscoveryRefusal) -> DiscoveredActuator {
        var binding = try told()
        binding.templates = try commands { (all, fields) throws(DiscoveryRefusal) in
            all.value = try fields.command("command_template", trying: Self.level)
        }
        // Told its number, and neither on nor off.
        (binding.valueTopic, binding.commandTopic) = (binding.commandTopic, nil)
        (binding.low, binding.high) = (try fields.number("min") ?? 1, try fields.number("max") ?? 100)
        guard binding.low < binding.high else { throw DiscoveryRefusal(.emptyRange) }
        return DiscoveredActuator(key: key, name: name, kind: .number, binding: binding)
    }

    private mutating func text() throws(DiscoveryRefusal) -> DiscoveredActuator {
        var binding = try told()
        binding.templates = try commands { (all, fields) throws(DiscoveryRefusal) in
            all.value = try fields.command("command_template", trying: ["value": .text("a")])
        }
        (binding.valueTopic, binding.commandTopic) = (binding.commandTopic, nil)
        // The most characters; a display has few.
        (binding.low, binding.high) = (0, min(max(try fields.number("max") ?? 255, 1), 255))
        return DiscoveredActuator(key: key, name: name, kind: .display, binding: binding)
    }

    private mutating func button() throws(DiscoveryRefusal) -> DiscoveredActuator {
        let press = try fields.word("payload_press") ?? "PRESS"
        var binding = try switched(on: press, off: "")
        binding.state = nil
        binding.templates = try commands { (all, fields) throws(DiscoveryRefusal) in
            all.turned = try fields.command("command_template", trying: ["value": .text(press)])
        }
        return DiscoveredActuator(key: key, name: name, kind: .other, binding: binding)
    }
}
