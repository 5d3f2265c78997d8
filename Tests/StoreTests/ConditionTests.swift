import Store
import System
import Testing

@Suite("Conditions")
struct ConditionTests {
    @Test("A write stands only if its condition holds when it is written; others of the same moment stand")
    func conditions() async throws {
        try await withFolder { folder in
            let store = try Store(path: folder + "/test.sqlite", migrations: [numbers])
            let holds = Shared(true)
            await #expect(throws: Refused.self) {
                try await Store.writing(only: { _ in if !holds.value { throw Refused() } }) {
                    try await store.add(1)
                    // The look was long ago.
                    holds.change { $0 = false }
                    async let other: Void = Task.detached { try await store.add(2) }.value
                    let own = await Result { try await store.add(3) }
                    try await other
                    try own.get()
                }
            }
            #expect(try store.all() == [1, 2])
            try await store.add(4)
            #expect(try store.all() == [1, 2, 4])
            await store.close()
        }
    }

    @Test("A condition for the first write lets that one end what it asks for; one that is refused was not the first")
    func first() async throws {
        try await withFolder { folder in
            let store = try Store(path: folder + "/test.sqlite", migrations: [numbers])
            let count: @Sendable (Database) throws -> Int? = {
                try $0.row("SELECT count(*) FROM numbers") { $0[0] as Int }
            }
            let isOpen = Shared(false)
            try await Store.writing(first: { database in
                guard try count(database) == 0, isOpen.value else { throw Refused() }
            }) {
                await #expect(throws: Refused.self) { try await store.add(1) }
                isOpen.change { $0 = true }
                await #expect(throws: Refused.self) { try await store.write { _ in throw Refused() } }
                isOpen.change { $0 = false }
                await #expect(throws: Refused.self) { try await store.add(2) }
                isOpen.change { $0 = true }
                try await store.add(3)
                try await store.add(4)
            }
            #expect(try store.all() == [3, 4])
            await store.close()
        }
    }

    @Test("A condition inside another one does not take its place")
    func nested() async throws {
        try await withFolder { folder in
            let store = try Store(path: folder + "/test.sqlite", migrations: [numbers])
            await #expect(throws: Refused.self) {
                try await Store.writing(first: { _ in throw Refused() }) {
                    try await Store.writing(only: { _ in }) { try await store.add(1) }
                }
            }
            #expect(try store.all() == [])
            await store.close()
        }
    }

    @Test("What was begun under a condition and outlives it is bound no longer")
    func outliving() async throws {
        try await withFolder { folder in
            let store = try Store(path: folder + "/test.sqlite", migrations: [numbers])
            let (stream, go) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
            let late = try await Store.writing(only: { _ in throw Refused() }) {
                Task {
                    for await _ in stream { break }
                    try await store.add(1)
                }
            }
            go.yield()
            try await late.value
            #expect(try store.all() == [1])
            await store.close()
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
