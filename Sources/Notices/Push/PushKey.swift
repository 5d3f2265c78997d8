import Accounts
import Crypto
import Store
import Synchronization

/// The key pair by which push services know this hub (RFC 8292): made when it is first needed, kept for good, since every subscription
/// names its public half.
final class PushKey: Sendable {
    private static let name = "push-key"
    /// The contact of a hub that has no name in public: a form that every service takes, and that reaches nobody (RFC 2606).
    static let nobody = "mailto:soglia@example.com"

    private let store: Store
    private let known = Mutex<P256PrivateKey?>(nil)

    init(store: Store) { self.store = store }

    /// The pair; made now if there is none yet.
    func pair() async throws -> P256PrivateKey {
        if let known = known.withLock({ $0 }) { return known }
        // Without a write, which a full disk may refuse.
        if let pair = try store.read(Self.pair) {
            known.withLock { $0 = pair }
            return pair
        }
        let pair = try await store.write(.vital) { database in
            if let pair = try Self.pair(in: database) { return pair }
            let pair = P256PrivateKey()
            try AccountRecords.setHubValue(Self.name, pair.secretBytes, in: database)
            return pair
        }
        known.withLock { $0 = pair }
        return pair
    }

    private static func pair(in database: Database) throws -> P256PrivateKey? {
        try AccountRecords.hubValue(name, in: database).flatMap { P256PrivateKey(secret: $0) }
    }
}
