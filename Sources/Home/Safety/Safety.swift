import Accounts
import Bus
import Household
import Ledger
import Notices
import Platform
import Store
import System

/// Intruders: the panels of houses and what belongs to them.
final class Safety: Sendable {
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
    private let given: Given

    init(
        _ given: Given, _ registry: Registry, _ live: LiveReadings, _ bus: HomeBus, _ actuation: Actuation,
        _ alarms: AlarmDesk
    ) throws {
        self.given = given
        settings = try SafetySettings(given.store, given.clock)
        let sirens = Sirens(registry, actuation)
        live.whenChanged { [weak live] change in if let live { sirens.heard(change, live) } }
        registry.whenChanged { [weak sirens] in sirens?.follow($0) }
        panels = try HousePanels(given.store, given.clock, registry, settings, sirens, alarms)
        watch = IntruderWatch(panels, registry, live, settings, alarms, given.clock)
        protectors = ProtectorWatch(registry, live, alarms, given.clock) { bus.isConnected }
        boxes = Boxes(given.store, given.clock, registry, panels, settings, alarms) {
            (frame, gateway) throws(BusError) in try bus.publish("down", frame.encoded(), to: gateway)
        }
        codes = HouseCodes(given.accounts) { site, person, count in
            Task { await CodeNotice.tell(site, person, count, given) }
        }
    }

    /// Follows the clock, writes down what changed, and keeps in touch with the boxes. Runs until it is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Deadlines wait for nothing: what is slow has a task of its own.
                while true {
                    self.panels.tick()
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

extension Safety {
    /// Boxes are told what the house chose about its air, and what they see of it counts as seen by the hub.
    func follow(_ care: Care) {
        boxes.whenCrossed { [weak care] crossing, sensor, value in care?.told(crossing, of: sensor, value: value) }
        boxes.useAir { [weak care] sensor, value in care?.tripped(sensor, value: value) ?? false }
        panels.whenChanged { [weak care] change in
            if change.arms { care?.release(at: change.site) }
            if change.ends { care?.ended(at: change.site) }
            if change.ends, case .act(_, let actor) = change.cause {
                care?.endLostCauses(at: change.site, by: actor.person)
            }
        }
        panels.useDanger { [weak care] in care?.isDanger(at: $0) ?? false }
        care.whenSettingsChange { [boxes] in boxes.settingsChanged(at: $0) }
        boxes.useFans { [weak care] gateway in
            guard let care else { return nil }
            let own = care.registry.catalog.actuators
            let rule = care.settings(of: gateway.site).fans.first { own[$0.fan]?.gateway == gateway.id }
            return rule.map {
                BoxFan(sensor: $0.sensor, most: $0.most, shortestRun: UInt16(clamping: $0.shortestRun))
            }
        }
    }
}
