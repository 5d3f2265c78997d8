import Accounts
import Identity
import Pages

/// What the code of an invitation leads to: join with an account, or choose a password for a new one.
enum JoinView {
    struct Model: Sendable {
        var language: Language
        /// It goes on in a hidden field.
        var code: String
        var site: String
        var inviter: String?
        /// As the site calls them.
        var name: String
        /// Where the letter went, or what the site wrote down.
        var address: String
        var isPaper: Bool
        /// The address that was typed, for an invitation on paper.
        var typed: String
        /// Who is signed in and may join: name and address.
        var account: (name: String, address: String)?
        /// Who is signed in and cannot join with it: name, address where they have one, and whether it is that of the letter, which they
        /// have not confirmed.
        var stranger: (name: String, address: String, isTheirs: Bool)?
        /// Whether the address of the letter is a confirmed account's.
        var holderSignsIn = false
        /// What stops working of an account that nobody has confirmed.
        var ending: [String] = []
        var problem: String?
        var refused: [String: String] = [:]
    }

    /// Forms `POST /join` with `code` and `as=account`, or with `name`, `email` and `password`.
    static func page(_ model: Model) -> HTML {
        let (words, common) = (JoinWords.in(model.language), PagesWords.in(model.language))
        return Frame.threshold(
            title: words.title(model.site), language: model.language, path: "/join/\(model.code)",
            modules: ["show-password"],
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.title(model.site) }
                p(.css("soft")) { words.intro(model.inviter, model.site) }
                p { words.isFor(model.name) }
                if let problem = model.problem { Part.notice(.no, problem) }
                if !model.refused.isEmpty { Part.notice(.no, common.checkFields) }
                if let account = model.account {
                    joining(model, account, words)
                    if model.isPaper { signOut(model, words) }
                } else if let stranger = model.stranger {
                    Part.notice(.wait, words.signedInAs(stranger.name, stranger.address))
                    p { stranger.isTheirs ? words.chooseAnew : words.sentTo(model.address) }
                    signOut(model, words)
                } else if model.holderSignsIn {
                    p { words.holderSignsIn(model.address) }
                    signIn(model, words)
                } else if model.isPaper {
                    section(.css("stack")) {
                        h2 { words.haveAccount }
                        signIn(model, words)
                    }
                    section(.css("stack")) {
                        h2 { words.haveNone }
                        choosing(model, words, common)
                    }
                } else {
                    if !model.ending.isEmpty {
                        p { words.takesOver }
                        ul { for one in model.ending { li { one } } }
                    }
                    p { words.choose(model.address) }
                    choosing(model, words, common)
                }
            })
    }

    private static func joining(
        _ model: Model, _ account: (name: String, address: String), _ words: JoinWords
    ) -> HTML {
        form(.css("stack"), .method(.post), .action("/join")) {
            input(.type(.hidden), .name("code"), .value(model.code))
            input(.type(.hidden), .name("as"), .value("account"))
            p { words.signedInAs(account.name, account.address) }
            button(.type(.submit)) { words.join(model.site) }
        }
    }

    private static func signOut(_ model: Model, _ words: JoinWords) -> HTML {
        form(.css("stack"), .method(.post), .action("/sign-out")) {
            input(.type(.hidden), .name("return"), .value("/join/\(model.code)"))
            if model.stranger?.isTheirs != true { p(.css("soft")) { words.notYou } }
            button(.css(model.account == nil ? "" : "quiet"), .type(.submit)) { words.signOutAndGoOn }
        }
    }

    private static func signIn(_ model: Model, _ words: JoinWords) -> HTML {
        form(.css("stack"), .method(.post), .action("/join")) {
            input(.type(.hidden), .name("code"), .value(model.code))
            input(.type(.hidden), .name("as"), .value("account"))
            button(.css(model.isPaper ? "quiet" : ""), .type(.submit)) { words.signIn }
        }
    }

    private static func choosing(_ model: Model, _ words: JoinWords, _ common: PagesWords) -> HTML {
        form(.css("stack"), .method(.post), .action("/join")) {
            input(.type(.hidden), .name("code"), .value(model.code))
            Part.field(
                common.yourName, name: "name", value: model.name, autocomplete: "name", refused: model.refused["name"],
                longest: 120)
            if model.isPaper {
                Part.field(
                    common.email, name: "email", kind: .email, value: model.typed, autocomplete: "username",
                    hint: words.addressHint, refused: model.refused["email"], verbatim: true)
            } else {
                // Not for people: so that a browser keeps the password with the address that it belongs to.
                input(
                    .type(.email), .name("email"), .value(model.address), .autocomplete("username"), .hidden(true))
            }
            island("show-password", .data("show", common.showPassword), .data("hide", common.hidePassword)) {
                Part.field(
                    common.password, name: "password", kind: .password, autocomplete: "new-password",
                    hint: PasswordWords.in(model.language).rule, refused: model.refused["password"], longest: 1_000)
            }
            button(.type(.submit)) { words.join(model.site) }
        }
    }

    /// A form `GET /join` with `code`, for an invitation on paper.
    /// - Parameter unknown: what was typed and is no code that opens something.
    static func typing(_ language: Language, unknown: String? = nil) -> HTML {
        let words = JoinWords.in(language)
        return Frame.threshold(
            title: words.typing, language: language, path: "/join",
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.typing }
                p(.css("soft")) { words.typingIntro }
                form(.css("stack"), .method(.get), .action("/join")) {
                    Part.field(
                        words.code, name: "code", value: unknown ?? "", refused: unknown.map { _ in words.unknownCode },
                        verbatim: true, longest: 60)
                    button(.type(.submit)) { words.next }
                }
            })
    }
}
