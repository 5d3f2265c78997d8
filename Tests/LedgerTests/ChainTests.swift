import Identity
import Store
import System
import Testing

@testable import Ledger

@Suite("The chains")
struct ChainTests {
    @Test("Each site's chain grows by itself, without gaps, and all of them hold")
    func grow() async throws {
        try await withLedger { ledger in
            for n in 1...30 { try await ledger.add(n, to: .numbered(UInt8(n % 3))) }
            for site in UInt8(0)..<3 {
                let events = try ledger.events(of: .numbered(site), after: 0, limit: 100)
                #expect(events.map(\.sequence) == Array(1...10))
                #expect(events.compactMap(\.n).allSatisfy { $0 % 3 == Int(site) })
            }
            #expect(try ledger.verify() == Verification(events: 30, sites: 3, firstBad: nil))
        }
    }

    @Test("An empty ledger holds")
    func empty() async throws {
        try await withLedger { ledger in
            let found = try ledger.verify()
            #expect(found == Verification())
            #expect(try ledger.position() == 0)
            let head = try ledger.store.read { try Ledger.head(of: .hub, in: $0) }
            #expect(head == Ledger.Head(sequence: 0, hash: [UInt8](repeating: 0, count: 32)))
        }
    }

    @Test("Many writers at once make one chain that holds")
    func concurrent() async throws {
        try await withLedger { ledger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<500 { group.addTask { try await ledger.add(n, to: .numbered(UInt8(n % 2))) } }
                try await group.waitForAll()
            }
            #expect(try ledger.verify() == Verification(events: 500, sites: 2, firstBad: nil))
        }
    }

    @Test("A chain longer than one look of the verification holds, and what is wrong far behind is found")
    func long() async throws {
        try await withLedger { ledger in
            try await ledger.store.write { database in
                for n in 0..<2500 {
                    try Ledger.append(
                        NewEvent(
                            id: .new(at: noon), site: .numbered(1), kind: "test", at: noon,
                            payload: Array("{\"n\":\(n)}".utf8)),
                        to: database)
                }
            }
            #expect(try ledger.verify() == Verification(events: 2500, sites: 1, firstBad: nil))
            try await ledger.store.write { _ = try $0.execute("UPDATE events SET at = at + 1 WHERE sequence = 2001") }
            #expect(try ledger.verify().firstBad?.sequence == 2001)
        }
    }

    @Test("An event whose transaction fails leaves no trace, and the chain goes on without a gap")
    func rolledBack() async throws {
        struct Refused: Error {}
        try await withLedger { ledger in
            try await ledger.add(1)
            await #expect(throws: Refused.self) {
                try await ledger.store.write { database in
                    try Ledger.append(
                        NewEvent(id: .new(at: noon), site: .numbered(1), kind: "test", at: noon, payload: []),
                        to: database)
                    throw Refused()
                }
            }
            try await ledger.add(2)
            #expect(try ledger.events(of: .numbered(1), after: 0, limit: 10).map(\.sequence) == [1, 2])
            #expect(try ledger.verify().firstBad == nil)
        }
    }

    @Test("The same event is not written twice")
    func twice() async throws {
        try await withLedger { ledger in
            let event = NewEvent(
                id: .new(at: noon), site: .numbered(1), kind: "test", at: noon, payload: Array("{}".utf8))
            try await ledger.store.write { _ = try Ledger.append(event, to: $0) }
            let error = await #expect(throws: StoreError.self) {
                try await ledger.store.write { _ = try Ledger.append(event, to: $0) }
            }
            #expect(error?.isDuplicate == true)
            #expect(try ledger.verify() == Verification(events: 1, sites: 1, firstBad: nil))
        }
    }

    @Test("What was appended is read back: by its id, by its site, newest first by kind, by position")
    func reading() async throws {
        try await withLedger { ledger in
            let person = PersonID.new(at: noon)
            let id = try await ledger.add(1, kind: "a.one", person: person)
            for n in 2...9 {
                try await ledger.add(n, to: .numbered(n % 2 == 0 ? 2 : 1), kind: n % 3 == 0 ? "a.three" : "a.one")
            }
            let first = try #require(try ledger.store.read { try Ledger.event(id, in: $0) })
            #expect((first.id, first.site, first.sequence, first.kind) == (id, .numbered(1), 1, "a.one"))
            #expect((first.at, first.person, first.n) == (noon.adding(milliseconds: 1), person, 1))
            #expect(try ledger.events(of: .numbered(1), after: 2, limit: 2).map(\.n) == [5, 7])
            #expect(try ledger.newest(of: .numbered(1), kinds: ["a.one"], before: nil, limit: 2).map(\.n) == [7, 5])
            #expect(
                try ledger.newest(of: .numbered(1), kinds: ["a.one", "a.three"], before: 5, limit: 9).map(\.n) == [
                    7, 5, 3, 1,
                ])
            #expect(try ledger.newest(of: .numbered(1), kinds: [], before: nil, limit: 9).isEmpty)
            #expect(try ledger.newest(of: .numbered(1), kinds: ["a.one"], before: .max, limit: 1).map(\.n) == [7])
            #expect(try ledger.events(after: 0, limit: 100).map(\.n) == Array(1...9))
            #expect(try ledger.events(after: 4, limit: 3).map(\.position) == [5, 6, 7])
            #expect(try ledger.position() == 9)
            #expect(try ledger.store.read { try Ledger.event(.new(at: noon), in: $0) } == nil)
        }
    }
}
