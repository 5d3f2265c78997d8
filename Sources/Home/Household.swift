import Household
import Identity
import Ledger
import Platform
import Store
import Synchronization
import System

/// What the parts of Home share: what there is, how it is now, how it is told something, where alarms are raised.
final class Household: Sendable {
    /// What the hub gives a feature.
    let given: Given
    /// The way of what houses tell.
    let readings: HouseReadings
    /// What there is.
    let registry: Registry
    /// How it is now.
    let live: LiveReadings
    /// What cameras saw last.
    let pictures: Pictures
    /// Which devices' descriptions could not be taken.
    let refusedMessages = RefusedMessages()
    /// What its owners are told one by one.
    let budget = Mutex(ProtectionBudget())
    /// What they are told as many changes.
    let many = Mutex(ManyChanges())
    /// How gateways are told something.
    let bus = HomeBus()
    /// How actuators are told something.
    let actuation: Actuation
    /// Where alarms are raised.
    let alarms: AlarmDesk
    /// The alarm panels.
    let panels: HousePanels
    /// Everything else about intruders: what houses have chosen, codes, boxes.
    let safety: Safety
    /// Tries the way that alarms take.
    let selfTests: SelfTests
    /// Exercises.
    let drills: Drills
    /// What sensors told, over time.
    let series: Series
    /// The air.
    let care: Care
    /// How houses are, for people and programs.
    let sight: HouseSight
    /// What pages are told as it happens.
    let stream: HouseStream
    /// Which routes have said what they do to the protection of a house.
    let guarded = GuardedRoutes()
    /// Whose place another box may take while its house is armed.
    let replacing = Replacing()

    /// From low to high. Parts follow one another from their birth on: who is made earlier is told earlier of panels, devices and settings.
    init(_ given: Given) throws {
        self.given = given
        readings = try HouseReadings(given.store, clock: given.clock)
        (registry, live, pictures) = (readings.registry, readings.live, readings.pictures)
        actuation = Actuation(registry, bus, clock: given.clock)
        series = Series(given.store, clock: given.clock)
        alarms = try AlarmDesk(given, registry, live)
        let sirens = Sirens(registry, actuation)
        sirens.follow(readings)
        panels = try HousePanels(
            given.store, given.clock, registry, SafetySettings(given.store, given.clock), sirens, alarms)
        care = try Care(
            registry, live, alarms, panels, given.store, given.clock,
            evidence: { [series] in try series.alarms(of: $0, at: $1, hysteresis: $2, since: $3) }
        ) { [actuation] (actuator, value) throws(ActuationRefusal) in try actuation.set(actuator, to: value) }
        safety = Safety(given, readings, bus, alarms, panels, care)
        selfTests = SelfTests(given, safety.boxes)
        drills = try Drills(given, alarms) { [registry, actuation, panels] site in
            let sirens = registry.catalog.actuators(at: site).filter { $0.kind == .siren }
            for siren in sirens { try? actuation.set(siren, to: .on) }
            Task {
                try? await Task.sleep(for: Drill.siren)
                // A real alarm that began meanwhile keeps its siren.
                guard !panels.panel(of: site).isSounding else { return }
                for siren in sirens { try? actuation.set(siren, to: .off) }
            }
        }
        sight = HouseSight(
            registry: registry, live: live, alarms: alarms, panels: panels, care: care, clock: given.clock)
        stream = HouseStream(sight, given.live)
        // What protects people comes first, what keeps it last.
        readings.add(care)
        readings.add(PanicButtons(registry: registry, alarms: alarms, panels: panels))
        readings.add(safety.watch)
        readings.add(series)
        panels.follow { [drills, replacing, registry] change in
            guard change.arms else { return }
            drills.armed(change.site)
            replacing.end(registry.catalog.gateways(of: change.site).map(\.id))
        }
        registry.follow { [live] in live.keep(only: $0) }
        bus.add(safety.boxes)
    }

    var store: Store { given.store }
    var clock: WallClock { given.clock }
}
