import Accounts
import Identity
import JSON
import Ledger
import Store
import System

/// A line of the log: what an opening's event tells, with names as they are now.
public struct LogLine: Sendable {
    /// When it happened: the gate's own time where it can be trusted, else the hub's.
    public let at: Timestamp
    /// Who; nil when nobody is known, or erased.
    public let person: String?
    /// Which gate; nil when it is gone.
    public let gate: String?
    /// The policy of the gate.
    public let policy: String?
    /// `hub`, `legacy`, `ble`, `qr`, `serial`.
    public let how: String
    /// What was asked for: `apri`, `chiudi`, `enter`, `leave`; nil where no gate has told.
    public let intent: String?
    /// The site's own code for why somebody enters or leaves; nil where none was told.
    public let intentReason: Int?
    /// Why, where there is a why.
    public let reason: Reason?
    /// How many refusals it tells of, and when the first and the last were; nil for one alone.
    public let repeats: Repeats?
    /// Whether it came long after it happened: the gate was alone.
    public let isLate: Bool
}

/// Refusals that one event tells of together.
public struct Repeats: Sendable, Equatable {
    /// How many.
    public let count: Int
    /// When the first of them was.
    public let first: Timestamp
    /// When the last of them was.
    public let last: Timestamp
}

extension Gates {
    /// What an opening's event tells; nil for another event, or one that was erased.
    public func line(of event: Event) -> LogLine? {
        guard let bytes = event.payload, let payload = try? OpeningPayload(bytes) else { return nil }
        let names = try? store.read { database in
            (
                // From the payload, which the chain covers.
                person: try payload.person.flatMap { try AccountRecords.person($0, in: database)?.name },
                gate: try GateRecords.gate(payload.gate, in: database)
            )
        }
        let told = payload.isClockTrusted == true ? payload.at : nil
        return LogLine(
            at: told ?? event.at, person: names?.person, gate: names?.gate?.name, policy: names?.gate?.policy,
            how: payload.how, intent: payload.intent, intentReason: payload.intentReason,
            reason: payload.reason.map { Reason($0.code, $0.parameter ?? nil) }, repeats: payload.repeated,
            isLate: payload.isLate ?? false)
    }
}

extension OpeningPayload {
    fileprivate var repeated: Repeats? {
        guard let count, let first, let last else { return nil }
        return Repeats(count: count, first: first, last: last)
    }
}
