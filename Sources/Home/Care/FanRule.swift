import Household
import Identity
import Ledger
import Safeguard
import System

/// Which sensor a fan follows, and how.
struct FanRule: Sendable, Equatable {
    let fan: ActuatorID
    /// Where.
    let site: SiteID
    /// What it follows: above this sensor's threshold it runs at 50 to 100 %.
    var sensor: SensorID
    /// The level at which it runs at 100 %, in the sensor's unit.
    var most: Double
    /// Once it runs, it runs for so long, in seconds.
    var shortestRun: Int

    /// The shortest run is between none and an hour.
    static let runs = 0...3600
    /// Five minutes, unless somebody says otherwise.
    static let usualRun = 300

    /// What suits a sensor with a threshold: all its speed at the end of what the sensor can tell, or at twice the level.
    init(fan: ActuatorID, for sensor: Sensor, _ threshold: Threshold) {
        let end = sensor.range?.upperBound ?? threshold.level + max(abs(threshold.level), 1)
        self.init(
            fan: fan, site: sensor.site, sensor: sensor.id, most: max(end, threshold.level),
            shortestRun: Self.usualRun)
    }

    /// See the properties.
    init(fan: ActuatorID, site: SiteID, sensor: SensorID, most: Double, shortestRun: Int) {
        (self.fan, self.site, self.sensor, self.most, self.shortestRun) = (fan, site, sensor, most, shortestRun)
    }
}

/// How a fan runs: by its rule, or by hand for a time.
struct FanRun: Sendable, Equatable {
    /// What somebody has chosen, and until when.
    struct ByHand: Sendable, Equatable {
        /// 0, or 50 to 100.
        let percent: UInt8
        /// Then the rule takes over again.
        var until: Timestamp

        /// Whether it runs slower than its rule may want.
        var isSlowed: Bool { percent < 100 }
    }
    /// By hand for at least and at most so many minutes.
    static let minutes = 1...1440

    /// What the rule wants.
    var ventilation = Ventilation()
    /// Nil: the rule counts.
    var byHand: ByHand?

    /// How fast it is to run now, in per cent: 0, or 50 to 100.
    var percent: UInt8 { byHand?.percent ?? ventilation.percent }

    /// Ends what was chosen by hand when its time is over. A clock that was set back makes it no longer than it may be.
    mutating func pass(to now: Timestamp) {
        guard var byHand else { return }
        let latest = now.adding(milliseconds: Int64(Self.minutes.upperBound) * 60_000)
        byHand.until = min(byHand.until, latest)
        self.byHand = byHand.until <= now ? nil : byHand
    }
}

/// What a house has chosen for its air: what its boxes are told, too, and go by when the hub is away.
struct CareSettings: Sendable, Equatable {
    /// Whether the hub acts on thresholds at all. Boxes do in any case, and so do detectors that know only yes and no.
    var isEnabled: Bool
    /// By sensor.
    var thresholds: [SensorID: Threshold]
    /// By fan.
    var fans: [FanRule]
}
