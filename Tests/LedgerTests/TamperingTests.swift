import Identity
import Store
import System
import Testing

@testable import Ledger

@Suite("Tampering with the file")
struct TamperingTests {
    /// One thing that somebody does to the file of ten events, and where the verification must point.
    struct Tampering: Sendable, CustomTestStringConvertible {
        let words: String
        let sequence: UInt64
        var why = "its hash does not follow from the one before it"
        let act: @Sendable (Database) throws -> Void
        var testDescription: String { words }
    }

    static let all: [Tampering] = [
        Tampering(words: "a changed time", sequence: 5) {
            try $0.execute("UPDATE events SET at = at + 1 WHERE sequence = 5")
        },
        Tampering(words: "a changed kind", sequence: 5) {
            try $0.execute("UPDATE events SET kind = 'test.other' WHERE sequence = 5")
        },
        Tampering(words: "a kind too long", sequence: 5) {
            try $0.execute(
                "UPDATE events SET kind = kind || '1234567890123456789012345678901234567890' WHERE sequence = 5")
        },
        Tampering(words: "a changed hash of the payload", sequence: 5) {
            try $0.execute("UPDATE events SET payload_hash = zeroblob(32) WHERE sequence = 5")
        },
        Tampering(words: "a changed hash", sequence: 5) {
            try $0.execute("UPDATE events SET hash = zeroblob(32) WHERE sequence = 5")
        },
        Tampering(words: "a changed hash of the last event", sequence: 10) {
            try $0.execute("UPDATE events SET hash = zeroblob(32) WHERE sequence = 10")
        },
        Tampering(words: "a changed payload", sequence: 5, why: "its payload was changed") {
            try $0.execute(
                "UPDATE event_payloads SET payload = X'7B7D' WHERE event = (SELECT id FROM events WHERE sequence = 5)")
        },
        Tampering(words: "a changed salt", sequence: 5, why: "its payload was changed") {
            try $0.execute(
                "UPDATE event_payloads SET salt = zeroblob(16) WHERE event = (SELECT id FROM events WHERE sequence = 5)"
            )
        },
        Tampering(words: "payloads of two events swapped", sequence: 4, why: "its payload was changed") {
            try $0.execute(
                """
                UPDATE event_payloads SET (salt, payload) = (SELECT salt, payload FROM event_payloads WHERE event =
                    (SELECT id FROM events WHERE sequence = 6)) WHERE event = (SELECT id FROM events WHERE sequence = 4)
                """)
        },
        Tampering(words: "a deleted payload", sequence: 5, why: "its payload is missing and no erasure lists it") {
            try $0.execute("DELETE FROM event_payloads WHERE event = (SELECT id FROM events WHERE sequence = 5)")
        },
        Tampering(words: "a deleted event", sequence: 6, why: "the events 5 to 5 are missing") {
            try $0.execute("DELETE FROM event_payloads WHERE event = (SELECT id FROM events WHERE sequence = 5)")
            try $0.execute("DELETE FROM events WHERE sequence = 5")
        },
        Tampering(words: "the first event deleted", sequence: 2, why: "the events 1 to 1 are missing") {
            try $0.execute("DELETE FROM event_payloads WHERE event = (SELECT id FROM events WHERE sequence = 1)")
            try $0.execute("DELETE FROM events WHERE sequence = 1")
        },
        Tampering(words: "a deleted event, and those after it moved up", sequence: 5) {
            try $0.execute("DELETE FROM event_payloads WHERE event = (SELECT id FROM events WHERE sequence = 5)")
            try $0.execute("DELETE FROM events WHERE sequence = 5")
            for _ in 0..<5 {
                try $0.execute(
                    "UPDATE events SET sequence = (SELECT max(sequence) FROM events WHERE sequence < 5) + 1 WHERE sequence = 6"
                )
            }
            try $0.execute("UPDATE events SET sequence = sequence - 1 WHERE sequence > 6")
        },
        Tampering(words: "two events in swapped order", sequence: 4) {
            try $0.execute("UPDATE events SET sequence = 1000 WHERE sequence = 4")
            try $0.execute("UPDATE events SET sequence = 4 WHERE sequence = 5")
            try $0.execute("UPDATE events SET sequence = 5 WHERE sequence = 1000")
        },
        Tampering(words: "a changed id", sequence: 5) {
            // The payload goes along, so that nothing but the id is wrong.
            try $0.execute("PRAGMA defer_foreign_keys = ON")
            try $0.execute(
                "UPDATE event_payloads SET event = zeroblob(16) WHERE event = (SELECT id FROM events WHERE sequence = 5)"
            )
            try $0.execute("UPDATE events SET id = zeroblob(16) WHERE sequence = 5")
        },
        Tampering(words: "an event moved to another site", sequence: 6, why: "the events 5 to 5 are missing") {
            try $0.execute("UPDATE events SET site = X'ffffffffffffffffffffffffffffffff' WHERE sequence = 5")
        },
    ]

    private func tenEvents(_ ledger: Ledger) async throws {
        for n in 1...10 { try await ledger.add(n) }
        #expect(try ledger.verify() == Verification(events: 10, sites: 1, firstBad: nil))
    }

    @Test("Every change of a single thing is found where it is", arguments: all)
    func found(tampering: Tampering) async throws {
        try await withLedger { ledger in
            try await tenEvents(ledger)
            try await ledger.store.write { try tampering.act($0) }
            let bad = try #require(try ledger.verify().firstBad)
            #expect(bad.sequence == tampering.sequence)
            #expect(bad.why == tampering.why)
            #expect(bad.site == .numbered(1))
        }
    }

    @Test("A payload of no event is found")
    func stray() async throws {
        try await withLedger { ledger in
            try await tenEvents(ledger)
            await ledger.store.close()
            // The tables' own rule forbids it, so somebody switches the rule off.
            let stray = Migration(
                "test.stray",
                """
                COMMIT; PRAGMA foreign_keys = OFF;
                INSERT INTO event_payloads (event, salt, payload) VALUES (X'ff', X'00', X'7B7D'); BEGIN
                """)
            let store = try Store(path: ledger.store.path, migrations: Ledger.migrations + [stray])
            let bad = try #require(try Ledger(store).verify().firstBad)
            #expect(bad.why == "1 payloads belong to no event")
            await store.close()
        }
    }

    @Test("The end of a chain cut off is not seen by the rest, but by whoever kept the head")
    func cutOff() async throws {
        try await withLedger { ledger in
            try await tenEvents(ledger)
            let head = try ledger.store.read { try Ledger.head(of: .numbered(1), in: $0) }
            try await ledger.store.write { database in
                try database.execute(
                    "DELETE FROM event_payloads WHERE event = (SELECT id FROM events WHERE sequence = 10)")
                try database.execute("DELETE FROM events WHERE sequence = 10")
            }
            #expect(try ledger.verify() == Verification(events: 9, sites: 1, firstBad: nil))
            let now = try ledger.store.read { try Ledger.head(of: .numbered(1), in: $0) }
            #expect(head.sequence == 10)
            #expect(now != head)
        }
    }

    @Test("Two sites' chains do not vouch for one another: the same sequence in the other is not pointed at")
    func sites() async throws {
        try await withLedger { ledger in
            for n in 1...6 { try await ledger.add(n, to: .numbered(UInt8(1 + n % 2))) }
            try await ledger.store.write {
                _ = try $0.execute("UPDATE events SET at = 0 WHERE site = ? AND sequence = 2", SiteID.numbered(2))
            }
            let bad = try #require(try ledger.verify().firstBad)
            #expect((bad.site, bad.sequence) == (.numbered(2), 2))
        }
    }

    @Test("A kind that only ends otherwise, in what the header fills up with, is found")
    func filledKind() async throws {
        try await withLedger { ledger in
            try await tenEvents(ledger)
            try await ledger.store.write {
                _ = try $0.execute("UPDATE events SET kind = kind || char(0) WHERE sequence = 5")
            }
            let bad = try ledger.verify().firstBad
            #expect(bad?.sequence == 5)
        }
    }

    @Test("A byte moved from the payload to the salt, where the hash sees no boundary, is found")
    func movedBoundary() async throws {
        try await withLedger { ledger in
            try await tenEvents(ledger)
            try await ledger.store.write { database in
                _ = try database.execute(
                    """
                    UPDATE event_payloads SET salt = CAST(salt || substr(payload, 1, 1) AS BLOB), payload = substr(payload, 2)
                    WHERE event = (SELECT id FROM events WHERE sequence = 5)
                    """)
            }
            let bad = try ledger.verify().firstBad
            #expect(bad?.sequence == 5)
        }
    }
}
