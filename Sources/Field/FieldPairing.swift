import Bus
import Crypto
import Wire

/// Why nothing was paired, in words for who stands before it.
public struct PairingFailure: Error, Sendable, CustomStringConvertible {
    /// A whole sentence.
    public let description: String

    /// - Parameter description: a whole sentence.
    public init(description: String) { self.description = description }
}

/// The side of pairing that stands in the field, a gate's controller or a home's box: brings the code over the bus, agrees on the key,
/// learns where it stands.
public enum FieldPairing {
    /// The hub answers within so long, or not at all.
    static let patience = Duration.seconds(15)

    /// What both sides agreed on.
    public struct Agreed: Sendable {
        /// The gate or the box.
        public let subject: ID16
        /// Its site.
        public let site: ID16
        /// What it shares with the hub.
        public let key: Key
        /// What people call it.
        public let name: String
        /// SHA-256 of the certificate of the hub's broker, over TLS: the only one that it talks to from then on.
        public let broker: [UInt8]?
    }

    /// Brings a code to the hub.
    ///
    /// Over TLS the first certificate is taken from whoever answers. Who that was comes out in the exchange: the hub
    /// names its certificate under a key that nobody makes without the code.
    public static func pair(code: PairingCode, address: BusAddress) async throws -> Agreed {
        let way = BusNames.PairingWay(code)
        let client = try BusClient(
            address: address, credentials: BusCredentials(username: way.username, password: way.password),
            known: address.isSecure ? .stranger : nil)
        try client.subscribe(way.down, quality: .atLeastOnce)
        client.start()
        let result = await withTaskGroup(of: Result<Agreed, any Error>?.self) { group in
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
        return try result.get()
    }

    private static func talk(_ code: PairingCode, _ way: BusNames.PairingWay, _ client: BusClient) async throws
        -> Agreed
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
                                "somebody stands between here and the hub, and reads along: nothing was kept")
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
                    return Agreed(
                        subject: agreed.gate, site: site, key: agreed.key,
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
