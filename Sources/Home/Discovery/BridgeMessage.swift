import Household
import Identity
import JSON
import Ledger
import Platform
import Safeguard

/// What a home's own broker is told of the house, in Home Assistant's words. Topics are below the bridge's own.
enum BridgeMessage {
    /// After so many seconds without a word a value counts no more over there: the hub may be away.
    private static let expiry = 300

    private static func topic(_ id: String, _ what: String) -> String { GatewayTopics.ownStates + id + "/" + what }

    // MARK: what there is

    /// A device with what it measures, and with what its actuators say that they do; nil: there is nothing to show.
    static func config(of device: Device, _ catalog: Catalog) -> ActuatorMessage? {
        let sensors = catalog.sensors(of: device.id).filter { $0.kind != .tag && $0.kind != .snapshot }
        let actuators = catalog.actuators(of: device.id).filter { isShown($0) }
        guard !sensors.isEmpty || !actuators.isEmpty else { return nil }
        return ActuatorMessage(GatewayTopics.ownDescriptions + device.id.text + "/config") { json in
            about(device.id.text, device.name, maker: device.maker, model: device.model, area: device.area, &json)
            json.object("components") { json in
                for sensor in sensors {
                    component(sensor.id.text, sensor.name, isTruth: sensor.kind.isTruth, &json) { json in
                        if let kind = deviceClass(sensor) { json.field("device_class", kind) }
                        if !sensor.unit.isEmpty { json.field("unit_of_measurement", sensor.unit) }
                        if sensor.kind.isSeries, !sensor.kind.isTruth { json.field("state_class", "measurement") }
                    }
                }
                for actuator in actuators {
                    component(actuator.id.text, actuator.name, isTruth: true, &json) { _ in }
                }
            }
        }
    }

    /// The alarm panel, as a sensor that names its state: it is armed and disarmed elsewhere.
    static func panelConfig(of site: SiteID) -> ActuatorMessage {
        ActuatorMessage(GatewayTopics.ownDescriptions + site.text + "/config") { json in
            about(site.text, "Soglia", maker: "", model: "", area: "", &json)
            json.object("components") { json in
                component(site.text, "Alarm", isTruth: false, &json) { json in
                    json.field("device_class", "enum")
                    json.array("options") { json in for state in PanelState.allCases { json.value(state.name) } }
                }
            }
        }
    }

    private static func about(
        _ id: String, _ name: String, maker: String, model: String, area: String, _ json: inout JSONWriter
    ) {
        json.object("device") { json in
            json.array("identifiers") { $0.value("soglia_" + id) }
            json.field("name", name)
            if !maker.isEmpty { json.field("manufacturer", maker) }
            if !model.isEmpty { json.field("model", model) }
            if !area.isEmpty { json.field("suggested_area", area) }
        }
        json.object("origin") { json in
            json.field("name", DiscoveryMessage.ownOrigin)
            json.field("sw_version", Version.current)
        }
    }

    private static func component(
        _ id: String, _ name: String, isTruth: Bool, _ json: inout JSONWriter, _ more: (inout JSONWriter) -> Void
    ) {
        json.key(id)
        json.object { json in
            json.field("platform", isTruth ? "binary_sensor" : "sensor")
            json.field("unique_id", "soglia_" + id)
            json.field("name", name)
            json.field("state_topic", topic(id, "state"))
            json.field("availability_topic", topic(id, "availability"))
            json.field("expire_after", expiry)
            more(&json)
        }
    }

    /// Whether it is on or off, and says so.
    private static func isShown(_ actuator: Actuator) -> Bool {
        switch actuator.kind {
        case .siren, .fan, .valve, .light, .plug: actuator.binding.state != nil
        case .display, .number, .other: false
        }
    }

    /// Home Assistant's class; nil where it has none, or wants another unit for it.
    private static func deviceClass(_ sensor: Sensor) -> String? {
        switch sensor.kind {
        case .smoke: "smoke"
        case .gasAlarm: "gas"
        case .heat: "heat"
        case .panic: "safety"
        case .carbonMonoxide: "carbon_monoxide"
        case .carbonMonoxideLevel: sensor.unit == "ppm" ? "carbon_monoxide" : nil
        case .moisture: "moisture"
        case .vibration: "vibration"
        case .contact: "opening"
        case .motion: "motion"
        case .temperature: ["°C", "°F", "K"].contains(sensor.unit) ? "temperature" : nil
        case .humidity: sensor.unit == "%" ? "humidity" : nil
        case .battery: sensor.unit == "%" ? "battery" : nil
        case .power: ["W", "kW"].contains(sensor.unit) ? "power" : nil
        case .distance: sensor.unit == "cm" ? "distance" : nil
        // Energy wants a counter that only rises, and nobody says that it is one.
        case .gas, .tag, .energy, .signal, .snapshot, .number, .truth, .text: nil
        }
    }

    // MARK: how it is

    /// What a sensor told last, and whether that counts.
    static func state(of sensor: Sensor, _ state: SensorState) -> [ActuatorMessage] {
        if sensor.kind == .tag || sensor.kind == .snapshot { return [] }
        let value: String? =
            switch state.value {
            case .number(let number): Int(exactly: number).map { String($0) } ?? number.description
            case .truth(let truth): truth ? "ON" : "OFF"
            case .text(let text): text
            case nil: nil
            }
        return said(sensor.id.text, value, isLive: state.status == .live)
    }

    /// Whether an actuator says that it is on.
    static func state(of actuator: Actuator, _ state: SensorState) -> [ActuatorMessage] {
        guard isShown(actuator) else { return [] }
        let isOn: Bool? =
            switch state.value {
            case .number(let number): number != actuator.binding.low
            case .truth(let truth): truth
            case .text, nil: nil
            }
        return said(actuator.id.text, isOn.map { $0 ? "ON" : "OFF" }, isLive: state.status == .live)
    }

    private static func said(_ id: String, _ value: String?, isLive: Bool) -> [ActuatorMessage] {
        let availability = ActuatorMessage(topic(id, "availability"), isLive && value != nil ? "online" : "offline")
        return [availability] + (value.map { [ActuatorMessage(topic(id, "state"), $0)] } ?? [])
    }

    /// How the panel stands.
    static func state(of panel: Panel, at site: SiteID) -> ActuatorMessage {
        ActuatorMessage(topic(site.text, "state"), panel.state.name)
    }
}
