import Accounts
import Identity

/// My places: each site by what it is, what somebody is there, and what they can do there first.
public enum PlacesView {
    /// What can be done first at a place: a gate, and how it is now.
    public struct First: Sendable {
        /// The gate's name.
        public var name: String
        /// How it is, as colour and shape.
        public var tone: Tone
        /// How it is, in words.
        public var state: String
        /// The page on which it is opened.
        public var href: LocalPath
        /// The link, where it can be opened now: "Open Main entrance".
        public var open: String?

        /// See the properties.
        public init(name: String, tone: Tone, state: String, href: LocalPath, open: String?) {
            (self.name, self.tone, self.state, self.href, self.open) = (name, tone, state, href, open)
        }
    }

    /// One site as its member sees it.
    public struct Place: Sendable {
        /// The site's id.
        public var id: String
        /// The site's name.
        public var name: String
        /// What it is.
        public var kind: SiteKind
        /// What the person is there, in words.
        public var role: String
        /// Where the place begins.
        public var href: LocalPath
        /// What can be done there first; nil when there is nothing.
        public var first: First?
        /// Whether it asks for a passkey first.
        public var isLocked: Bool

        /// A place.
        public init(
            id: String, name: String, kind: SiteKind, role: String, href: LocalPath, first: First? = nil,
            isLocked: Bool = false
        ) {
            self.id = id
            self.name = name
            self.kind = kind
            self.role = role
            self.href = isLocked ? ProvingPages.strong(to: href) : href
            self.first = first
            self.isLocked = isLocked
        }
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// Where mail reaches them: what they tell whoever is to add them. Nil when none is known.
        public var address: String?
        /// In the order to show.
        public var places: [Place]
        /// Whether there were places, or are to be, and none is open to them today.
        public var hasOthers = false

        /// The page of a person.
        public init(language: Language, person: String, address: String? = nil, places: [Place]) {
            self.language = language
            self.person = person
            self.address = address
            self.places = places
        }
    }

    /// Where it is, also for whoever has one place and is led past it.
    public static let path: LocalPath = "/places"

    /// Draws the page in its model's language.
    public static func page(_ model: Model) -> HTML {
        let words = PagesWords.in(model.language)
        return Frame.page(
            title: words.places, language: model.language, person: model.person, style: .phone, path: path,
            modules: ["install-hint"],
            content: div(.css("pile")) {
                if model.places.isEmpty {
                    empty(model, words)
                } else {
                    ul(.css("cards places")) {
                        for place in model.places {
                            li(.css("card tall place")) { card(place, words, model.language) }
                        }
                    }
                }
                Part.installHint(model.language)
            })
    }

    private static func empty(_ model: Model, _ words: PagesWords) -> HTML {
        div(.css("empty")) {
            Part.sign(.idle, size: .big)
            h2 { model.hasOthers ? words.noPlaceToday : words.noPlaces }
            p { model.hasOthers ? words.noPlaceTodayDetail : words.noPlacesDetail }
            if let address = model.address, !model.hasOthers {
                p { words.tellAddress }
                p(.css("address")) { bdi { address } }
            }
            a(.css("button quiet"), .href(AccountSection.profile.path)) { words.account }
        }
    }

    private static func card(_ place: Place, _ words: PagesWords, _ language: Language) -> HTML {
        Frame.joined(
            Part.kind(place.kind),
            div(.css("card-words")) {
                p(.css("kind-word")) { words.kind(place.kind.rawValue) }
                h2 { a(.css("whole"), .href(place.href)) { bdi { place.name } } }
                if place.isLocked {
                    p { Part.chip(.wait, PasskeyWords.in(language).locked) }
                } else {
                    p(.css("soft sentence")) { bdi { place.role } }
                }
                if let first = place.first {
                    div(.css("first")) {
                        p {
                            Part.chip(first.tone, first.state)
                            " "
                            span(.css("soft")) { bdi { first.name } }
                        }
                        if let open = first.open {
                            a(.css("button quiet"), .href(first.href), .aria("label", "\(open), \(place.name)")) {
                                open
                            }
                        }
                    }
                }
            })
    }
}
