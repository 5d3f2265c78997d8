import CSystem
import Glibc

/// The clock that everything asks: injected, so that its faults (a jump, a standstill) can be tests.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp
    private let checked: CheckedClock?

    /// A clock that is believed whatever it says.
    /// - Parameter now: answers the current time; called from any thread.
    public init(now: @escaping @Sendable () -> Timestamp) {
        read = now
        checked = nil
    }

    /// A clock that is believed as long as it does not jump.
    public init(_ checked: CheckedClock) {
        read = { checked.now }
        self.checked = checked
    }

    /// The current time.
    public var now: Timestamp { read() }

    /// Why the machine's clock is not believed; nil: it is. While it is not, no time is signed, no pass is made and nothing is removed
    /// by its age.
    public var doubt: ClockDoubt? { checked?.doubt }

    /// Whether what is old may be removed by its age: the clock has been believed for `ClockCheck.firstMinutes`.
    public var mayRemoveByAge: Bool { checked?.mayRemoveByAge ?? true }

    /// Whether gates and boxes go by this time: it has been believed for `ClockCheck.settling`.
    public var isFirm: Bool { checked?.isFirm ?? true }

    /// Waits until what is old may be removed by its age. Looks every few seconds.
    public func waitUntilRemoving() async throws {
        while !mayRemoveByAge { try await Task.sleep(for: .seconds(5)) }
    }

    /// Whether it wants to hear what clocks elsewhere say.
    public var asks: Bool { checked?.asks ?? false }

    /// Tells what a clock elsewhere says: see `ClockCheck.hear`.
    public func hear(_ voice: [UInt8], says time: Timestamp) { checked?.hear(voice, says: time) }

    /// The machine's own clock.
    public static let system = WallClock {
        var t = timespec()
        clock_gettime(CLOCK_REALTIME, &t)
        return Timestamp(milliseconds: Int64(t.tv_sec) * 1000 + Int64(t.tv_nsec) / 1_000_000)
    }

    /// Whether somebody keeps the machine's own clock right, by NTP or the like; nil when the kernel does not say.
    public static var isKeptRight: Bool? {
        let answer = csystem_clock_is_kept()
        return answer < 0 ? nil : answer == 1
    }
}

/// Time that never jumps, for durations.
public enum Uptime {
    /// Milliseconds since the machine started, its sleep included.
    public static var milliseconds: UInt64 {
        var t = timespec()
        clock_gettime(CLOCK_BOOTTIME, &t)
        return UInt64(t.tv_sec) * 1000 + UInt64(t.tv_nsec) / 1_000_000
    }

    /// What names the start of the machine, 16 bytes: no two starts have the same. All zeros where the kernel does not say.
    public static let boot: [UInt8] = {
        let text = (try? Files.read("/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: continue
            }
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return bytes.count == 16 ? bytes : [UInt8](repeating: 0, count: 16)
    }()
}
