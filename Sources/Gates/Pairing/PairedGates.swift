import Accounts
import Identity
import Ledger
import Store
import System
import Wire

/// The controllers of gates, as the desk pairs them.
struct PairedGates: Pairable {
    /// As their codes are kept.
    static let kind = "gate"

    let gates: Gates

    var kind: String { Self.kind }
    var usernamePrefix: String { BusNames.gatePrefix }

    func accept(_ key: Key, for subject: ID16, by maker: PersonID?, at now: Timestamp) async throws -> BusWay? {
        let paired = try await gates.change { database -> Gate? in
            guard let gate = try GateRecords.gate(GateID(subject), in: database), gate.retired == nil else {
                return nil
            }
            if let maker,
                try !AccountRecords.may(maker, Permission.managing, at: gate.site, now: now, in: database)
            {
                return nil
            }
            try GateRecords.setKey(key, of: gate, at: now, in: database)
            return gate
        }
        return paired.map { Self.way(of: $0) }
    }

    func ways() throws -> [(way: BusWay, key: Key)] {
        try gates.store.read { try GateRecords.gates(in: $0) }.compactMap { gate in
            gate.key.map { (Self.way(of: gate), $0) }
        }
    }

    func cameIn(_ subject: ID16) { gates.announce(GateID(subject), .notReachable) }

    private static func way(of gate: Gate) -> BusWay {
        BusWay(
            site: gate.site.raw, name: gate.name, username: BusNames.username(gate: gate.id.raw),
            publish: [
                BusNames.hello(site: gate.site.raw, gate: gate.id.raw),
                BusNames.up(site: gate.site.raw, gate: gate.id.raw),
            ], subscribe: [BusNames.down(site: gate.site.raw, gate: gate.id.raw)])
    }
}
