import Accounts
import Identity
import JSON
import Ledger
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("Repeated openings")
struct RepeatedOpeningTests {
    private struct Payload: Decodable {
        struct Why: Decodable { let code: String }
        let reason: Why
        let repeats: String?
        let count: Int?
        let first: String?
        let last: String?
    }

    private func payload(_ event: Event) throws -> Payload {
        try JSONReader.decode(Payload.self, from: event.payload ?? [])
    }

    private func open(_ house: House, _ lock: Lock, by person: PersonID? = nil) async throws -> OpeningResult {
        try await house.gates.open(lock.gate.id, by: person ?? house.person.id, intent: .apri)
    }

    @Test("The 31st of a person at a gate within a minute is too often; other people and other gates are not concerned")
    func limit() async throws {
        try await House.run { house in
            let (lock, other) = (try await house.ready("A"), try await house.ready("B"))
            let bruno = PersonID.new(at: noon)
            house.answers(lock) { try lock.record(of: $0, sequence: $1) }
            for _ in 0..<OpeningLimit.most {
                let result = try await open(house, lock)
                #expect(result.outcome == .opened)
                house.uptime.change { $0 += 100 }
            }
            let events = try house.openingEvents().count
            for _ in 0..<3 {
                await #expect { _ = try await open(house, lock) } throws: { error in
                    (error as? Gates.TooOften)?.seconds == 57
                }
            }
            #expect(try house.openingEvents().count == events, "nothing is decided, sent or written")
            #expect(house.carrier.openings.count == OpeningLimit.most)
            // Somebody else's refusals and openings take nothing from anybody.
            #expect(try await open(house, lock, by: bruno).outcome == .opened)
            house.answers(other) { try other.record(of: $0, sequence: $1) }
            #expect(try await open(house, other).outcome == .opened)
            // The first was a minute ago: one more, and no second one.
            house.answers(lock) { try lock.record(of: $0, sequence: $1 + 100) }
            house.uptime.change { $0 += 57_000 }
            try await house.say(try lock.hello(uptime: 200_000), lock)
            #expect(try await open(house, lock).outcome == .opened)
            await #expect(throws: Gates.TooOften.self) { try await open(house, lock) }
        }
    }

    @Test("Pairs of person and gate are remembered in bounded memory, and who asks most is forgotten last")
    func capacity() {
        var limit = OpeningLimit()
        let (busy, gate) = (PersonID.new(at: noon), GateID.new(at: noon))
        for _ in 0..<OpeningLimit.most { #expect(limit.ask(.init(person: busy, gate: gate), 0) == 0) }
        for _ in 0..<OpeningLimit.capacity * 2 {
            #expect(limit.ask(.init(person: .new(at: noon), gate: gate), 1) == 0)
        }
        #expect(limit.count <= OpeningLimit.capacity)
        #expect(limit.ask(.init(person: busy, gate: gate), 1) == OpeningLimit.window - 1)
    }

    @Test("Too often is said in every language, with when to ask again", arguments: Language.allCases)
    func words(_ language: Language) {
        let problem = Gates.TooOften(seconds: 12).problem(in: language)
        #expect(problem.status == 429)
        #expect(problem.detail.contains("30") && problem.detail.contains("12 s"))
        #expect(problem.headers.contains { $0 == ("Retry-After", "12") })
    }

    @Test("Repeated refusals become one event with their count, the first and the last; the first stands alone at once")
    func fold() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            house.policy.verdict.change { $0 = .denied(Reason("ended", "2026-10-31")) }
            var results: [OpeningResult] = []
            for second in 0..<20 {
                house.time.change { $0 = noon.adding(milliseconds: Int64(second) * 1000) }
                results.append(try await open(house, lock))
            }
            #expect(results.allSatisfy { !$0.isGranted && $0.reason == Reason("ended", "2026-10-31") })
            let first = try #require(try house.openingEvents().first)
            #expect(try house.openingEvents().count == 1)
            #expect(results.allSatisfy { $0.eventID == first.id }, "it is the event that stands for all of them")
            #expect(try payload(first).count == nil)
            // They may go on.
            house.time.change { $0 = noon.adding(milliseconds: 19_000 + Refusals.pause - 1) }
            try await house.gates.tellRefusals()
            #expect(try house.openingEvents().count == 1)
            house.time.change { $0 = $0.adding(milliseconds: 1) }
            for _ in 0..<3 { try await house.gates.tellRefusals() }
            let events = try house.openingEvents()
            #expect(events.map(\.kind) == [OpeningKind.denied, OpeningKind.denied])
            let told = try payload(events[1])
            #expect((told.reason.code, told.repeats, told.count) == ("ended", first.id.text, 19))
            #expect((told.first, told.last) == ("2026-11-21T12:00:01.000Z", "2026-11-21T12:00:19.000Z"))
            #expect(events[1].person == house.person.id)
            let line = try #require(house.gates.line(of: events[1]))
            #expect(line.repeats?.count == 19)
            // After a minute of rest the next stands alone again, and nothing is told of it twice.
            _ = try await open(house, lock)
            #expect(try house.openingEvents().count == 3)
            house.time.change { $0 = $0.adding(milliseconds: Refusals.pause) }
            try await house.gates.tellRefusals()
            #expect(try house.openingEvents().count == 3)
        }
    }

    @Test("Each person, gate and reason is counted for itself, and a granted opening is never folded")
    func apart() async throws {
        try await House.run { house in
            let (lock, other) = (try await house.ready("A"), try await house.ready("B"))
            let bruno = PersonID.new(at: noon)
            house.policy.verdict.change { $0 = .denied(Reason("ended")) }
            for _ in 0..<2 {
                _ = try await open(house, lock)
                _ = try await open(house, other)
                _ = try await open(house, lock, by: bruno)
            }
            house.policy.verdict.change { $0 = .denied(Reason("noRole")) }
            for _ in 0..<2 { _ = try await open(house, lock) }
            #expect(try house.openingKinds() == Array(repeating: OpeningKind.denied, count: 4))
            house.policy.verdict.change { $0 = .granted(until: Timestamp(milliseconds: .max)) }
            house.answers(lock) { try lock.record(of: $0, sequence: $1) }
            for _ in 0..<5 { #expect(try await open(house, lock).outcome == .opened) }
            #expect(try house.openingKinds().filter { $0 == OpeningKind.granted }.count == 5)
            #expect(try house.openingKinds().filter { $0 == OpeningKind.opened }.count == 5)
            house.time.change { $0 = $0.adding(milliseconds: Refusals.pause) }
            try await house.gates.tellRefusals()
            let folded = try house.openingEvents().compactMap { try? payload($0) }.filter { $0.count != nil }
            #expect(folded.map(\.count) == [1, 1, 1, 1])
        }
    }

    @Test("Refusals that go on are told once an hour, and what was counted outlives a hub that stops")
    func goingOn() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            house.policy.verdict.change { $0 = .denied(Reason("ended")) }
            for minute in 0..<150 {
                house.time.change { $0 = noon.adding(milliseconds: Int64(minute) * 30_000) }
                house.uptime.change { $0 += 30_000 }
                _ = try await open(house, lock)
                try await house.gates.tellRefusals()
            }
            // 75 minutes: the first, and those of the first hour.
            let events = try house.openingEvents()
            #expect(events.count == 2)
            #expect(try payload(events[1]).count == 120)
            // Another hub on the same file: what the stopped one counted is told.
            let time = house.time
            let again = Gates(accounts: house.accounts, carrier: house.carrier, clock: WallClock { time.value })
            house.time.change { $0 = $0.adding(milliseconds: Refusals.pause) }
            try await again.tellRefusals()
            let last = try #require(try house.openingEvents().last)
            #expect(try payload(last).count == 29)
            #expect(try payload(last).repeats == events[0].id.text)
        }
    }

    @Test("A clock that is set back ends what was counted and loses none of it")
    func clockSetBack() async throws {
        try await House.run { house in
            let lock = try await house.ready()
            house.policy.verdict.change { $0 = .denied(Reason("ended")) }
            for _ in 0..<3 { _ = try await open(house, lock) }
            house.time.change { $0 = noon.adding(milliseconds: -86_400_000) }
            _ = try await open(house, lock)
            #expect(try house.openingEvents().map { try payload($0).count } == [nil, 2, nil])
        }
    }
}
