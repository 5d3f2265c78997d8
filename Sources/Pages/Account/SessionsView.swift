import Accounts
import Identity

/// Where a person is signed in, each with a way to end it.
public enum SessionsView {
    /// One session.
    public struct Row: Sendable {
        /// The session's id.
        public var id: String
        /// What it is used with, in words.
        public var client: String
        /// Whether it shows this page.
        public var isCurrent: Bool
        /// From where it was last used; nil when it is not known.
        public var address: String?
        /// When somebody signed in: exact, and in words.
        public var created: (iso: String, text: String)
        /// When it was last used: exact, and in words.
        public var seen: (iso: String, text: String)

        /// See the properties.
        public init(
            id: String, client: String, isCurrent: Bool, address: String?, created: (iso: String, text: String),
            seen: (iso: String, text: String)
        ) {
            (self.id, self.client, self.isCurrent, self.address) = (id, client, isCurrent, address)
            (self.created, self.seen) = (created, seen)
        }
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// This one first, then the last used.
        public var rows: [Row]
        /// Something that happened.
        public var notice: String?

        /// See the properties.
        public init(language: Language, person: String, rows: [Row], notice: String? = nil) {
            (self.language, self.person, self.rows, self.notice) = (language, person, rows, notice)
        }
    }

    static let path: LocalPath = "/account/sessions"

    /// The page; forms `POST /account/sessions/{id}/end` and `POST /account/sessions/end-others`.
    public static func page(_ model: Model) -> HTML {
        let words = AccountWords.in(model.language)
        return AccountSection.sessions.page(
            title: words.title, person: model.person, model.language, modules: [PushSettingsView.module]
        ) {
            if let notice = model.notice { Part.notice(.go, notice) }
            p(.css("soft")) { words.intro }
            ul(.css("cards")) {
                for row in model.rows { li(.css("card")) { card(row, words) } }
            }
            // Also where no other is listed: a copy of this one is none.
            p(.css("soft")) { words.endOthersAbout }
            div(.css("actions")) {
                form(.method(.post), .action("/account/sessions/end-others")) {
                    button(.css("quiet"), .type(.submit)) { words.endOthers }
                }
                a(.css("button quiet"), .href("/account/password")) { words.changePassword }
            }
            PushSettingsView.part(model.language)
        }
    }

    private static func card(_ row: Row, _ words: AccountWords) -> HTML {
        let ending: LocalPath = "/account/sessions/\(row.id)/end"
        return HTMLBuilder.buildArray([
            div(.css("card-words")) {
                h2 { bdi { row.client } }
                if row.isCurrent { p { Part.chip(.go, words.thisBrowser) } }
                p(.css("soft sentence")) {
                    Part.moment(row.seen.iso, words.lastUsed(row.seen.text))
                    if let address = row.address {
                        ", "
                        bdi { words.from(address) }
                    }
                }
                p(.css("soft sentence")) { Part.moment(row.created.iso, words.signedIn(row.created.text)) }
            },
            row.isCurrent
                ? .empty
                : form(.method(.post), .action(ending)) {
                    button(.css("quiet"), .type(.submit), .aria("label", "\(words.end): \(row.client)")) { words.end }
                },
        ])
    }
}
