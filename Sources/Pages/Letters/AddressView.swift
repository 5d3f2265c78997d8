import Accounts
import Identity

/// One's own address: which it is, and how to have another.
enum AddressView {
    static let path: LocalPath = "/account/address"

    /// What the page shows.
    struct Model: Sendable {
        var language: Language
        var person: String
        /// Where letters go; nil when nobody knows.
        var email: String?
        var isConfirmed: Bool
        /// What was typed before, or what is to be confirmed.
        var typed: String
        var isSent = false
        var problem: String?
        var refused: String?
    }

    /// A form `POST /account/address` with `email`.
    static func page(_ model: Model) -> HTML {
        let (words, common) = (LetterPagesWords.in(model.language), PagesWords.in(model.language))
        return AccountSection.profile.page(
            title: words.address, person: model.person, model.language, path: path,
            back: (AccountSection.ways.path, AccountWords.in(model.language).waysTab)
        ) {
            if model.isSent { Part.notice(.go, words.addressSent) }
            if let problem = model.problem { Part.notice(.no, problem) }
            p(.css("soft")) { state(model, words) }
            form(.css("stack narrow"), .method(.post), .action(path)) {
                Part.field(
                    words.newAddress, name: "email", kind: .email, value: model.typed, autocomplete: "email",
                    hint: words.newAddressHint, refused: model.refused, verbatim: true, longest: 254)
                div(.css("thumb")) { button(.type(.submit)) { words.sendLetter } }
            }
            if model.refused != nil { p(.css("unseen")) { common.checkFields } }
        }
    }

    private static func state(_ model: Model, _ words: LetterPagesWords) -> String {
        guard let email = model.email else { return words.noAddress }
        return model.isConfirmed ? words.addressIsConfirmed(email) : words.addressIsNotConfirmed(email)
    }

    /// What the link of the letter leads to. A form `POST /address` with `token`: to look at the page confirms nothing yet.
    static func confirming(_ email: String, token: String, _ language: Language) -> HTML {
        let words = LetterPagesWords.in(language)
        return Frame.threshold(
            title: words.confirmAddress, language: language, path: "/address/\(token)",
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.confirmAddress }
                p(.css("lead")) { words.confirmAddressIntro(email) }
                form(.css("stack"), .method(.post), .action("/address")) {
                    input(.type(.hidden), .name("token"), .value(token))
                    button(.type(.submit)) { words.confirm }
                }
            })
    }

    /// Where another account than that of who is signed in asked for the letter.
    static func isAnothers(signedInAs name: String, _ language: Language) -> HTML {
        let words = LetterPagesWords.in(language)
        return Frame.threshold(
            title: words.anothersAddress, language: language, path: path,
            content: div(.css("matter")) {
                p(.css("where")) { "Soglia" }
                h1 { words.anothersAddress }
                p(.css("lead")) { words.anothersAddressDetail(name) }
                form(.css("stack"), .method(.post), .action("/sign-out")) {
                    button(.type(.submit)) { PagesWords.in(language).signOut }
                }
            })
    }
}
