import Accounts
import Household
import Identity
import Ledger
import Pages
import System

/// All houses of somebody: where they are, how each is, and everything in them.
enum HousesView {
    struct Entry: Sendable {
        let site: Site
        let house: House
        let summary: HouseSummary

        var anchor: String { "house-\(site.id.text)" }
        var href: LocalPath { HouseTab.house.path(site.id) }
    }

    /// All sensors and actuators of one kind, over all houses.
    struct KindSummary: Sendable {
        let word: String
        var count = 0
        var working = 0
        /// Names of houses, in the order of the list.
        var houses: [String] = []
    }

    struct Model: Sendable {
        let language: Language
        let now: Timestamp
        let entries: [Entry]
        /// Houses that ask for a passkey first.
        var locked: [Site] = []
        let kinds: [KindSummary]
        let mayAdd: Bool
        let tiles: Tiles?
        /// At which of them one looks, on the walk through all.
        var chosen: Int?
    }

    static let path: LocalPath = "/houses"

    static func content(_ model: Model) -> HTML {
        let words = HomeHousesWords.in(model.language)
        if model.entries.isEmpty && model.locked.isEmpty {
            return Part.empty(
                title: words.none, detail: model.mayAdd ? words.noneDetail : words.noneAsk,
                action: model.mayAdd ? ("/houses/new", words.add) : nil)
        }
        return LivePart.live(nil, at: model.now, model.language) {
            div(.css("pile"), .id("alarms-of-all"), .data("fresh", "alarms")) {
                for entry in model.entries { alarm(of: entry, model) }
            }
            island(
                "house-map", .css("houses"), .data("tiles", model.tiles?.address),
                .data("credit", model.tiles?.credit), .data("words", "house-map-words")
            ) {
                islandWords(words)
                section(.css("where-they-are pile"), .aria("labelledby", "where-they-are")) {
                    h2(.id("where-they-are")) { words.map }
                    div(.css("map"), .data("part", "map"), .hidden(true)) {}
                    p(.css("notice wait"), .data("part", "map-away"), .hidden(true)) { words.mapAway }
                    HouseSchematic.figure(model.entries, at: model.now)
                    p(.css("hint"), .data("part", "note")) { words.schematicNote }
                    walk(model, words)
                }
                section(.css("pile"), .aria("labelledby", "houses")) {
                    h2(.id("houses")) { words.list }
                    ul(.css("cards one")) {
                        you(words)
                        for (index, entry) in model.entries.enumerated() {
                            HouseCard.item(entry, index, model, words)
                        }
                        for site in model.locked { HouseCard.locked(site) }
                    }
                }
            }
            devices(model, words)
        }
    }

    /// The worst alarm of a house, before all that is well: not a fault, and no exercise.
    @HTMLBuilder private static func alarm(of entry: Entry, _ model: Model) -> HTML {
        if let alarm = entry.summary.alarms.first(where: { $0.kind != .fault && !$0.isDrill }) {
            section(.css("plate alarm"), .data("alarm", alarm.id.text)) {
                h2 { bdi { "\(entry.site.name): \(alarm.title(model.language))" } }
                p(.css("soft")) {
                    LivePart.age(alarm.at, model.now, HomeLiveWords.in(model.language), part: nil)
                }
                p { a(.css("button"), .href(alarm.path)) { HousePageWords.in(model.language).alarmDo } }
            }
        }
    }

    private static func islandWords(_ words: HomeHousesWords) -> HTML {
        data(
            id: "house-map-words",
            [
                "fromYou": words.fromYou, "compass": words.compass.joined(separator: " "), "here": words.youAreHere,
                "notTold": words.notTold, "notSecure": words.notSecure, "next": words.next("{name}"),
                "you": words.you, "map": words.map, "decimal": words.language == .en ? "." : ",",
            ])
    }

    /// The way to the next house. Without script it is another page; with it the map moves.
    private static func walk(_ model: Model, _ words: HomeHousesWords) -> HTML {
        if model.entries.isEmpty { return .empty }
        let next = model.chosen.map { ($0 + 1) % model.entries.count } ?? 0
        let entry = model.entries[next]
        let page = path.adding("at", entry.site.id.text).description + "#" + entry.anchor
        return p {
            a(.css("button quiet"), .href(LocalPath(page) ?? path), .data("part", "next")) {
                words.next(entry.site.name)
            }
        }
    }

    /// One's own position, the first of the list. Only a browser knows it, so it is there only with script.
    private static func you(_ words: HomeHousesWords) -> HTML {
        li(.css("card tall you"), .id("you"), .data("part", "you"), .hidden(true)) {
            div(.css("card-words")) {
                h3 { words.you }
                p(.css("soft"), .data("part", "you-state"), .role("status")) { words.youDetail }
                div(.css("row")) {
                    button(.css("quiet"), .type(.button), .data("part", "use")) { words.useMine }
                    button(.css("plain"), .type(.button), .data("part", "forget"), .hidden(true)) {
                        words.forgetMine
                    }
                }
            }
        }
    }

    private static func devices(_ model: Model, _ words: HomeHousesWords) -> HTML {
        section(.css("pile"), .aria("labelledby", "all-devices")) {
            h2(.id("all-devices")) { words.allDevices }
            if model.kinds.isEmpty {
                p(.css("soft")) { words.allDevicesNone }
            } else {
                table(.css("sheet kinds"), .role("table")) {
                    caption(.css("unseen")) { words.allDevices }
                    thead(.role("rowgroup")) {
                        tr(.role("row")) {
                            for title in [words.kind, words.count, words.houses, words.state] {
                                th(.scope("col"), .role("columnheader")) { title }
                            }
                        }
                    }
                    tbody(.role("rowgroup")) {
                        for kind in model.kinds {
                            tr(.role("row")) {
                                td(.css("name"), .role("cell")) { kind.word }
                                td(.css("count"), .role("cell")) { String(kind.count) }
                                td(.css("in"), .role("cell")) { bdi { kind.houses.joined(separator: ", ") } }
                                td(.css("outcome"), .role("cell")) {
                                    Part.chip(
                                        kind.working == kind.count ? .go : .wait,
                                        words.working(kind.working, kind.count))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
