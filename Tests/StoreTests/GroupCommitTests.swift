import Glibc
import Store
import Synchronization
import System
import Testing

@Suite("Changes that share a commit")
struct GroupCommitTests {
    @Test("What many write at once is all there when the file is opened again, and took fewer commits than changes")
    func durable() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            let store = try Store(path: path, migrations: [numbers])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<3000 { group.addTask { try await store.add(n) } }
                try await group.waitForAll()
            }
            #expect(store.commits < 3000)
            await store.close()
            let again = try Store(path: path, migrations: [numbers])
            #expect(try again.all() == Array(0..<3000))
            await again.close()
        }
    }

    @Test("Whoever was answered is on disk: another connection sees it at once")
    func answeredIsCommitted() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            let store = try Store(path: path, migrations: [numbers])
            let other = try Store(path: path, migrations: [numbers])
            for n in 0..<50 {
                try await store.add(n)
                #expect(try other.all().last == n)
            }
            await store.close()
            await other.close()
        }
    }

    @Test("A write that throws undoes its own rows and nobody else's")
    func savepoints() async throws {
        try await withStore { store in
            let answers = await withTaskGroup(of: (Int, Bool).self) { group in
                for n in 0..<600 {
                    group.addTask {
                        do {
                            try await store.write { database in
                                try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n, "kept")
                                try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n + 10_000, "kept")
                                if n % 3 == 0 { throw Refused() }
                                if n % 7 == 0 {
                                    try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n, "twice")
                                }
                            }
                            return (n, true)
                        } catch { return (n, false) }
                    }
                }
                return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
            }
            let kept = (0..<600).filter { $0 % 3 != 0 && $0 % 7 != 0 }
            for n in 0..<600 { #expect(answers[n] == (n % 3 != 0 && n % 7 != 0)) }
            let all = try store.all()
            #expect(all == kept + kept.map { $0 + 10_000 })
        }
    }

    @Test("The one that throws gets its own error, with the tables' rule that it broke")
    func errors() async throws {
        try await withStore { store in
            try await store.add(1)
            await #expect(throws: Refused.self) { try await store.write { _ in throw Refused() } }
            let duplicate = await #expect(throws: StoreError.self) { try await store.add(1) }
            #expect(duplicate?.isDuplicate == true)
            #expect(duplicate?.isConstraint == true)
            #expect(duplicate?.isFull == false)
            let null = await #expect(throws: StoreError.self) {
                try await store.write {
                    _ = try $0.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", 2, nil as String?)
                }
            }
            #expect(null?.isConstraint == true)
            #expect(null?.isDuplicate == false)
            #expect(null?.description.contains("twice") == false)
            try await store.add(2)
            #expect(try store.all() == [1, 2])
        }
    }

    @Test("Two that read and decide in their changes never decide on the same rows")
    func serial() async throws {
        try await withStore { store in
            let winners = await withTaskGroup(of: Bool.self) { group in
                for n in 1...40 {
                    group.addTask {
                        (try? await store.write { database in
                            if try database.row("SELECT n FROM numbers LIMIT 1", make: { $0[0] as Int }) != nil {
                                return false
                            }
                            try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n, "first")
                            return true
                        }) ?? false
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let all = try store.all()
            #expect(winners == 1)
            #expect(all.count == 1)
        }
    }

    @Test("A change answers what it found, and the newest row's number")
    func answers() async throws {
        try await withStore { store in
            let row = try await store.write { database -> Int64 in
                let changed = try database.execute(
                    "INSERT INTO numbers (n, words) VALUES (?, ?), (?, ?)", 5, "a", 6, "b")
                #expect(changed == 2)
                return database.lastRow
            }
            #expect(row == 6)
        }
    }

    @Test("A change that takes long shares its commit with none that came meanwhile")
    func long() async throws {
        try await withStore { store in
            let before = store.commits
            let hasBegun = Mutex(false)
            async let long: Void = store.write { database in
                hasBegun.withLock { $0 = true }
                // The other comes now. If it came later, there were two commits anyhow.
                usleep(300_000)
                try database.execute("INSERT INTO numbers (n, words) VALUES (1, 'long')")
            }
            while !hasBegun.withLock({ $0 }) { await Task.yield() }
            async let short: Void = store.write { try $0.execute("INSERT INTO numbers (n, words) VALUES (2, 'short')") }
            _ = try await (long, short)
            #expect(store.commits == before + 2)
        }
    }
}
