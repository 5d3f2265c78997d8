import Accounts
import Bus
import Household
import Ledger
import Notices
import Platform
import Store
import System

/// The panels of houses: intruders, and what a house does about its alarms.
final class Safety: HouseWork {
    /// How often deadlines are looked at.
    static let beat = Duration.milliseconds(100)

    /// What houses have chosen.
    let settings: SafetySettings
    /// How their panels stand.
    let panels: HousePanels
    /// What their sensors see.
    let watch: IntruderWatch
    /// Whether their sirens and valves can be reached.
    let protectors: ProtectorWatch
    /// The keepers of the same panels in the houses themselves.
    let boxes: Boxes
    /// Who may disarm by digits.
    let codes: HouseCodes
    let registry: Registry
    let alarms: AlarmDesk
    let care: Care
    let store: Store
    let clock: WallClock

    init(
        _ given: Given, _ readings: HouseReadings, _ bus: HomeBus, _ alarms: AlarmDesk, _ panels: HousePanels,
        _ care: Care
    ) {
        (self.panels, self.alarms, self.care, settings) = (panels, alarms, care, panels.settings)
        (registry, store, clock) = (readings.registry, given.store, given.clock)
        let live = readings.live
        watch = IntruderWatch(panels, registry, live, settings, alarms, given.clock)
        protectors = ProtectorWatch(registry, live, alarms, given.clock) { bus.isConnected }
        boxes = Boxes(given.store, given.clock, registry, panels, settings, alarms, care) {
            (frame, gateway) throws(BusError) in try bus.publish("down", frame.encoded(), to: gateway)
        }
        codes = HouseCodes(given.accounts) { site, person, count in
            Task { await CodeNotice.tell(site, person, count, given) }
        }
        care.follow { [weak boxes] in boxes?.settingsChanged(at: $0) }
        panels.follow { [weak care] change in
            if change.arms { care?.release(at: change.site) }
            if change.ends { care?.ended(at: change.site) }
            if change.ends, case .act(_, let actor) = change.cause {
                care?.endLostCauses(at: change.site, by: actor.person)
            }
        }
    }

    /// Looks at the deadlines of panels.
    func tick() { panels.tick { care.isDanger(at: $0) } }

    /// Follows the clock, writes down what changed, and keeps in touch with the boxes. Runs until it is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Deadlines wait for nothing: what is slow has a task of its own.
                while true {
                    self.tick()
                    try await Task.sleep(for: Self.beat)
                }
            }
            group.addTask {
                while true {
                    self.watch.tick()
                    self.protectors.tick()
                    self.boxes.tick()
                    try await Task.sleep(for: .seconds(1))
                }
            }
            group.addTask {
                while true {
                    // A disk that is full is left alone for a while.
                    if await !self.panels.writeSoon() { try await Task.sleep(for: .seconds(1)) }
                    await self.panels.waitForChange(atMost: Self.beat)
                    try Task.checkCancellation()
                }
            }
            group.addTask { await self.boxes.run() }
            try await group.next()
            group.cancelAll()
        }
    }
}
