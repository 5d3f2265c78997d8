import Store
import System
import Testing

@Suite("Writing the file anew")
struct RewriteTests {
    @Test(
        "While many write and read, the file is written anew between their groups: all of them are answered, nothing is lost"
    )
    func amongOthers() async throws {
        try await withStore { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<600 {
                    group.addTask { try await store.add(n, "some words") }
                    if n % 100 == 50 { group.addTask { try await store.rewrite() } }
                    if n % 100 == 70 { group.addTask { _ = try store.all() } }
                }
                try await group.waitForAll()
            }
            let all = try store.all()
            #expect(all == Array(0..<600))
        }
    }

    @Test("What was deleted is no longer in the file, and the file is as small as what is left")
    func smaller() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            let store = try Store(path: path, migrations: [numbers])
            for n in 0..<500 { try await store.add(n, String(repeating: "x", count: 200)) }
            #expect(try await store.truncateLog())
            let before = try Files.read(path, limit: 1 << 20).count
            try await store.write { _ = try $0.execute("DELETE FROM numbers WHERE n >= 10") }
            try await store.rewrite()
            #expect(try await store.truncateLog())
            let after = try Files.read(path, limit: 1 << 20).count
            #expect(after < before / 4)
            let left = try store.all()
            #expect(left == Array(0..<10))
            await store.close()
        }
    }

    @Test("After the end it is refused, in words")
    func closed() async throws {
        try await withStore { store in
            await store.close()
            await #expect(throws: StoreError.self) { try await store.rewrite() }
        }
    }
}
