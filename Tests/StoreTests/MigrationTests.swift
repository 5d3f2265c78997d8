import Glibc
import Store
import System
import Testing

@Suite("Tables that are brought forward")
struct MigrationTests {
    private let second = Migration(
        "numbers.2",
        "ALTER TABLE numbers ADD COLUMN more TEXT; INSERT INTO numbers (n, words) VALUES (-1, 'made by the step')")

    @Test("Each step runs once, in order, and old rows stay")
    func once() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            var store = try Store(path: path, migrations: [numbers])
            try await store.add(1)
            await store.close()
            for _ in 0..<3 {
                store = try Store(path: path, migrations: [numbers, second])
                #expect(try store.all() == [-1, 1])
                await store.close()
            }
        }
    }

    @Test("A database of a newer Soglia is refused in words, and left as it is")
    func newer() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            await (try Store(path: path, migrations: [numbers, second])).close()
            let error = #expect(throws: StoreError.self) { try Store(path: path, migrations: [numbers]) }
            #expect(
                error?.description == "this database was written by a newer Soglia (it has numbers.2): use that version"
            )
            let again = try Store(path: path, migrations: [numbers, second])
            #expect(try again.all() == [-1])
            await again.close()
        }
    }

    @Test("A step that fails leaves nothing behind, and can be tried again")
    func failing() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            let broken = Migration(
                "numbers.2", "CREATE TABLE half (n INTEGER) STRICT; CREATE TABLE numbers (n INTEGER) STRICT")
            #expect(throws: StoreError.self) { try Store(path: path, migrations: [numbers, broken]) }
            let mended = Migration("numbers.2", "CREATE TABLE half (n INTEGER) STRICT")
            let store = try Store(path: path, migrations: [numbers, mended])
            try await store.write { _ = try $0.execute("INSERT INTO half (n) VALUES (?)", 1) }
            await store.close()
        }
    }

    @Test("The file is for its owner alone; one that is no database is refused")
    func file() async throws {
        try await withFolder { folder in
            let path = folder + "/test.sqlite"
            await (try Store(path: path, migrations: [numbers])).close()
            for name in Files.names(in: folder) {
                var info = stat()
                stat(folder + "/" + name, &info)
                #expect(info.st_mode & 0o777 == 0o600, "\(name)")
            }
            try Files.replace(
                folder + "/other", with: Array(String(repeating: "this is no database. ", count: 500).utf8))
            #expect(throws: StoreError.self) { try Store(path: folder + "/other", migrations: [numbers]) }
            #expect(throws: SystemError.self) { try Store(path: folder + "/no/folder", migrations: [numbers]) }
        }
    }
}
