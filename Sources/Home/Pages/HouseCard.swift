import Accounts
import Household
import Identity
import Ledger
import Pages
import System

/// One house in the list of all.
enum HouseCard {
    static func item(
        _ entry: HousesView.Entry, _ index: Int, _ model: HousesView.Model, _ words: HomeHousesWords
    ) -> HTML {
        let (live, summary) = (HomeLiveWords.in(model.language), entry.summary)
        return li(
            .css("card tall house"), .id(entry.anchor), .data("house", entry.site.id.text),
            .data("name", entry.site.name), .data("state", summary.condition.rawValue),
            .data("tone", summary.condition.tone.rawValue), .data("heard", summary.heard?.iso8601),
            .data("latitude", entry.house.place.map { "\($0.latitude)" }),
            .data("longitude", entry.house.place.map { "\($0.longitude)" }),
            .aria("current", index == model.chosen ? "true" : nil)
        ) {
            span(.css("number"), .aria("hidden", "true")) { String(index + 1) }
            div(.css("card-words")) {
                h3 { a(.css("whole"), .href(entry.href)) { bdi { entry.site.name } } }
                p(.css("row tight")) {
                    Part.chip(summary.condition.tone, live.condition(summary.condition), part: "status")
                    Part.chip(summary.panel.state.tone, live.panel(summary.panel.state), part: "panel")
                }
                if !entry.house.street.isEmpty { p(.css("soft")) { bdi { entry.house.street } } }
                p(.css("soft")) {
                    "\(words.lastContact): "
                    LivePart.age(summary.heard, model.now, live)
                }
                p(.css("soft"), .data("part", "distance")) { distance(entry, index, model, words) }
                p(.css("soft")) { words.things(summary.gateways, summary.sensors, summary.actuators) }
                if summary.troubled > 0 { p { Part.chip(.wait, words.troubled(summary.troubled)) } }
                if let place = entry.house.place { route(place, to: entry.site.name, words) }
                alarms(entry, model.language, words)
            }
        }
    }

    /// From the first house that is on the map, until the browser tells where one is.
    private static func distance(
        _ entry: HousesView.Entry, _ index: Int, _ model: HousesView.Model, _ words: HomeHousesWords
    ) -> String {
        guard let place = entry.house.place else { return words.notPlaced }
        guard let first = model.entries.first(where: { $0.house.place != nil }), let centre = first.house.place,
            first.site.id != entry.site.id
        else { return "" }
        return filled(
            words.fromHouse,
            [
                "distance": words.distance(centre.distance(to: place)),
                "direction": words.direction(centre.bearing(to: place)), "name": first.site.name,
            ])
    }

    private static func filled(_ template: String, _ values: [String: String]) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            text += values[String(rest[rest.index(after: open)..<close])] ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    /// Links to whatever shows the way.
    static func route(_ place: MapPlace, to name: String, _ words: HomeHousesWords) -> HTML {
        details(.css("over")) {
            summary { words.route }
            ul(.css("ways"), .aria("label", words.routeTo(name))) {
                for link in MapLink.allCases {
                    li {
                        a(
                            .css("button quiet"),
                            link.address(latitude: place.latitude, longitude: place.longitude), MapLink.apart
                        ) {
                            switch link {
                            case .device: words.routeDevice
                            case .apple: "Apple Maps"
                            case .google: "Google Maps"
                            }
                        }
                    }
                }
            }
        }
    }

    private static func alarms(_ entry: HousesView.Entry, _ language: Language, _ words: HomeHousesWords) -> HTML {
        div(.id("alarms-\(entry.site.id.text)"), .data("fresh", "alarms")) {
            if !entry.summary.lines.isEmpty {
                ul(.css("lines"), .aria("label", words.standing)) {
                    for alarm in entry.summary.lines {
                        li { Part.chip(alarm.kind == .fault || alarm.isDrill ? .wait : .no, alarm.title(language)) }
                    }
                }
            }
        }
    }

    /// A house that asks for a passkey first.
    static func locked(_ site: Site) -> HTML {
        li(.css("card tall house")) {
            Part.kind(.home)
            div(.css("card-words")) {
                h3 {
                    a(.css("whole"), .href(AccountSection.proving(to: HouseTab.house.path(site.id)))) {
                        bdi { site.name }
                    }
                }
            }
        }
    }
}
