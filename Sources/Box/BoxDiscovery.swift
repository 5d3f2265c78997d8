import Wire

/// How the box describes itself, in Home Assistant's words (MQTT discovery, device-based, 2024.11): one message for all that it has.
///
/// All topics are below its own. `kind` and `period` are ours; whoever does not know them leaves them out.
enum BoxDiscovery {
    /// Below the box's own topics.
    static func topic(_ box: ID16) -> String { "homeassistant/device/" + box.hex + "/config" }

    static func message(_ box: ID16, name: String, software: String) -> [UInt8] {
        BoxJSON.bytes(
            .object([
                (
                    "device",
                    .object([
                        ("identifiers", .list([.text("soglia_" + box.hex)])), ("name", .text(name)),
                        ("manufacturer", "Soglia"), ("model", "SafeAndCare"), ("sw_version", .text(software)),
                    ])
                ),
                ("origin", .object([("name", "soglia"), ("sw_version", .text(software))])),
                ("availability_topic", "availability"),
                (
                    "components",
                    .object(
                        BoxSensor.allCases.map { ($0.rawValue, component($0, box)) }
                            + BoxActuator.allCases.map { ($0.rawValue, component($0, box)) }
                            + [("tag", tag(box)), ("notice", notice(box))])
                ),
            ]))
    }

    private static func component(_ sensor: BoxSensor, _ box: ID16) -> BoxJSON.Value {
        let period = Double(sensor.period) / 1000
        var members = common(sensor.isTruth ? "binary_sensor" : "sensor", sensor.rawValue, name(sensor), box)
        members.append(("state_topic", .text(sensor.rawValue + "/state")))
        if !sensor.isTruth {
            members += [
                ("value_template", "{{ value_json.value }}"), ("state_class", "measurement"),
                ("kind", .text(sensor.rawValue)), ("min", .number(sensor.range.lowerBound)),
                ("max", .number(sensor.range.upperBound)),
            ]
        }
        if !sensor.unit.isEmpty { members.append(("unit_of_measurement", .text(sensor.unit))) }
        if let kind = deviceClass(sensor) { members.append(("device_class", .text(kind))) }
        return .object(members + [("period", .number(period)), ("expire_after", .number(3 * period))])
    }

    private static func component(_ actuator: BoxActuator, _ box: ID16) -> BoxJSON.Value {
        let (set, state) = (actuator.rawValue + "/set", actuator.rawValue + "/state")
        var members = common(platform(actuator), actuator.rawValue, name(actuator), box)
        if actuator != .camera {
            members += [("command_topic", .text(set))]
            members += [("state_topic", .text(state))]
        }
        switch actuator {
        case .siren, .plug: break
        case .fan:
            members += [
                ("state_value_template", "{{ value_json.state }}"), ("percentage_command_topic", .text(set)),
                ("percentage_state_topic", .text(state)), ("percentage_value_template", "{{ value_json.value }}"),
                ("speed_range_min", 50), ("speed_range_max", 100),
            ]
        case .valve:
            members += [
                ("payload_open", "OPEN"), ("payload_close", "CLOSE"), ("state_open", "open"),
                ("state_closed", "closed"), ("device_class", "gas"),
            ]
        case .led:
            members += [
                ("state_value_template", "{{ value_json.state }}"), ("rgb_command_topic", .text(set)),
                ("rgb_state_topic", .text(state)), ("rgb_value_template", "{{ value_json.value }}"),
            ]
        case .lcd: members += [("max", .number(Double(BoxDisplay.width)))]
        case .camera: members += [("topic", .text(state))]
        }
        return .object(members)
    }

    /// A tag that was held to the reader, by the name that the box gives it.
    private static func tag(_ box: ID16) -> BoxJSON.Value {
        .object(common("tag", "tag", "Tag reader", box) + [("topic", "tag/state")])
    }

    /// What the box did not do, and why.
    private static func notice(_ box: ID16) -> BoxJSON.Value {
        .object(
            common("sensor", "notice", "Last refusal", box) + [
                ("state_topic", "notice/state"), ("entity_category", "diagnostic"), ("kind", "text"),
            ])
    }

    private static func common(
        _ platform: String, _ key: String, _ name: String, _ box: ID16
    ) -> [(String, BoxJSON.Value)] {
        [("platform", .text(platform)), ("unique_id", .text(uniqueID(key, of: box))), ("name", .text(name))]
    }

    /// Home Assistant wants it to be the only one anywhere.
    static func uniqueID(_ key: String, of box: ID16) -> String { "soglia_" + box.hex + "_" + key }

    private static func platform(_ actuator: BoxActuator) -> String {
        switch actuator {
        case .siren: "siren"
        case .fan: "fan"
        case .valve: "valve"
        case .led: "light"
        case .lcd: "text"
        case .plug: "switch"
        case .camera: "camera"
        }
    }

    private static func deviceClass(_ sensor: BoxSensor) -> String? {
        switch sensor {
        // Home Assistant's `gas` is a meter's volume.
        case .gas: nil
        case .smoke, .distance, .vibration, .door, .battery: sensor.rawValue
        }
    }

    private static func name(_ sensor: BoxSensor) -> String {
        switch sensor {
        case .gas: "Gas"
        case .smoke: "Smoke"
        case .distance: "Ultrasonic sensor"
        case .vibration: "Vibration"
        case .door: "Door"
        case .battery: "Battery"
        }
    }

    private static func name(_ actuator: BoxActuator) -> String {
        switch actuator {
        case .siren: "Siren"
        case .fan: "Fan"
        case .valve: "Gas valve"
        case .led: "Light"
        case .lcd: "Display"
        case .plug: "Plug"
        case .camera: "Camera"
        }
    }
}

extension BoxSensor {
    /// As the box announces it.
    func uniqueID(of box: ID16) -> String { BoxDiscovery.uniqueID(rawValue, of: box) }
}
