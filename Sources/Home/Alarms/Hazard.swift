/// What an alarm is about, as far as it matters for what people do then.
enum Hazard: String, Sendable, CaseIterable, Codable {
    case gas, smoke, carbonMonoxide, water
    /// Gas, smoke or water, from something that does not say which.
    case environment
    case intruder, tamper, help, fault

    /// - Parameter sensor: what told of it; nil: no sensor did, or it is out of use.
    init(_ kind: HouseAlarm.Kind, _ sensor: SensorKind?) {
        self =
            switch (kind, sensor) {
            case (.environmental, .gas), (.environmental, .gasAlarm): .gas
            case (.environmental, .smoke), (.environmental, .heat), (.environmental, .temperature): .smoke
            case (.environmental, .carbonMonoxide), (.environmental, .carbonMonoxideLevel): .carbonMonoxide
            case (.environmental, .moisture): .water
            case (.environmental, _): .environment
            case (.intrusion, _): .intruder
            case (.tamper, _): .tamper
            case (.help, _): .help
            case (.fault, _): .fault
            }
    }

    /// Whether somebody else's hands on a phone must not quieten it: a burglar may hold one.
    var isSomebody: Bool { self == .intruder || self == .tamper || self == .help }
}
