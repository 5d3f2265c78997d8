import Store
import Testing

@Suite("Rows that are written in one way")
struct FenceTests {
    private func set(_ words: String, _ n: Int, in database: Database) throws {
        try database.execute("UPDATE numbers SET words = ? WHERE n = ?", words, n)
    }

    @Test("A fenced row is written, changed and removed inside the fence alone")
    func fenced() async throws {
        try await withStore { store in
            try await store.add(1)
            try await store.put(fences: [Fence("numbers")])
            await #expect(throws: StoreError.self) { try await store.add(2) }
            await #expect(throws: StoreError.self) { try await store.write { try set("one", 1, in: $0) } }
            await #expect(throws: StoreError.self) {
                try await store.write { _ = try $0.execute("DELETE FROM numbers") }
            }
            #expect(try store.all() == [1])
            try await store.write { database in
                try database.passingFences {
                    try database.passingFences { try set("one", 1, in: database) }
                    _ = try database.execute("INSERT INTO numbers (n, words) VALUES (2, '')")
                    _ = try database.execute("DELETE FROM numbers WHERE n = 1")
                }
            }
            #expect(try store.all() == [2])
            // What threw inside leaves no way open.
            await #expect(throws: Refused.self) { try await store.write { try $0.passingFences { throw Refused() } } }
            await #expect(throws: StoreError.self) { try await store.add(3) }
        }
    }

    @Test("A fence around one column, or some rows, leaves the others open")
    func parts() async throws {
        try await withStore { store in
            for n in 1...2 { try await store.add(n) }
            try await store.put(fences: [Fence("numbers", column: "words", where: "row.n > 1")])
            try await store.add(3)
            try await store.write { database in
                try set("one", 1, in: database)
                _ = try database.execute("UPDATE numbers SET n = 4 WHERE n = 2")
            }
            await #expect(throws: StoreError.self) { try await store.write { try set("four", 4, in: $0) } }
        }
    }
}
