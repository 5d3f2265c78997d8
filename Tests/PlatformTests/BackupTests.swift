import Crypto
import Foundation
import Ledger
import Notices
import OpenID
@testable import Store
import System
import Testing

@testable import Accounts
@testable import Platform

/// A hub's folder with a little in it, and a place for backups beside.
private struct Place {
    let root: String
    var hub: String { root + "/hub" }
    var file: String { root + "/backup" }
    let site: Site
    let person: Person
    static let passphrase = "correct horse battery"
    static let now = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!

    static func with(_ body: (Place) async throws -> Void) async throws {
        let root = "/tmp/soglia-backup-\(UInt32.random(in: 0 ... .max))"
        let place = Place(
            root: root, site: Site(id: .new(at: now), name: "Officina", kind: .company, zone: .utc),
            person: Person(id: .new(at: now), name: "Wilhelmina Quackenbush", email: "w@example.org", language: nil))
        try Files.makeFolder(place.hub)
        do {
            try await place.seed()
            try await body(place)
        } catch {
            Files.removeTree(root)
            throw error
        }
        Files.removeTree(root)
    }

    func open(_ folder: String? = nil, more: [Migration] = []) throws -> Store {
        try Store(path: (folder ?? hub) + "/soglia.sqlite", migrations: Hub.migrations + more)
    }

    private func seed() async throws {
        let store = try open()
        let (site, person) = (site, person)
        try await store.write { database in
            try AccountRecords.add(site, at: Self.now, by: nil, in: database)
            try AccountRecords.add(person, passwordHash: "x", at: Self.now, in: database)
            try AccountRecords.add(
                Membership(
                    id: .new(at: Self.now), person: person.id, site: site.id, permission: .member, role: nil,
                    firstDay: nil, lastDay: nil), at: Self.now, by: nil, in: database)
            try database.execute(
                "INSERT INTO sessions (hash, person, is_program, created, expires, id, seen) VALUES (?, ?, 0, ?, ?, ?, ?)",
                [1, 2, 3] as [UInt8], person.id, Self.now, Self.now.adding(milliseconds: 1 << 40), Random.bytes(16),
                Self.now)
        }
        await store.close()
        try Files.replace(hub + "/identity", with: [UInt8](repeating: 5, count: 32))
        try Files.makeFolder(hub + "/tls/inner")
        try Files.replace(hub + "/tls/inner/key", with: Array("secret".utf8))
        try Files.makeFolder(hub + "/gates/one")
        try Files.replace(hub + "/gates/one/gate.sqlite", with: Array("not ours".utf8))
        try Files.replace(hub + "/setup-code", with: Array("code".utf8))
    }

    func backup() throws {
        try Backup.write(
            to: file, of: hub, passphrase: Self.passphrase, key: .quick, at: Self.now, progress: { _, _ in })
    }

    @discardableResult
    func restore(to folder: String? = nil, passphrase: String = Self.passphrase, erased: String? = nil) async throws
        -> Restore.Report
    {
        try await Restore(folder: folder ?? hub, features: []).run(
            file, passphrase: passphrase, erased: erased, at: Self.now, confirm: { _ in true }, progress: { _ in })
    }

    /// What a restore says becomes valid again, by kind; it is not carried out. Nil: there is nothing to compare with.
    func revived(in folder: String? = nil) async throws -> [String: [String]]? {
        var told: Revival?
        await #expect(throws: Restore.NotConfirmed.self) {
            try await Restore(folder: folder ?? hub, features: []).run(
                file, passphrase: Self.passphrase, erased: nil, at: Self.now,
                confirm: {
                    told = $0
                    return false
                }, progress: { _ in })
        }
        return try #require(told).kinds.map { kinds in
            Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0.labels) })
        }
    }

    func setRegistration(open: Bool) async throws {
        let store = try self.open()
        try await AccountRecords.setRegistration(open: open, at: Self.now, in: store)
        await store.close()
    }

    func names(of folder: String) throws -> [String] {
        let store = try open(folder)
        let names = try store.read { try $0.rows("SELECT name FROM people") { $0[0] as String } }
        Task { await store.close() }
        return names
    }
}

@Suite("Backup and restore")
struct BackupTests {
    @Test(
        "A backup taken while the hub runs is put back on another machine, with its secrets and without what is not its own"
    )
    func roundTrip() async throws {
        try await Place.with { place in
            let running = try place.open()
            try place.backup()
            var about = stat()
            #expect(stat(place.file, &about) == 0 && about.st_mode & 0o777 == 0o600)
            let bytes = try Files.read(place.file, limit: 64 << 20)
            #expect(Data(bytes).range(of: Data("Quackenbush".utf8)) == nil)
            #expect(Files.names(in: place.hub).filter { $0.hasPrefix(".backup") }.isEmpty)
            await running.close()

            let other = place.root + "/other"
            let report = try await place.restore(to: other)
            #expect(report.sites == 1 && !report.hadErasedList && !report.replaced)
            #expect(
                Files.names(in: other).filter { !$0.hasPrefix("soglia.sqlite-") } == [
                    "identity", "lock", "soglia.sqlite", "tls",
                ])
            #expect(try Files.read(other + "/tls/inner/key") == Array("secret".utf8))
            #expect(try place.names(of: other) == [place.person.name])
            let store = try place.open(other)
            #expect(try Ledger(store).verify().firstBad == nil)
            #expect(try store.read { try $0.row("SELECT count(*) FROM sessions") { $0[0] as Int } } == 0)
            let kinds = try Ledger(store).events(of: place.site.id, after: 0, limit: 100).map(\.kind)
            #expect(kinds.last == Ledger.restoredKind)
            await store.close()
        }
    }

    @Test("A byte changed anywhere, a part cut off, something added: refused, and what was there stays as it was")
    func tampering() async throws {
        try await Place.with { place in
            try place.backup()
            let whole = try Files.read(place.file, limit: 64 << 20)
            let before = try Files.read(place.hub + "/soglia.sqlite", limit: 64 << 20)
            var broken: [[UInt8]] = []
            for offset in [0, 17, 22, 30, 50, 68, 72, 100, whole.count / 2, whole.count - 1] {
                var bytes = whole
                bytes[offset] ^= 1
                broken.append(bytes)
            }
            // A whole piece left out, and the file without its last piece.
            let piece = 4 + (64 << 10) + 17
            broken.append(Array(whole[..<68] + whole[(68 + piece)...]))
            for count in [0, 10, 68, 70, 68 + piece, whole.count - 1] { broken.append(Array(whole[..<count])) }
            broken.append(whole + [0])
            broken.append(whole + whole)
            for bytes in broken {
                try Files.replace(place.file, with: bytes)
                await #expect(throws: BackupError.self) { try await place.restore() }
            }
            #expect(try Files.read(place.hub + "/soglia.sqlite", limit: 64 << 20) == before)
            #expect(!Files.exists(place.hub + "/restored.new") && !Files.exists(place.hub + "/restoring"))
            #expect(try place.names(of: place.hub) == [place.person.name])
        }
    }

    @Test(
        "Another passphrase opens nothing; a folder that a hub works in is left alone; nor does a backup go into its own folder"
    )
    func refusals() async throws {
        try await Place.with { place in
            try place.backup()
            for folder in [place.hub, place.root + "/new"] {
                await #expect(throws: BackupError.self) {
                    try await place.restore(to: folder, passphrase: "correct horse batterz")
                }
            }
            #expect(!Files.exists(place.root + "/new"), "what was made for it is gone")
            #expect(Files.exists(place.hub + "/soglia.sqlite"))
            let lock = try FolderLock(place.hub)
            let error = await #expect(throws: SystemError.self) { try await place.restore() }
            #expect(error?.description.contains("already works") == true)
            withExtendedLifetime(lock) {}
            #expect(throws: SystemError.self) {
                try Backup.write(
                    to: place.hub + "/backup", of: place.hub, passphrase: Place.passphrase, key: .quick, at: Place.now,
                    progress: { _, _ in })
            }
        }
    }

    @Test("What a backup left behind that was cut off is removed, and of one that is at work nothing")
    func leftovers() async throws {
        try await Place.with { place in
            let cut = [".backup-1", ".backup-2/soglia.sqlite"], working = ".backup-3/soglia.sqlite"
            for folder in [".backup-2", ".backup-3"] { try Files.makeFolder(place.hub + "/" + folder) }
            for name in cut + [working] { try Files.replace(place.hub + "/" + name, with: [1]) }
            let lock = try FolderLock(place.hub + "/.backup-3")
            Backup.removeLeftovers(in: place.hub)
            #expect(Files.names(in: place.hub).filter { $0.hasPrefix(".backup-") } == [".backup-3"])
            try place.backup()
            #expect(Files.exists(place.hub + "/" + working))
            lock.release()
            try place.backup()
            #expect(Files.names(in: place.hub).filter { $0.hasPrefix(".backup-") } == [])
        }
    }

    @Test("A backup of a newer Soglia is refused before anything is replaced")
    func newer() async throws {
        try await Place.with { place in
            let store = try place.open(more: [Migration("future.1", "CREATE TABLE future (a INTEGER) STRICT")])
            await store.close()
            try place.backup()
            let other = place.root + "/other"
            let error = await #expect(throws: StoreError.self) { try await place.restore(to: other) }
            #expect(error?.description.contains("newer Soglia") == true)
            #expect(!Files.exists(other + "/soglia.sqlite"))
        }
    }

    @Test("Who deleted themselves goes also from a site that they joined in the moment in which the hub was cut off")
    func joinedWhileDeleting() async throws {
        try await Place.with { place in
            try place.backup()
            // Written down before they joined: the hub alone, no site.
            let erasure = Erasure(id: .new(at: Place.now), person: place.person.id, site: .hub, at: Place.now)
            try ErasedFile(folder: place.hub).append(erasure)
            #expect(try await place.restore().erasures == 1)
            #expect(try place.names(of: place.hub).isEmpty)
            let store = try place.open()
            let count = try store.read { try $0.row("SELECT count(*) FROM memberships") { $0[0] as Int } }
            #expect(count == 0)
            let found = try Ledger(store).verify()
            #expect(found.firstBad == nil && found.erased == 1)
            await store.close()
        }
    }

    @Test("Owners hear of who deleted themselves before a power cut, not of one who had left, nor of one applied again")
    func told() async throws {
        let gone: [StaticString] = [
            "DELETE FROM memberships", "UPDATE memberships SET revoked = 1", "UPDATE memberships SET last_day = 1",
        ]
        for (isFirst, end) in [(true, nil), (false, nil)] + gone.map({ (true, $0) }) as [(Bool, StaticString?)] {
            try await Place.with { place in
                let store = try place.open()
                if let end { _ = try await store.write { try $0.execute(end) } }
                let erasure = Erasure(id: .new(at: Place.now), person: place.person.id, site: .hub, at: Place.now)
                #expect(
                    try await Erasing(features: []).carryOut([erasure], isFirst: isFirst, on: store, at: Place.now)
                        .count == 1
                )
                let told = try store.read { database in
                    try database.rows(
                        """
                        SELECT p.payload FROM event_payloads p JOIN events e ON e.id = p.event
                        WHERE e.site = ? AND e.kind = 'ledger.erased'
                        """, place.site.id
                    ) { String(decoding: $0[0] as [UInt8], as: UTF8.self) }.contains { $0.contains(#""told":true"#) }
                }
                #expect(told == (isFirst && end == nil), "\(end ?? "a member")")
                await store.close()
            }
        }
    }

    @Test("An erasure that is carried out at a start is known to be unwiped until the file is written anew")
    func unwiped() async throws {
        try await Place.with { place in
            let erasure = Erasure(id: .new(at: Place.now), person: place.person.id, site: place.site.id, at: Place.now)
            let store = try place.open()
            func noted() throws -> [UInt8]? {
                try store.read { try AccountRecords.hubValue(Privacy.unwiped, in: $0) }
            }
            #expect(try noted() == nil)
            #expect(try await Erasing(features: []).carryOut([erasure], on: store, at: Place.now).count == 1)
            #expect(try noted() != nil)
            await store.close()
        }
    }

    @Test("Who was erased after the backup is erased again, by the list in the folder or by one that is given")
    func erasedAgain() async throws {
        for isGiven in [false, true] {
            try await Place.with { place in
                try place.backup()
                let erasure = Erasure(
                    id: .new(at: Place.now), person: place.person.id, site: place.site.id, at: Place.now)
                let list = isGiven ? place.root + "/erased" : place.hub + "/erased"
                try ErasedFile(list).append(erasure)
                let report = try await place.restore(erased: isGiven ? list : nil)
                #expect(report.erasures == 1 && report.hadErasedList)
                #expect(try place.names(of: place.hub).isEmpty)
                #expect(try ErasedFile(folder: place.hub).read() == [erasure])
                for name in Files.names(in: place.hub) where Files.kind(place.hub + "/" + name) == .file {
                    let bytes = try Files.read(place.hub + "/" + name, limit: 64 << 20)
                    #expect(Data(bytes).range(of: Data("Quackenbush".utf8)) == nil, "\(name)")
                }
                let store = try place.open()
                let found = try Ledger(store).verify()
                #expect(found.firstBad == nil && found.erased == 1)
                // It was wiped by the restore: the next start removes nothing that was put aside.
                #expect(try store.read { try AccountRecords.hubValue(Privacy.unwiped, in: $0) } == nil)
                await store.close()
                // Once more, from the same backup: the same.
                #expect(try await place.restore().erasures == 1)
            }
        }
    }

    @Test("Memberships and passwords of a member whom one site erased are told when they become valid again")
    func erasedAtOneSite() async throws {
        for isBefore in [true, false] {
            try await Place.with { place in
                let other = Site(id: .new(at: Place.now), name: "Depot", kind: .company, zone: .utc)
                let store = try place.open()
                let membership = Membership(
                    id: .new(at: Place.now), person: place.person.id, site: other.id, permission: .member, role: nil,
                    firstDay: nil, lastDay: nil)
                let erasure = Erasure(
                    id: .new(at: Place.now), person: place.person.id, site: place.site.id, at: Place.now)
                func erase() async throws {
                    try ErasedFile(folder: place.hub).append(erasure)
                    #expect(try await Erasing(features: []).carryOut([erasure], on: store, at: Place.now).count == 1)
                }
                try await store.write { database in
                    try AccountRecords.add(other, at: Place.now, by: nil, in: database)
                    try AccountRecords.add(membership, at: Place.now, by: nil, in: database)
                }
                if isBefore { try await erase() }
                try place.backup()
                _ = try await store.write { try $0.execute("UPDATE people SET password = 'y'") }
                _ = try await store.write { try $0.execute("UPDATE memberships SET revoked = 1") }
                if !isBefore { try await erase() }
                await store.close()
                let told = try #require(try await place.revived())
                #expect(told["passwords"] == ["Wilhelmina Quackenbush <w@example.org>"])
                #expect(told["memberships"] == ["Wilhelmina Quackenbush at Depot (member)"])
            }
        }
    }

    @Test("A membership or a passkey that was another member's in the backup is listed, also under the same id")
    func anothers() async throws {
        try await Place.with { place in
            let store = try place.open()
            let other = Person(id: .new(at: Place.now), name: "Mallory", email: "m@example.org", language: nil)
            let passkey = Passkey(
                id: [7], party: "localhost", name: "Phone", publicKey: [1], counter: 0, isBackedUp: false,
                added: Place.now)
            let person = place.person.id
            try await store.write { database in
                try AccountRecords.add(other, passwordHash: "x", at: Place.now, in: database)
                try WayRecords.add(passkey, to: person, in: database)
            }
            await store.close()
            try place.backup()
            #expect(try await place.revived()?["memberships"] == nil)
            #expect(try await place.revived()?["passkeys"] == nil)
            let again = try place.open()
            try await again.write { database in
                try database.execute("UPDATE memberships SET person = ?", other.id)
                try database.execute("UPDATE passkeys SET public_key = x'02'")
            }
            await again.close()
            #expect(try await place.revived()?["memberships"]?.count == 1)
            #expect(try await place.revived()?["passkeys"]?.count == 1)
        }
    }

    @Test(
        "A backup with what only a hub makes, or whose database acts by itself, is refused before anything is replaced")
    func strangers() async throws {
        func isRefused(_ place: Place) async throws -> Bool {
            func names() -> Set<String> { Set(Files.names(in: place.hub)).subtracting(["lock"]) }
            let before = names()
            do { try await place.restore() } catch BackupError.unexpected { return names() == before }
            return false
        }
        for name in [
            "erased", "erased/x", "replaced/x", "restored.new/x", "restoring/x", "lock/x", "logs", "gates/one",
            ".backup-1/x", "broker/a.conf",
        ] {
            try await Place.with { place in
                let writer = try BackupWriter(place.file, passphrase: Place.passphrase, key: .quick)
                try writer.add(Backup.about, Array(#"{"made":"2026-11-21T12:00:00.000Z","program":"0"}"#.utf8))
                try writer.add("soglia.sqlite", FileReader(place.hub + "/soglia.sqlite", follows: false), { _ in })
                try writer.add(name, [1])
                try writer.finish()
                #expect(try await isRefused(place), "\(name)")
            }
        }
        let acting: [StaticString] = [
            "CREATE TRIGGER more AFTER INSERT ON sessions BEGIN UPDATE memberships SET permission = 'owner'; END",
            "DROP TRIGGER renewals_end; CREATE TRIGGER renewals_end AFTER DELETE ON sessions BEGIN DELETE FROM people; END",
            "CREATE VIEW more AS SELECT * FROM people", "CREATE INDEX more ON people (name)",
        ]
        for sql in acting {
            try await Place.with { place in
                let store = try place.open()
                try await store.write { try $0.run("\(sql)") }
                await store.close()
                try place.backup()
                #expect(try await isRefused(place), "\(sql)")
            }
        }
        // SQLite goes by the statement, whatever its row says that it is; and by an index, whatever the table holds.
        let lying: [[String]] = [
            [
                "CREATE TRIGGER more AFTER INSERT ON sessions BEGIN DELETE FROM people; END",
                "PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET type = 'Trigger' WHERE name = 'more'",
            ],
            [
                "DROP INDEX memberships_of_person",
                "CREATE INDEX memberships_of_person ON memberships (person, site, id) WHERE 0",
                "PRAGMA writable_schema = ON",
                """
                UPDATE sqlite_schema SET sql = 'CREATE INDEX memberships_of_person ON memberships (person, site, id)'
                WHERE name = 'memberships_of_person'
                """,
            ],
        ]
        for statements in lying {
            try await Place.with { place in
                let copy = place.root + "/copy.sqlite"
                try Store.copy(place.hub + "/soglia.sqlite", to: copy)
                do {
                    let database = try Database(path: copy, readOnly: false)
                    for sql in statements { try database.run(sql) }
                }
                let writer = try BackupWriter(place.file, passphrase: Place.passphrase, key: .quick)
                try writer.add(Backup.about, Array(#"{"made":"2026-11-21T12:00:00.000Z","program":"0"}"#.utf8))
                try writer.add("soglia.sqlite", FileReader(copy, follows: false), { _ in })
                try writer.finish()
                #expect(try await isRefused(place), "\(statements[0])")
            }
        }
        try await Place.with { place in
            let writer = try BackupWriter(place.file, passphrase: Place.passphrase, key: .quick)
            try writer.add(Backup.about, Array("{\"made\":\"2026\\u001b[8m\",\"program\":\"0\"}".utf8))
            try writer.add("soglia.sqlite", FileReader(place.hub + "/soglia.sqlite", follows: false), { _ in })
            try writer.finish()
            #expect(try await isRefused(place))
        }
    }

    @Test(
        "What was there before is put aside; a restore that was cut off keeps a hub from starting until it is done again"
    )
    func aside() async throws {
        try await Place.with { place in
            try place.backup()
            #expect(try await place.restore().replaced)
            #expect(Files.exists(place.hub + "/replaced/soglia.sqlite"))
            try Files.replace(place.hub + "/restoring", with: [])
            let settings = Hub.Settings(folder: place.hub, server: .init())
            #expect(throws: SystemError.self) { try Hub(settings, features: []) }
            try await place.restore()
            #expect(!Files.exists(place.hub + "/restoring"))
        }
    }

    @Test(
        "A restore that was cut off, wherever, is undone by the next: the list of what becomes valid again is the same"
    )
    func undone() async throws {
        let added = "added/later", lost = "tls/inner/key"
        // Before the first part was put aside; between; when all were, and some of the backup are in; all are.
        for stage in 0...3 {
            try await Place.with { place in
                try place.backup()
                let store = try place.open()
                _ = try await store.write { try $0.execute("UPDATE memberships SET revoked = 1") }
                await store.close()
                Files.remove(place.hub + "/" + lost)
                try Files.makeFolder(place.hub + "/added")
                try Files.replace(place.hub + "/" + added, with: Array("later".utf8))
                let told = try await place.revived()
                #expect(told?["memberships"]?.count == 1)

                let (hub, old) = (place.hub, place.hub + "/replaced")
                if stage < 2 {
                    try Files.makeFolder(old)
                    try Files.replace(hub + "/restoring", with: [])
                    if stage == 1 { try Files.move(hub + "/soglia.sqlite", to: old + "/soglia.sqlite") }
                } else {
                    try await place.restore()
                    let names = ["identity", "soglia.sqlite", "tls", "new"]
                    try Files.replace(hub + "/restoring", with: Array(names.joined(separator: "\n").utf8))
                    if stage == 2 { Files.removeTree(hub + "/tls") } else { try Files.makeFolder(hub + "/new") }
                }
                #expect(try await place.revived() == told)
                #expect(Files.exists(hub + "/" + added) && !Files.exists(hub + "/" + lost))
                #expect(Files.kind(hub + "/new") == nil && !Files.exists(hub + "/restoring"))
                // Nobody wanted it: a hub starts again, as it was.
                _ = try Hub(Hub.Settings(folder: hub, server: .init()), features: [])
            }
        }
    }

    @Test("Of two who are called the same a restore says that they are two")
    func namesakes() async throws {
        try await Place.with { place in
            let store = try place.open()
            let site = place.site
            _ = try await store.write { database in
                let other = Person(
                    id: .new(at: Place.now), name: place.person.name, email: "o@example.org", language: nil)
                try AccountRecords.add(other, passwordHash: "x", at: Place.now, in: database)
                try AccountRecords.add(
                    Membership(
                        id: .new(at: Place.now), person: other.id, site: site.id, permission: .member, role: nil,
                        firstDay: nil, lastDay: nil), at: Place.now, by: nil, in: database)
            }
            try place.backup()
            _ = try await store.write { try $0.execute("UPDATE memberships SET revoked = 1") }
            await store.close()
            #expect(
                try await place.revived()?["memberships"] == [
                    "Wilhelmina Quackenbush at Officina (member) (2 of them)"
                ])
        }
    }

    @Test("Whom the broker lets in comes back with no backup: the hub makes that list anew")
    func broker() async throws {
        try await Place.with { place in
            let clients = "broker/dynamic-security.json"
            try Files.makeFolder(place.hub + "/broker")
            try Files.replace(place.hub + "/broker/hub.json", with: Array("{}".utf8))
            try Files.replace(place.hub + "/" + clients, with: Array("now".utf8))
            try place.backup()
            try await place.restore()
            #expect(Files.exists(place.hub + "/broker/hub.json") && !Files.exists(place.hub + "/" + clients))
            // One of an older program, or one that somebody prepared, has it.
            let writer = try BackupWriter(place.file, passphrase: Place.passphrase, key: .quick)
            try writer.add(Backup.about, Array("{\"made\":\"\(Place.now.iso8601)\",\"program\":\"0\"}".utf8))
            try writer.add("soglia.sqlite", FileReader(place.hub + "/soglia.sqlite", follows: false), { _ in })
            try writer.add(clients, Array("prepared".utf8))
            try writer.finish()
            try await place.restore()
            #expect(!Files.exists(place.hub + "/" + clients))
        }
    }

    @Test("Registration that was closed after the backup is said to be open again; one that is open still is not news")
    func registration() async throws {
        try await Place.with { place in
            try await place.setRegistration(open: true)
            try place.backup()
            #expect(try await place.revived() == [:])
            try await place.setRegistration(open: false)
            #expect(try await place.revived() == ["registration": ["open: strangers may make themselves an account"]])
        }
    }

    @Test("An address that was changed or confirmed after the backup is said to be back")
    func addresses() async throws {
        try await Place.with { place in
            try place.backup()
            func set(_ values: String) async throws {
                let store = try place.open()
                _ = try await store.write { try $0.run("UPDATE people SET " + values) }
                await store.close()
            }
            let told = ["addresses of accounts": ["\(place.person.name) <\(place.person.email)>, not confirmed"]]
            #expect(try await place.revived() == [:])
            try await set("confirmed = 1")
            #expect(try await place.revived() == told)
            try await set("confirmed = NULL, email = 'new@example.org'")
            #expect(try await place.revived() == told)
            try await set("email = '\(place.person.email)'")
            #expect(try await place.revived() == [:])
        }
    }

    @Test("A service to sign in by that was removed or changed after the backup is said to be back, without its secret")
    func services() async throws {
        func service(_ id: String, client: String = "client", secret: String = "secret") -> ProviderSettings {
            ProviderSettings(
                id: id, name: id.capitalized, kind: .openID, issuer: "https://\(id).example.com", clientID: client,
                clientSecret: secret)
        }
        let kind = "services that people sign in by"
        try await Place.with { place in
            try ProviderFile([service("one"), service("two"), service("three"), service("four")]).save(
                folder: place.hub)
            try place.backup()
            #expect(try await place.revived() == [:])
            try ProviderFile([service("two", secret: "another"), service("three", client: "other"), service("four")])
                .save(folder: place.hub)
            let told = try await place.revived()
            #expect(
                told == [
                    kind: ["one", "two", "three"].map { "\($0) at https://\($0).example.com, client client" }
                ])
            #expect(told?[kind]?.contains { $0.contains("secret") } == false)

            try Files.replace(place.hub + "/providers.json", with: Array("{".utf8))
            #expect(try await place.revived()?[kind]?.count == 4, "what cannot be read is compared with nothing")
            Files.remove(place.hub + "/providers.json")
            #expect(try await place.revived()?[kind]?.count == 4)
        }
    }

    @Test("A mail server that was removed or changed after the backup is said to be back, without its password")
    func mailServer() async throws {
        func mail(_ host: String, password: String = "hidden") -> MailSettings {
            MailSettings(
                url: "smtp://\(host):587", user: "hub", password: password,
                sender: MailSender(address: "hub@example.org", name: "Soglia")!, origin: "https://hub.example.org")!
        }
        let told = [
            "mail servers that letters leave by": [
                "smtp://old.example.org:587, from hub@example.org; links begin with https://hub.example.org"
            ]
        ]
        try await Place.with { place in
            try mail("old.example.org").save(place.hub)
            try place.backup()
            #expect(try await place.revived() == [:])
            try mail("new.example.org").save(place.hub)
            #expect(try await place.revived() == told)
            try mail("old.example.org", password: "chosen anew").save(place.hub)
            #expect(try await place.revived() == told)
            Files.remove("\(place.hub)/\(MailSettings.file)")
            #expect(try await place.revived() == told)
        }
    }

    @Test("An authority, a certificate, a token or a key that was replaced after the backup is said to be back")
    func keys() async throws {
        try await Place.with { place in
            let own = TLSFolder(data: place.hub)
            func make() throws -> (authority: X509Certificate, served: X509Certificate) {
                let name = try #require(ServedName("hub.local"))
                let made = try own.makeAuthority(names: [name], passphrase: Place.passphrase, now: Place.now)
                return (made, try #require(try own.served()).leaf)
            }
            let old = try make()
            let (token, broker) = (place.hub + "/metrics-token", place.hub + "/broker")
            try Files.makeFolder(broker)
            for path in [token, broker + "/hub.json", broker + "/identity.pem", broker + "/port"] {
                try Files.replace(path, with: Array("first".utf8))
            }
            try place.backup()
            #expect(try await place.revived() == [:])

            try own.renew(passphrase: Place.passphrase, now: Place.now)
            let lastDay = old.served.notAfter.iso8601.prefix(10)
            let served = [
                "certificates of this hub": ["hub.local, localhost, 127.0.0.1, ::1, until \(lastDay)"]
            ]
            var told = try await place.revived()
            #expect(told == served)

            Files.removeTree(place.hub + "/tls")
            _ = try make()
            for path in [token, broker + "/hub.json", broker + "/identity.pem", broker + "/port"] {
                try Files.replace(path, with: Array("second".utf8))
            }
            Files.remove(place.hub + "/identity")
            told = try await place.revived()
            let (name, end) = (old.authority.subject, old.authority.notAfter.iso8601.prefix(10))
            #expect(
                told
                    == served.merging(
                        [
                            "authorities that phones trust": [
                                "\(name), until \(end), fingerprint \(old.authority.fingerprintText)"
                            ], "tokens for the figures": ["metrics-token"],
                            "keys of this hub": [
                                "identity: the hub’s own key",
                                "broker/identity.pem: the certificate by which gates and devices know the hub",
                                "broker/hub.json: the hub’s own way onto the bus",
                            ],
                        ], uniquingKeysWith: { $1 }))
        }
    }
}
