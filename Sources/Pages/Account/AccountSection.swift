import Accounts
import Identity

/// The parts of one's own account, in the order of their tabs.
public enum AccountSection: CaseIterable, Sendable {
    /// Photo, name, languages, time zone, one's sites.
    case profile
    /// Password, passkeys, linked services.
    case ways
    /// Where one is signed in, and which devices get pushes.
    case sessions
    /// What is told how and when.
    case notices
    /// Everything that is known of one, and the way out.
    case data

    /// Its page.
    public var path: LocalPath {
        switch self {
        case .profile: "/account"
        case .ways: "/account/ways"
        case .sessions: "/account/sessions"
        case .notices: "/account/notices"
        case .data: "/account/data"
        }
    }

    /// The page on which somebody shows a passkey, and which leads back.
    public static func proving(to back: LocalPath) -> LocalPath { ProvingPages.strong(to: back) }

    /// Its tab.
    func label(_ words: AccountWords) -> String {
        switch self {
        case .profile: words.profileTab
        case .ways: words.waysTab
        case .sessions: words.sessionsTab
        case .notices: words.noticesTab
        case .data: words.dataTab
        }
    }

    /// A page of the account, with its tabs.
    /// - Parameters:
    ///   - title: what the page is about.
    ///   - person: who is signed in.
    ///   - path: the page itself, where it is not the first of its part.
    ///   - back: where one came from; home unless told.
    public func page(
        title: String, person: String, _ language: Language, path: LocalPath? = nil,
        back: (href: LocalPath, label: String)? = nil, live: Bool = false, modules: [String] = [],
        @HTMLBuilder content: () -> HTML
    ) -> HTML {
        let (words, common) = (AccountWords.in(language), PagesWords.in(language))
        return Frame.page(
            title: title, language: language, person: person, path: path ?? self.path, back: back ?? ("/", common.home),
            live: live, modules: modules,
            content: div(.css("pile")) {
                Part.tabs(
                    words.account,
                    Self.allCases.map { NavItem(href: $0.path, label: $0.label(words), isCurrent: $0 == self) })
                content()
            })
    }
}
