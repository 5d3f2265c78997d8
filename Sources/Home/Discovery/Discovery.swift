import System

/// Discovery in both directions: devices say what they are, and a home's own broker is told of the house.
struct Discovery: HouseWork {
    let discoverer: Discoverer
    let announcer: BridgeAnnouncer

    init(_ discoverer: Discoverer, _ announcer: BridgeAnnouncer, _ bus: HomeBus) {
        (self.discoverer, self.announcer) = (discoverer, announcer)
        // The announcer first: what we said ourselves is nothing to discover.
        bus.add(announcer)
        bus.add(discoverer)
    }

    /// Its long work; ends when cancelled.
    func run() async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            discoverer.look()
            announcer.look()
        }
    }
}
