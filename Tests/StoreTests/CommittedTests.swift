import Store
import System
import Testing

@Suite("Waiting for the next commit")
struct CommittedTests {
    @Test("All who wait are woken by a commit, and none by nothing")
    func wakes() async throws {
        try await withStore { store in
            let before = store.commits
            let woken = Shared(0)
            let waiting = (0..<5).map { _ in
                Task {
                    let count = await store.committed(after: before)
                    woken.change { $0 += 1 }
                    return count
                }
            }
            try await Task.sleep(for: .milliseconds(50))
            #expect(woken.value == 0)
            try await store.add(1)
            for task in waiting { #expect(await task.value > before) }
            #expect(try store.all() == [1])
        }
    }

    @Test("Who asks about the past is answered at once")
    func past() async throws {
        try await withStore { store in
            let before = store.commits
            try await store.add(1)
            #expect(await store.committed(after: before) == store.commits)
        }
    }

    @Test("Who is cancelled waits no longer, also when that was before the waiting began")
    func cancelled() async throws {
        try await withStore { store in
            let before = store.commits
            let waiting = Task { await store.committed(after: before) }
            try await Task.sleep(for: .milliseconds(20))
            waiting.cancel()
            #expect(await waiting.value == before)
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await store.committed(after: before)
            }
            #expect(await early.value == before)
        }
    }

    @Test("No commit is missed by one who looks, waits and looks again")
    func neverMissed() async throws {
        try await withStore { store in
            let follower = Task {
                var seen = 0
                while seen < 300 {
                    let commits = store.commits
                    let found = try store.all().count
                    if found == seen { _ = await store.committed(after: commits) }
                    seen = found
                }
            }
            for n in 0..<300 { try await store.add(n) }
            try await follower.value
        }
    }
}
