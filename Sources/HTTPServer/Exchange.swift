import Glibc

/// One request and its answer. Touched on the loop only.
final class Exchange {
    unowned let connection: Connection

    /// The target as sent: libmicrohttpd soon decodes it in place, so it is copied at once.
    let target: UnsafePointer<CChar>
    let targetLength: Int
    let path: String
    let query: String?

    var request: Request?
    var route: Route?
    /// Bytes of body that may come, and that have come.
    var bodyLimit = 0
    var received = 0
    /// The answer when the request is refused by its head, and its body is only to be passed over.
    var refusal: Problem?
    var task: Task<Void, Never>?
    var stream: EventStream?
    /// When the stream gets its next heartbeat, in milliseconds of the server's clock.
    var nextBeat = 0
    /// When all of the request was there, by `Stopwatch`; 0 when it was refused before.
    var complete: UInt64 = 0
    /// Whether the whole head has come.
    var hasHead = false
    /// When it had, in milliseconds of the server's clock.
    var headTime = 0
    /// Where its stream is counted.
    var streamNetwork: ClientNetwork?
    /// Streams are counted on: a newer one has a higher number.
    var streamNumber: UInt64 = 0
    var isSuspended = false
    var isAnswered = false
    /// Bytes of its answer that were made for it alone, until it was taken.
    var heldBytes = 0

    /// The address from which it comes, as a proxy names it.
    var client: String { request?.peerAddress ?? connection.address.text }
    /// With whom it is counted.
    var network: ClientNetwork { ClientNetwork(client) }

    init(_ connection: Connection, target: UnsafePointer<CChar>) {
        self.connection = connection
        self.target = target
        targetLength = strlen(target)
        let (path, query) = UnsafeRawBufferPointer(start: target, count: targetLength).split(at: UInt8(ascii: "?"))
        self.path = String(decoding: path, as: UTF8.self)
        self.query = query.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the target is a path of printable ASCII, well encoded (RFC 9112, origin-form).
    var isTargetValid: Bool {
        var (path, query) = (path, query ?? "")
        return path.utf8.first == UInt8(ascii: "/") && path.withUTF8(Self.isValid) && query.withUTF8(Self.isValid)
    }

    private static func isValid(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
        part.allSatisfy { $0 > 0x20 && $0 < 0x7f } && PercentEncoding.isValid(UnsafeRawBufferPointer(part))
    }
}
