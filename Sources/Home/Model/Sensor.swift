import Identity
import Ledger
import Safeguard
import Store
import System
import Template

/// What a sensor measures.
public enum SensorKind: String, Sendable, CaseIterable {
    /// Gas in the air that burns: a bare level, as an MQ-2 has it, or ppm, or a share of the lower explosive limit.
    case gas
    /// A detector of such gas: yes or no.
    case gasAlarm
    case smoke
    case heat
    /// A detector of carbon monoxide: yes or no.
    case carbonMonoxide
    /// Carbon monoxide in numbers: see `CarbonMonoxideExposure`.
    case carbonMonoxideLevel
    /// A button that calls for help.
    case panic
    case moisture
    /// Ultrasonic, in cm.
    case distance
    case vibration
    /// The number of an RFID tag that was held to the reader.
    case tag
    case contact
    case motion
    case temperature
    case humidity
    case battery
    case power
    case energy
    case signal
    /// A camera's picture.
    case snapshot
    /// Whatever else is a number, a yes or no, or a text.
    case number
    case truth
    case text

    /// Whether its values are yes or no.
    public var isTruth: Bool {
        switch self {
        case .gasAlarm, .smoke, .heat, .carbonMonoxide, .panic, .moisture, .vibration, .contact, .motion, .truth: true
        default: false
        }
    }

    /// Whether it watches for gas, fire or carbon monoxide: what fails there is told by a notice of its own.
    public var savesLives: Bool {
        switch self {
        case .gas, .gasAlarm, .smoke, .heat, .carbonMonoxide, .carbonMonoxideLevel: true
        default: false
        }
    }

    /// Whether a number of it threatens whoever is inside, once it is high.
    public var isMeasuredAir: Bool { self == .gas || self == .carbonMonoxideLevel }

    /// Whether its values are kept as a series.
    public var isSeries: Bool {
        switch self {
        case .tag, .snapshot, .text: false
        default: true
        }
    }

    /// What tripping it means, unless a house says otherwise; nil: nothing.
    public var usualClass: SensorClass? {
        switch self {
        case .gasAlarm, .smoke, .heat, .carbonMonoxide, .moisture: .environmental
        case .distance, .motion: .motion
        case .contact: .door
        case .vibration: .tamper
        default: nil
        }
    }
}

/// One thing that a device measures.
public struct Sensor: Sendable, Equatable {
    /// The kind of id that names sensors.
    public enum Name {}
    /// Its name in tables and for programs.
    public let id: SensorID
    /// Its short name in the series of readings.
    public let number: Int64
    /// Whose.
    public let device: DeviceID
    /// Where.
    public let site: SiteID
    /// What its gateway calls it; unique there.
    public let key: String
    /// What people call it.
    public var name: String
    /// What it measures.
    public var kind: SensorKind
    /// In which unit, as it is written; empty: none.
    public var unit: String
    /// What it can tell; a reading outside is refused. Nil: any finite number.
    public var range: ClosedRange<Double>?
    /// How often it speaks, in seconds; nil: when it wants to. After three of them without a word it is at fault.
    public var period: Double?
    /// What tripping it means; nil: nothing.
    public var alarmClass: SensorClass?
    /// Where its values come from.
    public var binding: SensorBinding
    /// When it was taken out of use.
    public var retired: Timestamp?

    /// See the properties.
    public init(
        id: SensorID, number: Int64, device: DeviceID, site: SiteID, key: String, name: String, kind: SensorKind,
        unit: String = "", range: ClosedRange<Double>? = nil, period: Double? = nil, alarmClass: SensorClass? = nil,
        binding: SensorBinding, retired: Timestamp? = nil
    ) {
        (self.id, self.number, self.device, self.site, self.key) = (id, number, device, site, key)
        (self.name, self.kind, self.unit, self.range, self.period) = (name, kind, unit, range, period)
        (self.alarmClass, self.binding, self.retired) = (alarmClass, binding, retired)
    }
}

/// The name of a sensor in tables and for programs.
public typealias SensorID = ID<Sensor.Name>

/// Where a sensor's values come from. Topics are below its gateway's.
public struct SensorBinding: Sendable, Equatable, Codable {
    /// Where it tells them.
    public var topic: String
    /// The members of the payload's JSON that lead to the value; empty: the payload itself.
    public var path: [String]
    /// What computes the text in which that is looked for; nil: it is the payload.
    public var template: Template?
    /// What stands for yes; nil: `ON`.
    public var on: String?
    /// What stands for no; nil: `OFF`.
    public var off: String?
    /// After so many seconds a yes becomes a no by itself.
    public var offDelay: Double?
    /// After so many seconds without a value it is unavailable.
    public var expireAfter: Double?
    /// Where it tells that it is there.
    public var availability: [Availability]
    /// How several of those are read together.
    public var availabilityMode: Availability.Mode

    /// Where in a payload the value lies.
    var source: ValueSource {
        get { ValueSource(path: path, template: template) }
        set { (path, template) = (newValue.path, newValue.template) }
    }

    /// See the properties.
    public init(
        topic: String, path: [String] = [], template: Template? = nil, on: String? = nil, off: String? = nil,
        offDelay: Double? = nil,
        expireAfter: Double? = nil, availability: [Availability] = [], availabilityMode: Availability.Mode = .latest
    ) {
        (self.topic, self.path, self.template, self.on, self.off) = (topic, path, template, on, off)
        self.offDelay = offDelay
        (self.expireAfter, self.availability, self.availabilityMode) = (expireAfter, availability, availabilityMode)
    }
}
