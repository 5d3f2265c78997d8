import Safeguard

/// What a discovered sensor measures, and what tripping it means.
enum SensorMeaning {
    /// Of a sensor that tells numbers or texts.
    ///
    /// Home Assistant's class `gas` is a meter's volume; the level of gas in the air, as an MQ-2 tells it, has no class there. So a sensor
    /// that is measured and goes by the name of gas is one.
    /// - Parameters:
    ///   - isMeasured: whether it has a `state_class`.
    ///   - names: its id and what it is called.
    ///   - own: the kind in our own words, from our own box.
    static func kind(
        deviceClass: String?, unit: String, isMeasured: Bool, named names: [String], own: String?
    ) -> SensorKind {
        if let own, let kind = SensorKind(rawValue: own) { return kind }
        switch deviceClass {
        case "temperature": return .temperature
        case "humidity": return .humidity
        case "battery": return .battery
        case "power", "apparent_power": return .power
        case "energy": return .energy
        case "signal_strength": return .signal
        // In other units it is the length of something; only an ultrasonic sensor of a room tells centimetres.
        case "distance": return unit == "cm" ? .distance : .number
        case "carbon_monoxide", "volatile_organic_compounds", "volatile_organic_compounds_parts": return .gas
        case "enum", "timestamp", "date": return .text
        case nil:
            let isGas = names.contains { isGasName($0) }
            if isGas { return .gas }
            return unit.isEmpty && !isMeasured ? .text : .number
        default: return .number
        }
    }

    /// Whether a word of it is one for gas: `gas_level`, `MQ-2`, `mq2`.
    private static func isGasName(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        if words.contains(where: { ["gas", "mq2", "mq4", "mq5", "mq6", "mq7", "mq9", "lpg"].contains($0) }) {
            return true
        }
        return zip(words, words.dropFirst()).contains { $0 == "mq" && $1.count == 1 && $1.first?.isNumber == true }
    }

    /// Of a sensor that tells yes or no.
    static func binary(deviceClass: String?) -> (SensorKind, SensorClass?) {
        let kind: SensorKind =
            switch deviceClass {
            case "smoke": .smoke
            case "carbon_monoxide": .carbonMonoxide
            case "moisture": .moisture
            case "vibration": .vibration
            case "door", "window", "opening", "garage_door": .contact
            case "motion", "moving", "occupancy", "presence": .motion
            default: .truth
            }
        let meaning: SensorClass? =
            switch deviceClass {
            case "gas", "heat", "safety": .environmental
            case "tamper", "sound": .tamper
            default: kind.usualClass
            }
        return (kind, meaning)
    }
}
