/// With what a server proves its name over TLS 1.2 and 1.3.
public struct Certificate: Sendable {
    /// The certificate and those that lead to the authority, as PEM.
    public var chain: String
    /// The private key, as PEM, without a passphrase.
    public var key: String

    /// From PEM texts.
    public init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}
