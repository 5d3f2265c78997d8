import Synchronization

/// The state of a connection, and whoever wants to hear of its changes.
final class States: Sendable {
    private struct State {
        var current = BusState.disconnected(reason: "not started")
        var isFinished = false
        var nextID = 0
        var listeners: [Int: AsyncStream<BusState>.Continuation] = [:]
    }

    private let state = Mutex(State())

    var current: BusState { state.withLock { $0.current } }

    func change(to new: BusState) {
        let listeners = state.withLock { state -> [AsyncStream<BusState>.Continuation] in
            if state.current == new { return [] }
            state.current = new
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(new) }
    }

    func stream() -> AsyncStream<BusState> {
        // Who listens slowly misses old changes, never the latest.
        let (stream, listener) = AsyncStream.makeStream(of: BusState.self, bufferingPolicy: .bufferingNewest(16))
        let id = state.withLock { state -> Int? in
            listener.yield(state.current)
            if state.isFinished { return nil }
            state.nextID += 1
            state.listeners[state.nextID] = listener
            return state.nextID
        }
        if let id {
            listener.onTermination = { [weak self] _ in self?.forget(id) }
        } else {
            listener.finish()
        }
        return stream
    }

    private func forget(_ id: Int) { state.withLock { $0.listeners[id] = nil } }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
