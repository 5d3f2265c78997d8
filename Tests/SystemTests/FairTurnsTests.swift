import System
import TestSupport
import Testing

@Suite("Turns")
struct FairTurnsTests {
    @Test("Names have their turns one after the other, however many wait under one")
    func order() async {
        let turns = FairTurns<String>(1)
        let (order, isBegun, isOpen) = (Shared<[String]>([]), Shared(false), Shared(false))
        let first = Task {
            await turns.run(for: "first") {
                isBegun.change { $0 = true }
                while !isOpen.value { await Task.yield() }
            }
        }
        while !isBegun.value { await Task.yield() }
        var tasks: [Task<Void, Never>] = []
        for (number, name) in (Array(repeating: "long", count: 5) + ["short", "short", "other"]).enumerated() {
            tasks.append(Task { await turns.run(for: name) { order.change { $0.append(name) } } })
            // Each waits before the next comes.
            while await turns.count < number + 1 { await Task.yield() }
        }
        isOpen.change { $0 = true }
        await first.value
        for task in tasks { await task.value }
        #expect(order.value == ["long", "short", "other", "long", "short", "long", "long", "long"])
        #expect(await turns.count == 0)
    }

    @Test("No more work at a time than may, and what throws gives its place back")
    func most() async {
        struct Failed: Error {}
        let turns = FairTurns<Int>(2)
        let (running, most) = (Shared(0), Shared(0))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try? await turns.run(for: number % 3) {
                        running.change { $0 += 1 }
                        most.change { $0 = max($0, running.value) }
                        await Task.yield()
                        running.change { $0 -= 1 }
                        if number % 2 == 0 { throw Failed() }
                    }
                }
            }
        }
        #expect(most.value == 2 && running.value == 0)
        #expect(await turns.count == 0)
    }
}
