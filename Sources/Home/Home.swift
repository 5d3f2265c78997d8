import Accounts
import Commands
import Household
import Ledger
import Pages
import Platform
import Store

/// Home: gas, air and intruders, on one house or several.
public struct Home: Feature {
    let household: Household
    let intake: Intake
    private let connection: HomeConnection
    private let discovery: Discovery

    /// The tables that it owns.
    public static var migrations: [Migration] {
        [
            HomeRecords.migration, ThresholdRecords.migration, AnnouncementRecords.migration, SeriesRecords.migration,
            CareRecords.migration, AlarmCallRecords.migration, SelfTestRecords.migration, SafetyRecords.migration,
        ] + AlarmRecords.migrations + [
            AnnouncementRecords.migrationOfWithheld, HomeRecords.migrationOfProven, CareRecords.migrationOfExposures,
        ]
    }

    /// Makes it.
    public init(_ given: Given) throws {
        household = try Household(given)
        intake = Intake(household)
        connection = HomeConnection(household, intake)
        discovery = try Discovery(household)
        given.pairing?.use(PairedGateways(household: household))
    }

    /// For programs.
    public func register(routes: inout Routes) {
        let count = routes.router.routes.count
        register(gatewayRoutes: &routes)
        household.registerHouses(&routes)
        household.registerHouseState(&routes)
        household.register(alarmRoutes: &routes)
        household.register(callRoutes: &routes)
        household.register(testRoutes: &routes)
        DeviceDefinitions(household: household).register(&routes)
        DeviceRoutes(household, intake).register(&routes)
        ActingRoutes(acting: Acting(household: household)).register(&routes)
        household.registerHistory(routes: &routes)
        household.register(care: &routes)
        SafetyRoutes(household: household).register(&routes)
        household.requireProtection(of: routes.router.routes.dropFirst(count))
    }

    /// For people.
    public func register(pages: inout PageRoutes) {
        let count = pages.router.routes.count
        household.registerNavigation()
        household.registerHouses(&pages)
        household.registerHousePage(&pages)
        household.register(alarmPages: &pages)
        household.register(callPages: &pages)
        household.register(testPages: &pages)
        household.registerSettings(&pages)
        household.registerDevices(&pages) { [intake] in await intake.release($0) }
        household.register(care: &pages)
        SafetyPages(household: household).register(&pages)
        register(gatewayPages: &pages)
        household.registerHistory(pages: &pages)
        household.requireProtection(of: pages.router.routes.dropFirst(count))
    }

    /// For other features and Flows.
    public func register(commands: Commands) {
        Acting(household: household).register(commands)
        AlarmCommands(household).register(commands)
        SafetyCommands(household: household).register(commands)
    }

    /// Its long work.
    public func run() async throws {
        let household = household
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await connection.run() }
            group.addTask { try await discovery.run() }
            group.addTask { await household.stream.run() }
            group.addTask { await household.care.run() }
            group.addTask { try await household.safety.run() }
            group.addTask { try await household.series.run() }
            group.addTask { try await household.series.keepHouse() }
            group.addTask { try await household.alarms.run() }
            group.addTask { try await household.selfTests.run() }
            group.addTask { try await household.drills.run() }
            group.addTask { try await household.followProtection() }
            try await group.waitForAll()
        }
    }

    /// What sensors told last is written.
    public func end() async { await household.series.flush() }
}
