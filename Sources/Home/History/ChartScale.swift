import Household

/// The axis of values: from a round number to a round number.
struct ChartScale: Sendable, Equatable {
    let bottom: Double
    let top: Double
    /// Round numbers in between, both ends included.
    let ticks: [Double]

    /// - Parameter values: what has to have room. Zero is in it when it is near.
    init(_ values: some Sequence<Double>) {
        // What was kept before numbers had an end has none here, either.
        let most = ReadingValue.greatest
        var low = min(max(values.min() ?? 0, -most), most)
        var high = min(max(values.max() ?? 1, -most), most)
        if low > 0, low < high * 0.6 { low = 0 }
        if high < 0, high > low * 0.6 { high = 0 }
        if high - low < max(abs(high), 1) * 1e-9 {
            let room = max(abs(high) * 0.1, 1)
            (low, high) = (low - room, high + room)
        }
        let step = Self.step((high - low) / 4)
        let (first, last) = ((low / step).rounded(.down), (high / step).rounded(.up))
        ticks = stride(from: first, through: last, by: 1).map { $0 * step }
        (bottom, top) = (first * step, last * step)
    }

    /// Yes and no.
    static let truth = ChartScale(0, 1, [0, 1])

    private init(_ bottom: Double, _ top: Double, _ ticks: [Double]) {
        (self.bottom, self.top, self.ticks) = (bottom, top, ticks)
    }

    /// The next larger of 1, 2 and 5 times a power of ten.
    private static func step(_ least: Double) -> Double {
        var power = 1.0
        while power * 10 <= least { power *= 10 }
        while power > least { power /= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least } ?? power * 10
    }

    /// Where a value lies, from 0 at the top to 1 at the bottom.
    func place(_ value: Double) -> Double { (top - min(max(value, bottom), top)) / (top - bottom) }

    /// How many figures after the point tell ticks apart.
    var places: Int {
        let step = ticks.count > 1 ? ticks[1] - ticks[0] : 1
        return step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 4
    }
}
