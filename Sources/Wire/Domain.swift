/// The first byte of every MAC input: what a key is used for. A tag of one use is never good for another.
///
/// What each is computed over, `docs/pass.md` says. A number is used for one thing, for ever.
public enum Domain: UInt8, Sendable, CaseIterable {
    /// A pass's key from the gate's key and the header.
    case pass = 1
    /// The next key from a key and a caveat.
    case narrowing = 2
    /// An opening, bound to both nonces, gate, carrier and intent.
    case open = 3
    /// The gate's answer to an opening.
    case receipt = 4
    /// The gate's journal record, for the hub alone.
    case proof = 5
    /// The hub's rights for a gate: epoch, denied passes, settings.
    case rights = 6
    /// The hub's time for a gate's nonce.
    case time = 7
    /// The hub's acknowledgement of a journal record.
    case acknowledgement = 8
    /// The hub's confirmation while pairing.
    case pairingHub = 9
    /// The gate's confirmation while pairing.
    case pairingGate = 10
    /// Nonces of firmware without a true random source.
    case nonce = 11
    /// The gate's retained state on the bus.
    case hello = 12
    /// The gate's answer that it has no record of an event.
    case absent = 13
    /// The name of a legacy badge in a gate's local rights, first 16 bytes.
    case badge = 14
    /// What a legacy gate's journal holds of a write.
    case write = 15
    /// A restored hub's question what a gate knows beyond the backup.
    case recall = 16
    /// The gate's answer to it.
    case witness = 17
    /// A home's box: its retained state on the bus.
    case boxHello = 18
    /// A record of its journal.
    case boxRecord = 19
    /// What the hub wants of it.
    case boxOrder = 20
    /// What the house has chosen for it.
    case boxSettings = 21
    /// What a box keeps of an RFID tag instead of its number.
    case tag = 22
    /// A box's answer that it does not do what the hub wants of it.
    case boxOrderRefused = 23
}
