/// Why a server does not start.
public enum ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not an IPv4 or IPv6 address.
    case notAnAddress(String)
    /// The system refuses the address or the port.
    case cannotListen(address: String, port: UInt16, reason: String)
    /// The library refuses: a certificate or key that it cannot read, or no memory.
    case cannotStart(String)

    /// In words.
    public var description: String {
        switch self {
        case .notAnAddress(let text): "\(text) is not an IP address"
        case .cannotListen(let address, let port, let reason): "cannot listen on \(address) port \(port): \(reason)"
        case .cannotStart(let reason): "cannot start the HTTP server: \(reason)"
        }
    }
}
