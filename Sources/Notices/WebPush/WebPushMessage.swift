import Crypto
import System

/// What a push service carries without being able to read it: RFC 8291, in one record of RFC 8188's `aes128gcm`.
public enum WebPushMessage {
    /// The longest text, in bytes: with its key, its tag and its end it fills the 4,096 that every service takes (RFC 8030, 7.2).
    public static let longest = 3_993
    /// As the record's head says it.
    private static let recordSize: [UInt8] = [0, 0, 0x10, 0]

    /// The text does not fit.
    public struct TooLong: Error, Sendable, Equatable {}

    /// The body of a request.
    /// - Parameters:
    ///   - text: at most `longest` bytes.
    ///   - key: the browser's.
    ///   - auth: the browser's 16 bytes.
    ///   - ephemeral: a pair for this message alone.
    ///   - salt: 16 bytes for this message alone.
    public static func encrypt(
        _ text: [UInt8], key: P256PublicKey, auth: [UInt8], ephemeral: P256PrivateKey = P256PrivateKey(),
        salt: [UInt8] = Random.bytes(16)
    ) throws(TooLong) -> [UInt8] {
        guard text.count <= longest else { throw TooLong() }
        precondition(auth.count == 16 && salt.count == 16)
        let both = key.bytes + ephemeral.publicBytes
        let secret = HKDF.sha256(
            salt: auth, ikm: ephemeral.shared(with: key), info: Array("WebPush: info\0".utf8) + both, count: 32)
        let material = HKDF.extract(salt: salt, ikm: secret)
        let contentKey = HKDF.expand(material, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
        let nonce = HKDF.expand(material, info: Array("Content-Encoding: nonce\0".utf8), count: 12)
        // 2: the last record.
        let sealed = AES128GCM.seal(text + [2], key: contentKey, nonce: nonce)
        return salt + recordSize + [UInt8(ephemeral.publicBytes.count)] + ephemeral.publicBytes + sealed
    }
}
