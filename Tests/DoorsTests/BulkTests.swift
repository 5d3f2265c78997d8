import Accounts
import Gates
import Ledger
import Store
import System
import Testing

@testable import Doors
@testable import Gates

@Suite("Several memberships at once")
struct BulkTests {
    private func staff(
        _ count: Int, _ test: (Company, Principal, Role, [Membership]) async throws -> Void
    ) async throws {
        try await Company.run { company in
            let role = try await company.role("Clerk")
            let owner = try await company.principal("Olga", .owner)
            var memberships: [Membership] = []
            for number in 0..<count {
                memberships.append(
                    try await company.doors.addPerson(company.entry("P\(number)"), at: company.site, by: owner).0)
            }
            try await test(company, owner, role, memberships)
        }
    }

    private func current(_ company: Company, _ id: MembershipID) throws -> Membership? {
        try company.given.store.read { try AccountRecords.membership(id, in: $0) }
    }

    @Test("Many are taken away in one go, and all come back with one undo")
    func revokeAndUndo() async throws {
        try await staff(5) { company, owner, _, memberships in
            let ids = memberships.map(\.id)
            let result = try await company.doors.change(ids, .revoke, at: company.site, by: owner)
            #expect((result.changed, result.refused.count) == (5, 0))
            for id in ids { #expect(try current(company, id)?.revoked == noon) }
            let undone = try #require(try await company.doors.undo(result.batch, at: company.site, by: owner))
            #expect((undone.changed, undone.refused.count) == (5, 0))
            for membership in memberships { #expect(try current(company, membership.id) == membership) }
            #expect(try await company.doors.undo(result.batch, at: company.site, by: owner) == nil)
        }
    }

    @Test("Undoing leaves alone what somebody changed since, and says so")
    func undoAfterChange() async throws {
        try await staff(2) { company, owner, role, memberships in
            let ids = memberships.map(\.id)
            let result = try await company.doors.change(ids, .role(role.id), at: company.site, by: owner)
            _ = try await company.doors.change([ids[0]], .lastDay(day("2026-12-31")), at: company.site, by: owner)
            let undone = try #require(try await company.doors.undo(result.batch, at: company.site, by: owner))
            #expect(undone.changed == 1)
            #expect(undone.refused.map(\.refusal.why) == [.changedSince])
            #expect(try current(company, ids[0])?.role == role.id)
            #expect(try current(company, ids[1])?.role == nil)
        }
    }

    @Test("After a day a change can no longer be undone")
    func tooLate() async throws {
        try await staff(1) { company, owner, _, memberships in
            let result = try await company.doors.change([memberships[0].id], .revoke, at: company.site, by: owner)
            company.time.change { $0 = $0.adding(milliseconds: Doors.undoable + 1) }
            #expect(try await company.doors.undo(result.batch, at: company.site, by: owner) == nil)
        }
    }

    @Test("Nobody takes away their own access, the last owner stays, and a manager does not touch owners")
    func guards() async throws {
        try await staff(1) { company, owner, _, memberships in
            let own = try #require(owner.memberships.first?.membership.id)
            let result = try await company.doors.change(
                [own, memberships[0].id], .revoke, at: company.site, by: owner)
            #expect(result.changed == 1)
            #expect(result.refused.map(\.refusal.why) == [.yourself])
            let manager = try await company.principal("Marta", .manager)
            let byManager = try await company.doors.change([own], .revoke, at: company.site, by: manager)
            #expect(byManager.refused.map(\.refusal.why) == [.notAllowed])
            let ended = try await company.doors.change(
                [own], .lastDay(day("2027-01-01")), at: company.site, by: owner)
            #expect(ended.refused.map(\.refusal.why) == [.lastOwner])
        }
    }

    @Test("A last day before the first, another company's role and another company's people are refused")
    func refusals() async throws {
        try await staff(1) { company, owner, _, memberships in
            _ = try await company.doors.change([memberships[0].id], .lastDay(nil), at: company.site, by: owner)
            let other = MembershipID.new(at: noon)
            let result = try await company.doors.change(
                [other], .revoke, at: company.site, by: owner)
            #expect(result.refused.map(\.refusal.why) == [.unknown])
            await #expect(throws: MembershipEntry.Refusal(field: "role", why: .unknown)) {
                _ = try await company.doors.change(
                    [memberships[0].id], .role(.new(at: noon)), at: company.site, by: owner)
            }
            await #expect(throws: MembershipEntry.Refusal(field: "memberships", why: .tooMany)) {
                _ = try await company.doors.change(
                    (0...Doors.bulkLimit).map { _ in .new(at: noon) }, .revoke, at: company.site, by: owner)
            }
        }
    }

    @Test("Every one of them is told to the ledger, with what it was before and is now")
    func audited() async throws {
        try await staff(3) { company, owner, _, memberships in
            let before = try company.given.ledger.events(of: company.site.id, after: 0, limit: 500).count
            _ = try await company.doors.change(memberships.map(\.id), .revoke, at: company.site, by: owner)
            let events = try company.given.ledger.events(of: company.site.id, after: 0, limit: 500).dropFirst(before)
            #expect(events.map(\.kind) == Array(repeating: "membership.changed", count: 3))
            for event in events {
                let text = String(decoding: event.payload ?? [], as: UTF8.self)
                #expect(text.contains(#""revoked":null"#) && text.contains(#""revoked":"2026-11-21T12:00:00.000Z""#))
            }
        }
    }
}
