import Accounts
import Identity
import Notices

/// How one wants to be told: by which ways about what, when not, and what a lock screen may show.
enum NoticePreferencesView {
    struct Model {
        let language: Language
        let person: String
        var preferences: NoticePreferences
        /// As they stand in the fields, also when they will not do.
        var quietIsOn: Bool
        var from: String
        var to: String
        var days: Set<Int>
        var isSaved = false
        var isQuietRefused = false
    }

    static let path = AccountSection.notices.path

    static func page(_ model: Model) -> HTML {
        let words = NoticesWords.in(model.language)
        return AccountSection.notices.page(
            title: words.preferencesTitle, person: model.person, model.language
        ) {
            if model.isSaved { Part.notice(.go, words.saved) }
            if model.isQuietRefused { Part.notice(.no, words.quietRefused) }
            p(.css("soft")) { words.preferencesIntro }
            form(.css("stack"), .method(.post), .action(path)) {
                groups(words.push, words.pushHint, "push", model.preferences.push, words)
                groups(words.mail, words.mailHint, "mail", model.preferences.mail, words, always: .security)
                quiet(model, words)
                fieldset {
                    legend { words.lockScreen }
                    Part.check(
                        words.showsDetails, name: "details", value: "1", isChecked: model.preferences.showsDetails,
                        detail: words.showsDetailsHint)
                }
                div(.css("row")) { button(.type(.submit)) { words.save } }
            }
            p { a(.href(InboxView.path)) { words.title } }
        }
    }

    private static func groups(
        _ title: String, _ hint: String, _ name: StaticString, _ chosen: Set<NoticeGroup>, _ words: NoticesWords,
        always: NoticeGroup? = nil
    ) -> HTML {
        fieldset {
            legend { title }
            p(.css("hint")) { hint }
            div(.css("checks")) {
                for group in NoticeGroup.allCases where group != always {
                    Part.check(
                        words.group(group), name: name, value: group.rawValue, isChecked: chosen.contains(group))
                }
            }
        }
    }

    private static func quiet(_ model: Model, _ words: NoticesWords) -> HTML {
        fieldset {
            legend { words.quiet }
            p(.css("hint")) { words.quietHint }
            Part.check(words.quietOn, name: "quiet", value: "1", isChecked: model.quietIsOn)
            Part.field(words.from, name: "from", kind: .time, value: model.from, optional: "")
            Part.field(words.to, name: "to", kind: .time, value: model.to, optional: "")
            p(.css("label")) { words.days }
            div(.css("checks")) {
                for day in 1...7 {
                    Part.check(
                        words.weekdays[day - 1], name: "day", value: "\(day)", isChecked: model.days.contains(day))
                }
            }
        }
    }
}
