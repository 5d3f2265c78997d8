import Accounts
import Identity
import JSON
import Pages

/// How a house is, for programs and for pages that have missed something.
struct HouseStateRoutes: HouseFeature {
    let access: HouseAccess
    let sight: HouseSight

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/house", for: Permission.inHouse,
            RouteDescription(
                "How a house and everything in it is at this moment, with words in the caller's language. The live event `home` has the same members, with only what changed in its lists.",
                answer: HouseNow.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            return .json(sight.now(site.id, nil, Language.of(principal, request)), capacity: 4096)
        }
    }
}
