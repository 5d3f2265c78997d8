import Accounts
import Commands
import Crypto
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System
import Wire

// The way of an opening: decided and written, sent once, answered or not.

/// Asks a gate to open for a person: the command that pages, programs, other features and Flows send.
public struct OpenGate: Command {
    /// What became of it.
    public typealias Outcome = OpeningResult

    /// Which gate.
    public let gate: GateID
    /// What the person means by it.
    public let intent: Intent

    /// - Parameters:
    ///   - gate: which gate.
    ///   - intent: what the person means by it; `apri` unless told.
    public init(gate: GateID, intent: Intent = .apri) { (self.gate, self.intent) = (gate, intent) }

    /// Twice is one time too many: nobody repeats it by themselves.
    public static let manifest = Manifest(
        name: "gates.open", effect: .once, capability: "open gates", inputs: [Pin("gate", .gate)],
        outputs: [Pin("opening", .opening)])
}

extension Gates {
    /// The hub itself opens no gate: every opening takes a person's tap.
    public struct NobodyAsked: Error, Sendable {}

    /// Says who answers this room's commands.
    public func register(commands: Commands) {
        commands.register(OpenGate.self) { [self] command, caller in
            guard case .person(let person) = caller else { throw NobodyAsked() }
            return try await open(command.gate, by: person, intent: command.intent)
        }
    }

    /// Asks the gate's policy, and if it says yes, the gate.
    /// - Throws: `Unknown` when there is no such gate, `TooOften` for more than 30 openings of a person at a gate within a minute.
    public func open(_ gateID: GateID, by person: PersonID, intent: Intent) async throws -> OpeningResult {
        let started = uptime()
        let wait = asked.withLock { $0.ask(.init(person: person, gate: gateID), started) }
        if wait > 0 { throw TooOften(seconds: Int((wait + 999) / 1000)) }
        let now = clock.now
        let event = EventID.new(at: now)
        let policies = policies.withLock { $0 }
        let live = live
        let (gate, denied, decision) = try await store.write(.vital) { database -> (Gate, Reason?, EventID) in
            guard let gate = try GateRecords.gate(gateID, in: database), gate.retired == nil,
                let policy = policies[gate.policy]
            else {
                throw Unknown()
            }
            var verdict = try policy.decide(person, gate, at: now, in: database)
            if case .granted = verdict {
                if gate.key == nil {
                    verdict = .denied(Reason("notPaired"))
                } else if !live.isReachable(gateID, now: started) {
                    verdict = .denied(Reason("notReachable"))
                } else if try GateRecords.isRestored(gateID, in: database) {
                    verdict = .denied(Reason("hubRestored"))
                }
            }
            guard case .denied(let reason) = verdict else {
                try Self.append(
                    OpeningKind.granted, id: event, OpeningPayload(gate: gate.id, person: person), at: gate.site, now,
                    in: database)
                try GateRecords.addOpening(event, gate: gate, person: person, at: now, in: database)
                return (gate, nil, event)
            }
            return (gate, reason, try Self.refuse(person, gate, reason, as: event, at: now, in: database))
        }
        func result(_ outcome: OpeningOutcome?, _ reason: Reason?) -> OpeningResult {
            OpeningResult(
                isGranted: denied == nil, outcome: outcome, reason: reason, eventID: decision,
                milliseconds: Int(uptime() - started))
        }
        /// The gate may have spoken while nobody listened any more: then what it said holds.
        func result(afterGivingUp reason: Reason) async throws -> OpeningResult {
            switch try await giveUp(event, reason) {
            case .opened: result(.opened, nil)
            case .refused: result(.refused, Reason("unknown"))
            case .unconfirmed: result(.unconfirmed, reason)
            }
        }
        if let denied { return result(nil, denied) }
        guard let key = gate.key else { return result(nil, Reason("notPaired")) }

        answers.expect(event.raw)
        let until = uptime() + Self.patience
        do {
            try send(intent, event, to: gate, key)
        } catch {
            answers.forget(event.raw)
            return try await result(afterGivingUp: Reason("notReachable"))
        }
        for watcher in grantWatchers.withLock({ $0 }) { watcher(gate, person) }
        guard let record = await answers.wait(for: event.raw, until: until) else {
            return try await result(afterGivingUp: Reason("noAnswer"))
        }
        if record.outcome == .opened { return result(.opened, nil) }
        return result(.refused, Self.reason(of: record))
    }

    /// Writes and sends the one message that opens: the same as a phone's, under a `hub` header whose times are the gate's uptime.
    private func send(_ intent: Intent, _ event: EventID, to gate: Gate, _ key: Key) throws {
        guard let (nonce, uptime) = live.nextNonce(for: gate.id, now: uptime()) else { throw Unknown() }
        let header = try PassHeader(
            flags: .hub, epoch: gate.epoch, passID: event.raw, gateID: gate.id.raw, issued: uptime, notBefore: uptime,
            notAfter: uptime + 3, intervals: [])
        guard let own = Nonce(Random.bytes(16)) else { throw Unknown() }
        let message = try Pass(header: header, gateKey: key, mac: HMAC.sha256).message(
            carrier: .bus, gateNonce: nonce, openerNonce: own, intent: intent, mac: HMAC.sha256)
        try carrier.send(.open(nonce: nonce, message: message.encoded()), to: gate.id, at: gate.site)
    }

    /// Writes that a gate has not said what it did, unless it has said so in the meantime.
    /// - Returns: how the opening stands in the ledger now.
    @discardableResult
    func giveUp(_ event: EventID, _ reason: Reason) async throws -> OpeningOutcome {
        let now = clock.now
        return try await store.write(.vital) { database in
            guard let opening = try GateRecords.opening(event, in: database) else { return .unconfirmed }
            if let outcome = opening.outcome { return outcome }
            try Self.append(
                OpeningKind.unconfirmed, id: .new(at: now),
                OpeningPayload(
                    gate: opening.gate, person: opening.person, opening: event, reason: .init(code: reason.code)),
                at: opening.site, now, in: database)
            try GateRecords.setOutcome(.unconfirmed, of: event, in: database)
            return .unconfirmed
        }
    }

    /// Ends the openings that a stopped hub left without outcome: asks the gates for their records, never opens again.
    /// - Parameters:
    ///   - looks: how often the gates are asked and the answers looked for.
    ///   - pause: between two looks.
    public func finishLeftovers(looks: Int = 6, pause: Duration = .milliseconds(500)) async throws {
        let left = try store.read { database in
            try GateRecords.openingsWithoutOutcome(in: database).map { ($0.event, $0.gate, $0.site) }
        }
        if left.isEmpty { return }
        // The controllers first have to hear that there is a hub again.
        for _ in 0..<looks {
            for (event, gate, site) in left {
                try? carrier.send(.query(RecordQuery(eventID: event.raw)), to: gate, at: site)
            }
            try await Task.sleep(for: pause)
            if try store.read({ try GateRecords.openingsWithoutOutcome(in: $0).isEmpty }) { return }
        }
        for (event, _, _) in left { try await giveUp(event, Reason("hubRestarted")) }
    }

    @discardableResult
    static func append(
        _ kind: String, id: EventID, _ payload: OpeningPayload, at site: SiteID, _ now: Timestamp,
        in database: Database
    ) throws -> Ledger.Head {
        try Ledger.append(
            NewEvent(
                id: id, site: site, kind: kind, at: now, person: payload.person,
                payload: payload.document(capacity: 512)), to: database)
    }
}

/// How often one person may ask one gate to open, so that a script fills neither the ledger nor a gate's journal.
struct OpeningLimit: Sendable {
    /// Openings of one person at one gate within `window`: granted and refused alike. The next is answered 429 and written nowhere.
    /// - Key: person and gate
    static let most = 30
    /// A minute, in milliseconds of a clock that never jumps.
    static let window: UInt64 = 60_000
    /// Pairs of person and gate that are remembered. Beyond it those that asked least are forgotten.
    /// - Key: hub
    static let capacity = 10_000

    struct Pair: Hashable, Sendable {
        let person: PersonID
        let gate: GateID
    }

    /// When each pair asked within the last window, oldest first.
    private var asked: [Pair: [UInt64]] = [:]

    /// How many pairs are remembered.
    var count: Int { asked.count }

    /// Counts an opening, unless there were too many.
    /// - Returns: how many milliseconds to wait for the next; 0 when this one was counted.
    mutating func ask(_ pair: Pair, _ now: UInt64) -> UInt64 {
        if asked[pair] == nil, asked.count >= Self.capacity { makeRoom(now) }
        return asked[pair, default: []].ask(now)
    }

    /// Forgets who has all of it again; when that is not enough, the quarter that asked least.
    private mutating func makeRoom(_ now: UInt64) {
        asked = asked.filter { $0.value.last.map { $0 + Self.window > now } ?? false }
        guard asked.count > Self.capacity * 3 / 4 else { return }
        let least = asked.sorted { $0.value.count < $1.value.count }.prefix(Self.capacity / 4)
        for (pair, _) in least { asked[pair] = nil }
    }
}

extension [UInt64] {
    fileprivate mutating func ask(_ now: UInt64) -> UInt64 {
        if let first, first + OpeningLimit.window <= now { removeAll { $0 + OpeningLimit.window <= now } }
        if count >= OpeningLimit.most { return self[0] + OpeningLimit.window - now }
        append(now)
        return 0
    }
}

extension Gates {
    /// One person asked one gate too often. Nothing was decided, sent or written.
    public struct TooOften: Error, Sendable {
        /// When to ask again.
        public let seconds: Int

        /// The answer to a program, in the words of a language.
        public func problem(in language: Language) -> Problem {
            var problem = Problem.tooManyRequests(retryAfter: seconds)
            problem.detail = text(in: language)
            return problem
        }

        /// For a person: what happened and when to ask again.
        func text(in language: Language) -> String { GatesWords.in(language).tooOften(PagesWords.wait(seconds)) }
    }
}
