import Accounts
import Identity

/// Another password, for whoever knows the one that there is.
public enum PasswordView {
    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// Their address, for the browser that keeps passwords.
        public var email: String
        /// Why the whole was not accepted.
        public var refused: String?
        /// Why a field was not accepted, by its name in the form.
        public var refusedFields: [String: String]

        /// See the properties.
        public init(
            language: Language, person: String, email: String, refused: String? = nil,
            refusedFields: [String: String] = [:]
        ) {
            (self.language, self.person, self.email) = (language, person, email)
            (self.refused, self.refusedFields) = (refused, refusedFields)
        }
    }

    /// A form `POST /account/password` with `current` and `password`.
    public static func page(_ model: Model) -> HTML {
        let (words, common) = (AccountWords.in(model.language), PagesWords.in(model.language))
        return Frame.page(
            title: words.changePassword, language: model.language, person: model.person, path: "/account/password",
            back: (SessionsView.path, words.title), modules: ["show-password"],
            content: div(.css("pile narrow")) {
                if let refused = model.refused { Part.notice(.no, refused) }
                if !model.refusedFields.isEmpty { Part.notice(.no, common.checkFields) }
                p(.css("soft")) { words.changePasswordIntro }
                form(.css("stack"), .method(.post), .action("/account/password")) {
                    // Not for people: so that a browser changes the password that it keeps, and keeps no second one.
                    input(
                        .type(.email), .name("email"), .value(model.email), .autocomplete("username"), .hidden(true))
                    island("show-password", .data("show", common.showPassword), .data("hide", common.hidePassword)) {
                        Part.field(
                            words.currentPassword, name: "current", kind: .password, autocomplete: "current-password",
                            refused: model.refusedFields["current"], longest: 1_000)
                    }
                    island("show-password", .data("show", common.showPassword), .data("hide", common.hidePassword)) {
                        Part.field(
                            words.newPassword, name: "password", kind: .password, autocomplete: "new-password",
                            hint: words.newPasswordRule, refused: model.refusedFields["password"], longest: 1_000)
                    }
                    div(.css("thumb")) { button(.type(.submit)) { words.changePassword } }
                }
            })
    }
}
