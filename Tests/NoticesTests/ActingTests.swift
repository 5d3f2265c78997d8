import Accounts
import HTTPServer
import Ledger
import Store
import System
import TestSupport
import Testing

@testable import Notices

@Suite struct ActingTests {
    private static let words = LocalizedText(
        en: NoticeWords("Open"), it: NoticeWords("Apri"), es: NoticeWords("Abrir"))
    private static let done = ActOutcome(
        "opened",
        LocalizedText(en: NoticeWords("It is open"), it: NoticeWords("È aperto"), es: NoticeWords("Está abierta")))

    @Test func `An action acts once, for whoever was told, and takes care of the notice`() async throws {
        try await Office.with { office in
            let count = Shared(0)
            office.notices.onAction(kind: "doors.checkIn", name: "open") { act in
                count.change { $0 += 1 }
                #expect(act.principal.person.id == office.people[0])
                return Self.done
            }
            let id = try await office.notices.send(
                office.notify(
                    "doors.checkIn", to: .all([office.people[0]]),
                    actions: [NoticeAction(name: "open", words: Self.words)]))
            let (mine, other) = (try office.principal(office.people[0]), try office.principal(office.people[1]))
            await #expect(throws: NoticeRefusal.unknown) { try await office.notices.act("open", on: id, by: other) }
            await #expect(throws: NoticeRefusal.noSuchAction) {
                try await office.notices.act("close", on: id, by: mine)
            }
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask { (try? await office.notices.act("open", on: id, by: mine)) == Self.done }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(outcomes == 1)
            #expect(count.value == 1)
            let received = try #require(try office.inbox(office.people[0]).first)
            #expect(received.isTaken && received.acts == ["open"])
        }
    }

    @Test func `What failed can be tried again, and what is over cannot`() async throws {
        struct Jammed: Error {}
        try await Office.with { office in
            let works = Shared(false)
            office.notices.onAction(kind: "doors.checkIn", name: "open") { _ in
                if !works.value { throw Jammed() }
                return Self.done
            }
            let notify = office.notify(
                "doors.checkIn", actions: [NoticeAction(name: "open", words: Self.words)], lifetime: 600_000)
            let (id, late) = (try await office.notices.send(notify), try await office.notices.send(notify))
            let mine = try office.principal(office.people[0])
            await #expect(throws: Jammed.self) { try await office.notices.act("open", on: id, by: mine) }
            works.change { $0 = true }
            #expect(try await office.notices.act("open", on: id, by: mine) == Self.done)
            office.move(minutes: 10)
            await #expect(throws: NoticeRefusal.over) { try await office.notices.act("open", on: late, by: mine) }
        }
    }

    @Test func `What was refused by whoever does it is not done, and may be asked for again`() async throws {
        try await Office.with { office in
            let opens = Shared(false)
            office.notices.onAction(kind: "doors.checkIn", name: "open") { _ in
                opens.value ? Self.done : ActOutcome("refused", Self.words, isDone: false)
            }
            let id = try await office.notices.send(
                office.notify("doors.checkIn", actions: [NoticeAction(name: "open", words: Self.words)]))
            let mine = try office.principal(office.people[0])
            for _ in 0..<2 { #expect(try await office.notices.act("open", on: id, by: mine).name == "refused") }
            let waiting = try #require(try office.inbox(office.people[0]).first)
            #expect(!waiting.isTaken && waiting.acts.isEmpty)
            opens.change { $0 = true }
            #expect(try await office.notices.act("open", on: id, by: mine) == Self.done)
            await #expect(throws: NoticeRefusal.alreadyActed) {
                try await office.notices.act("open", on: id, by: mine)
            }
        }
    }

    @Test func `An action that asks for a passkey wants one shown a moment ago; a locked place gives nothing away`()
        async throws
    {
        try await Office.with { office in
            office.notices.onAction(kind: "doors.checkIn", name: "open") { _ in Self.done }
            let id = try await office.notices.send(
                office.notify(
                    "doors.checkIn", actions: [NoticeAction(name: "open", words: Self.words, proof: .passkey)]))
            let person = office.people[0]
            func problem(_ principal: Principal) async throws -> String? {
                do {
                    _ = try await office.notices.act("open", on: id, by: principal)
                    return nil
                } catch let problem as Problem { return problem.type }
            }
            #expect(
                try await problem(office.principal(person, isStrong: true, provenAgo: 600_000)) == "fresh-proof-needed")
            #expect(try await problem(office.principal(person)) == "second-factor-needed")
            let locked = try office.principal(person, isStrong: true, locked: [office.site])
            #expect(try await problem(locked) == "second-factor-needed")
            let shown = try #require(try office.inbox(person).first).shown(to: locked, .it)
            #expect(shown.words.title == "Un varco è bloccato" && shown.actions.isEmpty)
            #expect(try await problem(office.principal(person, isStrong: true)) == nil)
        }
    }
}
