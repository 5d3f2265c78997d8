/// Where a server listens, and its limits. All times are absolute: slow progress does not extend them.
public struct ServerSettings: Sendable {
    /// An IPv4 or IPv6 address; `::` is both.
    public var address = "127.0.0.1"
    /// 0 takes any free port.
    public var port: UInt16 = 0
    /// With what to prove the name; nil: without TLS.
    public var certificate: Certificate?

    /// Names, besides the address and localhost, by which clients may call this server (`hub.example`, with or without a
    /// port). Another Host gets 421.
    public var hosts: Set<String> = []
    /// Addresses whose `Forwarded` or `X-Forwarded-…` fields are believed (see `Forwarding`).
    public var proxies: Set<String> = []
    /// Whether all others get 403: for a server that speaks without TLS beyond this machine, to its proxy alone.
    public var isForProxiesOnly = false
    /// What browsers are told.
    public var securityHeaders = SecurityHeaders()

    /// Open connections at the same time. For more, the network that has most gives one, idle ones first; where none is idle and nobody has
    /// two more than who comes, the new one is closed.
    /// - Key: hub
    public var connections = 4_000
    /// Open connections from one IPv4 address or one IPv6 /64, proxies apart. For more, idle ones of that address are closed.
    /// - Key: network
    public var perAddress = 256
    /// Event streams at the same time. For a further one the newest of the network that has most is closed, if its own network has at least
    /// two fewer; else it gets 503.
    /// - Key: hub
    public var streams = 3_000
    /// Event streams for one IPv4 address or one IPv6 /64, as a proxy names it: so that requests have room beside them.
    /// - Key: network
    public var streamsPerAddress = 192
    /// Bytes of answers, each made for one client, that wait to be taken. For more, the network that has most of them loses the one that has
    /// waited for longest.
    /// - Key: hub
    public var answerBytes = 128 << 20
    /// From the start of a connection to the end of the request's head.
    public var headTime = Duration.seconds(10)
    /// From the end of the head to the end of the body.
    public var bodyTime = Duration.seconds(30)
    /// From one answer to the next request line.
    public var idleTime = Duration.seconds(75)
    /// For the handler (then 503), and again from its answer to the last byte sent. Event streams have no end.
    public var answerTime = Duration.seconds(60)
    /// Bytes of a request's head; a longer one gets 431.
    public var headLimit = 16 << 10
    /// A comment goes to an event stream on which nothing was sent for that long, so that both ends notice a dead line.
    public var heartbeat = Duration.seconds(15)

    /// Told of what goes wrong here, in one line: a handler's unknown error, no descriptors left. Never a header or a body.
    public var onError: @Sendable (String) -> Void = { _ in }
    /// Told of each answer with a status of `answersFrom` or more, on the loop: to be quick.
    public var onAnswer: @Sendable (Answered) -> Void = { _ in }
    /// 600 tells of none.
    public var answersFrom = 600
    /// Makes a page of a problem where a person is to read it; nil: the problem document.
    public var problemPage: @Sendable (Problem, Request) -> Response? = { _, _ in nil }

    /// Loopback, any port.
    public init() {}
}
