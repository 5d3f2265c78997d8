import Accounts
import HTTPServer
import Identity
import Ledger
import Pages
import System

/// What all that people and programs do with houses has in common: which house a request is about, what stands around its pages, what a
/// change asks of whoever makes it, and who is told.
final class HouseAccess: Sendable {
    let protection: any HouseProtection
    let owners: OwnerNotices
    let navigation: Navigation
    let clock: WallClock
    /// Which routes have said what they do to the protection of a house.
    let guarded = GuardedRoutes()
    private let stamp: @Sendable (SiteID) -> String

    /// - Parameter stamp: of a house as it is now; see `HouseSummary.stamp`.
    init(
        _ protection: any HouseProtection, _ owners: OwnerNotices, _ navigation: Navigation, _ clock: WallClock,
        stamp: @escaping @Sendable (SiteID) -> String
    ) {
        (self.protection, self.owners, self.navigation, self.clock, self.stamp) =
            (protection, owners, navigation, clock, stamp)
    }

    /// What stands around a page of the house that a checked route names as `{site}`.
    /// - Throws: 404 for a site that is no home.
    func frame(_ request: Request, _ principal: Principal, _ language: Language) throws -> HomeFrame {
        let site = try house(request, principal)
        return HomeFrame(
            site: site, language: language, principal: principal, now: clock.now, navigation: navigation,
            stamp: stamp(site.id))
    }

    /// The house that a checked route names as `{site}`.
    /// - Throws: 404 for a site that is no home.
    func house(_ request: Request, _ principal: Principal) throws -> Site {
        let id = try request.parameter("site", as: SiteID.self)
        guard let site = principal.memberships.first(where: { $0.site.id == id })?.site, site.kind == .home else {
            throw Problem.notFound()
        }
        return site
    }

    /// For a route that lowers no protection.
    var keeps: HouseGuard { HouseGuard(access: self, protection: .keeps) }

    /// For a route that lowers the protection of a house that is armed.
    func weakensNow(_ change: ProtectionChange) -> HouseGuard {
        HouseGuard(access: self, protection: .weakensNow(change))
    }

    /// For a route that changes how a house can be disarmed, or whom its alarm calls.
    func weakensLater(_ change: ProtectionChange) -> HouseGuard {
        HouseGuard(access: self, protection: .weakensLater(change))
    }
}
