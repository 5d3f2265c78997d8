import Bus
import Crypto
import Synchronization
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
        public let site: ID16
        /// What it shares with the hub.
        public let key: Key
        /// What people call it.
        public let name: String
        /// SHA-256 of the certificate of the hub's broker, over TLS: the only one that it talks to from then on.
        public let broker: [UInt8]?
    }

    /// What was heard of the broker until now.
    private final class Contact: Sendable {
        private let state = Mutex((isMade: false, obstacle: "no answer"))

        var isMade: Bool { state.withLock { $0.isMade } }
        /// Why there is no connection, in words.
        var obstacle: String { state.withLock { $0.obstacle } }

        /// Waits for the first connection.
        func make(by client: BusClient) async {
            for await heard in client.states {
                if case .disconnected(let reason) = heard { state.withLock { $0.obstacle = reason } }
                if heard == .connected { break }
            }
            state.withLock { $0.isMade = true }
        }
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
        let contact = Contact()
        let result = await withTaskGroup(of: Result<Agreed, any Error>?.self) { group in
            group.addTask {
                do {
                    await contact.make(by: client)
                    return .success(try await talk(code, way, client))
                } catch { return .failure(error) }
            }
            group.addTask {
                do { try await Task.sleep(for: patience) } catch { return nil }
                return .failure(silence(contact, of: client))
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        await client.stop()
        guard let result else { throw PairingFailure(description: "pairing was broken off") }
        return try result.get()
    }

    /// Why nothing came of it in time. Nobody is told to look at the code who only cannot reach the hub.
    private static func silence(_ contact: Contact, of client: BusClient) -> PairingFailure {
        if contact.isMade {
            return PairingFailure(
                description:
                    "the hub's bus was reached, but the hub does not answer: look whether it runs, and get a new code")
        }
        if client.isUnknown {
            return PairingFailure(
                description:
                    "the hub at \(client.address) does not know this code: look for a typing error, or get a new one. A code is good for ten minutes, once"
            )
        }
        return PairingFailure(
            description:
                "cannot reach the hub at \(client.address): \(contact.obstacle). Check the address, the port and the network; the code was not used"
        )
    }

    private static func talk(_ code: PairingCode, _ way: BusNames.PairingWay, _ client: BusClient) async throws
        -> Agreed
    {
        let own = KeyAgreement()
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
