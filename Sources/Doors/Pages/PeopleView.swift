import Accounts
import Identity
import Pages

/// The people of a site, for its manager.
public enum PeopleView {
    /// Whether a membership holds today.
    public enum Status: Sendable, Hashable {
        /// It holds.
        case current
        /// It begins later; in words, such as "starts on 3 March 2027".
        case future(String)
        /// It is over; in words.
        case ended(String)
        /// It was taken away; in words.
        case revoked(String)
        /// There is none.
        case none
        /// It holds, and nobody has invited them to join yet.
        case waiting
        /// It holds, and an invitation is on its way to them.
        case invited
        /// It holds, and the mail server refused the letter that invites them.
        case refused

        /// Of somebody who has not joined.
        static func of(_ invitation: Invitation.State?) -> Status {
            switch invitation {
            case .open: .invited
            case .refused: .refused
            case nil: .waiting
            }
        }

        var tone: Tone {
            switch self {
            case .current: .go
            case .future, .waiting, .invited: .wait
            case .ended, .none: .idle
            case .revoked, .refused: .no
            }
        }

        func text(_ words: DoorsWords) -> String {
            switch self {
            case .current: words.statusCurrent
            case .future(let text), .ended(let text), .revoked(let text): text
            case .none: words.statusNone
            case .waiting: words.notInvited
            case .invited: words.invited
            case .refused: words.letterRefused
            }
        }
    }

    /// One membership.
    public struct Row: Sendable {
        /// The membership's id.
        public var membershipID: String
        /// The person's name.
        public var name: String
        /// The person's email.
        public var email: String
        /// The permission in words.
        public var permission: String
        /// The role's name, or nil.
        public var role: String?
        /// The first day in words, or nil.
        public var firstDay: String?
        /// The last day in words, or nil.
        public var lastDay: String?
        /// Whether it holds today.
        public var status: Status
        /// Where the membership is looked at and changed.
        public var href: LocalPath

        /// A row.
        public init(
            membershipID: String, name: String, email: String, permission: String, role: String?, firstDay: String?,
            lastDay: String?, status: Status, href: LocalPath
        ) {
            self.membershipID = membershipID
            self.name = name
            self.email = email
            self.permission = permission
            self.role = role
            self.firstDay = firstDay
            self.lastDay = lastDay
            self.status = status
            self.href = href
        }
    }

    /// What became of changing several memberships.
    public struct Outcome: Sendable {
        /// Whether it went well.
        public var tone: Tone
        /// A sentence.
        public var text: String
        /// What undoes it, when it can be undone.
        public var batch: String?
        /// Who stayed as they were, and why.
        public var stayed: [(name: String, why: String)]

        /// See the properties.
        public init(tone: Tone, text: String, batch: String? = nil, stayed: [(name: String, why: String)] = []) {
            (self.tone, self.text, self.batch, self.stayed) = (tone, text, batch, stayed)
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
        /// The rows of this page of the list.
        public var rows: [Row]
        /// What was searched for, or empty.
        public var search: String
        /// The roles of the site, for the filter and for giving one.
        public var roles: [MembershipView.Role]
        /// The role that is filtered by, or empty.
        public var roleID: String
        /// The status that is filtered by, `current` for one, or empty.
        public var filter: String
        /// How many memberships the whole list has.
        public var count: Int
        /// What a change of several became, when the page follows one.
        public var outcome: Outcome?
        /// The page before, if there is one.
        public var previousHref: LocalPath?
        /// The page after, if there is one.
        public var nextHref: LocalPath?
        /// The main links.
        public var navigation: [NavItem]

        /// A page of the list.
        public init(
            language: Language, person: String, siteID: String, siteName: String, rows: [Row], search: String = "",
            roles: [MembershipView.Role] = [], roleID: String = "", filter: String = "", count: Int = 0,
            outcome: Outcome? = nil, previousHref: LocalPath? = nil, nextHref: LocalPath? = nil, navigation: [NavItem]
        ) {
            self.language = language
            self.person = person
            self.siteID = siteID
            self.siteName = siteName
            self.rows = rows
            self.search = search
            (self.roles, self.roleID, self.filter, self.count, self.outcome) = (roles, roleID, filter, count, outcome)
            self.previousHref = previousHref
            self.nextHref = nextHref
            self.navigation = navigation
        }
    }

    /// A search form `GET /sites/{site}/people` with `search`, and the list: a table on a desk, cards on a phone.
    public static func page(_ model: Model) -> HTML {
        let words = DoorsWords.in(model.language)
        let own: LocalPath = "/sites/\(model.siteID)/people"
        let add: LocalPath = "/sites/\(model.siteID)/people/new"
        let hasNobody =
            model.rows.isEmpty && model.search.isEmpty && model.roleID.isEmpty && model.filter.isEmpty
        return Frame.page(
            title: words.people, place: model.siteName, language: model.language, navigation: model.navigation,
            person: model.person, style: .desk, path: own.adding("search", model.search),
            actions: hasNobody ? .empty : a(.css("button"), .href(add)) { words.addPerson },
            content: hasNobody
                ? Part.empty(title: words.noPeople, detail: words.noPeopleDetail, action: (add, words.addPerson))
                : div(.css("pile")) {
                    outcome(model)
                    searchForm(model, own, words)
                    tools(model)
                    if model.rows.isEmpty {
                        Part.empty(title: words.nobodyFound(model.search), detail: words.nobodyFoundDetail)
                    } else {
                        p(.css("soft")) { PeopleWords.in(model.language).count(model.count) }
                        form(.css("pile"), .method(.post), .action("/sites/\(model.siteID)/people/bulk")) {
                            list(model, words)
                            bulk(model, words)
                        }
                        turning(model, words)
                    }
                    p(.css("soft")) {
                        a(.href("/sites/\(model.siteID)/old-app")) { LegacyWords.in(model.language).oldAppAndGates }
                    }
                    p { a(.href("/sites/\(model.siteID)/privacy")) { LedgerWords.in(model.language).retention } }
                })
    }

    /// What one does with the list as a whole.
    private static func tools(_ model: Model) -> HTML {
        let files = ImportWords.in(model.language)
        let changes: LocalPath = "/sites/\(model.siteID)/changes"
        let start: LocalPath = "/sites/\(model.siteID)/people/import"
        let export: LocalPath = "/api/sites/\(model.siteID)/people.csv"
        return p(.css("tools")) {
            a(.href(start)) { files.importPeople }
            a(.href(export.adding("search", model.search).adding("role", model.roleID).adding("status", model.filter)))
            {
                files.exportPeople
            }
            a(.href(changes)) { ChangeWords.in(model.language).title }
        }
    }

    private static func searchForm(_ model: Model, _ own: LocalPath, _ words: DoorsWords) -> HTML {
        form(.css("search"), .role("search"), .method(.get), .action(own)) {
            label(.for("search")) { words.searchHint }
            input(
                .css("field"), .id("search"), .name("search"), .type(.search), .value(model.search), .maxlength(200),
                .autocomplete("off"), also: Attribute.verbatim)
            button(.css("quiet"), .type(.submit)) { words.search }
            filters(model)
            if !model.search.isEmpty || !model.roleID.isEmpty || !model.filter.isEmpty {
                a(.css("button quiet"), .href(own)) { words.clearSearch }
            }
        }
    }

    private static func list(_ model: Model, _ words: DoorsWords) -> HTML {
        let chosen = PeopleWords.in(model.language)
        return table(.css("sheet people"), .role("table")) {
            caption(.css("unseen")) { words.people }
            thead(.role("rowgroup")) {
                tr(.role("row")) {
                    th(.css("pick"), .role("columnheader")) { span(.css("unseen")) { chosen.withChosen } }
                    for title in [words.name, words.role, words.permission, words.days, words.status] {
                        th(.scope("col"), .role("columnheader")) { title }
                    }
                }
            }
            tbody(.role("rowgroup")) {
                for one in model.rows { row(one, words, chosen) }
            }
        }
    }

    private static func row(_ one: Row, _ words: DoorsWords, _ chosen: PeopleWords) -> HTML {
        tr(.role("row"), .data("membership", one.membershipID)) {
            td(.css("pick"), .role("cell")) {
                input(
                    .type(.checkbox), .name("membership"), .value(one.membershipID), .autocomplete("off"),
                    .aria("label", chosen.choose(one.name)))
            }
            td(.css("name"), .role("cell")) {
                a(.css("whole"), .href(one.href)) { bdi { one.name } }
                span(.css("soft")) { bdi { one.email } }
            }
            td(.css("role"), .role("cell")) {
                if let role = one.role { bdi { role } } else { span(.css("soft")) { words.noRole } }
            }
            td(.css("permission"), .role("cell")) { one.permission }
            td(.css("days"), .role("cell")) { words.days(from: one.firstDay, until: one.lastDay) }
            td(.css("status"), .role("cell")) { Part.chip(one.status.tone, one.status.text(words)) }
        }
    }

    private static func outcome(_ model: Model) -> HTML {
        guard let outcome = model.outcome else { return .empty }
        let words = PeopleWords.in(model.language)
        return div(.css("stack")) {
            Part.notice(outcome.tone, outcome.text)
            if !outcome.stayed.isEmpty {
                p { words.stayed(outcome.stayed.count) }
                ul {
                    for one in outcome.stayed.prefix(20) {
                        li {
                            bdi { one.name }
                            ": \(one.why)"
                        }
                    }
                }
            }
            if let batch = outcome.batch {
                form(.method(.post), .action("/sites/\(model.siteID)/people/undo")) {
                    input(.type(.hidden), .name("batch"), .value(batch))
                    button(.css("quiet"), .type(.submit)) { words.undo }
                }
            }
        }
    }

    private static func filters(_ model: Model) -> HTML {
        let words = PeopleWords.in(model.language)
        let common = DoorsWords.in(model.language)
        let statuses = [
            ("", words.everyStatus), ("current", common.statusCurrent), ("future", words.statusFuture),
            ("ended", words.statusEnded), ("revoked", words.statusRevoked),
            ("waiting", words.statusWaiting),
        ]
        return div(.css("pair wide")) {
            Part.choice(
                common.role, name: "role", options: [("", words.everyRole)] + model.roles.map { ($0.id, $0.name) },
                chosen: model.roleID)
            Part.choice(common.status, name: "status", options: statuses, chosen: model.filter)
        }
    }

    /// What the form says for no role: nobody loses theirs because none was chosen.
    static let noRole = "none"

    /// What to do with the chosen ones: works without script, so every field of every action is there.
    private static func bulk(_ model: Model, _ words: DoorsWords) -> HTML {
        let chosen = PeopleWords.in(model.language)
        return fieldset(.css("bulk")) {
            legend { chosen.withChosen }
            input(.type(.hidden), .name("search"), .value(model.search))
            input(.type(.hidden), .name("of_role"), .value(model.roleID))
            input(.type(.hidden), .name("of_status"), .value(model.filter))
            if model.count > model.rows.count {
                label(.css("check")) {
                    input(.type(.checkbox), .name("all"), .value("1"), .autocomplete("off"))
                    span { chosen.allFound(model.count) }
                }
            }
            Part.choice(
                chosen.chooseAction, name: "do",
                options: [
                    ("", "…"), ("revoke", chosen.revoke), ("reinstate", chosen.reinstate), ("role", chosen.giveRole),
                    ("lastDay", chosen.endOn), ("invite", chosen.sendInvitations),
                ], chosen: "")
            div(.css("pair")) {
                Part.choice(
                    chosen.newRole, name: "new_role",
                    options: [("", "…"), (noRole, words.noRole)] + model.roles.map { ($0.id, $0.name) }, chosen: "")
                Part.field(
                    chosen.newLastDay, name: "last_day", kind: .date,
                    optional: PagesWords.in(model.language).optional, hint: chosen.newLastDayHint)
            }
            div(.css("thumb")) { button(.css("quiet"), .type(.submit)) { chosen.apply } }
        }
    }

    private static func turning(_ model: Model, _ words: DoorsWords) -> HTML {
        if model.previousHref == nil && model.nextHref == nil { return .empty }
        return nav(.css("turning"), .aria("label", words.pages)) {
            if let href = model.previousHref { a(.css("button quiet"), .href(href)) { words.previous } }
            if let href = model.nextHref { a(.css("button quiet"), .href(href)) { words.next } }
        }
    }
}
