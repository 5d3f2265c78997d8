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
    let intake: Intake
    private let connection: HomeConnection

    /// The tables that it owns.
    public static var migrations: [Migration] {
        [
            HomeRecords.migration, ThresholdRecords.migration, AlarmRecords.migration,
            AnnouncementRecords.migration,
        ]
    }

    /// Makes it.
    public init(_ given: Given) throws {
        household = try Household(given)
        intake = Intake(household)
        connection = HomeConnection(household, intake)
        given.pairing?.use(PairedGateways(household: household))
    }

    /// For programs.
    public func register(routes: inout Routes) {
        register(gatewayRoutes: &routes)
        DeviceRoutes(household, intake).register(&routes)
    }

    /// For people.
    public func register(pages: inout PageRoutes) { register(gatewayPages: &pages) }

    /// For other features and Flows.
    public func register(commands: Commands) {}

    /// Its long work.
    public func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await connection.run() }
            try await group.waitForAll()
        }
    }
}
