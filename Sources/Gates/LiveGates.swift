import Store
import Synchronization
import System
import Wire

/// What the hub knows of the gates' controllers at this moment; in memory, since every controller tells it anew.
final class LiveGates: Sendable {
    /// A controller that was not heard for so long is not reachable, in milliseconds: two and a half of its hellos.
    static let patience: UInt64 = 10_000
    /// A gate says since when it runs, and may say anything: it counts as no longer than this, in milliseconds.
    private static let longestUptime: UInt64 = 1 << 53

    private struct Contact {
        var session: [UInt8]
        var nextCounter: UInt64 = 1
        /// The gate's uptime at `heardAt`, in milliseconds.
        var uptime: UInt64
        /// Our own uptime then.
        var heardAt: UInt64
        var rightsVersion: UInt64
        var journal = ID16.zero
    }
    private let said = Mutex<[GateID: GateReport]>([:])
    private let contacts = Mutex<[GateID: Contact]>([:])

    /// A gate said hello just now.
    /// - Returns: whether it was not reachable before, or has another journal than before.
    func heard(_ gate: GateID, _ hello: GateHello, now: UInt64) -> Bool {
        contacts.withLock { contacts in
            var contact = contacts[gate] ?? Contact(session: [], uptime: 0, heardAt: 0, rightsVersion: 0)
            let wasAway =
                contacts[gate].map { now > $0.heardAt + Self.patience || $0.journal != hello.journalID } ?? true
            contact.journal = hello.journalID
            if contact.session != hello.session {
                contact.session = hello.session
                contact.nextCounter = 1
            }
            (contact.uptime, contact.heardAt, contact.rightsVersion) = (
                min(hello.uptime, Self.longestUptime), now, hello.rightsVersion
            )
            contacts[gate] = contact
            return wasAway
        }
    }

    /// Keeps what a gate says of itself, also after it has left.
    /// - Returns: what it said before.
    func note(_ report: GateReport, of gate: GateID) -> GateReport? {
        said.withLock { said in
            defer { said[gate] = report }
            return said[gate]
        }
    }

    /// What a gate last said of itself, in this run of the hub.
    func report(of gate: GateID) -> GateReport? { said.withLock { $0[gate] } }

    /// A gate has left.
    /// - Returns: whether it was there before.
    func lost(_ gate: GateID) -> Bool { contacts.withLock { $0.removeValue(forKey: gate) != nil } }

    /// Forgets those that were not heard for too long, and answers which.
    func sweep(now: UInt64) -> [GateID] {
        contacts.withLock { contacts in
            let silent = contacts.filter { now > $0.value.heardAt + Self.patience }.map(\.key)
            for gate in silent { contacts[gate] = nil }
            return silent
        }
    }

    /// When the next falls silent that says nothing more: no gate does before.
    func nextSilence(now: UInt64) -> UInt64 {
        (contacts.withLock { $0.values.lazy.map(\.heardAt).min() } ?? now) + Self.patience + 1
    }

    func isReachable(_ gate: GateID, now: UInt64) -> Bool {
        contacts.withLock { $0[gate].map { now <= $0.heardAt + Self.patience } ?? false }
    }

    /// A nonce that was never used, and the gate's uptime in seconds as we reckon it; nil when the gate is not reachable.
    func nextNonce(for gate: GateID, now: UInt64) -> (nonce: Nonce, uptimeSeconds: UInt64)? {
        contacts.withLock { contacts in
            guard var contact = contacts[gate], now <= contact.heardAt + Self.patience else { return nil }
            guard let nonce = BusNonceWindow.nonce(session: contact.session, counter: contact.nextCounter) else {
                return nil
            }
            contact.nextCounter += 1
            contacts[gate] = contact
            return (nonce, (contact.uptime + now - contact.heardAt) / 1000)
        }
    }
}

/// Those who wait for a gate's answer to an opening.
final class Answers: Sendable {
    private enum Place {
        /// Nobody waits yet; the command has not left, or has only just.
        case expected
        /// The answer came before anybody waited.
        case answered(JournalRecord)
        /// Until that uptime, in milliseconds.
        case waiting(CheckedContinuation<JournalRecord?, Never>, until: UInt64)
    }
    private struct State {
        var places: [ID16: Place] = [:]
        /// The uptime of the next `sweep`, in milliseconds.
        var nextSweep = UInt64.max
    }
    private let state = Mutex(State())
    /// Rings when a sweep is due sooner than `nextSweep` said.
    let isSooner = Bell()

    /// Says that the answer to an opening will be waited for, before the command leaves: else a quick one could be missed.
    func expect(_ event: ID16) { state.withLock { $0.places[event] = .expected } }

    /// Waits for the record of an expected opening, nil when it does not come in time (see `sweep`).
    /// - Parameter until: an uptime, in milliseconds.
    func wait(for event: ID16, until: UInt64) async -> JournalRecord? {
        await withCheckedContinuation { continuation in
            let (early, isFirst) = state.withLock { state -> (JournalRecord??, Bool) in
                switch state.places[event] {
                case .answered(let record):
                    state.places[event] = nil
                    return (record, false)
                case .expected:
                    state.places[event] = .waiting(continuation, until: until)
                    defer { state.nextSweep = min(state.nextSweep, until) }
                    return (nil, until < state.nextSweep)
                case .waiting, nil: return (.some(nil), false)
                }
            }
            if let early { continuation.resume(returning: early) }
            if isFirst { isSooner.ring() }
        }
    }

    /// A record has come; nothing happens when nobody expects it.
    func answered(_ event: ID16, with record: JournalRecord) {
        let waiter = state.withLock { state -> CheckedContinuation<JournalRecord?, Never>? in
            switch state.places[event] {
            case .waiting(let waiter, _):
                state.places[event] = nil
                return waiter
            case .expected:
                state.places[event] = .answered(record)
                return nil
            case .answered, nil: return nil
            }
        }
        waiter?.resume(returning: record)
    }

    /// Nobody is going to wait.
    func forget(_ event: ID16) { state.withLock { $0.places[event] = nil } }

    /// Ends the waiting of those whose time is over. One sweep for all costs less than a timer for each.
    func sweep(now: UInt64) {
        let late = state.withLock { state in
            state.places.compactMap { event, place -> (ID16, CheckedContinuation<JournalRecord?, Never>)? in
                if case .waiting(let waiter, let until) = place, until <= now { return (event, waiter) }
                return nil
            }
        }
        for (event, waiter) in late where state.withLock({ $0.places.removeValue(forKey: event) }) != nil {
            waiter.resume(returning: nil)
        }
    }

    /// The uptime of the next sweep: when the first of those who wait has waited long enough, and no later than `latest`.
    func nextSweep(latest: UInt64) -> UInt64 {
        state.withLock { state in
            state.nextSweep = state.places.values.reduce(latest) { next, place in
                if case .waiting(_, let until) = place { min(next, until) } else { next }
            }
            return state.nextSweep
        }
    }
}
