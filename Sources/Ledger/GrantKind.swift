import Store
import System

/// Something that lets a person or a device in, or gives them a right.
public struct Grant: Sendable {
    /// Stays the same when the grant is changed.
    public let key: [UInt8]
    /// Another after each change that ends what was valid before.
    public let value: [UInt8]
    /// What it is, for whoever runs the hub.
    public let label: String

    /// See the properties.
    public init(_ key: [UInt8], value: [UInt8] = [], label: String) {
        (self.key, self.value, self.label) = (key, value, label)
    }
}

/// The grants of one kind, as a room or a feature keeps them: a restore tells which of them become valid again.
public struct GrantKind: Sendable {
    /// What they are, in the plural: `passwords`.
    public let name: String
    /// Those that are valid.
    public let valid: @Sendable (Timestamp, Database) throws -> [Grant]

    /// See the properties.
    public init(_ name: String, valid: @escaping @Sendable (Timestamp, Database) throws -> [Grant]) {
        (self.name, self.valid) = (name, valid)
    }
}
