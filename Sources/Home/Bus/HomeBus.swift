import Bus
import Household
import Identity
import Ledger
import Synchronization
import System

/// What Home says on the bus. Its connection is its own, so that a house full of noise slows no gate.
final class HomeBus: Sendable {
    private struct State {
        var client: BusClient?
        /// Whether gateways are listened to as they come.
        var isListening = false
        /// Whether those are listened to that there were when the connection was made.
        var isComplete = false
        /// The gateways that it listens to.
        var heard: Set<GatewayID> = []
    }

    private let state = Mutex(State())
    private let words = Mutex(RecentWords())
    private let readers = Mutex<[any GatewayListener]>([])
    /// What the broker keeps for each gateway.
    let retained = RetainedWatch()
    /// What is subscribed, and in which order.
    let listening = Listening()

    /// Says who reads what is no reading; before anything runs.
    func add(_ listener: any GatewayListener) { readers.withLock { $0.append(listener) } }

    /// Those who read what is no reading, in the order in which they came.
    var listeners: [any GatewayListener] { readers.withLock { $0 } }

    private var client: BusClient? { state.withLock { $0.client } }

    /// The connection from now on; nil: there is none.
    func use(_ new: BusClient?) { state.withLock { $0 = State(client: new) } }

    /// Notes what arrives on a new connection; before it begins.
    /// - Parameter shutOut: told of a gateway that has the broker keep too much, on the connection's thread.
    func watch(_ client: BusClient, shutOut: @escaping @Sendable (GatewayID) -> Void) {
        retained.beginAnew()
        client.note { [retained, listening, weak client] topic, bytes, isRetained in
            if listening.hear(topic) { return }
            switch retained.heard(topic, bytes, isRetained: isRetained) {
            case .nothing: break
            // Unasked, a gateway that goes on is shut out at once; a connection that has ended is told all when it begins anew.
            case .ask(let filter): listening.add(.filter(filter, greets: nil))
            case .shutOut(let gateway): shutOut(gateway)
            // What is not cleared now is found by the next look.
            case .clear: try? client?.publish(topic, [], retain: true)
            }
        }
    }

    /// Has the broker forget what it keeps of a gateway that was shut out.
    func clear(_ gateway: Gateway) {
        retained.shutOut(gateway)
        ask(for: gateway.prefix + "#")
    }

    /// Whether anything can be said now.
    var isConnected: Bool { client?.state == .connected }

    /// Listens to those gateways, too, once there is a connection.
    func listen(to gateways: some Sequence<Gateway>) {
        for gateway in gateways {
            retained.add(gateway)
            // A home's own broker is told the whole house, of which nothing that comes back is read.
            if gateway.kind == .bridge { listening.leaveOutEcho(below: gateway.prefix) }
            let isNew = state.withLock { $0.isListening && $0.heard.insert(gateway.id).inserted }
            if isNew { listening.add(.filter(gateway.prefix + "#", greets: gateway)) }
        }
    }

    /// Listens to gateways on a connection that has just been made: houses take turns, so that one with many waits behind itself.
    /// - Parameter done: called when all are listened to.
    func listenAnew(
        to gateways: () -> some Sequence<Gateway>, done: @escaping @Sendable () -> Void
    ) {
        listening.beginAnew()
        state.withLock { ($0.isListening, $0.isComplete, $0.heard) = (true, false, []) }
        var counts: [SiteID: Int] = [:]
        // Read only now: one that is added from now on is listened to as it comes.
        let inTurn = gateways().sorted { $0.id < $1.id }.map { gateway in
            counts[gateway.site, default: 0] += 1
            return (turn: counts[gateway.site]!, gateway)
        }
        listen(to: inTurn.sorted { ($0.turn, $0.1.id) < ($1.turn, $1.1.id) }.map { $0.1 })
        listening.add(
            .call { [weak self] in
                self?.state.withLock { $0.isComplete = true }
                done()
            })
    }

    /// The connection is lost: what is added from now on waits for the next one.
    func stopListening() {
        listening.beginAnew()
        state.withLock { ($0.isListening, $0.isComplete, $0.heard) = (false, false, []) }
    }

    /// Whether all gateways are listened to.
    var isListening: Bool { isConnected && state.withLock(\.isComplete) && listening.isIdle }

    /// Tells a gateway that the hub is there, so that its devices say once more what they are and how.
    func greet(_ gateway: Gateway) {
        // Not connected: it is told when we are.
        try? publish("homeassistant/status", Array("online".utf8), to: gateway, quality: .atMostOnce)
    }

    /// Has the broker send again what it keeps there.
    func ask(for filter: String) {
        // Not connected: all is told anew with the next connection.
        if isConnected { listening.add(.filter(filter, greets: nil)) }
    }

    /// Says something to a gateway, at once: nothing is kept for later, and what moves something is never retained.
    /// - Parameter topic: as the gateway's things name it.
    func publish(
        _ topic: String, _ payload: [UInt8], to gateway: Gateway, quality: BusClient.Quality = .atLeastOnce,
        retain: Bool = false
    ) throws(BusError) {
        guard let client else { throw .notConnected }
        let whole = gateway.down + topic
        // Before it can come back; what a home's own broker is told comes back nowhere.
        if gateway.down == gateway.prefix { say(whole, payload) }
        try client.publish(whole, payload, quality: quality, retain: retain)
    }

    /// Waits until the broker has what was said until now: who is shut out then has heard it.
    /// - Returns: false when it has not within five seconds.
    func settle() async throws -> Bool { try await client?.settle(within: .seconds(5)) ?? true }

    /// Remembers what the hub says, which it hears itself.
    func say(_ topic: String, _ payload: [UInt8]) { words.withLock { $0.say(topic, payload, Uptime.milliseconds) } }

    /// Whether something that is heard is what the hub said itself.
    func isOwn(_ message: BusMessage) -> Bool {
        !message.isRetained
            && words.withLock { $0.takeBack(message.topic, message.payload, Uptime.milliseconds) }
    }

    /// Has the broker forget what it keeps on a topic.
    func clear(_ topic: String) throws(BusError) {
        guard let client else { throw .notConnected }
        try client.publish(topic, [], quality: .atLeastOnce, retain: true)
    }
}

/// What the hub said lately on topics that it hears itself, to know its own words when they come back. In bounded memory.
struct RecentWords: Sendable {
    /// So long they may take, in milliseconds.
    static let patience: UInt64 = 60_000
    /// Where subscriptions overlap the broker says it once for each: its copies come within this time, in milliseconds.
    static let copies: UInt64 = 2_000
    /// So many are remembered of what is said to one gateway; the oldest is forgotten first. What is said to another makes none forgotten.
    /// - Key: gateway
    static let capacity = 1_000

    private struct Word: Equatable {
        let topic: String
        let payload: [UInt8]
    }
    private struct Said {
        let word: Word
        let at: UInt64
        /// When it came back first.
        var back: UInt64?
    }
    /// By the prefix of their gateway.
    private var words: [Substring: [Said]] = [:]

    /// The hub says something.
    /// - Parameter now: milliseconds of a clock that never jumps.
    mutating func say(_ topic: String, _ payload: [UInt8], _ now: UInt64) {
        let gateway = Self.gateway(topic)
        var said = words.removeValue(forKey: gateway) ?? []
        said.removeAll { Self.isOver($0, now) }
        if said.count >= Self.capacity { said.removeFirst() }
        said.append(Said(word: Word(topic: topic, payload: payload), at: now))
        // Gateways that are gone, and those to which nothing was said lately.
        if words.count >= Self.capacity { words = words.filter { !$0.value.allSatisfy { Self.isOver($0, now) } } }
        words[gateway] = said
    }

    private static func gateway(_ topic: String) -> Substring { Gateway.split(topic)?.prefix ?? Substring(topic) }

    /// Whether something that is heard is what the hub said.
    mutating func takeBack(_ topic: String, _ payload: [UInt8], _ now: UInt64) -> Bool {
        let (word, gateway) = (Word(topic: topic, payload: payload), Self.gateway(topic))
        guard let place = words[gateway]?.firstIndex(where: { $0.word == word && !Self.isOver($0, now) }),
            let said = words[gateway]?[place]
        else { return false }
        words[gateway]?[place].back = said.back ?? now
        return true
    }

    private static func isOver(_ said: Said, _ now: UInt64) -> Bool {
        said.back.map { now - $0 > copies } ?? (now - said.at > patience)
    }
}
