import CSodium

/// How a hash was made: the algorithm's parameters and the salt, which stand before the hash itself in its text form
/// (`$argon2id$v=19$m=19456,t=2,p=1$salt$hash`, base64 without padding: the PHC string format).
struct PasswordRecipe: Sendable, Hashable {
    private let prefix: String
    private let memory: Int
    private let passes: UInt64
    private let salt: [UInt8]
    private let length: Int

    /// Nil for what libsodium does not write.
    init?(of stored: String) {
        let parts = stored.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19",
            let salt = Self.bytes(parts[4]), salt.count == Int(crypto_pwhash_SALTBYTES),
            let hash = Self.bytes(parts[5]), (16...64).contains(hash.count)
        else { return nil }
        let numbers = parts[3].split(separator: ",").map { $0.split(separator: "=") }
        guard numbers.map(\.first) == ["m", "t", "p"], numbers[2].last == "1",
            let kibibytes = numbers[0].last.flatMap({ Int($0) }), (8...(1 << 20)).contains(kibibytes),
            let passes = numbers[1].last.flatMap({ UInt64($0) }), (1...16).contains(passes)
        else { return nil }
        prefix = parts[0...4].joined(separator: "$") + "$"
        (memory, self.passes, self.salt, length) = (kibibytes << 10, passes, salt, hash.count)
    }

    /// Whether it takes so many bytes and passes.
    func isOf(memory: Int, passes: UInt64) -> Bool { (self.memory, self.passes) == (memory, passes) }

    /// The text form of a secret's hash that is made so; nil: there is no memory for it.
    func hash(_ secret: String) -> String? {
        var (secret, hash) = (secret, [UInt8](repeating: 0, count: length))
        let status = secret.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                crypto_pwhash(
                    &hash, UInt64(length), $0.baseAddress ?? UnsafePointer(bitPattern: 1)!, UInt64($0.count), salt,
                    passes, memory, crypto_pwhash_ALG_ARGON2ID13)
            }
        }
        return status == 0 ? prefix + Base64.text(hash).prefix { $0 != "=" } : nil
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        Base64.bytes(text: String(text) + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
