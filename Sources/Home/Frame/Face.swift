import Household
import Pages
import System

/// How a sensor or an actuator looks to people.
struct Face: Sendable, Equatable {
    /// Its value in words, with the unit.
    let text: String
    /// How it is, in words.
    let word: String
    let tone: Tone
    /// The value where it is a number, a yes or a no.
    let number: Double?
    /// When it was told.
    let at: Timestamp?
    let status: SensorStatus
}
