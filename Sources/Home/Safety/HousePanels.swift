import Ledger
import Safeguard
import Synchronization
import System

/// The alarm panel of each house, as the hub keeps it.
final class HousePanels: Sendable {
    private let panels = Mutex<[SiteID: Panel]>([:])

    /// How a house's panel stands.
    func panel(of site: SiteID) -> Panel { panels.withLock { $0[site] } ?? Panel() }

    /// A sensor tripped, or a reading went over its threshold: acts at once, and waits for nothing.
    /// - Parameter isDrill: whether it is an exercise, which sounds and is told as one.
    func trip(_ kind: SensorClass, by sensor: Sensor, at now: Timestamp, isDrill: Bool = false) {
        panels.withLock { panels in
            _ = panels[sensor.site, default: Panel()].take(.trip(kind), at: now.milliseconds, PanelRules())
        }
    }
}
