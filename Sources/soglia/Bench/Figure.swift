import Glibc
import System

/// One measured thing: a duration at a size, beside a peer where there is one.
struct Figure: Codable, Sendable {
    /// What was done.
    var work: String
    /// How much there was: people, gates, events; 0 where it does not matter.
    var size: Int
    /// Microseconds for one of it: the middle of several.
    var microseconds: Double
    /// The same work by somebody else in the same run, in microseconds; nil without a peer.
    var peerMicroseconds: Double?
    /// Who that was.
    var peer: String?

    init(
        _ work: String, size: Int = 0, _ microseconds: Double, beside peer: (name: String, microseconds: Double)? = nil
    ) {
        (self.work, self.size) = (work, size)
        (self.microseconds, peerMicroseconds, self.peer) = (
            Self.rounded(microseconds), peer.map { Self.rounded($0.microseconds) }, peer?.name
        )
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    /// A line of a table.
    var text: String {
        func cell(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        let beside = peerMicroseconds.map { "\(Self.rounded(microseconds / $0)) × \(peer ?? "")" } ?? ""
        return cell(work, 46) + cell(size == 0 ? "" : "\(size)", 10) + cell("\(microseconds) µs", 16) + beside
    }
}

/// How long something takes.
enum Stopwatch {
    /// The middle of so many rounds, in microseconds for one call of a round's `count`.
    static func middle(
        of rounds: Int = 5, count: Int = 1, _ body: () async throws -> Void
    ) async rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<rounds {
            let clock = ContinuousClock()
            let start = clock.now
            try await body()
            let spent = clock.now - start
            times.append(Double(spent.components.attoseconds) / 1e12 + Double(spent.components.seconds) * 1e6)
        }
        return times.sorted()[rounds / 2] / Double(count)
    }

    /// The middle of so many rounds, in microseconds of this process's processor time for one call of a round's `count`: what else
    /// runs on the machine does not count.
    static func processor(
        of rounds: Int = 5, count: Int = 1, _ body: () async throws -> Void
    ) async rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<rounds {
            let start = spent
            try await body()
            times.append(spent - start)
        }
        return times.sorted()[rounds / 2] / Double(count)
    }

    private static var spent: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1000
    }
}
