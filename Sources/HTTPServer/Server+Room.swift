// Room for new connections and streams, when there are as many as allowed.

/// Why a connection may be closed to make room for another; the first kinds go first.
enum Idleness: Int {
    /// No whole head has come for some time.
    case silent
    /// Its requests have been answered.
    case resting
    /// The body of its request has stopped coming.
    case stalled
    /// The body of its request comes byte by byte.
    case slow
    /// No whole head has come yet, but it has only just begun.
    case newcomer
    /// The body of its request is coming. Nothing was done for it yet: it goes before a new client is refused, and after all others.
    case sending

    /// Whether its request has begun, or is about to.
    var hasBegun: Bool { self == .newcomer || self == .sending }
}

extension Server {
    /// A head is expected within this time, in milliseconds: until then a connection goes after all others that are idle.
    static let newcomerTime = 1_000
    /// A body of which nothing has come for this time has stalled, in milliseconds.
    static let stalledTime = 5_000
    /// A body that comes more slowly than this is slow, in bytes per millisecond, once it had `newcomerTime`.
    static let slowestBody = 1
    /// When a browser whose stream was refused may ask again, in seconds.
    static let streamPause = 30

    /// - Parameter place: where there are too many, in words.
    private static func tooManyStreams(_ place: String) -> Problem {
        .unavailable("There are too many live streams \(place).", type: "too-many-streams", retryAfter: streamPause)
    }

    // MARK: Connections

    /// Whether a client may have a connection more; closes an idle one if there is no room otherwise.
    func hasRoom(for address: SocketAddress) -> Bool {
        let isProxy = settings.proxies.contains(address.text)
        guard isProxy || hasRoom(in: address.network) || makeRoom(in: address.network, for: address) else {
            return false
        }
        return hasRoom(in: nil) || makeRoom(in: nil, for: address) || makeRoomOfFullest(for: address)
    }

    /// When all connections are in use: the network that has most of them gives one of its own, whose answer is on its way or is a live
    /// stream, to a client whose network has at least two fewer. Nobody's behind a proxy: they are many people.
    private func makeRoomOfFullest(for address: SocketAddress) -> Bool {
        let own =
            settings.proxies.contains(address.text) ? 0 : connectionsPerNetwork[address.network, default: [:]].count
        let able = connectionsPerNetwork.values.filter { connections in
            own + 2 <= connections.count && connections.values.contains { $0.exchange?.isAnswered == true }
                && !connections.values.contains { settings.proxies.contains($0.address.text) }
        }
        guard let fullest = able.max(by: { $0.count < $1.count })?.values else { return false }
        let answered = fullest.compactMap(\.exchange).filter(\.isAnswered)
        let longest = answered.filter { $0.streamNetwork == nil }.min {
            ($0.connection.lastProgress, $0.connection.id) < ($1.connection.lastProgress, $1.connection.id)
        }
        guard let one = longest ?? answered.max(by: { $0.streamNumber < $1.streamNumber }) else { return false }
        end(one)
        daemon?.run()
        isDaemonReady = true
        return hasRoom(in: nil)
    }

    /// Cuts off what is answered, to make room: a reader who takes nothing would never see another end.
    private func end(_ exchange: Exchange) {
        forgetStream(of: exchange)
        exchange.stream?.close()
        exchange.connection.cutOff()
        resume(exchange)
    }

    /// - Parameter network: nil means all connections.
    private func hasRoom(in network: SocketAddress.Network?) -> Bool {
        guard let network else { return connections.count < settings.connections }
        return connectionsPerNetwork[network, default: [:]].count < settings.perAddress
    }

    private func makeRoom(in network: SocketAddress.Network?, for address: SocketAddress) -> Bool {
        // A connection that looks idle may have a request that was not read yet, and another may have ended.
        daemon?.run()
        if hasRoom(in: network) { return true }
        guard let idlest = idlest(in: network, for: address) else { return false }
        // What was answered may still be on its way to the client; a head that never came has no such claim.
        if idlest.hasAnswered { idlest.hangUp() } else { idlest.cutOff() }
        daemon?.run()
        isDaemonReady = true
        return hasRoom(in: network)
    }

    private func idlest(in network: SocketAddress.Network?, for address: SocketAddress) -> Connection? {
        let all = network.map { connectionsPerNetwork[$0, default: [:]].values } ?? connections.values
        var idlest: (rank: (Int, Int, UInt64), connection: Connection)?
        for connection in all {
            guard let idleness = connection.idleness(at: now) else { continue }
            // Who has just come, or whose request is coming, is not pushed out by a network that has more.
            if idleness.hasBegun, !isFewer(address, than: connection) { continue }
            let rank = (idleness.rawValue, connection.lastProgress, connection.id)
            if let idlest, idlest.rank < rank { continue }
            idlest = (rank, connection)
        }
        return idlest?.connection
    }

    /// Whether no more connections are of an address's network than of another one's. Behind a proxy are many people.
    private func isFewer(_ address: SocketAddress, than other: Connection) -> Bool {
        if settings.proxies.contains(address.text) { return true }
        let (own, others) = (connectionsPerNetwork[address.network], connectionsPerNetwork[other.address.network])
        return (own?.count ?? 0) <= (others?.count ?? 0)
    }

    // MARK: Streams

    /// Counts a stream, if there is room for it; closes another one if there is no room otherwise.
    func admitStream(of exchange: Exchange) throws(Problem) {
        let address = exchange.request?.peerAddress ?? exchange.connection.address.text
        let network = ClientNetwork(address)
        let isProxy = settings.proxies.contains(address)
        guard isProxy || streamsPerNetwork[network, default: 0] < settings.streamsPerAddress else {
            throw Self.tooManyStreams("from this network")
        }
        guard streams < settings.streams || makeRoomForStream(of: network) else {
            throw Self.tooManyStreams("on this server")
        }
        streams += 1
        lastStream += 1
        streamsPerNetwork[network, default: 0] += 1
        exchange.streamNetwork = network
        exchange.streamNumber = lastStream
    }

    /// Closes the newest stream of the network that has most, for one that has at least two fewer: then both have their part, and its client,
    /// which connects again, closes none in turn. Nobody's behind a proxy that does not name its clients: they are many people.
    private func makeRoomForStream(of network: ClientNetwork) -> Bool {
        guard let most = streamsPerNetwork.max(by: { $0.value < $1.value }),
            streamsPerNetwork[network, default: 0] + 2 <= most.value,
            !settings.proxies.contains(where: { ClientNetwork($0) == most.key })
        else { return false }
        let all = connections.values.lazy.compactMap(\.exchange).filter { $0.streamNetwork == most.key }
        guard let newest = all.max(by: { $0.streamNumber < $1.streamNumber }) else { return false }
        end(newest)
        return true
    }

    func forgetStream(of exchange: Exchange) {
        guard let network = exchange.streamNetwork else { return }
        exchange.streamNetwork = nil
        streams -= 1
        let count = streamsPerNetwork[network, default: 1] - 1
        streamsPerNetwork[network] = count == 0 ? nil : count
    }
}

extension Connection {
    /// Nil: its request is whole and in work, or its answer on its way.
    func idleness(at now: Int) -> Idleness? {
        let pause = now - lastProgress
        guard let exchange else { return hasAnswered ? .resting : pause < Server.newcomerTime ? .newcomer : .silent }
        if !exchange.hasHead { return pause < Server.newcomerTime ? .newcomer : .silent }
        if exchange.complete != 0 || exchange.isAnswered { return nil }
        if pause >= Server.stalledTime { return .stalled }
        let time = now - exchange.headTime
        return time >= Server.newcomerTime && exchange.received < time * Server.slowestBody
            ? .slow : .sending
    }
}
