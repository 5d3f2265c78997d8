/// Whom a service speaks of.
public struct Profile: Sendable, Equatable {
    /// Who speaks, always in the same form.
    public let issuer: String
    /// Whom it speaks of, as nobody else is called there.
    public let subject: String
    /// What they are called; nil when it is not told.
    public var name: String?
    /// Their address; nil when it is not told, or when the service does not vouch for it.
    public var address: String?
    /// Whether the service itself made sure that the address is theirs.
    public var isAddressConfirmed: Bool

    /// See the properties.
    public init(
        issuer: String, subject: String, name: String? = nil, address: String? = nil, isAddressConfirmed: Bool = false
    ) {
        (self.issuer, self.subject, self.name, self.address) = (issuer, subject, name, address)
        self.isAddressConfirmed = isAddressConfirmed
    }
}
