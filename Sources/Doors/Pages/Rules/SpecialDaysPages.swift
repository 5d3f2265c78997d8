import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

extension Doors {
    func registerSpecialDays(_ pages: inout PageRoutes) {
        pages.on(.get, "/sites/{site}/special-days", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            return .html(SpecialDaysView.list(around, try specialDays(request, site, language)).bytes)
        }
        pages.on(.post, "/sites/{site}/special-days/holidays", for: Permission.managing) { request, principal, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let form = try request.form()
            guard let country = HolidayCountry(rawValue: try form.require("country", as: String.self)) else {
                throw Problem.unprocessable("the holidays of that country are not known")
            }
            let year = try form.require("year", as: Int.self)
            let added = try await addHolidays(country, year: year, at: site, by: principal.person.id)
            return .redirect(to: "/sites/\(site.text)/special-days?added=\(added)")
        }
        pages.on(.get, "/sites/{site}/special-days/{id}", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            var model = try specialDay(request, site)
            model.saved = try request.query.get("saved", as: String.self) != nil
            return .html(SpecialDaysView.page(around, model).bytes)
        }
        pages.on(.post, "/sites/{site}/special-days/{id}", for: Permission.managing) { request, principal, language in
            try await saveSpecialDay(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/special-days/{id}/remove", for: Permission.managing) {
            request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            let model = try specialDay(request, site)
            guard let id = model.id else { throw Problem.notFound() }
            return .html(
                RulesFrame.removal(
                    around, .specialDays, name: model.title, id: id,
                    sentences: [HoursWords.in(language).removeSpecialDetail]
                ).bytes)
        }
        pages.on(.post, "/sites/{site}/special-days/{id}/remove", for: Permission.managing) { request, principal, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: SpecialDayID.self)
            let list = RulesFrame.Tab.specialDays.path(site.text)
            return try await Self.removing(back: list, to: "\(list)?removed=1") {
                try await removeSpecialDay(id, at: site, by: principal.person.id)
            }
        }
    }

    private func specialDays(_ request: Request, _ site: Site, _ language: Language) throws -> SpecialDaysView.List {
        let words = HoursWords.in(language)
        let today = site.zone.day(at: given.clock.now)
        let all = try given.store.read { try DoorsRecords.specialDays(of: site.id, in: $0) }
        func row(_ special: SpecialDay) -> SpecialDaysView.Row {
            let first = special.firstDay.text(language)
            return SpecialDaysView.Row(
                id: special.id.text, name: special.name,
                days: special.firstDay == special.lastDay
                    ? "\(words.weekdays[special.firstDay.weekday - 1]) \(first)"
                    : "\(first) – \(special.lastDay.text(language))",
                hours: HoursView.text(special.spans, words), isClosed: special.spans.isEmpty)
        }
        var notice: String?
        if let added = try request.query.get("added", as: Int.self) { notice = words.added(max(added, 0)) }
        if try request.query.get("removed", as: String.self) != nil { notice = RulesWords.in(language).removed }
        let (country, years) = holidayOffer(at: site)
        return SpecialDaysView.List(
            coming: all.filter { $0.lastDay >= today }.map(row),
            past: all.filter { $0.lastDay < today }.reversed().map(row), years: years, country: country.rawValue,
            notice: notice)
    }

    /// What the form of holidays offers by the site's own clock; the year that it proposes is the first.
    func holidayOffer(at site: Site) -> (country: HolidayCountry, years: [Int]) {
        let (today, country) = (site.zone.day(at: given.clock.now), Self.likelyCountry(site.zone))
        let year = today.civil.year
        let isOver = Holidays.of(country, year: year).allSatisfy { $0.day < today }
        return (country, isOver ? [year + 1, year, year + 2] : [year, year + 1, year + 2])
    }

    /// The country of which a site's clock is.
    private static func likelyCountry(_ zone: Zone) -> HolidayCountry {
        switch zone.name {
        case "Europe/Madrid", "Africa/Ceuta", "Atlantic/Canary": .es
        case "Europe/Paris": .fr
        case "Europe/Berlin", "Europe/Busingen": .de
        default: .it
        }
    }

    private func specialDay(_ request: Request, _ site: Site) throws -> SpecialDaysView.Model {
        let name = try request.parameter("id", as: String.self)
        let all = try given.store.read { try DoorsRecords.specialDays(of: site.id, in: $0) }
        var model = SpecialDaysView.Model()
        guard let found = all.first(where: { $0.id.text == name }) else {
            if name != "new" { throw Problem.notFound() }
            return model
        }
        (model.id, model.title, model.name) = (found.id.text, found.name, found.name)
        model.firstDay = found.firstDay.iso8601
        model.lastDay = found.lastDay == found.firstDay ? "" : found.lastDay.iso8601
        model.hours = found.spans.map(\.text).joined(separator: " ")
        return model
    }

    private func saveSpecialDay(
        _ request: Request, _ principal: Principal, _ language: Language
    ) async throws -> Response {
        let (around, site) = try rulesAround(request, principal, language)
        var model = try specialDay(request, site)
        let form = try request.form()
        model.name = try form.get("name") ?? ""
        model.firstDay = try form.get("first_day") ?? ""
        model.lastDay = try form.get("last_day") ?? ""
        model.hours = try form.get("hours") ?? ""
        do {
            let entry = SpecialDayEntry(
                name: model.name, firstDay: model.firstDay, lastDay: model.lastDay, hours: model.hours)
            let saved = try await putSpecialDay(
                model.id.flatMap { SpecialDayID($0) }, entry, at: site.id, by: principal.person.id)
            return .redirect(to: "/sites/\(site.id.text)/special-days/\(saved.id.text)?saved=1")
        } catch let fault as RuleFault {
            if fault.why == .gone { throw Problem.notFound() }
            model.refused[fault.field] = RulesWords.in(language).fault(fault.why)
            return .html(SpecialDaysView.page(around, model).bytes, status: 422)
        }
    }
}
