import System

/// A reading on its way into the tables.
struct Heard: Sendable {
    /// The sensor's number.
    let sensor: Int64
    let at: Timestamp
    /// Finite.
    let value: Double
    let keeping: Keeping
}

/// What waits to be written: readings to be kept, and folds of all readings.
struct SeriesBatch: Sendable {
    /// A row of a fold.
    struct Stretch: Hashable, Sendable {
        let sensor: Int64
        let tier: Tier
        let start: Timestamp
    }

    /// To be kept as they came, oldest first.
    private(set) var raw: [Heard] = []
    /// To be added to the rows that are there.
    private(set) var folds: [Stretch: Rollup] = [:]
    /// Readings that there was no room for since `forgetLost`.
    private(set) var lost = 0

    /// No more readings wait than this, 2 MB, while they cannot be written; then the oldest go.
    /// - Key: hub
    static let rawLimit = 50_000
    /// No more rows of folds wait than this: three for each sensor and five minutes, at most. Two hundred sensors fill it in a day.
    /// - Key: hub
    static let foldLimit = 100_000

    /// Whether there is nothing to write.
    var isEmpty: Bool { raw.isEmpty && folds.isEmpty }

    /// Adds readings.
    /// - Parameter kept: of each sensor the reading that was kept last.
    mutating func add(_ heard: some Sequence<Heard>, kept: inout [Int64: (value: Double, at: Int64)]) {
        for one in heard {
            if one.keeping.keeps(one.value, at: one.at.milliseconds, after: kept[one.sensor]) {
                kept[one.sensor] = (one.value, one.at.milliseconds)
                raw.append(one)
            }
            for tier in Tier.folds {
                fold(
                    Rollup(one.value, at: one.at),
                    into: Stretch(sensor: one.sensor, tier: tier, start: tier.start(of: one.at)))
            }
        }
        bound()
    }

    /// Takes back what could not be written.
    mutating func takeBack(_ other: SeriesBatch) {
        raw = other.raw + raw
        for (stretch, rollup) in other.folds { fold(rollup, into: stretch) }
        bound()
    }

    private mutating func fold(_ rollup: Rollup, into stretch: Stretch) {
        if folds[stretch]?.add(rollup) == nil {
            if folds.count < Self.foldLimit { folds[stretch] = rollup } else { lost += rollup.count }
        }
    }

    private mutating func bound() {
        guard raw.count > Self.rawLimit else { return }
        lost += raw.count - Self.rawLimit
        raw.removeFirst(raw.count - Self.rawLimit)
    }

    /// Takes out what one transaction writes: everything, or a part that nobody waits long for.
    mutating func next(limit: Int) -> SeriesBatch {
        var part = SeriesBatch()
        if raw.count <= limit, folds.count <= limit {
            (part.raw, part.folds) = (raw, folds)
            (raw, folds) = ([], [:])
            return part
        }
        part.raw = Array(raw.prefix(limit))
        raw.removeFirst(part.raw.count)
        for (stretch, rollup) in folds.prefix(limit) {
            part.folds[stretch] = rollup
            folds[stretch] = nil
        }
        return part
    }

    /// How many readings there was no room for, once.
    mutating func forgetLost() -> Int {
        defer { lost = 0 }
        return lost
    }
}
