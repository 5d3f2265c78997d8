import Store
import System
import Testing

@testable import Ledger

@Suite("Erasing a person")
struct ErasureTests {
    static let ada = PersonID("0000000000000000000000000000ada0")!
    static let bob = PersonID("0000000000000000000000000000b0b0")!
    static let site = SiteID.numbered(1)

    /// Events one and three are about Ada, two about Bob; four names Ada although its row does not.
    private func fourEvents(_ ledger: Ledger) async throws {
        for (n, person) in [(1, Self.ada), (2, Self.bob), (3, Self.ada), (4, Self.ada)] {
            let event = NewEvent(
                id: .new(at: noon), site: Self.site, kind: "opening.opened", at: noon, person: n == 4 ? nil : person,
                payload: Array(#"{"n":\#(n),"person":"\#(person.text)"}"#.utf8))
            try await ledger.store.write { _ = try Ledger.append(event, to: $0) }
        }
    }

    private func erase(_ ledger: Ledger, by: PersonID? = nil) async throws -> Removed {
        let erasure = Erasure(id: .new(at: noon), person: Self.ada, site: Self.site, at: noon)
        let mentions = try await ledger.store.readAside { try Ledger.mentions(of: Self.ada, at: Self.site, in: $0) }
        return try await ledger.store.write {
            try Ledger.erase(erasure, in: Self.site, mentions: mentions, by: by, at: noon, $0)
        }
    }

    @Test("Payloads go, also of an event whose row hides whom it names; the chain stays and says how many")
    func erased() async throws {
        try await withLedger { ledger in
            try await fourEvents(ledger)
            let removed = try await erase(ledger, by: Self.bob)
            #expect(removed.events == 3)
            let events = try ledger.events(of: Self.site, after: 0, limit: 10)
            #expect(events.map { $0.payload == nil } == [true, false, true, true, false])
            #expect(events.map(\.person) == [nil, Self.bob, nil, nil, nil])
            let listing = String(decoding: events[4].payload ?? [], as: UTF8.self)
            #expect(listing == #"{"by":"\#(Self.bob.text)","events":3,"sequences":[[1,1],[3,4]]}"#)
            #expect(try ledger.verify() == Verification(events: 5, sites: 1, erased: 3, firstBad: nil))
        }
    }

    @Test("A second erasure of the same person finds nothing, and a third part of the history is not touched")
    func twice() async throws {
        try await withLedger { ledger in
            try await fourEvents(ledger)
            _ = try await erase(ledger)
            #expect(try await erase(ledger).events == 0)
            #expect(try ledger.verify().erased == 3)
        }
    }

    @Test("A payload that goes without an event that lists it is found, also beside an erasure")
    func unlisted() async throws {
        try await withLedger { ledger in
            try await fourEvents(ledger)
            _ = try await erase(ledger)
            try await ledger.store.write {
                _ = try $0.execute(
                    "DELETE FROM event_payloads WHERE event = (SELECT id FROM events WHERE sequence = 2)")
            }
            #expect(try ledger.verify().firstBad?.why == "its payload is missing and no erasure lists it")
            #expect(try ledger.verify().firstBad?.sequence == 2)
        }
    }

    @Test("A listing that lists more than its own chain covers lists nothing")
    func forgedListing() async throws {
        try await withLedger { ledger in
            try await fourEvents(ledger)
            _ = try await erase(ledger)
            try await ledger.store.write { database in
                try database.execute(
                    """
                    UPDATE event_payloads SET payload = CAST(replace(CAST(payload AS TEXT), '[[1,1]', '[[1,2]') AS BLOB)
                    WHERE event = (SELECT id FROM events WHERE kind = 'ledger.erased')
                    """)
                try database.execute(
                    "DELETE FROM event_payloads WHERE event = (SELECT id FROM events WHERE sequence = 2)")
            }
            #expect(try ledger.verify().firstBad?.sequence == 1)
        }
    }

    @Test("A payload that comes back after its erasure is found")
    func cameBack() async throws {
        try await withLedger { ledger in
            try await fourEvents(ledger)
            let kept = try ledger.store.read {
                try $0.row(
                    "SELECT salt, payload FROM event_payloads p JOIN events e ON e.id = p.event WHERE sequence = 3"
                ) {
                    ($0[0] as [UInt8], $0[1] as [UInt8])
                }
            }
            _ = try await erase(ledger)
            let (salt, payload) = try #require(kept)
            try await ledger.store.write {
                _ = try $0.execute(
                    "INSERT INTO event_payloads (event, salt, payload) SELECT id, ?, ? FROM events WHERE sequence = 3",
                    salt,
                    payload)
            }
            #expect(try ledger.verify().firstBad?.why == "its payload is there although an erasure lists it")
        }
    }

    @Test("A row that puts an event down to somebody else, so that an erasure would miss it, is found")
    func otherPerson() async throws {
        try await withLedger { ledger in
            try await fourEvents(ledger)
            try await ledger.store.write {
                _ = try $0.execute(
                    "UPDATE event_payloads SET person = ? WHERE event = (SELECT id FROM events WHERE sequence = 3)",
                    Self.bob)
            }
            #expect(try ledger.verify().firstBad?.why == "it is put down to somebody else")
        }
    }

    @Test("A row that hides whom its event names is found, and the event still goes with that person's erasure")
    func hiddenPerson() async throws {
        try await withLedger { ledger in
            try await fourEvents(ledger)
            let bad = try ledger.verify().firstBad
            #expect(bad?.why == "its row does not say whom it is about")
            #expect(bad?.sequence == 4)
            _ = try await erase(ledger)
            #expect(try ledger.verify() == Verification(events: 5, sites: 1, erased: 3, firstBad: nil))
        }
    }

    @Test("A row that puts an event down to whoever caused it, and not to whom it is about, is found")
    func author() async throws {
        try await withLedger { ledger in
            let event = NewEvent(
                id: .new(at: noon), site: Self.site, kind: "badge.changed", at: noon, person: Self.ada,
                payload: Array(#"{"person":"\#(Self.ada.text)","by":"\#(Self.bob.text)"}"#.utf8))
            try await ledger.store.write { _ = try Ledger.append(event, to: $0) }
            #expect(try ledger.verify().firstBad == nil)
            try await ledger.store.write { _ = try $0.execute("UPDATE event_payloads SET person = ?", Self.bob) }
            #expect(try ledger.verify().firstBad?.why == "it is put down to somebody else")
        }
    }

    @Test("A name that looks like a payload's own person is no person")
    func lookalike() async throws {
        try await withLedger { ledger in
            // As JSON writes a name with quotation marks; a value that is no id; a field of another name.
            for field in [
                #""name":"\"person\":\"\#(Self.ada.text)\"""#, #""person":"nobody""#, #""persons":"\#(Self.ada.text)""#,
            ] {
                let event = NewEvent(
                    id: .new(at: noon), site: Self.site, kind: "gate.added", at: noon, payload: Array("{\(field)}".utf8)
                )
                try await ledger.store.write { _ = try Ledger.append(event, to: $0) }
            }
            #expect(try ledger.verify() == Verification(events: 3, sites: 1, firstBad: nil))
        }
    }

    @Test("Rows put in another order among all events are found")
    func reordered() async throws {
        try await withLedger { ledger in
            try await fourEvents(ledger)
            try await ledger.store.write {
                _ = try $0.execute("UPDATE events SET position = 1000 WHERE sequence = 2")
            }
            #expect(try ledger.verify().firstBad?.why == "it stands before the event that it follows")
        }
    }

    @Test("After an erasure, with the file written anew and the log cut off, no byte of it is in any file")
    func noByteLeft() async throws {
        try await withLedger { ledger in
            let secret = "Wilhelmina Featherstonehaugh"
            for n in 0..<200 {
                let who = n % 3 == 0 ? Self.ada : Self.bob
                let payload = #"{"person":"\#(who.text)","name":"\#(who == Self.ada ? secret : "Bob")"}"#
                let event = NewEvent(
                    id: .new(at: noon), site: Self.site, kind: "opening.opened", at: noon, person: who,
                    payload: Array(payload.utf8))
                try await ledger.store.write { _ = try Ledger.append(event, to: $0) }
            }
            let files = ["", "-wal", "-shm"].map { ledger.store.path + $0 }
            func holding(_ wanted: [UInt8]) throws -> [String] {
                try files.compactMap { file -> String? in
                    let bytes = try Files.read(file, limit: 64 << 20)
                    guard let start = place(of: wanted, in: bytes) else { return nil }
                    let around = bytes[max(0, start - 64)..<min(bytes.count, start + 96)]
                    return "\(file) at \(start): \(Array(around))"
                }
            }
            #expect(try !holding(Array(secret.utf8)).isEmpty)
            _ = try await erase(ledger)
            try await ledger.store.rewrite()
            #expect(try await ledger.store.truncateLog())
            for wanted in [Array(secret.utf8), Self.ada.raw.bytes, Array(Self.ada.text.utf8)] {
                let places = try holding(wanted)
                #expect(places == [])
            }
            #expect(try ledger.verify().erased == 67)
        }
    }

    private func place(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= wanted.count else { return nil }
        return (0...(bytes.count - wanted.count)).first { start in
            bytes[start] == wanted[0] && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}

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
