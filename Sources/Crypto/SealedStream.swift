import CSodium
import System

/// A key out of a passphrase: argon2id, by libsodium.
public struct PassphraseKey: Sendable {
    /// 16 bytes that go with what is sealed.
    public let salt: [UInt8]
    /// Passes over the memory.
    public let passes: UInt32
    /// Bytes of memory.
    public let memory: UInt64

    /// What a new key takes: three passes over 128 MiB, about half a second.
    public init() { (salt, passes, memory) = (Random.bytes(16), 3, 128 << 20) }

    /// What an older key took. Nil beyond what is sensible: a file from outside must not take all memory of the machine.
    public init?(salt: [UInt8], passes: UInt32, memory: UInt64) {
        guard salt.count == 16, (1...10).contains(passes), (8 << 10...256 << 20).contains(memory) else { return nil }
        (self.salt, self.passes, self.memory) = (salt, passes, memory)
    }

    /// For tests that need to be quick.
    public static let quick = PassphraseKey(salt: Random.bytes(16), passes: 1, memory: 64 << 10)!

    /// 32 bytes. Blocks for as long as it takes.
    public func derive(_ passphrase: String) -> [UInt8] {
        precondition(sodium_init() >= 0, "libsodium does not start")
        var text = passphrase
        return [UInt8](unsafeUninitializedCapacity: 32) { out, count in
            let status = text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    crypto_pwhash(
                        out.baseAddress!, 32, $0.baseAddress ?? UnsafePointer(bitPattern: 1)!, UInt64($0.count), salt,
                        UInt64(passes), Int(memory), crypto_pwhash_ALG_ARGON2ID13)
                }
            }
            precondition(status == 0, "no memory for a key")
            count = 32
        }
    }
}

/// A stream of pieces that only who has the key can read, and of which nobody can change, swap, repeat or leave out one:
/// XChaCha20-Poly1305 secretstream, by libsodium.
public struct StreamSealer {
    /// 24 bytes that the reader needs first.
    public let header: [UInt8]
    private var state = crypto_secretstream_xchacha20poly1305_state()
    /// What every piece has more than its text.
    public static let overhead = 17

    /// - Parameter key: 32 bytes.
    public init(key: [UInt8]) {
        precondition(key.count == 32)
        var header = [UInt8](repeating: 0, count: 24)
        crypto_secretstream_xchacha20poly1305_init_push(&state, &header, key)
        self.header = header
    }

    /// The next piece.
    /// - Parameters:
    ///   - also: bytes that the reader must have too, in clear.
    ///   - isLast: nothing may follow.
    public mutating func seal(_ bytes: [UInt8], also: [UInt8] = [], isLast: Bool) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: bytes.count + Self.overhead)
        let tag = isLast ? crypto_secretstream_xchacha20poly1305_tag_final() : 0
        crypto_secretstream_xchacha20poly1305_push(
            &state, &out, nil, bytes, UInt64(bytes.count), also, UInt64(also.count), tag)
        return out
    }
}

/// Reads what `StreamSealer` made.
public struct StreamOpener {
    private var state = crypto_secretstream_xchacha20poly1305_state()

    /// Nil when the header cannot be one.
    public init?(key: [UInt8], header: [UInt8]) {
        guard key.count == 32, header.count == 24,
            crypto_secretstream_xchacha20poly1305_init_pull(&state, header, key) == 0
        else { return nil }
    }

    /// The next piece's text and whether it was the last; nil when it was changed, or is not the next.
    public mutating func open(_ sealed: [UInt8], also: [UInt8] = []) -> (bytes: [UInt8], isLast: Bool)? {
        guard sealed.count >= StreamSealer.overhead else { return nil }
        var out = [UInt8](repeating: 0, count: sealed.count - StreamSealer.overhead)
        var tag: UInt8 = 0
        guard
            crypto_secretstream_xchacha20poly1305_pull(
                &state, &out, nil, &tag, sealed, UInt64(sealed.count), also, UInt64(also.count)) == 0
        else { return nil }
        return (out, tag == crypto_secretstream_xchacha20poly1305_tag_final())
    }
}
