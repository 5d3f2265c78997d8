import Household
import JSON
import Safeguard
import System

/// What a device of a house is, in use or not.
struct DefinedDevice: JSONObject {
    let device: Device
    let sensors: [DefinedSensor]
    let actuators: [DefinedActuator]

    static let shape = Shape<DefinedDevice> {
        JSONField("id", "the device's id") { $0.device.id }
        JSONField("gateway", "the id of what it came in by") { $0.device.gateway }
        JSONField("key", "what its gateway calls it") { $0.device.key }
        JSONField("name", "what people call it") { $0.device.name }
        JSONField("maker", "empty: not told") { $0.device.maker }
        JSONField("model", "empty: not told") { $0.device.model }
        JSONField("area", "empty: not told") { $0.device.area }
        JSONField("origin") { $0.device.origin }
        JSONField("inUse", "whether it is heard") { $0.device.retired == nil }
        JSONField("sensors") { $0.sensors }
        JSONField("actuators") { $0.actuators }
    }
}

/// What a sensor is and means.
struct DefinedSensor: JSONObject {
    let sensor: Sensor

    static let shape = Shape<DefinedSensor> {
        JSONField("id", "the sensor's id") { $0.sensor.id }
        JSONField("device", "the device's id") { $0.sensor.device }
        JSONField("key", "what its gateway calls it") { $0.sensor.key }
        JSONField("name", "what people call it") { $0.sensor.name }
        JSONField("kind") { $0.sensor.kind }
        JSONField("unit", "of the value; empty: none") { $0.sensor.unit }
        JSONField("low", "a smaller reading is refused") { $0.sensor.range?.lowerBound }
        JSONField("high", "a greater reading is refused") { $0.sensor.range?.upperBound }
        JSONField("period", "how often it speaks, in seconds; null: when it wants to") { $0.sensor.period }
        JSONField("class") { $0.sensor.alarmClass }
        JSONField("topic", "below its gateway's") { $0.sensor.binding.topic }
        JSONField("member", "the JSON members that lead to the value, with points between; empty: none") {
            $0.sensor.binding.path.joined(separator: ".")
        }
        JSONField("inUse", "whether it is heard") { $0.sensor.retired == nil }
    }
}

/// What an actuator is, and where it is told.
struct DefinedActuator: JSONObject {
    let actuator: Actuator

    static let shape = Shape<DefinedActuator> {
        JSONField("id", "the actuator's id") { $0.actuator.id }
        JSONField("device", "the device's id") { $0.actuator.device }
        JSONField("key", "what its gateway calls it") { $0.actuator.key }
        JSONField("name", "what people call it") { $0.actuator.name }
        JSONField("kind") { $0.actuator.kind }
        JSONField("topic", "where it is switched, below its gateway's") { $0.actuator.binding.commandTopic }
        JSONField("valueTopic", "where it is told a value") { $0.actuator.binding.valueTopic }
        JSONField("inUse", "whether it can be told") { $0.actuator.retired == nil }
    }
}
