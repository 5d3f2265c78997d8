import CMosquitto
import Glibc
import Synchronization
import System

/// One libmosquitto handle and the thread that drives it.
///
/// The thread is ours rather than the library's: the library waits whole seconds between attempts, and its loop uses
/// `select`, which fails for good once the process has a thousand files open. Handing over many packets per wake also
/// costs less.
///
/// Ownership: whoever holds this object may use the handle, which `deinit` frees. The thread holds it while it runs, and
/// callbacks run only inside calls of that thread; so their user data is an unretained pointer to it.
final class Connection: @unchecked Sendable {
    // Unchecked: `handle` is constant, and libmosquitto locks what it guards (mosquitto_threaded_set). `loop` is touched by
    // the thread alone. All else is a Mutex, an Atomic or constant.

    private static let library: Void = { mosquitto_lib_init() }()
    private static let keepAliveSeconds: Int32 = 15
    /// From the first byte to the acknowledgement of the last subscription.
    private static let connectMilliseconds: UInt64 = 10_000
    /// How long a client that stops waits for the next sign that the broker takes what was published.
    private static let silenceMilliseconds: UInt64 = 5_000
    /// And until the broker has all of it.
    private static let farewellMilliseconds: UInt64 = 10_000
    /// How many packets are read before anything else gets its turn.
    private static let readsPerTurn = 256

    let inbox = Inbox()
    let states = States()
    private let handle: OpaquePointer
    private let address: BusAddress
    private let backoff: ClosedRange<Duration>
    private let known: BusClient.Acquaintance
    private let version: BusClient.Version
    private let met = Mutex<[UInt8]?>(nil)
    private let tls: OpaquePointer?
    /// The two ends of a pipe. A byte in it ends the thread's wait: something to send, or time to stop.
    private let wakeup: (output: Int32, input: Int32)
    private let isAwake = Atomic(false)
    private let isStopping = Atomic(false)
    /// The broker answered, and did not take who we say that we are.
    let isUnknown = Atomic(false)
    /// Whether it ends without a farewell.
    private let isCutOff = Atomic(false)
    private let life = Mutex(Life())
    private let session = Mutex(Session())
    private let outgoing = Mutex(Outgoing())
    private let hooks = Mutex(Hooks())
    private var loop = Loop()
    /// Whether the broker has let it in before.
    private var wasAccepted = false

    private struct Life {
        var isStarted = false
        var isEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private struct Session {
        /// The broker has accepted us: subscriptions can be sent.
        var isAccepted = false
        var filters: [String: BusClient.Quality] = [:]
        /// Subscriptions that the broker has not answered, by message id.
        var unanswered: [Int32: String] = [:]
        /// Accepted, and every subscription answered at least once.
        var isReady = false
    }

    /// Who is told of what arrives. A struct of its own: a closure that a `Mutex` holds by itself is wrapped anew, and kept so, each time
    /// that it is read, until calling it takes the whole stack.
    private struct Hooks {
        var arrivals: (@Sendable (String, Int, Bool) -> Void)?
        var diverted: (topic: String, listener: @Sendable ([UInt8]) -> Void)?
    }

    /// Messages that the library holds, by message id.
    private struct Outgoing {
        /// Below the 65,535 ids that there are, so that none is used twice at a time.
        /// - Key: hub
        static let messageLimit = 50_000
        var waiting: [Int32: (bytes: Int, quality: BusClient.Quality)] = [:]
        var bytes = 0
    }

    private struct Loop {
        var hasDelivered = false
        var refusal: String?
        var wasReady = false
    }

    init(
        address: BusAddress, credentials: BusCredentials, known: BusClient.Acquaintance, will: BusClient.Will?,
        version: BusClient.Version, backoff: ClosedRange<Duration>
    ) {
        _ = Self.library
        (self.address, self.backoff, self.known, self.version) = (address, backoff, known, version)
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no pipe to be had")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeup = (ends[0], ends[1])
        guard let handle = mosquitto_new(credentials.username, true, nil) else {
            preconditionFailure("no memory for a bus client")
        }
        self.handle = handle
        tls = address.isSecure ? makeTLSContext() : nil
        if let tls { mosquitto_void_option(handle, MOSQ_OPT_SSL_CTX, UnsafeMutableRawPointer(tls)) }
        mosquitto_int_option(handle, MOSQ_OPT_SSL_CTX_WITH_DEFAULTS, 0)
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        mosquitto_threaded_set(handle, true)
        mosquitto_int_option(
            handle, MOSQ_OPT_PROTOCOL_VERSION, version == .five ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        mosquitto_username_pw_set(handle, credentials.username, credentials.password)
        if let will {
            mosquitto_will_set(handle, will.topic, Int32(will.payload.count), will.payload, 1, will.retain)
        }
        setCallbacks(of: handle)
        if let tls { setCertificateCallback(of: tls, to: self) }
    }

    deinit {
        // Else the library would let go of it twice, once as what we gave it and once as what it uses.
        if tls != nil { mosquitto_void_option(handle, MOSQ_OPT_SSL_CTX, nil) }
        mosquitto_destroy(handle)
        SSL_CTX_free(tls)
        close(wakeup.output)
        close(wakeup.input)
    }

    // MARK: From any thread

    var brokerFingerprint: [UInt8]? { met.withLock { $0 } }

    func start() {
        let isFirst = life.withLock { life in
            defer { life.isStarted = true }
            return !life.isStarted
        }
        guard isFirst else { return }
        Thread.start(name: "bus") { [self] in run() }
    }

    func requestStop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        // Never started: there is no thread to end it.
        let isIdle = life.withLock { life in
            defer { life.isStarted = true }
            if !life.isStarted { life.isEnded = true }
            return !life.isStarted
        }
        if isIdle { finish() } else { wake() }
    }

    func requestCutOff() {
        isCutOff.store(true, ordering: .sequentiallyConsistent)
        requestStop()
    }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let isEnded = life.withLock { life in
                if !life.isEnded { life.waiters.append(continuation) }
                return life.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    func subscribe(
        _ filter: String, _ quality: BusClient.Quality, isKept: Bool = true, hearsItself: Bool = true
    ) {
        session.withLock { session in
            if isKept { session.filters[filter] = quality }
            if session.isAccepted { send(filter, quality, hearsItself: hearsItself, &session) }
        }
        wake()
    }

    func divert(_ topic: String, to listener: @escaping @Sendable ([UInt8]) -> Void) {
        hooks.withLock { $0.diverted = (topic, listener) }
    }

    func note(arrivals body: @escaping @Sendable (String, Int, Bool) -> Void) {
        hooks.withLock { $0.arrivals = body }
    }

    func publish(
        _ topic: String, _ payload: [UInt8], _ quality: BusClient.Quality, _ retain: Bool
    ) throws(BusError) {
        guard payload.count <= BusClient.payloadLimit else { throw .payloadTooLong }
        guard session.withLock({ $0.isReady }) else { throw .notConnected }
        // Under the lock, so that the note "it is sent", which comes on the other thread, finds the message counted.
        let refusal = outgoing.withLock { outgoing -> BusError? in
            // Once more: the thread looks at what waits after it has said that nothing more is published.
            guard session.withLock({ $0.isReady }) else { return .notConnected }
            guard outgoing.waiting.count < Outgoing.messageLimit,
                outgoing.bytes + payload.count <= BusClient.outgoingLimit
            else { return .tooManyWaiting }
            var id: Int32 = 0
            let code = mosquitto_publish(
                handle, &id, topic, Int32(payload.count), payload, quality.rawValue, retain)
            let isLost = code == Int32(MOSQ_ERR_NO_CONN.rawValue)
            // Lost this very moment: what must arrive is kept by the library, and goes out on the next connection.
            if isLost, quality == .atMostOnce { return .notConnected }
            guard isLost || code == 0 else { return .refused(words(of: code)) }
            outgoing.waiting[id] = (payload.count, quality)
            outgoing.bytes += payload.count
            return nil
        }
        if let refusal { throw refusal }
        wake()
    }

    /// What was published and is not with the broker yet, by the library's numbers.
    var waiting: Set<Int32> { outgoing.withLock { Set($0.waiting.keys) } }

    private func wake() {
        // Once is enough until the thread has seen it.
        guard !isAwake.exchange(true, ordering: .sequentiallyConsistent) else { return }
        var byte: UInt8 = 0
        _ = write(wakeup.input, &byte, 1)
    }

    // MARK: The thread

    private var mustStop: Bool { isStopping.load(ordering: .sequentiallyConsistent) }

    private func run() {
        var failures = 0
        while !mustStop {
            states.change(to: .connecting)
            loop = Loop()
            let code = mosquitto_connect_async(handle, address.host, Int32(address.port), Self.keepAliveSeconds)
            let reason = code == 0 ? converse() : loop.refusal ?? words(of: code)
            session.withLock { session in
                (session.isAccepted, session.isReady) = (false, false)
                session.unanswered = [:]
            }
            forgetUnsent()
            if mustStop { break }
            failures = loop.wasReady ? 0 : failures + 1
            states.change(to: .disconnected(reason: reason))
            pause(afterFailures: failures)
        }
        finish()
    }

    /// Drives one connection from its first byte to its last, and answers why it ended.
    private func converse() -> String {
        let deadline = Uptime.milliseconds + Self.connectMilliseconds
        var nextCare = Uptime.milliseconds + 1000
        while true {
            let socket = mosquitto_socket(handle)
            guard socket >= 0 else { return loop.refusal ?? "the broker closed the connection" }
            let mayWrite = mosquitto_want_write(handle)
            var polled = [
                pollfd(fd: socket, events: Int16(mayWrite ? POLLIN | POLLOUT : POLLIN), revents: 0),
                pollfd(fd: wakeup.output, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&polled, 2, 1000)
            if polled[1].revents != 0 { clearWake() }
            if mustStop {
                if isCutOff.load(ordering: .sequentiallyConsistent) || !deliverWhatWaits() {
                    // Not closed: that is the library's. Asked for anew: another may have its number by now.
                    shutdown(mosquitto_socket(handle), Int32(SHUT_RDWR))
                } else {
                    farewell()
                }
                return "stopped"
            }
            var code: Int32 = 0
            // While it connects, the library looks at the outcome when it writes.
            if mosquitto_want_write(handle) { code = mosquitto_loop_write(handle, 1) }
            if code == 0, polled[0].revents & ~Int16(POLLOUT) != 0 { code = readTurn() }
            // Over TLS 2.0.11 does not see that nobody accepted the connection, and says its first words again and again.
            if code == 0, !loop.wasReady, polled[0].revents & Int16(POLLHUP | POLLERR) != 0, isOver(socket) {
                giveUp()
                return loop.refusal ?? "the broker closed the connection"
            }
            if code == 0, Uptime.milliseconds >= nextCare {
                nextCare = Uptime.milliseconds + 1000
                code = mosquitto_loop_misc(handle)
            }
            if code != 0 { return loop.refusal ?? words(of: code) }
            if !loop.wasReady, Uptime.milliseconds > deadline {
                giveUp()
                return loop.refusal ?? "the broker did not answer in time"
            }
        }
    }

    private func giveUp() {
        mosquitto_disconnect(handle)
        _ = mosquitto_loop_write(handle, 1)
    }

    /// Whether nothing can be read from the library's socket any more, nor will be.
    private func isOver(_ socket: Int32) -> Bool {
        guard mosquitto_socket(handle) == socket else { return false }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    /// The library reads one packet at a time: as long as they are messages there are probably more.
    private func readTurn() -> Int32 {
        for _ in 0..<Self.readsPerTurn {
            loop.hasDelivered = false
            let code = mosquitto_loop_read(handle, 1)
            if code != 0 || !loop.hasDelivered { return code }
        }
        return 0
    }

    /// Sends what was published, and reads until the broker has acknowledged what must arrive. The library has at most twenty messages
    /// on their way, drops what stands behind them when it disconnects, and the broker then publishes no will either.
    /// - Returns: false when the broker has not got all of it. Without a farewell it publishes the will.
    private func deliverWhatWaits() -> Bool {
        // Nothing is published from here on.
        let wasReady = session.withLock { session in
            defer { session.isReady = false }
            return session.isReady
        }
        var left = outgoing.withLock(\.waiting.count)
        guard wasReady else { return left == 0 }
        let end = Uptime.milliseconds + Self.farewellMilliseconds
        var deadline = Uptime.milliseconds + Self.silenceMilliseconds
        while left > 0 {
            let (socket, now) = (mosquitto_socket(handle), Uptime.milliseconds)
            guard socket >= 0, now < min(deadline, end), !isCutOff.load(ordering: .sequentiallyConsistent) else {
                return false
            }
            let events = mosquitto_want_write(handle) ? POLLIN | POLLOUT : POLLIN
            var polled = pollfd(fd: socket, events: Int16(events), revents: 0)
            _ = poll(&polled, 1, Int32(clamping: min(deadline - now, 1000)))
            if mosquitto_want_write(handle), mosquitto_loop_write(handle, 1) != 0 { return false }
            if polled.revents & ~Int16(POLLOUT) != 0, readTurn() != 0 { return false }
            let count = outgoing.withLock(\.waiting.count)
            // Others' messages come meanwhile, too: they are no sign that ours arrive.
            if count < left { deadline = Uptime.milliseconds + Self.silenceMilliseconds }
            left = count
        }
        return true
    }

    /// Sends the farewell, for at most a second.
    private func farewell() {
        mosquitto_disconnect(handle)
        let deadline = Uptime.milliseconds + 1000
        while mosquitto_want_write(handle), Uptime.milliseconds < deadline {
            let socket = mosquitto_socket(handle)
            guard socket >= 0 else { return }
            var polled = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
            _ = poll(&polled, 1, 100)
            if mosquitto_loop_write(handle, 1) != 0 { return }
        }
    }

    private func pause(afterFailures failures: Int) {
        let longest = milliseconds(backoff.upperBound)
        let doubled = milliseconds(backoff.lowerBound) << UInt64(min(max(failures - 1, 0), 30))
        let wait = min(max(doubled, 1), longest)
        let deadline = Uptime.milliseconds + UInt64.random(in: (wait + 1) / 2...max(wait, 1))
        while !mustStop {
            let now = Uptime.milliseconds
            guard now < deadline else { return }
            var polled = pollfd(fd: wakeup.output, events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, Int32(clamping: deadline - now)) > 0 { clearWake() }
        }
    }

    private func milliseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        return UInt64(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    private func clearWake() {
        var byte: UInt8 = 0
        _ = read(wakeup.output, &byte, 1)
        // After the read: who wakes us between the two is seen at once, by `want_write` or `mustStop`.
        isAwake.store(false, ordering: .sequentiallyConsistent)
    }

    /// A lost connection loses what was not acknowledged and need not be: the library drops it without a word.
    private func forgetUnsent() {
        outgoing.withLock { outgoing in
            outgoing.waiting = outgoing.waiting.filter { $0.value.quality == .atLeastOnce }
            outgoing.bytes = outgoing.waiting.values.reduce(0) { $0 + $1.bytes }
        }
    }

    private func finish() {
        states.change(to: .disconnected(reason: "stopped"))
        states.finish()
        inbox.finish()
        let waiters = life.withLock { life in
            life.isEnded = true
            defer { life.waiters = [] }
            return life.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func send(
        _ filter: String, _ quality: BusClient.Quality, hearsItself: Bool = true, _ session: inout Session
    ) {
        var id: Int32 = 0
        precondition(hearsItself || version == .five, "MQTT 3.1.1 has no such subscription")
        let options = hearsItself ? 0 : Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue)
        guard mosquitto_subscribe_v5(handle, &id, filter, quality.rawValue, options, nil) == 0 else { return }
        session.unanswered[id] = filter
    }

    // MARK: What the library tells, on the thread

    /// The broker shows its certificate, before it is told anything.
    /// - Parameter fingerprint: SHA-256 of it.
    /// - Returns: whether to go on.
    func meets(_ fingerprint: [UInt8]) -> Bool {
        met.withLock { $0 = fingerprint }
        guard case .fingerprint(let expected) = known, fingerprint != expected else { return true }
        loop.refusal = "the broker shows another certificate than the one that this client knows"
        return false
    }

    /// - Parameter code: MQTT 3.1.1, table 3.1, or MQTT 5, table 3-1: 0 accepted, else why not.
    func acknowledged(_ code: Int32) {
        let isRefused = [4, 5, 0x86, 0x87].contains(code)
        isUnknown.store(isRefused, ordering: .sequentiallyConsistent)
        guard code == 0 else {
            loop.refusal =
                isRefused
                ? "the broker refused the user name or the password" : "the broker refused the connection (\(code))"
            return
        }
        if wasAccepted { inbox.missSomething() }
        wasAccepted = true
        session.withLock { session in
            session.isAccepted = true
            for (filter, quality) in session.filters { send(filter, quality, &session) }
        }
        becomeReadyWhenAnswered()
    }

    /// - Parameter isGranted: false when the access list has no place for it.
    func subscribed(_ id: Int32, isGranted: Bool) {
        let filter = session.withLock { $0.unanswered.removeValue(forKey: id) }
        if !isGranted, let filter { Log.warning("bus", "the broker refused a subscription", ["filter": filter]) }
        becomeReadyWhenAnswered()
    }

    private func becomeReadyWhenAnswered() {
        guard !loop.wasReady else { return }
        let isReady = session.withLock { session in
            session.isReady = session.isAccepted && session.unanswered.isEmpty
            return session.isReady
        }
        guard isReady else { return }
        loop.wasReady = true
        states.change(to: .connected)
    }

    func sent(_ id: Int32) {
        outgoing.withLock { outgoing in
            if let message = outgoing.waiting.removeValue(forKey: id) { outgoing.bytes -= message.bytes }
        }
    }

    func received(_ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool) {
        loop.hasDelivered = true
        // The lock is not held in the call: it may come back here.
        hooks.withLock { $0.arrivals }?(topic, payload.count, isRetained)
        guard payload.count <= BusClient.payloadLimit else { return inbox.drop(overlong: topic) }
        if topic.utf8.first == UInt8(ascii: "$") {
            let conversation = hooks.withLock { $0.diverted }
            if let conversation, conversation.topic == topic { conversation.listener(Array(payload)) }
            return
        }
        inbox.append(BusMessage(topic: topic, payload: Array(payload), isRetained: isRetained))
    }
}
