import Accounts
import Identity
import Ledger
import Store
import System

// What managers change of a gate: its name, how long it opens, whether it is in use.

/// Why a change of a gate will not do.
public enum GateRefusal: String, Error, Sendable {
    /// For the field `name`.
    case name = "a gate's name has 1 to 80 characters"
    /// For the field `name`.
    case taken = "a gate of that name is there already, perhaps one that is out of use"
    /// For the field `pulse`.
    case pulse = "a gate opens for 0.5 to 30 seconds"
    /// For the field `policy`.
    case policy = "no feature decides under the name of that policy"
    /// For the field `name`.
    case tooMany = "a site has at most 1000 gates, with those that are out of use"
    /// There is no such gate at the site.
    case unknown = "there is no such gate here"
    /// It is out of use.
    case retired = "the gate is out of use"

    /// As forms call it.
    public var field: String {
        switch self {
        case .name, .taken, .tooMany: "name"
        case .pulse: "pulse"
        case .policy: "policy"
        case .unknown, .retired: "gate"
        }
    }
}

extension Gate {
    /// The gates of one site, also those that are out of use.
    /// - Key: site
    public static let most = 1_000

    /// For how long a relay may be held, in milliseconds.
    public static let pulses: ClosedRange<Int> = 500...30_000

    /// Seconds as a person writes them, `3`, `0.5` or `0,5`, in milliseconds; nil for anything else.
    static func pulse(text: String) -> Int? {
        let parts = text.replacing(",", with: ".").split(separator: " ").joined().split(
            separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...2).contains(parts[0].utf8.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let whole = Int(parts[0])
        else { return nil }
        if parts.count == 1 { return whole * 1000 }
        guard (1...3).contains(parts[1].utf8.count), let part = Int(parts[1]) else { return nil }
        return whole * 1000 + part * [100, 10, 1][parts[1].utf8.count - 1]
    }

    /// The same as a person writes them, with the decimal sign of a language.
    func pulseText(_ sign: String = ".") -> String {
        let (whole, part) = Int(pulse).quotientAndRemainder(dividingBy: 1000)
        if part == 0 { return "\(whole)" }
        var digits = String(String(1000 + part).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return "\(whole)\(sign)\(digits)"
    }

    /// As the ledger tells of it.
    fileprivate var told: [(name: StaticString, value: String)] {
        var fields: [(name: StaticString, value: String)] = [("name", name), ("pulse", "\(pulse) ms")]
        if let retired { fields.append(("retired", retired.iso8601)) }
        return fields
    }
}

extension Gates {
    /// Adds a gate.
    /// - Parameters:
    ///   - policy: who decides; nil: the only one that there is.
    ///   - pulse: in milliseconds.
    public func addGate(
        name: String, policy: String?, pulse: Int = 3000, at site: SiteID, by person: PersonID?
    ) async throws -> Gate {
        guard let name = GivenName.parse(name) else { throw GateRefusal.name }
        let known = policyNames
        guard let policy = policy ?? (known.count == 1 ? known[0] : nil), known.contains(policy) else {
            throw GateRefusal.policy
        }
        guard Gate.pulses.contains(pulse) else { throw GateRefusal.pulse }
        let now = clock.now
        let gate = Gate(
            id: .new(at: now), site: site, name: name, policy: policy, key: nil, epoch: 1, pulse: UInt16(pulse),
            rightsVersion: 1)
        do {
            try await change { database in
                guard try GateRecords.allGates(of: site, in: database).count < Gate.most else {
                    throw GateRefusal.tooMany
                }
                try GateRecords.add(gate, at: now, by: person, in: database)
            }
        } catch let error as StoreError where error.isDuplicate { throw GateRefusal.taken }
        return gate
    }

    /// Who can decide for a gate, by name.
    public var policyNames: [String] { policies.withLock { $0.keys.sorted() } }

    /// Changes what people call a gate, and how long it opens; nil leaves it as it is.
    public func changeGate(
        _ id: GateID, at site: SiteID, by person: PersonID, name: String?, pulse: Int?
    ) async throws -> Gate {
        let parsed = name.flatMap(GivenName.parse)
        if name != nil && parsed == nil { throw GateRefusal.name }
        if let pulse, !Gate.pulses.contains(pulse) { throw GateRefusal.pulse }
        return try await administer(id, at: site, "gate.changed", by: person) { gate, _, _ in
            if let parsed { gate.name = parsed }
            guard let pulse, UInt16(pulse) != gate.pulse else { return false }
            gate.pulse = UInt16(pulse)
            return true
        }
    }

    /// Takes a gate out of use: nobody opens it any more, and the passes that are out for it are denied. What roles have it stays
    /// written, so that it can be taken back. Nothing happens to one that is out of use.
    public func retire(_ id: GateID, at site: SiteID, by person: PersonID) async throws -> Gate {
        try await administer(id, at: site, "gate.retired", by: person) { gate, now, _ in
            if gate.retired != nil { return false }
            gate.retired = now
            return true
        }
    }

    /// Puts a gate back into use. Passes from before stay denied; phones fetch new ones.
    public func reinstate(_ id: GateID, at site: SiteID, by person: PersonID) async throws -> Gate {
        try await administer(id, at: site, "gate.reinstated", by: person) { gate, _, _ in
            if gate.retired == nil { return false }
            gate.retired = nil
            return true
        }
    }

    /// Reads a gate, changes it, checks the passes that are out for it and writes what changed, in one transaction.
    /// - Parameter body: changes the gate; answers whether its controller has to hear of it.
    private func administer(
        _ id: GateID, at site: SiteID, _ kind: String, by person: PersonID,
        _ body: @escaping @Sendable (inout Gate, Timestamp, Database) throws -> Bool
    ) async throws -> Gate {
        let now = clock.now
        let gate = try await changeRights(at: site) { database, touched -> Gate in
            // Nobody's but at this gate, and that is looked at below.
            touched = .nobody
            self.forgetLists(afterCommitOf: database)
            guard let before = try GateRecords.gate(id, in: database), before.site == site else {
                throw GateRefusal.unknown
            }
            var after = before
            let isTold = try body(&after, now, database)
            do { try GateRecords.change(after, in: database) } catch let error as StoreError where error.isDuplicate {
                throw GateRefusal.taken
            }
            try Audit(kind, ("gate", id.text), before: before.told, after: after.told).append(
                at: now, site: site, by: person, in: database)
            guard isTold else { return after }
            try GateRecords.raiseRightsVersion(of: id, in: database)
            try self.recheckPasses(at: [after], now: now, in: database)
            return after
        }
        announce(id, state(of: gate))
        return gate
    }
}

extension GateRecords {
    /// All gates of a site, also those that were taken out of use: those in use first, by name.
    public static func allGates(of site: SiteID, in database: Database) throws -> [Gate] {
        try database.rows(
            """
            SELECT id, site, name, policy, key, epoch, pulse, rights_version, retired FROM gates
            WHERE site = ? ORDER BY retired IS NOT NULL, name
            """, site, make: gate)
    }

    /// Writes what managers change of a gate: its name, its pulse, whether it is in use.
    static func change(_ gate: Gate, in database: Database) throws {
        try database.execute(
            "UPDATE gates SET name = ?, pulse = ?, retired = ? WHERE id = ?", gate.name, Int(gate.pulse), gate.retired,
            gate.id)
    }
}
