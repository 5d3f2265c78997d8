import CMicrohttpd
import Glibc

/// A libmicrohttpd daemon without threads, without a listening socket and without a mind of its own: its callbacks are
/// methods of a `Server`, and all of them are called on that server's loop, inside `run`.
///
/// The callbacks stand in this file, and not in the actor, so that they inherit no isolation: called from C, they would trap.
struct Daemon {
    /// The library's buffer for each connection, in bytes. A request's head is in it, its Cookie field a second time, 64 bytes for each
    /// field and each cookie, and the head of the answer. With less, a connection whose head we would take is closed without a word: with
    /// 20 kB one of 9 kB that is a cookie.
    private static let bufferBytes = 32 << 10

    private let handle: OpaquePointer

    /// The server must outlive the daemon.
    init(for server: Server, certificate: Certificate?, connections: Int) throws(ServerError) {
        var strings: [UnsafeMutablePointer<CChar>] = []
        defer { for string in strings { free(string) } }
        let context = Unmanaged.passUnretained(server).toOpaque()
        var flags = MHD_USE_EPOLL.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        var options = [
            Self.option(.STRICT_FOR_CLIENT, 1),
            Self.option(.CONNECTION_LIMIT, connections),
            Self.option(.CONNECTION_MEMORY_LIMIT, Self.bufferBytes),
            Self.option(.URI_LOG_CALLBACK, unsafeBitCast(onTarget, to: Int.self), context),
            Self.option(.NOTIFY_COMPLETED, unsafeBitCast(onCompleted, to: Int.self), context),
            Self.option(.NOTIFY_CONNECTION, unsafeBitCast(onConnection, to: Int.self), context),
        ]
        flags |= MHD_USE_TURBO.rawValue
        if let certificate {
            flags |= MHD_USE_TLS.rawValue
            let priorities = "SECURE128:+SECURE192:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"
            strings = [certificate.chain, certificate.key, priorities].map { (text: String) in strdup(text) }
            options.append(Self.option(.HTTPS_MEM_CERT, 0, strings[0]))
            options.append(Self.option(.HTTPS_MEM_KEY, 0, strings[1]))
            options.append(Self.option(.HTTPS_PRIORITIES, 0, strings[2]))
        }
        options.append(Self.option(.END, 0))
        signal(SIGPIPE, SIG_IGN)  // GnuTLS writes without MSG_NOSIGNAL
        guard let handle = Self.start(flags, &options, context) else {
            let isPlain = certificate == nil
            throw .cannotStart(isPlain ? "no memory or descriptors" : "the certificate and its key are not valid")
        }
        self.handle = handle
    }

    /// The library that runs, which may be another than the one we were built with.
    static var libraryVersion: String { String(cString: MHD_get_version()) }

    /// Readable when there is something to do.
    var descriptor: Int32 { mhd_epoll_descriptor(handle) }

    /// Whether it holds something that it has read already, so that `run` is due without an event.
    var hasWork: Bool {
        var milliseconds: UInt64 = 0
        return MHD_get_timeout(handle, &milliseconds) == .YES && milliseconds == 0
    }

    func run() { MHD_run(handle) }

    /// Takes over an accepted socket, and closes it in any case.
    func add(_ descriptor: Int32) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // An error here means that the client has left: the library then finds the socket closed.
                getpeername(descriptor, address, &length)
                return MHD_add_connection(handle, descriptor, address, length) == .YES
            }
        }
    }

    /// Closes all connections. None may be suspended: the library would abort the process.
    func stop() { MHD_stop_daemon(handle) }

    private static func option(
        _ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
    ) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: value, ptr_value: pointer)
    }

    /// The function is variadic; the form with a list takes an array of options.
    private static func start(
        _ flags: UInt32, _ options: inout [MHD_OptionItem], _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        options.withUnsafeMutableBufferPointer { options in
            let arguments: [any CVarArg] = [
                Int32(bitPattern: MHD_OPTION.ARRAY.rawValue), options.baseAddress!,
                Int32(bitPattern: MHD_OPTION.END.rawValue),
            ]
            return withVaList(arguments) { MHD_start_daemon_va(flags, 0, nil, nil, onAccess, context, $0) }
        }
    }
}

/// An answer whose bytes come from a stream, as libmicrohttpd's content reader.
func makeStreamResponse(_ exchange: Exchange, _ server: Server) -> OpaquePointer? {
    let source = Unmanaged.passRetained(StreamSource(exchange, server)).toOpaque()
    return MHD_create_response_from_callback(UInt64.max, 4096, onRead, source) { source in
        if let source { Unmanaged<StreamSource>.fromOpaque(source).release() }
    }
}

/// An answer whose bytes are not copied.
func makeSharedResponse(_ bytes: SharedBytes) -> OpaquePointer? {
    let owner = Unmanaged.passRetained(bytes).toOpaque()
    // The library only reads them.
    let address = UnsafeMutableRawPointer(mutating: bytes.buffer.baseAddress)
    return MHD_create_response_from_buffer_with_free_callback_cls(
        bytes.count, address,
        { owner in
            if let owner { Unmanaged<SharedBytes>.fromOpaque(owner).release() }
        }, owner)
}

private final class StreamSource {
    let exchange: Exchange
    let server: Server

    init(_ exchange: Exchange, _ server: Server) {
        self.exchange = exchange
        self.server = server
    }
}

// MARK: The callbacks

// The pointers below are `nonisolated(unsafe)` because `assumeIsolated` takes a Sendable closure: it runs at once, here.

private func object<Object: AnyObject>(_ pointer: UnsafeMutableRawPointer, _: Object.Type = Object.self) -> Object {
    Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
}

private let onConnection: MHD_NotifyConnectionCallback = { server, handle, context, code in
    nonisolated(unsafe) let (handle, context) = (handle!, context!)
    object(server!, Server.self).assumeIsolated { server in
        let hasStarted = code.rawValue == 0  // MHD_CONNECTION_NOTIFY_STARTED, which Swift does not import by name
        if hasStarted {
            context.pointee = Unmanaged.passRetained(server.opened(handle)).toOpaque()
        } else if let connection = context.pointee {
            context.pointee = nil
            server.closed(Unmanaged<Connection>.fromOpaque(connection).takeRetainedValue())
        }
    }
}

private let onTarget:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
        server, target, handle in
        nonisolated(unsafe) let (target, handle) = (target!, handle!)
        nonisolated(unsafe) var exchange: UnsafeMutableRawPointer?
        object(server!, Server.self).assumeIsolated { server in
            // The connection keeps the exchange until it is completed.
            exchange = Unmanaged.passUnretained(server.began(object(mhd_connection_context(handle)), target)).toOpaque()
        }
        return exchange
    }

private let onAccess: MHD_AccessHandlerCallback = { server, _, _, method, version, data, size, context in
    nonisolated(unsafe) let (method, version, data, size, context) = (method!, version!, data, size!, context!)
    return object(server!, Server.self).assumeIsolated { server in
        guard let pointer = context.pointee else { return .NO }
        let piece = UnsafeRawBufferPointer(start: data, count: size.pointee)
        size.pointee = 0
        return server.received(object(pointer), method, version, piece) ? .YES : .NO
    }
}

private let onCompleted: MHD_RequestCompletedCallback = { server, _, context, _ in
    nonisolated(unsafe) let context = context!
    object(server!, Server.self).assumeIsolated { server in
        if let exchange = context.pointee { server.completed(object(exchange)) }
        context.pointee = nil
    }
}

private let onRead: MHD_ContentReaderCallback = { source, _, target, count in
    nonisolated(unsafe) let (source, target) = (object(source!, StreamSource.self), target!)
    return source.server.assumeIsolated { server in
        server.read(source.exchange, into: UnsafeMutableRawBufferPointer(start: target, count: count))
    }
}
