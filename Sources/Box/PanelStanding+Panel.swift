import Safeguard
import Wire

extension PanelStanding {
    /// How a panel stands.
    /// - Parameter now: milliseconds of its keeper's clock.
    init(_ panel: Panel, at now: Int64) {
        self.init(
            state: panel.state.rawValue, mode: panel.mode?.rawValue ?? 0, isSounding: panel.isSounding,
            number: panel.number, left: panel.left(at: now).map { UInt32(clamping: $0) })
    }

    /// The panel that stands so; nil for a state or mode that nobody knows.
    /// - Parameter now: milliseconds of its new keeper's clock.
    func panel(at now: Int64) -> Panel? {
        guard let state = PanelState(rawValue: state) else { return nil }
        let mode = ArmMode(rawValue: mode)
        guard mode != nil || self.mode == 0 else { return nil }
        return Panel(
            state: state, mode: mode, deadline: left.map { now + Int64($0) }, isSounding: isSounding, number: number)
    }
}
