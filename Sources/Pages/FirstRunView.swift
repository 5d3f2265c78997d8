import Accounts
import Identity

/// The first page of a new hub: whoever brings the code of the data folder becomes the owner.
public enum FirstRunView {
    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// What was typed before; the code and the password are typed again after a refusal if the caller says so.
        public var code: String
        /// The owner's name.
        public var name: String
        /// The owner's email.
        public var email: String
        /// What the first site is.
        public var siteKind = SiteKind.company
        /// The name of the first site.
        public var siteName: String
        /// The chosen time zone, such as `Europe/Rome`.
        public var timeZone: String
        /// All time zones to choose from.
        public var timeZones: [String]
        /// Why a field was not accepted, by its name in the form.
        public var refused: [String: String]

        /// Everything but the language and the time zones may stay out.
        public init(
            language: Language, code: String = "", name: String = "", email: String = "", siteName: String = "",
            timeZone: String, timeZones: [String], refused: [String: String] = [:]
        ) {
            self.language = language
            self.code = code
            self.name = name
            self.email = email
            self.siteName = siteName
            self.timeZone = timeZone
            self.timeZones = timeZones
            self.refused = refused
        }
    }

    /// A form `POST /first-run` with `code`, `name`, `email`, `password`, `kind`, `site`, `timezone`.
    public static func page(_ model: Model) -> HTML {
        let words = PagesWords.in(model.language)
        let zones = model.timeZones.contains(model.timeZone) ? model.timeZones : [model.timeZone] + model.timeZones
        return Frame.threshold(
            title: words.firstRun, language: model.language, path: "/first-run",
            modules: ["show-password"],
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.firstRun }
                p(.css("soft")) { words.firstRunIntro }
                if !model.refused.isEmpty { Part.notice(.no, words.checkFields) }
                form(.css("stack"), .method(.post), .action("/first-run")) {
                    Part.field(
                        words.setupCode, name: "code", value: model.code, hint: words.setupCodeHint,
                        refused: model.refused["code"], verbatim: true)
                    you(model, words)
                    fieldset {
                        legend { words.firstSite }
                        Part.choice(
                            words.siteKind, name: "kind",
                            options: SiteKind.allCases.map { ($0.rawValue, words.kind($0.rawValue)) },
                            chosen: model.siteKind.rawValue)
                        Part.field(
                            words.siteName, name: "site", value: model.siteName, autocomplete: "organization",
                            hint: words.siteNameHint, refused: model.refused["site"])
                        Part.choice(
                            words.timeZone, name: "timezone", options: zones.map { ($0, $0) }, chosen: model.timeZone,
                            hint: words.timeZoneHint, refused: model.refused["timezone"])
                    }
                    button(.type(.submit)) { words.create }
                }
            })
    }

    private static func you(_ model: Model, _ words: PagesWords) -> HTML {
        fieldset {
            legend { words.you }
            Part.field(
                words.yourName, name: "name", value: model.name, autocomplete: "name", refused: model.refused["name"])
            Part.field(
                words.email, name: "email", kind: .email, value: model.email, autocomplete: "username",
                refused: model.refused["email"], verbatim: true)
            island("show-password", .data("show", words.showPassword), .data("hide", words.hidePassword)) {
                Part.field(
                    words.password, name: "password", kind: .password, autocomplete: "new-password",
                    hint: PasswordWords.in(model.language).rule, refused: model.refused["password"], longest: 1_000)
            }
        }
    }
}
