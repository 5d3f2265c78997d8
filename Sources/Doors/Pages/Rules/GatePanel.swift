import Accounts
import Gates
import Identity
import Ledger
import Pages
import Store
import System

extension Doors {
    /// Who opens a gate, on the page on which a manager looks after it.
    func panel(about gate: Gate, _ site: Site, _ language: Language) throws -> HTML {
        guard gate.policy == "doors" else { return .empty }
        let words = RulesWords.in(language)
        let today = site.zone.day(at: given.clock.now)
        let (rules, groups, hours, people) = try given.store.read { database in
            let ids = try DoorsRecords.roles(having: gate.id, in: database)
            return (
                try DoorsRecords.roleRules(of: site.id, in: database).filter { ids.contains($0.role.id) },
                try DoorsRecords.gateGroups(of: site.id, in: database).filter { $0.gates.contains(gate.id) },
                try DoorsRecords.timetables(of: site.id, in: database),
                try DoorsRecords.peopleCounts(at: site.id, today: today, in: database)
            )
        }
        return section(.css("plate"), .aria("labelledby", "who-opens")) {
            h2(.id("who-opens")) { words.whoOpens }
            if rules.isEmpty { p(.css("soft")) { words.nobodyOpens } }
            ul(.css("lines")) {
                for rule in rules {
                    li {
                        a(.href("/sites/\(site.id.text)/roles/\(rule.role.id.text)")) { bdi { rule.role.name } }
                        span(.css("soft")) {
                            " · \(words.countPeople(people[rule.role.id] ?? 0)) · "
                            bdi { hours.first { $0.id == rule.hours }?.name ?? words.anyTime }
                        }
                    }
                }
            }
            h3 { words.inGroups }
            if groups.isEmpty { p(.css("soft")) { words.noGroup } }
            ul(.css("lines")) {
                for group in groups {
                    li { a(.href("/sites/\(site.id.text)/gate-groups/\(group.id.text)")) { bdi { group.name } } }
                }
            }
        }
    }

    /// What is still to do at a place before people walk through its gates; empty once it is done. Hours are offered, not asked for:
    /// a company whose gates open at any time has none.
    func guide(_ site: Site, _ language: Language) throws -> HTML {
        let words = GuideWords.in(language)
        let everybody = PeopleFilter(today: site.zone.day(at: given.clock.now))
        let (gates, hasHours, hasRoles, hasPeople) = try given.store.read { database in
            (
                try GateRecords.gates(of: site.id, in: database),
                try !DoorsRecords.timetables(of: site.id, in: database).isEmpty,
                try !AccountRecords.roles(of: site.id, in: database).isEmpty,
                try AccountRecords.peopleCount(of: site.id, everybody, in: database) > 1
            )
        }
        let isPaired = gates.contains { $0.key != nil }
        if !gates.isEmpty && isPaired && hasRoles && hasPeople { return .empty }
        let base = site.id.text
        let first = gates.first { $0.key == nil }?.id.text
        let steps: [(isDone: Bool, href: LocalPath, title: String, detail: String)] = [
            (!gates.isEmpty, "/sites/\(base)/gates/new", words.gate, words.gateDetail),
            (
                isPaired, first.map { "/sites/\(base)/gates/\($0)" } ?? "/sites/\(base)/gates/manage", words.pair,
                words.pairDetail
            ),
            (hasHours, "/sites/\(base)/hours/new", words.hours, words.hoursDetail),
            (hasRoles, "/sites/\(base)/roles/new", words.roles, words.rolesDetail),
            (hasPeople, "/sites/\(base)/people/new", words.people, words.peopleDetail),
        ]
        return section(.css("plate guide"), .aria("labelledby", "guide")) {
            h2(.id("guide")) { words.title }
            ol {
                for step in steps {
                    li(.css(step.isDone ? "done" : "")) {
                        div {
                            p { a(.href(step.href)) { step.title } }
                            p(.css("soft")) { step.detail }
                        }
                        Part.chip(step.isDone ? .go : .idle, step.isDone ? words.done : words.todo)
                    }
                }
            }
        }
    }
}

/// The words of the first steps at a place.
struct GuideWords: Sendable {
    let title: String
    let done: String
    let todo: String
    let gate: String
    let gateDetail: String
    let pair: String
    let pairDetail: String
    let hours: String
    let hoursDetail: String
    let roles: String
    let rolesDetail: String
    let people: String
    let peopleDetail: String

    static func `in`(_ language: Language) -> GuideWords {
        switch language {
        case .en: en
        case .it: it
        case .es: es
        }
    }

    private static let en = GuideWords(
        title: "First steps", done: "done", todo: "to do", gate: "Add a gate",
        gateDetail: "A door, a turnstile, a barrier.",
        pair: "Pair its controller", pairDetail: "With a code that is good for ten minutes.",
        hours: "Write down the hours",
        hoursDetail: "Skip it where people may pass at any time.", roles: "Add a role",
        rolesDetail: "Which gates, and when: Office, Warehouse.", people: "Add people",
        peopleDetail: "Each with a role, from a first day on.")

    private static let it = GuideWords(
        title: "Primi passi", done: "fatto", todo: "da fare", gate: "Aggiungi un varco",
        gateDetail: "Una porta, un tornello, una sbarra.", pair: "Abbina la sua centralina",
        pairDetail: "Con un codice che vale dieci minuti.", hours: "Scrivi gli orari",
        hoursDetail: "Salta questo passo dove si può passare a qualsiasi ora.", roles: "Aggiungi un ruolo",
        rolesDetail: "Quali varchi, e quando: Ufficio, Magazzino.", people: "Aggiungi le persone",
        peopleDetail: "Ognuna con un ruolo, da un primo giorno in poi.")

    private static let es = GuideWords(
        title: "Primeros pasos", done: "hecho", todo: "por hacer", gate: "Añade un acceso",
        gateDetail: "Una puerta, un torno, una barrera.", pair: "Empareja su controlador",
        pairDetail: "Con un código que vale diez minutos.", hours: "Escribe los horarios",
        hoursDetail: "Sáltalo donde se puede pasar a cualquier hora.", roles: "Añade un rol",
        rolesDetail: "Qué accesos, y cuándo: Oficina, Almacén.", people: "Añade personas",
        peopleDetail: "Cada una con un rol, desde un primer día.")
}
