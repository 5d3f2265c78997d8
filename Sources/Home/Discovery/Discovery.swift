import System

/// Discovery in both directions: devices say what they are, and a home's own broker is told of the house.
struct Discovery: Sendable {
    let discoverer: Discoverer
    let announcer: BridgeAnnouncer

    init(_ household: Household) throws {
        discoverer = try Discoverer(household)
        announcer = BridgeAnnouncer(household) { [bus = household.bus] topic, payload, gateway in
            do {
                try bus.publish(topic, payload, to: gateway, retain: true)
                return true
            } catch { return false }
        }
        // The announcer first: what we said ourselves is nothing to discover.
        household.bus.add(announcer)
        household.bus.add(discoverer)
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
