import Accounts
import Courier
import Crypto
import Doors
import Gates
import Identity
import Ledger
import Phone
import Platform
import Store
import System

/// A folder with one company, some people and some gates, for measuring; gone afterwards.
struct BenchPlace: Sendable {
    let folder: String
    let gates: [GateID]
    private let password: String
    private static let email = "bench@example.com"
    private let emails: [String]

    /// - Parameter people: one person may ask one gate 30 times a minute, so whoever measures openings needs many.
    init(gates count: Int, people peopleCount: Int = 1) async throws {
        folder = "/tmp/soglia-bench-" + EventID.new(at: WallClock.system.now).text.suffix(10)
        try Files.makeFolder(folder)
        password = Token().text
        let clock = WallClock.system
        let store = try Store(path: folder + "/soglia.sqlite", migrations: Hub.migrations + Doors.migrations)
        let hash = try await Passwords().hash(password)
        let now = clock.now
        let site = Site(id: .new(at: now), name: "Bench", kind: .company, zone: .utc)
        let role = Role(id: .new(at: now), site: site.id, name: "Everybody", level: 1)
        emails = [Self.email] + (1..<peopleCount).map { "bench\($0)@example.com" }
        let people = emails.map { Person(id: .new(at: now), name: "Bench", email: $0, language: nil) }
        let made = (0..<count).map {
            Gate(
                id: .new(at: now), site: site.id, name: "Gate \($0)", policy: "doors", key: nil, epoch: 1, pulse: 3000,
                rightsVersion: 1)
        }
        try await store.write { database in
            try AccountRecords.add(site, at: now, by: nil, in: database)
            try AccountRecords.add(role, at: now, by: nil, in: database)
            for person in people {
                try AccountRecords.add(person, passwordHash: hash, at: now, in: database)
                try AccountRecords.found(
                    Membership(
                        id: .new(at: now), person: person.id, site: site.id, permission: .member, role: role.id,
                        firstDay: nil, lastDay: nil),
                    at: now, in: database)
            }
            for gate in made {
                try GateRecords.add(gate, at: now, by: nil, in: database)
                try DoorsRecords.give(gate.id, to: role.id, in: database)
            }
            try AccountRecords.setHubValue(ServeCommand.demoMark, [1], in: database)
        }
        await store.close()
        gates = made.map(\.id)
    }

    /// Signs in as a program. Answers the header to send.
    func authorization(_ hub: String) async throws -> String {
        "Authorization: Bearer " + (try await HubAccess(hub).signIn(email: Self.email, password: password))
    }

    /// Signs everybody in. Answers what each sends as `Authorization`.
    func authorizations(_ hub: String) async throws -> [String] {
        var all: [String] = []
        for email in emails {
            all.append("Bearer " + (try await HubAccess(hub).signIn(email: email, password: password)))
        }
        return all
    }

    /// Pairing codes for all gates, in their order. The hub must not run yet.
    func pairingCodes() async throws -> [String] {
        let store = try Store(path: folder + "/soglia.sqlite", migrations: Hub.migrations + Doors.migrations)
        var codes: [String] = []
        for gate in gates { codes.append(try await PairingDesk.prepare(gate, store, .system).code.text) }
        await store.close()
        return codes
    }

    /// A hub in a process of its own, with gates that answer inside it.
    func hubWithStubs() async throws -> Measured {
        try await Measured.start(
            "soglia", ThisProcess.executable,
            ["serve", "--data", folder, "--port", "0", "--demo", "--stub-gates", "\(gates.count)"]
        ) { $0 }
    }

    /// Compiles a peer of `Bench/`.
    func build(_ source: String, _ libraries: [String]) async throws -> String {
        try await Self.build(source, libraries, in: folder)
    }

    /// The same into any folder.
    static func build(_ source: String, _ libraries: [String], in folder: String) async throws -> String {
        let program = folder + "/" + source
        guard Files.exists("Bench/\(source).c") else {
            throw SystemError("run it in the project's folder: the peers lie in Bench/")
        }
        let gcc = try await Child.start(
            "/usr/bin/gcc", ["-O2", "-o", program, "Bench/\(source).c"] + libraries.map { "-l\($0)" })
        guard await gcc.wait() == .exited(0) else { throw SystemError("gcc could not build Bench/\(source).c") }
        return program
    }

    /// Removes the folder.
    func remove() async throws {
        _ = try await Child.start("/bin/rm", ["-rf", folder]).wait()
    }
}
