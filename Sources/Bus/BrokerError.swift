/// Why the broker, or a wish to it, failed; in words for whoever runs the program.
public enum BrokerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Mosquitto or a part of it is not on this machine.
    case missing(String)
    /// The broker could not be started.
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
        case .missing(let what): "\(what) is missing. On Debian: apt-get install mosquitto"
        case .failed(let words): "the broker cannot run: \(words)"
        case .refused(let words): "the broker refused: \(words)"
        case .noAnswer: "the broker did not answer in time"
        case .notConnected: "there is no connection to the broker"
        }
    }
}
