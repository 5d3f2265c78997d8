/// What somebody published.
public struct BusMessage: Sendable, Equatable {
    /// Levels separated by `/`; never a wildcard.
    public let topic: String
    /// The bytes as published, at most `BusClient.payloadLimit`.
    public let payload: [UInt8]
    /// True when the broker kept it for whoever subscribes later: a state, and it may be old.
    public let isRetained: Bool

    /// - Parameters:
    ///   - topic: where it was published.
    ///   - payload: its bytes.
    ///   - isRetained: whether the broker had kept it.
    public init(topic: String, payload: [UInt8], isRetained: Bool) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
}
