import CMicrohttpd
import Glibc

// The server's turns on the loop: accepting, deadlines, clients that leave.

extension Server: EventLoopClient {
    nonisolated func takeTurn() -> Int32 { assumeIsolated { $0.turn() } }

    nonisolated func ready(_ id: UInt64) { assumeIsolated { $0.noteReady(id) } }

    func readClock() { now = clock() }

    /// Coarse: some milliseconds late, and read without asking the kernel.
    static let monotonicMilliseconds: @Sendable () -> Int = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    private func turn() -> Int32 {
        guard let daemon else { return .max }
        readClock()
        if now >= nextSweep { sweep() }
        if isDaemonReady {
            isDaemonReady = false
            daemon.run()
        }
        if let stopDeadline, connections.isEmpty || now >= stopDeadline {
            endStop()
            return .max
        }
        if daemon.hasWork { isDaemonReady = true }
        return isDaemonReady ? 0 : timeToSleep
    }

    private var timeToSleep: Int32 {
        let isIdle = connections.isEmpty && nextAccept == nil && stopDeadline == nil
        let next = min(nextSweep, stopDeadline ?? .max)
        return isIdle ? .max : Int32(clamping: max(next - now, 1))
    }

    private func noteReady(_ id: UInt64) {
        switch id {
        case Self.listenerID: accept()
        case Self.daemonID: isDaemonReady = true
        default: if let connection = connections[id] { peerLeft(connection) }
        }
    }

    // MARK: Accepting

    func startListening() {
        if isListening || stopDeadline != nil { return }
        isListening = true
        loop.watch(listener.descriptor, id: Self.listenerID, of: clientNumber, events: EPOLLIN.rawValue)
    }

    func pauseListening() {
        if isListening { loop.unwatch(listener.descriptor) }
        isListening = false
    }

    static let acceptNext: Listener.Accept = { accept_nonblocking($0, nil, nil) }

    private func accept() {
        if !isListening { return }
        // The loop may have slept for long: by the clock of its last turn a new connection would already be late.
        readClock()
        // A few at a time, so that a flood of connections does not starve those that are open.
        for _ in 0..<64 {
            switch listener.next() {
            case .connection(let descriptor): admit(descriptor)
            case .none: return
            case .exhausted:
                settings.onError("no file descriptors left: new connections wait")
                pauseListening()
                nextAccept = now + Self.acceptPause
                return
            }
        }
    }

    private func admit(_ descriptor: Int32) {
        guard let address = SocketAddress(peerOf: descriptor), hasRoom(for: address) else {
            close(descriptor)
            return
        }
        if daemon?.add(descriptor) != true { settings.onError("a connection could not be taken over") }
        isDaemonReady = true
    }

    func opened(_ handle: OpaquePointer) -> Connection {
        if connections.isEmpty { nextSweep = now }
        if let newest = credentials.last { mhd_use_credentials(handle, newest) }
        lastConnection += 1
        let connection = Connection(id: lastConnection, handle: handle, now: now, deadline: now + limits.head)
        connections[connection.id] = connection
        connectionsPerNetwork[connection.address.network, default: [:]][connection.id] = connection
        return connection
    }

    func closed(_ connection: Connection) {
        connections[connection.id] = nil
        let network = connection.address.network
        connectionsPerNetwork[network]?[connection.id] = nil
        if connectionsPerNetwork[network]?.isEmpty == true { connectionsPerNetwork[network] = nil }
    }

    // MARK: Deadlines

    private func sweep() {
        nextSweep = now + Self.sweepInterval
        if let nextAccept, now >= nextAccept {
            self.nextAccept = nil
            startListening()
        }
        for connection in connections.values { check(connection) }
    }

    private func check(_ connection: Connection) {
        if now > connection.deadline { cutOff(connection) }
        guard let exchange = connection.exchange else { return }
        if let stream = exchange.stream, now >= exchange.nextBeat {
            exchange.nextBeat = now + limits.heartbeat
            stream.beat()
        }
        // Nobody else notices when the client of a suspended connection leaves. Only for handlers that take their time; until
        // the socket closes: then the kernel forgets the watch.
        if exchange.isSuspended, !connection.isWatched {
            connection.isWatched = true
            loop.watch(
                connection.descriptor, id: connection.id, of: clientNumber,
                events: EPOLLRDHUP.rawValue | EPOLLET.rawValue)
        }
    }

    private func cutOff(_ connection: Connection) {
        if let exchange = connection.exchange, exchange.isSuspended, !exchange.isAnswered {
            exchange.task?.cancel()
            finish(exchange, refuse(exchange, .unavailable("The answer took too long.", type: "answer-too-slow")))
        } else {
            connection.cutOff()
        }
    }

    private func peerLeft(_ connection: Connection) {
        guard let exchange = connection.exchange, exchange.isSuspended else { return }
        exchange.task?.cancel()
        if let stream = exchange.stream {
            stream.close()
            resume(exchange)
        } else {
            // Nobody will read it, but it frees the connection now, whatever the handler does.
            finish(exchange, refuse(exchange, .badRequest("The client has left.")))
        }
    }
}
