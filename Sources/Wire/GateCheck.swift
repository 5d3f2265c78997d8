/// The gate's decision, pure: no clock, no store, no relay. Single use of nonces, the journal and the relay are the
/// controller's, after it.
public enum GateCheck {
    /// How old, in seconds, the last signed contact with the hub may be for an `onlineOnly` pass.
    public static let maxHubContactAge: UInt64 = 10

    /// What a gate knows at the moment of an opening.
    public struct Context: Sendable {
        /// The gate's own id.
        public let gateID: ID16
        /// The key between gate and hub.
        public let gateKey: Key
        /// How the message came.
        public let carrier: Carrier
        /// The nonce that the gate gave for this opening.
        public let gateNonce: Nonce
        /// Unix seconds; nil while the gate's clock is not trusted.
        public let utc: UInt64?
        /// Seconds since the gate started: the clock of `hub` headers.
        public let uptimeSeconds: UInt64
        /// The gate's epoch.
        public let epoch: UInt32
        /// Whether a pass is on the deny list.
        public let isDenied: @Sendable (ID16) -> Bool
        /// Seconds since the last signed contact with the hub; nil: none in this boot.
        public let hubContactAge: UInt64?

        /// Takes the values as they are.
        public init(
            gateID: ID16, gateKey: Key, carrier: Carrier, gateNonce: Nonce, utc: UInt64?, uptimeSeconds: UInt64,
            epoch: UInt32, isDenied: @escaping @Sendable (ID16) -> Bool, hubContactAge: UInt64?
        ) {
            self.gateID = gateID
            self.gateKey = gateKey
            self.carrier = carrier
            self.gateNonce = gateNonce
            self.utc = utc
            self.uptimeSeconds = uptimeSeconds
            self.epoch = epoch
            self.isDenied = isDenied
            self.hubContactAge = hubContactAge
        }
    }

    /// The first reason against the opening, or `none`: open it. `notValid` is answered by `Receipt.invalid`, every
    /// other reason by the message's own receipt. Pass ids are looked up only after the message has verified.
    public static func decide(_ message: PassMessage, in context: Context) -> GateReason {
        let header = message.header
        guard
            message.verifies(gateKey: context.gateKey, carrier: context.carrier, gateNonce: context.gateNonce)
        else { return .notValid }
        guard header.gateID == context.gateID else { return .wrongGate }

        // A hub header counts in the gate's uptime and so needs no clock; it is never given out, so over anything but
        // the bus somebody else has got hold of it.
        let now: UInt64
        if header.flags.contains(.hub) {
            guard context.carrier == .bus else { return .hubOnly }
            now = context.uptimeSeconds
        } else {
            guard let utc = context.utc else { return .clockUntrusted }
            now = utc
        }
        guard now >= header.notBefore else { return .notYet }
        guard now < header.notAfter else { return .expired }
        guard header.intervals.isEmpty || header.intervals.contains(where: { $0.contains(now) }) else {
            return .outsideInterval
        }
        guard header.epoch >= context.epoch else { return .epochOld }
        guard !context.isDenied(header.passID) else { return .revoked }
        guard message.caveats.allSatisfy({ $0.holds(for: message.intent, at: now) }) else { return .caveatUnmet }
        if header.flags.contains(.onlineOnly) {
            guard let age = context.hubContactAge, age <= maxHubContactAge else { return .needsHub }
        }
        return .none
    }
}
