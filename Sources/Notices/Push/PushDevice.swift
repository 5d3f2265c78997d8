import Identity
import Ledger
import Store
import System

/// A browser or an installed app that somebody lets the hub reach, wherever it is.
public struct PushDevice: Sendable, Equatable {
    /// The kind of id that names devices.
    public enum Name {}
    /// Its name in tables.
    public let id: ID<Name>
    /// Whose it is.
    public let person: PersonID
    /// The hash of the session that it belongs to: it goes with it.
    public let session: [UInt8]
    /// When it was added.
    public let created: Timestamp
    /// When something last arrived there, as far as its push service says; nil: nothing has.
    public let reached: Timestamp?
    /// How many attempts have failed since.
    public let failures: Int
    /// Whether its session has proven who holds it in a strong way: a site that asks for that tells others only what anybody may see.
    public let isStrong: Bool
}

/// The name of a device in tables.
public typealias PushDeviceID = ID<PushDevice.Name>
