import Store
import Synchronization
import System

extension Notices {
    /// Reaches people on their devices; before `run`.
    /// - Parameters:
    ///   - contact: where the makers of browsers find whoever runs this hub: `mailto:…` or `https://…`. Apple takes neither a name of this
    ///     machine nor one that exists nowhere; such a one gives way to `PushKey.nobody`.
    ///   - allowsLoopback: whether push services on this machine will do, without TLS: for the demo and for tests.
    public func usePush(contact: String?, allowsLoopback: Bool) {
        if allowsLoopback { devices.allowLoopback() }
        use(PushWay(store: accounts.store))
        outbox.use(
            PushCarrier(
                store: accounts.store, clock: accounts.clock,
                sender: OwnSender(key: devices.key, contact: contact, clock: accounts.clock)), for: .push)
    }
}

/// Sends as this hub: with its key, which is made when the first browser asks for it.
private final class OwnSender: PushSending {
    private let key: PushKey
    private let contact: String?
    private let clock: WallClock
    private let known = Mutex<WebPushSender?>(nil)

    init(key: PushKey, contact: String?, clock: WallClock) {
        (self.key, self.contact, self.clock) = (key, contact, clock)
    }

    func send(_ text: [UInt8], to subscription: PushSubscription, _ options: PushOptions) async -> PushOutcome {
        do {
            return await (try await sender()).send(text, to: subscription, options)
        } catch {
            Log.warning("notices", "the hub's key for pushes cannot be read", ["why": "\(error)"])
            return .again(afterSeconds: nil, why: "the hub could not read its key")
        }
    }

    private func sender() async throws -> WebPushSender {
        if let known = known.withLock({ $0 }) { return known }
        let secret = try await key.pair().secretBytes
        let vapid = [contact, PushKey.nobody].lazy.compactMap { $0 }.compactMap {
            VAPID(secret: secret, subject: $0, clock: self.clock)
        }.first
        guard let vapid else { preconditionFailure("a contact of ours that will not do") }
        let made = WebPushSender(vapid: vapid, lanes: PushCarrier.lanes)
        // Of two at once the first one stays: each has threads of its own.
        return known.withLock { known in
            let first = known ?? made
            known = first
            return first
        }
    }
}
