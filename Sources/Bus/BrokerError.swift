/// Why the broker, or a wish to it, failed; in words for whoever runs the program.
public enum BrokerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// This program, or part of one, is not on this machine; this Debian package brings it.
    case missing(String, String)
    /// The broker, or the proxy before it, could not be started.
    case failed(String)
    /// The broker did not do what was asked, for this reason.
    case refused(String)
    /// The broker did not answer within five seconds.
    case noAnswer
    /// There is no connection to the broker.
    case notConnected

    /// A sentence for whoever runs the program.
    public var description: String {
        switch self {
        case .missing(let what, let package): "\(what) is missing. On Debian: apt-get install \(package)"
        case .failed(let words): "the broker cannot run: \(words)"
        case .refused(let words): "the broker refused: \(words)"
        case .noAnswer: "the broker did not answer in time"
        case .notConnected: "there is no connection to the broker"
        }
    }
}
