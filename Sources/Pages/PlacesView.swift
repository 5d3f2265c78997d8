import Accounts

/// The person's sites: shown only to whoever has more than one, or none.
public enum PlacesView {
    /// One site as its member sees it.
    public struct Place: Sendable {
        /// The site's id.
        public var id: String
        /// The site's name.
        public var name: String
        /// `company`, `building`, `centre` or `home`.
        public var kind: String
        /// What the person is there, in words.
        public var role: String
        /// Where the place begins.
        public var href: LocalPath
        /// Whether it asks for a passkey first.
        public var isLocked: Bool

        /// A place.
        public init(id: String, name: String, kind: String, role: String, href: LocalPath, isLocked: Bool = false) {
            self.id = id
            self.name = name
            self.kind = kind
            self.role = role
            self.href = isLocked ? ProvingPages.strong(to: href) : href
            self.isLocked = isLocked
        }
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// In the order to show.
        public var places: [Place]

        /// The page of a person.
        public init(language: Language, person: String, places: [Place]) {
            self.language = language
            self.person = person
            self.places = places
        }
    }

    /// The page.
    public static func page(_ model: Model) -> HTML {
        let words = PagesWords.in(model.language)
        return Frame.page(
            title: words.places, language: model.language, person: model.person, style: .phone, path: "/",
            content: model.places.isEmpty
                ? Part.empty(title: words.noPlaces, detail: words.noPlacesDetail)
                : ul(.class("cards")) {
                    for place in model.places {
                        li(.class("card")) {
                            Part.sign(.idle)
                            div(.class("card-words")) {
                                h2 { a(.class("whole"), .href(place.href)) { bdi { place.name } } }
                                if place.isLocked {
                                    p { Part.chip(.wait, PasskeyWords.in(model.language).locked) }
                                } else {
                                    p(.class("soft")) {
                                        words.kind(place.kind)
                                        " · "
                                        bdi { place.role }
                                    }
                                }
                            }
                        }
                    }
                })
    }
}
