import Glibc
import Identity
import Ledger
import Store
import System
// Exported: every file of these tests sees it.
@_exported import TestSupport

/// A ledger in a folder of its own, gone after the test, also when the test fails.
/// - Parameter free: the bytes of its disk that are free, where room is kept on it.
func withLedger<T>(free: Shared<Int64>? = nil, _ test: (Ledger) async throws -> T) async throws -> T {
    let folder =
        "/tmp/soglia-ledger-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
    try Files.makeFolder(folder)
    let reserve = free.map { free in
        Reserve(folder: folder, limit: 64 << 10, read: { _ in FreeSpace(free: free.value, total: 1 << 40) })
    }
    let store = try Store(path: folder + "/test.sqlite", migrations: Ledger.migrations, reserve: reserve)
    let outcome: Result<T, any Error>
    do { outcome = .success(try await test(Ledger(store))) } catch { outcome = .failure(error) }
    await store.close()
    for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
    rmdir(folder)
    return try outcome.get()
}

let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!

extension SiteID {
    /// The same for the same number.
    static func numbered(_ n: UInt8) -> SiteID {
        SiteID(String(repeating: "0", count: 30) + "\(n < 16 ? "0" : "")\(String(n, radix: 16))")!
    }
}

extension Ledger {
    /// Adds an event whose payload says its number.
    @discardableResult
    func add(_ n: Int, to site: SiteID = .numbered(1), kind: String = "test.happened", person: PersonID? = nil)
        async throws -> EventID
    {
        let event = NewEvent(
            id: .new(at: noon), site: site, kind: kind, at: noon.adding(milliseconds: Int64(n)), person: person,
            payload: Array("{\"n\":\(n)}".utf8))
        try await store.write { _ = try Ledger.append(event, to: $0) }
        return event.id
    }
}

extension Event {
    /// The number that `Ledger.add` was given.
    var n: Int? {
        payload.flatMap { bytes in Int(String(decoding: bytes.dropFirst(5).dropLast(), as: UTF8.self)) }
    }
}
