import Household
import Safeguard
import Store
import System

extension Series {
    /// How often a level would have been reached: "with this level: 3 alarms in the last 30 days".
    ///
    /// Read from the lowest and highest values of each five minutes, which count every reading. Where a value was over the level and back
    /// under it within five minutes, the readings of those minutes decide, while they are kept; else it counts as once. How fast a value
    /// rises is left out of it.
    /// - Parameters:
    ///   - level: in the sensor's unit.
    ///   - hysteresis: an alarm is over at `level - hysteresis` or below.
    ///   - since: nothing before.
    func alarms(
        of sensor: Sensor, at level: Double, hysteresis: Double, since: Timestamp
    ) throws -> Int {
        let threshold = Threshold(level: level, hysteresis: hysteresis)
        return try store.read { database in
            try Evidence(sensor: sensor.number, threshold, since: since, in: database).count
        }
    }
}

/// Counts how often a threshold would have been reached.
struct Evidence {
    /// How often.
    private(set) var count = 0
    private let threshold: Threshold
    private var isOver = false
    private var looks = 0

    /// No more stretches than so many are looked at reading by reading: a value that trembles around the level makes many alarms
    /// either way, and a slider does not wait.
    static let closeLooks = 200

    init(sensor: Int64, _ threshold: Threshold, since: Timestamp, in database: Database) throws {
        self.threshold = threshold
        var stretches: [(start: Timestamp, rollup: Rollup)] = []
        try SeriesRecords.each(
            .fiveMinutes, of: sensor, from: Tier.fiveMinutes.start(of: since), to: Timestamp(milliseconds: .max),
            in: database
        ) { start, rollup in
            // What neither reaches the level nor comes back under it changes nothing.
            if rollup.high >= threshold.level || Self.leaves(rollup.low, threshold) {
                stretches.append((start, rollup))
            }
        }
        for stretch in stretches { try take(stretch.start, stretch.rollup, of: sensor, in: database) }
    }

    private static func leaves(_ value: Double, _ threshold: Threshold) -> Bool {
        value <= threshold.level - threshold.hysteresis && value < threshold.level
    }

    private mutating func take(
        _ start: Timestamp, _ rollup: Rollup, of sensor: Int64, in database: Database
    ) throws {
        let reaches = rollup.high >= threshold.level
        guard reaches, Self.leaves(rollup.low, threshold) else {
            if reaches, !isOver { count += 1 }
            isOver = reaches
            return
        }
        // Both in five minutes. Not every reading is kept, so the fold alone is sure of one alarm.
        let closer = try lookCloser(start, of: sensor, in: database)
        count += max(closer?.found ?? 0, isOver ? 0 : 1)
        // Between the level and what counts as left, where a value came from decides.
        let isBetween = rollup.last < threshold.level && !Self.leaves(rollup.last, threshold)
        isOver = isBetween ? closer?.isOver ?? true : rollup.last >= threshold.level
    }

    /// How often the readings of a stretch reach the level, and whether they are over it in the end, as far as they are kept; nil when
    /// none is, or enough was looked at.
    private mutating func lookCloser(
        _ start: Timestamp, of sensor: Int64, in database: Database
    ) throws -> (found: Int, isOver: Bool)? {
        if looks == Self.closeLooks { return nil }
        looks += 1
        var (watch, found, seen) = (ThresholdWatch(isOver: isOver), 0, false)
        let threshold = threshold
        try SeriesRecords.each(
            .raw, of: sensor, from: start, to: start.adding(milliseconds: Tier.fiveMinutes.width), in: database
        ) { at, reading in
            seen = true
            if watch.apply(reading.last, at: at.milliseconds, threshold) == .reached { found += 1 }
        }
        return seen ? (found, watch.isOver) : nil
    }
}
