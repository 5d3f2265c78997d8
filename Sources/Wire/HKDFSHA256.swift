/// HKDF with SHA-256 (RFC 5869): one secret in, keys for separate uses out.
public enum HKDFSHA256 {
    /// The longest output: 255 digests.
    public static let maxLength = 255 * SHA256.digestCount

    /// Extract (section 2.2): an even key from uneven material. No salt means 32 zero bytes.
    public static func extract(salt: [UInt8], inputKeyMaterial: [UInt8]) -> Key {
        HMACSHA256(key: salt).authenticate(inputKeyMaterial).asKey
    }

    /// Expand (section 2.3): `length` bytes for the use that `info` names. Throws `badValue` unless 0...8,160.
    public static func expand(_ key: Key, info: [UInt8], length: Int) throws(WireError) -> [UInt8] {
        guard length >= 0, length <= maxLength else { throw .badValue }
        let mac = HMACSHA256(key: key)
        var output: [UInt8] = []
        output.reserveCapacity(length)
        var previous: [UInt8] = []
        var counter: UInt8 = 0
        while output.count < length {
            counter += 1
            previous = mac.authenticate(previous, info, [counter]).bytes
            output.append(contentsOf: previous.prefix(length - output.count))
        }
        return output
    }

    /// Expand to one key: the first 32 bytes of the output for `info`.
    public static func expandKey(_ key: Key, info: [UInt8]) -> Key {
        HMACSHA256(key: key).authenticate(info, [1]).asKey
    }
}
