import Crypto
import Identity
import Ledger
import System
import Wire

/// What a browser keeps after a good sign-in, so that a flood of wrong passwords by others does not keep its person out. It opens
/// nothing by itself: whoever has it may only go on trying the password of that one account.
///
/// Layout: person 16 · seconds u64 when it was made · 16 random bytes · the first 16 bytes of an HMAC-SHA256 over all of that and the
/// stored password hash, under a key of the hub. So another password makes every device of that person a stranger.
public enum KnownDevice {
    /// The name of the cookie that holds it.
    public static let cookie: StaticString = "soglia_device"
    /// So many seconds a browser keeps it.
    public static let maxAge = Int(lifetime)
    static let size = 56
    private static let signed = 40
    /// A device stays known for so long without a sign-in, in seconds: 400 days, which is as long as browsers keep a cookie.
    static let lifetime: UInt64 = 400 * 86_400

    /// What a browser is to keep, base64url.
    static func make(for person: PersonID, passwordHash: String, at now: Timestamp, key: Key) -> String {
        let bytes = person.raw.bytes + now.seconds.bigEndianBytes + Random.bytes(16)
        return Base64.urlText(bytes + tag(bytes, passwordHash, key))
    }

    /// The name of a device that this person signed in from before; nil when the text does not prove one.
    static func name(in text: String, of person: PersonID, passwordHash: String, at now: Timestamp, key: Key)
        -> [UInt8]?
    {
        guard let bytes = bytes(of: text) else { return nil }
        let head = Array(bytes[..<signed])
        guard constantTimeEquals(Array(bytes[signed...]), tag(head, passwordHash, key)),
            constantTimeEquals(Array(head[..<16]), person.raw.bytes)
        else { return nil }
        let made = UInt64(bigEndianBytes: head[16..<24])
        // A clock that was put back is no reason to forget a device.
        guard now.seconds < made &+ lifetime else { return nil }
        return Array(head[24...])
    }

    /// Whom a text speaks of: `name` says whether that is true. Nil for what is none of ours.
    static func person(in text: String) -> PersonID? {
        bytes(of: text).flatMap { ID16(Array($0[..<16])) }.map { PersonID($0) }
    }

    private static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count <= 2 * size, let bytes = Base64.bytes(urlText: text), bytes.count == size else {
            return nil
        }
        return bytes
    }

    private static func tag(_ bytes: [UInt8], _ passwordHash: String, _ key: Key) -> [UInt8] {
        let mac = HMACSHA256(key: key).authenticate(Array("soglia device 1".utf8), bytes, Array(passwordHash.utf8))
        return Array(mac.bytes[..<16])
    }
}
