import Accounts
import Identity
import Ledger

extension Given {
    /// Everybody who owns a place of this hub today: whom it concerns when the hub itself is not well.
    func ownersOfAll() async throws -> [PersonID] {
        let now = clock.now
        return try await store.readAside { database in
            var owners: Set<PersonID> = []
            for site in try AccountRecords.sites(in: database) {
                let today = site.zone.day(at: now)
                for one in try AccountRecords.memberships(at: site.id, in: database)
                where one.permission == .owner && one.holds(on: today) { owners.insert(one.person) }
            }
            return owners.sorted()
        }
    }
}
