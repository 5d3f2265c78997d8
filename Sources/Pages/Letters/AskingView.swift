import Accounts
import Identity

/// Ask for a letter: for a new password, or for a new account.
enum AskingView {
    /// What the letter is for.
    enum Purpose: Sendable {
        /// Another password.
        case forgotten
        /// An account.
        case register

        var path: LocalPath { self == .forgotten ? "/forgotten" : "/register" }
    }

    /// What the page shows.
    struct Model: Sendable {
        var language: Language
        var purpose: Purpose
        /// What was typed before, or empty.
        var name = ""
        var email = ""
        /// Why a field was not accepted, by its name in the form.
        var refused: [String: String] = [:]
    }

    /// A form `POST /forgotten` with `email`, or `POST /register` with `name` and `email`.
    static func page(_ model: Model) -> HTML {
        let (words, common) = (LetterPagesWords.in(model.language), PagesWords.in(model.language))
        let isNew = model.purpose == .register
        let title = isNew ? words.makeAccount : words.forgottenTitle
        return Frame.threshold(
            title: title, language: model.language, path: model.purpose.path,
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { title }
                p(.css("soft")) { isNew ? words.registerIntro : words.forgottenIntro }
                if !model.refused.isEmpty { Part.notice(.no, common.checkFields) }
                form(.css("stack"), .method(.post), .action(model.purpose.path)) {
                    if isNew {
                        Part.field(
                            common.yourName, name: "name", value: model.name, autocomplete: "name",
                            refused: model.refused["name"], longest: 120)
                    }
                    Part.field(
                        common.email, name: "email", kind: .email, value: model.email, autocomplete: "username",
                        refused: model.refused["email"], verbatim: true, longest: 254)
                    button(.type(.submit)) { words.sendLetter }
                }
                p { a(.css("button plain"), .href("/sign-in")) { words.toSignIn } }
            })
    }

    /// After the form: the same page whoever has that address.
    static func sent(_ purpose: Purpose, _ language: Language) -> HTML {
        let words = LetterPagesWords.in(language)
        return Frame.threshold(
            title: words.sent, language: language, path: purpose.path.adding("sent", "1"),
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.sent }
                p(.css("lead"), .role("status")) {
                    purpose == .register ? words.registerSent : words.forgottenSent
                }
                p { a(.css("button plain"), .href("/sign-in")) { words.toSignIn } }
            })
    }
}
