import Identity
import Store
import System
import Testing

@testable import Ledger

@Suite("The list of erasures beside the database")
struct ErasedFileTests {
    private func withFile(_ body: (ErasedFile) throws -> Void) throws {
        let path = "/tmp/soglia-erased-\(UInt32.random(in: 0 ... .max))"
        defer { Files.remove(path) }
        try body(ErasedFile(path))
    }

    private func erasure(_ n: UInt8) -> Erasure {
        Erasure(id: .new(at: noon), person: ErasureTests.ada, site: .numbered(n), at: noon)
    }

    @Test("What was appended is read, in order; what was withdrawn is not")
    func roundTrip() throws {
        try withFile { file in
            #expect(try file.read().isEmpty)
            let all = (1...4).map { erasure(UInt8($0)) }
            for one in all { try file.append(one) }
            try file.withdraw(all[1])
            #expect(try file.read() == [all[0], all[2], all[3]])
        }
    }

    @Test("A line that a power cut left without its end counts for nothing, and the next begins clean")
    func torn() throws {
        try withFile { file in
            let (first, second) = (erasure(1), erasure(2))
            try file.append(first)
            let whole = try Files.read(file.path)
            try Files.replace(file.path, with: whole + Array("erased 0123".utf8))
            #expect(try file.read() == [first])
            try file.append(second)
            #expect(try file.read() == [first, second])
        }
    }

    @Test("Erasures that are written down at the same moment are all there")
    func together() async throws {
        let path = "/tmp/soglia-erased-\(UInt32.random(in: 0 ... .max))"
        defer { Files.remove(path) }
        let all = (0..<64).map { erasure(UInt8($0)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pair in stride(from: 0, to: all.count, by: 2).map({ Array(all[$0..<$0 + 2]) }) {
                group.addTask { try await Thread.run(name: "erased") { try ErasedFile(path).append(pair) } }
            }
            try await group.waitForAll()
        }
        #expect(Set(try ErasedFile(path).read().map(\.id)) == Set(all.map(\.id)))
    }

    @Test("What was withdrawn goes when the list is tidied; what counts stays, in its order")
    func tidied() throws {
        try withFile { file in
            try file.tidy()
            #expect(!Files.exists(file.path))
            let all = (1...100).map { erasure(UInt8($0)) }
            for one in all { try file.append(one) }
            for one in all where one != all[3] && one != all[70] { try file.withdraw(one) }
            let before = try Files.read(file.path).count
            try file.tidy()
            #expect(try file.read() == [all[3], all[70]])
            #expect(try Files.read(file.path).count * 40 < before)
            try file.append(all[5])
            #expect(try file.read() == [all[3], all[70], all[5]])
        }
    }

    @Test("A list with a line that makes no sense is not tidied")
    func untidied() throws {
        try withFile { file in
            try file.append(erasure(1))
            let bytes = try Files.read(file.path) + Array("erased everybody\n".utf8)
            try Files.replace(file.path, with: bytes)
            #expect(throws: SystemError.self) { try file.tidy() }
            #expect(try Files.read(file.path) == bytes)
        }
    }

    @Test("A line that makes no sense is refused by its number, not passed over")
    func nonsense() throws {
        try withFile { file in
            try file.append(erasure(1))
            try Files.replace(file.path, with: try Files.read(file.path) + Array("erased everybody\n".utf8))
            let error = #expect(throws: SystemError.self) { try file.read() }
            #expect(error?.description.contains("line 2") == true)
        }
    }
}

@Suite("How long things are kept")
struct RetentionTests {
    private let site = SiteID.numbered(1)
    private let day: Int64 = 86_400_000

    private func add(_ kind: String, daysAgo: Int64, to ledger: Ledger) async throws {
        let event = NewEvent(
            id: .new(at: noon), site: site, kind: kind, at: noon.adding(milliseconds: -daysAgo * day),
            payload: [0x7b, 0x7d])
        try await ledger.store.write { _ = try Ledger.append(event, to: $0) }
    }

    @Test("What is older than its kind's days loses its payload and is listed; the rest, and what must be kept, stays")
    func expires() async throws {
        try await withLedger { ledger in
            try await add("site.created", daysAgo: 9_000, to: ledger)
            try await add("opening.opened", daysAgo: 731, to: ledger)
            try await add("membership.added", daysAgo: 731, to: ledger)
            // A clock that was wrong for a moment hides nothing behind it.
            try await add("opening.opened", daysAgo: -400, to: ledger)
            try await add("opening.refused", daysAgo: 731, to: ledger)
            try await add("opening.opened", daysAgo: 729, to: ledger)
            #expect(try await ledger.expire(at: site, now: noon, erasers: []) == 2)
            let events = try ledger.events(of: site, after: 0, limit: 20)
            #expect(events.map { $0.payload == nil } == [false, true, false, false, true, false, false])
            #expect(events[6].kind == RemovalKind.expired)
            #expect(try ledger.verify() == Verification(events: 7, sites: 1, erased: 2, firstBad: nil))
            #expect(try await ledger.expire(at: site, now: noon, erasers: []) == 0)
        }
    }

    @Test("On a full disk what is too old goes all the same, the rows of other rooms too")
    func fullDisk() async throws {
        let free = Shared<Int64>(1 << 30)
        try await withLedger(free: free) { ledger in
            for n in 0..<3 { try await add("opening.opened", daysAgo: 731 + Int64(n), to: ledger) }
            try await ledger.store.write { database in
                try database.execute("CREATE TABLE rows (n INTEGER)")
                try database.execute("INSERT INTO rows VALUES (1), (2)")
            }
            free.change { $0 = 0 }
            await #expect(throws: StoreError.self) { try await add("opening.opened", daysAgo: 0, to: ledger) }
            let eraser = Eraser(
                erase: { _, _ in },
                expire: { _, database in
                    try database.execute("DELETE FROM rows WHERE n = (SELECT min(n) FROM rows)") > 0
                })
            #expect(try await ledger.expire(at: site, now: noon, erasers: [eraser]) == 3)
            #expect(try ledger.store.read { try $0.row("SELECT count(*) FROM rows") { $0[0] as Int } } == 0)
            #expect(try ledger.verify().firstBad == nil)
            #expect(ledger.store.reserve?.held == 64 << 10)
        }
    }

    @Test("A site's own days hold from then on, and its chain tells what they were; 0 keeps for ever")
    func ownDays() async throws {
        try await withLedger { ledger in
            try await add("opening.opened", daysAgo: 40, to: ledger)
            try await add("membership.added", daysAgo: 6_000, to: ledger)
            var rules = RetentionRules()
            (rules[.openings], rules[.changes]) = (30, 0)
            let wanted = rules
            try await ledger.store.write { database in
                try Ledger.setRetention(wanted, of: site, by: ErasureTests.bob, at: noon, in: database)
                // The same once more changes nothing and says nothing.
                try Ledger.setRetention(wanted, of: site, by: ErasureTests.bob, at: noon, in: database)
            }
            #expect(try ledger.store.read { try Ledger.retention(of: site, in: $0) } == wanted)
            #expect(try await ledger.expire(at: site, now: noon, erasers: []) == 1)
            let events = try ledger.events(of: site, after: 0, limit: 20)
            #expect(events.map(\.kind).suffix(2) == ["retention.changed", "ledger.expired"])
            #expect(events[1].payload != nil)
            let told = String(decoding: events[2].payload ?? [], as: UTF8.self)
            #expect(told.contains(#""openings":{"before":730,"after":30}"#))
            #expect(try ledger.verify().firstBad == nil)
        }
    }

    @Test("More than a batch goes in several transactions, and every one is listed")
    func batches() async throws {
        try await withLedger { ledger in
            let (site, day) = (site, day)
            try await ledger.store.write { database in
                for n in 0..<1_200 {
                    // Every other is of another kind, so that the runs are many.
                    try Ledger.append(
                        NewEvent(
                            id: .new(at: noon), site: site, kind: n % 2 == 0 ? "opening.opened" : "site.other",
                            at: noon.adding(milliseconds: -800 * day), payload: [0x7b, 0x7d]), to: database)
                }
            }
            #expect(try await ledger.expire(at: site, now: noon, erasers: []) == 600)
            let found = try ledger.verify()
            #expect((found.erased, found.firstBad) == (600, nil))
            #expect(found.events == 1_202)
        }
    }

    @Test(
        "The heads of a day are in the hub's chain; a site's history rewritten with consistent hashes is found by them")
    func dailyHeads() async throws {
        try await withLedger { ledger in
            try await add("site.created", daysAgo: 1, to: ledger)
            try await add("opening.opened", daysAgo: 1, to: ledger)
            #expect(try await ledger.store.write { try Ledger.keepHeads(at: noon, in: $0) })
            // Not twice a day.
            #expect(try await ledger.store.write { try Ledger.keepHeads(at: noon, in: $0) } == false)
            #expect(try ledger.verify().firstBad == nil)
            let site = site
            try await ledger.store.write { database in
                try database.execute(
                    "DELETE FROM event_payloads WHERE event IN (SELECT id FROM events WHERE site = ?)", site)
                try database.execute("DELETE FROM events WHERE site = ?", site)
                for kind in ["site.created", "opening.refused"] {
                    try Ledger.append(
                        NewEvent(id: .new(at: noon), site: site, kind: kind, at: noon, payload: [0x7b, 0x7d]),
                        to: database)
                }
            }
            let bad = try #require(try ledger.verify().firstBad)
            #expect((bad.site, bad.sequence) == (site, 2))
            #expect(bad.why == "it is not what the hub's own chain kept")
        }
    }
}
