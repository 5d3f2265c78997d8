import Crypto
import Notices
import System

/// A message to a browser, up to the bytes on the wire: sealed under a key of its own, and signed for. In one thread.
struct BenchPush {
    private static let count = 500
    private static let origins = ["https://fcm.googleapis.com", "https://web.push.apple.com", "https://push.example"]

    func run() async throws -> [Figure] {
        guard let vapid = VAPID(secret: VAPID.newSecret(), subject: "mailto:bench@example.org", clock: .system) else {
            throw SystemError("no key for pushes")
        }
        let sender = WebPushSender(vapid: vapid, lanes: 1)
        let places = try Self.origins.map {
            try PushSubscription(
                endpoint: $0 + "/bench", key: P256PrivateKey().publicBytes, auth: Random.bytes(16))
        }
        let text = [UInt8](repeating: 0x61, count: 256)
        let options = PushOptions(seconds: 3_600)
        let push = try await Stopwatch.processor(count: Self.count) {
            for number in 0..<Self.count {
                _ = try sender.request(text, to: places[number % places.count], options)
            }
        }
        let read = try await Stopwatch.processor(count: Self.count) {
            for number in 0..<Self.count {
                let place = places[number % places.count]
                _ = try PushSubscription(endpoint: place.endpoint, key: place.key.bytes, auth: place.auth)
            }
        }
        let key = P256PrivateKey()
        let sign = await Stopwatch.processor(count: Self.count) {
            for _ in 0..<Self.count { _ = key.sign(text) }
        }
        return [
            Figure("push: seal 256 bytes, sender's token kept", push),
            Figure("push: read a subscription from its bytes", read),
            Figure("push: sign a token, once per service and 11 h", sign),
        ]
    }
}
