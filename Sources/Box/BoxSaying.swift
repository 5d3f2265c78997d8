/// Something that the box says on the bus.
public struct BoxSaying: Sendable, Equatable {
    /// Below the box's own topics.
    public var topic: String
    /// The bytes.
    public var payload: [UInt8]
    /// Whether it stays for whoever comes later.
    public var isRetained: Bool
    /// Whether it is sent again until the broker has it.
    public var isSure: Bool

    init(_ topic: String, _ payload: [UInt8], isRetained: Bool = true, isSure: Bool = false) {
        (self.topic, self.payload, self.isRetained, self.isSure) = (topic, payload, isRetained, isSure)
    }

    init(_ topic: String, _ text: String, isRetained: Bool = true) {
        self.init(topic, Array(text.utf8), isRetained: isRetained, isSure: true)
    }
}
