/// What somebody published.
public struct BusMessage: Sendable, Equatable {
    /// Levels separated by `/`; never a wildcard.
    public let topic: String
    /// The bytes as published, at most `BusClient.payloadLimit`.
    public let payload: [UInt8]
    /// True when the broker kept it for whoever subscribes later: a state, and it may be old.
    public let isRetained: Bool
    /// How often something may have been missed before it, since its client was made: a connection was lost, or a message was dropped
    /// for want of room.
    public internal(set) var gaps: Int
    /// How often messages of its sender were dropped before it for want of room in the sender's share: see `Inbox`.
    public internal(set) var gapsOfSender: Int

    /// - Parameters:
    ///   - topic: where it was published.
    ///   - payload: its bytes.
    ///   - isRetained: whether the broker had kept it.
    ///   - gaps: how often something may have been missed before.
    ///   - gapsOfSender: how often something of the same sender was dropped before.
    public init(topic: String, payload: [UInt8], isRetained: Bool, gaps: Int = 0, gapsOfSender: Int = 0) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
        (self.gaps, self.gapsOfSender) = (gaps, gapsOfSender)
    }
}
