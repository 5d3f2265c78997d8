import Bus
import Field
import Wire

/// The box's side of pairing.
public enum BoxPairing {
    /// Pairs a box that never was. Paired over TLS, it talks from then on to no other broker.
    /// - Returns: what it keeps from then on; kept already.
    public static func pair(code: PairingCode, address: BusAddress, memory: BoxMemory) async throws
        -> BoxMemory.Identity
    {
        if let known = try memory.identity() {
            throw PairingFailure(description: "this box is paired as \(known.name): reset it first")
        }
        let agreed = try await FieldPairing.pair(code: code, address: address)
        let identity = BoxMemory.Identity(
            box: agreed.subject, site: agreed.site, key: agreed.key, name: agreed.name, broker: agreed.broker)
        try await memory.setIdentity(identity)
        return identity
    }
}
