import JSON
import Safeguard

/// What a program says that a sensor means: what it leaves out stays, what is null is taken away.
struct SensorMeaningWish {
    let unit: JSONPresence<String>
    let low: JSONPresence<Double>
    let high: JSONPresence<Double>
    let period: JSONPresence<Double>
    let alarmClass: JSONPresence<SensorClass>

    /// The keys of its members, for the bodies in which they are.
    enum Key {
        static let unit = JSONKey<JSONPresence<String>>("unit", "at most 16 characters")
        static let low = JSONKey<JSONPresence<Double>>("low", "the lower end of the range; with high")
        static let high = JSONKey<JSONPresence<Double>>("high", "the upper end of the range; with low")
        static let period = JSONKey<JSONPresence<Double>>("period", "0.1 to 86400 seconds")
        static let alarmClass = JSONKey<JSONPresence<SensorClass>>("class")
    }

    /// Over what is known.
    func over(_ known: SensorEntry) throws(DeviceFault) -> SensorEntry {
        var entry = known
        entry.unit = unit.over(known.unit) ?? ""
        entry.low = try Self.text(low, over: known.low, .range)
        entry.high = try Self.text(high, over: known.high, .range)
        entry.period = try Self.text(period, over: known.period, .period)
        if alarmClass.isThere { entry.alarmClass = alarmClass.value?.name ?? "" }
        return entry
    }

    /// As a form would say it, so that there is one place that reads it.
    private static func text(
        _ wish: JSONPresence<Double>, over known: String, _ fault: DeviceFault
    ) throws(DeviceFault) -> String {
        guard wish.isThere else { return known }
        guard let value = wish.value else { return "" }
        let text = DeviceRules.text(value)
        guard DeviceRules.number(text) != nil else { throw fault }
        return text
    }
}
