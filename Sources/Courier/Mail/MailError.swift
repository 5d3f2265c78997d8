/// Why a letter did not leave; in words without addresses, passwords or what the server said.
public enum MailError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The sender's or a recipient's address cannot be sent, or there is no recipient, or there are too many.
    case badAddress
    /// A line of the letter does not end with CR LF, or is too long, or the letter is empty or too large.
    case badMessage
    /// The server will not have it, now and later (5xx): most often because the recipient does not exist.
    case refused(status: Int)
    /// The server will not have it now (4xx).
    case notNow(status: Int)
    /// The server does not take our user and password.
    case wrongLogin
    /// The server offers no encryption.
    case noEncryption
    /// The server's certificate is not one that is trusted for its name.
    case noTrust
    /// The server's name is not known.
    case unknownHost
    /// An unencrypted connection would have left the machine.
    case notLoopback
    /// Nobody listens there.
    case noConnection
    /// Not taken within the time.
    case timedOut
    /// The connection ended in the middle, or what came is not SMTP.
    case broken

    /// Whether the same letter will never be taken. The others may be tried again.
    public var isPermanent: Bool {
        switch self {
        case .badAddress, .badMessage, .refused: true
        default: false
        }
    }

    /// A sentence for whoever runs the hub.
    public var description: String {
        switch self {
        case .badAddress: "an address that no letter can go to"
        case .badMessage: "a letter that cannot be sent as it is"
        case .refused: "the mail server refuses the letter: most often the address does not exist"
        case .notNow: "the mail server does not take the letter now"
        case .wrongLogin: "the mail server does not take this user and password"
        case .noEncryption: "the mail server offers no encryption"
        case .noTrust: "the mail server's certificate is not trusted"
        case .unknownHost: "the mail server's name is not known"
        case .notLoopback: "a mail server without encryption must be on this machine"
        case .noConnection: "no connection to the mail server could be made"
        case .timedOut: "the mail server did not answer in time"
        case .broken: "the connection to the mail server broke"
        }
    }
}
