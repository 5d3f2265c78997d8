import Safeguard

/// The threshold of a gas sensor for which nobody has chosen one: nobody's air goes unwatched because a page was not opened.
enum UsualThreshold {
    /// What an MQ-2 and the box itself are held against, as bare level or in ppm.
    static let level = 400.0
    /// A tenth of the lower explosive limit, in per cent of it: within what EN 50194 allows a detector for homes (3 to 20 %).
    static let share = 10.0

    /// Nil: of this sensor nobody can say without knowing more. Carbon monoxide kills at far less than other gas.
    static func threshold(for sensor: Sensor) -> Threshold? {
        guard sensor.kind == .gas, sensor.isMeasured, CareState.isEnvironmental(sensor), !isPoison(sensor) else {
            return nil
        }
        let usual: Threshold
        switch sensor.unit.lowercased().filter({ $0 != " " }) {
        case "", "ppm": usual = Threshold(level: level)
        case "%lel": usual = Threshold(level: share)
        default: return nil
        }
        guard let range = sensor.range else { return usual }
        return range.lowerBound < usual.level && usual.level < range.upperBound ? usual : nil
    }

    private static func isPoison(_ sensor: Sensor) -> Bool {
        let words = (sensor.name + " " + sensor.key).lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.contains { ["co", "co2", "carbon", "monoxide", "mq7", "voc", "tvoc", "volatile"].contains($0) }
    }
}
