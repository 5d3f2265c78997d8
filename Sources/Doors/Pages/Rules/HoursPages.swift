import Accounts
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

extension Doors {
    func registerHours(_ pages: inout PageRoutes) {
        let given = given
        pages.on(.get, "/sites/{site}/hours", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            let rows = try given.store.read { database in
                let special = try DoorsRecords.specialDays(of: site.id, in: database)
                return try DoorsRecords.timetables(of: site.id, in: database).map { hours in
                    let now = preview(hours, site, special, language)
                    return HoursView.Row(
                        id: hours.id.text, name: hours.name, week: hours.week, keepsSpecialDays: hours.keepsSpecialDays,
                        roles: try DoorsRecords.roles(with: hours.id, in: database).count, now: now.text,
                        isOpen: now.isOpen)
                }
            }
            let notice = try request.query.get("removed", as: String.self).map { _ in RulesWords.in(language).removed }
            return .html(HoursView.list(around, rows: rows, zone: site.zone.name, notice: notice).bytes)
        }
        pages.on(.get, "/sites/{site}/hours/{id}", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            var model = try hours(request, site, language)
            model.saved = try request.query.get("saved", as: String.self) != nil
            return .html(HoursView.page(around, model).bytes)
        }
        pages.on(.post, "/sites/{site}/hours/{id}", for: Permission.managing) { request, principal, language in
            try await saveHours(request, principal, language)
        }
        pages.on(.get, "/sites/{site}/hours/{id}/remove", for: Permission.managing) { request, principal, language in
            let (around, site) = try rulesAround(request, principal, language)
            let model = try hours(request, site, language)
            guard let text = model.id, let id = TimetableID(text) else { throw Problem.notFound() }
            let names = try given.store.read { database in
                let ids = try DoorsRecords.roles(with: id, in: database)
                return try AccountRecords.roles(of: site.id, in: database).filter { ids.contains($0.id) }.map(\.name)
            }
            let words = HoursWords.in(language)
            return .html(
                RulesFrame.removal(
                    around, .hours, name: model.title, id: text,
                    sentences: [names.isEmpty ? words.removeDetail : words.inUse(names.joined(separator: ", "))],
                    canRemove: names.isEmpty,
                    link: names.isEmpty
                        ? nil : (RulesFrame.Tab.roles.path(site.id.text), RulesWords.in(language).roles)
                ).bytes)
        }
        pages.on(.post, "/sites/{site}/hours/{id}/remove", for: Permission.managing) { request, principal, _ in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: TimetableID.self)
            let own: LocalPath = "/sites/\(site.text)/hours/\(id.text)/remove"
            return try await Self.removing(back: own, to: "/sites/\(site.text)/hours?removed=1") {
                try await removeHours(id, at: site, by: principal.person.id)
            }
        }
    }

    /// Whether hours are open now, in words.
    private func preview(
        _ hours: Timetable, _ site: Site, _ special: [SpecialDay], _ language: Language
    ) -> (text: String, isOpen: Bool) {
        let words = HoursWords.in(language)
        let now = given.clock.now
        let today = site.zone.day(at: now)
        func moment(_ time: LocalTime) -> String {
            if time.day == today { return time.clockText }
            let weekday = words.weekdays[time.day.weekday - 1]
            // Only English writes them with a capital within a sentence.
            let name = language == .en ? weekday : weekday.lowercased()
            return time.day < today.adding(days: 7)
                ? "\(name), \(time.clockText)" : "\(name) \(time.day.text(language)), \(time.clockText)"
        }
        switch HoursPreview(hours, at: now, zone: site.zone, specialDays: special) {
        case .open(nil): return (words.openNow, true)
        case .open(let until?): return (words.openUntil(moment(until)), true)
        case .closed(nil): return (words.closedNow, false)
        case .closed(let until?): return (words.opens(moment(until)), false)
        }
    }

    private func hours(_ request: Request, _ site: Site, _ language: Language) throws -> HoursView.Model {
        let name = try request.parameter("id", as: String.self)
        let (found, special) = try given.store.read { database in
            (
                try TimetableID(name).flatMap { try DoorsRecords.timetable($0, in: database) },
                try DoorsRecords.specialDays(of: site.id, in: database)
            )
        }
        var model = HoursView.Model()
        model.zone = site.zone.name
        guard let found, found.site == site.id else {
            if name != "new" { throw Problem.notFound() }
            return model
        }
        (model.id, model.title, model.name) = (found.id.text, found.name, found.name)
        model.lines = found.week.map { $0.map(\.text).joined(separator: " ") }
        (model.week, model.keepsSpecialDays) = (found.week, found.keepsSpecialDays)
        model.now = preview(found, site, special, language)
        return model
    }

    private func saveHours(_ request: Request, _ principal: Principal, _ language: Language) async throws -> Response {
        let (around, site) = try rulesAround(request, principal, language)
        var model = try hours(request, site, language)
        let form = try request.form()
        model.name = try form.get("name") ?? ""
        for index in 0..<7 { model.lines[index] = try form.get("day\(index + 1)") ?? "" }
        model.keepsSpecialDays = try form.get("keeps", as: String.self) != nil
        if try form.get("copy", as: String.self) != nil {
            for index in 1..<5 { model.lines[index] = model.lines[0] }
        }
        let entry = HoursEntry(name: model.name, week: model.lines, keepsSpecialDays: model.keepsSpecialDays)
        let words = RulesWords.in(language)
        func refused(_ faults: [RuleFault]) -> Response {
            model.now = nil
            model.week = try? entry.parsedWeek()
            for fault in faults { model.refused[fault.field] = words.fault(fault.why) }
            return .html(HoursView.page(around, model).bytes, status: faults.isEmpty ? 200 : 422)
        }
        do {
            if try form.get("copy", as: String.self) != nil {
                _ = try entry.parsedWeek()
                return refused([])
            }
            // The name and the days are looked at together, so that all of them can be mended at once.
            if GivenName.parse(entry.name) == nil {
                do { _ = try entry.parsedWeek() } catch {
                    throw RuleFaults([RuleFault(field: "name", why: .name)] + error.faults)
                }
            }
            let saved = try await putHours(
                model.id.flatMap { TimetableID($0) }, entry, at: site.id, by: principal.person.id)
            return .redirect(to: "/sites/\(site.id.text)/hours/\(saved.id.text)?saved=1")
        } catch let faults as RuleFaults { return refused(faults.faults) } catch let fault as RuleFault {
            if fault.why == .gone { throw Problem.notFound() }
            return refused([fault])
        }
    }
}
