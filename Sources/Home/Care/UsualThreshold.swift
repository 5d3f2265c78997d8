import Household
import Safeguard

/// The threshold of a gas sensor for which nobody has chosen one: nobody's air goes unwatched because a page was not opened.
enum UsualThreshold {
    /// What an MQ-2 and the box itself are held against, as bare level or in ppm.
    static let level = 400.0
    /// A tenth of the lower explosive limit, in per cent of it: within what EN 50194 allows a detector for homes (3 to 20 %).
    static let share = 10.0

    /// Nil: of this sensor nobody can say without knowing more.
    static func threshold(for sensor: Sensor) -> Threshold? {
        guard sensor.kind == .gas, sensor.isEnvironmental,
            !SensorMeaning.isOtherAir([sensor.name, sensor.key])
        else { return nil }
        let usual: Threshold
        switch MeasuredRange.canonical(sensor.unit) {
        case "", "ppm": usual = Threshold(level: level)
        case "%lel": usual = Threshold(level: share)
        default: return nil
        }
        guard let range = sensor.range else { return usual }
        return range.lowerBound < usual.level && usual.level < range.upperBound ? usual : nil
    }

    /// Whether what counts now is what the hub chose for burnable gas, and people nothing since.
    ///
    /// A hub of before chose none where an English word told of carbon monoxide: there people chose it.
    static func isOfGas(
        _ steps: (now: ThresholdRecords.Step?, before: ThresholdRecords.Step?), _ sensor: Sensor
    ) -> Bool {
        let words = (sensor.name + " " + sensor.key).lowercased().split { !$0.isLetter && !$0.isNumber }
        let isEnglish = words.contains {
            ["co", "co2", "carbon", "monoxide", "mq7", "voc", "tvoc", "volatile"].contains($0)
        }
        guard !isEnglish, steps.before == nil, let chosen = steps.now?.threshold else { return false }
        return chosen == Threshold(level: level) || chosen == Threshold(level: share)
    }
}
