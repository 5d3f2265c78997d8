import System

/// What a sensor told.
package enum ReadingValue: Sendable, Equatable {
    /// Finite.
    case number(Double)
    case truth(Bool)
    case text(String)
}

package extension ReadingValue {
    /// No measured number is greater, or less below zero: a sum of as many as a year has is a number, too.
    static let greatest = 1e18

    /// As the series keeps it: a yes is 1, a no is 0; nil for texts.
    var number: Double? {
        switch self {
        case .number(let value): value
        case .truth(let value): value ? 1 : 0
        case .text: nil
        }
    }
}

/// A value and its moment.
package struct Reading: Sendable, Equatable {
    /// What was told, and when the hub heard it.
    package let (value, at): (ReadingValue, Timestamp)
    /// Whether the broker had kept it: it may be old, and trips nothing.
    package let isRetained: Bool
}

package extension Reading {
    /// See the properties.
    init(_ value: ReadingValue, at: Timestamp, isRetained: Bool = false) {
        (self.value, self.at, self.isRetained) = (value, at, isRetained)
    }
}

/// How a sensor is.
package enum SensorStatus: String, Sendable, Codable, CaseIterable {
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
package struct SensorState: Sendable, Equatable {
    /// The last value, and when it was told; nil: none yet.
    package var (value, at): (ReadingValue?, Timestamp?)
    /// How the sensor is.
    package var status: SensorStatus

    /// See the properties.
    package init(value: ReadingValue? = nil, at: Timestamp? = nil, status: SensorStatus = .waiting) {
        (self.value, self.at, self.status) = (value, at, status)
    }
}
