import Identity
import Store
import System
import Testing

@testable import Ledger

@Suite("Heads that gates kept")
struct WitnessedTests {
    private let site = SiteID.numbered(1)

    private func head(_ sequence: UInt64, _ ledger: Ledger, after minutes: Int64 = 0) throws -> WitnessedHead {
        let hash = try ledger.store.read {
            try $0.row("SELECT hash FROM events WHERE site = ? AND sequence = ?", site, sequence) { $0[0] as [UInt8] }
        }
        return WitnessedHead(
            witness: "Ingresso", site: site, sequence: sequence, hash: try #require(hash),
            at: noon.adding(milliseconds: minutes * 60_000))
    }

    /// Writes everything from a sequence on anew, with hashes that follow from one another.
    private func rewrite(from sequence: UInt64, to last: UInt64, _ ledger: Ledger) async throws {
        let site = site
        try await ledger.store.write { database in
            try database.execute(
                "DELETE FROM event_payloads WHERE event IN (SELECT id FROM events WHERE site = ? AND sequence >= ?)",
                site,
                sequence)
            try database.execute("DELETE FROM events WHERE site = ? AND sequence >= ?", site, sequence)
        }
        for n in sequence...last { try await ledger.add(Int(n) + 1000) }
    }

    @Test("A history that was rewritten with consistent hashes passes by itself, and fails before a gate's heads")
    func rewritten() async throws {
        try await withLedger { ledger in
            for n in 1...20 { try await ledger.add(n) }
            let heads = try [3, 7, 12, 20].map { try head($0, ledger) }
            #expect(try ledger.verify(heads: heads) == WitnessedVerification(confirmed: 4))
            try await rewrite(from: 10, to: 20, ledger)
            #expect(try ledger.verify().firstBad == nil)
            let found = try ledger.verify(heads: heads.reversed())
            #expect(found.confirmed == 2)
            let bad = try #require(found.firstBad)
            #expect((bad.head.sequence, bad.lastGood, bad.isBeyondEnd) == (12, 7, false))
        }
    }

    @Test("A chain that was cut off ends before a gate's head")
    func cutOff() async throws {
        try await withLedger { ledger in
            for n in 1...5 { try await ledger.add(n) }
            let heads = [try head(5, ledger)]
            try await ledger.store.write { database in
                try database.execute(
                    "DELETE FROM event_payloads WHERE event = (SELECT id FROM events WHERE sequence = 5)")
                try database.execute("DELETE FROM events WHERE sequence = 5")
            }
            #expect(try ledger.verify().firstBad == nil)
            #expect(try ledger.verify(heads: heads).firstBad?.isBeyondEnd == true)
        }
    }

    @Test(
        "What a restore gave up is no forgery when the chain tells of it; what came after the restore is held to all the same"
    )
    func restored() async throws {
        try await withLedger { ledger in
            for n in 1...8 { try await ledger.add(n) }
            let before = try [4, 8].map { try head($0, ledger) }
            // Back to five, and on from there.
            try await rewrite(from: 6, to: 7, ledger)
            let site = site
            try await ledger.store.write { database in
                _ = try Ledger.append(
                    NewEvent(
                        id: .new(at: noon), site: site, kind: Ledger.restoredKind,
                        at: noon.adding(milliseconds: 60_000),
                        payload: Array(#"{"kept":5}"#.utf8)), to: database)
            }
            for n in 9...12 { try await ledger.add(n) }
            let after = try [10, 12].map { try head($0, ledger, after: 5) }
            #expect(
                try ledger.verify(heads: before + after) == WitnessedVerification(confirmed: 3, givenUp: 1))
            try await rewrite(from: 12, to: 12, ledger)
            #expect(try ledger.verify(heads: before + after).firstBad?.head.sequence == 12)
        }
    }

    @Test("A head goes through a line of text and back; another line is none")
    func lines() async throws {
        try await withLedger { ledger in
            try await ledger.add(1)
            let one = try head(1, ledger)
            #expect(WitnessedHead(line: one.line) == one)
            #expect(WitnessedHead(line: Array(#"{"gate":"x","site":"y"}"#.utf8)) == nil)
            #expect(WitnessedHead(line: []) == nil)
        }
    }
}
