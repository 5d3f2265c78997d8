import Ledger
import Store
import System
import Testing
import Wire

@testable import Gates

@Suite("After a restore")
struct RestoredTests {
    /// A restore of a backup that holds what the database holds now.
    private func restore(_ house: House) async throws {
        let site = house.site.id
        _ = try await house.store.write { database in
            try GateRecords.markRestored(
                at: noon, heads: { _, database in try Ledger.head(of: site, in: database) }, in: database)
        }
    }

    private func recalls(_ house: House) -> [Recall] {
        house.carrier.sent.value.compactMap { if case .recall(let recall) = $0.frame { recall } else { nil } }
    }

    private func witness(_ house: House, _ lock: Lock, sequence: UInt64, hash: [UInt8]? = nil, key: Key? = nil)
        async throws
    {
        let recall = try #require(recalls(house).last)
        try await house.say(
            .witness(
                try Witness(
                    ledgerSequence: sequence, ledgerHead: hash ?? [UInt8](repeating: 9, count: 32), records: 4,
                    recall: recall, gateKey: key ?? lock.key)), lock)
    }

    @Test("Nothing is issued for a gate and the hub does not open it until the gate was compared")
    func waits() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            house.answers(lock) { message, count in try lock.record(of: message, sequence: count) }
            try await house.say(try lock.hello(), lock)
            try await restore(house)
            let refused = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
            #expect((refused.isGranted, refused.reason?.code) == (false, "hubRestored"))
            #expect(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).isEmpty)

            let kept = try house.store.read { try Ledger.head(of: house.site.id, in: $0) }.sequence - 1
            try await house.say(try lock.hello(rights: 1), lock)
            let recall = try #require(recalls(house).last)
            #expect(recall.verifies(gateKey: lock.key, nonce: lock.timeNonce))
            #expect((recall.journalID, recall.after, recall.ledgerSequence) == (lock.journal, 0, kept))
            try await witness(house, lock, sequence: kept + 30)

            let event = try #require(
                try house.ledger.newest(
                    of: house.site.id, kinds: ["gate.compared"], before: nil, limit: 1
                ).first)
            let told = String(decoding: event.payload ?? [], as: UTF8.self)
            #expect(told.contains(#""lost":30"#) && told.contains(#""records":4"#) && told.contains(#""agrees":true"#))
            let granted = try await house.gates.open(lock.gate.id, by: house.person.id, intent: .apri)
            #expect(granted.outcome == .opened)
            #expect(try await house.gates.issuePasses(to: house.person.id, at: house.site.id).count == 1)
        }
    }

    @Test("Rights continue above the gate's own, and the epoch above every one that it may have seen since the backup")
    func raised() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            try await restore(house)
            // Since the backup, the rights rose by eight, and with them the epoch by at most as many.
            try await house.say(try lock.hello(rights: 9), lock)
            let rights = try #require(house.carrier.rights.last)
            #expect(rights.version > 9)
            #expect(rights.epoch > 1 + 8)
            // Asked again before the answer came, it is not raised again.
            try await house.say(try lock.hello(rights: rights.version), lock)
            #expect(house.carrier.rights.last?.epoch == rights.epoch)
        }
    }

    @Test("A word of the gate that answers no question, or another one, or under another key, ends nothing")
    func forged() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            try await restore(house)
            try await house.say(try lock.hello(), lock)
            let first = try #require(recalls(house).last)
            try await witness(house, lock, sequence: 1, key: Key([UInt8](repeating: 1, count: 32)))
            let other = try Recall(
                journalID: lock.journal, after: 0, ledgerSequence: 1, ledgerHead: first.ledgerHead, nonce: nonce(),
                gateKey: lock.key)
            try await house.say(
                .witness(
                    try Witness(
                        ledgerSequence: 1, ledgerHead: first.ledgerHead, records: 0, recall: other, gateKey: lock.key)),
                lock)
            #expect(try house.store.read { try GateRecords.isRestored(lock.gate.id, in: $0) })
        }
    }

    @Test("A gate that saw another history of what the backup holds is told apart from one that only saw more")
    func disagrees() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            try await restore(house)
            try await house.say(try lock.hello(), lock)
            try await witness(house, lock, sequence: 1)
            let event = try #require(
                try house.ledger.newest(
                    of: house.site.id, kinds: ["gate.compared"], before: nil, limit: 1
                ).first)
            #expect(String(decoding: event.payload ?? [], as: UTF8.self).contains(#""agrees":false"#))
        }
    }

    @Test("A gate that is paired anew has a new key, and needs no comparison")
    func pairedAnew() async throws {
        try await House.run { house in
            let lock = try await house.lock()
            try await restore(house)
            try await house.store.write {
                try GateRecords.setKey(Key(Random.bytes(32))!, of: lock.gate, at: noon, in: $0)
            }
            #expect(try house.store.read { try !GateRecords.isRestored(lock.gate.id, in: $0) })
        }
    }
}
