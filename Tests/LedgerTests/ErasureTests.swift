import Identity
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

    @Test("A list of people's ids names each of them; who did something about others stays")
    func listed() async throws {
        try await withLedger { ledger in
            let payloads = [
                #"{"house":"x","before":{"first":""},"after":{"first":"\#(Self.bob.text) \#(Self.ada.text)"}}"#,
                #"{"house":"x","before":{"first":"\#(Self.bob.text)"},"after":{"first":""},"by":"\#(Self.ada.text)"}"#,
                #"{"role":"x","after":{"name":"\#(Self.ada.text)"}}"#,
            ]
            for payload in payloads {
                let event = NewEvent(
                    id: .new(at: noon), site: Self.site, kind: "home.call.changed", at: noon, person: nil,
                    payload: Array(payload.utf8))
                try await ledger.store.write { _ = try Ledger.append(event, to: $0) }
            }
            #expect(try await erase(ledger).events == 1)
            let events = try ledger.events(of: Self.site, after: 0, limit: 3)
            #expect(events.map { $0.payload == nil } == [true, false, false])
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
