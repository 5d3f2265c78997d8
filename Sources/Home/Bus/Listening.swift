import Bus
import Household
import Synchronization
import System

/// Subscribes to the topics of gateways, one after the other, each when the broker has told what it kept on the one before.
///
/// All at once, what is kept overflows what Mosquitto lets wait for a client. It then drops messages of all gateways, and 2.0.11 goes on
/// dropping them for good, since it writes what waits only with the next message that it lets wait. So each turn ends with a message of
/// our own, the pulse, which comes after all that was to come before it. Where it does not come, a subscription makes the broker write. The
/// pulse shows that the broker delivers; that nothing was dropped between two pulses it does not show.
final class Listening: Sendable {
    /// What is to be done in a turn.
    enum Turn: Sendable {
        /// To subscribe, and to greet a gateway that is new on this connection.
        case filter(String, greets: Gateway?)
        /// To call a closure when all turns before it are over.
        case call(@Sendable () -> Void)
    }

    /// Where the pulse goes.
    static let prefix = "soglia/hub/pulse/"
    /// How long the broker may take for a turn before it is made to write, in milliseconds; after each time twice as long.
    static let patience: UInt64 = 500
    /// How long no pulse may come back before the connection is given up, in milliseconds.
    static let longest: UInt64 = 15_000
    /// The longest pause between two looks for a pulse, in milliseconds.
    private static let longestPause = 50

    /// So long after Home has asked anew for all that is kept it does not do so again, in milliseconds.
    private static let rest: UInt64 = 10_000

    private struct State {
        var turns: [Turn] = []
        /// What is asked for again: after everything else.
        var asked: [String] = []
        var filters: Set<String> = []
        /// What the topics begin with below which Home need not hear what it says itself.
        var unechoed: Set<Substring> = []
        var reader: AsyncStream<Void>.Continuation?
        /// The numbers of the pulses that were sent and heard last.
        var sent: UInt64 = 0
        var heard: UInt64 = 0
        /// Whether the first pulse of this turn was heard.
        var first: UInt64 = 0
        var isFirstHeard = false
        var isWorking = false
        var askedAnew: UInt64?
    }
    private let state = Mutex(State())

    /// Adds a turn; a filter that waits already waits once.
    func add(_ turn: Turn) {
        state.withLock { state in
            if case .filter(let filter, nil) = turn {
                guard state.filters.insert(filter).inserted else { return }
                state.asked.append(filter)
            } else {
                state.turns.append(turn)
            }
            state.reader?.yield()
        }
    }

    /// From now on what Home says below this beginning of topics does not come back to it.
    func leaveOutEcho(below prefix: String) { state.withLock { _ = $0.unechoed.insert(prefix[...]) } }

    private func hearsItself(on filter: String) -> Bool {
        guard let (prefix, _) = Gateway.split(filter) else { return true }
        return state.withLock { !$0.unechoed.contains(prefix) }
    }

    /// Whether all turns are over.
    var isIdle: Bool { state.withLock { $0.turns.isEmpty && $0.asked.isEmpty && !$0.isWorking } }

    /// Forgets what waits: the connection is another one.
    func beginAnew() { state.withLock { ($0.turns, $0.asked, $0.filters) = ([], [], []) } }

    /// Whether a message is a pulse; called as it arrives.
    func hear(_ topic: String) -> Bool {
        guard topic.hasPrefix(Self.prefix) else { return false }
        if let number = UInt64(topic.dropFirst(Self.prefix.count)) {
            state.withLock { state in
                state.heard = max(state.heard, min(number, state.sent))
                if number == state.first { state.isFirstHeard = true }
            }
        }
        return true
    }

    /// Works until cancelled, or until the broker delivers nothing any more.
    /// - Parameters:
    ///   - greet: tells a gateway that the hub is there.
    ///   - missed: called when messages were dropped; it says whether what is kept is to be asked for anew.
    func work(
        on client: BusClient, greet: @Sendable (Gateway) -> Void, missed: @Sendable (_ asksAnew: Bool) async -> Void
    ) async {
        let (wakes, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.reader = reader }
        reader.yield()
        for await _ in wakes {
            while !Task.isCancelled, let turn = next() {
                // All of it is begun anew with the next connection.
                guard client.state == .connected else {
                    state.withLock { $0.isWorking = false }
                    continue
                }
                if case .filter(let filter, let gateway) = turn {
                    do { try client.subscribeOnce(filter, hearsItself: hearsItself(on: filter)) } catch {
                        Log.failure("home", "a gateway is not listened to", ["why": "\(error)"])
                    }
                    if let gateway { greet(gateway) }
                }
                if case .call(let body) = turn { body() }
                guard await awaitPulse(on: client, missed) else { return }
                state.withLock { $0.isWorking = false }
            }
        }
    }

    private func next() -> Turn? {
        state.withLock { state in
            state.isWorking = true
            if !state.turns.isEmpty { return state.turns.removeFirst() }
            guard !state.asked.isEmpty else {
                state.isWorking = false
                return nil
            }
            let filter = state.asked.removeFirst()
            state.filters.remove(filter)
            return .filter(filter, greets: nil)
        }
    }

    /// - Returns: false when none comes although the connection stands.
    private func awaitPulse(on client: BusClient, _ missed: @Sendable (Bool) async -> Void) async -> Bool {
        let first = say(on: client)
        let began = Uptime.milliseconds
        var (said, patience, pause) = (began, Self.patience, 1)
        while state.withLock({ $0.heard }) < first {
            // What waited is begun anew with the next connection.
            if client.state != .connected || Task.isCancelled { return true }
            try? await Task.sleep(for: .milliseconds(pause))
            pause = min(pause * 2, Self.longestPause)
            let now = Uptime.milliseconds
            if state.withLock({ $0.heard }) >= first || now - said < patience { continue }
            guard now - began < Self.longest else {
                Log.failure("home", "the broker delivers nothing: another connection is made")
                return false
            }
            (said, patience) = (now, patience * 2)
            // It throws for what is no filter alone.
            try? client.subscribeOnce(Self.prefix + "+")
            say(on: client, isFirst: false)
        }
        // Messages come in order: where a later one is heard first, the first was dropped, and others may have been.
        if !state.withLock(\.isFirstHeard) { await tell(missed) }
        return true
    }

    /// Sends a pulse, and answers its number.
    @discardableResult
    private func say(on client: BusClient, isFirst: Bool = true) -> UInt64 {
        let number = state.withLock { state in
            state.sent += 1
            if isFirst { (state.first, state.isFirstHeard) = (state.sent, false) }
            return state.sent
        }
        do { try client.publish("\(Self.prefix)\(number)", []) } catch {
            // One that never left was not dropped.
            if isFirst { state.withLock { $0.isFirstHeard = true } }
        }
        return number
    }

    private func tell(_ missed: @Sendable (Bool) async -> Void) async {
        let asksAnew = state.withLock { state in
            let isRested = state.askedAnew.map { Uptime.milliseconds - $0 >= Self.rest } ?? true
            if isRested { state.askedAnew = Uptime.milliseconds }
            return isRested
        }
        Log.warning("home", "the broker dropped messages for Home")
        await missed(asksAnew)
    }
}
