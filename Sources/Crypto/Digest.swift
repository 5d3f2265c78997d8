import CCrypto
import System

/// SHA-256 by libcrypto, which uses the processor's own instructions: several times faster than Wire's where both exist.
public enum Digest {
    /// The 32 bytes of FIPS 180-4's SHA-256.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { out, count in
            _ = SHA256(bytes, bytes.count, out.baseAddress!)
            count = 32
        }
    }
}

/// A secret that its holder shows to be known again: a session, a bearer token. Only its hash is kept.
public struct Token: Sendable {
    /// What the holder keeps: 43 characters of base64url.
    public let text: String

    /// A new one: 32 random bytes.
    public init() { text = Base64.urlText(Random.bytes(32)) }

    /// What is stored of a shown text: SHA-256 of its bytes. A token has 256 bits of chance, so it needs no slow hash.
    public static func hash(_ text: String) -> [UInt8] { Digest.sha256(Array(text.utf8)) }
}

/// RFC 4648's base64url, without padding.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text of some bytes.
    public static func urlText(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count * 4 + 2) / 3)
        var (bits, held) = (0 as UInt32, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                out.append(alphabet[Int(bits >> UInt32(held) & 63)])
            }
        }
        if held > 0 { out.append(alphabet[Int(bits << UInt32(6 - held) & 63)]) }
        return String(decoding: out, as: UTF8.self)
    }

    /// The bytes of a text; nil for any other character, a length that no bytes have, or bits left over that are not zero.
    public static func bytes(urlText text: String) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var out: [UInt8] = []
        var (bits, held) = (0 as UInt32, 0)
        for character in text.utf8 {
            let value: UInt8
            switch character {
            case 0x41...0x5a: value = character - 0x41
            case 0x61...0x7a: value = character - 0x61 + 26
            case 0x30...0x39: value = character - 0x30 + 52
            case 0x2d: value = 62
            case 0x5f: value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
                bits &= (1 << UInt32(held)) - 1
            }
        }
        return bits == 0 ? out : nil
    }
}
