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
        let (result, people) = try await gates.changeRights(.vital, at: site) { database, touched in
            let change = try body(database)
            touched = .people(change.people)
            return change
        }
        try gates.tellLive(live, people: people, at: site)
        return result
    }
}
