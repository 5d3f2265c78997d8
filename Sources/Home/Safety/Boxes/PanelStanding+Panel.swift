import Safeguard
import Wire

extension PanelStanding {
    /// How a panel stands, as a box is told.
    init(_ panel: Panel, at now: Int64) {
        self.init(
            state: panel.state.rawValue, mode: panel.mode?.rawValue ?? 0, isSounding: panel.isSounding,
            number: panel.number, left: panel.left(at: now).map { UInt32(clamping: $0) })
    }
}

extension Panel {
    /// So many acts more than the hub a box knows of at most. One that says to be at the end of all numbers, and is taken out of the house,
    /// would leave none for what is done at the others.
    /// - Key: box
    static let mostAhead: UInt64 = 1_000_000

    /// As a box tells it; nil for a state or a mode that there is not.
    /// - Parameters:
    ///   - hub: the panel as the hub has it.
    ///   - age: how long ago the box's stood so, in milliseconds.
    init?(_ standing: PanelStanding, beside hub: Panel, at now: Int64, age: Int64 = 0) {
        guard let state = PanelState(rawValue: standing.state) else { return nil }
        let mode = ArmMode(rawValue: standing.mode)
        guard mode != nil || standing.mode == 0 else { return nil }
        // An armed state names its mode by itself.
        guard !state.isArmed || mode?.state == state, state != .disarmed || mode == nil else { return nil }
        let deadline = standing.left.map { now + max(Int64($0) - max(age, 0), 0) }
        let number = min(standing.number, min(hub.number, .max - Self.mostAhead) + Self.mostAhead)
        self.init(state: state, mode: mode, deadline: deadline, isSounding: standing.isSounding, number: number)
    }
}
