import Glibc
import Store
import Testing

@Suite("Reading")
struct ReadTests {
    @Test("A reader does not see what is not committed, and within one look sees one state")
    func snapshot() async throws {
        try await withStore { store in
            try await store.add(1)
            try await store.write { database in
                try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", 2, "")
                #expect(try store.all() == [1])
                #expect(try database.rows("SELECT n FROM numbers ORDER BY n") { $0[0] as Int } == [1, 2])
            }
            #expect(try store.all() == [1, 2])
            // A look that began before a commit does not see it, however long it lasts.
            let (begun, committed) = (Shared(false), Shared(false))
            async let looking = onThread {
                try? store.read { database -> [Int?] in
                    let first = try database.row("SELECT count(*) FROM numbers") { $0[0] as Int }
                    begun.change { $0 = true }
                    while !committed.value { usleep(1000) }
                    return [first, try database.row("SELECT count(*) FROM numbers") { $0[0] as Int }]
                }
            }
            #expect(await eventually { begun.value })
            try await store.add(3)
            committed.change { $0 = true }
            #expect(await looking == [2, 2])
            #expect(try store.all() == [1, 2, 3])
        }
    }

    @Test("A reader cannot write")
    func readOnly() async throws {
        try await withStore { store in
            #expect(throws: StoreError.self) {
                try store.read { _ = try $0.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", 1, "") }
            }
            #expect(try store.all().isEmpty)
            try await store.add(1)
        }
    }

    @Test("A look that throws leaves the connection fit for the next")
    func throwing() async throws {
        try await withStore { store in
            for n in 0..<20 {
                #expect(throws: Refused.self) {
                    try store.read { database in
                        _ = try database.rows("SELECT n FROM numbers") { _ in throw Refused() }
                        throw Refused()
                    }
                }
                try await store.add(n)
                #expect(try store.all().last == n)
            }
        }
    }

    @Test("A crowd of readers beside a writer is served")
    func crowd() async throws {
        try await withStore { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<100 {
                    group.addTask { try await store.add(n) }
                    group.addTask {
                        let seen = try store.all()
                        #expect(seen.count <= 100)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A first row is nil when there is none")
    func none() async throws {
        try await withStore { store in
            let first = try store.read { try $0.row("SELECT n FROM numbers") { $0[0] as Int } }
            #expect(first == nil)
        }
    }
}
