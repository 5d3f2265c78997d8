import Accounts
import Identity
import Ledger
import Pages

/// How long a site keeps what.
enum RetentionView {
    struct Model: Sendable {
        var language: Language
        /// Who is signed in.
        var person: String
        var siteID: String
        var siteName: String
        var rules: RetentionRules
        /// Owners change it, managers read it.
        var mayChange: Bool
        var saved: Bool
        var navigation: [NavItem]
    }

    /// What the form offers; a program may ask for other numbers.
    private static let offered = [30, 90, 180, 365, 730, 1_825, 3_650, 0]

    static func page(_ model: Model) -> HTML {
        let words = PrivacyWords.in(model.language)
        let own: LocalPath = "/sites/\(model.siteID)/privacy"
        let people: LocalPath = "/sites/\(model.siteID)/people"
        return Frame.page(
            title: words.retention, place: model.siteName, language: model.language, navigation: model.navigation,
            person: model.person, style: .desk, path: own, back: (people, words.allPeople),
            content: div(.css("pile narrow")) {
                if model.saved { Part.notice(.go, words.saved) }
                p { words.retentionLead }
                if model.mayChange {
                    form(.css("stack"), .method(.post), .action(own)) {
                        for group in RetentionGroup.allCases { choice(group, model.rules[group], words) }
                        div(.css("thumb")) { button(.type(.submit)) { words.save } }
                    }
                } else {
                    ul(.css("marked")) {
                        for group in RetentionGroup.allCases {
                            li { words.group(group) + ": " + words.length(model.rules[group]) }
                        }
                    }
                }
                p(.css("hint")) { words.retentionStays }
            })
    }

    private static func choice(_ group: RetentionGroup, _ days: Int, _ words: PrivacyWords) -> HTML {
        let all = offered.contains(days) ? offered : [days] + offered
        return Part.choice(
            words.group(group), name: group.name, options: all.map { ("\($0)", words.length($0)) }, chosen: "\(days)",
            hint: words.groupHint(group))
    }
}
