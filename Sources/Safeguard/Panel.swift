/// The alarm panel of a house: a value that the table moves. Who keeps it stores it whole after each change, so that a restart goes
/// on with the time that was left.
public struct Panel: Sendable, Equatable {
    /// How it stands.
    public private(set) var state: PanelState
    /// For what it was armed last; nil: it is disarmed, or was before the alarm.
    public private(set) var mode: ArmMode?
    /// When the state ends by itself, in milliseconds of its keeper's clock: a moment, not a duration.
    public private(set) var deadline: Int64?
    /// Whether the siren sounds.
    public private(set) var isSounding: Bool
    /// How often somebody who may has armed, disarmed or reset it: of two keepers of one panel the one with the higher number is right.
    public private(set) var number: UInt64

    /// Disarmed, and nobody has touched it.
    public init() { self.init(state: .disarmed, mode: nil, deadline: nil, isSounding: false, number: 0) }

    /// As it was kept, or as another keeper tells it.
    public init(state: PanelState, mode: ArmMode?, deadline: Int64?, isSounding: Bool, number: UInt64) {
        (self.state, self.mode, self.deadline) = (state, mode, deadline)
        (self.isSounding, self.number) = (isSounding, number)
    }

    /// Takes something that happens.
    /// - Parameter now: milliseconds of the keeper's clock.
    /// - Returns: whether anything changed.
    @discardableResult
    public mutating func take(_ input: PanelInput, at now: Int64, _ rules: PanelRules) -> Bool {
        if input == .deadline {
            guard let deadline, deadline <= now else { return false }
        }
        guard let row = row(for: input, rules) else { return false }
        let before = self
        if case .arm(let wanted) = input { mode = wanted }
        switch row.target {
        case .to(let next): state = next
        case .armed: state = mode?.state ?? .armedAway
        case .before: state = mode?.state ?? .disarmed
        case .same: break
        }
        if state == .disarmed { mode = nil }
        if let seconds = seconds(of: row.clock, rules) {
            deadline = now + Int64(seconds) * 1000
        } else if row.clock != .keep {
            deadline = nil
        }
        if let sounds = row.sounds { isSounding = sounds }
        switch input {
        case .arm, .disarm, .reset: count()
        case .trip, .trigger, .deadline, .silence: break
        }
        return self != before
    }

    /// Somebody acted, and the panel stands as it did: of its keepers this one knows of one act more.
    /// - Parameter other: a number to be higher than.
    public mutating func count(from other: UInt64 = 0) {
        // A box says it, and may say anything: there is no end that stops the hub.
        number = min(max(number, other), .max - 1) + 1
    }

    /// The deadline, if it has come. An alarm that sounds while what it warns of is still there goes on for as long again: gas does not
    /// go because two minutes have passed.
    /// - Parameter isDanger: whether a sensor of the environmental class is still tripped.
    /// - Returns: whether anything changed.
    @discardableResult
    public mutating func pass(at now: Int64, _ rules: PanelRules, isDanger: Bool) -> Bool {
        guard isDanger, state == .triggered, isSounding, let due = deadline, due <= now else {
            return take(.deadline, at: now, rules)
        }
        deadline = now + Int64(rules.alarmTime) * 1000
        return true
    }

    /// Stands as another keeper of the same panel says, which is right because somebody acted there. A state that is to end and does not say when ends now.
    public mutating func follow(_ other: Panel, at now: Int64) {
        self = other
        switch state {
        case .arming, .pending, .triggered: deadline = deadline ?? now
        case .disarmed, .armedHome, .armedAway, .armedNight, .armedVacation: deadline = nil
        }
    }

    /// Takes what another keeper says that knows of at least as many acts, while nobody has acted on the alarm that is on here: what is
    /// more urgent here stays, with its time and its noise, and only its number and its mode become the other's. Whoever acted without
    /// knowing of an alarm did not mean to end it.
    public mutating func heed(_ other: Panel, at now: Int64) {
        guard isMoreUrgent(than: other) else { return follow(other, at: now) }
        number = max(number, other.number)
        // Somebody who came in has a way to disarm: how it was armed stays known until then.
        if other.mode != nil || state == .triggered { mode = other.mode }
    }

    /// Another keeper saw the same a little earlier: what ends by itself ends by its time.
    public mutating func shorten(to other: Int64) {
        if let own = deadline { deadline = min(own, other) }
    }

    /// The keeper's clock was put on or back by so many milliseconds: what is left stays as it was.
    public mutating func shift(by milliseconds: Int64) { deadline = deadline.map { $0 + milliseconds } }

    /// How long the state still lasts, in milliseconds, at least 0; nil: until somebody ends it.
    public func left(at now: Int64) -> Int64? { deadline.map { max($0 - now, 0) } }

    /// Who keeps a panel.
    public enum Keeper: Sendable, Equatable { case hub, box }

    /// Which of two keepers of one panel is right after a time apart: who knows of more acts; when both know the same, a box that
    /// has seen somebody before a hub that has not. Whoever is right about the acts does not end an alarm by it: see `heed`.
    public static func right(hub: Panel, box: Panel) -> Keeper {
        guard hub.number == box.number else { return hub.number > box.number ? .hub : .box }
        return box.isDisturbed && !hub.isDisturbed ? .box : .hub
    }

    /// Whether something was tripped.
    public var isDisturbed: Bool { state == .pending || state == .triggered }

    /// Whether this one is nearer to waking people than another: a siren before a silent alarm, an alarm before the time to disarm, and
    /// that before all that is quiet.
    public func isMoreUrgent(than other: Panel) -> Bool { urgency > other.urgency }

    /// Whether a house that stands like this one is guarded by less than one that stands like another, or only from later on.
    public func lowers(_ other: Panel) -> Bool {
        if other.mode == nil { return false }
        return mode != other.mode || state == .arming && other.state != .arming
    }

    private var urgency: Int {
        switch state {
        case .triggered: isSounding ? 3 : 2
        case .pending: 1
        case .disarmed, .arming, .armedHome, .armedAway, .armedNight, .armedVacation: 0
        }
    }

    private func row(for input: PanelInput, _ rules: PanelRules) -> PanelTransition? {
        let kind = Self.kind(of: input)
        let wanted: ArmMode? = if case .arm(let mode) = input { mode } else { mode }
        return PanelTable.rows.first { row in
            row.input == kind && row.from.contains(state) && holds(row.condition, wanted, rules)
        }
    }

    private func holds(_ condition: PanelTransition.Condition, _ mode: ArmMode?, _ rules: PanelRules) -> Bool {
        let exit = mode.map { rules.exitDelay[$0] } ?? 0
        let entry = mode.map { rules.entryDelay[$0] } ?? 0
        let isEmpty = mode?.isEmptyHouse ?? false
        return switch condition {
        case .always: true
        case .hasExitDelay: exit > 0
        case .hasNoExitDelay: exit == 0
        case .hasEntryDelay: entry > 0
        case .hasNoEntryDelay: entry == 0
        case .isEmptyWithEntryDelay: isEmpty && entry > 0
        case .isEmptyWithNoEntryDelay: isEmpty && entry == 0
        case .isSilencedWhileArmed: mode != nil && !isSounding
        case .isSilencedWhileEmpty: isEmpty && !isSounding
        case .disarmsAfterAlarm: rules.disarmsAfterAlarm
        }
    }

    private func seconds(of clock: PanelTransition.Clock, _ rules: PanelRules) -> UInt16? {
        switch clock {
        case .keep, .none: nil
        case .exit: mode.map { rules.exitDelay[$0] }
        case .entry: mode.map { rules.entryDelay[$0] }
        case .alarm: rules.alarmTime
        }
    }

    private static func kind(of input: PanelInput) -> PanelTransition.Input {
        switch input {
        case .arm: .arm
        case .disarm: .disarm
        case .trip(.environmental): .environmental
        case .trip(.motion): .motion
        case .trip(.door): .door
        case .trip(.tamper): .tamper
        case .trigger: .trigger
        case .deadline: .deadline
        case .silence: .silence
        case .reset: .reset
        }
    }
}
