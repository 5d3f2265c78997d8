import Synchronization

/// Messages between the thread that receives them and the task that reads them.
///
/// One wake of the reader per batch: handing over each message by itself costs more than receiving it.
final class Inbox: Sendable {
    /// More messages than this that nobody has read are dropped, the newest first, and counted.
    /// - Key: hub
    static let messageLimit = 100_000
    /// The same for their payloads together, in bytes.
    /// - Key: hub
    static let byteLimit = 64 << 20
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
        var overlong: [String] = []
        var isFinished = false
        var reader: CheckedContinuation<[BusMessage]?, Never>?
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
        let reader = state.withLock { state -> CheckedContinuation<[BusMessage]?, Never>? in
            message.gaps = state.gaps
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
                    defer { (state.messages, state.bytes, state.isFull) = ([], 0, false) }
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
}
