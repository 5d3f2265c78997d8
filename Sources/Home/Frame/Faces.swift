import Accounts
import Household
import Identity
import Ledger
import Pages
import Safeguard
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

/// How sensors and actuators look to people at this moment.
struct Faces: Sendable {
    let live: LiveReadings
    /// Whether an alarm of a sensor's is on.
    let isAlarmed: @Sendable (SensorID) -> Bool

    /// How a sensor looks.
    func of(_ sensor: Sensor, _ words: HomeLiveWords) -> Face {
        let state = live.sensor(sensor.id)
        return Face(
            text: text(state.value, kind: sensor.kind, unit: sensor.unit, words), word: words.status(state.status),
            tone: isAlarmed(sensor.id) ? .no : Self.tone(of: sensor, state), number: state.value?.number,
            at: state.at, status: state.status)
    }

    /// How an actuator looks.
    func of(_ actuator: Actuator, _ words: HomeLiveWords) -> Face {
        let state = live.actuator(actuator.id)
        let text: String =
            switch state.value {
            case .truth(let isOn):
                actuator.kind == .valve ? (isOn ? words.open : words.closed) : (isOn ? words.on : words.off)
            case .number(let value):
                ValueText.number(value, unit: actuator.kind == .number ? "" : "%", words.language)
            case .text(let text): text
            case nil: words.nothingYet
            }
        return Face(
            text: text, word: words.status(state.status), tone: Self.tone(state.status), number: state.value?.number,
            at: state.at, status: state.status)
    }

    private func text(_ value: ReadingValue?, kind: SensorKind, unit: String, _ words: HomeLiveWords) -> String {
        switch value {
        case .number(let number): ValueText.number(number, unit: unit, words.language)
        case .truth(let truth): words.truth(truth, of: kind)
        case .text(let text):
            kind == .snapshot
                ? words.picture : String(String.UnicodeScalarView(text.unicodeScalars.filter { !GivenName.steers($0) }))
        case nil: words.nothingYet
        }
    }

    private static func tone(of sensor: Sensor, _ state: SensorState) -> Tone {
        guard state.status == .live, state.value == .truth(true), let kind = sensor.alarmClass else {
            return tone(state.status)
        }
        return kind == .environmental ? .no : .wait
    }

    private static func tone(_ status: SensorStatus) -> Tone {
        switch status {
        case .live: .go
        case .waiting: .idle
        case .warming, .unavailable, .isolated: .wait
        case .late: .no
        }
    }
}

/// Values as people read them.
enum ValueText {
    /// At most three figures after all: `412`, `21.5`, `0.25`; with a comma where the language has one.
    static func number(_ value: Double, _ language: Language) -> String {
        let size = value.magnitude
        guard size.isFinite, size < 1e12 else { return value.description }
        let places = size >= 100 ? 0 : size >= 10 ? 1 : 2
        let scale = [1.0, 10, 100][places]
        let scaled = Int64((value * scale).rounded())
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        var text = (scaled < 0 ? "−" : "") + String(whole)
        guard rest > 0 else { return text }
        var figures = String(rest)
        figures = String(repeating: "0", count: places - figures.utf8.count) + figures
        while figures.hasSuffix("0") { figures.removeLast() }
        text += (language == .en ? "." : ",") + figures
        return text
    }

    /// With its unit, which keeps together with it.
    static func number(_ value: Double, unit: String, _ language: Language) -> String {
        let text = number(value, language)
        return unit.isEmpty ? text : text + "\u{a0}" + unit
    }
}
