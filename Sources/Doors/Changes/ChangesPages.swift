import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

extension Doors {
    /// So many changes stand on a page.
    static let shownChanges = 50
    /// So many are looked at for a page: a filter that fits few does not read the whole ledger at once.
    static let searchedChanges = 2_000

    /// The screen of what was changed.
    func registerChanges(pages: inout PageRoutes) {
        pages.on(.get, "/sites/{site}/changes", for: Permission.managing) { request, principal, language in
            .html(ChangesView.page(try await changes(request, principal, language)).bytes)
        }
    }

    private func changes(
        _ request: Request, _ principal: Principal, _ language: Language
    ) async throws -> ChangesView.Model {
        let site = try Self.site(request, principal)
        let before = try request.query.get("before", as: UInt64.self)
        let group = (try request.query.get("kind", as: String.self)).flatMap(ChangeGroup.init)
        let person = (try request.query.get("person", as: String.self)).flatMap { PersonID($0) }
        // Some thousand payloads are read when many fit badly: not on the loop.
        let (changes, next) = try await imports.export(for: principal.person.id) {
            try find(at: site.id, before: before, group: group, person: person)
        }
        let names = try ChangeNames(changes, at: site.id, and: person, given.store)
        let base: LocalPath = "/sites/\(site.id.text)/changes"
        func filtered(_ path: LocalPath, _ person: String) -> LocalPath {
            path.adding("person", person).adding("kind", group?.rawValue ?? "")
        }
        return ChangesView.Model(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            entries: changes.map { change in
                entry(change, names, site, language, filtered(base, change.by ?? ""))
            }, people: names.choices, chosenPerson: person?.text ?? "", chosenGroup: group,
            olderHref: next.map { filtered(base, person?.text ?? "").adding("before", "\($0)") },
            isNewest: before == nil,
            navigation: given.navigation.items(
                for: principal, at: site.id, now: given.clock.now, language, current: base))
    }

    /// Changes that fit, newest first, and the sequence to go on before; nil at the end.
    private func find(
        at site: SiteID, before: UInt64?, group: ChangeGroup?, person: PersonID?
    ) throws -> (changes: [Change], next: UInt64?) {
        var (found, last, searched): ([Change], UInt64?, Int) = ([], before, 0)
        let wanted = person.map { Array($0.text.utf8) }
        while searched < Self.searchedChanges {
            let events = try given.ledger.changes(of: site, before: last, limit: 200)
            for event in events {
                let isHidden = group.map { ChangeGroup(kind: event.kind) != $0 } ?? false
                if isHidden {
                    last = event.sequence
                    continue
                }
                // Whether they did it or it was done to them: their id is in the payload then, as nothing else is.
                if let person, let wanted, event.person != person, event.payload?.contains(wanted) != true {
                    last = event.sequence
                    continue
                }
                let change = Change(event)
                if found.isEmpty || !found[found.count - 1].absorb(change) {
                    if found.count == Self.shownChanges { return (found, last) }
                    found.append(change)
                }
                last = event.sequence
            }
            searched += events.count
            if events.count < 200 { return (found, nil) }
        }
        return (found, last)
    }

    private func entry(
        _ change: Change, _ names: ChangeNames, _ site: Site, _ language: Language, _ byHref: LocalPath
    ) -> ChangesView.Entry {
        let words = ChangeWords.in(language)
        let clock = site.zone.clockText(at: change.at)
        return ChangesView.Entry(
            event: change.event, kind: change.kind, time: change.at.iso8601,
            timeText: "\(site.zone.day(at: change.at).text(language)), \(clock)", title: words.text(kind: change.kind),
            about: about(change, names, words), isGone: change.isGone,
            by: change.by.map { names[$0] ?? words.means[$0] ?? MembershipWords.in(language).nobody } ?? words.theHub,
            byHref: change.by.flatMap { PersonID($0) } == nil ? nil : byHref,
            fields: change.fields.filter { !names.isMute($0.before) && !names.isMute($0.after) }.map { field in
                .init(
                    label: words.field(field.name),
                    before: field.before.map { value(field.name, $0, names, site, language) },
                    after: field.after.map { value(field.name, $0, names, site, language) })
            }, isErased: change.isErased)
    }

    /// Whom or what it is about: somebody who is gone may still be named by the event itself.
    private func about(_ change: Change, _ names: ChangeNames, _ words: ChangeWords) -> String? {
        let first = change.about.flatMap { names[$0] } ?? change.name.map { names[$0] ?? $0 }
        if change.otherCount == 0 { return first ?? (change.about == nil ? nil : words.somebodyGone) }
        let named = [first ?? words.somebodyGone] + change.others.compactMap { names[$0] }
        let left = change.otherCount + 1 - named.count
        return (named + (left > 0 ? [words.more(left)] : [])).joined(separator: ", ")
    }

    /// A value as people read it: what an id names, a day, a permission, yes and no.
    private func value(
        _ field: String, _ text: String, _ names: ChangeNames, _ site: Site, _ language: Language
    ) -> String {
        let (words, pages) = (ChangeWords.in(language), PagesWords.in(language))
        if text.isEmpty { return words.empty }
        if let day = Day(iso8601: text) { return day.text(language) }
        if let time = Timestamp(iso8601: text) {
            return "\(site.zone.day(at: time).text(language)), \(site.zone.clockText(at: time))"
        }
        switch (field, text) {
        case ("permission", _): return pages.permission(text)
        case ("kind", _): return pages.kind(text)
        case (_, "true"): return words.yes
        case (_, "false"): return words.no
        default: break
        }
        let pieces = text.split { $0 == "," || $0 == " " }.map(String.init)
        guard pieces.contains(where: { names[$0] != nil }) else { return ImportProblem.shortened(text) }
        return pieces.map { names[$0] ?? $0 }.joined(separator: ", ")
    }
}

/// What the ids in changes name, as far as it is still there.
private struct ChangeNames {
    private var names: [String: String] = [:]
    /// Those who may change something here, and whom one looks for.
    private(set) var choices: [(id: String, name: String)] = []

    /// So many people stand in the chooser.
    private static let shownPeople = 100

    init(_ changes: [Change], at site: SiteID, and person: PersonID?, _ store: Store) throws {
        try store.read { database in
            for role in try AccountRecords.roles(of: site, in: database) { names[role.id.text] = role.name }
            for gate in try GateRecords.allGates(of: site, in: database) { names[gate.id.text] = gate.name }
            for group in try DoorsRecords.gateGroups(of: site, in: database) { names[group.id.text] = group.name }
            for timetable in try DoorsRecords.timetables(of: site, in: database) {
                names[timetable.id.text] = timetable.name
            }
            let managers = Set(
                try AccountRecords.memberships(at: site, in: database)
                    .filter { Permission.managing.contains($0.permission) }.map(\.person)
            ).prefix(Self.shownPeople)
            let mentioned = changes.flatMap { [$0.by, $0.about].compactMap { $0 } + $0.others }.compactMap {
                PersonID($0)
            }
            for id in Set(managers).union(mentioned).union(person.map { [$0] } ?? []) {
                names[id.text] = try AccountRecords.person(id, in: database)?.name
            }
            choices = Set(managers).union(person.map { [$0] } ?? []).compactMap { id in
                names[id.text].map { (id.text, $0) }
            }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        }
    }

    subscript(id: String) -> String? { names[id] }

    /// Whether a value is an id that says nothing to people.
    func isMute(_ value: String?) -> Bool {
        guard let value, PersonID(value) != nil else { return false }
        return names[value] == nil
    }
}
