import Safeguard

/// The SafeAndCare box: what its firmware does, with simulated sensors instead of real ones. The alarm works with the hub away.
public enum Box {}
