import Glibc

/// What a server has answered since its start.
public struct ServerFigures: Sendable {
    /// The answers of one route.
    public struct Route: Sendable {
        /// The method, `GET`; `-` for what has no route.
        public let method: String
        /// The pattern, `/api/gates/{id}`: never a path, which may name somebody; `-` for what has no route.
        public let pattern: String
        /// Answers by the first digit of their status, 1 to 5.
        public let classes: [UInt64]
        /// Answers by how long they took from the complete request: at most `bounds[n]`, and more than that at the end. Not
        /// cumulative.
        public let durations: [UInt64]
        /// All of those times together, in nanoseconds.
        public let nanoseconds: UInt64
    }

    /// The bounds of `durations`, in nanoseconds; the last kind has none.
    public static let bounds: [UInt64] = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 5_000_000_000,
    ]

    /// The routes that have answered, in their order.
    public let routes: [Route]
    /// Connections that are open, idle ones included.
    public let connections: Int
    /// Of those, the ones that carry an event stream.
    public let streams: Int
}

/// An answer as `ServerSettings.onAnswer` hears of it: nothing that a client wrote is in it but where it came from.
public struct Answered: Sendable {
    /// The method; `-` when the request had no valid head.
    public let method: String
    /// The pattern of the route; `-` when there is none.
    public let route: String
    public let status: Int
    /// From the complete request to the answer.
    public let milliseconds: UInt64
    /// Where it came from; behind a trusted proxy, what the proxy says.
    public let address: String
}

/// Counts answers: one row of an array for each route, touched on the loop only, so without a lock.
struct AnswerCounts {
    private static let width = 5 + ServerFigures.bounds.count + 1 + 1
    private static let durations = 5
    private static let total = width - 1
    /// Row after row; the last is for what has no route.
    private var rows: [UInt64]
    private let last: Int

    init(routes: Int) {
        last = routes
        rows = [UInt64](repeating: 0, count: (routes + 1) * Self.width)
    }

    /// - Parameter route: its number; nil: none.
    mutating func count(_ route: Int?, status: Int, nanoseconds: UInt64) {
        let row = (route ?? last) * Self.width
        rows[row + min(max(status / 100, 1), 5) - 1] += 1
        var kind = 0
        // Most are quick: the first comparison decides.
        while kind < ServerFigures.bounds.count, nanoseconds > ServerFigures.bounds[kind] { kind += 1 }
        rows[row + Self.durations + kind] += 1
        rows[row + Self.total] &+= nanoseconds
    }

    func figures(_ names: [(method: Method, pattern: String)]) -> [ServerFigures.Route] {
        let names = names.map { (method: $0.method.rawValue, pattern: $0.pattern) } + [(method: "-", pattern: "-")]
        return names.enumerated().compactMap { index, name in
            let row = rows[index * Self.width..<(index + 1) * Self.width]
            let start = row.startIndex
            let classes = Array(row[start..<start + Self.durations])
            guard classes.contains(where: { $0 > 0 }) else { return nil }
            return .init(
                method: name.method, pattern: name.pattern, classes: classes,
                durations: Array(row[(start + Self.durations)..<(start + Self.total)]),
                nanoseconds: row[start + Self.total])
        }
    }
}

/// A clock for short times.
enum Stopwatch {
    /// Nanoseconds of a clock that never jumps.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

extension Server {
    /// What it has answered since its start.
    public var figures: ServerFigures {
        ServerFigures(
            routes: counts.figures(router.routes), connections: connections.count,
            streams: connections.values.count { $0.exchange?.stream != nil })
    }

    /// Notes an answer.
    func count(_ exchange: Exchange, _ status: Int) {
        let spent = exchange.complete == 0 ? 0 : Stopwatch.now &- exchange.complete
        counts.count(exchange.route?.number, status: status, nanoseconds: spent)
        guard status >= settings.answersFrom else { return }
        settings.onAnswer(
            Answered(
                method: exchange.request?.method.rawValue ?? "-", route: exchange.route?.pattern.text ?? "-",
                status: status, milliseconds: spent / 1_000_000,
                address: exchange.request?.peerAddress ?? exchange.connection.address.text))
    }
}
