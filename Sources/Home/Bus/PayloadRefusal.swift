import Accounts
import Identity
import System

/// Why what a sensor told was not taken, so that what it told before stays; or why the time that it told was not.
enum PayloadRefusal: String, Sendable, CaseIterable {
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

    /// In words, for whoever owns the sensor.
    func text(_ language: Language) -> String {
        let words = HomeIntakeWords.in(language)
        return switch self {
        case .notJSON: words.notJSON
        case .noValue: words.noValue
        case .wrongKind: words.wrongKind
        case .notFinite: words.notFinite
        case .outOfRange: words.outOfRange
        case .wrongUnit: words.wrongUnit
        case .badTime: words.badTime
        case .fromTheFuture: words.fromTheFuture
        case .beforeSensors: words.beforeSensors
        case .fromThePast: words.fromThePast
        case .tooLong: words.tooLong
        case .tooMuch: words.tooMuch
        case .noPicture: words.noPicture
        }
    }
}

/// What was refused of a sensor since the hub started.
struct SensorRefusals: Sendable, Equatable {
    /// How much.
    var count: Int
    /// Why the last of it was.
    var reason: PayloadRefusal
    /// When that was.
    var at: Timestamp
}
