import CSystem
import Glibc

/// Bytes from the kernel's random source.
public enum Random {
    /// That many bytes that nobody can foresee. Never fails once the machine has started.
    public static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let n = csystem_random(buffer.baseAddress! + filled, UInt(count - filled))
                precondition(n > 0 || n == -Int(EINTR), "the kernel gives no random bytes")
                filled += max(n, 0)
            }
        }
    }
}
