import Household
import Ledger
import Notices
import Platform
import Store
import System

/// What Home is made of, put together from low to high: each part is given those that it needs, and knows no other.
final class HomeParts: Sendable {
    /// What the hub gives a feature.
    let given: Given
    /// The way of what houses tell: what there is, and how it is now.
    let readings: HouseReadings
    let registry: Registry
    let live: LiveReadings
    /// How gateways are told something.
    let bus = HomeBus()
    let actuation: Actuation
    let series: Series
    let alarms: AlarmDesk
    /// The alarm panels.
    let panels: HousePanels
    /// The air.
    let care: Care
    /// Intruders.
    let safety: Safety
    let selfTests: SelfTests
    let drills: Drills
    let owners: OwnerNotices
    /// What devices say of themselves and the hub does not take.
    let refused: RefusedMessages
    /// Whose place another box may take while its house is armed.
    let replacing = Replacing()
    let faces: Faces
    let sight: HouseSight
    let stream: HouseStream
    let access: HouseAccess

    var store: Store { given.store }
    var clock: WallClock { given.clock }

    /// Parts follow one another from their birth on: who is made earlier is told earlier of panels, devices and settings.
    init(_ given: Given) throws {
        self.given = given
        readings = try HouseReadings(given.store, clock: given.clock)
        (registry, live) = (readings.registry, readings.live)
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
        owners = OwnerNotices(given)
        refused = RefusedMessages(given.store)
        faces = Faces(live: live) { [alarms] in alarms.isAlarmed(by: $0) }
        sight = HouseSight(
            registry: registry, live: live, alarms: alarms, panels: panels, care: care, faces: faces,
            clock: given.clock)
        stream = HouseStream(sight, given.live)
        access = HouseAccess(safety, owners, given.navigation, given.clock) { [sight] in sight.summary(of: $0).stamp }
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
}

// What people and programs do, for the screens and the interface alike: nothing of these keeps anything.
extension HomeParts {
    var acting: Acting {
        Acting(
            registry: registry, live: live, actuation: actuation, switching: switching, store: store, clock: clock)
    }
    var alarmActs: AlarmActs { AlarmActs(alarms: alarms, response: safety, store: store) }
    var callDesk: AlarmCallDesk { AlarmCallDesk(store: store, clock: clock) }
    var careDesk: CareDesk { CareDesk(access: access, care: care) }
    var devicesDesk: DevicesDesk { DevicesDesk(registry: registry, store: store, clock: clock) }
    var gatewayDesk: GatewayDesk {
        GatewayDesk(given: given, registry: registry, panels: panels, replacing: replacing, bus: bus, owners: owners)
    }
    var historyDesk: HistoryDesk { HistoryDesk(registry: registry, series: series, store: store, clock: clock) }
    var housesDesk: HousesDesk { HousesDesk(given: given, registry: registry) }
    var safetyDesk: SafetyDesk { SafetyDesk(safety: safety, owners: owners) }
    var sharing: HousePeople { HousePeople(given: given) }
    var switching: Switching { Switching(access: access, registry: registry, panels: panels, care: care) }
}

extension HomeParts {
    /// Takes what gateways say.
    func intake(_ limits: IntakeLimits = IntakeLimits()) -> Intake {
        Intake(given, readings, bus, alarms, safety.protectors, limits: limits)
    }

    /// What people and programs meet, and what works by itself, in the order of the interface's document.
    func features(_ intake: Intake, _ connection: HomeConnection, _ discovery: Discovery) -> [any HouseFeature] {
        [
            GatewayRoutes(access: access, desk: gatewayDesk, live: live, refused: refused),
            GatewayPages(access: access, desk: gatewayDesk, readings: readings, refused: refused),
            HouseRoutes(access: access, desk: housesDesk, sight: sight),
            HousesPages(access: access, desk: housesDesk, sight: sight),
            HouseState(access: access, sight: sight),
            HousePages(access: access, sight: sight, store: store),
            HouseSettingsPages(access: access, desk: housesDesk, sharing: sharing),
            AlarmRoutes(access: access, acts: alarmActs),
            AlarmPages(access: access, acts: alarmActs, registry: registry),
            AlarmCallPages(access: access, desk: callDesk),
            AlarmCommands(alarmActs, given.notices, clock),
            SelfTestPages(
                access: access, selfTests: selfTests, drills: drills, notices: given.notices, store: store),
            DeviceDefinitions(access: access, desk: devicesDesk),
            DeviceRoutes(access: access, intake: intake),
            DevicesPages(
                access: access, desk: devicesDesk, sight: sight, switching: switching, actuation: actuation,
                refused: refused, intake: intake),
            acting, ActingRoutes(access: access, acting: acting),
            HistoryRoutes(access: access, desk: historyDesk),
            HistoryPages(access: access, desk: historyDesk, faces: faces),
            CareRoutes(access: access, desk: careDesk), CarePages(access: access, desk: careDesk, faces: faces),
            SafetyRoutes(access: access, desk: safetyDesk, accounts: given.accounts),
            SafetyPages(access: access, desk: safetyDesk, accounts: given.accounts, faces: faces),
            SafetyCommands(desk: safetyDesk),
            connection, discovery, stream, care, safety, series, alarms, selfTests, drills, owners,
        ]
    }
}
