import System

/// What a sensor told.
public enum ReadingValue: Sendable, Equatable {
    /// No measured number is greater, or less below zero: a sum of as many as a year has is a number, too.
    static let greatest = 1e18

    /// Finite.
    case number(Double)
    case truth(Bool)
    case text(String)

    /// As the series keeps it: a yes is 1, a no is 0; nil for texts.
    public var number: Double? {
        switch self {
        case .number(let value): value
        case .truth(let value): value ? 1 : 0
        case .text: nil
        }
    }
}

/// A value and its moment.
public struct Reading: Sendable, Equatable {
    /// What was told.
    public let value: ReadingValue
    /// When the hub heard it.
    public let at: Timestamp
    /// Whether the broker had kept it: it may be old, and trips nothing.
    public let isRetained: Bool

    /// See the properties.
    public init(_ value: ReadingValue, at: Timestamp, isRetained: Bool = false) {
        (self.value, self.at, self.isRetained) = (value, at, isRetained)
    }
}

/// How a sensor is.
public enum SensorStatus: String, Sendable {
    /// It has never spoken.
    case waiting
    /// Its last value counts.
    case live
    /// It speaks, and is not to be believed yet.
    case warming
    /// It has not spoken for three of its periods: a fault, and no zero.
    case late
    /// It, or the broker for it, says that it is not there; or its value has expired.
    case unavailable
    /// Somebody put it aside because it spoke too much or nonsense.
    case isolated
}

/// How a sensor is, and what it told last.
public struct SensorState: Sendable, Equatable {
    /// The last value; nil: none yet.
    public var value: ReadingValue?
    /// When it was told.
    public var at: Timestamp?
    /// How the sensor is.
    public var status: SensorStatus

    /// See the properties.
    public init(value: ReadingValue? = nil, at: Timestamp? = nil, status: SensorStatus = .waiting) {
        (self.value, self.at, self.status) = (value, at, status)
    }
}
