import Ledger
import Store
import System
import Testing

@Suite("Followers")
struct FollowerTests {
    @Test("A follower gets what was there and what comes, in order, each once while nothing goes wrong")
    func order() async throws {
        try await withLedger { ledger in
            for n in 1...300 { try await ledger.add(n) }
            let seen = Shared<[Int]>([])
            let following = Task {
                try await ledger.follow(as: "test") { events in
                    seen.change { seen in seen += events.compactMap(\.n) }
                }
            }
            for n in 301...400 { try await ledger.add(n) }
            #expect(await eventually { seen.value.count >= 400 })
            #expect(seen.value == Array(1...400))
            following.cancel()
            try await following.value
        }
    }

    @Test("After a crash in the middle it begins where it was safe: nothing is missed, at most one batch comes twice")
    func crash() async throws {
        struct Crash: Error {}
        try await withLedger { ledger in
            let seen = Shared<[Int]>([])
            for n in 1...600 { try await ledger.add(n) }
            for _ in 0..<3 {
                let calls = Shared(0)
                await #expect(throws: Crash.self) {
                    try await ledger.follow(as: "test") { events in
                        seen.change { seen in seen += events.compactMap(\.n) }
                        calls.change { $0 += 1 }
                        if calls.value == 2 { throw Crash() }
                    }
                }
                for n in 1...300 { try await ledger.add(600 + n + seen.value.count * 10) }
            }
            let wanted = Set(try ledger.events(after: 0, limit: 10_000).compactMap(\.n))
            let following = Task {
                try await ledger.follow(as: "test") { events in
                    seen.change { seen in seen += events.compactMap(\.n) }
                }
            }
            #expect(await eventually { Set(seen.value) == wanted })
            following.cancel()
            try await following.value
            // Three crashes, each with one batch of at most 256 that had been handed over and not yet been kept.
            #expect(seen.value.count <= wanted.count + 3 * 256)
            #expect(seen.value.count > wanted.count)
        }
    }

    @Test("Cancelled while it waits, it ends; started again, it gets only what is new")
    func cancelled() async throws {
        try await withLedger { ledger in
            for n in 1...5 { try await ledger.add(n) }
            for round in 0..<3 {
                let seen = Shared<[Int]>([])
                let following = Task {
                    try await ledger.follow(as: "test") { events in
                        seen.change { seen in seen += events.compactMap(\.n) }
                    }
                }
                let expected = round == 0 ? Array(1...5) : [100 + round - 1]
                #expect(await eventually { seen.value == expected })
                // The place is kept after the effect: wait for it, so that the next round is not handed the same.
                #expect(
                    try await eventually {
                        try ledger.store.read { try $0.row("SELECT position FROM followers") { $0[0] as Int64 } }
                            == ledger.position()
                    })
                following.cancel()
                try await following.value
                try await ledger.add(100 + round)
            }
        }
    }

    @Test("Two followers go on independently: one that stands still does not hold the other back")
    func independent() async throws {
        try await withLedger { ledger in
            let (quick, slow) = (Shared<[Int]>([]), Shared<[Int]>([]))
            let isHeld = Shared(true)
            let first = Task {
                try await ledger.follow(as: "quick") { events in quick.change { $0 += events.compactMap(\.n) } }
            }
            let second = Task {
                try await ledger.follow(as: "slow") { events in
                    _ = await eventually { !isHeld.value }
                    slow.change { $0 += events.compactMap(\.n) }
                }
            }
            for n in 1...50 { try await ledger.add(n) }
            #expect(await eventually { quick.value == Array(1...50) })
            #expect(slow.value.isEmpty)
            isHeld.change { $0 = false }
            #expect(await eventually { slow.value == Array(1...50) })
            for task in [first, second] {
                task.cancel()
                try? await task.value
            }
        }
    }

    @Test("A view without a name gets only what happens from now on")
    func live() async throws {
        try await withLedger { ledger in
            for n in 1...5 { try await ledger.add(n) }
            let (seen, begun) = (Shared<[Int]>([]), Shared(false))
            let following = Task {
                begun.change { $0 = true }
                try await ledger.follow { events in seen.change { $0 += events.compactMap(\.n) } }
            }
            #expect(await eventually { begun.value })
            var n = 6
            // It may have looked for its place a moment later than it began: the first that it sees is the first of a row without gaps.
            #expect(
                try await eventually {
                    try await ledger.add(n)
                    n += 1
                    return seen.value.count >= 5
                })
            #expect(await eventually { seen.value.last == n - 1 })
            let first = try #require(seen.value.first)
            #expect(first > 5)
            #expect(seen.value == Array(first..<n))
            following.cancel()
            try await following.value
            #expect(try ledger.store.read { try $0.row("SELECT count(*) FROM followers") { $0[0] as Int } } == 0)
        }
    }
}
