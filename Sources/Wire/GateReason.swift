/// Why a gate refused, as the `reason` of a receipt. The words are each feature's own.
public enum GateReason: UInt16, Sendable, CaseIterable {
    /// Not refused.
    case none = 0
    /// The message does not verify. Nothing more is said to whoever cannot make a valid one.
    case notValid = 1
    /// The gate does not know the time and the pass needs it.
    case clockUntrusted = 2
    /// Before the pass's not-before.
    case notYet = 3
    /// At or after the pass's not-after.
    case expired = 4
    /// Between the pass's intervals.
    case outsideInterval = 5
    /// The pass is of an earlier epoch than the gate's.
    case epochOld = 6
    /// The pass is on the deny list.
    case revoked = 7
    /// A caveat does not hold.
    case caveatUnmet = 8
    /// The pass is `onlineOnly` and the last signed contact with the hub is older than ten seconds.
    case needsHub = 9
    /// The gate cannot journal, and this is no exit.
    case journalFull = 10
    /// The gate's nonce was used, has expired or is of another session.
    case nonceUsed = 11
    /// The relay did not answer.
    case relayFailed = 12
    /// This pass has been used with this nonce.
    case alreadyUsed = 13
    /// The gate does not do what was asked.
    case otherIntent = 14
    /// The header names another gate.
    case wrongGate = 15
    /// A `hub` header that came over another carrier than the bus.
    case hubOnly = 16
}
