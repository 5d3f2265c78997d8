import Accounts
import Identity

/// What every page of a place is given: who looks at it, in which language, at which site, with which main links.
public struct Surroundings: Sendable {
    /// The page's language.
    public let language: Language
    /// Who is signed in.
    public let person: String
    /// The site's id.
    public let siteID: String
    /// The site's name, above every title.
    public let siteName: String
    /// The main links.
    public let navigation: [NavItem]

    /// See the properties.
    public init(language: Language, person: String, siteID: String, siteName: String, navigation: [NavItem]) {
        self.language = language
        self.person = person
        self.siteID = siteID
        self.siteName = siteName
        self.navigation = navigation
    }

    /// A page of the place, for a desk and a phone.
    public func page(
        title: String, path: LocalPath, back: (href: LocalPath, label: String)? = nil, live: Bool = false,
        modules: [String] = [], actions: HTML = .empty, @HTMLBuilder content: () -> HTML
    ) -> HTML {
        Frame.page(
            title: title, place: siteName, language: language, navigation: navigation, person: person, style: .desk,
            path: path, back: back, live: live, modules: modules, actions: actions, content: content())
    }
}
