import Accounts
import Gates
import Identity
import Ledger
import Store

extension Given {
    /// Changes what people may at a site. Passes that phones keep and that allow more than their people may afterwards are denied in the
    /// same transaction, and open pages show what holds now.
    /// - Parameter body: answers whose memberships it changed.
    public func changeMemberships<T: Sendable>(
        at site: SiteID, _ body: @escaping @Sendable (Database) throws -> (result: T, people: Set<PersonID>)
    ) async throws -> T {
        let (now, gates) = (clock.now, gates)
        let (result, people, denied) = try await accounts.change(.vital) { database -> (T, Set<PersonID>, [GateID]) in
            let (result, people) = try body(database)
            let own = try GateRecords.gates(of: site, in: database)
            return (result, people, try gates.recheckPasses(of: people, at: own, now: now, in: database))
        }
        gates.rightsChanged(of: denied)
        try gates.tellLive(live, people: people, at: site)
        return result
    }
}
