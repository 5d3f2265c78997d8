import Bus
import Field
import Wire

/// The gate's side of pairing.
public enum GatePairing {
    /// Pairs a controller that never was. Paired over TLS, it talks from then on to no other broker.
    /// - Returns: what it keeps from then on; kept already.
    public static func pair(code: PairingCode, address: BusAddress, memory: GateMemory) async throws
        -> GateMemory.Identity
    {
        if let known = try memory.identity() {
            throw PairingFailure(description: "this controller is paired as \(known.name): reset it at the gate first")
        }
        let agreed = try await FieldPairing.pair(code: code, address: address)
        let identity = GateMemory.Identity(
            gate: agreed.subject, site: agreed.site, key: agreed.key, name: agreed.name, broker: agreed.broker)
        try await memory.setIdentity(identity)
        return identity
    }
}
