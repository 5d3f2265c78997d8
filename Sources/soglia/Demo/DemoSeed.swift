import Accounts
import Crypto
import Doors
import Gates
import Ledger
import Platform
import Store
import System
import Wire

/// The people and places of the demo, made once per folder; their passwords are random.
struct DemoSeed {
    private let store: Store
    private let clock = WallClock.system

    /// Opens the folder's database. Nobody else may have it open.
    init(folder: String) throws {
        store = try Store(
            path: folder + "/soglia.sqlite", migrations: AdminCommand.migrations)
    }

    func close() async { await store.close() }

    /// Who works at every company.
    static let everywhere = "carlo.neri@example.com"
    /// Who owns every house.
    static let householder = "lucia.ferri@example.com"

    private struct Company {
        let site: Site
        let roles: [Role]
        let gates: [Gate]
    }

    /// Makes what is missing. Answers the sample accounts when they were made now, nil when they are there already.
    func make() async throws -> (accounts: [DemoFile.Account], sites: [DemoFile.Site])? {
        guard try store.read({ try AccountRecords.isEmpty(in: $0) }) else {
            guard try store.read({ try AccountRecords.hubValue(ServeCommand.demoMark, in: $0) }) != nil else {
                throw UsageError("this folder belongs to a hub in earnest: give the demo a folder of its own")
            }
            return nil
        }
        let passwords = Passwords()
        let factory = try await company("Officine Rossi", gates: ["Main entrance", "Car park", "Laboratory"])
        let depot = try await company("Deposito Nord", gates: ["Yard"])
        let samples: [(Person, Permission, [(Company, Role)], String)] = [
            (
                person("Ada Rossi"), .member, [(factory, factory.roles[0])],
                "Open the main entrance, on a screen as small as a phone's."
            ),
            (
                person("Marta Conti"), .owner, [(factory, factory.roles[1])],
                "Watch the log while Ada opens; then end her membership yesterday."
            ),
            (
                person("Carlo Neri"), .member, [(factory, factory.roles[1]), (depot, depot.roles[0])],
                "Two places, and the laboratory's gate as well."
            ),
        ]
        var accounts: [DemoFile.Account] = []
        for (person, permission, places, tryThis) in samples {
            let password = Token().text.prefix(16).description
            let hash = try await passwords.hash(password)
            try await add(person, hash, permission, places)
            accounts.append(
                .init(
                    name: person.name, email: person.email, password: password, permission: permission.rawValue,
                    site: places[0].0.site.id.text, tryThis: tryThis))
        }
        try await addColleagues(at: factory, try await passwords.hash(Token().text))
        let (town, sea) = try await houses.make()
        for (name, places, tryThis) in [
            (
                "Lucia Ferri", [(town, Permission.owner), (sea, .owner)],
                "Two houses: watch the gas, lower its threshold, arm, and walk past the sensor."
            ), ("Piero Ferri", [(sea, .member)], "The house by the sea is shared with him."),
        ] {
            let password = Token().text.prefix(16).description
            let somebody = person(name)
            try await add(somebody, try await passwords.hash(password), places)
            accounts.append(
                .init(
                    name: name, email: somebody.email, password: password, permission: places[0].1.rawValue,
                    site: places[0].0.id.text, tryThis: tryThis))
        }
        try await store.write { try AccountRecords.setHubValue(ServeCommand.demoMark, [1], in: $0) }
        try await AccountRecords.setRegistration(open: true, at: clock.now, in: store)
        let sites = [factory.site, depot.site, town, sea].map {
            DemoFile.Site(id: $0.id.text, kind: $0.kind.rawValue, name: $0.name)
        }
        return (accounts, sites)
    }

    private func person(_ name: String) -> Person {
        let address = name.lowercased().split(separator: " ").joined(separator: ".")
        return Person(id: .new(at: clock.now), name: name, email: "\(address)@example.com", language: nil)
    }

    private func company(_ name: String, gates names: [String]) async throws -> Company {
        let now = clock.now
        let site = Site(id: .new(at: now), name: name, kind: .company, zone: Zone(name: "Europe/Rome") ?? .utc)
        let roles = [("Employee", 1), ("Technician", 2)].map {
            Role(id: .new(at: now), site: site.id, name: $0.0, level: $0.1)
        }
        let gates = names.map {
            Gate(
                id: .new(at: now), site: site.id, name: $0, policy: "doors", key: nil, epoch: 1, pulse: 3000,
                rightsVersion: 1)
        }
        try await store.write { database in
            try AccountRecords.add(site, at: now, by: nil, in: database)
            for role in roles { try AccountRecords.add(role, at: now, by: nil, in: database) }
            for gate in gates { try GateRecords.add(gate, at: now, by: nil, in: database) }
            for gate in gates {
                try DoorsRecords.give(gate.id, to: roles[1].id, in: database)
                if gate.name != "Laboratory" { try DoorsRecords.give(gate.id, to: roles[0].id, in: database) }
            }
        }
        try await addRules(site, gates)
        return Company(site: site, roles: roles, gates: gates)
    }

    /// Hours, a day off, gates that go together, and a role that has them: what a manager finds ready to be changed.
    private func addRules(_ site: Site, _ gates: [Gate]) async throws {
        let now = clock.now
        let year = site.zone.day(at: now).civil.year
        func week(_ weekdays: String, saturday: String) throws -> [[DaySpan]] {
            let hours = try DaySpan.list(weekdays)
            return Array(repeating: hours, count: 5) + [try DaySpan.list(saturday), []]
        }
        let office = Timetable(
            id: .new(at: now), site: site.id, name: "Office hours",
            week: try week("08:00-12:30 13:30-18:00", saturday: ""), keepsSpecialDays: true)
        let evenings = Timetable(
            id: .new(at: now), site: site.id, name: "Evenings", week: try week("18:00-22:00", saturday: "08:00-12:00"),
            keepsSpecialDays: true)
        let ground = GateGroup(
            id: .new(at: now), site: site.id, name: "Ground floor",
            gates: gates.filter { $0.name != "Laboratory" }.map(\.id))
        let cleaner = Role(id: .new(at: now), site: site.id, name: "Cleaner", level: 0)
        try await store.write { database in
            for timetable in [office, evenings] { try DoorsRecords.put(timetable, in: database) }
            if let day = Day(year: year, month: 12, day: 25) {
                try DoorsRecords.put(
                    SpecialDay(
                        id: .new(at: now), site: site.id, name: "Natale", firstDay: day, lastDay: day.adding(days: 1),
                        spans: []), in: database)
            }
            try DoorsRecords.put(ground, in: database)
            try AccountRecords.add(cleaner, at: now, by: nil, in: database)
            try DoorsRecords.setReach(
                of: cleaner.id, gates: [], groups: [ground.id], timetable: evenings.id, in: database)
        }
    }

    private func add(
        _ person: Person, _ hash: String, _ permission: Permission, _ places: [(Company, Role)], first: Day? = nil,
        last: Day? = nil
    ) async throws {
        let now = clock.now
        let memberships = places.map { place, role in
            Membership(
                id: .new(at: now), person: person.id, site: place.site.id, permission: permission, role: role.id,
                firstDay: first,
                lastDay: last)
        }
        try await store.write { database in
            try AccountRecords.add(person, passwordHash: hash, at: now, in: database)
            for membership in memberships {
                try AccountRecords.found(membership, at: now, in: database)
                try DoorsRecords.makeBadge(for: person.id, at: membership.site, in: database)
            }
        }
    }

    /// Somebody at houses, where nobody has a badge.
    private func add(_ person: Person, _ hash: String, _ places: [(Site, Permission)]) async throws {
        let now = clock.now
        try await store.write { database in
            try AccountRecords.add(person, passwordHash: hash, at: now, in: database)
            for (site, permission) in places {
                try AccountRecords.found(
                    Membership(
                        id: .new(at: now), person: person.id, site: site.id, permission: permission, role: nil,
                        firstDay: nil, lastDay: nil), at: now, in: database)
            }
        }
    }

    /// The household.
    var houses: DemoHouses { DemoHouses(store: store, clock: clock) }

    /// So that the manager's list is one: some still to come, some gone, a long name.
    private func addColleagues(at company: Company, _ hash: String) async throws {
        let today = company.site.zone.day(at: clock.now)
        let names = [
            "Elena Riva", "Paolo Gatti", "Bruno Villa", "Chiara Fontana", "Davide Moretti", "Francesca Greco",
            "Giorgio Serra",
            "Ilaria Costa", "Luca Marini", "Nadia Ferrari", "Óscar Núñez", "Pia Lombardi", "Quirino De Santis",
            "Maria Antonietta Castellammare-Pappalardo della Rovere", "Sara Bianchi", "Tommaso Leone",
        ]
        for (index, name) in names.enumerated() {
            let first = index % 5 == 3 ? today.adding(days: 12) : today.adding(days: -400)
            let last = index % 5 == 4 ? today.adding(days: -30) : nil
            let ascii = name.unicodeScalars.filter { $0.isASCII }.reduce(into: "") { $0.unicodeScalars.append($1) }
            var colleague = person(name)
            colleague.email = ascii.lowercased().split(separator: " ").joined(separator: ".") + "@example.com"
            try await add(
                colleague, hash, index == 0 ? .manager : .member, [(company, company.roles[index % 2])], first: first,
                last: last)
        }
    }

    /// A gate of the demo, and the code that its controller needs, when it has none yet.
    struct GateToRun: Sendable {
        /// The name of its process.
        let process: String
        let name: String
        /// Where its controller keeps its things.
        let folder: String
        /// 26 letters; nil when it is paired.
        let code: String?
    }

    /// All gates, with fresh codes for those that were never paired.
    func gates(folder: String) async throws -> [GateToRun] {
        var gates: [GateToRun] = []
        for gate in try store.read({ try GateRecords.gates(in: $0) }) {
            let process = "gate-" + gate.name.lowercased().split(separator: " ").joined(separator: "-")
            let own = "\(folder)/gates/\(process)"
            var code: String?
            if gate.key == nil {
                // A controller that has a key that the hub does not know was cut off while pairing: it needs its reset.
                for file in Files.names(in: own) { Files.remove("\(own)/\(file)") }
                code = try await PairingDesk.prepare(gate.id, store, clock).code.text
            }
            gates.append(GateToRun(process: process, name: gate.name, folder: own, code: code))
        }
        return gates
    }
}
