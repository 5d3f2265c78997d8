import Accounts
import Identity

/// A page that says one thing: not found, not open to you, not accepted, restarting.
public enum MessageView {
    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// What happened.
        public var title: String
        /// What it means, and what to do.
        public var detail: String
        /// The one thing to do, if there is one.
        public var action: (href: LocalPath, label: String)?
        /// The colour of the sign.
        public var tone: Tone

        /// A message; at rest unless told.
        public init(
            language: Language, title: String, detail: String, action: (href: LocalPath, label: String)? = nil,
            tone: Tone = .idle
        ) {
            self.language = language
            self.title = title
            self.detail = detail
            self.action = action
            self.tone = tone
        }

        /// Nothing at this address.
        public static func notFound(_ language: Language) -> Model {
            let words = PagesWords.in(language)
            return Model(
                language: language, title: words.notFound, detail: words.notFoundDetail, action: ("/", words.home))
        }

        /// The permission does not include it.
        public static func forbidden(_ language: Language) -> Model {
            let words = PagesWords.in(language)
            return Model(
                language: language, title: words.forbidden, detail: words.forbiddenDetail,
                action: ("/", words.home), tone: .no)
        }

        /// The request was not accepted: another origin, a form that was too large.
        public static func refused(_ language: Language) -> Model {
            let words = PagesWords.in(language)
            return Model(
                language: language, title: words.refused, detail: words.refusedDetail, action: ("/", words.home),
                tone: .no)
        }

        /// A file or a form is larger than the hub takes.
        public static func tooLarge(_ language: Language) -> Model {
            let words = PagesWords.in(language)
            return Model(
                language: language, title: words.tooLarge, detail: words.tooLargeDetail, action: ("/", words.home),
                tone: .no)
        }

        /// The hub comes back in a moment.
        public static func restarting(_ language: Language, again path: LocalPath = "/") -> Model {
            let words = PagesWords.in(language)
            return Model(
                language: language, title: words.restarting, detail: words.restartingDetail,
                action: (path, words.tryAgain), tone: .wait)
        }

        /// The hub has no room to write anything down.
        public static func diskFull(_ language: Language) -> Model {
            let words = PagesWords.in(language)
            return Model(
                language: language, title: words.diskFull, detail: words.diskFullDetail, action: ("/", words.home),
                tone: .wait)
        }

        /// A limit was met; after so many seconds there is room again, when that is known.
        public static func tooMuch(_ language: Language, again path: LocalPath = "/", wait seconds: Int? = nil) -> Model
        {
            let words = PagesWords.in(language)
            return Model(
                language: language, title: words.tooMuch,
                detail: seconds.map { words.tooManyAttempts(PagesWords.wait($0)) } ?? words.tooMuchDetail,
                action: (path, words.tryAgain), tone: .wait)
        }
    }

    /// Draws the page in its model's language.
    public static func page(_ model: Model) -> HTML {
        Frame.threshold(
            title: model.title, language: model.language, tone: model.tone,
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { model.title }
                p(.css("lead")) { model.detail }
                if let action = model.action {
                    p { a(.css("button"), .href(action.href)) { action.label } }
                }
            })
    }
}
