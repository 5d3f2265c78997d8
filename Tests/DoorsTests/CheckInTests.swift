import HTTPServer
import Identity
import Ledger
import Notices
import Store
import System
import Testing

@testable import Accounts
@testable import Doors
@testable import Gates

@Suite struct CheckInTests {
    @Test func `A passkey counts that was shown in the last minutes, and only where one is asked for`() {
        let cases: [(asked: ActionProof, proof: Proof, needs: Bool)] = [
            (.none, Proof(at: noon.adding(milliseconds: -86_400_000), isStrong: false), false),
            (.unlocked, Proof(at: noon.adding(milliseconds: -86_400_000), isStrong: false), false),
            (.passkey, Proof(at: noon, isStrong: false), true),
            (.passkey, Proof(at: noon, isStrong: true), false),
            (.passkey, Proof(at: noon.adding(milliseconds: -Proof.freshness), isStrong: true), true),
            // A password that was shown since makes no old passkey fresh.
            (.passkey, Proof(at: noon, strongAt: noon.adding(milliseconds: -Proof.freshness)), true),
            // The clock was put back.
            (.passkey, Proof(at: noon.adding(milliseconds: 1), isStrong: true), true),
        ]
        for one in cases {
            #expect(CheckIn.needsPasskey(one.asked, one.proof, at: noon) == one.needs, "\(one)")
        }
    }

    @Test func `The notice names its gate in its link and nobody on a lock screen`() async throws {
        try await Company.run { company in
            let gate = try await company.gate("Main entrance")
            let content = CheckIn.notice(for: gate, at: "Officina", asking: .unlocked)
            let notice = notice(content)
            #expect(CheckIn.gate(of: notice) == gate.id)
            for language in Language.allCases {
                let shown = content.publicText[language]
                #expect(!(shown.title + shown.body).contains("Main entrance"))
                #expect(content.text[language].title.contains("Main entrance"))
            }
        }
    }

    @Test func `A gate asks for an unlocked phone until somebody chooses, and the choice is audited once`() async throws
    {
        try await Company.run { company in
            let (gate, owner) = (try await company.gate("Main"), try await company.principal("Olga", .owner))
            func asked() throws -> ActionProof {
                try company.given.store.read { try CheckInRecords.proof(of: gate.id, in: $0) }
            }
            #expect(try asked() == .unlocked)
            for proof in [ActionProof.passkey, .passkey, .none] {
                try await company.doors.setCheckIn(proof, of: gate.id, at: company.site.id, by: owner)
                #expect(try asked() == proof)
            }
            let events = try company.given.ledger.events(of: company.site.id, after: 0, limit: 100)
            #expect(events.filter { $0.kind == "gate.checkIn.changed" }.count == 2)
            let other = SiteID.new(at: noon)
            await #expect(throws: Gates.Unknown.self) {
                try await company.doors.setCheckIn(.none, of: gate.id, at: other, by: owner)
            }
        }
    }

    @Test func `A tap is decided by the rights of the moment, and its outcome is told in words`() async throws {
        try await Company.run { company in
            company.given.gates.register(commands: company.given.commands)
            let (gate, member) = (try await company.gate("Main"), try await company.principal("Bruno", .member))
            let act = act(gate, by: member)
            let outcome = try await company.doors.checkIn(act)
            #expect(outcome.name == "refused" && !outcome.isDone)
            #expect(!outcome.text[.it].body.isEmpty)
            #expect(outcome.text[.it] != outcome.text[.en])
            let denied = try company.given.ledger.events(of: company.site.id, after: 0, limit: 100)
            #expect(denied.filter { $0.kind == OpeningKind.denied }.count == 1, "the log has it like any opening")
        }
    }

    @Test func `A gate that asks for a passkey since the notice was sent gets one`() async throws {
        try await Company.run { company in
            company.given.gates.register(commands: company.given.commands)
            let (gate, member) = (try await company.gate("Main"), try await company.principal("Bruno", .member))
            try await company.doors.setCheckIn(.passkey, of: gate.id, at: company.site.id, by: member)
            let act = act(gate, by: member)
            let problem = await #expect(throws: Problem.self) { try await company.doors.checkIn(act) }
            #expect(problem?.type == Problem.secondFactorNeeded.type)
            let events = try company.given.ledger.events(of: company.site.id, after: 0, limit: 100)
            #expect(!events.contains { $0.kind == OpeningKind.denied }, "nothing was asked of the gate")
        }
    }

    @Test func `Somebody without a part in the site opens nothing, with whatever notice`() async throws {
        try await Company.run { company in
            company.given.gates.register(commands: company.given.commands)
            let gate = try await company.gate("Main")
            let member = try await company.principal("Bruno", .member)
            let stranger = Principal(
                person: member.person, memberships: [], locked: [], session: member.session, origin: member.origin,
                line: member.line,
                isProgram: true,
                proof: member.proof)
            let act = act(gate, by: stranger)
            let problem = await #expect(throws: Problem.self) { try await company.doors.checkIn(act) }
            #expect(problem?.status == 404)
        }
    }

    private func notice(_ content: NoticeContent) -> Notice {
        Notice(
            id: .new(at: noon), site: nil, content: content, sender: nil, created: noon,
            expires: noon.adding(milliseconds: CheckIn.lifetime))
    }

    private func act(_ gate: Gate, by principal: Principal) -> NoticeAct {
        let content = CheckIn.notice(for: gate, at: "Officina", asking: .none)
        return NoticeAct(notice: notice(content), action: content.actions[0], principal: principal, at: noon)
    }
}
