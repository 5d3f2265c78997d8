/// What somebody published.
public struct BusMessage: Sendable, Equatable {
    /// Levels separated by `/`; never a wildcard.
    public let topic: String
    /// The bytes as published, at most `BusClient.payloadLimit`.
    public let payload: [UInt8]
    /// True when the broker kept it for whoever subscribes later: a state, and it may be old.
    public let isRetained: Bool
    /// How often its client had connected before: between two connections something may have been missed.
    public let connection: Int

    /// - Parameters:
    ///   - topic: where it was published.
    ///   - payload: its bytes.
    ///   - isRetained: whether the broker had kept it.
    ///   - connection: how often its client had connected before.
    public init(topic: String, payload: [UInt8], isRetained: Bool, connection: Int = 0) {
        (self.topic, self.payload, self.isRetained, self.connection) = (topic, payload, isRetained, connection)
    }
}
