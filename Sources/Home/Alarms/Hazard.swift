import Household

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

    /// What threatens people most comes first.
    var urgency: Int {
        switch self {
        case .smoke, .carbonMonoxide, .gas: 0
        case .environment, .help: 1
        case .intruder: 2
        case .water, .tamper: 3
        case .fault: 4
        }
    }

    /// Whether somebody else's hands on a phone must not quieten it: a burglar may hold one.
    var isSomebody: Bool { self == .intruder || self == .tamper || self == .help }
}

extension HouseAlarm {
    /// What it is about.
    /// - Parameter sensor: what its sensor measures now; nil: it has none, or that is out of use. What it was counts before that.
    func hazard(_ sensor: SensorKind?) -> Hazard {
        if case .hazard(let hazard) = message { return hazard }
        return Hazard(kind, message.air?.kind ?? sensor)
    }
}
