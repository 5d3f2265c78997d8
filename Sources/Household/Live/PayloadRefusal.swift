import System

/// Why what a sensor told was not taken, so that what it told before stays; or why the time that it told was not.
package enum PayloadRefusal: String, Sendable, CaseIterable {
    /// It should be JSON and is none, or names the value twice.
    case notJSON
    /// JSON without the value.
    case noValue
    /// A text where a number belongs, or the like.
    case wrongKind
    /// NaN or infinite.
    case notFinite
    /// Outside what the sensor can measure.
    case outOfRange
    /// In another unit than the sensor's.
    case wrongUnit
    /// Its time is none, or not of this form: 2026-11-21T12:00:00Z.
    case badTime
    /// More than two minutes ahead of the hub.
    case fromTheFuture
    /// From before 2020: a clock that was never set.
    case beforeSensors
    /// More than two minutes behind the hub.
    case fromThePast
    /// Longer than `PayloadReader.byteLimit`, or a text longer than `PayloadReader.textLimit`.
    case tooLong
    /// More was to be read at once than the hub reads for one connection: see `IntakeTable.Route`.
    case tooMuch
    /// No JPEG, PNG or WebP file, a broken one, or one of too many pixels.
    case noPicture
}

/// What was refused of a sensor since the hub started.
package struct SensorRefusals: Sendable, Equatable {
    /// How much; why the last of it was, and when.
    package let (count, reason, at): (Int, PayloadRefusal, Timestamp)
}
