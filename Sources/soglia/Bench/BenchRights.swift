import Accounts
import Doors
import Gates
import Ledger
import Platform
import Store
import System
import Wire

/// What taking something away costs: hours that change for everybody, and one person's access, with everybody's passes out.
struct BenchRights {
    private static let sizes = [100, 1_000, 10_000]

    func run() async throws -> [Figure] {
        var figures: [Figure] = []
        for size in Self.sizes {
            let place = try await GrowthPlace(people: size, gates: 6)
            let hub = try place.hub()
            let (gates, site) = (hub.given.gates, place.site)
            let one = try await Stopwatch.middle(of: 3) {
                _ = try await gates.issuePasses(to: place.people[0], at: site)
            }
            figures.append(Figure("passes of one person for 6 gates", size: size, one))
            // Everybody's phone has fetched its passes.
            for person in place.people.dropFirst() { _ = try await gates.issuePasses(to: person, at: site) }
            func versions() throws -> [UInt64] {
                try hub.given.store.read { try GateRecords.gates(of: site, in: $0).map(\.rightsVersion) }
            }
            let before = try versions()
            let everybody = try await Stopwatch.middle(of: 3) { try await gates.changeRights(at: site) { _ in } }
            guard try versions() == before else { throw SystemError("a good pass was denied") }
            figures.append(Figure("look at everybody's passes at 6 gates anew", size: size, everybody))
            let single = try await Stopwatch.middle(of: 3) {
                try await gates.changeRights(at: site) { _, touched in touched = .people([place.people[0]]) }
            }
            figures.append(Figure("look at one person's passes anew", size: size, single))
            await hub.stop()
            try await place.remove()
        }
        return figures
    }
}
