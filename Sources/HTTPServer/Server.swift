import CMicrohttpd
import Glibc

/// An HTTP/1.1 server: libmicrohttpd, driven from an event loop. All of it runs on that loop, so it needs no lock.
///
/// A handler starts in the callback in which its request is complete. When it ends without waiting for anything that lives
/// elsewhere, its answer leaves in the same turn; otherwise the connection sleeps until it ends.
public actor Server {
    /// Where it listens.
    public nonisolated let port: UInt16
    /// The server lives on its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let loop: EventLoop
    let settings: ServerSettings
    let router: Router
    let limits: Limits
    let hosts: HostNames
    let listener: Listener
    /// Milliseconds that only go forward.
    let clock: @Sendable () -> Int

    /// Unsafe: the initialiser sets it when the library knows `self` already; after that it is touched on the loop only.
    nonisolated(unsafe) var daemon: Daemon?
    /// By which the loop knows this server.
    var clientNumber: UInt64 = 0
    var counts: AnswerCounts
    /// What new connections prove themselves with, once it was replaced, and those before it, which open ones still use.
    var credentials: [OpaquePointer] = []
    var connections: [UInt64: Connection] = [:]
    var connectionsPerNetwork: [SocketAddress.Network: [UInt64: Connection]] = [:]
    var streams = 0
    var streamsPerNetwork: [ClientNetwork: Int] = [:]
    /// Bytes of answers that were made for one client each and wait to be taken.
    var heldBytes = 0
    var lastStream: UInt64 = 0
    var lastConnection = Server.firstConnection
    /// What the clock says, read once in each turn.
    var now = 0
    var nextSweep = 0
    var isDaemonReady = true
    var isListening = false
    /// When the listener, paused for want of descriptors, is tried again.
    var nextAccept: Int?
    /// When what is still in flight is cut short; nil: the server is not stopping.
    var stopDeadline: Int?
    var isStopped = false
    var stopWaiters: [CheckedContinuation<Void, Never>] = []

    /// The ids under which the loop reports the listener and the daemon; the connections' follow.
    static let listenerID: UInt64 = 0
    static let daemonID: UInt64 = 1
    static let firstConnection: UInt64 = 2
    /// How often deadlines are looked at, in milliseconds.
    static let sweepInterval = 200
    /// How long the listener rests when there are no descriptors, in milliseconds.
    static let acceptPause = 500
    /// A refused body of at most this many bytes is read to its end, so that the client sees the answer.
    static let drainLimit = 256 << 10
    /// Bytes of an event stream that may wait in the kernel (which doubles the figure).
    static let streamSendBuffer: Int32 = 16 << 10

    /// The settings' durations in milliseconds.
    struct Limits {
        let head: Int
        let body: Int
        let idle: Int
        let answer: Int
        let heartbeat: Int

        init(_ settings: ServerSettings) {
            head = settings.headTime.milliseconds
            body = settings.bodyTime.milliseconds
            idle = settings.idleTime.milliseconds
            answer = settings.answerTime.milliseconds
            heartbeat = settings.heartbeat.milliseconds
        }
    }

    /// Listens and answers, until `stop`. Several servers may share a loop.
    public init(on loop: EventLoop, settings: ServerSettings, router: Router) throws(ServerError) {
        try self.init(
            on: loop, settings: settings, router: router, clock: Self.monotonicMilliseconds, accept: Self.acceptNext)
    }

    /// With a clock that a test moves, and an `accept` that a test makes fail.
    init(
        on loop: EventLoop, settings: ServerSettings, router: Router,
        clock: @escaping @Sendable () -> Int, accept: @escaping Listener.Accept
    ) throws(ServerError) {
        self.loop = loop
        self.clock = clock
        self.settings = settings
        self.router = router
        counts = AnswerCounts(routes: router.routes.count)
        limits = Limits(settings)
        let listener = try Listener(settings, accept: accept)
        self.listener = listener
        port = listener.port
        hosts = HostNames(settings, port: listener.port)
        do throws(ServerError) {
            daemon = try Daemon(for: self, certificate: settings.certificate, connections: settings.connections)
        } catch {
            listener.stop()
            throw error
        }
        loop.perform { [self] in assumeIsolated { $0.attach() } }
    }

    /// From now on new connections are met with another certificate; those that are open go on with theirs.
    /// - Throws: when it is not valid, or when this server has no TLS; then nothing has changed.
    public func replace(_ certificate: Certificate) throws(ServerError) {
        guard settings.certificate != nil, !isStopped else { throw .cannotStart("it serves without TLS") }
        guard let made = mhd_make_credentials(certificate.chain, certificate.key) else {
            throw .cannotStart("the certificate and its key are not valid")
        }
        credentials.append(made)
    }

    /// How many connections are open, idle ones and event streams included.
    public var openConnections: Int { connections.count }

    /// Takes no new connection, closes idle ones, ends event streams, lets requests in flight end within the time, then cuts
    /// them short. Returns when all is closed.
    public func stop(within time: Duration) async {
        if isStopped { return }
        if stopDeadline == nil { beginStop(within: time.milliseconds) }
        await withCheckedContinuation { stopWaiters.append($0) }
    }

    private func attach() {
        clientNumber = loop.attach(self)
        readClock()
        if let daemon { loop.watch(daemon.descriptor, id: Self.daemonID, of: clientNumber, events: EPOLLIN.rawValue) }
        startListening()
    }

    private func beginStop(within milliseconds: Int) {
        stopDeadline = now + milliseconds
        pauseListening()
        nextAccept = nil
        listener.stop()
        for connection in connections.values {
            if let exchange = connection.exchange {
                guard let stream = exchange.stream else { continue }
                stream.end()
                // Only streams: resumed without an answer, a request would be handed over a second time.
                resume(exchange)
            } else {
                connection.hangUp()
            }
        }
        isDaemonReady = true
    }

    /// Cuts short what is left.
    func endStop() {
        for exchange in connections.values.compactMap(\.exchange) where exchange.isSuspended {
            exchange.task?.cancel()
            exchange.stream?.close()
            finish(exchange, refuse(exchange, .unavailable("The server is stopping.", type: "stopping")))
            resume(exchange)
        }
        daemon?.run()  // sends those answers
        daemon?.stop()
        daemon = nil
        for one in credentials { gnutls_certificate_free_credentials(one) }
        credentials = []
        isStopped = true
        loop.detach(clientNumber)
        for waiter in stopWaiters { waiter.resume() }
        stopWaiters = []
    }
}

extension Duration {
    /// Whole milliseconds, for clocks that count in them.
    var milliseconds: Int { Int(self / .milliseconds(1)) }
}
