/// A service that people may sign in by, as whoever runs the hub set it up.
public struct ProviderSettings: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// Which protocol it speaks.
    public enum Kind: String, Sendable, CaseIterable {
        /// OpenID Connect: Google, and any issuer that describes itself.
        case openID
        /// OAuth 2.0 and a call for the profile: Facebook.
        case facebook
    }

    /// Its name in paths, `google`: 1 to 32 small letters, digits and dashes.
    public let id: String
    /// What people call it, `Google`.
    public let name: String
    /// Which protocol it speaks.
    public let kind: Kind
    /// Who vouches: the issuer's https address, without a slash at its end unless the issuer has one.
    public let issuer: String
    /// What the service calls this hub.
    public let clientID: String
    /// What this hub proves itself with there; shown by no description.
    public let clientSecret: String

    /// Google's issuer.
    public static let google = "https://accounts.google.com"
    /// What stands for the issuer at Facebook.
    public static let facebook = "https://www.facebook.com"

    /// See the properties.
    public init(id: String, name: String, kind: Kind, issuer: String, clientID: String, clientSecret: String) {
        (self.id, self.name, self.kind, self.issuer) = (id, name, kind, issuer)
        (self.clientID, self.clientSecret) = (clientID, clientSecret)
    }

    /// Its name alone.
    public var description: String { "provider \(id)" }
    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
