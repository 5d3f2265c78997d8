import Home
import Household

extension Target {
    /// What devices of a house say of themselves.
    static let home: [Target] = [
        Target("discovery-message", seeds: { discoverySeeds.map { Array($0.utf8) } }) { bytes in
            for place in ["homeassistant/device/node/object/config", "homeassistant/light/object/config"] {
                guard let topic = DiscoveryTopic(place) else { return expect(false, "a topic is none") }
                guard let message = try? DiscoveryMessage(topic: topic, payload: bytes) else { continue }
                expect(
                    (try? DiscoveryMessage(topic: topic, payload: bytes)) == message, "read twice, it says two things")
                guard case .described(let device) = message.content else { continue }
                expectSound(device)
            }
        },
        .text("discovery-topic", seeds: ["homeassistant/sensor/a/config", "homeassistant/device/a/b/config"]) { text in
            guard let topic = DiscoveryTopic(text) else { return }
            expect(text.hasPrefix("homeassistant/") && text.hasSuffix("/config"), "a topic of another kind")
            expect(!topic.object.isEmpty && topic.object.utf8.allSatisfy(isOfKey), "an object of strange signs")
        },
    ]

    private static func expectSound(_ device: DiscoveredDevice) {
        expect(
            !device.key.isEmpty && device.key.utf8.count <= 64 && device.key.utf8.allSatisfy(isOfKey), "a strange key")
        expect(
            device.sensors.count + device.actuators.count <= DiscoveryLimit.components
                && device.refused.count <= DiscoveryLimit.components,
            "too many components")
        expect(device.name.count <= DiscoveryLimit.name, "too long a name")
        for sensor in device.sensors {
            expect(sensor.key.utf8.count <= 64 && sensor.key.utf8.allSatisfy(isOfKey), "a strange key")
            expect(sensor.name.count <= DiscoveryLimit.name, "too long a name")
            expectSound(sensor.binding)
        }
        for actuator in device.actuators {
            let binding = actuator.binding
            for topic in [binding.commandTopic, binding.valueTopic, binding.colourTopic].compactMap(\.self) {
                expectOwn(topic)
                expect(!topic.hasPrefix("homeassistant/"), "an actuator that writes discovery")
            }
            expect(binding.low.isFinite && binding.high.isFinite, "bounds that are none")
            binding.state.map(expectSound)
        }
    }

    private static func expectSound(_ binding: SensorBinding) {
        expectOwn(binding.topic)
        expect(binding.path.count <= DiscoveryLimit.path, "too long a path")
        for one in binding.availability { expectOwn(one.topic) }
    }

    /// Below the gateway's own, and one topic.
    private static func expectOwn(_ topic: String) {
        expect(!topic.isEmpty && topic.utf8.count < DiscoveryLimit.topic, "no length of a topic")
        expect(topic.utf8.first != UInt8(ascii: "/") && topic.utf8.first != UInt8(ascii: "$"), "a topic that leads out")
        expect(
            topic.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "#") },
            "a topic of strange signs")
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private static let discoverySeeds = [
        "", #"{"migrate_discovery":true}"#,
        #"{"~":"b","dev":{"ids":["a"],"name":"A","sa":"R"},"o":{"name":"x"},"avty":[{"t":"~/l","val_tpl":"{{value_json.s}}"}],"#
            + #""cmps":{"g":{"p":"sensor","stat_t":"~/s","unit_of_meas":"V","min":0,"max":9},"f":{"p":"fan","cmd_t":"~/f","#
            + #""pct_cmd_t":"f~","spd_rng_min":50},"v":{"p":"valve","cmd_t":"v","reports_position":true}}}"#,
        #"{"schema":"json","cmd_t":"l","stat_t":"l","bri_scl":254,"sup_clrm":["rgb"],"uniq_id":"l.1","dev":{"cns":[["mac","a"]]}}"#,
    ]
}
