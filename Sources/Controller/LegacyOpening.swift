import System
import Wire

// A gate that the site has set to the original system's badges: what it is then, and how it opens.

extension GateController {
    /// What the gate speaks over Bluetooth. The hub says so, never the bytes of a phone.
    public var mode: GateMode { rights?.local == nil ? .pass : .legacy }

    /// The mode now, and whenever it changes.
    public func modes() -> AsyncStream<GateMode> {
        let (stream, continuation) = AsyncStream.makeStream(of: GateMode.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(mode)
        modeWatchers.append(continuation)
        return stream
    }

    func tellMode() {
        for watcher in modeWatchers { watcher.yield(mode) }
    }

    /// Takes what a phone of the original system wrote: badge ⊕ key.
    ///
    /// A badge that the gate knows is journalled, whether it opened or not; of refusals that repeat, the first. One that it does not know is
    /// counted, since anybody can make one up.
    /// - Parameters:
    ///   - written: as it came; nothing about it is believed.
    ///   - key: the one that this gate gave out for it.
    ///   - isFresh: whether that key was still good.
    /// - Returns: whether the gate opened.
    public func open(legacy written: [UInt8], key: [UInt8], isFresh: Bool) async -> Bool {
        guard isFresh, let local = rights?.local, let code = try? Legacy.badge(written: written, key: key) else {
            refusedUnverified += 1
            return false
        }
        let badge = LocalRights.name(of: code, gateKey: identity.key)
        let reason = local.decide(badge, at: clock.utc(uptime: uptime()))
        if reason == .notValid {
            refusedUnverified += 1
            return false
        }
        guard isWritten(badge, .ble, reason) else { return false }
        let open = Legacy.open(written: written, key: key, gateKey: identity.key)
        var record: JournalRecord
        let start = beginOpening()
        defer { endOpening(start) }
        let known = newestLedgerSequence
        do {
            record = try await write(badge, open, reason)
            setTrouble(.journalFull, false)
        } catch {
            // A gate that cannot journal refuses entry, and nobody says with a badge that they leave.
            noteUnwritten(badge, reason, error)
            return false
        }
        if reason == .none {
            do {
                try await relay.pulse(milliseconds: rights?.settings.pulseMilliseconds ?? 3000)
                setTrouble(.relayFailed, false)
            } catch {
                Log.failure("gate", "the relay did not move", ["gate": identity.gate.hex, "why": "\(error)"])
                setTrouble(.relayFailed, true)
                record = await correct(record)
            }
        }
        lastSequence = max(lastSequence, record.sequence)
        headWhenWritten[record.sequence] = known
        uplink?(.record(record))
        return record.outcome == .opened
    }

    private func write(_ badge: ID16, _ open: Tag, _ reason: GateReason) async throws -> JournalRecord {
        let (time, state) = gateTime()
        let (identity, journal) = (identity, memory.journalID)
        let event = ID16(Random.bytes(16))!
        return try await memory.append(reason.weight, at: Timestamp(seconds: time)) { sequence in
            try JournalRecord(
                passID: badge, carrier: .ble, intent: .apri, caveats: [], open: open,
                outcome: reason == .none ? .opened : .refused, reason: reason.rawValue, gateTime: time, clock: state,
                journalID: journal, sequence: sequence, eventID: event, gateKey: identity.key, gateID: identity.gate)
        }
    }

    /// The relay did not move: the record that nobody was told yet says so instead.
    private func correct(_ record: JournalRecord) async -> JournalRecord {
        do {
            let corrected = try JournalRecord(
                passID: record.passID, carrier: record.carrier, intent: record.intent, caveats: [], open: record.open,
                outcome: .refused, reason: GateReason.relayFailed.rawValue, gateTime: record.gateTime,
                clock: record.clock, journalID: record.journalID, sequence: record.sequence, eventID: record.eventID,
                gateKey: identity.key, gateID: identity.gate)
            try await memory.replace(corrected)
            return corrected
        } catch {
            Log.failure(
                "gate", "the journal says that a gate opened whose relay did not move", ["gate": identity.gate.hex])
            return record
        }
    }
}
