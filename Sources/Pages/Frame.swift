import Accounts
import Identity

/// One entry of the main list of links.
public struct NavItem: Sendable, Hashable {
    /// Where it leads.
    public let href: LocalPath
    /// One short word: five of them share the width of a phone.
    public let label: String
    /// Whether the page belongs to it.
    public let isCurrent: Bool
    /// What the site is that it belongs to; nil for a link of no site.
    public let kind: SiteKind?

    /// An entry; the current one is marked for eyes and for screen readers.
    public init(href: LocalPath, label: String, isCurrent: Bool = false, kind: SiteKind? = nil) {
        self.href = href
        self.label = label
        self.isCurrent = isCurrent
        self.kind = kind
    }
}

/// What stands around every page: document, title, main links, the person's corner.
public enum Frame {
    /// How wide a page thinks.
    public enum Style: String, Sendable {
        /// One column, read on a phone; on a desk it stays narrow.
        case phone
        /// Tables; on a desk it takes the width.
        case desk
    }

    /// A whole document.
    /// - Parameters:
    ///   - title: What the page is about; its `h1`.
    ///   - place: The site acted upon, always visible above the title.
    ///   - navigation: At most five entries: a bar at the thumb on a phone, a list at the side on a desk.
    ///   - person: Who is signed in; nil shows neither corner nor sign-out.
    ///   - path: The page itself, where the language chooser returns to.
    ///   - back: Where one came from: an arrow before the title.
    ///   - live: Whether the page follows the live stream. A desk page always says how the connection is, a phone page
    ///     when it is lost.
    ///   - modules: Names of modules in `/static`, without `.js`.
    ///   - hasLanguages: Whether the page exists in every language; the demo's own page does not.
    ///   - keep: Pages to keep on the device for when the hub cannot be reached, this one first.
    ///   - saved: For the form of the page that is kept: it says so, and offers nothing that needs the hub.
    ///   - actions: Links or buttons beside the title.
    public static func page(
        title: String,
        place: String? = nil,
        language: Language,
        navigation: [NavItem] = [],
        person: String? = nil,
        style: Style = .phone,
        path: LocalPath = "/",
        back: (href: LocalPath, label: String)? = nil,
        live: Bool = false,
        modules: [String] = [],
        hasLanguages: Bool = true,
        keep: [LocalPath] = [],
        saved: SavedPage? = nil,
        actions: HTML = .empty,
        content: HTML
    ) -> HTML {
        let words = PagesWords.in(language)
        var page = HTML.raw("<!doctype html>\n")
        let inside = element(
            "body", [.css(style.rawValue)],
            frame(
                title: title, place: place, words: words, language: language, navigation: navigation, person: person,
                path: path, back: back, live: live, style: style, hasLanguages: hasLanguages, saved: saved,
                actions: actions, content: content))
        // The worker is there for whoever is signed in, and nothing of it is left after them.
        let own =
            (person == nil || !hasLanguages ? [] : ["shell", "kept-form"])
            + (saved == nil ? person == nil || !hasLanguages ? [] : ["app-update"] : ["saved-page"])
        page.bytes.append(
            contentsOf: element(
                "html", [.lang(language)],
                joined(
                    head(
                        title: title, place: place.map { named($0, navigation.first?.kind, words) }, live: live,
                        modules: modules + own, isApp: hasLanguages, keep: keep, notSavedYet: words.notSavedYet,
                        path: live ? path : nil),
                    inside)
            ).bytes)
        return page
    }

    /// A page without site or person: sign-in, first run, messages. The sign stands at one side, the matter at the other.
    /// - Parameters:
    ///   - isSaved: Whether it is kept on the device: then it offers nothing that needs the hub.
    ///   - languageLinks: Languages are links (`?language=it`), for a page that keeps nothing, not even a cookie.
    public static func threshold(
        title: String,
        language: Language,
        path: LocalPath = "/",
        tone: Tone = .idle,
        modules: [String] = [],
        isSaved: Bool = false,
        languageLinks: Bool = false,
        content: HTML
    ) -> HTML {
        let words = PagesWords.in(language)
        let inside = element(
            "body", [.css("threshold")],
            joined(
                skipLink(words),
                div(.css("scene"), .aria("hidden", "true")) { Part.sign(tone, size: .big) },
                main(.id("content"), .tabindex(-1)) { content },
                isSaved ? .empty : chooser(words, current: language, path: path, areLinks: languageLinks)))
        var page = HTML.raw("<!doctype html>\n")
        page.bytes.append(
            contentsOf: element(
                "html", [.lang(language)],
                joined(
                    head(title: title, place: nil, live: false, modules: modules, isApp: !languageLinks), inside)
            ).bytes)
        return page
    }

    static func joined(_ pieces: HTML...) -> HTML {
        HTMLBuilder.buildArray(pieces)
    }

    /// - Parameters:
    ///   - isApp: whether the page belongs to the app that a phone can install; the demo's own page does not.
    ///   - path: where the page is asked for anew, also when it was the answer to a form.
    private static func head(
        title: String, place: String?, live: Bool, modules: [String], isApp: Bool = true, keep: [LocalPath] = [],
        notSavedYet: String? = nil, path: LocalPath? = nil
    ) -> HTML {
        var head = HTML.raw(
            """
            <head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">\
            <meta name="color-scheme" content="light dark">\
            <meta name="theme-color" content="#f6f4ef" media="(prefers-color-scheme: light)">\
            <meta name="theme-color" content="#151513" media="(prefers-color-scheme: dark)">\
            <link rel="icon" href="/static/icon.svg" type="image/svg+xml">\
            <link rel="stylesheet" href="/static/soglia.css">
            """)
        if isApp { head.bytes.append(contentsOf: app.bytes) }
        if let path {
            head.bytes.append("<link rel=\"canonical\"")
            Attribute.href(path).write(to: &head.bytes)
            head.bytes.append(">")
        }
        if !keep.isEmpty {
            head.bytes.append("<meta name=\"soglia-keep\"")
            Attribute("content", keep.map(\.description).joined(separator: " ")).write(to: &head.bytes)
            head.bytes.append(">")
        }
        let names = (live ? ["live"] : []) + modules
        for name in names {
            head.bytes.append("<script type=\"module\"")
            Attribute.src("/static/\(name).js").write(to: &head.bytes)
            if name == "kept-form", let notSavedYet { Attribute.data("not-saved", notSavedYet).write(to: &head.bytes) }
            head.bytes.append("></script>")
        }
        // The demo's own pages have the program for a place.
        let parts = [title, place == "Soglia" ? nil : place, "Soglia"].compactMap { $0 }
        head.bytes.append(contentsOf: element("title", [], .text(parts.joined(separator: " · "))).bytes)
        head.bytes.append("</head>")
        return head
    }

    /// The manifest is asked for with the cookies, so that it comes in the person's language. Safari takes its icon and its
    /// title from here.
    private static let app = HTML.raw(
        """
        <link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">\
        <link rel="apple-touch-icon" href="/static/icon-180.png">\
        <meta name="mobile-web-app-capable" content="yes">\
        <meta name="apple-mobile-web-app-capable" content="yes">\
        <meta name="apple-mobile-web-app-title" content="Soglia">
        """)

    private static func skipLink(_ words: PagesWords) -> HTML {
        a(.css("skip"), .href(fragment: "content")) { words.skip }
    }

    private static func frame(
        title: String, place: String?, words: PagesWords, language: Language, navigation: [NavItem], person: String?,
        path: LocalPath, back: (href: LocalPath, label: String)?, live: Bool, style: Style, hasLanguages: Bool,
        saved: SavedPage?, actions: HTML, content: HTML
    ) -> HTML {
        let corner = footer(.css("account"), .aria("label", words.account)) {
            if let person {
                if saved != nil {
                    p(.css("who")) { bdi { person } }
                    p(.css("soft")) { ShellWords.in(language).signOutNeedsHub }
                } else {
                    p(.css("who")) { a(.href(AccountSection.profile.path)) { bdi { person } } }
                    if path != InboxView.path { p { a(.href(InboxView.path)) { NoticesWords.in(language).title } } }
                    form(.method(.post), .action("/sign-out")) {
                        button(.css("quiet"), .type(.submit)) { words.signOut }
                    }
                }
            }
            if hasLanguages, saved == nil { languages(words, current: language, path: path) }
        }
        return joined(
            skipLink(words),
            navigation.isEmpty
                ? .empty
                : nav(.css("links"), .aria("label", words.navigation)) {
                    p(.css("brand")) {
                        navigation.first?.kind.map { Part.kind($0) } ?? Part.sign(.idle)
                        span { bdi { place ?? "Soglia" } }
                    }
                    ul {
                        for item in navigation {
                            li {
                                a(.href(item.href), .aria("current", item.isCurrent ? "page" : nil)) { item.label }
                            }
                        }
                    }
                },
            main(.id("content"), .tabindex(-1)) {
                header(.css("top")) {
                    if let back { a(.css("back"), .href(back.href)) { span { back.label } } }
                    div(.css("heading")) {
                        if let place { whereabouts(place, navigation.first?.kind, words, isSaved: saved != nil) }
                        h1 { bdi { title } }
                    }
                    if live { liveState(words, always: style == .desk) }
                    if !actions.isEmpty { div(.css("actions")) { actions } }
                }
                if let saved {
                    island(
                        "saved-page", .css("notice wait"), .role("status"), .data("day", saved.day),
                        .data("today", saved.today), .data("zone", saved.zone)
                    ) { saved.later }
                }
                content
                p(.css("unseen"), .id("voice"), .role("status")) {}
            },
            person == nil || !hasLanguages || saved != nil ? .empty : Part.update(language),
            person == nil && !hasLanguages ? .empty : corner)
    }

    /// The site with what it is, for the title of the window.
    private static func named(_ place: String, _ kind: SiteKind?, _ words: PagesWords) -> String {
        kind.map { "\(place) (\(words.kind($0.rawValue)))" } ?? place
    }

    /// Which site is acted upon, and what it is; the way to the others.
    private static func whereabouts(
        _ place: String, _ kind: SiteKind?, _ words: PagesWords, isSaved: Bool
    ) -> HTML {
        guard let kind else { return p(.css("where")) { bdi { place } } }
        let name = joined(
            Part.kind(kind, isSmall: true), bdi { place },
            span(.css("kind-word")) { words.kind(kind.rawValue) })
        return p(.css("where")) {
            if isSaved {
                span(.css("switch")) { name }
            } else {
                a(.css("switch"), .href(PlacesView.path)) {
                    name
                    span(.css("unseen")) { words.switchPlace }
                }
            }
        }
    }

    private static func liveState(_ words: PagesWords, always: Bool) -> HTML {
        island(
            "live-state", .hidden(true), .css("chip idle"), .data("show", always ? "always" : "lost"),
            .data("live", words.live),
            .data("connecting", words.connecting), .data("lost", words.connectionLost),
            .data("ended", words.signedOutHere)
        ) { words.connecting }
    }

    private static func chooser(
        _ words: PagesWords, current: Language, path: LocalPath, areLinks: Bool
    ) -> HTML {
        footer(.css("account")) {
            if areLinks {
                links(words, current: current, path: path)
            } else {
                languages(words, current: current, path: path)
            }
        }
    }

    private static func links(_ words: PagesWords, current: Language, path: LocalPath) -> HTML {
        nav(.css("languages"), .aria("label", words.language)) {
            for language in Language.allCases {
                a(
                    .css("button plain"), .href(path.adding("language", language.rawValue)), .lang(language),
                    .aria("current", language == current ? "true" : nil)
                ) { language.ownName }
            }
        }
    }

    private static func languages(_ words: PagesWords, current: Language, path: LocalPath) -> HTML {
        form(.css("languages"), .method(.post), .action("/language"), .aria("label", words.language)) {
            input(.type(.hidden), .name("return"), .value(path.description))
            for language in Language.allCases {
                button(
                    .css("plain"), .type(.submit), .name("language"), .value(language.rawValue), .lang(language),
                    .aria("current", language == current ? "true" : nil)
                ) { language.ownName }
            }
        }
    }
}
