import Synchronization

/// One reader of server-sent events (WHATWG HTML, section 9.2).
///
/// Any thread may call it. What the reader has not taken waits here; when more than `limit` bytes wait, the reader is
/// dropped, and its browser comes back with `Last-Event-ID`.
public final class EventStream: Sendable {
    /// What the server sees of a stream between two looks.
    enum Chunk {
        case bytes(Int)
        case nothing
        case end
    }

    private struct State {
        var buffer: [UInt8] = []
        /// Where the bytes begin that are not taken yet.
        var start = 0
        /// The server waits for something to send.
        var isParked = false
        var isEnded = false
        var isClosed = false
        var isDropped = false
        var wake: (@Sendable () -> Void)?
        var onClose: [@Sendable () -> Void] = []

        var waiting: Int { buffer.count - start }

        /// One wake-up for each sleep of the server, however many events.
        mutating func takeWake() -> (@Sendable () -> Void)? {
            defer { isParked = false }
            return isParked ? wake : nil
        }

        /// Lets go of everything; answers who is to be told, outside the lock.
        mutating func close() -> [@Sendable () -> Void] {
            isClosed = true
            (buffer, start, wake) = ([], 0, nil)
            defer { onClose = [] }
            return onClose
        }
    }

    private let state = Mutex(State())
    private let limit: Int

    /// A stream to answer a request with (`Response.events`). `limit`: bytes that may wait for the reader.
    public init(limit: Int = 64 << 10) { self.limit = limit }

    /// Whether the reader has gone, was dropped or has been sent the end.
    public var isClosed: Bool { state.withLock { $0.isClosed || $0.isEnded } }

    /// Sends an event. False: the reader is gone, forget it. Line ends in `data` are kept as a browser reads them (`\n`);
    /// CR, LF and NUL in `event` and `id` are left out.
    @discardableResult
    public func send(event: String? = nil, id: String? = nil, data: [UInt8]) -> Bool {
        append(Self.frame(event: event, id: id, data: data))
    }

    /// Ends the stream after what has been sent.
    public func end() {
        let wake = state.withLock { state in
            state.isEnded = true
            return state.takeWake()
        }
        wake?()
    }

    /// Calls back, once, when the reader is gone (at once when it is gone already), on any thread.
    public func onClose(_ body: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.onClose.append(body) }
            return state.isClosed
        }
        if isClosed { body() }
    }

    // MARK: For the server

    /// The server has begun to send; `wake` tells it, from any thread, to look again.
    func open(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = $0.isClosed ? nil : wake }
    }

    /// Moves what waits into a buffer. After `nothing`, the next change wakes the server.
    func take(into target: UnsafeMutableRawBufferPointer) -> Chunk {
        state.withLock { state in
            if state.isClosed { return .end }
            if state.waiting == 0 {
                if state.isEnded { return .end }
                state.isParked = true
                return .nothing
            }
            let count = min(target.count, state.waiting)
            let range = state.start..<state.start + count
            state.buffer.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
            state.start += count
            if state.waiting == 0 {
                state.buffer.removeAll(keepingCapacity: true)
                state.start = 0
            }
            return .bytes(count)
        }
    }

    /// Sends a comment, which readers ignore.
    func beat() { _ = append(Array(":\n\n".utf8)) }

    /// The reader let too much pile up.
    var isDropped: Bool { state.withLock { $0.isDropped } }

    /// The connection is gone.
    func close() {
        let callbacks = state.withLock { $0.close() }
        for callback in callbacks { callback() }
    }

    private func append(_ bytes: [UInt8]) -> Bool {
        var callbacks: [@Sendable () -> Void] = []
        let (isAlive, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if state.isClosed || state.isEnded { return (false, nil) }
            guard state.waiting + bytes.count <= limit else {
                let wake = state.wake
                state.isDropped = true
                callbacks = state.close()
                return (false, wake)
            }
            // Keeps what was taken from piling up under a reader that is never quite done.
            if state.start > limit {
                state.buffer.removeFirst(state.start)
                state.start = 0
            }
            state.buffer += bytes
            return (true, state.takeWake())
        }
        wake?()
        for callback in callbacks { callback() }
        return isAlive
    }

    private static func frame(event: String?, id: String?, data: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(data.count + 64)
        if let event { appendField("event: ", event, to: &frame) }
        if let id { appendField("id: ", id, to: &frame) }
        frame += "data: ".utf8
        var isAfterCR = false
        for byte in data {
            switch byte {
            case UInt8(ascii: "\n") where isAfterCR: isAfterCR = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                frame += "\ndata: ".utf8
                isAfterCR = byte == UInt8(ascii: "\r")
            default:
                frame.append(byte)
                isAfterCR = false
            }
        }
        frame += "\n\n".utf8
        return frame
    }

    private static func appendField(_ name: StaticString, _ value: String, to frame: inout [UInt8]) {
        frame.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        frame += value.utf8.filter { $0 != 0 && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        frame.append(UInt8(ascii: "\n"))
    }
}
