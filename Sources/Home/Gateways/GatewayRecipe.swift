import Household

/// What to write into the settings of things that others make, so that they come in by a gateway's credentials.
enum GatewayRecipe: CaseIterable {
    case zigbee2mqtt, esphome, tasmota, mosquitto, plain

    /// A name that is the same in every language.
    var name: String {
        switch self {
        case .zigbee2mqtt: "Zigbee2MQTT"
        case .esphome: "ESPHome"
        case .tasmota: "Tasmota"
        case .mosquitto: "Mosquitto"
        case .plain: "MQTT"
        }
    }

    /// Those that make sense for a kind.
    static func all(for kind: Gateway.Kind) -> [GatewayRecipe] {
        switch kind {
        case .box: []
        case .device: [.zigbee2mqtt, .esphome, .tasmota, .plain]
        case .bridge: [.mosquitto]
        }
    }

    /// The lines, in the program's own form.
    func text(_ gateway: Gateway, _ connection: GatewayConnection) -> String {
        let (prefix, user, password) = (gateway.prefix, gateway.username, connection.password)
        let (host, port) = (connection.host, connection.port)
        let scheme = connection.isSecure ? "mqtts" : "mqtt"
        switch self {
        case .zigbee2mqtt:
            return """
                mqtt:
                  server: \(scheme)://\(host):\(port)
                  user: \(user)
                  password: \(password)
                  client_id: \(user)
                  base_topic: \(prefix)zigbee2mqtt
                homeassistant:
                  enabled: true
                  discovery_topic: \(prefix)homeassistant
                  status_topic: \(prefix)homeassistant/status
                """
        case .esphome:
            return """
                mqtt:
                  broker: \(host)
                  port: \(port)
                  username: \(user)
                  password: \(password)
                  client_id: \(user)
                  topic_prefix: \(prefix)esphome
                  discovery_prefix: \(prefix)homeassistant
                """
        case .tasmota:
            return """
                Backlog MqttHost \(host); MqttPort \(port); MqttClient \(user); MqttUser \(user); MqttPassword \(password)
                FullTopic \(prefix)%prefix%/%topic%/
                """
        case .mosquitto:
            return """
                connection soglia
                address \(host):\(port)
                remote_username \(user)
                remote_password \(password)
                remote_clientid \(user)
                try_private true
                cleansession true
                notifications true
                notification_topic \(prefix)availability
                topic # out 1 "" \(prefix)
                topic # in 1 "" \(gateway.down)
                """
        case .plain:
            return """
                \(scheme)://\(host):\(port)
                protocol   MQTT 3.1.1
                user name  \(user)
                client id  \(user)
                password   \(password)
                topics     \(prefix)<sensor>/state
                           \(prefix)<actuator>/set
                           \(prefix)availability
                """
        }
    }
}
