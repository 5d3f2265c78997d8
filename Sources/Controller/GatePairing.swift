import Bus
import Crypto
import System
import Wire

/// Why a controller could not be paired, in words for who stands before it.
public struct PairingFailure: Error, Sendable, CustomStringConvertible {
    /// A whole sentence.
    public let description: String
}

/// The gate's side of pairing, over the bus: brings the code, agrees on the key, learns where it stands.
public enum GatePairing {
    /// The hub answers within so long, or not at all.
    static let patience = Duration.seconds(15)

    /// Pairs a controller that never was.
    ///
    /// Over TLS the first certificate is taken from whoever answers. Who that was comes out in the exchange: the hub
    /// names its certificate under a key that nobody makes without the code. The certificate is then kept, and from that
    /// moment the controller talks to no other.
    /// - Returns: what it keeps from then on; kept already.
    public static func pair(code: PairingCode, address: BusAddress, memory: GateMemory) async throws
        -> GateMemory.Identity
    {
        if let known = try memory.identity() {
            throw PairingFailure(description: "this controller is paired as \(known.name): reset it at the gate first")
        }
        let way = BusNames.PairingWay(code)
        let client = try BusClient(
            address: address, credentials: BusCredentials(username: way.username, password: way.password),
            known: address.isSecure ? .stranger : nil)
        try client.subscribe(way.down, quality: .atLeastOnce)
        client.start()
        let result = await withTaskGroup(of: Result<GateMemory.Identity, any Error>?.self) { group in
            group.addTask {
                do { return .success(try await talk(code, way, client)) } catch { return .failure(error) }
            }
            group.addTask {
                do { try await Task.sleep(for: patience) } catch { return nil }
                return .failure(
                    PairingFailure(
                        description: "the hub does not answer: is the code right, and not older than ten minutes?"))
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        await client.stop()
        guard let result else { throw PairingFailure(description: "pairing was broken off") }
        let identity = try result.get()
        try await memory.setIdentity(identity)
        return identity
    }

    private static func talk(_ code: PairingCode, _ way: BusNames.PairingWay, _ client: BusClient) async throws
        -> GateMemory.Identity
    {
        let own = KeyAgreement()
        for await state in client.states where state == .connected { break }
        try client.publish(way.up, try PairingFrame.gateKey(publicKey: own.publicKey).encoded(), quality: .atLeastOnce)
        var agreed: (key: Key, gate: ID16, broker: [UInt8]?)?
        for await batch in client.batches {
            for message in batch {
                switch try PairingFrame(decoding: message.payload) {
                case .hubKey(let gate, let hub, let publicKey, let confirmation):
                    let key = try confirm(own, code, gate, hub, publicKey, confirmation)
                    let shown = client.brokerFingerprint
                    guard shown == nil || shown == hub else {
                        throw PairingFailure(
                            description:
                                "somebody stands between this gate and the hub, and reads along: nothing was kept")
                    }
                    agreed = (key, gate, shown)
                    let tag = Pairing.gateConfirmation(
                        gateKey: key, hubIdentity: hub, gatePublicKey: own.publicKey, hubPublicKey: publicKey,
                        gateID: gate)
                    try client.publish(way.up, try PairingFrame.gateConfirmation(tag).encoded(), quality: .atLeastOnce)
                case .sealed(let bytes):
                    guard let agreed, let place = Seal.open(bytes, key: BusNames.sealKey(agreed.key)), place.count > 16,
                        let site = ID16(Array(place[..<16]))
                    else { continue }
                    return .init(
                        gate: agreed.gate, site: site, key: agreed.key,
                        name: String(decoding: place[16...], as: UTF8.self), broker: agreed.broker)
                case .gateKey, .gateConfirmation: continue
                }
            }
        }
        throw PairingFailure(description: "the bus has gone")
    }

    private static func confirm(
        _ own: KeyAgreement, _ code: PairingCode, _ gate: ID16, _ hub: [UInt8], _ publicKey: [UInt8],
        _ confirmation: Tag
    ) throws -> Key {
        guard let shared = own.shared(with: publicKey) else {
            throw PairingFailure(description: "the hub's key is no key")
        }
        let key = Pairing.gateKey(
            shared: shared, code: code.bytes, hubIdentity: hub, gatePublicKey: own.publicKey, hubPublicKey: publicKey,
            gateID: gate)
        let expected = Pairing.hubConfirmation(
            gateKey: key, hubIdentity: hub, gatePublicKey: own.publicKey, hubPublicKey: publicKey, gateID: gate)
        guard confirmation.matches(expected) else {
            throw PairingFailure(description: "whoever answered does not know the code: nothing was kept")
        }
        return key
    }
}
