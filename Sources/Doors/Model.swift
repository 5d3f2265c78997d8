import Accounts
import Gates
import Identity
import Ledger
import Store

/// Gates that go together, so that a role has them with one word: *Ground floor*.
public struct GateGroup: Sendable, Equatable {
    /// The kind of id that names groups of gates.
    public enum Name {}
    /// Its name in tables.
    public let id: ID<Name>
    /// Whose.
    public let site: SiteID
    /// What people call it.
    public var name: String
    /// The gates in it.
    public var gates: [GateID]

    /// See the properties.
    public init(id: ID<Name>, site: SiteID, name: String, gates: [GateID]) {
        (self.id, self.site, self.name, self.gates) = (id, site, name, gates)
    }
}

/// The name of a group of gates in tables.
public typealias GateGroupID = ID<GateGroup.Name>
