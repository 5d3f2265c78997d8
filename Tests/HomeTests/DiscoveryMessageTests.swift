import Accounts
import FoundationEssentials
import Identity
import Testing

@testable import Home
@testable import Household

/// Reads a message as a device would send it.
private func read(_ topic: String, _ json: String) throws -> DiscoveredDevice {
    let topic = try #require(DiscoveryTopic(topic))
    let message = try DiscoveryMessage(topic: topic, payload: Array(json.utf8))
    guard case .described(let device) = message.content else { throw DiscoveryRefusal(.noComponents) }
    return device
}

/// One component of a device called Box, whose keys are given.
private func component(_ platform: String, _ members: String) throws -> DiscoveredDevice {
    try read(
        "homeassistant/\(platform)/box/part/config",
        #"{"device":{"ids":"box","name":"Box"},"uniq_id":"part",\#(members)}"#)
}

private func refusal(_ platform: String, _ members: String) throws -> DiscoveryRefusal? {
    try component(platform, members).refused.first?.why
}

struct DiscoveryMessageTests {
    @Test func `A name of which nothing is seen is none`() throws {
        let siren = try component("siren", "\"name\":\"\u{200b}\u{2060}\",\"cmd_t\":\"a\"")
        #expect(siren.actuators.map(\.name) == ["Box"])
    }

    @Test func `A zigbee2mqtt contact tells of an open window by a false`() throws {
        let device = try read(
            "homeassistant/binary_sensor/0x00158d0001a2b3c4/contact/config",
            """
            {"availability":[{"topic":"zigbee2mqtt/bridge/state","value_template":"{{ value_json.state }}"}],
            "default_entity_id":"binary_sensor.back_door_contact","device":{"identifiers":["zigbee2mqtt_0x00158d0001a2b3c4"],
            "manufacturer":"Aqara","model":"Door and window sensor","model_id":"MCCGQ11LM","name":"back door",
            "via_device":"zigbee2mqtt_bridge_0x00124b0012014400"},"device_class":"door","object_id":"back_door_contact",
            "origin":{"name":"Zigbee2MQTT","sw":"2.1.0","url":"https://www.zigbee2mqtt.io"},"payload_off":true,
            "payload_on":false,"state_topic":"zigbee2mqtt/back door","unique_id":"0x00158d0001a2b3c4_contact_zigbee2mqtt",
            "value_template":"{{ value_json[\\"contact\\"] }}"}
            """)
        #expect(device.key == "zigbee2mqtt_0x00158d0001a2b3c4")
        #expect(device.name == "back door")
        #expect((device.maker, device.model) == ("Aqara", "Door and window sensor"))
        #expect(device.refused.isEmpty)
        let contact = try #require(device.sensors.first)
        #expect(contact.kind == .contact)
        #expect(contact.name == "Door")
        #expect(contact.alarmClass == SensorKind.contact.usualClass?.rawValue)
        #expect(
            contact.binding
                == SensorBinding(
                    topic: "zigbee2mqtt/back door", path: ["contact"], on: "false", off: "true",
                    availability: [Availability(topic: "zigbee2mqtt/bridge/state", path: ["state"])]))
    }

    @Test func `A zigbee2mqtt plug is switched at its set topic, and its power is a sensor`() throws {
        let about = #""device":{"identifiers":["zigbee2mqtt_0x1"],"name":"Oven"},"state_topic":"zigbee2mqtt/Oven""#
        let plug = try read(
            "homeassistant/switch/0x1/switch/config",
            """
            {\(about),"command_topic":"zigbee2mqtt/Oven/set","name":null,"payload_off":"OFF","payload_on":"ON",
            "unique_id":"0x1_switch_zigbee2mqtt","value_template":"{{ value_json[\\"state\\"] }}"}
            """)
        let toggle = try #require(plug.actuators.first)
        #expect(toggle.kind == .plug)
        #expect(toggle.name == "Oven")
        #expect((toggle.binding.commandTopic, toggle.binding.on) == ("zigbee2mqtt/Oven/set", "ON"))
        #expect(toggle.binding.state?.path == ["state"])
        let power = try read(
            "homeassistant/sensor/0x1/power/config",
            """
            {\(about),"device_class":"power","enabled_by_default":true,"state_class":"measurement",
            "unique_id":"0x1_power_zigbee2mqtt","unit_of_measurement":"W","value_template":"{{ value_json[\\"power\\"] }}"}
            """)
        #expect(power.key == plug.key)
        #expect(power.sensors.map(\.kind) == [.power])
        #expect(power.sensors.map(\.unit) == ["W"])
        #expect(power.sensors.map(\.name) == ["Power"])
    }

    @Test func `An ESPHome gas sensor in short keys is a gas sensor`() throws {
        let device = try read(
            "homeassistant/sensor/kitchen/gas_level/config",
            """
            {"dev_cla":"","unit_of_meas":"V","stat_cla":"measurement","name":"Gas level","stat_t":"kitchen/sensor/gas_level/state",
            "avty_t":"kitchen/status","uniq_id":"ESPsensorgas_level","exp_aft":60,
            "dev":{"ids":"a4cf12f00d11","name":"kitchen","sw":"esphome v2025.4.0","mdl":"esp32dev","mf":"espressif","sa":"Kitchen"}}
            """.replacing("\"dev_cla\":\"\",", with: ""))
        let gas = try #require(device.sensors.first)
        #expect((gas.kind, gas.unit, gas.name) == (.gas, "V", "Gas level"))
        #expect(gas.binding.expireAfter == 60)
        #expect(gas.binding.availability == [Availability(topic: "kitchen/status")])
        #expect((device.key, device.area, device.model) == ("a4cf12f00d11", "Kitchen", "esp32dev"))
    }

    @Test func `An ESPHome fan with three speeds is told which`() throws {
        let device = try component(
            "fan",
            """
            "name":"Extractor","cmd_t":"k/fan/extractor/command","stat_t":"k/fan/extractor/state",
            "pct_cmd_t":"k/fan/extractor/speed_level/command","pct_stat_t":"k/fan/extractor/speed_level/state","spd_rng_max":3
            """)
        let fan = try #require(device.actuators.first)
        #expect((fan.kind, fan.binding.low, fan.binding.high) == (.fan, 0, 3))
        #expect(fan.binding.state?.topic == "k/fan/extractor/state")
        #expect(fan.binding.level?.topic == "k/fan/extractor/speed_level/state")
    }

    @Test func `A Tasmota-like message with a base and its own words for being there is read`() throws {
        let device = try read(
            "homeassistant/switch/35EBF6_RL_1/config",
            """
            {"~":"plug7","name":"Heater","stat_t":"~/tele/STATE","avty_t":"~/tele/LWT","pl_avail":"Online",
            "pl_not_avail":"Offline","cmd_t":"~/cmnd/POWER1","val_tpl":"{{value_json.POWER1}}","uniq_id":"35EBF6_RL_1",
            "dev":{"cns":[["mac","A4:CF:12:35:EB:F6"]]}}
            """)
        let heater = try #require(device.actuators.first)
        #expect(heater.binding.commandTopic == "plug7/cmnd/POWER1")
        #expect(heater.binding.state?.topic == "plug7/tele/STATE")
        #expect(
            heater.binding.availability == [
                Availability(topic: "plug7/tele/LWT", online: "Online", offline: "Offline")
            ])
        #expect(device.key.hasPrefix("A4_CF_12_35_EB_F6-"))
    }

    @Test func `A device tells of all its components in one message, and what they share once`() throws {
        let device = try read(
            "homeassistant/device/box7/config",
            """
            {"~":"hall","dev":{"ids":["box7"],"name":"Hall","mf":"Maker"},"o":{"name":"maker","sw":"1"},
            "avty_t":"~/lwt","stat_t":"~/all","cmps":{
            "temp":{"p":"sensor","dev_cla":"temperature","unit_of_meas":"°C","val_tpl":"{{ value_json.t | float }}","uniq_id":"b7t"},
            "hum":{"p":"sensor","dev_cla":"humidity","unit_of_meas":"%","val_tpl":"{{ value_json.h|round(1) }}","uniq_id":"b7h"},
            "motion":{"p":"binary_sensor","dev_cla":"motion","stat_t":"~/motion","off_dly":30,"uniq_id":"b7m"},
            "old":{"p":"sensor"}}}
            """)
        #expect(device.refused.isEmpty)
        #expect(device.sensors.map(\.key) == ["b7h", "b7m", "b7t"])
        #expect(device.sensors.map(\.binding.topic) == ["hall/all", "hall/motion", "hall/all"])
        #expect(device.sensors.map(\.binding.availability.first?.topic) == ["hall/lwt", "hall/lwt", "hall/lwt"])
        #expect(device.sensors[1].binding.offDelay == 30)
        #expect(device.sensors[1].kind == .motion)
    }

    @Test func `A component that cannot be read alone is left out, and its reason kept`() throws {
        let device = try read(
            "homeassistant/device/box7/config",
            """
            {"dev":{"ids":["box7"]},"o":{"name":"maker"},"cmps":{
            "a":{"p":"sensor","stat_t":"a","val_tpl":"{{ states('x') }}","unit_of_meas":"V"},
            "b":{"p":"sensor","stat_t":"b","unit_of_meas":"V"},"c":{"p":"vacuum","modes":["heat"]},"d":7}}
            """)
        #expect(device.sensors.map(\.key) == ["b"])
        #expect(device.refused.map(\.component) == ["a", "c", "d"])
        #expect(
            device.refused.map(\.why) == [
                .init(.computed, "value_template"), .init(.unknownPlatform, "vacuum"), .init(.notComponent),
            ])
    }

    @Test(arguments: [
        ("state_topic", "+/state"), ("state_topic", "a/#"), ("state_topic", "$SYS/broker"), ("state_topic", "/a"),
        ("state_topic", ""), ("state_topic", "a\\u0000b"), ("state_topic", "a\\nb"),
        ("state_topic", String(repeating: "a", count: 600)), ("availability_topic", "/a"),
    ])
    func `A topic that leads out of the gateway's own is refused`(_ key: String, _ topic: String) throws {
        let state = key == "state_topic" ? "" : #""state_topic":"a","#
        #expect(try refusal("sensor", #"\#(state)"\#(key)":"\#(topic)""#) == .init(.notTopic, key))
    }

    @Test(arguments: ["homeassistant/device/x/config", "hello", "up", "down", "from-soglia/soglia/x/state"])
    func `Nothing is heard where devices describe themselves or a box says who it is`(_ topic: String) throws {
        #expect(try refusal("sensor", #""state_topic":"\#(topic)""#) == .init(.describingTopic, "state_topic"))
        #expect(
            try refusal("sensor", #""state_topic":"a","availability_topic":"\#(topic)""#)
                == .init(.describingTopic, "availability_topic"))
        #expect(
            try refusal("switch", #""command_topic":"a","state_topic":"\#(topic)""#)
                == .init(.describingTopic, "state_topic"))
    }

    @Test(arguments: [
        "homeassistant/device/x/config", "homeassistant/status", "down", "hello", "up", "availability",
        "from-soglia/lamp/set",
    ])
    func `Nothing is told where discovery is told or where a box hears`(_ topic: String) throws {
        #expect(try refusal("switch", #""command_topic":"\#(topic)""#) == .init(.forbiddenTopic, "command_topic"))
    }

    @Test(arguments: [
        "soglia/1/2", "homeassistant/sensor/config", "homeassistant/sensor/a/b/c/config", "homeassistant/status",
        "homeassistant/sensor/a b/config", "homeassistant/sensor//config", "a/sensor/b/config",
    ])
    func `What is no topic of discovery is none`(_ topic: String) {
        #expect(DiscoveryTopic(topic) == nil)
    }

    @Test(arguments: [
        "", "null", "[]", "7", "{", #"{"a":1,"a":2}"#, #"{"a":[[[[[[[[[[1]]]]]]]]]]}"#, "\u{feff}{}",
    ])
    func `What is no JSON object takes nothing away and adds nothing`(_ json: String) throws {
        let topic = try #require(DiscoveryTopic("homeassistant/device/a/config"))
        if json.isEmpty {
            #expect(try DiscoveryMessage(topic: topic, payload: []).content == .removed)
        } else {
            #expect(throws: DiscoveryRefusal.self) { try DiscoveryMessage(topic: topic, payload: Array(json.utf8)) }
        }
    }

    @Test func `Too much at once is refused whole`() throws {
        let topic = try #require(DiscoveryTopic("homeassistant/device/a/config"))
        let many = (0...DiscoveryLimit.components).map { #""c\#($0)":{"p":"sensor","stat_t":"a"}"# }
        let crowded = #"{"cmps":{\#(many.joined(separator: ","))}}"#
        #expect(throws: DiscoveryRefusal(.tooManyComponents)) {
            try DiscoveryMessage(topic: topic, payload: Array(crowded.utf8))
        }
        let long = Array(#"{"name":""#.utf8) + [UInt8](repeating: 0x61, count: DiscoveryLimit.payload)
        #expect(throws: DiscoveryRefusal(.tooLong)) { try DiscoveryMessage(topic: topic, payload: long) }
    }

    @Test func `Names are cut and lose what is not seen, and ids that differ stay two`() throws {
        let device = try component(
            "sensor", #""stat_t":"a","name":" Gas\u0007\u202e\#(String(repeating: "x", count: 200)) ""#)
        let name = try #require(device.sensors.first?.name)
        #expect(name.count == DiscoveryLimit.name)
        #expect(name.hasPrefix("Gasxxx"))
        #expect(DiscoveryKey.of("a.b") != DiscoveryKey.of("a:b"))
        #expect(DiscoveryKey.of(String(repeating: "a", count: 65)).utf8.count <= DiscoveryKey.longest)
    }

    @Test func `A siren of others is told JSON unless its template says otherwise, ours the bare word`() throws {
        #expect(try component("siren", #""cmd_t":"s""#).actuators.first?.binding.isJSON == true)
        #expect(
            try component("siren", #""cmd_t":"s","cmd_tpl":"{{ value }}""#).actuators.first?.binding.isJSON == false)
        #expect(try component("siren", #""cmd_t":"s","o":{"name":"soglia"}"#).actuators.first?.binding.isJSON == false)
    }

    @Test func `What lets people in, and what computes its commands, is refused`() throws {
        for platform in ["cover", "lock"] {
            let door = try component(platform, #""cmd_t":"g","stat_t":"s","dev_cla":"garage""#)
            #expect(door.actuators.isEmpty && door.sensors.map(\.kind) == [.text], "it can be seen")
            #expect(door.refused.map(\.why) == [.init(.opensDoors)])
        }
        #expect(
            try refusal("number", #""cmd_t":"n","cmd_tpl":"{{ states('x') }}""#)
                == .init(.computedCommand, "command_template"))
        #expect(try refusal("number", #""cmd_t":"n","min":5,"max":5"#) == .init(.emptyRange))
        #expect(try refusal("light", #""cmd_t":"l","schema":"template""#) == .init(.templateLight))
        #expect(try refusal("camera", #""topic":"c","image_encoding":"b64""#) == .init(.encodedPicture))
    }

    @Test func `A panel of others, a button of a remote control and what nobody asked for are passed over in silence`()
        throws
    {
        for platform in ["alarm_control_panel", "device_automation", "scene"] {
            let device = try component(platform, #""cmd_t":"a","stat_t":"b""#)
            #expect(device.sensors.isEmpty && device.actuators.isEmpty && device.refused.isEmpty)
        }
        #expect(try component("sensor", #""stat_t":"a","en":false"#).sensors.isEmpty)
    }

    @Test func `An RFID reader's tags are heard at its topic`() throws {
        let device = try component("tag", #""topic":"reader/scan","value_template":"{{ value_json.uid }}""#)
        #expect(device.sensors.map(\.kind) == [.tag])
        #expect(device.sensors.map(\.binding.path) == [["uid"]])
    }

    @Test func `A colour light in JSON is told at one topic, a plain one at three`() throws {
        let json = try #require(
            try component(
                "light",
                #""schema":"json","cmd_t":"l/set","stat_t":"l","brightness":true,"bri_scl":254,"sup_clrm":["xy"]"#
            ).actuators.first)
        #expect(json.binding.isJSON && json.binding.high == 254)
        #expect((json.binding.valueTopic, json.binding.colourTopic) == ("l/set", "l/set"))
        #expect(json.binding.state?.path == ["state"])
        let plain = try #require(
            try component("light", #""cmd_t":"l/set","bri_cmd_t":"l/bri","rgb_cmd_t":"l/rgb""#).actuators.first)
        #expect((plain.binding.valueTopic, plain.binding.colourTopic) == ("l/bri", "l/rgb"))
    }

    @Test func `A valve that tells its position is closed by its number`() throws {
        let valve = try #require(
            try component("valve", #""cmd_t":"v/set","stat_t":"v","reports_position":true"#).actuators.first)
        #expect((valve.binding.on, valve.binding.off) == ("100", "0"))
        let plain = try #require(try component("valve", #""cmd_t":"v/set","stat_t":"v""#).actuators.first)
        #expect((plain.binding.on, plain.binding.off) == ("OPEN", "CLOSE"))
        #expect((plain.binding.state?.on, plain.binding.state?.off) == ("open", "closed"))
    }

    @Test func `Our own box says what no word of Home Assistant's says`() throws {
        let device = try read(
            "homeassistant/device/0f0f/config",
            """
            {"device":{"identifiers":["soglia_0f0f"],"name":"Box"},"origin":{"name":"soglia"},"components":{
            "gas":{"platform":"sensor","unique_id":"soglia_0f0f_gas","name":"Gas","state_topic":"gas/state","kind":"gas",
            "value_template":"{{ value_json.value }}","min":0,"max":1023,"period":2,"expire_after":6},
            "fan":{"platform":"fan","unique_id":"soglia_0f0f_fan","command_topic":"fan/set","percentage_command_topic":"fan/set",
            "speed_range_min":50,"speed_range_max":100}}}
            """)
        let gas = try #require(device.sensors.first)
        #expect((gas.kind, gas.period, gas.range) == (.gas, 2, 0...1023))
        // The whole of our own payload is read: it says, too, that the sensor warms up.
        #expect(gas.binding.path.isEmpty)
        #expect(device.actuators.map(\.binding.high) == [100])
        // From somebody else the same words mean nothing.
        #expect(try component("sensor", #""stat_t":"a","kind":"smoke","period":2"#).sensors.map(\.kind) == [.text])
    }

    @Test func `A handed over message says so`() throws {
        let topic = try #require(DiscoveryTopic("homeassistant/sensor/a/config"))
        let message = try DiscoveryMessage(topic: topic, payload: Array(#"{"migrate_discovery":true}"#.utf8))
        #expect(message.content == .handedOver)
    }
}

struct DiscoveryRefusalTests {
    @Test func `Every reason is a sentence of its own in each language, and is kept as it is`() throws {
        for language in Language.allCases {
            let sentences = DiscoveryRefusal.Reason.allCases.map { DiscoveryRefusal($0, "state_topic").text(language) }
            #expect(Set(sentences).count == sentences.count)
            #expect(sentences.allSatisfy { $0.hasSuffix(".") })
        }
        for reason in DiscoveryRefusal.Reason.allCases {
            for refusal in [DiscoveryRefusal(reason), DiscoveryRefusal(reason, "state_topic")] {
                let kept = try JSONEncoder().encode([refusal])
                #expect(try JSONDecoder().decode([DiscoveryRefusal].self, from: kept) == [refusal])
            }
        }
        let older = Data(#"["its unit is too long"]"#.utf8)
        #expect(try JSONDecoder().decode([DiscoveryRefusal].self, from: older) == [.init(.notComponent)])
    }
}

struct ValueSourceTests {
    private func source(_ text: String, isNumber: Bool = true) throws(DiscoveryRefusal) -> ValueSource {
        try DiscoveryFields(["value_template": .text(text)]).source("value_template", isNumber: isNumber)
    }

    @Test(
        arguments: [
            ("{{ value }}", []), ("{{value_json.a}}", ["a"]), ("{{ value_json.a.b }}", ["a", "b"]),
            ("{{ value_json['a b'] }}", ["a b"]), ("{{ value_json[\"a\"].b }}", ["a", "b"]),
            ("{{- value_json.a -}}", ["a"]),
            ("{{ value_json.a | float }}", ["a"]), ("{{ value_json.a|float(0)|round(1) }}", ["a"]),
            ("{{ value_json.a | default('', true) }}", ["a"]), ("{{ value_json.a | is_defined }}", ["a"]),
            ("{{ value_json.a | int(default=-1) }}", ["a"]), ("  {{ value | trim }}\n", []), ("", []),
        ] as [(String, [String])])
    func `A template of the simple kind names a place`(_ text: String, _ path: [String]) throws {
        #expect(try source(text) == ValueSource(path: path))
    }

    @Test(arguments: [
        "{{ value_json.a / 10 }}", "{{ value_json.a is defined }}", "{{ value_json[0] }}", "{{ value_json.a }} W",
        "{% if value %}1{% endif %}", "{{ value_json.a }}{{ value }}",
        "{%if value in [\"mild\",\"heavy\"]%}ON{%else%}OFF{%endif%}",
    ])
    func `A template that computes is kept as it is`(_ text: String) throws {
        let source = try source(text)
        #expect(source.path.isEmpty && source.template?.source == text)
    }

    @Test func `What rounds a number changes a yes or no`() throws {
        #expect(try source("{{ value_json.a | int }}", isNumber: false).template != nil)
        #expect(try source("{{ value_json.a | default('OFF') }}", isNumber: false).path == ["a"])
    }

    @Test(arguments: [
        "value", "{{ }}", "{{ 5 }}", "{{ value_json.a | regex('x') }}", "{{ states('sensor.a') }}",
        "{{ value_json.a | float( }}", "{{ value_json.a", "{{ value_json..a }}",
        "{{ value_json.a.b.c.d.e.f.g.h.i }}", "{{ value_json[''] }}", "{% for x in value %}{{ x }}{% endfor %}",
    ])
    func `A template that cannot be read, or reads nothing, is refused`(_ text: String) {
        let why = #expect(throws: DiscoveryRefusal.self) { try source(text) }
        #expect(why == DiscoveryRefusal(.computed, "value_template"))
    }
}
