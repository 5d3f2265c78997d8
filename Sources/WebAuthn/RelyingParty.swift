/// Whom a passkey is for: this hub, under one of its names (W3C Web Authentication, section 4).
public struct RelyingParty: Sendable, Equatable {
    /// The host's name, `rp.id`: a passkey made for one name does not work under another.
    public let id: String
    /// The only origin from which a ceremony is accepted, `https://soglia.example:8443`.
    public let origin: String

    /// - Parameter origin: as the browser sees this hub.
    /// - Returns: nil where browsers allow no passkeys: at an address without a name, or without TLS anywhere but on this machine.
    public init?(origin: String) {
        let parts = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, parts[0] == "https:" || parts[0] == "http:" else { return nil }
        let host = parts[2].prefix { $0 != ":" }
        let isAddress = host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
        guard !host.isEmpty, !isAddress, parts[0] == "https:" || host == "localhost" else { return nil }
        (id, self.origin) = (host.lowercased(), origin.lowercased())
    }
}
