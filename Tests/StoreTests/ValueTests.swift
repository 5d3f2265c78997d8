import Identity
import Store
import System
import Testing

@Suite("Values in columns")
struct ValueTests {
    private let table = Migration(
        "values.1", "CREATE TABLE held (id INTEGER PRIMARY KEY, number INTEGER, words TEXT, bytes BLOB) STRICT")

    private func withTable(_ test: (Store) async throws -> Void) async throws {
        try await withFolder { folder in
            let store = try Store(path: folder + "/test.sqlite", migrations: [table])
            try await test(store)
            await store.close()
        }
    }

    private func number<T: SQLValue & Equatable>(_ value: T, in store: Store) async throws {
        let back = try await store.write { database -> T? in
            try database.execute("INSERT INTO held (number) VALUES (?)", value)
            return try database.row("SELECT number FROM held WHERE id = ?", database.lastRow) { $0[0] as T }
        }
        #expect(back == value)
    }

    @Test("Numbers, truths, times and days come back as they went in, to their very ends")
    func numbers() async throws {
        try await withTable { store in
            for value in [0, 1, -1, .min, .max] as [Int] { try await number(value, in: store) }
            for value in [0, -1, .min, .max] as [Int64] { try await number(value, in: store) }
            for value in [0, 1, .max, 1 << 63] as [UInt64] { try await number(value, in: store) }
            for value in [true, false] { try await number(value, in: store) }
            for value in [0, -1, .max, .min] as [Int64] { try await number(Timestamp(milliseconds: value), in: store) }
            for value in [0, -719_162, 2_932_896] { try await number(Day(daysSinceEpoch: value), in: store) }
            for value in [nil, 0, 7] as [Int?] { try await number(value, in: store) }
            for value in [nil, Timestamp(milliseconds: 0)] as [Timestamp?] { try await number(value, in: store) }
        }
    }

    @Test("Texts come back as they went in: empty, of any language, with an end in the middle")
    func texts() async throws {
        try await withTable { store in
            for text in [
                "", "a", "perché 🚪 門", "a\u{0}b", "';DROP TABLE held--", String(repeating: "x", count: 100_000),
            ] {
                let back = try await store.write { database -> String? in
                    try database.execute("INSERT INTO held (words) VALUES (?)", text)
                    return try database.row("SELECT words FROM held WHERE id = ?", database.lastRow) { $0[0] as String }
                }
                #expect(back == text)
            }
            let none = try await store.write { database -> String?? in
                try database.execute("INSERT INTO held (words) VALUES (?)", nil as String?)
                return try database.row("SELECT words FROM held WHERE id = ?", database.lastRow) { $0[0] as String? }
            }
            #expect(none == .some(nil))
        }
    }

    @Test("Bytes come back as they went in, and none is not the same as no value")
    func bytes() async throws {
        try await withTable { store in
            for bytes in [[], [0], [0, 255, 0], [UInt8](repeating: 7, count: 100_000)] as [[UInt8]] {
                let back = try await store.write { database -> [UInt8]?? in
                    try database.execute("INSERT INTO held (bytes) VALUES (?)", bytes)
                    return try database.row("SELECT bytes FROM held WHERE id = ?", database.lastRow) {
                        $0[0] as [UInt8]?
                    }
                }
                #expect(back == .some(.some(bytes)))
            }
        }
    }

    private enum Kind {}

    @Test("An id comes back, from a column and from its text")
    func ids() async throws {
        try await withTable { store in
            for _ in 0..<100 {
                let id = ID<Kind>.new(at: WallClock.system.now)
                #expect(ID<Kind>(id.text) == id)
                #expect(id.text.utf8.count == 32)
                let back = try await store.write { database -> ID<Kind>? in
                    try database.execute("INSERT INTO held (bytes) VALUES (?)", id)
                    return try database.row("SELECT bytes FROM held WHERE id = ?", database.lastRow) {
                        $0[0] as ID<Kind>
                    }
                }
                #expect(back == id)
            }
        }
    }

    @Test("Ids made later sort later, as values and as texts, and none comes twice")
    func order() {
        let start = WallClock.system.now
        let ids = (0..<500).map { ID<Kind>.new(at: start.adding(milliseconds: Int64($0))) }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.text) == ids.map(\.text).sorted())
        #expect(Set((0..<5000).map { _ in ID<Kind>.new(at: start) }).count == 5000)
    }

    @Test(
        "A text that is no id is refused",
        arguments: [
            "", "0", "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcde",
            "0123456789abcdef0123456789abcdef0",
            "0123456789abcdef0123456789abcdeg", "01234567-89ab-cdef-0123-456789abcdef",
            "0123456789abcdef0123456789abcdeé",
        ])
    func refused(text: String) { #expect(ID<Kind>(text) == nil) }

    @Test("A value of another type than its column is refused by the table")
    func strict() async throws {
        try await withTable { store in
            await #expect(throws: StoreError.self) {
                try await store.write { _ = try $0.execute("INSERT INTO held (number) VALUES (?)", "seven") }
            }
        }
    }
}
