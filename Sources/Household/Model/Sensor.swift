import Identity
import Ledger
import Safeguard
import Store
import System
import Template

/// What a sensor measures.
package enum SensorKind: String, Sendable, CaseIterable, Codable {
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
}

package extension SensorKind {
    /// Whether its values are yes or no.
    var isTruth: Bool {
        switch self {
        case .gasAlarm, .smoke, .heat, .carbonMonoxide, .panic, .moisture, .vibration, .contact, .motion, .truth: true
        default: false
        }
    }

    /// Whether it watches for gas, fire or carbon monoxide: what fails there is told by a notice of its own.
    var savesLives: Bool {
        switch self {
        case .gas, .gasAlarm, .smoke, .heat, .carbonMonoxide, .carbonMonoxideLevel: true
        default: false
        }
    }

    /// Whether a number of it threatens whoever is inside, once it is high.
    var isMeasuredAir: Bool { self == .gas || self == .carbonMonoxideLevel }

    /// Whether its values are kept as a series.
    var isSeries: Bool {
        switch self {
        case .tag, .snapshot, .text: false
        default: true
        }
    }

    /// What tripping it means, unless a house says otherwise; nil: nothing.
    var usualClass: SensorClass? {
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
package struct Sensor: Sendable, Equatable {
    /// Its name in tables and for programs, and its short one in the series of readings.
    package let (id, number): (SensorID, Int64)
    /// Whose, and where.
    package let (device, site): (DeviceID, SiteID)
    /// What its gateway calls it; unique there.
    package let key: String
    /// What people call it.
    package var name: String
    /// What it measures.
    package var kind: SensorKind
    /// In which unit, as it is written; empty: none.
    package var unit: String
    /// What it can tell; a reading outside is refused. Nil: any finite number.
    package var range: ClosedRange<Double>?
    /// How often it speaks, in seconds; nil: when it wants to. After three of them without a word it is at fault.
    package var period: Double?
    /// What tripping it means; nil: nothing.
    package var alarmClass: SensorClass?
    /// Where its values come from.
    package var binding: SensorBinding
    /// When it was taken out of use.
    package var retired: Timestamp?

    /// See the properties.
    package init(
        id: SensorID, number: Int64, device: DeviceID, site: SiteID, key: String, name: String, kind: SensorKind,
        unit: String = "", range: ClosedRange<Double>? = nil, period: Double? = nil, alarmClass: SensorClass? = nil,
        binding: SensorBinding, retired: Timestamp? = nil
    ) {
        (self.id, self.number, self.device, self.site, self.key) = (id, number, device, site, key)
        (self.name, self.kind, self.unit, self.range, self.period) = (name, kind, unit, range, period)
        (self.alarmClass, self.binding, self.retired) = (alarmClass, binding, retired)
    }
}

package extension Sensor {
    /// The kind of id that names sensors.
    enum Name {}

    /// With its device, or its room: `Gas (Kitchen)`.
    func name(at device: Device?) -> String {
        guard let device else { return name }
        let around = device.area.isEmpty ? device.name : device.area
        return around == name ? around : "\(name) (\(around))"
    }

    /// Whether what it tells threatens whoever is inside. What gas is worth is for its threshold to say.
    var isEnvironmental: Bool {
        alarmClass == .environmental || (alarmClass == nil && kind.isMeasuredAir)
    }

    /// Whether it protects a house that is armed so: by what its class says, and gas always, also where a threshold alone says from when.
    func counts(for mode: ArmMode?) -> Bool {
        isEnvironmental || (alarmClass?.counts(for: mode) ?? false)
    }
}

package extension SensorClass {
    /// Whether somebody seen by such a sensor does not belong into a house that is armed so.
    func counts(for mode: ArmMode?) -> Bool {
        switch self {
        case .environmental: true
        case .door, .tamper: mode != nil
        case .motion: mode?.isEmptyHouse ?? false
        }
    }
}

/// The name of a sensor in tables and for programs.
package typealias SensorID = ID<Sensor.Name>

/// Where a sensor's values come from. Topics are below its gateway's.
package struct SensorBinding: Sendable, Equatable, Codable {
    /// Where it tells them.
    package var topic: String
    /// See `source`.
    package var (path, template): ([String], Template?)
    /// What stands for yes, and for no; nil: `ON`, `OFF`.
    package var (on, off): (String?, String?)
    /// After so many seconds a yes becomes a no by itself; and without a value it is unavailable.
    package var (offDelay, expireAfter): (Double?, Double?)
    /// Where it tells that it is there, and how several of those are read together.
    package var (availability, availabilityMode): ([Availability], Availability.Mode)

    /// See the properties.
    package init(
        topic: String, path: [String] = [], template: Template? = nil, on: String? = nil, off: String? = nil,
        offDelay: Double? = nil,
        expireAfter: Double? = nil, availability: [Availability] = [], availabilityMode: Availability.Mode = .latest
    ) {
        (self.topic, self.path, self.template, self.on, self.off) = (topic, path, template, on, off)
        self.offDelay = offDelay
        (self.expireAfter, self.availability, self.availabilityMode) = (expireAfter, availability, availabilityMode)
    }
}

package extension SensorBinding {
    /// Where in a payload the value lies.
    var source: ValueSource {
        get { ValueSource(path: path, template: template) }
        set { (path, template) = (newValue.path, newValue.template) }
    }
}
