import Identity
import Ledger
import System
import TestSupport
import Testing

@testable import Gates

@Suite("Who waits for a gate's answer")
struct AnswersTests {
    private func begin(_ answers: Answers, until: UInt64) -> Task<Bool, Never> {
        let event = EventID.new(at: noon).raw
        answers.expect(event)
        return Task { await answers.wait(for: event, until: until) == nil }
    }

    @Test("The next sweep is when the first has waited long enough, and no later than is said")
    func nextSweep() async throws {
        let answers = Answers()
        #expect(answers.nextSweep(latest: 50_000) == 50_000)
        let late = begin(answers, until: 40_000)
        #expect(await eventually { answers.nextSweep(latest: 50_000) == 40_000 })
        let early = begin(answers, until: 30_000)
        #expect(await eventually { answers.nextSweep(latest: 50_000) == 30_000 })
        #expect(answers.nextSweep(latest: 20_000) == 20_000)
        answers.sweep(now: 29_999)
        #expect(answers.nextSweep(latest: 50_000) == 30_000)
        answers.sweep(now: 30_000)
        #expect(await early.value)
        #expect(answers.nextSweep(latest: 50_000) == 40_000)
        answers.sweep(now: 40_000)
        #expect(await late.value)
        #expect(answers.nextSweep(latest: 50_000) == 50_000)
    }

    @Test("Whose time is over before the next sweep makes it come sooner")
    func isSooner() async throws {
        let answers = Answers()
        #expect(answers.nextSweep(latest: 50_000) == 50_000)
        let waiting = begin(answers, until: 30_000)
        try await within("the bell") { await answers.isSooner.wait() }
        #expect(answers.nextSweep(latest: 50_000) == 30_000)
        answers.sweep(now: 30_000)
        #expect(await waiting.value)
    }
}
