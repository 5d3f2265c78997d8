import Accounts
import Identity
import Pages

/// Somebody's account for the original system's app: a part of their membership's page, and of their own.
enum LegacyAccountView {
    /// An account that is there.
    struct Account: Sendable {
        var username: String
        /// When the password was made, in words.
        var made: String
        /// When it was last right, in words; nil: never.
        var lastUsed: String?
        /// Whether it was taken away.
        var isTakenAway: Bool
    }

    /// What was done just now.
    enum Done: Sendable {
        /// A new password: the one time that it is shown.
        case password(String)
        /// A new badge.
        case badge
        /// Nothing is good any more.
        case takenAway
        /// The site has no room for another badge.
        case full
    }

    /// What the part shows.
    struct Model: Sendable {
        var language: Language
        /// Where its forms go.
        var action: LocalPath
        /// Whether it is the reader's own.
        var isOwn: Bool
        /// Nil: there never was one.
        var account: Account?
        var done: Done?
    }

    /// Forms `POST` to `action` with `do`: `password`, `badge` or `revoke`.
    static func part(_ model: Model) -> HTML {
        let words = LegacyWords.in(model.language)
        let inForce = model.account.map { !$0.isTakenAway } ?? false
        return section(.css("part"), .id("old-app"), .aria("label", model.isOwn ? words.own : words.theirs)) {
            h2 { model.isOwn ? words.own : words.theirs }
            p(.css("soft")) { model.isOwn ? words.ownAbout : words.theirsAbout }
            done(model, words)
            if let account = model.account { facts(account, model.done, words) }
            if !inForce { p(.css("soft")) { model.account == nil ? words.none : words.takenAway } }
            div(.css("actions")) {
                button("password", inForce ? words.newPassword : words.makePassword, model)
                if inForce {
                    button("badge", words.newBadge, model)
                    button("revoke", words.takeAway, model)
                }
            }
        }
    }

    private static func done(_ model: Model, _ words: LegacyWords) -> HTML {
        switch model.done {
        case .password: Part.notice(.wait, words.shownOnce)
        case .badge: Part.notice(.go, words.badgeReplaced)
        case .takenAway: Part.notice(.go, words.isTakenAway)
        case .full: Part.notice(.no, words.full)
        case nil: .empty
        }
    }

    private static func facts(_ account: Account, _ done: Done?, _ words: LegacyWords) -> HTML {
        dl(.css("pairs")) {
            dt { words.username }
            dd { code(.data("part", "username")) { account.username } }
            if case .password(let password) = done {
                dt { words.password }
                dd { code(.data("part", "password")) { password } }
            }
            dt { words.madeOn }
            dd { account.made }
            dt { words.lastUsed }
            dd { account.lastUsed ?? words.never }
        }
    }

    private static func button(_ what: String, _ label: String, _ model: Model) -> HTML {
        form(.method(.post), .action(model.action)) {
            Pages.button(.css("quiet"), .type(.submit), .name("do"), .value(what)) { label }
        }
    }
}
