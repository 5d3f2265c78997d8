import Accounts
import Identity
import Ledger
import Notices
import System

extension NoticePages {
    func registerPreferences(_ pages: inout PageRoutes) {
        pages.on(.get, "/account/notices") { request, principal, language in
            let preferences = try notices.preferences(of: principal.person.id)
            var model = Self.model(preferences, principal, language)
            model.isSaved = try request.query.get("saved", as: String.self) != nil
            return .html(NoticePreferencesView.page(model).bytes)
        }
        pages.on(.post, "/account/notices") { request, principal, language in
            let form = try request.form()
            var preferences = NoticePreferences()
            preferences.push = Set(form.all("push").compactMap { NoticeGroup(rawValue: $0) })
            preferences.mail = Set(form.all("mail").compactMap { NoticeGroup(rawValue: $0) })
            preferences.showsDetails = try form.get("details", as: String.self) != nil
            var model = Self.model(preferences, principal, language)
            model.quietIsOn = try form.get("quiet", as: String.self) != nil
            model.from = String((try form.get("from") ?? "").prefix(8))
            model.to = String((try form.get("to") ?? "").prefix(8))
            model.days = Set(form.all("day").compactMap { Int($0) })
            if model.quietIsOn {
                guard let from = MinuteOfDay.parse(model.from), let to = MinuteOfDay.parse(model.to),
                    let hours = QuietHours(from: from, to: to, days: model.days)
                else {
                    model.isQuietRefused = true
                    return .html(NoticePreferencesView.page(model).bytes, status: 422)
                }
                preferences.quiet = hours
            }
            try await notices.setPreferences(preferences, by: principal)
            return .redirect(to: "/account/notices?saved=1")
        }
    }

    /// With a night in the fields when there is none yet.
    private static func model(
        _ preferences: NoticePreferences, _ principal: Principal, _ language: Language
    ) -> NoticePreferencesView.Model {
        NoticePreferencesView.Model(
            language: language, person: principal.person.name, preferences: preferences,
            quietIsOn: preferences.quiet != nil, from: MinuteOfDay.text(preferences.quiet?.from ?? 22 * 60),
            to: MinuteOfDay.text(preferences.quiet?.to ?? 7 * 60),
            days: preferences.quiet?.days ?? QuietHours.everyDay)
    }
}
