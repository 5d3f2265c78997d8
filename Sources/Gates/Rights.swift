import Crypto
import HTTPServer
import Identity
import Ledger
import Store
import System
import Wire

// What phones are given to open by themselves.

extension Gates {
    /// A right to open that a phone may keep, for at most a day.
    public struct IssuedPass: Sendable {
        /// For which gate.
        public let gate: Gate
        /// Header and key: whoever has these bytes may open.
        public let pass: Pass
    }

    /// Passes of one person that a gate takes at the same time, at most: it remembers `Rights.maxDenied` that were taken away.
    /// - Key: person and gate
    static let mostPasses = 8
    /// A pass that somebody has is given again while it holds all that a new one would for so long, in seconds: phones fetch the next
    /// one some hours before the old one ends.
    static let freshTime: UInt64 = 18 * 3600

    /// Passes for every gate of a site that the policies open to a person within the next day.
    ///
    /// A pass holds exactly the hours that the policy gives: also when these begin only later, since who takes the train at
    /// seven may be without network at eight. All phones of a person get the same one: see `givenAgain`.
    /// - Throws: `ClockInDoubt` while the hub is not sure what time it is.
    public func issuePasses(to person: PersonID, at site: SiteID) async throws -> [IssuedPass] {
        if clock.doubt != nil { throw ClockInDoubt() }
        let now = clock.now
        let policies = policies.withLock { $0 }
        let mayRemove = clock.mayRemoveByAge
        return try await store.write { database in
            // A gate that was alone may still tell of a transit by a pass that ended: so long its journal lives, and a day.
            let end = now.adding(milliseconds: -31 * 86_400_000).seconds
            if mayRemove { try GateRecords.removePasses(endedBefore: end, in: database) }
            let held = Dictionary(
                grouping: try GateRecords.goodPasses(of: person, at: site, now: now, in: database), by: \.gate)
            var known = KnownMemberships(at: site)
            return try GateRecords.gates(of: site, in: database).compactMap { gate in
                guard let key = gate.key, let policy = policies[gate.policy],
                    try !policy.takesBadges(gate, in: database), try !GateRecords.isRestored(gate.id, in: database)
                else { return nil }
                let horizon = now.adding(milliseconds: Int64(PassHeader.maxLifetime) * 1000)
                let times =
                    try policy.times(of: [person], gate, from: now, until: horizon, &known, in: database)[person] ?? []
                guard let new = try Self.header(for: gate, times: times, now: now) else { return nil }
                let again = Self.givenAgain(
                    held[gate.id] ?? [], for: gate, insteadOf: LivePass(new, of: person), times: times, now: now)
                if again == nil { try GateRecords.add(new, of: person, in: database) }
                return IssuedPass(gate: gate, pass: Pass(header: again ?? new, gateKey: key, mac: HMAC.sha256))
            }
        }
    }

    /// The hub is not sure what time it is: a pass that it made now might open on another day.
    public struct ClockInDoubt: ProblemConvertible {
        /// In words.
        public var problem: Problem? {
            .unavailable(
                "The hub's clock is not certain, so it makes no new passes. Those that you have go on opening, and so does the hub. An owner has to look at its clock.",
                type: "clock-in-doubt")
        }
    }

    /// Ends the passes that were made while a clock was ahead of what it is now: they would open once their time comes.
    /// - Parameter isSet: whether the clock has been set: then gates are told once more which passes are denied, since those that seemed to
    ///   have ended were left out, and those that take badges get their copy of rights anew, since the hours in it were those of another time.
    /// - Returns: how many there were.
    public func endPassesMadeAhead(isSet: Bool = false) async throws -> Int {
        let now = clock.now
        return try await store.write(.vital) { database in
            let ahead = try GateRecords.passesMadeAhead(of: now, in: database)
            let denied = try GateRecords.deny(ahead, now: now, in: database)
            let others = isSet ? try GateRecords.raiseRightsOfThoseThatDeny(in: database) : []
            let copies =
                isSet
                ? try GateRecords.gates(in: database).filter { try self.takesBadges($0, in: database) }.map(\.id) : []
            for gate in copies { try GateRecords.raiseRightsVersion(of: gate, in: database) }
            for gate in denied + others + copies { self.sendRights(to: gate, afterCommitOf: database) }
            return ahead.count
        }
    }

    /// The pass to give again; nil: the new one is needed.
    ///
    /// Each pass that is out takes a place in the gate's list when it is taken away, so a new one is made only where it opens what no
    /// other one does within `freshTime`. Somebody who has `mostPasses`, since their hours became more and more that day, gets the
    /// one that holds longest.
    /// - Parameters:
    ///   - held: passes of that person for that gate that nobody took away.
    ///   - new: the one that would be made.
    ///   - times: what the policy gives, sorted, from now on.
    private static func givenAgain(
        _ held: [LivePass], for gate: Gate, insteadOf new: LivePass, times: [Interval], now: Timestamp
    ) -> PassHeader? {
        let soon = [Interval(start: now.seconds, end: now.seconds + freshTime)]
        let wanted = new.times(from: now.seconds).intersection(soon)
        let good = held.filter { pass in
            let opens = pass.times(from: now.seconds)
            return pass.header?.epoch == gate.epoch && !opens.isEmpty && opens.isCovered(by: times)
        }.sorted { $0.life.end > $1.life.end }
        let best = good.first { wanted.isCovered(by: $0.times(from: now.seconds)) }
        return (best ?? (held.count < mostPasses ? nil : good.first))?.header
    }

    /// The header of a pass that opens at these times and no others; nil when there are none.
    /// - Parameter times: sorted, from now on.
    static func header(for gate: Gate, times: [Interval], now: Timestamp) throws -> PassHeader? {
        // More hours than a pass can hold: the later ones come with the next, which a phone asks for long before.
        let held = Array(times.prefix(PassHeader.maxIntervals))
        guard let first = held.first, let last = held.last else { return nil }
        // A gate's clock may be a little behind the hub's.
        let begin = first.start <= now.seconds ? now.seconds - clockLeeway : first.start
        let opening = Interval(start: begin, end: first.end)
        return try PassHeader(
            flags: [], epoch: gate.epoch, passID: EventID.new(at: now).raw, gateID: gate.id.raw,
            issued: now.seconds, notBefore: begin, notAfter: last.end,
            intervals: held.count == 1 ? [] : [opening] + held.dropFirst())
    }
}
