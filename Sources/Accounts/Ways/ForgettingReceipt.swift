import Crypto
import System
import Wire

/// What somebody gets who asked a service to have their data erased here: with it, a page says when that was done. It names nobody.
///
/// Layout: seconds u64 · 8 random bytes · the first 16 bytes of an HMAC-SHA256 over all of that and the service's id, under a key of the
/// hub. So nothing has to be kept of it.
public enum ForgettingReceipt {
    private static let signed = 16

    static func make(service: String, at now: Timestamp, key: Key) -> String {
        let bytes = now.seconds.bigEndianBytes + Random.bytes(8)
        return Base64.urlText(bytes + tag(bytes, service, key))
    }

    static func read(_ text: String, service: String, key: Key) -> Timestamp? {
        guard text.utf8.count == 43, let bytes = Base64.bytes(urlText: text), bytes.count == 32 else { return nil }
        let head = Array(bytes[..<signed])
        guard constantTimeEquals(Array(bytes[signed...]), tag(head, service, key)) else { return nil }
        return Timestamp(seconds: UInt64(bigEndianBytes: head[..<8]))
    }

    private static func tag(_ bytes: [UInt8], _ service: String, _ key: Key) -> [UInt8] {
        let mac = HMACSHA256(key: key).authenticate(
            Array("soglia forgetting 1".utf8), bytes, Array(service.utf8))
        return Array(mac.bytes[..<16])
    }
}

extension Accounts {
    /// A receipt for what was forgotten now at a service's request: 43 characters.
    public func forgettingReceipt(service: String) async throws -> String {
        ForgettingReceipt.make(service: service, at: clock.now, key: try await deviceKey())
    }

    /// When that was which a receipt is for; nil when it is none of ours.
    public func forgotten(receipt: String, service: String) async throws -> Timestamp? {
        ForgettingReceipt.read(receipt, service: service, key: try await deviceKey())
    }
}
