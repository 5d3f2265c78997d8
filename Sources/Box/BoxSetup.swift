import Safeguard
import Wire

/// How the box is set up: as it was made, or as the hub's settings say.
///
/// A sensor that the settings do not name keeps what it was made with: a hub that does not know yet what hangs on the box turns
/// nothing off. Neither does a house that has chosen no threshold for its gas: then that of the box counts.
struct BoxSetup: Sendable {
    /// One sensor.
    struct Part: Sendable {
        /// Its place in the settings; nil: they do not name it.
        var place: UInt8?
        var alarmClass: SensorClass?
        var isBypassed = false
        var threshold: Threshold?
    }

    /// 0: as it was made.
    private(set) var version: UInt64 = 0
    private(set) var rules = PanelRules()
    private(set) var parts: [BoxSensor: Part]
    private(set) var fan: (sensor: BoxSensor, most: Double, shortestRun: Int64)? = (.gas, 800, 30_000)
    private(set) var tags: [BoxSettings.Known] = []

    /// As it was made.
    init() {
        parts = Dictionary(
            uniqueKeysWithValues: BoxSensor.allCases.map {
                ($0, Part(alarmClass: $0.usualClass, threshold: Self.usualThreshold($0)))
            })
    }

    /// As the hub wants it.
    /// - Parameter box: its id: the hub may call a sensor by the id that the box announced it under.
    init(_ settings: BoxSettings, of box: ID16) {
        self.init()
        version = settings.version
        rules = PanelRules(
            exitDelay: Self.delays(settings.rules.exit), entryDelay: Self.delays(settings.rules.entry),
            alarmTime: settings.rules.alarmTime, disarmsAfterAlarm: settings.rules.disarmsAfterAlarm)
        let sensors = settings.sensors.map { wanted in
            BoxSensor.allCases.first { $0.rawValue == wanted.name || $0.uniqueID(of: box) == wanted.name }
        }
        for (place, (sensor, wanted)) in zip(sensors, settings.sensors).enumerated() {
            // Of two that claim one key the first counts.
            guard let sensor, parts[sensor]?.place == nil else { continue }
            parts[sensor] = Part(
                place: UInt8(place),
                alarmClass: sensor.isAlwaysOn ? sensor.usualClass : SensorClass(rawValue: wanted.alarmClass),
                isBypassed: wanted.isBypassed && !sensor.isAlwaysOn,
                // Where nobody chose one, there is still gas, and somebody near.
                threshold: wanted.threshold.map(Self.threshold) ?? Self.usualThreshold(sensor))
        }
        fan = settings.fan.sensor.flatMap { sensors[Int($0)] }.map {
            ($0, Double(settings.fan.most) / 1000, Int64(settings.fan.shortestRun) * 1000)
        }
        tags = settings.tags
    }

    subscript(sensor: BoxSensor) -> Part { parts[sensor] ?? Part() }

    /// Whose digest it is; nil: nobody's. Looks at all of them, so that the time tells nothing.
    func tag(_ digest: Tag) -> ID16? {
        var found: ID16?
        for known in tags where known.digest.matches(digest) { found = known.id }
        return found
    }

    private static func usualThreshold(_ sensor: BoxSensor) -> Threshold? {
        switch sensor {
        case .gas: Threshold(level: 400)
        case .distance: Threshold(level: 100)
        case .smoke, .vibration, .door, .battery: nil
        }
    }

    private static func threshold(_ level: BoxSettings.Level) -> Threshold {
        Threshold(
            level: Double(level.level) / 1000, hysteresis: Double(level.hysteresis) / 1000,
            risePerMinute: level.risePerMinute.map { Double($0) / 1000 })
    }

    private static func delays(_ seconds: [UInt16]) -> Delays {
        Delays(home: seconds[0], away: seconds[1], night: seconds[2], vacation: seconds[3])
    }
}
