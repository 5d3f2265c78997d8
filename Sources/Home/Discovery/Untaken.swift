import Household
import Ledger
import Store
import Synchronization

/// Something that a device says of itself and the hub does not take: what people look at when a device does not appear.
struct Untaken: Sendable, Equatable {
    /// On which topic, below the gateway's own.
    let topic: String
    /// What the device calls itself; nil: nothing of the message could be taken.
    var device: String?
    /// Which component of it, as the device calls that; nil: the message as a whole.
    var component: String?
    let why: DiscoveryRefusal

    /// No more of one gateway are kept in memory, or shown.
    /// - Key: gateway
    static let most = 50
}
