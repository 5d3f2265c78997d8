/// What the hub sets at a gate. Layout: pulse u16, of which bit 15 is not the pulse's.
public struct GateSettings: Hashable, Sendable {
    /// How long the relay is held, in milliseconds: at most 32,767.
    public let pulseMilliseconds: UInt16

    /// Takes the values as they are.
    public init(pulseMilliseconds: UInt16) {
        self.pulseMilliseconds = pulseMilliseconds
    }
}
