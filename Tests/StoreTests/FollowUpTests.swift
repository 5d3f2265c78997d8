import Store
import Testing

@Suite("What follows a commit")
struct FollowUpTests {
    @Test("A follow-up finds the change on disk, and runs before the caller is answered")
    func follows() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            let store = try Store(path: path, migrations: [numbers])
            let other = try Store(path: path, migrations: [numbers])
            let seen = Shared<[[Int]]>([])
            try await store.write { database in
                try database.execute("INSERT INTO numbers (n, words) VALUES (1, '')")
                database.afterCommit(1) { seen.change { $0.append((try? other.all()) ?? []) } }
            }
            #expect(seen.value == [[1]])
            try await store.add(2)
            #expect(seen.value == [[1]])
            await store.close()
            await other.close()
        }
    }

    @Test("Of several follow-ups of one id the last runs, once; those of others run, too")
    func once() async throws {
        try await withStore { store in
            let ran = Shared<[String]>([])
            try await store.write { database in
                for word in ["first", "last"] { database.afterCommit(1) { ran.change { $0.append(word) } } }
                database.afterCommit("1") { ran.change { $0.append("other") } }
            }
            #expect(ran.value == ["last", "other"])
        }
    }

    @Test("A change that throws runs nothing, and leaves nothing to the one after it")
    func undone() async throws {
        try await withStore { store in
            let ran = Shared(0)
            await #expect(throws: Refused.self) {
                try await store.write { database in
                    database.afterCommit(1) { ran.change { $0 += 1 } }
                    throw Refused()
                }
            }
            try await store.add(1)
            #expect(ran.value == 0)
        }
    }

    @Test("A change whose commit fails runs nothing, and one that runs again with it runs once")
    func group() async throws {
        try await withStore(pageLimit: 40) { store in
            let ran = Shared<[Int]>([])
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for n in 0..<20 {
                    group.addTask {
                        do {
                            try await store.write { database in
                                let words = String(repeating: "x", count: n == 10 ? 400_000 : 10)
                                try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n, words)
                                database.afterCommit(n) { ran.change { $0.append(n) } }
                            }
                            return true
                        } catch { return false }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(outcomes == 19)
            #expect(ran.value.sorted() == Array(0..<20).filter { $0 != 10 })
        }
    }
}
