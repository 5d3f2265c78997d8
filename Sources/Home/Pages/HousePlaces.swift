import Identity
import Ledger
import Pages
import System

/// Houses in the list of a person's places.
struct HousePlaces: HouseFeature {
    let navigation: Navigation
    let sight: HouseSight

    /// Says that homes open on their houses, with these five links.
    func register(_ pages: inout PageRoutes) {
        navigation.give(
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
}
