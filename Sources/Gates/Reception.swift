import Accounts
import Crypto
import Identity
import Ledger
import Store
import System
import Wire

// What comes from the gates: hellos, records of their journals, silence.

extension Gates {
    /// Takes a frame that came from a gate by the carrier. What does not verify under that gate's key is counted and dropped.
    /// - Parameter isStale: whether the bus had kept it: its uptime is of an unknown moment.
    public func receive(_ frame: GateFrame, from gateID: GateID, at site: SiteID, isStale: Bool = false) async throws {
        guard let key = try key(of: gateID, at: site) else { return }
        switch frame {
        case .hello(let hello): try await greet(gateID, site, key, hello, isStale)
        case .record(let record): try await take(record, from: gateID, site, key)
        case .absent(let absent):
            guard absent.verifies(gateKey: key) else { return forged(gateID) }
            let event = EventID(absent.eventID)
            guard try store.read({ try GateRecords.opening(event, at: gateID, in: $0) }) != nil else { return }
            try await giveUp(event, Reason("hubRestarted"))
        case .witness(let witness): try await take(witness, from: gateID, site, key)
        case .open, .rights, .time, .acknowledgement, .query, .recall: forged(gateID)
        }
    }

    private func forged(_ gate: GateID) {
        Log.warning("gates", "a message that the gate's key did not sign was dropped", ["gate": gate.text])
    }

    private func greet(_ id: GateID, _ site: SiteID, _ key: Key, _ hello: GateHello, _ isStale: Bool) async throws {
        guard hello.verifies(gateKey: key, mac: HMAC.sha256) else { return forged(id) }
        let now = clock.now
        // A gate's clock goes by itself: what it says may tell whether ours is right.
        if !isStale, hello.clock == .trusted, let utc = hello.status?.utc, clock.asks,
            try store.read({ try AccountRecords.firstSite(in: $0) }) == site
        {
            clock.hear(id.raw.bytes, says: Timestamp(seconds: utc))
        }
        // The time is also how a gate learns that there is a hub: a stale hello is answered too, and answered by a fresh one. A time of
        // which the hub is not sure would be the gate's for days: it says that it is there, and none; but one that knows none gets what the
        // hub has counted on since the clock jumped.
        let doubt = clock.doubt
        let isKnown = doubt == nil || doubt?.cause == .jumped && hello.clock == .untrusted
        let answer = TimeAnswer(
            nonce: hello.timeNonce, utc: isKnown ? clock.now.seconds : 0, gateKey: key, mac: HMAC.sha256)
        try carrier.send(.time(answer), to: id, at: site)
        guard !isStale, let gate = try store.read({ try GateRecords.gate(id, in: $0) }) else { return }
        let isBack = live.heard(gate.id, hello, now: uptime())
        try await note(hello, of: gate, isBack: isBack, now: now)
        if isBack {
            announce(gate.id, .ready)
            try await noteJournal(hello.journalID, of: gate, now)
        }
        if try await recall(id, at: site, key, hello), let raised = try store.read({ try GateRecords.gate(id, in: $0) })
        {
            return try sendRights(to: raised, key)
        }
        if hello.rightsVersion < gate.rightsVersion { try sendRights(to: gate, key) }
    }

    private func noteJournal(_ journal: ID16, of gate: Gate, _ now: Timestamp) async throws {
        try await store.write(.vital) { database in
            if try GateRecords.noteJournal(journal, of: gate.id, now: now, in: database) { return }
            try Ledger.append(
                NewEvent(
                    id: .new(at: now), site: gate.site, kind: "gate.journal.replaced", at: now,
                    payload: GateJournalPayload(gate: gate.id, journal: journal).document()), to: database)
            Log.warning(
                "gates", "a gate came back with another journal: what the old one held is lost", ["gate": gate.id.text])
        }
    }

    /// A gate has left the carrier.
    public func lost(_ gate: GateID) {
        if live.lost(gate) { announce(gate, .notReachable) }
    }

    /// Ends what waited too long, notices gates that fall silent without a word, and tells of repeated refusals. Runs until cancelled.
    public func watchSilence() async throws {
        var refusalsDue = uptime()
        while true {
            try Task.checkCancellation()
            answers.sweep(now: uptime())
            for gate in live.sweep(now: uptime()) { announce(gate, .notReachable) }
            let now = uptime()
            if now >= refusalsDue {
                refusalsDue = now + Refusals.look
                do { try await tellRefusals() } catch is CancellationError { throw CancellationError() } catch {
                    Log.warning("gates", "repeated refusals stay counted and were not told", ["why": "\(error)"])
                }
            }
            let next = answers.nextSweep(latest: min(refusalsDue, live.nextSilence(now: now)))
            let pause = next - min(next, uptime())
            await answers.isSooner.wait(atMost: .milliseconds(pause))
        }
    }

    /// Writes a journal's record down, once, and tells the gate that it is safe.
    private func take(_ record: JournalRecord, from gate: GateID, _ site: SiteID, _ key: Key) async throws {
        guard record.verifies(gateKey: key, gateID: gate.raw, mac: HMAC.sha256) else { return forged(gate) }
        let now = clock.now
        let (head, isAsked) = try await store.write(.vital) { database -> (Ledger.Head, Bool) in
            if let known = try GateRecords.transit(record, of: gate, in: database) {
                // What was written first stays; that the gate tells another story now is a matter for its manager.
                if !known.isSame { try self.noteContradiction(record, of: gate, site, now, in: database) }
                return (known.head, false)
            }
            let opening = try GateRecords.opening(EventID(record.passID), at: gate, in: database)
            var person = try opening?.person ?? GateRecords.holder(of: record.passID, at: gate, in: database)
            // A legacy gate names the badge in the place of a pass.
            let holder = person == nil ? try self.holder(of: record.passID, at: gate, key, in: database) : nil
            person = person ?? holder
            let at = Timestamp(seconds: record.gateTime)
            let didOpen = record.outcome == .opened
            let kind = didOpen ? OpeningKind.opened : OpeningKind.refused
            let payload = Self.payload(
                of: record, from: gate, person, opening, isLegacy: holder != nil, at: at, now: now)
            let head = try Self.append(kind, id: .new(at: now), payload, at: site, now, in: database)
            if let opening { try GateRecords.setOutcome(didOpen ? .opened : .refused, of: opening.event, in: database) }
            try GateRecords.addTransit(
                record, of: gate, person: person, at: Self.isBelieved(record, at: at, now: now) ? at : now, head: head,
                in: database)
            return (head, opening != nil)
        }
        if isAsked { answers.answered(record.passID, with: record) }
        try carrier.send(
            .acknowledgement(
                Acknowledgement(
                    journalID: record.journalID, sequence: record.sequence, ledgerSequence: head.sequence,
                    ledgerHead: head.hash,
                    gateKey: key, mac: HMAC.sha256)), to: gate, at: site)
    }

    /// Tells once, in this run of the hub, that a gate repeats a number of its journal with another content.
    private func noteContradiction(
        _ record: JournalRecord, of gate: GateID, _ site: SiteID, _ now: Timestamp, in database: Database
    ) throws {
        guard contradicting.withLock({ $0.insert(gate).inserted }) else { return }
        Log.warning("gates", "a gate tells something else under a number of its journal", ["gate": gate.text])
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: site, kind: "gate.journal.contradiction", at: now,
                payload: GateJournalPayload(gate: gate, journal: record.journalID, sequence: record.sequence)
                    .document()), to: database)
    }

    /// A gate's time is believed when its clock could be trusted, and it is not of tomorrow.
    private static func isBelieved(_ record: JournalRecord, at: Timestamp, now: Timestamp) -> Bool {
        record.clock == .trusted && at.milliseconds - now.milliseconds <= Int64(clockLeeway) * 1000
    }

    private func holder(of badge: ID16, at id: GateID, _ key: Key, in database: Database) throws -> PersonID? {
        guard let gate = try GateRecords.gate(id, in: database) else { return nil }
        return try policy(gate.policy)?.holder(of: badge, at: gate, key: key, in: database)
    }

    /// Why a gate refused; a number that only a newer gate knows has words of its own, and is no other reason.
    static func reason(of record: JournalRecord) -> Reason { Reason(record.gateReason.map { "\($0)" } ?? "unknown") }

    private static func payload(
        of record: JournalRecord, from gate: GateID, _ person: PersonID?, _ opening: GateRecords.Opening?,
        isLegacy: Bool, at: Timestamp, now: Timestamp
    ) -> OpeningPayload {
        let isBelieved = isBelieved(record, at: at, now: now)
        let why = OpeningPayload.Why(code: reason(of: record).code, number: Int(record.reason))
        return OpeningPayload(
            gate: gate, person: person, pass: record.passID.hex, opening: opening?.event,
            milliseconds: opening.map { Int(now.milliseconds - $0.at.milliseconds) },
            how: opening != nil ? "hub" : isLegacy ? "legacy" : "\(record.carrier)", intent: "\(record.intent.kind)",
            intentReason: record.intent.reason.map { Int($0) }, at: at, isClockTrusted: isBelieved,
            isLate: isBelieved && now.milliseconds - at.milliseconds > late, journal: record.journalID.hex,
            sequence: record.sequence, reason: record.outcome == .refused ? why : nil)
    }
}
