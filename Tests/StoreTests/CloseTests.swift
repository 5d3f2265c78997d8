import Store
import System
import Testing

@Suite("Closing")
struct CloseTests {
    @Test("What was asked before is finished, what is asked after is refused, and closing twice is closing once")
    func close() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            let store = try Store(path: path, migrations: [numbers])
            let answers = await withTaskGroup(of: Int?.self) { group in
                for n in 0..<300 {
                    group.addTask {
                        do {
                            try await store.add(n)
                            return n
                        } catch { return nil }
                    }
                    if n == 200 {
                        group.addTask {
                            await store.close(); return nil
                        }
                    }
                }
                return await group.reduce(into: [Int]()) { if let n = $1 { $0.append(n) } }
            }
            await store.close()
            let error = await #expect(throws: StoreError.self) { try await store.add(1000) }
            #expect(error?.description == "the database is closed")
            let again = try Store(path: path, migrations: [numbers])
            #expect(try again.all() == answers.sorted())
            await again.close()
        }
    }
}
