import Accounts
import Commands
import Household
import Ledger
import Pages
import Platform
import Store

/// Home: gas, air and intruders, on one house or several.
public struct Home: Feature {
    let parts: HomeParts
    let intake: Intake
    private let features: [any HouseFeature]

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
        parts = try HomeParts(given)
        intake = parts.intake()
        let connection = HomeConnection(intake, given.bus)
        let discovery = try Discovery(parts.safety, parts.live, parts.bus, parts.owners, parts.refused)
        features = parts.features(intake, connection, discovery)
        given.pairing?.use(PairedGateways(desk: parts.gatewayDesk))
    }

    /// For programs.
    public func register(routes: inout Routes) {
        let count = routes.router.routes.count
        for feature in features { feature.register(&routes) }
        parts.access.guarded.require(routes.router.routes.dropFirst(count))
    }

    /// For people.
    public func register(pages: inout PageRoutes) {
        let count = pages.router.routes.count
        for feature in features { feature.register(&pages) }
        parts.access.guarded.require(pages.router.routes.dropFirst(count))
    }

    /// For other features and Flows.
    public func register(commands: Commands) { for feature in features { feature.register(commands) } }

    /// Its long work.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for feature in features { group.addTask { try await feature.run() } }
            try await group.waitForAll()
        }
    }

    /// What sensors told last is written.
    public func end() async { await parts.series.flush() }
}
