import Crypto
import Glibc
import HTTPServer
import Ledger
import Store
import System

@testable import Accounts
// Exported: every file of these tests sees it.
@_exported import TestSupport

let noon = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!
let rome = Zone(name: "Europe/Rome")!

/// Accounts on a real file, with a clock that a test moves; quick hashes.
struct House {
    let folder: String
    let store: Store
    let accounts: Accounts
    let time: Shared<Timestamp>
    static let password = "long enough, is it?"

    /// Builds it, runs the test and takes it down again, also when the test fails.
    static func run(_ test: (House) async throws -> Void) async throws {
        let folder =
            "/tmp/soglia-accounts-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
        try Files.makeFolder(folder)
        let store = try Store(path: folder + "/test.sqlite", migrations: Ledger.migrations + AccountRecords.migrations)
        let time = Shared(noon)
        let accounts = Accounts(
            store: store, passwords: Passwords(memory: 64 << 10), clock: WallClock { time.value },
            uptime: { UInt64(time.value.milliseconds) })
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await test(House(folder: folder, store: store, accounts: accounts, time: time)))
        } catch { outcome = .failure(error) }
        await store.close()
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
        try outcome.get()
    }

    func wait(milliseconds: Int64) { time.change { $0 = $0.adding(milliseconds: milliseconds) } }

    /// Somebody with an account.
    @discardableResult
    func person(_ name: String) async throws -> Person {
        let person = Person(id: .new(at: noon), name: name, email: "\(name.lowercased())@example.org", language: nil)
        let hash = try await accounts.passwordHash(Self.password)
        try await accounts.change { try AccountRecords.add(person, passwordHash: hash, at: noon, in: $0) }
        return person
    }

    func site(_ name: String) async throws -> Site {
        let site = Site(id: .new(at: noon), name: name, kind: .company, zone: rome)
        try await accounts.change { try AccountRecords.add(site, at: noon, by: nil, in: $0) }
        return site
    }

    @discardableResult
    func member(
        _ person: Person, of site: Site, _ permission: Permission = .member, from first: String? = nil,
        to last: String? = nil
    ) async throws -> Membership {
        let membership = Membership(
            id: .new(at: noon), person: person.id, site: site.id, permission: permission, role: nil,
            firstDay: first.flatMap { Day(iso8601: $0) }, lastDay: last.flatMap { Day(iso8601: $0) })
        try await accounts.change { try AccountRecords.add(membership, at: noon, by: person.id, in: $0) }
        return membership
    }

    /// A program's token of somebody.
    func token(_ person: Person, isProgram: Bool = true) async throws -> String {
        try await accounts.signIn(email: person.email, password: Self.password, address: "::1", isProgram: isProgram)
            .token.text
    }
}

extension Response {
    /// The bytes of the answer, when it has bytes.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
    /// The answer as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
