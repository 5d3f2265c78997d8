/// Whether a gate knows the time: a signed answer to its own nonce in this boot, not below the durable floor and not
/// older than seven days.
public enum ClockState: UInt8, Sendable, CaseIterable {
    /// The gate's time says nothing about the world's.
    case untrusted = 0
    /// The gate's time is the hub's.
    case trusted = 1
}
