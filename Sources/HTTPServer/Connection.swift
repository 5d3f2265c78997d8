import CMicrohttpd
import Glibc

/// A TCP connection from accept to close. Touched on the loop only.
final class Connection {
    /// Never used twice, so that a late event of a descriptor cannot reach the connection that has it next.
    let id: UInt64
    let handle: OpaquePointer
    let descriptor: Int32
    let address: SocketAddress
    /// When it is cut off, in milliseconds of the server's clock.
    var deadline: Int
    /// Whether our epoll watches for the client's leaving.
    var isWatched = false
    var exchange: Exchange?
    /// When the client last brought its request forward, or got its answer, in milliseconds of the server's clock.
    var lastProgress: Int
    /// Whether a request on it has been answered.
    var hasAnswered = false

    init(id: UInt64, handle: OpaquePointer, now: Int, deadline: Int) {
        self.id = id
        self.handle = handle
        self.deadline = deadline
        lastProgress = now
        descriptor = mhd_connection_descriptor(handle)
        address = SocketAddress(mhd_connection_address(handle))
    }

    /// Ends the connection when the client has forfeited it. The library sees the hang-up, and closes; what the client has not
    /// taken by then is thrown away, or a slow reader would go on holding some megabytes in the kernel.
    func cutOff() {
        var discard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &discard, socklen_t(MemoryLayout<linger>.size))
        hangUp()
    }

    /// Ends the connection; what was sent may still arrive.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
