import Accounts
import Commands
import HTTPServer
import Ledger
import Pages
import Platform
import Store

/// Home: gas, air and intruders, on one house or several.
public struct Home: Feature {
    let household: Household

    /// The tables that it owns.
    public static var migrations: [Migration] {
        [HomeRecords.migration, ThresholdRecords.migration] + AlarmRecords.migrations + [
            AlarmCallRecords.migration, SelfTestRecords.migration,
        ]
    }

    /// Makes it.
    public init(_ given: Given) throws {
        household = try Household(given)
        given.pairing?.use(PairedGateways(household: household))
    }

    /// For programs.
    public func register(routes: inout Routes) {
        register(gatewayRoutes: &routes)
        household.registerHouseState(&routes)
        household.register(alarmRoutes: &routes)
        household.register(callRoutes: &routes)
        household.register(testRoutes: &routes)
    }

    /// For people.
    public func register(pages: inout PageRoutes) {
        household.registerNavigation()
        household.registerHousePage(&pages)
        household.register(alarmPages: &pages)
        household.register(callPages: &pages)
        household.register(testPages: &pages)
        register(gatewayPages: &pages)
    }

    /// For other features and Flows.
    public func register(commands: Commands) {
        AlarmCommands(household).register(commands)
    }

    /// Its long work.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await household.stream.run() }
            group.addTask { try await household.alarms.run() }
            group.addTask { try await household.selfTests.run() }
            group.addTask { try await household.drills.run() }
            try await group.next()
            group.cancelAll()
        }
    }
}
