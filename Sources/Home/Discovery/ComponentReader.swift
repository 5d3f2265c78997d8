import Safeguard

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
    /// Whether it describes itself by our own words beside Home Assistant's.
    let isOurs: Bool

    /// - Throws: why it is not taken.
    func part() throws(DiscoveryRefusal) -> Part {
        // What a device does not want to be seen unless somebody asks, nobody has asked for.
        if let wanted = fields["enabled_by_default"], wanted == .truth(false) { return .nothing }
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
        case "cover": return .actuator(try cover())
        case "number": return .actuator(try number())
        case "text", "notify": return .actuator(try text())
        case "button": return .actuator(try button())
        // The hub has a panel of its own; the press of a remote control is no reading.
        case "alarm_control_panel", "device_automation", "event", "scene", "update", "device_tracker": return .nothing
        default: throw DiscoveryRefusal(.unknownPlatform, Self.shown(platform))
        }
    }

    private static func shown(_ platform: String) -> String {
        platform.utf8.count <= 32 && platform.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "_") }
            ? platform : "…"
    }

    // MARK: sensors

    private func sensor() throws(DiscoveryRefusal) -> DiscoveredSensor {
        let unit = try fields.word("unit_of_measurement") ?? ""
        guard unit.utf8.count <= DiscoveryLimit.unit else { throw DiscoveryRefusal(.longUnit) }
        let (own, described) = (isOurs ? try fields.word("kind") : nil, try description(unit: unit))
        let kind = own.flatMap { SensorKind(rawValue: $0) } ?? SensorMeaning.kind(of: described)
        var found = DiscoveredSensor(key: key, name: name, kind: kind, unit: unit, binding: try heard())
        if kind.isTruth { (found.binding.on, found.binding.off) = try onAndOff(found.binding.path) }
        (found.low, found.high) = (try fields.number("min"), try fields.number("max"))
        if let low = found.low, let high = found.high, low > high { throw DiscoveryRefusal(.emptyRange) }
        if isOurs { found.period = try fields.seconds("period") }
        found.alarmClass = kind.usualClass?.rawValue
        return found
    }

    private func binarySensor() throws(DiscoveryRefusal) -> DiscoveredSensor {
        let (kind, alarmClass) = SensorMeaning.binary(try description())
        var found = DiscoveredSensor(key: key, name: name, kind: kind, binding: try heard())
        (found.binding.on, found.binding.off) = try onAndOff(found.binding.path)
        found.binding.offDelay = try fields.seconds("off_delay")
        if isOurs { found.period = try fields.seconds("period") }
        found.alarmClass = alarmClass?.rawValue
        return found
    }

    /// Whether it would watch for gas, fire or carbon monoxide, if it could be read.
    var savesLives: Bool {
        let described = SensorMeaning.Description(
            deviceClass: fields["device_class"]?.word, unit: fields["unit_of_measurement"]?.word ?? "",
            stateClass: fields["state_class"]?.word, options: fields.words("options"),
            names: [key, fields["name"]?.word ?? ""])
        return switch platform {
        case "sensor": SensorMeaning.kind(of: described).savesLives
        case "binary_sensor": SensorMeaning.binary(described).0.savesLives
        default: false
        }
    }

    private func description(unit: String = "") throws(DiscoveryRefusal) -> SensorMeaning.Description {
        SensorMeaning.Description(
            deviceClass: try fields.word("device_class"), unit: unit, stateClass: fields["state_class"]?.word,
            options: fields.words("options"), names: [key, fields["name"]?.word ?? ""])
    }

    private func tag() throws(DiscoveryRefusal) -> DiscoveredSensor {
        DiscoveredSensor(key: key, name: name, kind: .tag, binding: try heard("topic"))
    }

    private func picture() throws(DiscoveryRefusal) -> DiscoveredSensor {
        if fields["image_encoding"] != nil { throw DiscoveryRefusal(.encodedPicture) }
        guard platform == "camera" || fields["url_topic"] == nil else {
            throw DiscoveryRefusal(.remotePicture)
        }
        return DiscoveredSensor(
            key: key, name: name, kind: .snapshot, binding: try heard(platform == "camera" ? "topic" : "image_topic"))
    }

    // MARK: actuators

    private func toggle(_ kind: ActuatorKind) throws(DiscoveryRefusal) -> DiscoveredActuator {
        try fields.refuseTemplates("command_template")
        return DiscoveredActuator(key: key, name: name, kind: kind, binding: try switched())
    }

    private func siren() throws(DiscoveryRefusal) -> DiscoveredActuator {
        var binding = try switched()
        try fields.refuseTemplates("command_template", "command_off_template")
        // Home Assistant tells sirens `{"state": "ON"}` unless a template says otherwise; our own topics know the bare word.
        binding.isJSON = !isOurs && fields["command_template"] == nil
        return DiscoveredActuator(key: key, name: name, kind: .siren, binding: binding)
    }

    private func light() throws(DiscoveryRefusal) -> DiscoveredActuator {
        switch try fields.word("schema") ?? "basic" {
        case "basic", "default":
            try fields.refuseTemplates("brightness_command_template", "rgb_command_template")
            var binding = try switched()
            binding.valueTopic = try fields.commandTopic("brightness_command_topic")
            binding.high = try scale("brightness_scale", usual: 255)
            binding.colourTopic = try fields.commandTopic("rgb_command_topic")
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
        default: throw DiscoveryRefusal(.templateLight)
        }
    }

    private func fan() throws(DiscoveryRefusal) -> DiscoveredActuator {
        try fields.refuseTemplates("command_template", "percentage_command_template")
        var binding = try switched()
        binding.valueTopic = try fields.commandTopic("percentage_command_topic")
        let (low, high) = (try fields.number("speed_range_min") ?? 1, try fields.number("speed_range_max") ?? 100)
        guard low >= 1, low < high, high <= 65_535 else { throw DiscoveryRefusal(.impossible, "speed_range_max") }
        // A range that ends at 100 is in per cent already, as with a fan that does not turn below 50; any other counts steps, and
        // what lies below the first step is off.
        (binding.low, binding.high) = high == 100 ? (0, 100) : (low - 1, high)
        if let topic = try fields.topic("percentage_state_topic") {
            binding.state = try heard(at: topic, path: fields.path("percentage_value_template"))
        }
        return DiscoveredActuator(key: key, name: name, kind: .fan, binding: binding)
    }

    private func valve() throws(DiscoveryRefusal) -> DiscoveredActuator {
        try fields.refuseTemplates("command_template")
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
        return DiscoveredActuator(key: key, name: name, kind: .valve, binding: binding)
    }

    private func cover() throws(DiscoveryRefusal) -> DiscoveredActuator {
        try fields.refuseTemplates("set_position_template")
        if let kind = try fields.word("device_class"), ["door", "garage", "gate"].contains(kind) {
            throw DiscoveryRefusal(.opensDoors)
        }
        var binding = try opened()
        binding.valueTopic = try fields.commandTopic("set_position_topic")
        (binding.low, binding.high) = try positions()
        if binding.state == nil, let topic = try fields.topic("position_topic") {
            binding.state = try heard(at: topic, path: fields.path("position_template"))
            binding.setState(on: Self.text(binding.high), off: Self.text(binding.low))
        }
        return DiscoveredActuator(key: key, name: name, kind: .other, binding: binding)
    }

    private func number() throws(DiscoveryRefusal) -> DiscoveredActuator {
        try fields.refuseTemplates("command_template")
        var binding = try told()
        // Told its number, and neither on nor off.
        (binding.valueTopic, binding.commandTopic) = (binding.commandTopic, nil)
        (binding.low, binding.high) = (try fields.number("min") ?? 1, try fields.number("max") ?? 100)
        guard binding.low < binding.high else { throw DiscoveryRefusal(.emptyRange) }
        return DiscoveredActuator(key: key, name: name, kind: .number, binding: binding)
    }

    private func text() throws(DiscoveryRefusal) -> DiscoveredActuator {
        try fields.refuseTemplates("command_template")
        var binding = try told()
        (binding.valueTopic, binding.commandTopic) = (binding.commandTopic, nil)
        // The most characters; a display has few.
        (binding.low, binding.high) = (0, min(max(try fields.number("max") ?? 255, 1), 255))
        return DiscoveredActuator(key: key, name: name, kind: .display, binding: binding)
    }

    private func button() throws(DiscoveryRefusal) -> DiscoveredActuator {
        try fields.refuseTemplates("command_template")
        let press = try fields.word("payload_press") ?? "PRESS"
        var binding = try switched(on: press, off: "")
        binding.state = nil
        return DiscoveredActuator(key: key, name: name, kind: .other, binding: binding)
    }
}
