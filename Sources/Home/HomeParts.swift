import Household
import Ledger
import Notices
import Platform
import Store
import System

/// What Home is made of, put together from low to high: each part is given what it needs.
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
    /// Intruders, and what a house does about its alarms.
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
        drills = try Drills(given, alarms) { [panels] site in
            panels.sirens.drill(at: site, for: Drill.siren)
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

// What people and programs do, for the screens and the interface alike: none of these keeps anything.
extension HomeParts {
    var acting: Acting {
        Acting(registry: registry, live: live, actuation: actuation, switching: switching, store: store, clock: clock)
    }
    var alarmActs: AlarmActs { AlarmActs(alarms: alarms, response: safety, store: store, clock: clock) }
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
    /// A new one, which follows the registry from now on.
    func makeIntake(_ limits: IntakeLimits = IntakeLimits()) -> Intake {
        Intake(given, readings, bus, alarms, safety.protectors, limits: limits)
    }

    func makeDiscoverer(news: Int = DiscoveryLimit.news, longestWrite: UInt64 = 100) throws -> Discoverer {
        try Discoverer(
            registry, alarms, panels, care, safety.watch, bus, owners, refused, store, clock, news: news,
            longestWrite: longestWrite)
    }

    /// A new one, which follows the bus from now on.
    func makeDiscovery() throws -> Discovery {
        let discoverer = try makeDiscoverer()
        let announcer = BridgeAnnouncer(registry, live, panels, clock) { [bus] topic, payload, gateway in
            do {
                try bus.publish(topic, payload, to: gateway, retain: true)
                return true
            } catch { return false }
        }
        return Discovery(discoverer, announcer, bus)
    }

    /// What people and programs meet, in the order of the interface's document.
    func features(_ intake: Intake) -> [any HouseFeature] {
        [
            GatewayRoutes(access: access, desk: gatewayDesk, live: live, refused: refused),
            GatewayPages(access: access, desk: gatewayDesk, readings: readings, refused: refused),
            HouseRoutes(access: access, desk: housesDesk, sight: sight),
            HousesPages(access: access, desk: housesDesk, sight: sight),
            HouseStateRoutes(access: access, sight: sight),
            HousePlaces(navigation: given.navigation, sight: sight),
            HousePage(access: access, sight: sight, store: store),
            HouseSettingsPages(access: access, desk: housesDesk, sharing: sharing),
            AlarmRoutes(access: access, acts: alarmActs),
            AlarmPages(access: access, acts: alarmActs, registry: registry),
            AlarmCallPages(access: access, desk: callDesk),
            AlarmCommands(alarmActs, given.notices, clock),
            SelfTestPages(access: access, selfTests: selfTests, drills: drills, notices: given.notices, store: store),
            DeviceDefinitions(access: access, desk: devicesDesk),
            DeviceRoutes(access: access, registry: registry, live: live, intake: intake),
            DevicesPages(
                access: access, desk: devicesDesk, sight: sight, switching: switching, actuation: actuation,
                readings: readings, refused: refused, intake: intake),
            acting, ActingRoutes(access: access, acting: acting),
            HistoryRoutes(access: access, desk: historyDesk),
            HistoryPages(access: access, desk: historyDesk, faces: faces),
            CareRoutes(access: access, desk: careDesk), CarePages(access: access, desk: careDesk, faces: faces),
            SafetyRoutes(access: access, desk: safetyDesk, accounts: given.accounts),
            SafetyPages(access: access, desk: safetyDesk, accounts: given.accounts, faces: faces),
            SafetyCommands(desk: safetyDesk),
        ]
    }

    /// What works by itself, apart from what takes what gateways say.
    var works: [any HouseWork] { [stream, care, safety, series, alarms, selfTests, drills, owners] }
}
