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
        let signature = OwnSignature(key: devices.key, contact: contact, clock: accounts.clock)
        outbox.use(
            PushCarrier(
                store: accounts.store, clock: accounts.clock,
                sender: OwnSender(signature, threads: "push", lanes: PushCarrier.lanes, timeout: .seconds(10)),
                allowsLoopback: allowsLoopback,
                urgent: OwnSender(
                    signature, threads: "push now", lanes: PushCarrier.lanesAtOnce, timeout: PushCarrier.urgentTimeout)),
            for: .push)
    }
}

/// Sends as this hub, on threads of its own, which are made when the first message leaves.
private final class OwnSender: PushSending {
    private let signature: OwnSignature
    private let threads: String
    private let lanes: Int
    private let timeout: Duration
    private let known = Mutex<WebPushSender?>(nil)

    init(_ signature: OwnSignature, threads: String, lanes: Int, timeout: Duration) {
        (self.signature, self.threads, self.lanes, self.timeout) = (signature, threads, lanes, timeout)
    }

    func send(_ text: [UInt8], to subscription: PushSubscription, _ options: PushOptions) async -> PushOutcome {
        do {
            return await sender(try await signature.vapid()).send(text, to: subscription, options)
        } catch {
            Log.warning("notices", "the hub's key for pushes cannot be read", ["why": "\(error)"])
            return .again(afterSeconds: nil, why: "the hub could not read its key")
        }
    }

    private func sender(_ vapid: VAPID) -> WebPushSender {
        known.withLock { known in
            let sender = known ?? WebPushSender(vapid: vapid, lanes: lanes, threads: threads, timeout: timeout)
            known = sender
            return sender
        }
    }
}

/// Signs as this hub: with its key, which is made when the first browser asks for it.
private final class OwnSignature: Sendable {
    private let key: PushKey
    private let contact: String?
    private let clock: WallClock
    private let known = Mutex<VAPID?>(nil)

    init(key: PushKey, contact: String?, clock: WallClock) {
        (self.key, self.contact, self.clock) = (key, contact, clock)
    }

    func vapid() async throws -> VAPID {
        if let known = known.withLock({ $0 }) { return known }
        let secret = try await key.pair().secretBytes
        let vapid = [contact, PushKey.nobody].lazy.compactMap { $0 }.compactMap {
            VAPID(secret: secret, subject: $0, clock: self.clock)
        }.first
        guard let vapid else { preconditionFailure("a contact of ours that will not do") }
        // Of two at once the first one stays: its signatures serve for hours.
        return known.withLock { known in
            let first = known ?? vapid
            known = first
            return first
        }
    }
}
