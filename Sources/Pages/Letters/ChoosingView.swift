import Accounts
import Identity

/// What the link of a letter leads to: choose a password, for an account that there is or for a new one.
enum ChoosingView {
    /// What the page shows.
    struct Model: Sendable {
        var language: Language
        /// The link's secret: it goes on in a hidden field.
        var token: String
        /// For which address.
        var email: String
        /// What the person of a new account is called; nil for an account that there is.
        var name: String?
        /// Whether nobody had confirmed that address: then what others may have added to the account goes.
        var isTakenOver = false
        /// Why the whole was not accepted.
        var problem: String?
        /// Why a field was not accepted, by its name in the form.
        var refused: [String: String] = [:]
    }

    /// A form `POST /reset` with `token` and `password`, or `POST /register/confirm` with `name` beside.
    static func page(_ model: Model) -> HTML {
        let (words, common) = (LetterPagesWords.in(model.language), PagesWords.in(model.language))
        let isNew = model.name != nil
        let title = isNew ? words.finish : words.newPassword
        return Frame.threshold(
            title: title, language: model.language,
            path: isNew ? "/register/\(model.token)" : "/reset/\(model.token)", modules: ["show-password"],
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { title }
                p(.css("soft")) { isNew ? words.finishIntro(model.email) : words.newPasswordIntro(model.email) }
                if model.isTakenOver { p { words.takenOver } }
                if let problem = model.problem { Part.notice(.no, problem) }
                if !model.refused.isEmpty { Part.notice(.no, common.checkFields) }
                form(.css("stack"), .method(.post), .action(isNew ? "/register/confirm" : "/reset")) {
                    input(.type(.hidden), .name("token"), .value(model.token))
                    // Not for people: so that a browser keeps the password with the address that it belongs to.
                    input(
                        .type(.email), .name("email"), .value(model.email), .autocomplete("username"), .hidden(true))
                    if let name = model.name {
                        Part.field(
                            common.yourName, name: "name", value: name, autocomplete: "name",
                            refused: model.refused["name"], longest: 120)
                    }
                    island("show-password", .data("show", common.showPassword), .data("hide", common.hidePassword)) {
                        Part.field(
                            common.password, name: "password", kind: .password, autocomplete: "new-password",
                            hint: PasswordWords.in(model.language).rule, refused: model.refused["password"],
                            longest: 1_000)
                    }
                    button(.type(.submit)) { isNew ? words.finishButton : words.newPassword }
                }
            })
    }
}
