import Glibc
import Store
import System
// Exported: every file of these tests sees it.
@_exported import TestSupport

/// A folder of its own for one test, gone after it, also when the test fails.
func withFolder<T>(_ test: (String) async throws -> T) async throws -> T {
    let folder = "/tmp/soglia-store-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
    try Files.makeFolder(folder)
    let outcome: Result<T, any Error>
    do { outcome = .success(try await test(folder)) } catch { outcome = .failure(error) }
    for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
    rmdir(folder)
    return try outcome.get()
}

/// A table of numbers, each once.
let numbers = Migration("numbers.1", "CREATE TABLE numbers (n INTEGER PRIMARY KEY, words TEXT NOT NULL) STRICT")

/// A store with the table of numbers, in a folder of its own.
func withStore<T>(pageLimit: Int? = nil, _ test: (Store) async throws -> T) async throws -> T {
    try await withFolder { folder in
        let store = try Store(path: folder + "/test.sqlite", migrations: [numbers], pageLimit: pageLimit)
        let outcome: Result<T, any Error>
        do { outcome = .success(try await test(store)) } catch { outcome = .failure(error) }
        await store.close()
        return try outcome.get()
    }
}

extension Store {
    func add(_ n: Int, _ words: String = "") async throws {
        try await write { _ = try $0.execute("INSERT INTO numbers (n, words) VALUES (?, ?)", n, words) }
    }

    func all() throws -> [Int] { try read { try $0.rows("SELECT n FROM numbers ORDER BY n") { $0[0] as Int } } }
}

/// What a test's own change throws.
struct Refused: Error, Equatable {}
