import Accounts
import Identity

/// Prove once more who you are.
public enum ProvingView {
    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// Their address, for the browser that keeps passwords.
        public var email: String
        /// Where to go afterwards.
        public var returnPath: LocalPath
        /// By what they can.
        public var ways: WaysIn
        /// Whether only a passkey will do.
        public var needsStrong: Bool
        /// The names of the sites that ask for a passkey which this session has not shown: until it does, none is removed or added.
        public var locked: [String] = []
        /// Whether a form was sent, whose content is lost.
        public var isAgain = false
        /// Whether this hub can have passkeys at the address that it was asked at.
        public var hasPasskeys = true
        /// Why the last attempt was not accepted.
        public var refused: String?
        /// The linked services by which they can.
        public var services: [ServiceButton] = []

        /// See the properties.
        public init(
            language: Language, person: String, email: String, returnPath: LocalPath, ways: WaysIn,
            needsStrong: Bool = false, refused: String? = nil
        ) {
            (self.language, self.person, self.email, self.returnPath) = (language, person, email, returnPath)
            (self.ways, self.needsStrong, self.refused) = (ways, needsStrong, refused)
        }
    }

    /// A form `POST /account/prove` with `password` and `return`.
    public static func page(_ model: Model) -> HTML {
        let (words, common) = (WaysWords.in(model.language), PagesWords.in(model.language))
        return Frame.page(
            title: words.proveTitle, language: model.language, person: model.person,
            path: ProvingPages.path.adding("return", model.returnPath.description), back: ("/", common.home),
            modules: ["show-password", "passkey-prove"],
            content: div(.css("pile narrow")) {
                if let refused = model.refused { Part.notice(.no, refused) }
                p(.css("soft")) { model.needsStrong ? words.proveStrongIntro : words.proveIntro }
                if model.isAgain { p { words.doAgain } }
                if model.needsStrong, model.ways.passkeys.isEmpty {
                    Part.notice(.wait, words.noPasskeyYet)
                    a(.css("button"), .href(AccountSection.ways.path)) { words.addPasskeyFirst }
                }
                if !model.ways.passkeys.isEmpty {
                    if model.hasPasskeys {
                        PasskeysView.control(
                            for: .proof, to: model.returnPath, isStrong: model.needsStrong, model.language)
                    } else if model.needsStrong {
                        Part.notice(.idle, PasskeyWords.in(model.language).cannotHere)
                    }
                }
                if model.needsStrong, !model.ways.passkeys.isEmpty { lost(model, words) }
                if model.ways.hasPassword, !model.needsStrong { password(model, words, common) }
                if !model.services.isEmpty, !model.needsStrong { services(model) }
            })
    }

    /// What is left to somebody who has lost the passkey that alone will do: what is urgent first.
    private static func lost(_ model: Model, _ words: WaysWords) -> HTML {
        section(.css("part"), .aria("labelledby", "lost")) {
            h2(.id("lost")) { words.lost }
            if model.locked.isEmpty {
                p(.css("soft")) { words.lostRemove }
                div(.css("actions")) {
                    a(.css("button quiet"), .href(AccountSection.ways.path)) { words.removePasskey }
                }
            } else {
                ol(.css("steps")) {
                    if model.ways.hasPassword { li { words.lostPassword } }
                    li { words.lostAsk(model.locked.joined(separator: ", ")) }
                    li { words.lostReplace }
                }
                if model.ways.hasPassword {
                    div(.css("actions")) {
                        a(.css("button quiet"), .href("/account/password")) {
                            AccountWords.in(model.language).changePassword
                        }
                    }
                }
            }
        }
    }

    /// Forms `POST /account/prove/by/{id}` with `return`.
    private static func services(_ model: Model) -> HTML {
        let words = SignInByWords.in(model.language)
        return div(.css("by-others")) {
            if model.ways.hasPassword { p(.css("or")) { words.or } }
            for service in model.services {
                ServiceButton.form(
                    "/account/prove/by/\(service.id)", words.proveBy(service.name), back: model.returnPath)
            }
        }
    }

    private static func password(_ model: Model, _ words: WaysWords, _ common: PagesWords) -> HTML {
        form(.css("stack"), .method(.post), .action(ProvingPages.path)) {
            input(.type(.hidden), .name("return"), .value(model.returnPath.description))
            if model.isAgain { input(.type(.hidden), .name("again"), .value("1")) }
            // Not for people: so that a browser knows which of the passwords that it keeps is meant.
            input(.type(.email), .name("email"), .value(model.email), .autocomplete("username"), .hidden(true))
            island("show-password", .data("show", common.showPassword), .data("hide", common.hidePassword)) {
                Part.field(
                    common.password, name: "password", kind: .password, autocomplete: "current-password",
                    longest: 1_000)
            }
            div(.css("thumb")) { button(.type(.submit)) { words.prove } }
        }
    }
}
