import Household
import Identity
import Ledger
import Store

/// That a siren, a valve or a fan of a house could not be commanded any more.
struct Muting: Error {
    /// Does something in a transaction, which fails when something of the house is mute after it that was not before.
    static func refused<T>(at site: SiteID, in database: Database, _ body: () throws -> T) throws -> T {
        let before = try muted(at: site, in: database)
        let result = try body()
        guard try muted(at: site, in: database).isSubset(of: before) else { throw Muting() }
        return result
    }

    private static func muted(at site: SiteID, in database: Database) throws -> Set<ActuatorID> {
        let catalog = try Catalog(of: site, in: database)
        return catalog.gateways.keys.reduce(into: []) { $0.formUnion(catalog.muted(at: $1)) }
    }
}

extension Catalog {
    /// What a house has as the tables have it, also behind connections out of use.
    init(of site: SiteID, in database: Database) throws {
        self.init(
            try HomeRecords.gateways(at: site, in: database), try HomeRecords.devices(at: site, in: database),
            try HomeRecords.sensors(at: site, in: database), try HomeRecords.actuators(at: site, in: database),
            gone: try HomeRecords.goneActuators(at: site, in: database))
    }
}
