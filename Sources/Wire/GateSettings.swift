/// What the hub sets at a gate. Layout: pulse u16.
public struct GateSettings: Hashable, Sendable {
    /// How long the relay is held, in milliseconds.
    public let pulseMilliseconds: UInt16

    /// Takes the values as they are.
    public init(pulseMilliseconds: UInt16) {
        self.pulseMilliseconds = pulseMilliseconds
    }
}
