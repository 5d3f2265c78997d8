import Store
import System
import Testing

@Suite("A disk that is full")
struct FullDiskTests {
    private let long = String(repeating: "x", count: 3000)

    @Test("Who asks for too much is refused as full; others of the same moment and later ones are served")
    func guiltyAlone() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            let store = try Store(path: path, migrations: [numbers], pageLimit: 20)
            let long = long
            let answers = await withTaskGroup(of: (Int, (any Error)?).self) { group in
                for n in 0..<60 {
                    group.addTask {
                        do {
                            try await store.write { database in
                                try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n, "small")
                                // Every tenth wants forty pages.
                                if n % 10 == 0 {
                                    for m in 0..<40 {
                                        try database.execute(
                                            "INSERT INTO numbers (n, words) VALUES (?, ?)", 1000 * (n + 1) + m, long)
                                    }
                                }
                            }
                            return (n, nil)
                        } catch { return (n, error) }
                    }
                }
                return await group.reduce(into: [Int: (any Error)?]()) { $0[$1.0] = .some($1.1) }
            }
            let served = (0..<60).filter { $0 % 10 != 0 }
            for n in 0..<60 { #expect((answers[n]! == nil) == (n % 10 != 0)) }
            #expect(try store.all() == served)
            try await store.add(5000, "later")
            await store.close()
            let again = try Store(path: path, migrations: [numbers])
            #expect(try again.all() == served + [5000])
            await again.close()
        }
    }

    @Test("Whoever is refused for it hears that it is full")
    func saysFull() async throws {
        try await withStore(pageLimit: 10) { store in
            let long = long
            let error = await #expect(throws: StoreError.self) {
                try await store.write { database in
                    for n in 0..<40 { try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n, long) }
                }
            }
            #expect(error?.isFull == true)
        }
    }

    @Test("One by one until it is full, then room is made, then it goes on")
    func fillAndMakeRoom() async throws {
        try await withStore(pageLimit: 12) { store in
            var written: [Int] = []
            for n in 0..<40 {
                do {
                    try await store.add(n, long)
                    written.append(n)
                } catch { break }
            }
            #expect((1..<40).contains(written.count))
            #expect(try store.all() == written)
            await #expect(throws: StoreError.self) { try await store.add(99, long) }
            try await store.write { _ = try $0.execute("DELETE FROM numbers") }
            try await store.add(99, long)
            #expect(try store.all() == [99])
        }
    }

    @Test("A change that hides the refusal from its caller does not take others' rows with it")
    func hidden() async throws {
        try await withStore(pageLimit: 12) { store in
            let long = long
            await withTaskGroup(of: Void.self) { group in
                for n in 0..<30 {
                    group.addTask {
                        _ = try? await store.write { database in
                            try database.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n, "small")
                            if n == 15 {
                                for m in 0..<40 {
                                    _ = try? database.execute(
                                        "INSERT INTO numbers (n, words) VALUES (?, ?)", 1000 + m, long)
                                }
                            }
                        }
                    }
                }
            }
            let all = try Set(store.all())
            #expect(all.isSuperset(of: (0..<30).filter { $0 != 15 }))
        }
    }
}
