import Ledger
import Store
import System
import Wire

// What gates and phones are given to decide and open by themselves.

extension Gates {
    func sendRights(to gate: Gate, _ key: Key) throws {
        let now = clock.now
        let rights = try store.read { try GateRecords.rights(of: gate, key: key, now: now, in: $0) }
        try carrier.send(.rights(rights), to: gate.id, at: gate.site)
    }

    /// Sends their new rights to gates that can be reached; the others get them when they say hello.
    public func rightsChanged(of gates: [GateID]) {
        for id in gates where live.isReachable(id, now: uptime()) {
            do {
                guard let gate = try store.read({ try GateRecords.gate(id, in: $0) }), let key = gate.key else {
                    continue
                }
                try sendRights(to: gate, key)
            } catch {
                Log.warning(
                    "gates", "rights could not be sent; the gate gets them with its next hello", ["gate": id.text])
            }
        }
    }

    /// A right to open that a phone may keep, for at most a day.
    public struct IssuedPass: Sendable {
        /// For which gate.
        public let gate: Gate
        /// Header and key: whoever has these bytes may open.
        public let pass: Pass
    }

    /// Passes for every gate of a site that the policies grant to a person at this moment.
    public func issuePasses(to person: PersonID, at site: SiteID) async throws -> [IssuedPass] {
        let now = clock.now
        let policies = policies.withLock { $0 }
        return try await store.write { database in
            // A gate that was alone may still tell of a transit by a pass that ended: so long its journal lives, and a day.
            let end = now.adding(milliseconds: -31 * 86_400_000).seconds
            try GateRecords.removePasses(endedBefore: end, in: database)
            return try GateRecords.gates(of: site, in: database).compactMap { gate in
                guard let key = gate.key, let policy = policies[gate.policy],
                    case .granted(let until) = try policy.decide(person, gate, at: now, in: database),
                    until.seconds > now.seconds
                else { return nil }
                let end = min(now.seconds + PassHeader.maxLifetime, until.seconds)
                let header = try PassHeader(
                    flags: [], epoch: gate.epoch, passID: EventID.new(at: now).raw, gateID: gate.id.raw,
                    issued: now.seconds,
                    notBefore: now.seconds - Self.clockLeeway, notAfter: end, intervals: [])
                try GateRecords.addPass(header.passID, gate: gate.id, person: person, notAfter: end, in: database)
                return IssuedPass(gate: gate, pass: Pass(header: header, gateKey: key))
            }
        }
    }
}
