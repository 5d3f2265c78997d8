import System
import TestSupport
import Testing

@testable import Platform

@Suite("A work for which everybody waits")
struct SparingTests {
    @Test("Requests during a run share the next run, which begins after the last of them")
    func shared() async {
        let sparing = Sparing(longest: .zero)
        let (begun, isOpen) = (Shared(0), Shared(false))
        let work: @Sendable () async -> Void = {
            begun.change { $0 += 1 }
            while !isOpen.value { await Task.yield() }
        }
        let first = Task { await sparing.run(work) }
        #expect(await eventually { begun.value == 1 })
        let others = (0..<20).map { _ in Task { await sparing.run(work) } }
        while await sparing.waiting < 21 { await Task.yield() }
        #expect(begun.value == 1)
        isOpen.change { $0 = true }
        await first.value
        for other in others { await other.value }
        #expect(begun.value == 2)
        #expect(await sparing.waiting == 0)
        await sparing.run(work)
        #expect(begun.value == 3, "who asks later does not do with an earlier one")
    }
}
