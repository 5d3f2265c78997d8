/// What happens to a panel.
public enum PanelInput: Sendable, Equatable {
    /// Somebody who may arms it.
    case arm(ArmMode)
    /// Somebody who may disarms it: with a code, a tag or an account.
    case disarm
    /// A sensor that is not bypassed went from rest to tripped.
    case trip(SensorClass)
    /// Somebody calls for help, or another system raises the alarm.
    case trigger
    /// The deadline has come.
    case deadline
    /// Somebody who may ends the noise; the alarm stays.
    case silence
    /// Somebody who may ends the alarm; the panel stands as it did before.
    case reset
}

/// One row of the table: from which states, by what, under which condition, where to, and what is done.
struct PanelTransition: Sendable {
    enum Input: Sendable { case arm, disarm, environmental, motion, door, tamper, trigger, deadline, silence, reset }

    enum Condition: Sendable {
        case always
        /// There is time to leave, or there is none.
        case hasExitDelay, hasNoExitDelay
        /// There is time to disarm after coming in, or there is none.
        case hasEntryDelay, hasNoEntryDelay
        /// The same, in a house with nobody inside.
        case isEmptyWithEntryDelay, isEmptyWithNoEntryDelay
        /// Somebody ended the noise of an alarm in a house that is armed; the same in one with nobody inside.
        case isSilencedWhileArmed, isSilencedWhileEmpty
        /// The house has chosen to be disarmed after an alarm.
        case disarmsAfterAlarm
    }

    enum Target: Sendable {
        /// That state.
        case to(PanelState)
        /// The armed state of the mode.
        case armed
        /// As it stood before: armed in its mode, or disarmed.
        case before
        /// Where it is.
        case same
    }

    enum Clock: Sendable {
        /// Runs on.
        case keep
        case none, exit, entry, alarm
    }

    let from: [PanelState]
    let input: Input
    let condition: Condition
    let target: Target
    let clock: Clock
    /// Whether the siren sounds afterwards; nil: as before.
    let sounds: Bool?

    init(
        _ from: [PanelState], _ input: Input, _ condition: Condition = .always, _ target: Target, _ clock: Clock,
        sounds: Bool? = nil
    ) {
        (self.from, self.input, self.condition, self.target) = (from, input, condition, target)
        (self.clock, self.sounds) = (clock, sounds)
    }
}

/// The one table of the alarm: the hub and every box follow it. The first row that fits counts; where none fits, nothing changes.
enum PanelTable {
    private static let armed: [PanelState] = [.armedHome, .armedAway, .armedNight, .armedVacation]
    private static let quiet: [PanelState] = [.disarmed, .arming] + armed + [.pending]
    private static let all = quiet + [.triggered]

    static let rows: [PanelTransition] = [
        // Arming. Who is in the middle of an alarm ends it first.
        .init([.disarmed, .arming] + armed, .arm, .hasExitDelay, .to(.arming), .exit),
        .init([.disarmed, .arming] + armed, .arm, .hasNoExitDelay, .armed, .none),
        .init([.arming], .deadline, .armed, .none),

        // Disarming ends everything.
        .init(all, .disarm, .to(.disarmed), .none, sounds: false),

        // What threatens whoever is inside knows no state and no delay; a new cause ends a silence.
        .init(all, .environmental, .to(.triggered), .alarm, sounds: true),
        .init(all, .trigger, .to(.triggered), .alarm, sounds: true),

        // Intruders.
        .init(armed + [.pending], .tamper, .to(.triggered), .alarm, sounds: true),
        .init(armed, .door, .hasEntryDelay, .to(.pending), .entry),
        .init(armed, .door, .hasNoEntryDelay, .to(.triggered), .alarm, sounds: true),
        .init(armed, .motion, .isEmptyWithEntryDelay, .to(.pending), .entry),
        .init(armed, .motion, .isEmptyWithNoEntryDelay, .to(.triggered), .alarm, sounds: true),
        .init([.pending], .deadline, .to(.triggered), .alarm, sounds: true),
        // Whoever silenced gas did not let anybody in.
        .init([.triggered], .tamper, .isSilencedWhileArmed, .same, .alarm, sounds: true),
        .init([.triggered], .door, .isSilencedWhileArmed, .same, .alarm, sounds: true),
        .init([.triggered], .motion, .isSilencedWhileEmpty, .same, .alarm, sounds: true),

        // An alarm's end.
        .init([.triggered], .deadline, .disarmsAfterAlarm, .to(.disarmed), .none, sounds: false),
        .init([.triggered], .deadline, .before, .none, sounds: false),
        .init([.triggered], .silence, .same, .keep, sounds: false),
        .init([.triggered], .reset, .before, .none, sounds: false),
    ]
}

extension PanelTransition {
    init(_ from: [PanelState], _ input: Input, _ target: Target, _ clock: Clock, sounds: Bool? = nil) {
        self.init(from, input, .always, target, clock, sounds: sounds)
    }
}
