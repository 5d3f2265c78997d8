import Household
import Identity
import JSON
import Ledger
import Safeguard

/// What a home's own broker is told of the house, in Home Assistant's words. Topics are below the bridge's own.
enum BridgeMessage {
    /// Below a bridge's own.
    static func topic(_ id: String, _ what: String) -> String { GatewayTopics.ownStates + id + "/" + what }

    // MARK: what there is

    /// A device with what it measures, and with what its actuators say that they do; nil: there is nothing to show.
    static func config(of device: Device, _ catalog: Catalog) -> ActuatorMessage? {
        let sensors = catalog.sensors(of: device.id).filter { $0.kind != .tag && $0.kind != .snapshot }
        let actuators = catalog.actuators(of: device.id).filter { isShown($0) }
        guard !sensors.isEmpty || !actuators.isEmpty else { return nil }
        let about = BridgeConfig.About(
            id: device.id.text, name: device.name, maker: device.maker, model: device.model, area: device.area)
        let components =
            sensors.map { sensor in
                let isNumber = sensor.kind.isSeries && !sensor.kind.isTruth
                return BridgeConfig.Component(
                    id: sensor.id.text, name: sensor.name, isTruth: sensor.kind.isTruth,
                    deviceClass: deviceClass(sensor), unit: sensor.unit.isEmpty ? nil : sensor.unit,
                    stateClass: isNumber ? "measurement" : nil)
            } + actuators.map { BridgeConfig.Component(id: $0.id.text, name: $0.name, isTruth: true) }
        return message(BridgeConfig(about: about, components: components))
    }

    /// The alarm panel, as a sensor that names its state: it is armed and disarmed elsewhere.
    static func panelConfig(of site: SiteID) -> ActuatorMessage {
        message(
            BridgeConfig(
                about: BridgeConfig.About(id: site.text, name: "Soglia"),
                components: [
                    BridgeConfig.Component(
                        id: site.text, name: "Alarm", isTruth: false, deviceClass: "enum",
                        options: PanelState.allCases)
                ]))
    }

    private static func message(_ config: BridgeConfig) -> ActuatorMessage {
        ActuatorMessage(GatewayTopics.ownDescriptions + config.about.id + "/config") {
            BridgeConfig.shape.writeFields(of: config, to: &$0)
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
