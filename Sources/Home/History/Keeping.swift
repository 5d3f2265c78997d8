import Household

/// Which readings of a sensor are kept one by one. Roll-ups count every reading, and alarms see every reading, whatever this says.
enum Keeping: Sendable, Equatable {
    /// All of them.
    case every
    /// Those that differ from the one kept last by so much at least, or by so large a share of it; and one a minute.
    case changes(by: Double, share: Double = 0)

    /// After so many milliseconds a reading is kept although nothing changed: a flat line is not a silent sensor.
    static let heartbeat: Int64 = 60_000

    /// What is usual for a kind: about what its sensor can tell apart.
    init(_ kind: SensorKind) {
        switch kind {
        case .gas, .carbonMonoxideLevel, .power: self = .changes(by: 0, share: 0.01)
        case .distance, .battery: self = .changes(by: 1)
        case .temperature: self = .changes(by: 0.1)
        case .humidity: self = .changes(by: 0.5)
        case .signal: self = .changes(by: 2)
        case .energy: self = .changes(by: 0)
        // Nobody knows what a custom number means, and so neither what is little of it.
        case .number: self = .every
        default: self = .changes(by: 0)
        }
    }

    /// Whether a reading is kept.
    /// - Parameter before: the one that was kept last; nil: none in this run of the hub.
    func keeps(_ value: Double, at time: Int64, after before: (value: Double, at: Int64)?) -> Bool {
        guard case .changes(let least, let share) = self, let before else { return true }
        // Earlier than the last one: it came late, or the clock was set back.
        if time < before.at || time - before.at >= Self.heartbeat { return true }
        let change = abs(value - before.value)
        return change > 0 && change >= max(least, abs(before.value) * share)
    }
}
