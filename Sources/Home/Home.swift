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
    private let features: [any HouseFeature]
    private let works: [any HouseWork]

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
        // In this order they follow the registry: a gateway is known here before it is listened to.
        let intake = parts.makeIntake()
        let connection = HomeConnection(intake, given.bus)
        let discovery = try parts.makeDiscovery()
        features = parts.features(intake)
        works = [connection, discovery] + parts.works
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
            for work in works { group.addTask { try await work.run() } }
            try await group.waitForAll()
        }
    }

    /// What sensors told last is written.
    public func end() async { await parts.series.flush() }
}
