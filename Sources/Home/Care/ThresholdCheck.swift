import Household
import Safeguard

/// Why a threshold is none for a sensor.
enum ThresholdRefusal: Error, Sendable, Equatable {
    /// The sensor tells no numbers.
    case notMeasured
    /// It is not a number, or one that no box can hold.
    case level
    /// The sensor can tell nothing above it, or nothing under it.
    case outside(ClosedRange<Double>)
    /// It is no number from 0 on, or the level could never be left again.
    case hysteresis
    /// It is no number above 0.
    case rise
}

extension Threshold {
    /// Boxes count in thousandths of 32 bits.
    static let greatest = 2_000_000.0

    /// Checks what somebody has chosen for a sensor. Everything is rounded to thousandths, so that hub and box mean the same.
    /// - Parameter hysteresis: nil: a tenth of the level, or what the sensor's range leaves for it.
    init(
        checked level: Double, hysteresis: Double?, risePerMinute: Double?, for sensor: Sensor
    ) throws(ThresholdRefusal) {
        guard sensor.isMeasured else { throw .notMeasured }
        guard level.isFinite, level.magnitude <= Self.greatest else { throw .level }
        let level = Self.rounded(level)
        // At the least value it would always be reached, above the greatest never.
        let range = sensor.range ?? (sensor.kind.isNeverNegative ? 0...Self.greatest : nil)
        if let range, !(level > range.lowerBound && level <= range.upperBound) { throw .outside(range) }
        let room = range.map { level - $0.lowerBound } ?? Self.greatest
        let band = Self.rounded(hysteresis ?? min(abs(level) / 10, room))
        guard band.isFinite, (0...min(room, Self.greatest)).contains(band) else { throw .hysteresis }
        if let rise = risePerMinute {
            guard rise.isFinite, rise >= 0.001, rise <= Self.greatest else { throw .rise }
        }
        self.init(level: level, hysteresis: band, risePerMinute: risePerMinute.map { Self.rounded($0) })
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension SensorKind {
    /// Whether it counts something of which there is no less than none.
    fileprivate var isNeverNegative: Bool {
        switch self {
        case .gas, .carbonMonoxideLevel, .humidity, .distance, .battery: true
        default: false
        }
    }
}

extension Sensor {
    /// Whether it tells numbers that a level can be chosen for.
    var isMeasured: Bool { kind.isSeries && !kind.isTruth }
}
