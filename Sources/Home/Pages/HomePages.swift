import Accounts
import Identity
import JSON
import Ledger
import Pages
import System

/// How houses are, for programs, for the list of a person's places, and for pages that have missed something.
struct HouseState: HouseFeature {
    let access: HouseAccess
    let sight: HouseSight

    /// Says that homes open on their houses, with these five links.
    func register(_ pages: inout PageRoutes) {
        let sight = sight
        access.navigation.give(
            .home,
            to: Navigation.Landlord(
                all: "/houses", root: { HouseTab.house.path($0) },
                links: { _, site, _, language in
                    let words = HomeLiveWords.in(language)
                    return HouseTab.allCases.map { (href: $0.path(site), label: $0.label(words)) }
                },
                first: { _, site, _, language in
                    let (words, summary) = (HomeLiveWords.in(language), sight.summary(of: site))
                    return PlacesView.First(
                        name: words.panel(summary.panel.state), tone: summary.condition.tone,
                        state: words.condition(summary.condition), href: HouseTab.house.path(site), open: nil)
                }))
    }

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/house", for: Permission.inHouse,
            RouteDescription(
                "How a house and everything in it is at this moment, with words in the language of whoever asks. The live event `home` has the same members, with only what changed in its lists.",
                answer: HouseNow.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            return .json(sight.now(site.id, nil, Language.of(principal, request)), capacity: 4096)
        }
    }
}
