import Accounts
import Identity

/// The way in: email and password.
public enum SignInView {
    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// What was typed before, or empty.
        public var email: String
        /// How the session before ended.
        public var ending: Ending?
        /// Why the last attempt was not accepted.
        public var refused: String?
        /// Where to go afterwards; anything but a local path becomes `/`.
        public var returnPath: String
        /// The services that one may sign in by instead.
        public var services: [ServiceButton]
        /// What else somebody can do who cannot sign in.
        public var links: [(href: LocalPath, label: String)]
        /// Whether this hub can have passkeys at the address that it was asked at.
        public var hasPasskeys = false

        /// Everything but the language may stay out.
        public init(
            language: Language, email: String = "", ending: Ending? = nil, refused: String? = nil,
            returnPath: String = "/", services: [ServiceButton] = [],
            links: [(href: LocalPath, label: String)] = []
        ) {
            self.language = language
            self.email = email
            self.ending = ending
            self.refused = refused
            self.returnPath = returnPath
            self.services = services
            self.links = links
        }
    }

    /// How a session ended, as the address of the page says it.
    public enum Ending: String, Sendable, CaseIterable {
        /// Its holder signed out.
        case signedOut = "1"
        /// Its holder removed the way in that had opened it.
        case withItsWay = "way"
        /// By another device, by another password, or by its age.
        case elsewhere
        /// So, too, and a form came too late.
        case beforeSaving = "unsaved"

        /// The sign-in that says so.
        var path: LocalPath { added(to: SignInView.path) }

        func added(to path: LocalPath) -> LocalPath { path.adding("signed-out", rawValue) }

        func words(_ language: Language) -> (tone: Tone, text: String) {
            let words = PagesWords.in(language)
            return switch self {
            case .signedOut: (.go, words.signedOut)
            case .withItsWay: (.go, WaysWords.in(language).removedAndOut)
            case .elsewhere: (.wait, words.sessionEnded)
            case .beforeSaving: (.wait, words.sessionEndedUnsaved)
            }
        }
    }

    static let path: LocalPath = "/sign-in"

    /// A form `POST /sign-in` with `email`, `password`, `return`.
    public static func page(_ model: Model) -> HTML {
        let words = PagesWords.in(model.language)
        let back = LocalPath(model.returnPath) ?? "/"
        return Frame.threshold(
            title: words.signIn, language: model.language,
            path: back == "/" ? "/sign-in" : Self.path.adding("return", back.description),
            modules: ["show-password", "kept-form"] + (model.hasPasskeys ? ["passkey-sign-in"] : []),
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.signIn }
                p(.css("soft")) { words.signInIntro }
                if let (tone, text) = model.ending?.words(model.language) { Part.notice(tone, text) }
                if let refused = model.refused { Part.notice(.no, refused) }
                form(.css("stack"), .method(.post), .action("/sign-in")) {
                    input(.type(.hidden), .name("return"), .value(back.description))
                    Part.field(
                        words.email, name: "email", kind: .email, value: model.email,
                        autocomplete: model.hasPasskeys ? "username webauthn" : "username", verbatim: true)
                    island(
                        "show-password", .data("show", words.showPassword), .data("hide", words.hidePassword)
                    ) {
                        Part.field(
                            words.password, name: "password", kind: .password, autocomplete: "current-password",
                            longest: 1_000)
                    }
                    button(.type(.submit)) { words.signIn }
                }
                if model.hasPasskeys { PasskeysView.control(for: .signIn, to: back, isStrong: false, model.language) }
                if !model.services.isEmpty { byOthers(model, back) }
                if !model.links.isEmpty {
                    ul(.css("other-ways")) {
                        for link in model.links { li { a(.href(link.href)) { link.label } } }
                    }
                }
            })
    }

    /// Forms `POST /sign-in/by/{id}` with `return`.
    private static func byOthers(_ model: Model, _ back: LocalPath) -> HTML {
        let words = SignInByWords.in(model.language)
        return div(.css("by-others")) {
            p(.css("or")) { words.or }
            for service in model.services {
                ServiceButton.form("/sign-in/by/\(service.id)", words.goOnWith(service.name), back: back)
            }
        }
    }
}
