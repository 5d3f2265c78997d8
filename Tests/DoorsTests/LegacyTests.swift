import Gates
import HTTPServer
import Identity
import Ledger
import Store
import System
import Testing
import Wire

@testable import Accounts
@testable import Doors

@Suite("The original web service")
struct LegacyTests {
    // MARK: policy

    @Test("Only roles that are in force today count, each once")
    func roles() {
        let (person, site) = (PersonID.new(at: noon), SiteID.new(at: noon))
        let (one, two, three) = (RoleID.new(at: noon), RoleID.new(at: noon), RoleID.new(at: noon))
        func membership(_ role: RoleID?, _ first: String?, _ last: String?, revoked: Timestamp? = nil) -> Membership {
            Membership(
                id: .new(at: noon), person: person, site: site, permission: .member, role: role,
                firstDay: first.map(day), lastDay: last.map(day), revoked: revoked)
        }
        let today = day("2026-11-21")
        let all = [
            membership(one, nil, nil), membership(one, "2026-11-21", "2026-11-21"), membership(two, nil, "2026-11-20"),
            membership(two, "2026-11-22", nil), membership(three, nil, nil, revoked: noon), membership(nil, nil, nil),
        ]
        #expect(LegacyPolicy.roles(of: all, on: today) == [one])
        #expect(LegacyPolicy.roles(of: all, on: day("2026-11-22")) == [one, two])
        #expect(LegacyPolicy.roles(of: Array(all.dropFirst(2)), on: today).isEmpty)
    }

    @Test(
        "A digest is forty hexadecimal digits",
        arguments: [
            ("DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", true), ("da39a3ee5e6b4b0d3255bfef95601890afd8070", false),
            ("da39a3ee5e6b4b0d3255bfef95601890afd807090", false), ("", false),
            ("ga39a3ee5e6b4b0d3255bfef95601890afd80709", false),
            ("da39a3ee5e6b4b0d3255bfef95601890afd8070\u{0}", false),
        ])
    func digests(text: String, isOne: Bool) {
        #expect(LegacyPolicy.digest(text) == (isOne ? text.lowercased() : nil))
        #expect(LegacyCode.sha1("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    }

    @Test(
        "A user name is made of what everybody can type",
        arguments: [
            ("Ada Rossi", 1, "ada.rossi@officina"), ("Ada Rossi", 3, "ada.rossi3@officina"),
            ("Óscar Núñez", 1, "scar.nez@officina"), ("李 雷", 1, "user@officina"), ("  ", 2, "user2@officina"),
        ])
    func usernames(name: String, number: Int, expected: String) {
        #expect(LegacyPolicy.username(of: name, at: "Officina", number: number) == expected)
        #expect(LegacyPolicy.username(of: String(repeating: "a", count: 500), at: "b", number: 1).utf8.count <= 128)
    }

    @Test("Of a user name that thousands have a few are tried")
    func firstFree() {
        for taken in [0, 1, 2, 7, 20_000] {
            var tried = 0
            let found = Doors.firstFree { number -> Int? in
                tried += 1
                return number <= taken ? nil : number
            }
            #expect(found == taken + 1 && tried <= 32)
        }
    }

    @Test("A name has the original's two parts")
    func names() {
        #expect(LegacyPolicy.parts(of: "Ada Rossi") == ("Ada", "Rossi"))
        #expect(LegacyPolicy.parts(of: "Maria della Rovere") == ("Maria", "della Rovere"))
        #expect(LegacyPolicy.parts(of: "Ada") == ("Ada", ""))
        #expect(LegacyPolicy.parts(of: "") == ("", ""))
    }

    @Test(
        "This machine's own addresses are no open network, and no others",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false),
            ("128.0.0.1", false), ("::2", false), ("", false), ("1.127.0.0", false),
        ])
    func loopback(address: String, isLoopback: Bool) {
        #expect(LegacyPolicy.isLoopback(address) == isLoopback)
    }

    @Test("A request is safe by TLS, or from this machine itself and through no proxy")
    func safety() {
        func request(_ address: String, isSecure: Bool = false, _ headers: Headers = Headers()) -> Request {
            Request(.post, "/api/login", headers: headers, peerAddress: address, isSecure: isSecure)
        }
        #expect(Doors.isSafe(request("127.0.0.1")))
        #expect(Doors.isSafe(request("192.0.2.7", isSecure: true)))
        #expect(!Doors.isSafe(request("192.0.2.7")))
        for name in ["X-Forwarded-For", "Forwarded", "Via", "x-real-ip"] {
            #expect(!Doors.isSafe(request("127.0.0.1", Headers([(name, "127.0.0.1")]))))
            #expect(Doors.isSafe(request("127.0.0.1", isSecure: true, Headers([(name, "127.0.0.1")]))))
        }
    }

    @Test("What a gate holds: hours as they are, what was taken away as ended, one calendar for all who share it")
    func localRights() throws {
        func id(_ number: UInt64) -> ID16 { ID16(high: 0, low: number) }
        let people = (0..<4).map { _ in PersonID.new(at: noon) }
        let hours = [Interval(start: 10, end: 20), Interval(start: 30, end: 40)]
        let badges = [
            LegacyBadge(code: [0], person: people[0], revoked: nil),
            LegacyBadge(code: [1], person: people[1], revoked: nil),
            LegacyBadge(code: [2], person: people[2], revoked: nil),
            LegacyBadge(code: [3], person: people[3], revoked: nil),
            LegacyBadge(code: [4], person: people[0], revoked: Timestamp(seconds: 5)),
        ]
        let times = [people[0]: hours, people[1]: hours, people[2]: [Interval(start: 7, end: 9)]]
        let (local, cut) = try LegacyPolicy.localRights(of: badges, times: times) { id(UInt64($0[0])) }
        #expect(cut == 0)
        #expect(local.calendars == [hours])
        #expect(local.decide(id(0), at: 15) == .none && local.decide(id(1), at: 35) == .none)
        #expect(local.decide(id(0), at: 25) == .outsideInterval && local.decide(id(0), at: 40) == .expired)
        #expect(local.decide(id(2), at: 8) == .none && local.decide(id(2), at: 9) == .expired)
        #expect(local.decide(id(3), at: 8) == .expired)  // may at no time
        // Another badge since, also where a clock is behind.
        #expect(local.decide(id(4), at: 15) == .expired && local.decide(id(4), at: 4) == .expired)
    }

    // MARK: on a real file

    private func signIn(
        _ company: Company, _ secret: Doors.LegacySecret, password: String? = nil, isGET: Bool = false
    ) async throws -> LegacyAnswer {
        try await company.doors.signInLegacy(
            .init(
                username: secret.username, digest: LegacyCode.sha1(password ?? secret.password), isGET: isGET,
                address: "::1"))
    }

    @Test("Roles are told with their old gates only, also those that a group of gates gives")
    func readers() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let (old, new) = (try await company.gate("Cancello"), try await company.gate("Ingresso"))
            let role = try await company.role("Magazzino", gates: [old, new])
            let (_, person) = try await company.doors.addPerson(
                company.entry("Bruno", role: role.id.text), at: company.site, by: owner)
            let secret = try await company.doors.makeLegacyPassword(
                for: person.id, at: company.site, by: owner.person.id)
            #expect(try await signIn(company, secret).roles.map(\.readers.count) == [0])
            try await company.doors.setLegacy(old.id, true, at: company.site.id, by: owner)
            let answer = try await signIn(company, secret)
            #expect(answer.roles.map(\.name) == ["Magazzino"])
            #expect(answer.roles[0].readers.map(\.name) == ["Cancello"])
            #expect(answer.user.badgeCode.utf8.count == 20)
            #expect(try await signIn(company, secret) == answer)
            try await company.doors.setLegacy(old.id, false, at: company.site.id, by: owner)
            #expect(try await signIn(company, secret).roles.map(\.readers.count) == [0])
        }
    }

    @Test("A role that ended yesterday signs nobody in, and whoever has the wrong password is not told so")
    func ended() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let role = try await company.role("Magazzino")
            let (_, person) = try await company.doors.addPerson(
                company.entry("Bruno", role: role.id.text, to: "2026-11-21"), at: company.site, by: owner)
            let secret = try await company.doors.makeLegacyPassword(
                for: person.id, at: company.site, by: owner.person.id)
            _ = try await signIn(company, secret)
            company.time.change { $0 = moment("2026-11-21T23:00:00.000Z") }  // midnight in Rome
            await #expect(throws: LegacyRefusal.noRole) { try await signIn(company, secret) }
            await #expect(throws: LegacyRefusal.wrong) { try await signIn(company, secret, password: "x") }
        }
    }

    @Test("GET is refused where it was not turned on, and only whoever knows the password is told so")
    func get() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let role = try await company.role("Magazzino")
            let (_, person) = try await company.doors.addPerson(
                company.entry("Bruno", role: role.id.text), at: company.site, by: owner)
            let secret = try await company.doors.makeLegacyPassword(
                for: person.id, at: company.site, by: owner.person.id)
            await #expect(throws: LegacyRefusal.postOnly) { try await signIn(company, secret, isGET: true) }
            await #expect(throws: LegacyRefusal.wrong) {
                try await signIn(company, secret, password: "x", isGET: true)
            }
            try await company.doors.setLegacyGET(true, at: company.site.id, by: owner)
            _ = try await signIn(company, secret, isGET: true)
        }
    }

    @Test("Two of one name have two user names; nobody without a part in the site gets one")
    func usernames() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let (_, first) = try await company.doors.addPerson(company.entry("Bruno"), at: company.site, by: owner)
            var namesake = company.entry("Bruno")
            namesake.email = "another.bruno@example.org"
            let (_, second) = try await company.doors.addPerson(namesake, at: company.site, by: owner)
            let author = owner.person.id
            let one = try await company.doors.makeLegacyPassword(for: first.id, at: company.site, by: author)
            let two = try await company.doors.makeLegacyPassword(for: second.id, at: company.site, by: author)
            #expect([one.username, two.username] == ["bruno@officina", "bruno2@officina"])
            let renewed = try await company.doors.makeLegacyPassword(for: first.id, at: company.site, by: author)
            #expect(renewed.username == one.username && renewed.password != one.password)
            await #expect(throws: Doors.NoLegacyAccount.self) {
                _ = try await company.doors.makeLegacyPassword(for: .new(at: noon), at: company.site, by: author)
            }
        }
    }

    @Test("An owner's account is an owner's to change; a manager changes everybody else's, and everybody their own")
    func owners() async throws {
        try await Company.run { company in
            let (owner, manager) = (
                try await company.principal("Ada", .owner), try await company.principal("Berta", .manager)
            )
            let member = try await company.principal("Carlo", .member)
            func may(_ principal: Principal, _ person: Principal) throws -> Bool {
                try company.doors.mayChangeLegacy(of: person.person.id, at: company.site.id, principal)
            }
            #expect(try may(owner, owner) && may(owner, manager) && may(manager, member) && may(member, member))
            #expect(try !may(manager, owner) && !may(member, manager) && !may(member, owner))
        }
    }

    @Test("A gate is told of every change of a badge, and knows the one before as ended")
    func badges() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let gate = try await company.gate("Cancello")
            let role = try await company.role("Magazzino", gates: [gate])
            let (_, person) = try await company.doors.addPerson(
                company.entry("Bruno", role: role.id.text), at: company.site, by: owner)
            let (doors, site, author) = (company.doors, company.site, owner.person.id)
            try await doors.setLegacy(gate.id, true, at: site.id, by: owner)
            let key = Key([UInt8](repeating: 7, count: 32))!

            func state() throws -> (version: UInt64, code: String?, local: LocalRights) {
                try company.given.store.read { database in
                    let now = try #require(try GateRecords.gate(gate.id, in: database))
                    let policy = try #require(company.given.gates.policy("doors"))
                    return (
                        now.rightsVersion, try LegacyRecords.badge(of: person.id, at: site.id, in: database),
                        try policy.localRights(of: now, key: key, at: noon, in: database).rights
                    )
                }
            }
            func decide(_ code: String?, _ local: LocalRights) -> GateReason {
                local.decide(LocalRights.name(of: Array((code ?? "").utf8), gateKey: key), at: noon.seconds)
            }
            let before = try state()
            _ = try await doors.makeLegacyPassword(for: person.id, at: site, by: author)
            let made = try state()
            #expect(made.version > before.version && decide(made.code, made.local) == .none)
            try await doors.replaceLegacyBadge(of: person.id, at: site.id, by: author)
            let replaced = try state()
            #expect(replaced.version > made.version && replaced.code != made.code)
            #expect(decide(replaced.code, replaced.local) == .none)
            #expect(decide(made.code, replaced.local) == .expired)
            try await doors.revokeLegacy(of: person.id, at: site.id, by: author)
            let revoked = try state()
            #expect(revoked.version > replaced.version && revoked.code == nil)
            #expect(decide(replaced.code, revoked.local) == .expired)
            // The journal's name of a badge is known as theirs, also afterwards.
            let holder = try company.given.store.read { database in
                try company.given.gates.policy("doors")?.holder(
                    of: LocalRights.name(of: Array(replaced.code!.utf8), gateKey: key), at: gate, key: key, in: database
                )
            }
            #expect(holder == person.id)
            // Unless they were erased: then they are nobody, also to a gate that tells late.
            try await company.given.gates.changeRights(at: site.id) { database in
                for eraser in Doors.erasers {
                    try eraser.erase(Erasure(id: .new(at: noon), person: person.id, site: site.id, at: noon), database)
                }
            }
            try company.given.store.read { database in
                let policy = try #require(company.given.gates.policy("doors"))
                let name = LocalRights.name(of: Array(replaced.code!.utf8), gateKey: key)
                #expect(try policy.holder(of: name, at: gate, key: key, in: database) == nil)
                #expect(try LegacyRecords.account(of: person.id, at: site.id, in: database) == nil)
            }
            #expect(try state().version > revoked.version)
            let kinds = try company.given.ledger.events(of: site.id, after: 0, limit: 100).map(\.kind)
            #expect(
                kinds.suffix(4) == [
                    "gate.mode.changed", "legacy.password.made", "legacy.badge.replaced", "legacy.account.revoked",
                ])
        }
    }

    @Test("Ending all other sessions ends the old app, its badge and what gates know of it, at every site")
    func shutOut() async throws {
        for way in ["password", "sessions"] {
            try await Company.run { company in
                let (owner, bruno) = (
                    try await company.principal("Ada", .owner), try await company.principal("Bruno", .member)
                )
                let other = Site(id: .new(at: noon), name: "Deposito", kind: .company, zone: rome)
                let part = Membership(
                    id: .new(at: noon), person: bruno.person.id, site: other.id, permission: .member, role: nil,
                    firstDay: nil, lastDay: nil)
                try await company.given.accounts.change { database in
                    try AccountRecords.add(other, at: noon, by: nil, in: database)
                    try AccountRecords.add(part, at: noon, by: nil, in: database)
                }
                let gate = try await company.gate("Cancello")
                try await company.doors.setLegacy(gate.id, true, at: company.site.id, by: owner)
                let told = Shared<[PersonID]>([])
                company.given.accounts.whenWaysChange { person, change in
                    if change == .originalApp { told.change { $0.append(person.id) } }
                }
                for (person, site) in [(owner, company.site), (bruno, company.site), (bruno, other)] {
                    _ = try await company.doors.makeLegacyPassword(
                        for: person.person.id, at: site, by: person.person.id)
                }
                #expect(told.value == [owner.person.id, bruno.person.id, bruno.person.id], "each by a letter")
                func state(_ person: Principal, _ site: Site) throws -> (isRevoked: Bool, badge: String?) {
                    try company.given.store.read { database in
                        (
                            try LegacyRecords.account(of: person.person.id, at: site.id, in: database)?.revoked != nil,
                            try LegacyRecords.badge(of: person.person.id, at: site.id, in: database)
                        )
                    }
                }
                func version() throws -> UInt64? {
                    try company.given.store.read { try GateRecords.gate(gate.id, in: $0)?.rightsVersion }
                }
                let before = try #require(try version())
                if way == "password" {
                    _ = try await company.given.accounts.changePassword(
                        of: bruno, current: "long enough, is it?", new: "a threshold in the evening",
                        from: Visitor(address: "::1"))
                } else {
                    _ = try await company.given.accounts.endOtherSessions(of: bruno)
                }
                for site in [company.site, other] {
                    let now = try state(bruno, site)
                    #expect(now.isRevoked && now.badge == nil, "\(way) \(site.name)")
                    let kinds = try company.given.ledger.events(of: site.id, after: 0, limit: 100).map(\.kind)
                    #expect(kinds.filter { $0 == Doors.revoked }.count == 1)
                }
                #expect(try #require(try version()) > before)
                let hers = try state(owner, company.site)
                #expect(!hers.isRevoked && hers.badge != nil)
            }
        }
    }

    @Test("Who joins where they had given their old app back gets the one of their place, and can take it away")
    func handedOver() async throws {
        try await Company.run { company in
            let (owner, ada) = (
                try await company.principal("Olga", .owner), try await company.principal("Ada", .member)
            )
            let (site, author) = (company.site, owner.person.id)
            let gate = try await company.gate("Cancello")
            try await company.doors.setLegacy(gate.id, true, at: site.id, by: owner)
            _ = try await company.doors.makeLegacyPassword(for: ada.person.id, at: site, by: author)
            try await company.doors.revokeLegacy(of: ada.person.id, at: site.id, by: ada.person.id)
            var entry = company.entry("Ada Due")
            entry.email = "ada.due@example.org"
            let (_, standIn) = try await company.doors.addPerson(entry, at: site, by: owner)
            let secret = try await company.doors.makeLegacyPassword(for: standIn.id, at: site, by: author)
            let key = Key(Random.bytes(32))!
            func badge() throws -> String? {
                try company.given.store.read { try LegacyRecords.badge(of: ada.person.id, at: site.id, in: $0) }
            }
            func holder(_ code: String) throws -> PersonID? {
                try company.given.store.read {
                    try company.given.gates.policy("doors")?.holder(
                        of: LocalRights.name(of: Array(code.utf8), gateKey: key), at: gate, key: key, in: $0)
                }
            }
            let code = try #require(
                try company.given.store.read { try LegacyRecords.badge(of: standIn.id, at: site.id, in: $0) })
            #expect(try holder(code) == standIn.id)
            try await company.given.store.write { database in
                for handover in Doors.handovers {
                    try handover.run(standIn.id, ada.person.id, site.id, database)
                }
            }
            #expect(try badge() == code)
            // Whose it is now, although the gate's names were worked out before.
            #expect(try holder(code) == ada.person.id)
            let account = try #require(
                try company.given.store.read { try LegacyRecords.account(of: ada.person.id, at: site.id, in: $0) })
            #expect(account.username == secret.username && account.revoked == nil)
            _ = try await company.given.accounts.endOtherSessions(of: ada)
            #expect(try badge() == nil)
            // A badge without an app, as an earlier version left it, can be taken away, too.
            try await company.given.store.write {
                try LegacyRecords.makeBadge(for: ada.person.id, at: site.id, now: noon, sweeps: true, in: $0)
            }
            try await company.doors.revokeLegacy(of: ada.person.id, at: site.id, by: ada.person.id)
            #expect(try badge() == nil)
            await #expect(throws: Doors.NoLegacyAccount.self) {
                try await company.doors.revokeLegacy(of: ada.person.id, at: site.id, by: ada.person.id)
            }
        }
    }

    @Test("A person who was made an owner meanwhile is an owner's to change where it is written")
    func madeOwner() async throws {
        try await Company.run { company in
            let (owner, manager) = (
                try await company.principal("Ada", .owner), try await company.principal("Berta", .manager)
            )
            let (doors, site, of, by) = (company.doors, company.site, owner.person.id, manager.person.id)
            _ = try await doors.makeLegacyPassword(for: of, at: site, by: of)
            let acts: [@Sendable () async throws -> Void] = [
                { _ = try await doors.makeLegacyPassword(for: of, at: site, by: by) },
                { try await doors.replaceLegacyBadge(of: of, at: site.id, by: by) },
                { try await doors.revokeLegacy(of: of, at: site.id, by: by) },
            ]
            for act in acts { await #expect(throws: Problem.self) { try await act() } }
            let member = try await company.principal("Carlo", .member)
            _ = try await doors.makeLegacyPassword(for: member.person.id, at: site, by: by)
        }
    }
}
