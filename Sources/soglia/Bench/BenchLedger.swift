import Accounts
import Doors
import Ledger
import Platform
import Store
import System

/// The ledger on disk, from an empty one to a million events: what an event costs to write, and how reading grows.
struct BenchLedger {
    private static let sizes = [1_000, 10_000, 100_000, 1_000_000]
    private static let batch = 5_000

    func run() async throws -> [Figure] {
        let place = try await GrowthPlace(people: 1, gates: 1)
        let store = try place.open()
        let ledger = Ledger(store)
        var figures: [Figure] = []
        var written = 0
        for size in Self.sizes {
            var commits = 0
            let rest = size - written
            let start = Uptime.milliseconds
            while written < size {
                let count = min(Self.batch, size - written)
                try await place.addEvents(count, to: store)
                (written, commits) = (written + count, commits + 1)
            }
            figures.append(
                Figure(
                    "write one event, in commits of \(Self.batch)", size: size,
                    Double(Uptime.milliseconds - start) * 1000 / Double(rest)))
            let one = try await Stopwatch.middle { try await place.addEvents(1, to: store) }
            written += 5
            figures.append(Figure("write one event, a commit each", size: size, one))
            figures.append(
                Figure(
                    "read the log's newest 50", size: size,
                    try await Stopwatch.middle {
                        guard
                            try ledger.newest(of: place.site, kinds: ["opening.opened"], before: nil, limit: 50).count
                                == 50
                        else { throw SystemError("the log is short") }
                    }))
            figures.append(
                Figure(
                    "verify one event of the whole chain", size: size,
                    try await Stopwatch.middle(of: 1, count: size) {
                        guard try ledger.verify().firstBad == nil else { throw SystemError("the chain does not hold") }
                    }))
        }
        await store.close()
        try await place.remove()
        return figures
    }
}
