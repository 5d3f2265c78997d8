/// Why there is no answer; in words without address, headers or body.
public enum CourierError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The URL is not `http://…` or `https://…`, or holds credentials.
    case badURL
    /// A method or header that would not stay on its line, or a body where the method has none.
    case badRequest
    /// The host's name is not known.
    case unknownHost
    /// The address is not one of the public internet, and the request may go nowhere else.
    case notPublic
    /// Nobody listens there.
    case noConnection
    /// The certificate is not one that this machine trusts for that name.
    case noTrust
    /// No whole answer within the request's time.
    case timedOut
    /// The answer is longer than the client's limit.
    case tooLarge
    /// The connection ended in the middle, or what came is not HTTP.
    case broken

    /// A sentence for whoever runs the program.
    public var description: String {
        switch self {
        case .badURL: "not an http or https address"
        case .badRequest: "a method or a header with bytes that may not be there"
        case .unknownHost: "the host's name is not known"
        case .notPublic: "the address is inside a private network"
        case .noConnection: "no connection could be made"
        case .noTrust: "the other side's certificate is not trusted"
        case .timedOut: "no answer in time"
        case .tooLarge: "the answer is too large"
        case .broken: "the connection broke"
        }
    }
}
