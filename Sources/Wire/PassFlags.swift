/// The flags of a pass's header. An unknown bit refuses the pass.
public struct PassFlags: OptionSet, Hashable, Sendable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// From the byte on the wire; unknown bits are kept and make `PassHeader` refuse.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// One of the hub's own openings, never given out; its times are the gate's uptime and it comes over the bus only.
    public static let hub = PassFlags(rawValue: 1)
    /// Its holder may add caveats.
    public static let narrowable = PassFlags(rawValue: 2)
    /// Needs a signed contact with the hub that is not older than ten seconds.
    public static let onlineOnly = PassFlags(rawValue: 4)
    /// Asks an honest app for an unlocked phone; no more than a request.
    public static let needsUnlockedPhone = PassFlags(rawValue: 8)

    /// Every bit that this build knows.
    static let known: PassFlags = [.hub, .narrowable, .onlineOnly, .needsUnlockedPhone]
}
