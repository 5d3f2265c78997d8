import System

/// A connection to an MQTT broker that makes itself again whenever it is lost.
///
/// Messages come in batches, in the order in which the broker sent them. What was subscribed stays subscribed over lost
/// connections; sessions are clean, so what was published while we were away is missed, except retained states.
///
/// The client id is the user name: on a broker that demands so, a second client with the same credentials throws out
/// the first.
public final class BusClient: Sendable {
    /// The longest payload in bytes, either way. A longer one that arrives is dropped and counted.
    public static let payloadLimit = 256 << 10
    /// How many bytes of payloads may wait until the broker takes them.
    /// - Key: hub
    public static let outgoingLimit = 16 << 20

    /// What the broker publishes for us when it loses us without a farewell.
    public struct Will: Sendable {
        /// Where.
        public let topic: String
        /// What.
        public let payload: [UInt8]
        /// Whether it stays for whoever subscribes later.
        public let retain: Bool

        /// - Parameters:
        ///   - topic: without wildcards.
        ///   - payload: at most `payloadLimit` bytes.
        ///   - retain: whether it stays for whoever subscribes later.
        public init(topic: String, payload: [UInt8], retain: Bool) {
            (self.topic, self.payload, self.retain) = (topic, payload, retain)
        }
    }

    /// How surely a message arrives.
    public enum Quality: Int32, Sendable {
        /// At most once: lost when the connection is.
        case atMostOnce = 0
        /// At least once: sent again after a lost connection until acknowledged, so it may arrive twice. The broker's
        /// acknowledgement is neither durable nor a sign that its access list let the message through.
        case atLeastOnce = 1
    }

    /// What is spoken with the broker.
    public enum Version: Sendable {
        /// MQTT 3.1.1.
        case three
        /// MQTT 5, in which a subscription may leave out what its own client says.
        case five
    }

    /// By what a client knows a broker that speaks TLS.
    public enum Acquaintance: Sendable, Equatable {
        /// By SHA-256 of its certificate, 32 bytes. Any other broker is left before it is told anything; names, dates and
        /// signatures do not count.
        case fingerprint([UInt8])
        /// Not yet: any is talked to. Whoever uses this finds out otherwise who is there, by `brokerFingerprint`, before
        /// anything is believed.
        case stranger
    }

    /// Where the broker is.
    public let address: BusAddress
    /// The messages, in batches. For one reader: a second would take from the first. Ends after `stop`.
    public let batches: AsyncStream<[BusMessage]>
    private let connection: Connection

    /// - Parameters:
    ///   - address: where the broker is.
    ///   - credentials: who we are; the user name is the client id.
    ///   - known: for an address with TLS, by what the broker is known; no default, so that nobody forgets to ask.
    ///   - will: what the broker publishes when it loses us.
    ///   - version: what is spoken with the broker.
    ///   - backoff: the shortest and longest wait before another attempt. It doubles from attempt to attempt, and each
    ///     wait is drawn between half and all of it, so that many clients do not come back at the same moment.
    /// - Throws: `badTopic` or `payloadTooLong` for the will, `refused` for TLS to a broker of which nothing is said.
    public init(
        address: BusAddress, credentials: BusCredentials, known: Acquaintance? = nil, will: Will? = nil,
        version: Version = .three, backoff: ClosedRange<Duration> = .milliseconds(100) ... .seconds(10)
    ) throws(BusError) {
        if let will {
            guard Topic.isName(will.topic) else { throw .badTopic }
            guard will.payload.count <= Self.payloadLimit else { throw .payloadTooLong }
        }
        if address.isSecure, known == nil { throw .refused("nothing says which broker that is") }
        self.address = address
        let connection = Connection(
            address: address, credentials: credentials, known: known ?? .stranger, will: will, version: version,
            backoff: backoff)
        self.connection = connection
        batches = AsyncStream(
            unfolding: { await connection.inbox.next() }, onCancel: { connection.inbox.dismissReader() })
    }

    deinit { connection.requestStop() }

    /// Begins to connect, and returns at once. The second time nothing happens.
    public func start() { connection.start() }

    /// Waits until the broker has what was published, says farewell (so that the will is not published) and ends; `batches` and `states`
    /// end too. Where the broker takes nothing of it for five seconds, or not all of it in ten, there is no farewell. A client that was
    /// stopped is not started again: make a new one.
    public func stop() async {
        connection.requestStop()
        await connection.waitForEnd()
    }

    /// Ends as a machine ends whose power was cut: without a farewell, so that the broker publishes the will. For whoever plays
    /// such a machine.
    public func cutOff() async {
        connection.requestCutOff()
        await connection.waitForEnd()
    }

    /// How we stand now.
    public var state: BusState { connection.states.current }

    /// How we stand, now and after each change. Every call makes a stream of its own.
    public var states: AsyncStream<BusState> { connection.states.stream() }

    /// Whether the broker, when it answered last, refused our user name or password.
    public var isUnknown: Bool { connection.isUnknown.load(ordering: .sequentiallyConsistent) }

    /// SHA-256 of the certificate that the broker of the latest connection showed; nil without TLS or before the first.
    public var brokerFingerprint: [UInt8]? { connection.brokerFingerprint }

    /// How many messages that arrived were dropped: too long, or more than a slow reader's share of memory.
    public var dropped: Int { connection.inbox.dropped }

    /// How many of those were dropped because of a slow reader.
    public var overflown: Int { connection.inbox.overflown }

    /// The topics of messages that arrived and were dropped for their length, since this was asked last: at most 64, the oldest.
    public func takeOverlong() -> [String] { connection.inbox.takeOverlong() }

    /// Subscribes now or as soon as there is a connection, and again on each later one.
    ///
    /// A broker that refuses it says so in the log; its messages then never come.
    /// - Parameter filter: a topic, in which `+` stands for one level and `#` for all that follow.
    public func subscribe(_ filter: String, quality: Quality = .atMostOnce) throws(BusError) {
        guard Topic.isFilter(filter) else { throw .badFilter }
        connection.subscribe(filter, quality)
    }

    /// Subscribes on this connection alone, or not at all where there is none. A caller that subscribes so does it anew on each connection;
    /// to what is subscribed already, it has the broker send again what it keeps there.
    /// - Parameter hearsItself: whether what this client says there comes back to it, too; what the broker keeps of it does in any case. Only
    ///   a client of version five may say no.
    public func subscribeOnce(_ filter: String, hearsItself: Bool = true) throws(BusError) {
        guard Topic.isFilter(filter) else { throw .badFilter }
        connection.subscribe(filter, .atMostOnce, isKept: false, hearsItself: hearsItself)
    }

    /// Hands a message to the connection. Nothing is kept for later when there is none.
    /// - Parameters:
    ///   - topic: without wildcards, not beginning with `$`, at most 512 bytes.
    ///   - payload: at most `payloadLimit` bytes. Empty and retained, it removes the retained message.
    ///   - retain: for states, which whoever subscribes later must see; never for commands.
    public func publish(
        _ topic: String, _ payload: [UInt8], quality: Quality = .atMostOnce, retain: Bool = false
    ) throws(BusError) {
        guard Topic.isName(topic) else { throw .badTopic }
        try connection.publish(topic, payload, quality, retain)
    }

    /// Waits until the broker has acknowledged what was published until now, at most so long: then it has handed it on to who is there.
    /// - Returns: false when it has not acknowledged all of it by then.
    public func settle(within patience: Duration) async throws(CancellationError) -> Bool {
        let (deadline, waiting) = (ContinuousClock.now + patience, connection.waiting)
        while !connection.waiting.isDisjoint(with: waiting) {
            if ContinuousClock.now >= deadline { return false }
            do { try await Task.sleep(for: .milliseconds(5)) } catch { throw CancellationError() }
        }
        return true
    }

    /// Notes each message as it arrives, also those that are too long or too many to be handed over. Called on the connection's
    /// thread: it returns at once, and may publish and subscribe. To be set before `start`.
    public func note(
        arrivals body: @escaping @Sendable (_ topic: String, _ bytes: Int, _ isRetained: Bool) -> Void
    ) {
        connection.note(arrivals: body)
    }

    /// A conversation with the broker itself on one of its `$CONTROL` topics, beside `batches`.
    func converse(answers topic: String, with listener: @escaping @Sendable ([UInt8]) -> Void) {
        connection.divert(topic, to: listener)
        connection.subscribe(topic, .atLeastOnce)
    }

    /// Publishes on one of the broker's own topics.
    func ask(_ topic: String, _ payload: [UInt8]) throws(BusError) {
        try connection.publish(topic, payload, .atLeastOnce, false)
    }
}
