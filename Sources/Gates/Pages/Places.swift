import Accounts
import Identity
import Pages
import Store
import System

extension Gates {
    /// More gates of a place than this are not looked at for the one that can be opened first.
    private static let looked = 24

    /// Somebody's places, with the gate of each that they most likely want: the one that they opened last, else the first that is ready.
    func places(
        of principal: Principal, _ sites: [Site], _ navigation: Navigation, _ language: Language
    ) throws -> PlacesView.Model {
        let (words, now) = (PagesWords.in(language), clock.now)
        let places = try store.read { database in
            let last = try GateRecords.lastTransits(of: principal.person.id, in: database)
            return try sites.map { site in
                let permission = principal.current(at: site.id, now).first?.permission
                return PlacesView.Place(
                    id: site.id.text, name: site.name, kind: site.kind,
                    role: permission.map { words.permission($0.rawValue) } ?? "",
                    href: Self.start(of: site, navigation),
                    first: try navigation.first(for: principal, at: site, now: now, language)
                        ?? first(of: principal, at: site, now, language, last, database))
            }
                + principal.locked.map { site in
                    PlacesView.Place(
                        id: site.id.text, name: site.name, kind: site.kind, role: "",
                        href: Self.start(of: site, navigation), isLocked: true)
                }
        }
        var model = PlacesView.Model(
            language: language, person: principal.person.name, address: principal.person.address, places: places)
        model.hasOthers = !principal.memberships.isEmpty
        return model
    }

    private func first(
        of principal: Principal, at site: Site, _ now: Timestamp, _ language: Language, _ last: [GateID: Timestamp],
        _ database: Database
    ) throws -> PlacesView.First? {
        let words = GatesWords.in(language)
        let gates = try GateRecords.gates(of: site.id, in: database).sorted { a, b in
            (last[a.id]?.milliseconds ?? 0) > (last[b.id]?.milliseconds ?? 0)
        }
        var shown: (gate: Gate, state: GatesView.State)?
        for gate in gates.prefix(Self.looked) {
            let state = try face(gate, principal, now, language, database)
            if state == .ready {
                shown = (gate, state)
                break
            }
            if shown == nil { shown = (gate, state) }
        }
        return shown.map { gate, state in
            PlacesView.First(
                name: gate.name, tone: state.tone, state: state.chip(words), href: "/gates/\(gate.id.text)",
                open: state == .ready ? words.openGate(gate.name) : nil)
        }
    }
}
