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

    /// Whether a client may have a connection more; closes another one if there is no room otherwise.
    func hasRoom(for address: SocketAddress) -> Bool {
        guard isProxy(address) || hasRoom(in: address.network) || makeRoom(in: address.network) else { return false }
        return hasRoom(in: nil) || makeRoomAmongAll(for: address)
    }

    private func isProxy(_ address: SocketAddress) -> Bool { settings.proxies.contains(address.text) }

    /// - Parameter network: nil means all connections.
    private func hasRoom(in network: SocketAddress.Network?) -> Bool {
        guard let network else { return connections.count < settings.connections }
        return connectionsPerNetwork[network, default: [:]].count < settings.perAddress
    }

    private func makeRoom(in network: SocketAddress.Network) -> Bool {
        // A connection that looks idle may have a request that was not read yet, and another may have ended.
        daemon?.run()
        if hasRoom(in: network) { return true }
        guard let idlest = idlest(of: connectionsPerNetwork[network, default: [:]].values) else { return false }
        close(idlest)
        return hasRoom(in: network)
    }

    /// When all connections are in use, who has most gives one of theirs: an idle one, else one whose answer is on its way or is a live stream,
    /// else one whose request is coming. Where they cannot, who has no fewer than who comes gives an idle one: nobody's is closed for others
    /// who have more. What a proxy keeps and does not use goes before all.
    private func makeRoomAmongAll(for address: SocketAddress) -> Bool {
        daemon?.run()
        if hasRoom(in: nil) { return true }
        let own = isProxy(address) ? 0 : connectionsPerNetwork[address.network, default: [:]].count
        if !settings.proxies.isEmpty,
            let unused = idlest(of: connections.values, where: { $0 == .resting && isProxy($1.address) })
        {
            close(unused)
            return hasRoom(in: nil)
        }
        let larger = parts.filter { own + 2 <= $0.count }.sorted { $0.count > $1.count }
        for part in larger where makeRoom(of: part) { return hasRoom(in: nil) }
        guard let idle = idlest(of: connections.values, where: { isFewer(address, than: $1) }) else { return false }
        close(idle)
        return hasRoom(in: nil)
    }

    /// Connections by whose they are: a network's, or a client's whom a proxy names. Those of a proxy of which nobody knows whose they are
    /// are left out: many people are behind it.
    private var parts: [[UInt64: Connection]] {
        if settings.proxies.isEmpty { return Array(connectionsPerNetwork.values) }
        var parts: [ClientNetwork: [UInt64: Connection]] = [:]
        for (id, connection) in connections {
            let client = connection.exchange?.client ?? connection.address.text
            if settings.proxies.contains(client) { continue }
            parts[ClientNetwork(client), default: [:]][id] = connection
        }
        return Array(parts.values)
    }

    private func makeRoom(of part: [UInt64: Connection]) -> Bool {
        if let idle = idlest(of: part.values, where: { idleness, _ in !idleness.hasBegun }) {
            close(idle)
        } else if let answered = answered(of: part.values) {
            end(answered)
            // Once goes on what was suspended, once more it finds its client gone.
            for _ in 0..<2 { daemon?.run() }
            isDaemonReady = true
        } else if let begun = idlest(of: part.values) {
            close(begun)
        } else {
            return false
        }
        return true
    }

    /// The answer that has been on its way for longest, else the newest stream.
    private func answered(of connections: some Sequence<Connection>) -> Exchange? {
        let answered = connections.compactMap(\.exchange).filter(\.isAnswered)
        let longest = answered.filter { $0.streamNetwork == nil }.min {
            ($0.connection.lastProgress, $0.connection.id) < ($1.connection.lastProgress, $1.connection.id)
        }
        return longest ?? answered.max { $0.streamNumber < $1.streamNumber }
    }

    /// Cuts off what is answered, to make room: a reader who takes nothing would never see another end.
    private func end(_ exchange: Exchange) {
        forgetStream(of: exchange)
        exchange.stream?.close()
        exchange.connection.cutOff()
        resume(exchange)
    }

    /// Closes an idle connection.
    private func close(_ connection: Connection) {
        // What was answered may still be on its way to the client; a head that never came has no such claim.
        if connection.hasAnswered { connection.hangUp() } else { connection.cutOff() }
        daemon?.run()
        isDaemonReady = true
    }

    private func idlest(
        of connections: some Sequence<Connection>, where mayGo: (Idleness, Connection) -> Bool = { _, _ in true }
    ) -> Connection? {
        var idlest: (rank: (Int, Int, UInt64), connection: Connection)?
        for connection in connections {
            guard let idleness = connection.idleness(at: now), mayGo(idleness, connection) else { continue }
            let rank = (idleness.rawValue, connection.lastProgress, connection.id)
            if let idlest, idlest.rank < rank { continue }
            idlest = (rank, connection)
        }
        return idlest?.connection
    }

    /// Whether no more connections are of an address's network than of another one's. Behind a proxy are many people.
    private func isFewer(_ address: SocketAddress, than other: Connection) -> Bool {
        if isProxy(address) || isProxy(other.address) { return isProxy(address) }
        let (own, others) = (connectionsPerNetwork[address.network], connectionsPerNetwork[other.address.network])
        return (own?.count ?? 0) <= (others?.count ?? 0)
    }

    // MARK: Answers

    /// Counts the bytes of an answer that was made for one client. Where those that wait to be taken are too many, the network that has most
    /// of them loses the one that has waited for longest.
    func hold(_ count: Int, for exchange: Exchange) {
        exchange.heldBytes = count
        heldBytes += count
        while heldBytes > settings.answerBytes, let longest = heaviest(besides: exchange) {
            release(longest)
            end(longest)
        }
    }

    /// An answer was taken, or will not be.
    func release(_ exchange: Exchange) {
        heldBytes -= exchange.heldBytes
        exchange.heldBytes = 0
    }

    /// The answer that has waited for longest, of the network that has most of them. Who has less than the middle loses none while others have more.
    private func heaviest(besides own: Exchange) -> Exchange? {
        let all = connections.values.compactMap(\.exchange).filter { $0.heldBytes > 0 }
        let networks = Dictionary(grouping: all, by: \.network).values
        let parts = networks.map { part in
            (all: (part.count, part.reduce(0) { $0 + $1.heldBytes }), others: part.filter { $0 !== own })
        }.filter { !$0.others.isEmpty }
        let large = parts.filter { $0.all.1 * networks.count >= heldBytes }
        // Who takes one large answer is no crowd.
        return (large.isEmpty ? parts : large).max { $0.all < $1.all }?.others.min {
            ($0.connection.lastProgress, $0.connection.id) < ($1.connection.lastProgress, $1.connection.id)
        }
    }

    // MARK: Streams

    /// Counts a stream, if there is room for it; closes another one if there is no room otherwise.
    func admitStream(of exchange: Exchange) throws(Problem) {
        let network = exchange.network
        let isProxy = settings.proxies.contains(exchange.client)
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
