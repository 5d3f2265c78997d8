import System
import Wire

/// Codes and passwords for the original system's app: of digits and letters that nobody takes for others (Crockford's base 32).
enum LegacyCode {
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// That many random characters, five bits each.
    static func random(_ count: Int) -> String {
        String(decoding: Random.bytes(count).map { letters[Int($0 & 31)] }, as: UTF8.self)
    }

    /// What the app sends in place of a password: 40 hexadecimal digits, in lower case, of its SHA-1 (FIPS 180-4).
    static func sha1(_ password: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: SHA1.hash(Array(password.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }
}
