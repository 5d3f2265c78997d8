/// Why a message or a subscription was not taken.
public enum BusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no connection now; nothing was kept for later.
    case notConnected
    /// A topic to publish on is 1 to 512 bytes, without wildcards, without NUL and does not begin with `$`.
    case badTopic
    /// A filter is 1 to 512 bytes, its wildcards are whole levels, and it does not begin with `$`.
    case badFilter
    /// The payload is longer than `BusClient.payloadLimit`.
    case payloadTooLong
    /// The broker takes messages more slowly than they come, and `BusClient.outgoingLimit` bytes wait already.
    case tooManyWaiting
    /// The library refused, in its own words.
    case refused(String)

    /// A sentence for whoever runs the program.
    public var description: String {
        switch self {
        case .notConnected: "the bus is not connected"
        case .badTopic: "not a topic that one may publish on"
        case .badFilter: "not a filter that one may subscribe to"
        case .payloadTooLong: "the payload is longer than \(BusClient.payloadLimit) bytes"
        case .tooManyWaiting: "the broker takes messages too slowly: too many wait already"
        case .refused(let words): "the bus refused: \(words)"
        }
    }
}
