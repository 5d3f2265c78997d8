import Household
import Safeguard

/// Why there is an alarm.
struct CareCause: Sendable, Equatable {
    /// The level, or how fast it grew.
    var crossing: Crossing
    /// What was measured; nil: a detector that knows only yes and no.
    var value: Double?
    /// What it was held against; nil: how much of it was breathed, by level and time.
    var threshold: Threshold?
}

extension AlarmMessage {
    /// That the air of a sensor is bad.
    /// - Parameter cause: nil: nothing is known of how much.
    init(_ cause: CareCause?, _ sensor: Sensor, at device: Device?) {
        var air = Air(
            kind: sensor.kind, name: sensor.name(at: device),
            place: device.map { $0.area.isEmpty ? $0.name : $0.area }, unit: sensor.unit)
        if let cause, let value = cause.value {
            air.value = value
            air.cause =
                switch (cause.crossing, cause.threshold) {
                case (_, nil): .exposure
                case (.rising, let threshold?): .risePerMinute(threshold.risePerMinute ?? 0)
                case (_, let threshold?): .level(threshold.level)
                }
        }
        self = .air(air)
    }
}
