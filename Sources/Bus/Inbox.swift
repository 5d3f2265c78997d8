import Synchronization

/// Messages between the thread that receives them and the task that reads them.
///
/// One wake of the reader per batch: handing over each message by itself costs more than receiving it. Each sender, told apart by the
/// first three levels of its topics, has a share of the room, so that one that floods keeps nobody else unheard.
final class Inbox: Sendable {
    /// More messages than this that nobody has read are dropped, the newest first, and counted.
    /// - Key: hub
    static let messageLimit = 100_000
    /// The same for their payloads together, in bytes.
    /// - Key: hub
    static let byteLimit = 64 << 20
    /// The messages of one sender among them.
    /// - Key: client of the broker
    static let messagesOfSenderLimit = 12_500
    /// The same for their payloads together, in bytes.
    /// - Key: client of the broker
    static let bytesOfSenderLimit = 8 << 20
    /// So many topics of messages that were too long are remembered.
    static let overlongLimit = 64

    private struct State {
        var messages: [BusMessage] = []
        var bytes = 0
        var dropped = 0
        var overflown = 0
        var gaps = 0
        /// Whether a message was dropped since the reader had all: until it has, all are, so that there is one gap and not a thousand.
        var isFull = false
        /// What waits of each sender, by a digest of its levels.
        var shares: [Int: Share] = [:]
        /// How often messages of a sender were dropped for want of room in its share, since the client was made.
        var gapsOfSenders: [Int: Int] = [:]
        var overlong: [String] = []
        var isFinished = false
        var reader: CheckedContinuation<[BusMessage]?, Never>?

        /// - Returns: false when the sender's share is full, which it stays until the reader has all: so there is one gap and not a thousand.
        mutating func takeShare(of sender: Int, _ bytes: Int) -> Bool {
            let share = shares[sender, default: Share()]
            let hasRoom =
                !share.isFull && share.messages < Inbox.messagesOfSenderLimit
                && share.bytes + bytes <= Inbox.bytesOfSenderLimit
            shares[sender, default: Share()].isFull = !hasRoom
            if hasRoom {
                shares[sender, default: Share()].messages += 1
                shares[sender, default: Share()].bytes += bytes
            }
            return hasRoom
        }
    }

    private struct Share {
        var messages = 0
        var bytes = 0
        var isFull = false
    }

    private let state = Mutex(State())

    var dropped: Int { state.withLock { $0.dropped } }

    /// Of those, how many for want of room.
    var overflown: Int { state.withLock { $0.overflown } }

    /// A message on this topic was too long.
    func drop(overlong topic: String) {
        state.withLock { state in
            state.dropped += 1
            if state.overlong.count < Self.overlongLimit { state.overlong.append(topic) }
        }
    }

    /// The topics of messages that were too long, since this was asked last.
    func takeOverlong() -> [String] {
        state.withLock { state in
            defer { state.overlong = [] }
            return state.overlong
        }
    }

    /// Something may have been missed before what comes now.
    func missSomething() { state.withLock { $0.gaps += 1 } }

    func append(_ message: BusMessage) {
        var message = message
        let sender = Self.sender(of: message.topic)
        let reader = state.withLock { state -> CheckedContinuation<[BusMessage]?, Never>? in
            message.gaps = state.gaps
            message.gapsOfSender = state.gapsOfSenders[sender, default: 0]
            // A reader that waits has read everything: it gets this message at once.
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            let bytes = state.bytes + message.payload.count
            guard !state.isFull, state.messages.count < Self.messageLimit, bytes <= Self.byteLimit else {
                state.isFull = true
                (state.dropped, state.overflown) = (state.dropped + 1, state.overflown + 1)
                state.gaps += 1
                return nil
            }
            guard state.takeShare(of: sender, message.payload.count) else {
                (state.dropped, state.overflown) = (state.dropped + 1, state.overflown + 1)
                state.gapsOfSenders[sender, default: 0] += 1
                return nil
            }
            state.messages.append(message)
            state.bytes = bytes
            return nil
        }
        reader?.resume(returning: [message])
    }

    /// The next messages, at least one; nil when there will be none.
    func next() async -> [BusMessage]? {
        await withCheckedContinuation { continuation in
            let batch = state.withLock { state -> [BusMessage]?? in
                if !state.messages.isEmpty {
                    defer { (state.messages, state.bytes, state.isFull, state.shares) = ([], 0, false, [:]) }
                    return state.messages
                }
                // Two readers at once would take each other's messages: the second is told that there is nothing.
                if state.isFinished || state.reader != nil { return .some(nil) }
                state.reader = continuation
                return .none
            }
            if let batch { continuation.resume(returning: batch) }
        }
    }

    /// Nothing comes any more; what came before can still be read.
    func finish() {
        state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }?.resume(returning: nil)
    }

    /// The reader goes away.
    func dismissReader() {
        state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }?.resume(returning: nil)
    }

    /// By whom a topic is said: its first three levels. Nobody says what lies below another's (`AccessRules`).
    private static func sender(of topic: String) -> Int {
        var (hasher, left) = (Hasher(), 3)
        for byte in topic.utf8 {
            if byte == UInt8(ascii: "/") { left -= 1 }
            if left == 0 { break }
            hasher.combine(byte)
        }
        return hasher.finalize()
    }
}
