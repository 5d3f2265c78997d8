import System
import Testing

@testable import Doors

@Suite("Turns")
struct FairTurnsTests {
    @Test("A short work beside a long one has its turn after each of the long one's, and no more run than may")
    func order() async {
        let turns = FairTurns(2)
        let (running, most, order) = (Shared(0), Shared(0), Shared<[String]>([]))
        @Sendable func work(_ name: String, _ count: Int) async {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    if number >= 2 { await group.next() }
                    group.addTask {
                        await turns.run {
                            running.change { $0 += 1 }
                            most.change { $0 = max($0, running.value) }
                            for _ in 0..<50 { await Task.yield() }
                            order.change { $0.append(name) }
                            running.change { $0 -= 1 }
                        }
                    }
                }
            }
        }
        let long = Task { await work("long", 400) }
        while order.value.count < 10 { await Task.yield() }
        let before = order.value.count
        await work("short", 10)
        let meanwhile = order.value.count - before
        await long.value
        #expect(most.value == 2)
        #expect(order.value.count == 410)
        #expect(meanwhile < 60, "it did not wait for the end of the long one")
    }
}
