import Accounts
import Identity

/// How somebody gets in: password, passkeys, linked services. Each part is a function in a file of its own.
public enum WaysView {
    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// Where mail reaches them; nil when nobody knows.
        public var email: String?
        /// Everything by which they get in.
        public var ways: WaysIn
        /// The part of the passkeys.
        public var passkeys = PasskeysView.Model()
        /// Something that happened.
        public var notice: String?
        /// Why something did not.
        public var refused: String?
        /// The linked services.
        var identities: IdentitiesSection?

        /// See the properties.
        public init(language: Language, person: String, email: String?, ways: WaysIn) {
            (self.language, self.person, self.email, self.ways) = (language, person, email, ways)
        }
    }

    /// Draws the page in its model's language.
    public static func page(_ model: Model) -> HTML {
        let words = WaysWords.in(model.language)
        return AccountSection.ways.page(
            title: words.title, person: model.person, model.language, modules: PasskeysView.modules
        ) {
            if let notice = model.notice { Part.notice(.go, notice) }
            if let refused = model.refused { Part.notice(.no, refused) }
            p(.css("soft")) { words.intro }
            password(model, words)
            if let identities = model.identities { identities.html(model.language) }
            PasskeysView.part(model.passkeys, model.language)
        }
    }

    private static func password(_ model: Model, _ words: WaysWords) -> HTML {
        let account = AccountWords.in(model.language)
        return section(.css("card")) {
            div(.css("card-words")) {
                h2 { words.password }
                p(.css("soft")) { model.ways.hasPassword ? words.passwordIsSet : words.passwordIsMissing }
            }
            if model.ways.hasPassword {
                a(.css("button quiet"), .href("/account/password")) { account.changePassword }
            }
        }
    }
}
