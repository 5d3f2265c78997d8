import Accounts
import Identity

/// The page for what is not on the device while the hub cannot be reached.
public enum OfflineView {
    /// A page that may have been kept.
    public struct Link: Sendable {
        /// Where it is.
        public var href: LocalPath
        /// What it is.
        public var label: String
        /// The place that it is about.
        public var place: String

        /// A page that may have been kept.
        public init(href: LocalPath, label: String, place: String) {
            self.href = href
            self.label = label
            self.place = place
        }
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// All pages of the person's places; the module `saved-page` shows those that were kept.
        public var links: [Link]

        /// The page of a person; without links for nobody.
        public init(language: Language, links: [Link]) {
            self.language = language
            self.links = links
        }
    }

    /// Draws the page in its model's language.
    public static func page(_ model: Model) -> HTML {
        let words = ShellWords.in(model.language)
        return Frame.threshold(
            title: words.offline, language: model.language, tone: .wait, modules: ["saved-page"], isSaved: true,
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.offline }
                p(.css("lead")) { words.offlineDetail }
                island("saved-links", .css("stack")) {
                    p(.css("soft"), .data("part", "nothing"), .hidden(true)) { words.nothingSaved }
                    div(.css("stack"), .data("part", "links"), .hidden(true)) {
                        h2 { words.savedHere }
                        ul(.css("stack")) {
                            for link in model.links {
                                li {
                                    a(.css("button quiet"), .href(link.href)) {
                                        span {
                                            bdi { link.label }
                                            " · "
                                            bdi { link.place }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                island("saved-page", .hidden(true)) {}
            })
    }
}
