import Household
import System

/// Discovery in both directions: devices say what they are, and a home's own broker is told of the house.
struct Discovery: HouseFeature {
    let discoverer: Discoverer
    let announcer: BridgeAnnouncer

    init(
        _ safety: Safety, _ live: LiveReadings, _ bus: HomeBus, _ owners: OwnerNotices, _ refused: RefusedMessages
    ) throws {
        discoverer = try Discoverer(safety, bus, owners, refused)
        announcer = BridgeAnnouncer(safety.registry, live, safety.panels, safety.clock) { topic, payload, gateway in
            do {
                try bus.publish(topic, payload, to: gateway, retain: true)
                return true
            } catch { return false }
        }
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
