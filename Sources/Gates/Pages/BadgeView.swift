import Accounts
import Identity
import Pages

/// The virtual badge in front of a gate: one sign, one button, and what came of it in words.
public enum BadgeView {
    /// The gate in front of which one stands.
    public struct Gate: Sendable {
        /// The gate's id.
        public var id: String
        /// What people call it.
        public var name: String
        /// How it is for this person, now.
        public var state: GatesView.State

        /// A gate.
        public init(id: String, name: String, state: GatesView.State) {
            self.id = id
            self.name = name
            self.state = state
        }
    }

    /// What came of an opening.
    public enum Outcome: Sendable, Hashable {
        /// Asked, not answered yet.
        case progress
        /// The gate confirmed; how, in words: "confirmed by the gate · 0.4 s".
        case opened(String)
        /// The hub or the gate said no; why.
        case refused(String)
        /// Sent, and nobody knows; what to do.
        case unconfirmed(String)
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// The bearer's name.
        public var person: String
        /// The code of the badge at this site.
        public var badgeCode: String
        /// The bearer's role, or nil without one.
        public var roleName: String?
        /// The site's name.
        public var place: String
        public var gate: Gate
        /// Nil before the tap.
        public var outcome: Outcome?
        /// The event of the decision, once there is one.
        public var eventID: String?
        /// The main links; the current one is the list of gates, to which the arrow leads back.
        public var navigation: [NavItem]
        /// What to keep on the device, this page first.
        public var keep: [LocalPath] = []
        /// What features add under the badge.
        public var panel = HTML.empty
        /// For the form that is kept; its gate is `offline`.
        public var saved: SavedPage?

        /// A badge in front of a gate.
        public init(
            language: Language, person: String, badgeCode: String, roleName: String?, place: String, gate: Gate,
            outcome: Outcome? = nil, eventID: String? = nil, navigation: [NavItem]
        ) {
            self.language = language
            self.person = person
            self.badgeCode = badgeCode
            self.roleName = roleName
            self.place = place
            self.gate = gate
            self.outcome = outcome
            self.eventID = eventID
            self.navigation = navigation
        }
    }

    /// A form `POST /gates/{id}/open` that answers with this page and an outcome; `open-gate` answers in place.
    public static func page(_ model: Model) -> HTML {
        let words = GatesWords.in(model.language)
        let gates = model.navigation.first(where: \.isCurrent)?.href ?? "/"
        return Frame.page(
            title: model.gate.name, place: model.place, language: model.language, navigation: model.navigation,
            person: model.person, style: .phone, path: "/gates/\(model.gate.id)",
            back: (gates, words.allGates), live: model.saved == nil,
            modules: model.saved == nil ? ["open-gate", "live-gates"] : [], keep: model.keep, saved: model.saved,
            content: div(.css("pile")) {
                island("live-gates") { stage(model, words) }
                if model.saved == nil {
                    model.panel
                    words.forIsland
                }
            })
    }

    private static func stage(_ model: Model, _ words: GatesWords) -> HTML {
        let shown = moment(model, words)
        return island(
            "open-gate", .css("stage"), .data("gate", model.gate.id), .data("name", model.gate.name),
            .data("person", model.person), .data("state", shown.state), .data("rest", model.gate.state.name),
            .data("words", "gate-words"), .data("event", model.eventID)
        ) {
            div(.css("act")) {
                Part.sign(shown.tone, open: shown.state == "opened", size: .big)
                div(.css("verdict"), .role("status")) {
                    p(.css("headline \(shown.tone.rawValue)"), .data("part", "headline")) { shown.headline }
                    p(.css("sentence"), .id("about-opening"), .data("part", "detail")) { shown.detail }
                }
            }
            badge(model, words)
            if model.gate.state == .offline {
                div(.css("thumb")) { GatesView.offlineButton(.css("large"), gate: model.gate.id, words) }
            } else {
                form(
                    .css("thumb"), .method(.post), .action("/gates/\(model.gate.id)/open"),
                    .hidden(model.gate.state != .ready)
                ) {
                    button(.css("large"), .type(.submit)) { words.open }
                }
            }
        }
    }

    private static func badge(_ model: Model, _ words: GatesWords) -> HTML {
        section(.css("badge"), .aria("label", words.badge)) {
            div {
                p(.css("badge-name")) { bdi { model.person } }
                p(.css("soft")) {
                    if let role = model.roleName {
                        bdi { role }
                        " · "
                    }
                    bdi { model.place }
                }
            }
            p(.css("badge-code")) { words.badgeNumber(model.badgeCode) }
        }
    }

    private static func moment(
        _ model: Model, _ words: GatesWords
    ) -> (state: String, tone: Tone, headline: String, detail: String) {
        switch model.outcome {
        case nil:
            let state = model.gate.state
            return (state.name, state.tone, state.headline(words), state.detail(words))
        case .progress: return ("asking", .wait, words.headlineAsking, words.askingHub)
        case .opened(let how): return ("opened", .go, words.headlineOpened, how)
        case .refused(let why): return ("refused", .no, words.headlineRefused, why)
        case .unconfirmed(let what): return ("unconfirmed", .wait, words.headlineUnconfirmed, what)
        }
    }
}
