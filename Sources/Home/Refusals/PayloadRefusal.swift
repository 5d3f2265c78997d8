import Household
import Identity

extension PayloadRefusal {
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
