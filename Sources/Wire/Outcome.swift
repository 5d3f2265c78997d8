/// What the gate did.
public enum Outcome: UInt8, Sendable, CaseIterable {
    /// The relay was moved.
    case opened = 1
    /// Nothing was moved; the reason says why.
    case refused = 2
}
