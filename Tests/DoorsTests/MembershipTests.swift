import Gates
import HTTPServer
import Identity
import Ledger
import Notices
import Pages
import Store
import System
import Testing

@testable import Accounts
@testable import Doors
@testable import Platform

@Suite("A manager's entries")
struct MembershipTests {
    @Test("A new person has an account, a membership and a badge; with a role they have its gates at once")
    func added() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let gate = try await company.gate("Ingresso")
            let role = try await company.role("Magazzino", gates: [gate])
            let (membership, person) = try await company.doors.addPerson(
                company.entry(role: role.id.text, to: "2026-11-21"), at: company.site, by: owner)
            #expect(person.email == "bruno@example.org")
            #expect(membership.role == role.id)
            #expect(try company.verdict(person.id, gate) == .granted(until: moment("2026-11-21T23:00:00.000Z")))
            #expect(
                try company.verdict(person.id, gate, at: moment("2026-11-21T23:00:00.000Z"))
                    == .denied(Reason("ended", "2026-11-21")))
            #expect(try company.verdict(owner.person.id, gate) == .denied(Reason("noRole")))
            #expect(try company.verdict(.new(at: noon), gate) == .denied(Reason("noMembership")))
            let badge = try company.given.store.read {
                try DoorsRecords.badge(of: person.id, at: company.site.id, in: $0)
            }
            #expect(badge == "000001")
            let (token, _) = try await company.given.accounts.signIn(
                email: "Bruno@example.org", password: "long enough, is it?", address: "::1", isProgram: true)
            #expect(try company.given.accounts.principal(token: token.text)?.person == person)
        }
    }

    @Test("Somebody who has an account keeps it; the same membership twice is refused, another one is not")
    func known() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let (_, first) = try await company.doors.addPerson(company.entry(), at: company.site, by: owner)
            let again = try await company.refusal {
                _ = try await company.doors.addPerson(company.entry(), at: company.site, by: owner)
            }
            #expect(again == .init(field: "email", why: .alreadyThere))
            var other = company.entry(to: "2026-12-31")
            (other.name, other.password) = ("Somebody else", "another password")
            let chosen = other
            let refusal = try await company.refusal {
                _ = try await company.doors.addPerson(chosen, at: company.site, by: owner)
            }
            #expect(refusal == .init(field: "password", why: .hasOwnWay), "a second password is refused in words")
            other.password = ""
            let (_, second) = try await company.doors.addPerson(other, at: company.site, by: owner)
            #expect(second == first)
            _ = try await company.given.accounts.signIn(
                email: first.email, password: "long enough, is it?", address: "::1", isProgram: true)
        }
    }

    @Test("An invitation of a person who is promoted in the moment of asking takes the proof that the promotion takes")
    func invitedWhilePromoted() async throws {
        try await Company.run { company in
            let (owner, given) = (try await company.principal("Ada", .owner), company.given)
            let invitations = Invitations(given, features: [Doors.self])
            let (member, _) = try await company.doors.addPerson(company.entry(), at: company.site, by: owner)
            company.time.change { $0 = $0.adding(milliseconds: Proof.freshness + 1) }
            func open() throws -> Int {
                try given.store.read { database in
                    try InvitationRecords.open(of: member.person, at: company.time.value, in: database).count
                }
            }
            _ = try await invitations.paper(for: member.id, at: company.site, by: owner)
            #expect(try open() == 1, "a member of a company is invited without a fresh proof")
            var promoted = member
            promoted.permission = .owner
            // In the transaction that would write the next code, after everything was looked at.
            let after = promoted
            await #expect(throws: Problem.self) {
                try await Store.writing(
                    first: { try AccountRecords.change(after, at: noon, by: nil, in: $0) },
                    { _ = try await invitations.paper(for: member.id, at: company.site, by: owner) })
            }
            let several = try await Store.writing(
                first: { try AccountRecords.change(after, at: noon, by: nil, in: $0) },
                { try await company.doors.invite([member.id], at: company.site, by: owner) })
            #expect(several.sent == 0 && several.refused.map(\.1) == [.notAllowed])
            // The letters of an import, or of a bulk change, go out one by one, long after they were asked for.
            let asked = company.time.value
            try await Store.writing(
                first: { try AccountRecords.change(after, at: noon, by: nil, in: $0) },
                { await company.doors.invite([member.person], to: company.site, by: owner, asked: asked) })
            try await given.accounts.change { try AccountRecords.change(after, at: noon, by: nil, in: $0) }
            await company.doors.invite([member.person], to: company.site, by: owner, asked: asked)
            #expect(try open() == 0)
            // Who proved who they are when they asked may, however long it takes.
            await company.doors.invite([member.person], to: company.site, by: owner, asked: noon)
            #expect(try open() == 1)
            try await given.accounts.change {
                try AccountRecords.change(member, at: noon, by: nil, in: $0)
                try InvitationRecords.end(of: member.person, in: $0)
            }
            _ = try await invitations.paper(for: member.id, at: company.site, by: owner)
            try await given.accounts.change { try AccountRecords.change(after, at: noon, by: nil, in: $0) }
            await #expect(throws: Problem.self) {
                _ = try await invitations.paper(for: member.id, at: company.site, by: owner)
            }
        }
    }

    @Test(
        "Who came in with somebody's address and has not shown that it is theirs gets nothing by it",
        arguments: [false, true])
    func unconfirmed(isByFile: Bool) async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let (_, guest) = try await company.doors.addPerson(
                company.entry(permission: "guest"), at: company.site, by: owner)
            let (token, _) = try await company.given.accounts.signIn(
                email: guest.email, password: "long enough, is it?", address: "::1", isProgram: true)
            company.time.change { $0 = $0.adding(milliseconds: 1) }
            var boss = company.entry(permission: "manager")
            boss.password = ""
            if isByFile {
                let file = Array(
                    "name,email,permission\nBruno,\(guest.email),guest\nBruno,\(guest.email),manager\n".utf8)
                let draft = try await company.doors.checkImport(
                    file[...], at: company.site, by: owner.person.id, language: .en, makesRoles: false)
                #expect(draft.plan.decisions == [.unchanged, nil])
                #expect(draft.problems.list.map(\.why.code) == ["addressUnconfirmed"])
            } else {
                let entry = boss
                let (_, person) = try await company.doors.addPerson(entry, at: company.site, by: owner)
                #expect(person.id != guest.id && person.invited == guest.email)
                var again = entry
                again.permission = "guest"
                let same = again
                let refusal = try await company.refusal {
                    _ = try await company.doors.addPerson(same, at: company.site, by: owner)
                }
                #expect(refusal == .init(field: "email", why: .alreadyThere), "they have it already, whoever they are")
            }
            let principal = try company.given.accounts.principal(token: token.text)
            #expect(principal?.memberships.map(\.membership.permission) == [.guest])
            let managers = try company.given.store.read {
                try AccountRecords.memberships(at: company.site.id, in: $0).filter { $0.permission == .manager }
            }
            #expect(managers.count == (isByFile ? 0 : 1) && managers.first?.person != guest.id)
        }
    }

    @Test("An invitation ends where its person is to have more, or something else, and not where they are to have less")
    func invitationOfWhoIsLowered() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let invitations = Invitations(company.given, features: [Doors.self])
            let order: [(permission: String, stays: Bool)] = [
                ("manager", false), ("installer", true), ("guest", true), ("member", false), ("guest", true),
                ("owner", false), ("member", true), ("installer", false),
            ]
            let (member, person) = try await company.doors.addPerson(
                company.entry(permission: "member"), at: company.site, by: owner)
            for (permission, stays) in order {
                _ = try await invitations.paper(for: member.id, at: company.site, by: owner)
                _ = try await company.doors.changeMembership(
                    member.id, at: company.site, by: owner, name: nil, company.entry(permission: permission))
                let open = try company.given.store.read {
                    try InvitationRecords.open(of: person.id, at: company.time.value, in: $0).count
                }
                #expect(open == (stays ? 1 : 0), "\(permission)")
            }
        }
    }

    @Test("What sends a letter takes the proof that the letter takes, by all that its reader had or has")
    func lettersTakeTheirProof() async throws {
        try await Company.run { company in
            let (owner, site) = (try await company.principal("Ada", .owner), company.site)
            var boss = company.entry(permission: "manager")
            boss.password = ""
            var guest = company.entry(permission: "guest")
            guest.password = ""
            let (entry, less) = (boss, guest)
            let (membership, _) = try await company.doors.addPerson(entry, at: site, by: owner)
            let (second, _) = (
                try await company.doors.addMembership(less, toHolderOf: membership.id, at: site, by: owner), ()
            )
            _ = try await company.doors.change([membership.id, second.id], .revoke, at: site, by: owner)
            company.time.change { $0 = $0.adding(milliseconds: Proof.freshness + 1) }
            let file = Array("name,email,permission\nBruno,\(less.email),guest\n".utf8)
            let ways: [@Sendable () async throws -> Void] = [
                { _ = try await company.doors.addPerson(less, at: site, by: owner) },
                { _ = try await company.doors.addMembership(less, toHolderOf: second.id, at: site, by: owner) },
                { _ = try await company.doors.change([second.id], .reinstate, at: site, by: owner) },
            ]
            for way in ways {
                let problem = await #expect(throws: Problem.self) { try await way() }
                #expect(problem?.type == "fresh-proof-needed")
            }
            let draft = try await company.doors.checkImport(
                file[...], at: site, by: owner.person.id, language: .en, makesRoles: false)
            #expect(draft.plan.invitedAnew == [less.email])
            let problem = #expect(throws: Problem.self) {
                try company.doors.requireProof(toApply: draft.id, at: site, owner)
            }
            #expect(problem?.type == "fresh-proof-needed")
            #expect(await company.doors.applyImport(draft.id, at: site, by: owner))
            let open = try company.given.store.read {
                try AccountRecords.memberships(of: membership.person, at: site.id, in: $0).filter { $0.revoked == nil }
            }
            #expect(open.isEmpty, "an import is refused where it is written, too")
        }
    }

    @Test(
        "An invitation of what an import gave ends when that is taken back, and gives nothing that is given back later")
    func invitationOfAnImport() async throws {
        try await Company.run { company in
            let (owner, site) = (try await company.principal("Ada", .owner), company.site)
            let invitations = Invitations(company.given, features: [Doors.self])
            var boss = company.entry(permission: "manager")
            boss.password = ""
            let (membership, person) = try await company.doors.addPerson(boss, at: site, by: owner)
            _ = try await company.doors.change([membership.id], .revoke, at: site, by: owner)
            let file = Array("name,email,permission\nBruno,\(boss.email),guest\n".utf8)
            let draft = try await company.doors.checkImport(
                file[...], at: site, by: owner.person.id, language: .en, makesRoles: false)
            #expect(await company.doors.applyImport(draft.id, at: site, by: owner))
            _ = try await invitations.paper(for: membership.id, at: site, by: owner)
            func open() throws -> Int {
                try company.given.store.read {
                    try InvitationRecords.open(of: person.id, at: company.time.value, in: $0).count
                }
            }
            #expect(try open() == 1)
            #expect(try await company.doors.undoImport(draft.id, at: site, by: owner.person.id))
            #expect(try open() == 0)
            _ = try await company.doors.change([membership.id], .reinstate, at: site, by: owner)
            #expect(try open() == 0)
        }
    }

    @Test("What was chosen for a prepared account is chosen anew by who is invited to its address")
    func preparedChoices() async throws {
        try await Company.run { company in
            let (owner, accounts) = (try await company.principal("Ada", .owner), company.given.accounts)
            let eve = Person(id: .new(at: noon), name: "Eve chose this", email: "bruno@example.org", language: "es")
            let entry = MembershipEntry(
                name: "Bruno", email: "bruno@example.org", password: "", permission: "member", role: "", firstDay: "",
                lastDay: "")
            let (_, expected) = try await company.doors.addPerson(entry, at: company.site, by: owner)
            let site = company.site.id
            let code = try await company.given.store.write { database in
                try AccountRecords.add(eve, passwordHash: "x", at: noon, in: database)
                try AccountRecords.setZone(rome, of: eve.id, in: database)
                var muted = NoticePreferences()
                (muted.push, muted.mail) = ([], [])
                try PreferenceRecords.put(muted, of: eve.id, in: database)
                return try InvitationRecords.issue(
                    Invitation(
                        person: expected.id, site: site, way: .letter, by: owner.person.id,
                        expires: noon.adding(milliseconds: Invitation.lifetime)), at: noon, sweeps: true, in: database)
            }
            try await accounts.change { database in
                _ = try accounts.join(
                    code.text, name: "Bruno Vero", address: "", passwordHash: "y", Doors.handovers, in: database,
                    at: noon)
            }
            let own = try #require(try company.given.store.read { try AccountRecords.person(eve.id, in: $0) })
            #expect(own.name == "Bruno Vero" && own.language == nil && own.zone == nil)
            let kept = try company.given.store.read { try PreferenceRecords.preferences(of: eve.id, in: $0) }
            #expect(kept == NoticePreferences())
        }
    }

    @Test("A letter that is refused is not counted for its address")
    func refusedLetters() async throws {
        try await Company.run { company in
            let (owner, site) = (try await company.principal("Ada", .owner), company.site)
            let joined = try await company.principal("Dora", .member).person
            for _ in 0..<5 {
                await #expect(throws: InvitingRefusal.hasCome) {
                    try await company.given.letters.invite(joined.id, to: site.id, by: owner.person)
                }
            }
            for _ in 1...3 {
                #expect(company.given.accounts.admitLetter(to: joined.email, .invitation(owner.person.id)))
            }
            let (_, awaited) = try await company.doors.addPerson(
                company.entry("Berta"), at: site, by: owner)
            // Also where it is the site that has sent too many.
            company.given.accounts.invitations.withLock { limit in
                while limit.admit(site.id, company.given.accounts.uptime()) == nil {}
            }
            for _ in 0..<5 {
                await #expect(throws: AccountRefusal.tooManyAttempts(retryAfterSeconds: 3_600)) {
                    try await company.given.letters.invite(awaited.id, to: site.id, by: owner.person)
                }
            }
            for _ in 1...2 {
                #expect(company.given.accounts.admitLetter(to: awaited.email, .invitation(owner.person.id)))
            }
        }
    }

    @Test("Only an owner changes the badge of an owner")
    func badgeOfAnOwner() async throws {
        try await Company.run { company in
            let (ada, mara) = (
                try await company.principal("Ada", .owner), try await company.principal("Mara", .manager)
            )
            let owner = try #require(
                try company.given.store.read {
                    try AccountRecords.memberships(of: ada.person.id, at: company.site.id, in: $0).first
                })
            let (member, _) = try await company.doors.addPerson(company.entry(), at: company.site, by: ada)
            let problem = await #expect(throws: Problem.self) {
                try await company.doors.setBadge("77", ofHolderOf: owner.id, at: company.site, by: mara)
            }
            #expect(problem?.status == 403)
            try await company.doors.setBadge("78", ofHolderOf: member.id, at: company.site, by: mara)
            try await company.doors.setBadge("79", ofHolderOf: owner.id, at: company.site, by: ada)
            // One who owned it once is what they are now.
            let otto = try await company.principal("Otto", .owner)
            let former = try #require(
                try company.given.store.read {
                    try AccountRecords.memberships(of: otto.person.id, at: company.site.id, in: $0).first
                })
            for isRevoked in [true, false] {
                var ended = former
                if isRevoked { ended.revoked = noon } else { ended.lastDay = day("2026-11-20") }
                try await company.given.accounts.change { [ended] in
                    try AccountRecords.change(ended, at: noon, by: nil, in: $0)
                }
                try await company.doors.setBadge("8\(isRevoked)", ofHolderOf: former.id, at: company.site, by: mara)
            }
        }
    }

    @Test("A site counts for who made it while they are a part of it, also when others own it")
    func sitesOfAFounder() async throws {
        try await Company.run { company in
            for name in ["Ada", "Bruno"] { _ = try await company.principal(name, .owner) }
            let given = company.given
            // Of one millisecond, in no order.
            let all = try given.store.read { database in
                try ["ada", "bruno"].compactMap { name in
                    try AccountRecords.person(email: "\(name)@example.org", in: database)
                }.flatMap { try AccountRecords.memberships(of: $0.id, at: company.site.id, in: database) }
            }.sorted { $0.id < $1.id }
            let other = all[1].person
            var first = all[0]
            func owned(_ person: PersonID) throws -> Int {
                try given.store.read { try AccountRecords.countOwned(by: person, in: $0) }
            }
            func founder() throws -> PersonID? {
                try given.store.read { try AccountRecords.founder(of: company.site.id, in: $0) }
            }
            func set(_ change: (inout Membership) -> Void) async throws {
                change(&first)
                try await given.accounts.change { [first] in
                    try AccountRecords.change(first, at: noon, by: nil, in: $0)
                }
            }
            #expect(try (owned(first.person), owned(other)) == (1, 1))
            try await set { $0.permission = .manager }
            #expect(try owned(first.person) == 1 && founder() == first.person)
            try await set { $0.revoked = noon }
            #expect(try owned(first.person) == 0 && owned(other) == 1 && founder() == first.person)
        }
    }

    @Test("Memberships that one request changes or gives back count one by one, and taking access away is free")
    func rowsOfOneRequest() async throws {
        try await Company.run { company in
            let (owner, site) = (try await company.principal("Ada", .owner), company.site)
            let (membership, _) = try await company.doors.addPerson(company.entry(), at: site, by: owner)
            let ids = (0..<Doors.bulkLimit).map { _ in MembershipID.new(at: noon) }
            let first = try await company.doors.change(
                [membership.id] + ids.dropFirst(), .lastDay(day("2099-01-01")), at: site, by: owner)
            try company.given.accounts.admit(rows: ChangeLimit.rows.burst - ids.count, of: owner)
            let problem = await #expect(throws: Problem.self) {
                _ = try await company.doors.change(ids, .lastDay(nil), at: site, by: owner)
            }
            #expect(problem?.status == 429)
            #expect(try await company.doors.undo(first.batch, at: site, by: owner)?.changed == 1)
            // Taking access away waits for nothing; giving it back does, or the two would go on for ever.
            let away = try await company.doors.change([membership.id] + ids.dropFirst(), .revoke, at: site, by: owner)
            #expect((away.changed, away.refused.count) == (1, ids.count - 1))
            let again = await #expect(throws: Problem.self) {
                _ = try await company.doors.undo(away.batch, at: site, by: owner)
            }
            #expect(again?.status == 429)
            company.given.accounts.giveBack(rows: 1, of: owner)
            #expect(try await company.doors.undo(away.batch, at: site, by: owner)?.changed == 1)
            #expect(try await company.doors.undo(away.batch, at: site, by: owner) == nil)
        }
    }

    @Test("An import invites anew who came in by an unconfirmed address and has nothing here any more")
    func unconfirmedWhoIsGone() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let (membership, guest) = try await company.doors.addPerson(
                company.entry(permission: "guest"), at: company.site, by: owner)
            _ = try await company.given.accounts.signIn(
                email: guest.email, password: "long enough, is it?", address: "::1", isProgram: true)
            func draft(badge: String) async throws -> ImportDraft {
                let file = Array("name,email,permission,badge\nBruno,\(guest.email),member,\(badge)\n".utf8)
                return try await company.doors.checkImport(
                    file[...], at: company.site, by: owner.person.id, language: .en, makesRoles: false)
            }
            let badge = try #require(
                try company.given.store.read { try DoorsRecords.badge(of: guest.id, at: company.site.id, in: $0) })
            #expect(try await draft(badge: badge).problems.list.map(\.why.code) == ["addressUnconfirmed"])
            _ = try await company.doors.change([membership.id], .revoke, at: company.site, by: owner)
            #expect(try await draft(badge: badge).problems.list.map(\.why.code) == ["badgeTaken"])
            let good = try await draft(badge: "77")
            #expect(good.problems.isEmpty && good.plan.decisions == [.newPerson] && good.toInvite == 1)
            #expect(await company.doors.applyImport(good.id, at: company.site, by: owner))
            let members = try company.given.store.read {
                try AccountRecords.memberships(at: company.site.id, in: $0).filter { $0.permission == .member }
            }
            #expect(members.count == 1 && members.first?.person != guest.id)
        }
    }

    @Test(
        "An old app's password that a manager made ends when its person is to change the place",
        arguments: ["add", "more", "put", "given back"])
    func oldAppOfWhoIsRaised(way: String) async throws {
        try await Company.run { company in
            let (owner, manager) = (
                try await company.principal("Ada", .owner), try await company.principal("Carla", .manager)
            )
            let (membership, person) = try await company.doors.addPerson(
                company.entry(permission: "guest"), at: company.site, by: manager)
            _ = try await company.doors.makeLegacyPassword(for: person.id, at: company.site, by: manager.person.id)
            func isThere() throws -> Bool {
                try company.given.store.read {
                    try LegacyRecords.sites(of: person.id, in: $0).contains(company.site.id)
                }
            }
            company.time.change { $0 = $0.adding(milliseconds: 1) }
            _ = try await company.doors.changeMembership(
                membership.id, at: company.site, by: manager, name: nil, company.entry(permission: "member"))
            #expect(try isThere(), "they may no more than a manager gives")
            var owning = company.entry(permission: "owner")
            owning.password = ""
            let raised = owning
            switch way {
            case "add": _ = try await company.doors.addPerson(raised, at: company.site, by: owner)
            case "more":
                _ = try await company.doors.addMembership(
                    raised, toHolderOf: membership.id, at: company.site, by: owner)
            case "given back":
                // Ended, raised while it has ended, and given back.
                _ = try await company.doors.change([membership.id], .revoke, at: company.site, by: owner)
                company.time.change { $0 = $0.adding(milliseconds: 1) }
                _ = try await company.doors.changeMembership(
                    membership.id, at: company.site, by: owner, name: nil, raised)
                _ = try await company.doors.change([membership.id], .reinstate, at: company.site, by: owner)
                await #expect(throws: (any Error).self, "nor does a first password that the manager chose") {
                    _ = try await company.given.accounts.signIn(
                        email: person.email, password: "long enough, is it?", address: "::1", isProgram: true)
                }
            default:
                _ = try await company.doors.changeMembership(
                    membership.id, at: company.site, by: owner, name: nil, raised)
            }
            #expect(try !isThere())
        }
    }

    @Test(
        "An old app that a manager made does not follow its person into another place that they take",
        arguments: ["they own it", "it is an owner's", "neither", "by letter"])
    func oldAppOfWhoJoins(how: String) async throws {
        try await Company.run { company in
            let (given, owner, manager) = (
                company.given, try await company.principal("Ada", .owner),
                try await company.principal("Carla", .manager)
            )
            let invitations = Invitations(given, features: [Doors.self])
            func place(_ permission: String) async throws -> Membership {
                var entry = company.entry(permission: permission)
                (entry.email, entry.password) = ("place@example.org", "")
                return try await company.doors.addPerson(entry, at: company.site, by: owner).0
            }
            func sites(of person: PersonID) throws -> Set<SiteID> {
                try given.store.read { Set(try LegacyRecords.sites(of: person, in: $0)) }
            }
            let place = try await place(how == "it is an owner's" ? "owner" : "guest")
            switch how {
            case "they own it", "neither":
                // The place has the app; who takes it may own the site already.
                _ = try await company.doors.makeLegacyPassword(
                    for: place.person, at: company.site, by: manager.person.id)
                let code = try await invitations.paper(for: place.id, at: company.site, by: owner).code
                let joiner = how == "neither" ? try await company.principal("Dora", .member) : owner
                _ = try await invitations.join(code.text, as: joiner)
                #expect(try !sites(of: joiner.person.id).contains(company.site.id))
            case "it is an owner's":
                let joiner = try await company.principal("Dora", .guest)
                _ = try await company.doors.makeLegacyPassword(
                    for: joiner.person.id, at: company.site, by: manager.person.id)
                let code = try await invitations.paper(for: place.id, at: company.site, by: owner).code
                _ = try await invitations.join(code.text, as: joiner)
                #expect(try sites(of: joiner.person.id).isEmpty)
            default:
                _ = try await company.doors.makeLegacyPassword(
                    for: place.person, at: company.site, by: manager.person.id)
                let now = company.time.value
                let code = try await given.store.write { database in
                    try InvitationRecords.issue(
                        Invitation(
                            person: place.person, site: company.site.id, way: .letter, by: owner.person.id,
                            expires: now.adding(milliseconds: 60_000)), at: now, sweeps: true, in: database)
                }
                let person = try await invitations.join(
                    code.text, name: "Bruno", address: "", password: "long enough, is it?")
                #expect(try sites(of: person).isEmpty, "the old app ends when its person joins by the letter")
            }
        }
    }

    @Test("Each field that will not do is named, and nothing is half done")
    func refused() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let before = try company.given.ledger.position()
            for (entry, field, why) in [
                (company.entry(""), "name", .missing), (company.entry("not an address"), "email", .notAnAddress),
                (company.entry(permission: "king"), "permission", .unknown),
                (company.entry(permission: "merchant"), "permission", .notAllowed),
                (company.entry(role: "x"), "role", .unknown),
                (company.entry(role: RoleID.new(at: noon).text), "role", .unknown),
                (company.entry(from: "2026-02-30"), "first_day", .notADay),
                (company.entry(to: "yesterday"), "last_day", .notADay),
                (company.entry(from: "2026-12-01", to: "2026-11-30"), "last_day", .endsBeforeItBegins),
            ] as [(MembershipEntry, String, MembershipEntry.Refusal.Why)] {
                var entry = entry
                if entry.name == "" { entry.email = "bruno@example.org" }
                let filled = entry
                let refusal = try await company.refusal {
                    _ = try await company.doors.addPerson(filled, at: company.site, by: owner)
                }
                #expect(refusal == .init(field: field, why: why))
            }
            #expect(try company.given.ledger.position() == before)
        }
    }

    @Test("A manager makes nobody an owner, and takes nothing from one")
    func managers() async throws {
        try await Company.run { company in
            let (owner, manager) = (
                try await company.principal("Ada", .owner), try await company.principal("Carla", .manager)
            )
            let making = try await company.refusal {
                _ = try await company.doors.addPerson(company.entry(permission: "owner"), at: company.site, by: manager)
            }
            #expect(making == .init(field: "permission", why: .notAllowed))
            let owners = try #require(owner.memberships.first).membership.id
            let taking = try await company.refusal {
                _ = try await company.doors.changeMembership(
                    owners, at: company.site, by: manager, name: nil, company.entry(permission: "member"))
            }
            #expect(taking == .init(field: "permission", why: .notAllowed))
        }
    }

    @Test("Who is asked for a password's hash while their own rights end adds nobody, and changes nobody")
    func rightsThatEnded() async throws {
        try await Company.run { company in
            _ = try await company.principal("Ada", .owner)
            let manager = try await company.principal("Carla", .manager)
            let (known, _) = try await company.doors.addPerson(company.entry(), at: company.site, by: manager)
            let own = try #require(manager.memberships.first).membership
            var ended = own
            ended.revoked = noon
            let end = ended
            try await company.given.accounts.change {
                try AccountRecords.change(end, at: noon, by: nil, in: $0)
            }
            // As the request found them before.
            let refusals = [
                try await company.refusal {
                    _ = try await company.doors.addPerson(
                        company.entry("Dario", permission: "manager"), at: company.site, by: manager)
                },
                try await company.refusal {
                    _ = try await company.doors.addMembership(
                        company.entry(permission: "manager"), toHolderOf: known.id, at: company.site, by: manager)
                },
                try await company.refusal {
                    _ = try await company.doors.changeMembership(
                        known.id, at: company.site, by: manager, name: "Eve", company.entry())
                },
            ]
            for refusal in refusals { #expect(refusal == .init(field: "permission", why: .notAllowed)) }
            let bulk = try await company.doors.change([known.id], .revoke, at: company.site, by: manager)
            #expect(bulk.changed == 0)
        }
    }

    @Test("The last owner stays one, whichever way it is tried; with another one they may go")
    func lastOwner() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let own = try #require(owner.memberships.first).membership.id
            func change(_ entry: MembershipEntry) async throws -> MembershipEntry.Refusal? {
                try await company.refusal {
                    _ = try await company.doors.changeMembership(own, at: company.site, by: owner, name: nil, entry)
                }
            }
            for entry in [
                company.entry(permission: "manager"), company.entry(permission: "owner", to: "2026-11-20"),
                company.entry(permission: "owner", from: "2026-11-22"),
            ] { #expect(try await change(entry) == .init(field: "permission", why: .lastOwner)) }
            let endsToday = try await change(company.entry(permission: "owner", to: "2026-11-21"))
            #expect(endsToday == .init(field: "permission", why: .lastOwner))
            _ = try await company.doors.addPerson(company.entry(permission: "owner"), at: company.site, by: owner)
            #expect(try await change(company.entry(permission: "manager")) == nil)
        }
    }

    @Test(
        "What was changed denies the live passes of that person at this site in the same transaction; nothing changed denies nothing"
    )
    func passesDenied() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let gate = try await company.gate("Ingresso")
            let role = try await company.role("Magazzino", gates: [gate])
            let (membership, person) = try await company.doors.addPerson(
                company.entry(role: role.id.text), at: company.site, by: owner)
            try await company.given.store.write { database in
                _ = try database.execute(
                    "INSERT INTO passes (id, gate, person, not_after) VALUES (?, ?, ?, ?)", Random.bytes(16), gate.id,
                    person.id,
                    noon.seconds + 60)
            }
            func denied() throws -> Int? {
                try company.given.store.read { try $0.row("SELECT count(*) FROM denied_passes") { $0[0] as Int } }
            }
            let (unchanged, renamed) = try await company.doors.changeMembership(
                membership.id, at: company.site, by: owner, name: "Bruno Bianchi", company.entry(role: role.id.text))
            #expect(unchanged == membership)
            #expect(renamed.name == "Bruno Bianchi")
            #expect(try denied() == 0)
            _ = try await company.doors.changeMembership(
                membership.id, at: company.site, by: owner, name: nil, company.entry())
            #expect(try denied() == 1)
            #expect(try company.verdict(person.id, gate) == .denied(Reason("noRole")))
            let kinds = try company.given.ledger.events(of: company.site.id, after: 0, limit: 100).map(\.kind)
            #expect(kinds.filter { $0 == "membership.changed" }.count == 1)
        }
    }

    @Test("A membership of another site does not exist here")
    func otherSite() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let other = Site(id: .new(at: noon), name: "Altrove", kind: .company, zone: rome)
            try await company.given.store.write { try AccountRecords.add(other, at: noon, by: nil, in: $0) }
            let own = try #require(owner.memberships.first).membership.id
            let refusal = try await company.refusal {
                _ = try await company.doors.changeMembership(own, at: other, by: owner, name: nil, company.entry())
            }
            #expect(refusal == .init(field: "membership", why: .unknown))
        }
    }

    @Test(
        "Badges are numbered one after another per site, and one that is there stays, also when many are made at once")
    func badges() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let names = (0..<20).map { "P\($0)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names {
                    group.addTask {
                        _ = try await company.doors.addPerson(company.entry(name), at: company.site, by: owner)
                    }
                }
                try await group.waitForAll()
            }
            let codes = try company.given.store.read {
                try $0.rows("SELECT code FROM badges ORDER BY code") { $0[0] as String }
            }
            #expect(codes == (1...20).map { $0 < 10 ? "00000\($0)" : "0000\($0)" })
        }
    }

    @Test("Every reason has words in every language, and a day where it needs one", arguments: Language.allCases)
    func words(language: Language) async throws {
        try await Company.run { company in
            let policy = try #require(company.given.gates.policy("doors"))
            let reasons: [DoorsReason] = [
                .noMembership, .notStarted(day("2026-11-22")), .ended(day("2026-11-20")), .noRole, .roleLacksGate,
            ]
            let texts = reasons.compactMap { policy.text(of: $0.reason, in: language.rawValue, to: .person) }
            #expect(Set(texts).count == reasons.count)
            #expect(texts[1].contains("22"))
            #expect(texts[2].contains("20"))
            #expect(policy.text(of: Reason("somethingElse"), in: language.rawValue, to: .person) == nil)
        }
    }
}
