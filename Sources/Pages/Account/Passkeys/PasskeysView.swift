import Accounts
import Identity

/// Passkeys as people see them: the part of the ways in, and the page of one of them.
public enum PasskeysView {
    /// One passkey.
    public struct Row: Sendable {
        /// The passkey's id here.
        public var id: String
        /// What its person calls it.
        public var name: String
        /// When it was added: exact, and in words.
        public var added: (iso: String, text: String)
        /// When it was last used: exact, and in words; nil: never.
        public var used: (iso: String, text: String)?
        /// Whether the person's devices share it.
        public var isShared: Bool
        /// The other name of this hub under which alone it works; nil: it works here.
        public var otherHost: String?

        /// See the properties.
        public init(
            id: String, name: String, added: (iso: String, text: String), used: (iso: String, text: String)? = nil,
            isShared: Bool, otherHost: String? = nil
        ) {
            (self.id, self.name, self.added, self.used) = (id, name, added, used)
            (self.isShared, self.otherHost) = (isShared, otherHost)
        }
    }

    /// The part of the ways in.
    public struct Model: Sendable {
        /// The first added first.
        public var rows: [Row] = []
        /// What a new one may be called; nil where this hub can have none, at an address without a name or without TLS.
        public var suggestedName: String?

        /// See the properties.
        public init(rows: [Row] = [], suggestedName: String? = nil) {
            (self.rows, self.suggestedName) = (rows, suggestedName)
        }
    }

    static let modules = ["passkey-add"]
    private static let list: LocalPath = "/account/ways"

    /// The part; an island with a form that makes a new one on this device.
    static func part(_ model: Model, _ language: Language) -> HTML {
        let words = PasskeyWords.in(language)
        return section(.css("part"), .aria("labelledby", "passkeys")) {
            h2(.id("passkeys")) { words.passkeys }
            p(.css("soft")) { words.intro }
            if !model.rows.isEmpty {
                ul(.css("cards")) { for row in model.rows { li(.css("card")) { card(row, words) } } }
            }
            if let name = model.suggestedName {
                if model.rows.isEmpty { p { words.none } }
                words.forIslands
                island("passkey-add", .hidden(true), .data("return", list.adding("done", "added").description)) {
                    form(.css("stack")) {
                        Part.field(words.name, name: "name", value: name, hint: words.nameHint, longest: 80)
                        failure
                        div(.css("row")) { button(.type(.submit)) { words.add } }
                    }
                }
                p(.css("notice idle"), .data("part", "impossible")) { words.cannotInBrowser }
            } else {
                Part.notice(.idle, words.cannotHere)
            }
        }
    }

    /// Where an island says what went wrong.
    static var failure: HTML { p(.css("notice no"), .role("alert"), .data("part", "failure"), .hidden(true)) {} }

    private static func card(_ row: Row, _ words: PasskeyWords) -> HTML {
        let page: LocalPath = "/account/ways/passkeys/\(row.id)"
        return HTMLBuilder.buildArray([
            div(.css("card-words")) {
                h3 { bdi { row.name } }
                about(row, words)
            },
            a(.css("button quiet"), .href(page), .aria("label", "\(words.change): \(row.name)")) { words.change },
        ])
    }

    private static func about(_ row: Row, _ words: PasskeyWords) -> HTML {
        HTMLBuilder.buildArray([
            p(.css("soft sentence")) {
                Part.moment(row.added.iso, words.added(row.added.text))
                ", "
                if let used = row.used { Part.moment(used.iso, words.used(used.text)) } else { words.neverUsed }
            },
            p(.css("soft")) {
                row.isShared ? words.shared : words.oneDevice
                if let host = row.otherHost { " · \(words.worksAt(host))" }
            },
        ])
    }

    /// The page of one of them: forms `POST …/name` with `name`, and `POST …/remove`.
    public static func page(
        _ row: Row, person: String, refused: String? = nil, refusedName: String? = nil, _ language: Language
    ) -> HTML {
        let words = PasskeyWords.in(language)
        let own: LocalPath = "/account/ways/passkeys/\(row.id)"
        return AccountSection.ways.page(
            title: row.name, person: person, language, path: own, back: (list, WaysWords.in(language).title)
        ) {
            if let refused { Part.notice(.no, refused) }
            div { about(row, words) }
            form(.css("stack narrow"), .method(.post), .action(own.under("name"))) {
                Part.field(
                    words.name, name: "name", value: row.name, hint: words.nameHint, refused: refusedName, longest: 80)
                div(.css("row")) { button(.type(.submit)) { words.rename } }
            }
            section(.css("part narrow"), .aria("labelledby", "removing")) {
                h2(.id("removing")) { words.removing }
                p(.css("soft")) { words.removingHint }
                form(.css("row"), .method(.post), .action(own.under("remove"))) {
                    button(.css("danger"), .type(.submit)) { words.remove }
                }
            }
        }
    }

    // MARK: using one

    /// The button of the sign-in, and of the page that asks for a proof. Without script, or where the browser cannot, there is none.
    enum Use {
        case signIn, proof
    }

    static func control(for use: Use, to back: LocalPath, isStrong: Bool, _ language: Language) -> HTML {
        let words = PasskeyWords.in(language)
        let content = HTMLBuilder.buildArray([
            failure,
            button(.css(isStrong ? "" : "quiet"), .type(.button)) {
                use == .signIn ? words.signIn : words.prove
            },
        ])
        return HTMLBuilder.buildArray([
            words.forIslands,
            use == .signIn
                ? island("passkey-sign-in", .css("stack"), .hidden(true), .data("return", back.description)) {
                    content
                }
                : island("passkey-prove", .css("stack"), .hidden(true), .data("return", back.description)) {
                    content
                },
        ])
    }
}
