import Accounts
import Identity
import Pages

/// What happens at the gates of a site, as it happens.
public enum LogView {
    /// What came of it, for the chip.
    public enum Outcome: Sendable, Hashable {
        /// The gate confirmed.
        case opened
        /// The gate said no; why, in words.
        case refused(String)
        /// The hub said no; why, in words.
        case denied(String)
        /// Sent, and nobody knows.
        case unconfirmed
        /// Decided, and not answered yet.
        case granted
        /// Something else, in words.
        case other(String)

        var name: String {
            switch self {
            case .opened: "opened"
            case .refused: "refused"
            case .denied: "denied"
            case .unconfirmed: "unconfirmed"
            case .granted: "granted"
            case .other: "other"
            }
        }

        var tone: Tone {
            switch self {
            case .opened: .go
            case .refused, .denied: .no
            case .unconfirmed: .wait
            case .granted, .other: .idle
            }
        }

        func text(_ words: DoorsWords) -> String {
            switch self {
            case .opened: words.opened
            case .refused(let text): text.isEmpty ? words.refused : text
            case .denied(let text): text.isEmpty ? words.denied : text
            case .unconfirmed: words.unconfirmed
            case .granted: words.granted
            case .other(let text): text
            }
        }
    }

    /// One event.
    public struct Entry: Sendable {
        /// The event's id.
        public var eventID: String
        /// Its place in the site's chain.
        public var sequence: Int
        /// When, ISO 8601 in UTC.
        public var time: String
        /// When, in words of the page: "08:52:07".
        public var timeText: String
        /// Who.
        public var person: String
        /// Where.
        public var gate: String
        /// By what means.
        public var how: String
        /// What came of it.
        public var outcome: Outcome

        /// An event.
        public init(
            eventID: String, sequence: Int, time: String, timeText: String, person: String, gate: String, how: String,
            outcome: Outcome
        ) {
            self.eventID = eventID
            self.sequence = sequence
            self.time = time
            self.timeText = timeText
            self.person = person
            self.gate = gate
            self.how = how
            self.outcome = outcome
        }
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// The site's id.
        public var siteID: String
        /// The site's name.
        public var siteName: String
        /// Newest first.
        public var entries: [Entry]
        /// The main links.
        public var navigation: [NavItem]
        /// Older entries, if there are any.
        public var olderHref: LocalPath?
        /// Whether these are the newest, to which new ones may be added as they happen.
        public var isNewest: Bool

        /// A page of the log.
        public init(
            language: Language, person: String, siteID: String, siteName: String, entries: [Entry],
            navigation: [NavItem], olderHref: LocalPath? = nil, isNewest: Bool = true
        ) {
            self.language = language
            self.person = person
            self.siteID = siteID
            self.siteName = siteName
            self.entries = entries
            self.navigation = navigation
            self.olderHref = olderHref
            self.isNewest = isNewest
        }
    }

    /// A table on a desk, cards on a phone; `live-log` adds what happens.
    public static func page(_ model: Model) -> HTML {
        let words = DoorsWords.in(model.language)
        let own: LocalPath = "/sites/\(model.siteID)/log"
        return Frame.page(
            title: words.log, place: model.siteName, language: model.language, navigation: model.navigation,
            person: model.person, style: .desk, path: own, live: model.isNewest,
            modules: model.isNewest ? ["live-log"] : [],
            actions: model.isNewest ? .empty : a(.css("button quiet"), .href(own)) { words.newest },
            content: div(.css("pile")) {
                if model.isNewest {
                    island("live-log", .data("site", model.siteID), .data("words", "log-words")) {
                        list(model, words)
                    }
                    islandWords(words)
                } else {
                    list(model, words)
                }
                if let href = model.olderHref {
                    p(.css("turning")) { a(.css("button quiet"), .href(href)) { words.older } }
                }
            })
    }

    private static func islandWords(_ words: DoorsWords) -> HTML {
        data(
            id: "log-words",
            [
                "opened": words.opened, "refused": words.refused, "denied": words.denied,
                "unconfirmed": words.unconfirmed, "granted": words.granted, "newEntries": words.newEntries("{n}"),
            ])
    }

    private static func list(_ model: Model, _ words: DoorsWords) -> HTML {
        div(.css("pile")) {
            if model.entries.isEmpty { Part.empty(title: words.noEntries, detail: words.noEntriesDetail) }
            table(.css("sheet log"), .role("table"), .hidden(model.entries.isEmpty)) {
                caption(.css("unseen")) { words.log }
                thead(.role("rowgroup")) {
                    tr(.role("row")) {
                        for title in [words.time, words.person, words.gate, words.how, words.outcome] {
                            th(.scope("col"), .role("columnheader")) { title }
                        }
                    }
                }
                tbody(.role("rowgroup")) {
                    for entry in model.entries { row(entry, words) }
                }
            }
        }
    }

    private static func row(_ entry: Entry, _ words: DoorsWords) -> HTML {
        tr(.role("row"), .data("event", entry.eventID), .data("sequence", String(entry.sequence))) {
            td(.css("time"), .role("cell")) { Part.moment(entry.time, entry.timeText) }
            td(.css("person"), .role("cell")) { bdi { entry.person } }
            td(.css("gate"), .role("cell")) { bdi { entry.gate } }
            td(.css("how"), .role("cell")) { entry.how }
            td(.css("outcome"), .role("cell")) { Part.chip(entry.outcome.tone, entry.outcome.text(words)) }
        }
    }
}
