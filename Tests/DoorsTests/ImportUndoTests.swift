import Identity
import Ledger
import Notices
import Store
import System
import Testing

@testable import Accounts
@testable import Doors

/// What happens to Cy between the import that made them and its undoing.
enum Meanwhile: String, CaseIterable, Sendable {
    case nothing, renamed, anotherBadge, changedAndBack, ended, endedAndReinstated, lastDaySet, anotherMembership
    case invited, told, passwordChosen, signedIn, signedInLongAgo, passkeyAdded, oldApp, joinedElsewhere
    case joinedElsewhereAndEnded

    /// What becomes of them by the undoing.
    enum Fate: Equatable {
        /// The account is gone.
        case gone
        /// They are in the site's list, and their access has ended.
        case ended
        /// They are in the site's list as before.
        case stays
        /// Another site has them.
        case elsewhere
    }

    var fate: Fate {
        switch self {
        case .nothing, .changedAndBack, .endedAndReinstated, .invited, .told: .gone
        case .renamed, .anotherBadge, .ended, .passwordChosen, .signedIn, .signedInLongAgo, .passkeyAdded, .oldApp:
            .ended
        case .lastDaySet, .anotherMembership: .stays
        case .joinedElsewhere, .joinedElsewhereAndEnded: .elsewhere
        }
    }
}

@Suite("Taking an import back")
struct ImportUndoTests {
    private func importRows(_ rows: String..., into company: Company, by author: Principal) async throws -> ImportID {
        let file = Array(("name,email,permission,last day,password\n" + rows.joined(separator: "\n")).utf8)
        let draft = try await company.doors.checkImport(
            file[...], at: company.site, by: author.person.id, language: .en, makesRoles: false)
        #expect(draft.problems.list.map(\.why.code) == [])
        #expect(await company.doors.applyImport(draft.id, at: company.site, by: author))
        while let now = company.doors.imports.draft(draft.id, at: company.site.id, of: author.person.id), now.isAtWork {
            await Task.yield()
        }
        return draft.id
    }

    private func undo(_ id: ImportID, _ company: Company, by author: Principal) async throws -> [String] {
        #expect(try await company.doors.undoImport(id, at: company.site, by: author.person.id))
        return try #require(try company.doors.importDone(id, at: company.site.id)).kept.map {
            "\($0.name) \($0.why.rawValue)"
        }
    }

    private func person(_ email: String, _ company: Company) throws -> Person? {
        try company.given.store.read {
            try InvitationRecords.known(email, at: company.site.id, in: $0).person
                ?? AccountRecords.person(email: email, in: $0)
        }
    }

    /// Those whom no list shows, of any site.
    private func unseen(_ company: Company) throws -> [String] {
        try company.given.store.read { database in
            try database.rows("SELECT name FROM people WHERE id NOT IN (SELECT person FROM memberships)") {
                $0[0] as String
            }
        }
    }

    private func listed(_ company: Company) throws -> [String: PeopleFilter.Status] {
        var found: [String: PeopleFilter.Status] = [:]
        for status in PeopleFilter.Status.allCases where status != .waiting {
            let filter = PeopleFilter(status: status, today: day("2026-11-21"))
            for row in try company.given.store.read({
                try AccountRecords.people(of: company.site.id, filter, offset: 0, limit: 100, in: $0)
            }) { found[row.person.name] = status }
        }
        return found
    }

    @Test("An import whose author was erased since can be taken back")
    func erasedAuthor() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let manager = try await company.principal("Mara", .manager)
            let id = try await importRows("Cy,cy@example.org,member,,", into: company, by: manager)
            let site = company.site.id
            try await company.given.store.write { try ImportRecords.forget(manager.person.id, at: site, in: $0) }
            let authors = try company.given.store.read {
                try $0.rows("SELECT author FROM people_imports") { $0[0] as PersonID }
            }
            #expect(authors.count == 1 && authors != [manager.person.id])
            #expect(try await undo(id, company, by: owner) == [])
            #expect(try person("cy@example.org", company) == nil)
        }
    }

    private func elsewhere(_ company: Company) async throws -> Site {
        let other = Site(id: .new(at: noon), name: "Altrove", kind: .company, zone: rome)
        try await company.given.store.write { try AccountRecords.add(other, at: noon, by: nil, in: $0) }
        return other
    }

    private func happen(_ meanwhile: Meanwhile, _ company: Company, by owner: Principal) async throws {
        let (doors, site, given) = (company.doors, company.site, company.given)
        let cy = try #require(try person("cy@example.org", company))
        let own = try #require(
            try given.store.read { try AccountRecords.memberships(of: cy.id, at: site.id, in: $0) }.first)
        func save(name: String? = nil, to last: String = "") async throws {
            let entry = MembershipEntry(permission: "member", role: "", firstDay: "", lastDay: last)
            _ = try await doors.changeMembership(own.id, at: site, by: owner, name: name, entry)
        }
        func join() async throws -> Membership {
            let other = try await elsewhere(company)
            let membership = Membership(
                id: .new(at: noon), person: cy.id, site: other.id, permission: .guest, role: nil, firstDay: nil,
                lastDay: nil)
            try await given.accounts.change { try AccountRecords.add(membership, at: noon, by: nil, in: $0) }
            return membership
        }
        func invitation() async throws -> String {
            try await given.accounts.invitationOnPaper(for: cy.id, at: site.id, by: owner.person.id).code.text
        }
        switch meanwhile {
        case .nothing: break
        case .renamed: try await save(name: "Cyrus")
        case .anotherBadge: try await doors.setBadge("A-1", ofHolderOf: own.id, at: site, by: owner)
        case .changedAndBack:
            try await save(to: "2027-01-31")
            try await save()
        case .ended: _ = try await doors.change([own.id], .revoke, at: site, by: owner)
        case .endedAndReinstated:
            _ = try await doors.change([own.id], .revoke, at: site, by: owner)
            _ = try await doors.change([own.id], .reinstate, at: site, by: owner)
        case .lastDaySet: try await save(to: "2027-01-31")
        case .anotherMembership:
            _ = try await doors.addMembership(
                MembershipEntry(permission: "guest", role: "", firstDay: "", lastDay: ""), toHolderOf: own.id,
                at: site, by: owner)
        case .invited: _ = try await invitation()
        case .told:
            _ = try await given.notices.sendNews(
                NoticeWords(typedTitle: "The lift stands still", body: ""), .normal, at: site.id, to: nil,
                minutesBetween: nil, by: owner.person.id)
        case .passwordChosen:
            let (code, hash) = (try await invitation(), try await given.accounts.passwordHash("quite another one"))
            try await given.accounts.change { database in
                _ = try given.accounts.join(
                    code, name: cy.name, address: cy.email, passwordHash: hash, Doors.handovers, in: database, at: noon)
            }
        case .signedIn, .signedInLongAgo:
            _ = try await given.accounts.signIn(
                email: cy.email, password: "correct horse", address: "::1", isProgram: true)
            if meanwhile == .signedInLongAgo {
                try await given.store.write { database in
                    _ = try LinkRecords.noteSignIn(of: cy.id, at: noon, in: database)
                    _ = try database.execute("DELETE FROM sessions WHERE person = ?", cy.id)
                }
            }
        case .passkeyAdded:
            let passkey = Passkey(
                id: [1, 2, 3], party: "localhost", name: "Phone", publicKey: [4], counter: 0, isBackupEligible: false,
                isBackedUp: false, transports: [], added: noon, used: nil)
            try await given.store.write { try WayRecords.add(passkey, to: cy.id, in: $0) }
        case .oldApp: _ = try await doors.makeLegacyPassword(for: cy.id, at: site, by: owner.person.id)
        case .joinedElsewhere: _ = try await join()
        case .joinedElsewhereAndEnded:
            var membership = try await join()
            membership.revoked = noon
            let after = membership
            try await given.accounts.change { try AccountRecords.change(after, at: noon, by: nil, in: $0) }
        }
    }

    @Test("Whatever happened since, undoing an import leaves nobody whom no list shows", arguments: Meanwhile.allCases)
    func everybodyIsSeen(_ meanwhile: Meanwhile) async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let id = try await importRows("Cy,cy@example.org,,,correct horse", into: company, by: owner)
            try await happen(meanwhile, company, by: owner)
            let kept = try await undo(id, company, by: owner)
            #expect(try unseen(company) == [])
            let cy = try person("cy@example.org", company)
            let status = try cy.flatMap { try listed(company)[$0.name] }
            switch meanwhile.fate {
            case .gone:
                #expect(cy == nil)
                #expect(kept == [])
            case .ended:
                #expect(cy != nil)
                #expect(status == .revoked)
                #expect(kept == [meanwhile == .ended ? "Cy changed" : "Cy ended"])
            case .stays: #expect(status == .current)
            case .elsewhere:
                #expect(cy != nil)
                #expect(status == nil)
                #expect(kept == ["Cy used"])
            }
            let badges = try company.given.store.read { database in
                try database.rows(
                    """
                    SELECT code FROM badges b WHERE NOT EXISTS (
                        SELECT 1 FROM memberships m WHERE m.person = b.person AND m.site = b.site)
                    """
                ) { $0[0] as String }
            }
            #expect(badges == [])
            // Who is gone cannot be erased any more, so no row names them.
            #expect(try named(company).contains { $0.contains("Cy") || $0.contains("cy@") } == (cy != nil))
        }
    }

    /// What is kept of what imports made.
    private func named(_ company: Company) throws -> [String] {
        try company.given.store.read {
            try $0.rows("SELECT name || ' ' || made FROM people_import_items") { $0[0] as String }
        }
    }

    @Test("What an import made is forgotten after a week, whether or not there is another import")
    func forgotten() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            _ = try await importRows("Cy,cy@example.org,,,correct horse", into: company, by: owner)
            let store = company.given.store
            let (week, later) = (
                noon.adding(milliseconds: 7 * 86_400_000), noon.adding(milliseconds: 7 * 86_400_000 + 1)
            )
            while try await store.write({ try ImportRecords.sweep(at: week, in: $0) }) {}
            #expect(try !named(company).isEmpty)
            while try await store.write({ try ImportRecords.sweep(at: later, in: $0) }) {}
            #expect(try named(company) == [])
        }
    }

    @Test("Two imports of the same person, undone in either order, leave nobody", arguments: [false, true])
    func twoImports(_ isReversed: Bool) async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let first = try await importRows("Cy,cy@example.org,,,correct horse", into: company, by: owner)
            let second = try await importRows("Cy,cy@example.org,,2027-01-31,", into: company, by: owner)
            for id in isReversed ? [second, first] : [first, second] {
                _ = try await undo(id, company, by: owner)
                #expect(try unseen(company) == [])
            }
            #expect(try person("cy@example.org", company) == nil)
            #expect(try named(company) == [])
        }
    }

    @Test("Who has an account of their own keeps it when an import that added them is undone")
    func ownAccount() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let hash = try await company.given.accounts.passwordHash("long enough, is it?")
            let known = Person(id: .new(at: noon), name: "Eva", email: "eva@example.org", language: nil)
            try await company.given.store.write {
                try AccountRecords.add(known, passwordHash: hash, at: noon, in: $0)
            }
            let id = try await importRows("Eva,eva@example.org,,,", into: company, by: owner)
            #expect(try await undo(id, company, by: owner) == [])
            #expect(try person("eva@example.org", company)?.id == known.id)
            #expect(try listed(company)["Eva"] == nil)
        }
    }

    @Test("Who is no owner takes no owner away by undoing an import")
    func ownersStay() async throws {
        try await Company.run { company in
            let (owner, mia) = (
                try await company.principal("Ada", .owner), try await company.principal("Mia", .manager)
            )
            let id = try await importRows(
                "Cy,cy@example.org,owner,,", "Di,di@example.org,member,,", into: company, by: owner)
            #expect(try await undo(id, company, by: mia) == ["Cy notAllowed"])
            #expect(try listed(company) == ["Ada": .current, "Mia": .current, "Cy": .current])
            #expect(try unseen(company) == [])
        }
    }

    @Test("A site keeps an owner, also when every owner but those of the import is gone")
    func lastOwner() async throws {
        try await Company.run { company in
            let owner = try await company.principal("Ada", .owner)
            let id = try await importRows(
                "Cy,cy@example.org,owner,,", "Cy,cy@example.org,owner,2027-01-31,", "Di,di@example.org,owner,,",
                into: company, by: owner)
            var own = try #require(owner.memberships.first?.membership)
            own.permission = .manager
            let after = own
            try await company.given.accounts.change { try AccountRecords.change(after, at: noon, by: nil, in: $0) }
            // Di, one of them, is who takes it back.
            let di = try #require(try person("di@example.org", company))
            #expect(try await company.doors.undoImport(id, at: company.site, by: di.id))
            let kept = try #require(try company.doors.importDone(id, at: company.site.id)).kept
            #expect(kept.map { "\($0.name) \($0.why.rawValue)" } == ["Di used"])
            #expect(try listed(company) == ["Ada": .current, "Di": .current])
            #expect(try unseen(company) == [])
        }
    }
}
