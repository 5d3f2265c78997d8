import Accounts
import Identity
import Pages

/// The gates of a place that a person has to do with.
public enum GatesView {
    /// One gate as a card.
    public struct Gate: Sendable {
        /// The gate's id.
        public var id: String
        /// What people call it.
        public var name: String
        /// How it is for this person, now.
        public var state: State
        /// Other words for the state, where the usual ones do not say enough.
        public var stateText: String?
        /// When this person last opened it, in words: "today at 08:52".
        public var lastOpened: String?

        /// A gate.
        public init(
            id: String, name: String, state: State, stateText: String? = nil, lastOpened: String? = nil
        ) {
            self.id = id
            self.name = name
            self.state = state
            self.stateText = stateText
            self.lastOpened = lastOpened
        }
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// The site's name.
        public var place: String
        /// Where the person's other places are; nil for whoever has only this one.
        public var siteHref: LocalPath?
        /// In the order to show.
        public var gates: [Gate]
        /// The main links.
        public var navigation: [NavItem]
        /// The page itself, for the language chooser.
        public var path: LocalPath
        /// What to keep on the device, this page first.
        public var keep: [LocalPath] = []
        /// For the form that is kept; its gates are `offline`.
        public var saved: SavedPage?
        /// Where the gates are looked after; nil for whoever may not.
        public var manageHref: LocalPath?
        /// Whether their access is over: the gates are those that they opened of late.
        public var isOver = false
        /// What features say above the list.
        public var panel = HTML.empty

        /// The page of a person at a place.
        public init(
            language: Language, person: String, place: String, siteHref: LocalPath? = nil, gates: [Gate],
            navigation: [NavItem], path: LocalPath = "/"
        ) {
            self.language = language
            self.person = person
            self.place = place
            self.siteHref = siteHref
            self.gates = gates
            self.navigation = navigation
            self.path = path
        }
    }

    /// Cards with one action each: a form `POST /gates/{id}/open`, which `open-gate` answers in place.
    public static func page(_ model: Model) -> HTML {
        let words = GatesWords.in(model.language)
        let isLive = !model.gates.isEmpty && model.saved == nil
        return Frame.page(
            title: words.gates, place: model.place, language: model.language, navigation: model.navigation,
            person: model.person, style: .phone, path: model.path,
            back: model.siteHref.map { ($0, words.otherPlaces) }, live: isLive,
            modules: (isLive ? ["open-gate", "live-gates"] : []) + (model.saved == nil ? ["install-hint"] : []),
            keep: model.keep, saved: model.saved,
            actions: model.manageHref.map { href in
                a(.css("button quiet"), .href(href)) { GateAdminWords.in(model.language).manage }
            } ?? .empty,
            content: div(.css("pile")) {
                model.panel
                if !model.gates.isEmpty {
                    list(model, words)
                } else if model.panel.isEmpty {
                    model.isOver
                        ? Part.empty(title: words.accessOver, detail: words.accessOverDetail)
                        : Part.empty(title: words.noGates, detail: words.noGatesDetail)
                }
                if model.saved == nil { Part.installHint(model.language) }
            })
    }

    private static func list(_ model: Model, _ words: GatesWords) -> HTML {
        div(.css("pile")) {
            if model.saved != nil { p(.css("soft"), .id("about-opening")) { words.offlineDetail } }
            island("live-gates") {
                ul(.css("cards")) {
                    for gate in model.gates { li { card(gate, model.person, words) } }
                }
            }
            if model.saved == nil { words.forIsland }
        }
    }

    private static func card(_ gate: Gate, _ person: String, _ words: GatesWords) -> HTML {
        island(
            "open-gate", .css("card"), .data("gate", gate.id), .data("name", gate.name), .data("person", person),
            .data("state", gate.state.name), .data("words", "gate-words")
        ) {
            Part.sign(gate.state.tone)
            div(.css("card-words")) {
                h2 { a(.css("whole"), .href("/gates/\(gate.id)")) { bdi { gate.name } } }
                p { Part.chip(gate.state.tone, gate.stateText ?? gate.state.chip(words), part: "chip") }
                if let last = gate.lastOpened { p(.css("soft")) { words.lastOpened(last) } }
            }
            if gate.state == .offline {
                offlineButton(.aria("label", words.openGate(gate.name)), gate: gate.id, words)
            } else {
                form(
                    .method(.post), .action("/gates/\(gate.id)/open"), .hidden(gate.state != .ready)
                ) {
                    button(.type(.submit), .aria("label", words.openGate(gate.name))) { words.open }
                }
            }
        }
    }

    /// The button of a saved page: it can be reached, and says why it does nothing. A way past the hub, from phone to
    /// gate, would find the gate in `data-gate`.
    static func offlineButton(_ look: Attribute, gate: String, _ words: GatesWords) -> HTML {
        button(
            look, .type(.button), .data("gate", gate), .aria("disabled", "true"), .aria("describedby", "about-opening")
        ) { words.open }
    }
}
