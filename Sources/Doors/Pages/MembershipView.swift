import Accounts
import Identity
import Pages

/// One person's membership of a site: who, what, and from when to when.
public enum MembershipView {
    /// A role to choose.
    public struct Role: Sendable {
        /// The role's id.
        public var id: String
        /// The site's own name for it.
        public var name: String

        /// A role.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// What the page shows.
    public struct Model: Sendable {
        /// The page's language.
        public var language: Language
        /// Who is signed in.
        public var person: String
        /// The site's id.
        public var siteID: String
        /// The site's name.
        public var siteName: String
        /// The membership, or nil for a new person.
        public var membershipID: String?
        /// The member's name.
        public var name: String
        /// The member's email.
        public var email: String
        /// The roles of the site.
        public var roles: [Role]
        /// The chosen role, or nil for none.
        public var roleID: String?
        /// The chosen permission, such as `member`.
        public var permission: String
        /// The permissions that may be given, such as `["member", "manager"]`.
        public var permissions: [String]
        /// `YYYY-MM-DD`, or empty for no first day.
        public var firstDay: String
        /// `YYYY-MM-DD`, or empty for no last day.
        public var lastDay: String
        /// The site's time zone, such as `Europe/Rome`.
        public var timeZone: String
        /// Why a field was not accepted, by its name in the form.
        public var refused: [String: String]
        /// The day on which it was taken away, in words; nil: it was not.
        public var revokedOn: String?
        /// The code of the person's badge here, as it is or as it was typed.
        public var badge = ""
        /// The person's other memberships here: what they are, in words, and where they are changed.
        public var others: [(text: String, href: LocalPath)] = []
        /// Where another membership of the person is added; nil: this is no person yet, or it is the one that is being added.
        public var addHref: LocalPath?
        /// Where the form goes, when not to the membership itself.
        public var action: LocalPath?
        /// Whether it was just saved.
        public var saved: Bool
        /// Whether where they are invited was changed with it.
        public var isMoved = false
        /// Their account for the original system's app; nil where the site has nothing to do with it.
        var oldApp: LegacyAccountView.Model?
        /// Whether this hub sends letters.
        var sendsLetters = false
        /// Whether they have not joined yet, so that the address is where they are invited.
        var isInvited = false
        /// Where they are invited; nil: they have joined.
        var invitationHref: LocalPath?
        /// Whether an invitation is out that still holds.
        var hasInvitation = false
        /// What keeps its letter, in a sentence; nil: nothing, or there is another one.
        var trouble: (tone: Tone, words: String)?
        /// Whether they can sign in by a password that was chosen for them.
        var hasPassword = false
        /// Whether somebody comes in by an account whose address may not be theirs.
        var isUnconfirmed = false
        /// The main links.
        public var navigation: [NavItem]
        /// Where the person can be erased; nil for who may not do that.
        public var eraseHref: LocalPath?

        /// A membership as it is, or as it was typed.
        public init(
            language: Language, person: String, siteID: String, siteName: String, membershipID: String?,
            name: String = "", email: String = "", roles: [Role], roleID: String? = nil, permission: String = "member",
            permissions: [String], firstDay: String = "", lastDay: String = "", timeZone: String,
            refused: [String: String] = [:], saved: Bool = false, navigation: [NavItem],
            eraseHref: LocalPath? = nil
        ) {
            self.language = language
            self.person = person
            self.siteID = siteID
            self.siteName = siteName
            self.membershipID = membershipID
            self.name = name
            self.email = email
            self.roles = roles
            self.roleID = roleID
            self.permission = permission
            self.permissions = permissions
            self.firstDay = firstDay
            self.lastDay = lastDay
            self.timeZone = timeZone
            self.refused = refused
            self.saved = saved
            self.navigation = navigation
            self.eraseHref = eraseHref
        }
    }

    /// A form `POST /sites/{site}/people/{membership or new}` with `name`, `email` (of a person who has not joined),
    /// `permission`, `role`, `first_day`, `last_day`.
    public static func page(_ model: Model) -> HTML {
        let words = DoorsWords.in(model.language)
        let list: LocalPath = "/sites/\(model.siteID)/people"
        let own: LocalPath = model.action ?? "/sites/\(model.siteID)/people/\(model.membershipID ?? "new")"
        let title = model.membershipID == nil || model.name.isEmpty ? words.newPerson : model.name
        return Frame.page(
            title: title, place: model.siteName, language: model.language, navigation: model.navigation,
            person: model.person, style: .desk, path: own, back: (list, words.allPeople),
            content: div(.css("pile narrow")) {
                if model.saved {
                    Part.notice(.go, words.saved)
                    if model.isMoved {
                        let people = PeopleWords.in(model.language)
                        Part.notice(.wait, model.sendsLetters ? people.invitedAnew : people.inviteAnew)
                    }
                }
                if !model.refused.isEmpty { Part.notice(.no, PagesWords.in(model.language).checkFields) }
                form(.css("stack"), .method(.post), .action(own)) {
                    if model.action == nil { who(model, words) }
                    may(model, words)
                    when(model, words)
                    div(.css("thumb")) { button(.type(.submit)) { words.save } }
                }
                if model.membershipID != nil { more(model) }
                if let oldApp = model.oldApp { LegacyAccountView.part(oldApp) }
                if let href = model.eraseHref {
                    p { a(.css("button danger"), .href(href)) { LedgerWords.in(model.language).erase } }
                }
            })
    }

    private static func who(_ model: Model, _ words: DoorsWords) -> HTML {
        fieldset {
            legend { words.who }
            Part.field(words.name, name: "name", value: model.name, refused: model.refused["name"])
            if model.membershipID == nil || model.isInvited {
                Part.field(
                    words.email, name: "email", kind: .email, value: model.email,
                    hint: model.isInvited
                        ? words.invitedHint
                        : model.sendsLetters ? words.invitationHint : words.invitationOnPaperHint,
                    refused: model.refused["email"], verbatim: true)
            } else {
                div(.css("row-field")) {
                    p(.css("label")) { words.email }
                    p { bdi { model.email } }
                    if let refused = model.refused["email"] { p(.css("refused")) { refused } }
                    if model.isUnconfirmed { p(.css("hint")) { words.addressIsUnconfirmed } }
                    p(.css("hint")) { words.ownAddressHint }
                }
            }
        }
    }

    /// What else there is about a person who is here: their badge, their other memberships, taking access away.
    private static func more(_ model: Model) -> HTML {
        let words = PeopleWords.in(model.language)
        let common = DoorsWords.in(model.language)
        return div(.css("pile")) {
            if let href = model.invitationHref {
                section(.css("stack")) {
                    h2 { common.invitationTitle }
                    if model.hasPassword {
                        p(.css("hint")) { common.hasPasswordHint }
                    } else {
                        p { Part.chip(.wait, common.notJoined) }
                        if let trouble = model.trouble {
                            Part.notice(trouble.tone, trouble.words)
                        } else {
                            p(.css("hint")) { model.hasInvitation ? common.isInvitedHint : common.notJoinedHint }
                        }
                    }
                    div(.css("thumb")) { a(.css("button quiet"), .href(href)) { common.invitation } }
                }
            }
            form(
                .css("stack"), .method(.post),
                .action("/sites/\(model.siteID)/people/\(model.membershipID ?? "")/badge")
            ) {
                fieldset {
                    legend { words.badge }
                    Part.field(
                        words.badgeCode, name: "badge", value: model.badge, hint: words.badgeHint,
                        refused: model.refused["badge"], verbatim: true, longest: 64)
                }
                div(.css("thumb")) { button(.css("quiet"), .type(.submit)) { words.saveBadge } }
            }
            section(.css("stack")) {
                h2 { words.otherMemberships }
                if !model.others.isEmpty {
                    ul(.css("plain")) {
                        for other in model.others { li { a(.href(other.href)) { other.text } } }
                    }
                }
                p(.css("hint")) { words.addMembershipHint(model.name) }
                if let href = model.addHref {
                    div(.css("thumb")) { a(.css("button quiet"), .href(href)) { words.addMembership } }
                }
            }
            form(.css("stack"), .method(.post), .action("/sites/\(model.siteID)/people/bulk")) {
                h2 { words.access }
                input(.type(.hidden), .name("membership"), .value(model.membershipID ?? ""))
                input(.type(.hidden), .name("do"), .value(model.revokedOn == nil ? "revoke" : "reinstate"))
                p(.css("hint")) { model.revokedOn.map(words.revokedHint) ?? words.revokeHint }
                div(.css("thumb")) {
                    button(.css(model.revokedOn == nil ? "danger" : "quiet"), .type(.submit)) {
                        model.revokedOn == nil ? words.revokeNow : words.giveBack
                    }
                }
            }
        }
    }

    private static func may(_ model: Model, _ words: DoorsWords) -> HTML {
        let common = PagesWords.in(model.language)
        return fieldset {
            legend { words.may }
            Part.choice(
                words.role, name: "role", options: [("", words.noRole)] + model.roles.map { ($0.id, $0.name) },
                chosen: model.roleID ?? "", hint: words.roleHint, refused: model.refused["role"])
            Part.choice(
                words.permission, name: "permission",
                options: model.permissions.map { ($0, common.permission($0)) }, chosen: model.permission,
                hint: words.permissionHint, refused: model.refused["permission"])
        }
    }

    private static func when(_ model: Model, _ words: DoorsWords) -> HTML {
        let common = PagesWords.in(model.language)
        return fieldset(.aria("describedby", "days-hint")) {
            legend { words.when }
            div(.css("pair")) {
                Part.field(
                    words.firstDay, name: "first_day", kind: .date, value: model.firstDay, optional: common.optional,
                    refused: model.refused["first_day"])
                Part.field(
                    words.lastDay, name: "last_day", kind: .date, value: model.lastDay, optional: common.optional,
                    refused: model.refused["last_day"])
            }
            p(.css("hint"), .id("days-hint")) { words.daysHint(model.timeZone) }
        }
    }
}
