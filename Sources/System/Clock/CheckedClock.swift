import Synchronization

/// A machine's clock that is believed as long as it does not jump: see `ClockCheck`.
public final class CheckedClock: Sendable {
    /// Where the two clocks are read, and whether a time service keeps the first: injected, so that a jump can be a test.
    public struct Source: Sendable {
        let machine: @Sendable () -> Timestamp
        let steady: @Sendable () -> UInt64
        let isKept: @Sendable () -> Bool?
        let boot: [UInt8]

        /// - Parameters:
        ///   - machine: the clock of the day.
        ///   - steady: milliseconds since the machine's start.
        ///   - isKept: whether a time service keeps the first; nil: unknown.
        ///   - boot: what names the start of the machine, 16 bytes.
        public init(
            machine: @escaping @Sendable () -> Timestamp, steady: @escaping @Sendable () -> UInt64,
            isKept: @escaping @Sendable () -> Bool?, boot: [UInt8]
        ) {
            (self.machine, self.steady, self.isKept, self.boot) = (machine, steady, isKept, boot)
        }

        /// This machine's.
        public static let system = Source(
            machine: { WallClock.system.now }, steady: { Uptime.milliseconds }, isKept: { WallClock.isKeptRight },
            boot: Uptime.boot)
    }

    private let source: Source
    private let check: Mutex<ClockCheck>
    /// What time it was at the start, before anything set it.
    public let first: ClockCheck.Mark

    /// - Parameters:
    ///   - mark: what was kept last; nil: nothing.
    ///   - newest: the newest entry of the log.
    public init(_ source: Source = .system, mark: ClockCheck.Mark?, newest: Timestamp?) {
        self.source = source
        let now = Self.read(source)
        var start = ClockCheck(now, boot: source.boot, mark: mark, newest: newest)
        first = start.mark(now, boot: source.boot)
        check = Mutex(start)
    }

    private static func read(_ source: Source) -> ClockCheck.Instant {
        ClockCheck.Instant(machine: source.machine(), steady: source.steady(), isKept: source.isKept())
    }

    private func ask<T: Sendable>(_ body: (inout sending ClockCheck, ClockCheck.Instant) -> sending T) -> T {
        check.withLock { body(&$0, Self.read(source)) }
    }

    /// What time it is.
    public var now: Timestamp { ask { $0.read($1) } }
    /// Why the machine's clock is not believed; nil: it is.
    public var doubt: ClockDoubt? { ask { $0.doubt($1) } }
    /// Whether what is old may be removed by its age.
    public var mayRemoveByAge: Bool { ask { $0.mayRemoveByAge($1) } }
    /// Whether it wants to hear what clocks elsewhere say.
    public var asks: Bool { ask { $0.asks($1) } }
    /// Whether gates and boxes have had the time to take it over.
    public var isFirm: Bool { ask { $0.isFirm($1) } }
    /// What is to be kept over a start.
    public var mark: ClockCheck.Mark { ask { [boot = source.boot] in $0.mark($1, boot: boot) } }

    /// Somebody says that the machine's clock is right as it is.
    public func confirm() { ask { _ = $0.confirm($1) } }

    /// Somebody said so in another program of this machine, by a mark of that moment.
    /// - Returns: whether the machine's clock still goes as it did then.
    public func confirm(_ mark: ClockCheck.Mark) -> Bool {
        ask { [boot = source.boot] check, now in
            var then = ClockCheck(now, boot: boot, mark: mark)
            guard mark.boot == boot, then.doubt(now) == nil else { return false }
            check.confirm(now)
            return true
        }
    }

    /// See `ClockCheck.hear`.
    public func hear(_ voice: [UInt8], says time: Timestamp) { ask { $0.hear(voice, says: time, $1) } }
}
