import Accounts
import Identity
import System

/// One's own profile: photo, name, language, time zone, and where one has a part.
public enum ProfileView {
    /// A site, and what the person is there.
    public struct Place: Sendable {
        /// The site's name.
        public var name: String
        /// What it is.
        public var kind: SiteKind
        /// What the person is there, in words.
        public var parts: [String]
        /// Whether any part holds today.
        public var isCurrent: Bool
        /// Where it begins.
        public var href: LocalPath
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: Person
        /// As the field shows it: what was refused stays there.
        public var name: String
        /// Where the photo is; nil when there is none.
        public var photo: LocalPath?
        /// By name.
        public var places: [Place]
        /// Something that happened.
        public var notice: String?
        /// Why the photo was not kept.
        public var refusedPhoto: String?
        /// Why the name will not do.
        public var refusedName: String?

        /// The page as it is.
        public init(language: Language, person: Person, photo: LocalPath?, places: [Place]) {
            (self.language, self.person, self.photo, self.places) = (language, person, photo, places)
            name = person.name
        }
    }

    static let photoPath: LocalPath = "/account/photo"

    /// Forms `POST /account` (name, language, zone), `POST /account/photo` (multipart, `photo`) and `POST /account/photo/remove`.
    public static func page(_ model: Model) -> HTML {
        let (words, common) = (ProfileWords.in(model.language), PagesWords.in(model.language))
        return AccountSection.profile.page(
            title: words.title, person: model.person.name, model.language, modules: ["zone-here"]
        ) {
            if let notice = model.notice { Part.notice(.go, notice) }
            if let refused = model.refusedPhoto { Part.notice(.no, refused) }
            if model.refusedName != nil { Part.notice(.no, common.checkFields) }
            div(.css("profile")) {
                photo(model, words)
                about(model, words, common)
                places(model, words, common)
            }
        }
    }

    private static func photo(_ model: Model, _ words: ProfileWords) -> HTML {
        section(.css("plate portrait-plate"), .aria("labelledby", "photo-title")) {
            div(.css("row")) {
                Part.portrait(
                    of: model.person.name, photo: model.photo, label: words.photoOf(model.person.name), isLarge: true)
                div(.css("card-words")) {
                    h2(.id("photo-title")) { words.photo }
                    p(.css("soft")) { words.photoHint }
                }
            }
            form(.css("stack tight"), .method(.post), .action(photoPath), .multipart) {
                div(.css("row-field")) {
                    label(.for("photo")) { words.chooseFile }
                    input(
                        .css("field"), .id("photo"), .name("photo"), .type(.file),
                        .accept("image/jpeg,image/png,image/webp"), .required(true))
                }
                div(.css("row")) {
                    button(.css("quiet"), .type(.submit)) { words.keepPhoto }
                }
            }
            if model.photo != nil {
                form(.method(.post), .action(photoPath.under("remove"))) {
                    button(.css("plain"), .type(.submit)) { words.removePhoto }
                }
            }
        }
    }

    private static func about(_ model: Model, _ words: ProfileWords, _ common: PagesWords) -> HTML {
        let person = model.person
        return section(.css("plate"), .aria("labelledby", "about-title")) {
            h2(.id("about-title")) { words.about }
            form(.css("stack"), .method(.post), .action(AccountSection.profile.path)) {
                Part.field(
                    common.yourName, name: "name", value: model.name, autocomplete: "name", hint: words.nameHint,
                    refused: model.refusedName, longest: GivenName.longestOfPerson)
                div(.css("row-field")) {
                    p(.css("label")) { words.address }
                    p { bdi { person.address ?? words.noAddress } }
                    p { a(.href(AddressView.path)) { LetterPagesWords.in(model.language).address } }
                }
                Part.choice(
                    common.language, name: "language",
                    options: [("", words.languageOfBrowser)] + Language.allCases.map { ($0.rawValue, $0.ownName) },
                    chosen: person.language ?? "")
                island("zone-here", .data("here", words.zoneHere)) {
                    Part.choice(
                        common.timeZone, name: "zone",
                        options: [("", words.zoneOfPlaces)] + Zone.allNames.map { ($0, $0) },
                        chosen: person.zone?.name ?? "", hint: words.zoneHint)
                }
                div(.css("thumb")) { button(.type(.submit)) { common.save } }
            }
        }
    }

    private static func places(_ model: Model, _ words: ProfileWords, _ common: PagesWords) -> HTML {
        section(.css("plate"), .aria("labelledby", "places-title")) {
            h2(.id("places-title")) { words.places }
            if model.places.isEmpty {
                p(.css("soft")) { words.noPlaces }
            } else {
                ul(.css("rows")) {
                    for place in model.places {
                        li {
                            Part.kind(place.kind)
                            div(.css("card-words")) {
                                p { a(.css("strong"), .href(place.href)) { bdi { place.name } } }
                                p(.css("soft")) {
                                    common.kind(place.kind.rawValue)
                                    " · "
                                    bdi { place.parts.joined(separator: ", ") }
                                    if !place.isCurrent { " · " + words.notToday }
                                }
                            }
                        }
                    }
                }
            }
            p { a(.css("button quiet"), .href(PlacesView.path)) { words.allPlaces } }
        }
    }
}
