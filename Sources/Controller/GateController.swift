import Field
import Identity
import Store
import System
import Wire

/// A gate's controller: decides by itself, moves the relay, writes every transit down before anything else, and tells the hub until
/// the hub has it.
public actor GateController {
    /// Where it sends frames to the hub; nothing happens when the hub is away.
    public typealias Uplink = @Sendable (GateFrame) -> Void

    /// Records on their way at a time: the rest wait until these were acknowledged.
    static let window = 64

    /// What pairing left behind.
    public nonisolated let identity: GateMemory.Identity
    let memory: GateMemory
    let relay: any Relay
    let wall: WallClock
    let uptime: @Sendable () -> UInt64
    private(set) var clock: FieldClock
    private(set) var rights: Rights?
    var modeWatchers: [AsyncStream<GateMode>.Continuation] = []
    private let boots: UInt32
    var lastSequence: UInt64

    /// New with each hello: a hub that starts again, or that had lost sight of us, counts from the beginning, and must never count
    /// into numbers that another used.
    private var session = Random.bytes(8)
    private var nonces: BusNonceWindow
    /// Of the hello before: what the hub sent while the newest was on its way.
    private var earlierNonces: BusNonceWindow
    private var timeNonce = Nonce(Random.bytes(16))!
    private var usedTimeNonce: Nonce?
    private var timeNonceAt: UInt64 = 0
    private var hubContact: UInt64?
    private(set) var uplink: Uplink?
    private var sentUpTo: UInt64 = 0
    private var troubles: GateStatus.Troubles = []
    /// The last sequence at the start of every opening that is not done: what comes after it may still be corrected, and is told
    /// only then.
    private var unfinished: [UInt64] = []
    /// The newest sequence of the ledger that the hub told of.
    var newestLedgerSequence: UInt64
    /// Of records that were not acknowledged: the newest sequence of the ledger that was known when each was written.
    var headWhenWritten: [UInt64: UInt64] = [:]
    private var savedFloor: UInt64
    /// Attempts that verified under no key of ours: counted, not journalled, since anybody can make them.
    public internal(set) var refusedUnverified = 0
    /// Refusals of passes and badges that are known here which were counted and not written: repeats, and those that found the disk nearly
    /// full.
    public internal(set) var refusedUnwritten = 0
    var refusalLimit = RefusalLimit()

    /// - Parameters:
    ///   - memory: of a paired controller.
    ///   - identity: what pairing left behind.
    ///   - relay: what moves the lock.
    ///   - wall: the machine's clock: only for the journal's time when there is no trusted one.
    ///   - uptime: milliseconds since the machine started.
    public init(
        memory: GateMemory, identity: GateMemory.Identity, relay: any Relay, wall: WallClock = .system,
        uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }
    ) async throws {
        (self.memory, self.identity, self.relay, self.wall, self.uptime) = (memory, identity, relay, wall, uptime)
        savedFloor = try memory.clockFloor()
        clock = FieldClock(floor: savedFloor)
        rights = try memory.rights(identity.key)
        boots = try await memory.countBoot()
        lastSequence = try memory.lastSequence()
        newestLedgerSequence = try memory.newestHead()?.sequence ?? 0
        nonces = BusNonceWindow(session: session)
        earlierNonces = nonces
    }

    // MARK: opening

    /// Takes a message that asks to open, over any carrier.
    /// - Parameters:
    ///   - bytes: as they came; nothing about them is believed.
    ///   - nonce: the one that this gate gave out for it.
    ///   - isFresh: whether that nonce was still good.
    /// - Returns: the receipt: always of the same size, and of random bytes for whoever cannot prove anything.
    public func open(_ bytes: [UInt8], over carrier: Carrier, nonce: Nonce, isFresh: Bool = true) async -> Receipt {
        // A legacy gate takes no pass in the air, also not over a link from before it became one.
        if carrier == .ble, mode == .legacy { return unverified() }
        guard let message = try? PassMessage(decoding: bytes), message.header.gateID == identity.gate else {
            return unverified()
        }
        let reason = GateCheck.decide(message, in: context(carrier, nonce))
        if reason == .notValid { return unverified() }
        // Only now: a stranger must not be able to use nonces up. One that was used is somebody's repeat of what was heard.
        let fresh = carrier == .bus ? nonces.accept(nonce) || earlierNonces.accept(nonce) : isFresh
        if !fresh { return unverified() }
        // A pulse opens: no relay of ours can close, and moving it for somebody who asks to close would let others in.
        let asksToClose = reason == .none && message.intent == .chiudi
        return await act(message, carrier, asksToClose ? .otherIntent : reason)
    }

    private func context(_ carrier: Carrier, _ nonce: Nonce) -> GateCheck.Context {
        let now = uptime()
        let denied = Set(rights?.denied.map(\.passID) ?? [])
        return GateCheck.Context(
            gateID: identity.gate, gateKey: identity.key, carrier: carrier, gateNonce: nonce,
            utc: clock.utc(uptime: now),
            uptimeSeconds: now / 1000, epoch: rights?.epoch ?? 1, isDenied: { denied.contains($0) },
            hubContactAge: hubContact.map { (now - $0) / 1000 })
    }

    private func unverified() -> Receipt {
        refusedUnverified += 1
        return .invalid(random: Random.bytes(32))
    }

    /// Whether a decision goes into the journal: every opening, and of refusals what is news. What the hub asks for it limits itself.
    func isWritten(_ pass: ID16, _ carrier: Carrier, _ reason: GateReason) -> Bool {
        if reason == .none || carrier == .bus || refusalLimit.isNews(pass, reason, at: uptime()) { return true }
        refusedUnwritten += 1
        Log.warning("gate", "a refusal was counted and not written", ["gate": identity.gate.hex, "why": "\(reason)"])
        return false
    }

    /// The record of a decision could not be written. A refusal takes no room that is kept for openings, and while the disk is nearly full
    /// that is no trouble: openings are written all the same.
    func noteUnwritten(_ pass: ID16, _ reason: GateReason, _ error: any Error) {
        if reason != .none { refusalLimit.forget(pass, reason) }
        if reason != .none, memory.store.isScarce, (error as? StoreError)?.isFull == true {
            refusedUnwritten += 1
            return
        }
        Log.failure("gate", "the journal cannot be written", ["gate": identity.gate.hex, "why": "\(error)"])
        setTrouble(.journalFull, true)
    }

    /// Writes down, then moves the relay, then tells: whoever went through is in the journal, whatever happens next.
    private func act(_ message: PassMessage, _ carrier: Carrier, _ reason: GateReason) async -> Receipt {
        guard isWritten(message.header.passID, carrier, reason) else { return await withoutJournal(message, reason) }
        let record: JournalRecord
        let start = beginOpening()
        defer { endOpening(start) }
        let known = newestLedgerSequence
        do {
            record = try await write(message, carrier, reason)
            setTrouble(.journalFull, false)
        } catch {
            noteUnwritten(message.header.passID, reason, error)
            return await withoutJournal(message, reason)
        }
        var told = record
        if reason == .none {
            do {
                try await relay.pulse(milliseconds: rights?.settings.pulseMilliseconds ?? 3000)
                setTrouble(.relayFailed, false)
            } catch {
                Log.failure("gate", "the relay did not move", ["gate": identity.gate.hex, "why": "\(error)"])
                setTrouble(.relayFailed, true)
                told = await correct(record, message)
            }
        }
        lastSequence = max(lastSequence, told.sequence)
        headWhenWritten[told.sequence] = known
        uplink?(.record(told))
        return receipt(message, told.outcome, told.reason, told.gateTime, told.clock, told.sequence, told.eventID)
    }

    /// An opening begins: from now on nothing is told that comes after what is in the journal.
    /// - Returns: what `endOpening` takes.
    func beginOpening() -> UInt64 {
        unfinished.append(lastSequence)
        return lastSequence
    }

    /// An opening is done: its record is what it stays.
    func endOpening(_ start: UInt64) {
        if let place = unfinished.firstIndex(of: start) { unfinished.remove(at: place) }
    }

    /// Tells the hub at once when something stops working, or works again.
    func setTrouble(_ trouble: GateStatus.Troubles, _ isThere: Bool) {
        guard troubles.contains(trouble) != isThere else { return }
        if isThere { troubles.insert(trouble) } else { troubles.remove(trouble) }
        sayHello()
    }

    private func write(_ message: PassMessage, _ carrier: Carrier, _ reason: GateReason) async throws -> JournalRecord {
        let (time, state) = gateTime()
        let event = carrier == .bus ? message.header.passID : ID16(Random.bytes(16))!
        let (key, journal) = (identity.key, memory.journalID)
        return try await memory.append(reason.weight, at: Timestamp(seconds: time)) { sequence in
            JournalRecord(
                message: message, carrier: carrier,
                receipt: message.receipt(
                    gateKey: key, outcome: reason == .none ? .opened : .refused, reason: reason.rawValue,
                    gateTime: time,
                    clock: state, journalID: journal, sequence: sequence, eventID: event), gateKey: key)
        }
    }

    /// The relay did not move: the record that nobody was told yet says so instead.
    private func correct(_ record: JournalRecord, _ message: PassMessage) async -> JournalRecord {
        let corrected = JournalRecord(
            message: message, carrier: record.carrier,
            receipt: receipt(
                message, .refused, GateReason.relayFailed.rawValue, record.gateTime, record.clock, record.sequence,
                record.eventID),
            gateKey: identity.key)
        do { try await memory.replace(corrected) } catch {
            Log.failure(
                "gate", "the journal says that a gate opened whose relay did not move", ["gate": identity.gate.hex])
        }
        return corrected
    }

    /// A gate that cannot journal refuses entry, never exit. A refusal is what it is, written or not.
    private func withoutJournal(_ message: PassMessage, _ reason: GateReason) async -> Receipt {
        let (time, state) = gateTime()
        var (outcome, why) = (Outcome.refused, reason == .none ? GateReason.journalFull : reason)
        if reason == .none, message.intent.kind == .leave {
            do {
                try await relay.pulse(milliseconds: rights?.settings.pulseMilliseconds ?? 3000)
                (outcome, why) = (.opened, .none)
            } catch { why = .relayFailed }
        }
        return receipt(message, outcome, why.rawValue, time, state, 0, .zero)
    }

    private func receipt(
        _ message: PassMessage, _ outcome: Outcome, _ reason: UInt16, _ time: UInt64, _ state: ClockState,
        _ sequence: UInt64,
        _ event: ID16
    ) -> Receipt {
        message.receipt(
            gateKey: identity.key, outcome: outcome, reason: reason, gateTime: time, clock: state,
            journalID: memory.journalID,
            sequence: sequence, eventID: event)
    }

    func gateTime() -> (UInt64, ClockState) {
        if let utc = clock.utc(uptime: uptime()) { return (utc, .trusted) }
        return (wall.now.seconds, .untrusted)
    }

    // MARK: the hub

    /// The bus is there: nothing sent over the connection before can be repeated into this one.
    public func connected(_ uplink: @escaping Uplink) {
        self.uplink = uplink
        nonces = BusNonceWindow(session: Random.bytes(8))
        sentUpTo = 0
        sayHello()
    }

    /// The bus has gone.
    public func disconnected() { uplink = nil }

    /// Says that the gate is there, and asks for the time. Called every few seconds.
    public func sayHello() {
        guard let uplink else { return }
        earlierNonces = nonces
        session = Random.bytes(8)
        nonces = BusNonceWindow(session: session)
        timeNonce = Nonce(Random.bytes(16))!
        timeNonceAt = uptime()
        guard
            let hello = try? GateHello(
                session: session, uptime: timeNonceAt, bootCount: boots, journalID: memory.journalID,
                lastSequence: lastSequence,
                rightsVersion: rights?.version ?? 0,
                clock: clock.utc(uptime: timeNonceAt) == nil ? .untrusted : .trusted,
                timeNonce: timeNonce, status: status(), gateKey: identity.key)
        else { return }
        uplink(.hello(hello))
    }

    /// What the hub's manager is shown of this gate; nil when not even the journal can be counted.
    private func status() -> GateStatus? {
        guard let count = try? memory.count() else { return nil }
        return try? GateStatus(
            utc: gateTime().0, waiting: UInt32(clamping: count.waiting), kept: UInt32(clamping: count.kept),
            troubles: memory.store.isScarce ? troubles.union(.diskFull) : troubles,
            software: Array("soglia \(Version.current)".utf8))
    }

    /// Takes a frame from the hub. What the gate's key did not sign is dropped.
    public func receive(_ frame: GateFrame) async {
        switch frame {
        case .open(let nonce, let message): _ = await open(message, over: .bus, nonce: nonce)
        case .time(let answer): await take(answer)
        case .rights(let rights): await take(rights)
        case .acknowledgement(let acknowledgement): await take(acknowledgement)
        case .query(let query): answer(query)
        case .recall(let recall): await take(recall)
        case .hello, .record, .absent, .witness: return
        }
    }

    private func take(_ answer: TimeAnswer) async {
        guard answer.verifies(gateKey: identity.key, nonce: timeNonce) else {
            // A hub that has just started answers the hello that the broker kept: it needs a fresh one, and what was told while
            // nobody listened.
            if let usedTimeNonce, answer.verifies(gateKey: identity.key, nonce: usedTimeNonce) {
                self.usedTimeNonce = nil
                sentUpTo = 0
                sayHello()
            }
            return
        }
        let asked = timeNonceAt
        // Once: the same answer is no second sign of life.
        usedTimeNonce = timeNonce
        timeNonce = Nonce(Random.bytes(16))!
        let now = uptime()
        let verdict = clock.set(answer.utc, askedAt: asked, uptime: now)
        switch verdict {
        case .believed, .refused: break
        case .corrected:
            Log.warning(
                "gate", "the hub has said another time twice: the clock was set by it", ["gate": identity.gate.hex])
        case .doubted:
            Log.warning(
                "gate", "the hub's time does not fit what is known here: it is believed when the hub says it again",
                ["gate": identity.gate.hex])
        }
        let wasAlone = hubContact.map { now - $0 > 15_000 } ?? true
        hubContact = now
        // An answer to a hello that the broker had kept: the hub needs to know how late it is here now.
        let isBack = now - asked > 1000
        if isBack { sayHello() }
        // What was told while it was away, it has not heard.
        if wasAlone || isBack { sentUpTo = 0 }
        tellJournal()
        await keepFloor(isCorrected: verdict == .corrected)
    }

    /// Keeps the latest time that was trusted, once a minute and when it was set back.
    private func keepFloor(isCorrected: Bool) async {
        if clock.floor >= savedFloor + 60 || isCorrected {
            let floor = clock.floor
            savedFloor = floor
            do { try await memory.setClockFloor(floor) } catch {
                Log.warning("gate", "the time could not be kept", ["gate": identity.gate.hex, "why": "\(error)"])
            }
        }
    }

    private func take(_ new: Rights) async {
        guard new.verifies(gateKey: identity.key), new.isNewer(than: rights?.version ?? 0) else { return }
        do {
            try await memory.setRights(new)
            rights = new
            troubles.remove(.rightsNotKept)
            tellMode()
            sayHello()
        } catch {
            setTrouble(.rightsNotKept, true)
            Log.failure(
                "gate", "new rights could not be kept; the old ones hold",
                ["gate": identity.gate.hex, "why": "\(error)"])
        }
    }

    private func take(_ acknowledgement: Acknowledgement) async {
        guard acknowledgement.journalID == memory.journalID, acknowledgement.verifies(gateKey: identity.key) else {
            return
        }
        do {
            // Two changes, one commit.
            async let head: Void = witness(acknowledgement)
            try await memory.acknowledge(
                acknowledgement.sequence, now: clock.utc(uptime: uptime()).map { Timestamp(seconds: $0) })
            try await head
        } catch {
            return Log.warning(
                "gate", "an acknowledgement could not be kept; the record will be told again", ["why": "\(error)"])
        }
        if acknowledgement.sequence >= sentUpTo { tellJournal() }
    }

    private func answer(_ query: RecordQuery) {
        if let record = try? memory.record(of: query.eventID) {
            uplink?(.record(record))
        } else {
            uplink?(.absent(RecordAbsent(eventID: query.eventID, gateKey: identity.key)))
        }
    }

    /// The name of this journal.
    var journalID: ID16 { memory.journalID }

    /// Whether the hub asks in answer to one of our last two hellos.
    func isFresh(_ recall: Recall) -> Bool {
        [timeNonce, usedTimeNonce].contains { nonce in
            nonce.map { recall.verifies(gateKey: identity.key, nonce: $0) } ?? false
        }
    }

    /// Answers the hub's question after its restore, and begins to tell again.
    func answer(_ witness: Witness) {
        uplink?(.witness(witness))
        tellFromTheBeginning()
    }

    /// Tells what the hub has not acknowledged, from the oldest on.
    func tellFromTheBeginning() {
        sentUpTo = 0
        tellJournal()
    }

    /// Sends the next records that the hub has not acknowledged.
    private func tellJournal() {
        guard let uplink, let all = try? memory.untold(after: sentUpTo, limit: Self.window) else { return }
        let finished = unfinished.min() ?? .max
        let records = all.filter { $0.sequence <= finished }
        for record in records { uplink(.record(record)) }
        sentUpTo = records.last?.sequence ?? sentUpTo
    }

    /// Sends again what was sent and not acknowledged. Called every few seconds.
    public func tellAgain() {
        sentUpTo = 0
        if hubContact.map({ uptime() - $0 < 15_000 }) ?? false { tellJournal() }
    }
}

/// What moves the lock.
public protocol Relay: Sendable {
    /// Holds the relay for so long. Returns when the lock has been told; it need not wait until the time is over.
    /// - Throws: when nothing moved.
    func pulse(milliseconds: UInt16) async throws
}

/// A relay that says what a real one would do.
public struct PrintingRelay: Relay {
    private let name: String

    /// - Parameter name: what it calls the gate.
    public init(name: String) { self.name = name }

    /// Prints a line.
    public func pulse(milliseconds: UInt16) async throws {
        Log.info("relay", "\(name) opens", ["milliseconds": String(milliseconds)])
    }
}
