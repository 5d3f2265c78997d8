import Bus
import System

/// One device as another program describes it: a door contact behind Zigbee2MQTT, or a room sensor with ESPHome. Written after what
/// those programs publish (Zigbee2MQTT 1.42, ESPHome 2024.12); nothing of it is ours.
struct ForeignDevice: Sendable {
    /// Whose words it speaks.
    enum Kind: String, Sendable, CaseIterable { case zigbee2mqtt, esphome }

    private let kind: Kind
    private let prefix: String
    /// What the topics inside its messages begin with.
    private let base: String

    /// - Parameters:
    ///   - prefix: of its gateway's topics, with the last `/`.
    ///   - isBridged: whether a broker puts the prefix before topics, and the messages do not know of it.
    init(_ kind: Kind, prefix: String, isBridged: Bool) {
        (self.kind, self.prefix) = (kind, prefix)
        base = isBridged ? "" : prefix
    }

    /// What the broker says when it is lost.
    var will: BusClient.Will {
        switch kind {
        case .zigbee2mqtt:
            .init(
                topic: prefix + "zigbee2mqtt/bridge/state", payload: Array(#"{"state":"offline"}"#.utf8), retain: true)
        case .esphome: .init(topic: prefix + "kitchen-air/status", payload: Array("offline".utf8), retain: true)
        }
    }

    /// Describes itself whenever it is connected or asked for, and tells its values, until cancelled.
    func live(on client: BusClient) async throws {
        try client.subscribe(prefix + "homeassistant/status", quality: .atLeastOnce)
        if kind == .esphome { try client.subscribe(prefix + "kitchen-air/switch/lamp/command", quality: .atLeastOnce) }
        client.start()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await state in client.states where state == .connected {
                    switch kind {
                    case .zigbee2mqtt: say("zigbee2mqtt/bridge/state", #"{"state":"online"}"#, client)
                    case .esphome: say("kitchen-air/status", "online", client)
                    }
                    announce(client)
                    Output.line("ready \(kind.rawValue)")
                }
            }
            group.addTask {
                for await batch in client.batches {
                    for message in batch where !message.isRetained { hear(message, client) }
                }
            }
            group.addTask {
                var count = 0
                while (try? await Task.sleep(for: .seconds(5))) != nil {
                    count += 1
                    tell(count, client)
                }
            }
            await group.next()
            group.cancelAll()
        }
        // Both say so when they end.
        say(String(will.topic.dropFirst(prefix.count)), String(decoding: will.payload, as: UTF8.self), client)
        await client.stop()
    }

    private func hear(_ message: BusMessage, _ client: BusClient) {
        if message.topic.hasSuffix("homeassistant/status") {
            if message.payload == Array("online".utf8) { announce(client) }
        } else if ["ON", "OFF"].contains(String(decoding: message.payload, as: UTF8.self)) {
            say("kitchen-air/switch/lamp/state", String(decoding: message.payload, as: UTF8.self), client)
        }
    }

    private func say(_ topic: String, _ text: String, _ client: BusClient) {
        do {
            try client.publish(prefix + topic, Array(text.utf8), quality: .atLeastOnce, retain: true)
        } catch { Log.info("device", "not said", ["topic": topic, "why": "\(error)"]) }
    }

    private func announce(_ client: BusClient) {
        switch kind {
        case .zigbee2mqtt:
            say("homeassistant/binary_sensor/\(Self.contact)/contact/config", contact, client)
            say("homeassistant/sensor/\(Self.contact)/battery/config", contactBattery, client)
            say("homeassistant/sensor/\(Self.contact)/device_temperature/config", contactTemperature, client)
        case .esphome:
            say("homeassistant/sensor/kitchen-air/temperature/config", temperature, client)
            say("homeassistant/switch/kitchen-air/lamp/config", lamp, client)
            say("kitchen-air/switch/lamp/state", "OFF", client)
        }
        tell(0, client)
    }

    /// The door stays closed, so that its house can be armed; it is a little warmer or colder.
    private func tell(_ count: Int, _ client: BusClient) {
        switch kind {
        case .zigbee2mqtt:
            say(
                "zigbee2mqtt/\(Self.contact)",
                #"{"battery":97,"contact":true,"device_temperature":\#(21 + count % 3),"linkquality":\#(120 + count % 7),"power_outage_count":3,"voltage":3005}"#,
                client)
        case .esphome: say("kitchen-air/sensor/temperature/state", "2\(count % 3).\(count % 10)", client)
        }
    }

    // MARK: Zigbee2MQTT

    private static let contact = "0x00158d0004a02717"

    private var contactDevice: String {
        #""availability":[{"topic":"\#(base)zigbee2mqtt/bridge/state","value_template":"{{ value_json.state }}"}],"#
            + #""device":{"identifiers":["zigbee2mqtt_\#(Self.contact)"],"manufacturer":"Aqara","#
            + #""model":"Door and window sensor","model_id":"MCCGQ11LM","name":"Back door","#
            + #""sw_version":"3000-0001","via_device":"zigbee2mqtt_bridge_0x00124b0018ed1bb0"},"#
            + #""origin":{"name":"Zigbee2MQTT","sw":"1.42.0","url":"https://www.zigbee2mqtt.io"},"#
            + #""state_topic":"\#(base)zigbee2mqtt/\#(Self.contact)""#
    }

    private var contact: String {
        "{" + contactDevice
            + #","device_class":"door","object_id":"back_door_contact","payload_off":true,"payload_on":false,"#
            + #""unique_id":"\#(Self.contact)_contact_zigbee2mqtt","value_template":"{{ value_json.contact }}"}"#
    }

    private var contactBattery: String {
        "{" + contactDevice
            + #","device_class":"battery","enabled_by_default":true,"entity_category":"diagnostic","#
            + #""object_id":"back_door_battery","state_class":"measurement","unit_of_measurement":"%","#
            + #""unique_id":"\#(Self.contact)_battery_zigbee2mqtt","value_template":"{{ value_json.battery }}"}"#
    }

    private var contactTemperature: String {
        "{" + contactDevice
            + #","device_class":"temperature","enabled_by_default":true,"entity_category":"diagnostic","#
            + #""name":"Device temperature","object_id":"back_door_device_temperature","#
            + #""state_class":"measurement","unit_of_measurement":"°C","#
            + #""unique_id":"\#(Self.contact)_device_temperature_zigbee2mqtt","#
            + #""value_template":"{{ value_json.device_temperature }}"}"#
    }

    // MARK: ESPHome

    private var board: String {
        #""avty_t":"\#(base)kitchen-air/status","dev":{"ids":"a0b7654f0c18","name":"Kitchen air","#
            + #""sw":"2024.12.2 (ESPHome)","mdl":"esp32dev","mf":"Espressif","cns":[["mac","a0b7654f0c18"]]}"#
    }

    private var temperature: String {
        #"{"dev_cla":"temperature","unit_of_meas":"°C","stat_cla":"measurement","name":"Temperature","#
            + #""stat_t":"\#(base)kitchen-air/sensor/temperature/state","uniq_id":"ESPsensortemperature",\#(board)}"#
    }

    private var lamp: String {
        #"{"name":"Lamp","stat_t":"\#(base)kitchen-air/switch/lamp/state","#
            + #""cmd_t":"\#(base)kitchen-air/switch/lamp/command","uniq_id":"ESPswitchlamp",\#(board)}"#
    }
}
