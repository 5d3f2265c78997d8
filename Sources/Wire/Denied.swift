/// A pass that a gate must refuse, until it would have ended anyway.
public struct Denied: Hashable, Sendable {
    public let passID: ID16
    /// Its not-after: from then on the gate may forget it. Unix seconds.
    public let until: UInt64

    /// Denies a pass until its end.
    public init(passID: ID16, until: UInt64) {
        self.passID = passID
        self.until = until
    }
}
