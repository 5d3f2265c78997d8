import CMicrohttpd
import Glibc

// A request and its answer, as libmicrohttpd calls for them.

extension Server {
    // MARK: The request

    /// The request line is there.
    func began(_ connection: Connection, _ target: UnsafePointer<CChar>) -> Exchange {
        let exchange = Exchange(connection, target: target)
        connection.exchange = exchange
        connection.lastProgress = now
        connection.deadline = min(connection.deadline, now + limits.head)
        return exchange
    }

    /// Called with the head, then for each piece of the body, then with nothing when the request is complete. False cuts
    /// the connection off.
    func received(
        _ exchange: Exchange, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>,
        _ piece: UnsafeRawBufferPointer
    ) -> Bool {
        if exchange.request == nil { return receivedHead(exchange, method, version) }
        if !piece.isEmpty { return receivedPiece(exchange, piece) }
        return receivedAll(exchange)
    }

    private func receivedHead(
        _ exchange: Exchange, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>
    ) -> Bool {
        let connection = exchange.connection
        exchange.hasHead = true
        exchange.headTime = now
        connection.lastProgress = now
        connection.deadline = now + limits.body
        if mhd_request_head_size(connection.handle) > settings.headLimit {
            return queue(exchange, Problem.headTooLarge(limit: settings.headLimit).response)
        }
        guard exchange.isTargetValid,
            let head = RequestHead(
                connection.handle, method: method, target: exchange.target, targetLength: exchange.targetLength,
                version: version)
        else { return queue(exchange, Problem.badRequest("The head of the request is not valid HTTP/1.1.").response) }
        do throws(Problem) {
            exchange.request = try makeRequest(exchange, head, Method(token: method))
        } catch {
            return queue(exchange, error.response)
        }
        do throws(Problem) {
            try route(exchange, head)
        } catch {
            // The framing is sound: the body can be passed over, and the connection kept. But a long one, or one that is
            // only sent on demand, is answered now, which closes the connection.
            exchange.refusal = error
            exchange.bodyLimit = Self.drainLimit
            if head.expectsContinue || head.contentLength > Self.drainLimit {
                return queue(exchange, refuse(exchange, error))
            }
        }
        return true
    }

    private func makeRequest(
        _ exchange: Exchange, _ head: RequestHead, _ method: Method
    ) throws(Problem) -> Request {
        let peer = exchange.connection.address.text
        var request = Request(
            method: method, path: exchange.path, query: Query(raw: exchange.query), headers: head.headers,
            peerAddress: peer, isSecure: settings.certificate != nil)
        if settings.proxies.contains(peer) {
            let told = try Forwarding(head.headers)
            if let client = told.client { request.peerAddress = client }
            if let isSecure = told.isSecure { request.isSecure = isSecure }
            request.forwardedHost = told.host
        } else if settings.isForProxiesOnly {
            throw .forbidden("This server answers through its proxy.", type: "not-through-proxy")
        }
        return request
    }

    /// Finds who answers; throws what can be refused before the body has come.
    private func route(_ exchange: Exchange, _ head: RequestHead) throws(Problem) {
        if stopDeadline != nil { throw .unavailable("The server is stopping.", type: "stopping") }
        let request = exchange.request!
        // Behind a proxy its own word counts, which says what the client asked for; else the Host field.
        let isOurs =
            if let told = request.forwardedHost { hosts.contains(told) } else {
                head.headers.first("host", hosts.contains) == true
            }
        guard isOurs else { throw .misdirected() }
        let route = try router.find(request.method, request.path, &exchange.request!.parameters)
        exchange.route = route
        exchange.bodyLimit = route.options.bodyLimit
        if head.contentLength > route.options.bodyLimit { throw .tooLarge(limit: route.options.bodyLimit) }
        if let types = route.options.contentTypes, head.contentLength > 0 || head.isChunked {
            try request.requireContentType(types)
        }
        guard let admit = route.options.admit else { return }
        do {
            try admit(exchange.request!)
        } catch {
            throw error as? Problem ?? .internalError()
        }
    }

    private func receivedPiece(_ exchange: Exchange, _ piece: UnsafeRawBufferPointer) -> Bool {
        exchange.received += piece.count
        exchange.connection.lastProgress = now
        // Chunked and too long: the library lets nobody answer here.
        if exchange.received > exchange.bodyLimit { return false }
        if exchange.refusal == nil { exchange.request!.body.append(contentsOf: piece) }
        return true
    }

    private func receivedAll(_ exchange: Exchange) -> Bool {
        let connection = exchange.connection
        if exchange.isAnswered { return false }
        exchange.complete = Stopwatch.now
        connection.deadline = now + limits.answer
        guard exchange.refusal == nil, let route = exchange.route, let request = exchange.request else {
            return queue(exchange, refuse(exchange, exchange.refusal ?? .internalError()))
        }
        // Starts here and now, isolated to this actor. What it awaits on this loop costs no change of thread.
        let task = Task.immediate { [settings] in
            let response: Response
            do throws(Problem) {
                response = try await Router.run(route, request, report: settings.onError)
            } catch {
                response = settings.problemPage(error, request) ?? error.response
            }
            finish(exchange, response)
        }
        if exchange.isAnswered { return true }
        exchange.task = task
        exchange.isSuspended = true
        MHD_suspend_connection(connection.handle)
        return true
    }

    /// The answer has been sent, or the connection is lost.
    func completed(_ exchange: Exchange) {
        let connection = exchange.connection
        exchange.isAnswered = true
        exchange.isSuspended = false
        exchange.task?.cancel()
        exchange.stream?.close()
        forgetStream(of: exchange)
        release(exchange)
        connection.exchange = nil
        connection.hasAnswered = true
        connection.lastProgress = now
        connection.deadline = now + limits.idle
        if stopDeadline != nil { connection.hangUp() }
    }

    // MARK: The answer

    func refuse(_ exchange: Exchange, _ problem: Problem) -> Response {
        exchange.request.flatMap { settings.problemPage(problem, $0) } ?? problem.response
    }

    /// Sends the answer of a handler, unless the connection is gone or was answered for it.
    func finish(_ exchange: Exchange, _ response: Response) {
        exchange.task = nil
        if exchange.isAnswered {
            if case .events(let stream) = response.body { stream.close() }
            return
        }
        var response = response
        if case .events(let stream) = response.body {
            do throws(Problem) { try admitStream(of: exchange) } catch {
                stream.close()
                response = refuse(exchange, error)
            }
        }
        // Allowed while suspended, too. An answer that the library refuses would leave the connection without one.
        if !queue(exchange, response) { exchange.connection.cutOff() }
        resume(exchange)
    }

    func resume(_ exchange: Exchange) {
        if !exchange.isSuspended { return }
        exchange.isSuspended = false
        isDaemonReady = true  // in external mode the library wakes nobody
        MHD_resume_connection(exchange.connection.handle)
    }

    private func queue(_ exchange: Exchange, _ response: Response) -> Bool {
        let connection = exchange.connection
        exchange.isAnswered = true
        connection.lastProgress = now
        count(exchange, response.status)
        guard let answer = makeAnswer(exchange, response) else { return false }
        defer { MHD_destroy_response(answer) }
        addHeaders(answer, exchange, response)
        return MHD_queue_response(connection.handle, UInt32(response.status), answer) == .YES
    }

    private func makeAnswer(_ exchange: Exchange, _ response: Response) -> OpaquePointer? {
        exchange.connection.deadline = now + limits.answer
        switch response.body {
        case .bytes(let bytes):
            hold(bytes.count, for: exchange)
            return bytes.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .shared(let bytes): return makeSharedResponse(bytes)
        case .events(let stream):
            open(stream, exchange)
            return makeStreamResponse(exchange, self)
        }
    }

    private func addHeaders(_ answer: OpaquePointer, _ exchange: Exchange, _ response: Response) {
        func addDefaults(_ defaults: [(String, String)]) {
            for (name, value) in defaults where !response.hasHeader(name) {
                MHD_add_response_header(answer, name, value)
            }
        }
        if let type = response.contentType { MHD_add_response_header(answer, "Content-Type", type) }
        // The library refuses names and values with CR or LF.
        for (name, value) in response.headers { MHD_add_response_header(answer, name, value) }
        if !response.hasHeader("Cache-Control") { MHD_add_response_header(answer, "Cache-Control", "no-store") }
        addDefaults(settings.securityHeaders.everywhere)
        if response.isDocument { addDefaults(settings.securityHeaders.documents) }
        if exchange.request?.isSecure == true { addDefaults(settings.securityHeaders.secure) }
        if stopDeadline != nil { MHD_add_response_header(answer, "Connection", "close") }
    }

    // MARK: Event streams

    private func open(_ stream: EventStream, _ exchange: Exchange) {
        let connection = exchange.connection
        connection.deadline = .max
        exchange.stream = stream
        exchange.nextBeat = now + limits.heartbeat
        // Else the kernel holds some 4 MB for a slow reader before we notice.
        var size = Self.streamSendBuffer
        setsockopt(connection.descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        stream.open { [weak self, id = connection.id] in self?.wakeStream(id) }
        if stopDeadline != nil { stream.end() }
    }

    /// From any thread: the stream of a connection has changed.
    private nonisolated func wakeStream(_ id: UInt64) {
        loop.perform { [self] in assumeIsolated { $0.streamChanged(id) } }
    }

    private func streamChanged(_ id: UInt64) {
        guard let connection = connections[id], let exchange = connection.exchange, let stream = exchange.stream else {
            return
        }
        if stream.isDropped { connection.cutOff() }
        resume(exchange)
    }

    /// Fills the library's buffer; with nothing to send, suspends until the stream changes.
    func read(_ exchange: Exchange, into target: UnsafeMutableRawBufferPointer) -> Int {
        // Never its code for an error: in epoll mode 0.9.75 then forgets the connection without closing it.
        let endOfStream = -1
        guard let stream = exchange.stream else { return endOfStream }
        switch stream.take(into: target) {
        case .bytes(let count): return count
        case .end:
            // Found here before the stream's own call came: the reader must not take this for a good end.
            if stream.isDropped { exchange.connection.cutOff() }
            return endOfStream
        case .nothing:
            exchange.isSuspended = true
            MHD_suspend_connection(exchange.connection.handle)
            return 0
        }
    }
}
