/// Why a machine's clock is not believed.
public struct ClockDoubt: Sendable, Equatable {
    /// What made it doubtful.
    public enum Cause: String, Sendable, CaseIterable {
        /// It jumped while the machine ran: the time since its start says otherwise.
        case jumped
        /// At a start it was before what was known last.
        case behind
        /// At a start it was long after what was known last.
        case ahead
        /// After a start the clocks of most gates say otherwise.
        case contradicted
        /// It shows a time before this program was made.
        case neverSet
    }
    /// What made it doubtful.
    public let cause: Cause
    /// What the machine's clock says.
    public let machine: Timestamp
    /// What time it is by the last one that was believed and the time that has passed since.
    public let own: Timestamp

    /// How far the machine's clock is ahead of the own count, in seconds; negative: behind.
    public var ahead: Int {
        let (difference, isOverflow) = machine.milliseconds.subtractingReportingOverflow(own.milliseconds)
        return isOverflow ? (machine < own ? .min / 2_000 : .max / 2_000) : Int(difference / 1000)
    }
}

/// Whether a machine's clock is to be believed, and what time it is while it is not.
///
/// Two clocks are compared: that of the day, which can be set, and one that counts since the machine's start and never jumps. As long as
/// both go on alike, within `tolerance`, the first is believed. When it jumps, time goes on from the last that was believed by the
/// second, until the first is right again, most gates say that it is, a time service sets it for the first time since the start, or a person
/// confirms it. Over a start of the machine the two are tied by a `Mark` that was kept.
public struct ClockCheck: Sendable {
    /// So far the two may differ, in milliseconds: what a time service sets right in one step on a machine that is well.
    public static let tolerance: Int64 = 60_000
    /// So long a machine may have been off, in milliseconds: a start that lies further from the mark is doubted, unless a time
    /// service keeps the clock.
    public static let longestOff: Int64 = 14 * 86_400_000
    /// Nothing is removed by its age before the clock has been believed for so long, in milliseconds.
    public static let firstMinutes: UInt64 = 600_000
    /// No clock that shows less was ever set: 2026-01-01T00:00:00Z.
    public static let earliest = Timestamp(milliseconds: 1_767_225_600_000)
    /// A clock that has been believed for so long, in milliseconds, is what gates and boxes have taken over by then.
    public static let settling: UInt64 = 60_000
    /// So many steps of less than `tolerance` may add up within so long, in milliseconds.
    static let anchorLife: UInt64 = 3_600_000
    /// What a clock elsewhere said counts for so long, in milliseconds.
    static let voiceLife: UInt64 = 30_000
    /// So long voices are gathered after a jump before they are counted, in milliseconds.
    static let gathering: UInt64 = 10_000
    /// So long after a start they may contradict a clock that nothing else speaks for, in milliseconds.
    static let probation: UInt64 = 300_000
    /// So many of them have to say the same: one alone may be wrong, or lie.
    static let fewestVoices = 2
    /// So many clocks elsewhere are heard at a time; further ones are not asked.
    /// - Key: hub
    static let mostVoices = 256

    /// Both clocks at one moment.
    public struct Instant: Sendable {
        /// The clock of the day.
        public var machine: Timestamp
        /// Milliseconds since the machine's start.
        public var steady: UInt64
        /// Whether a time service keeps the clock of the day; nil: unknown.
        public var isKept: Bool?

        /// See the properties.
        public init(machine: Timestamp, steady: UInt64, isKept: Bool? = nil) {
            (self.machine, self.steady, self.isKept) = (machine, steady, isKept)
        }
    }

    /// A believed time, kept over a start.
    public struct Mark: Sendable, Equatable {
        /// What names the start of the machine, 16 bytes.
        public let boot: [UInt8]
        /// What time it was.
        public let time: Timestamp
        /// Milliseconds since that start.
        public let steady: UInt64

        /// See the properties.
        public init(boot: [UInt8], time: Timestamp, steady: UInt64) {
            (self.boot, self.time, self.steady) = (boot, time, steady)
        }

        /// Whether the clock of the day was set between the two, both of one start of the machine.
        public func differs(from earlier: Mark) -> Bool {
            ClockCheck.isFar(time, Tie(time: earlier.time, steady: earlier.steady).time(at: steady))
        }

        /// 32 bytes: time i64 · milliseconds u64 · start 16, the largest first. Nil for others.
        public init?(decoding bytes: [UInt8]) {
            guard bytes.count == 32 else { return nil }
            self.init(
                boot: Array(bytes[16...]), time: Timestamp(milliseconds: Int64(bigEndianBytes: bytes[..<8])),
                steady: UInt64(bigEndianBytes: bytes[8..<16]))
        }

        /// 32 bytes; a name of a start that is not 16 is filled or cut.
        public var encoded: [UInt8] {
            time.milliseconds.bigEndianBytes + steady.bigEndianBytes
                + Array((boot + [UInt8](repeating: 0, count: 16)).prefix(16))
        }
    }

    private struct Tie: Sendable {
        var time: Timestamp
        var steady: UInt64

        func time(at now: UInt64) -> Timestamp {
            time.adding(milliseconds: Int64(clamping: now) - Int64(clamping: steady))
        }
    }

    /// What the clock of the day is held against.
    private var anchor: Tie
    /// From where time goes on while it is not believed.
    private var last: Tie
    private var cause: ClockDoubt.Cause?
    /// Since when it is believed or doubted.
    private var since: UInt64
    /// When it was set last in this run; nil: it was not.
    private var setAt: UInt64?
    /// Whether a time service kept the clock when it was believed last.
    private var wasKept: Bool
    /// Whether only the clock itself spoke for it at this start.
    private var isOnProbation: Bool
    /// How far clocks elsewhere are from the steady one, and when each was heard.
    private var voices: [[UInt8]: (offset: Int64, at: UInt64)] = [:]

    /// A start of the program.
    /// - Parameters:
    ///   - boot: what names the start of the machine, 16 bytes.
    ///   - mark: what was kept last; nil: nothing.
    ///   - newest: the newest entry of the log, for a program that has kept no mark yet; nil: there is none.
    public init(_ now: Instant, boot: [UInt8], mark: Mark?, newest: Timestamp? = nil) {
        let here = Tie(time: now.machine, steady: now.steady)
        (anchor, last, since) = (here, here, now.steady)
        wasKept = now.isKept == true
        isOnProbation = false
        if let mark, mark.boot == boot, boot.contains(where: { $0 != 0 }), now.steady >= mark.steady {
            let expected = Tie(time: mark.time, steady: mark.steady)
            if Self.isFar(now.machine, expected.time(at: now.steady)) { begin(.jumped, at: expected, now) }
            return
        }
        if now.machine < Self.earliest {
            begin(mark == nil ? .neverSet : .behind, at: Tie(time: mark?.time ?? now.machine, steady: now.steady), now)
            return
        }
        isOnProbation = !wasKept
        if let mark, now.machine < mark.time.adding(milliseconds: -Self.tolerance) {
            begin(.behind, at: Tie(time: mark.time, steady: now.steady), now)
            return
        }
        // What is written in a log may be of a clock that was wrong: it tells what is too late, and nothing to go by.
        guard !wasKept, let known = mark?.time ?? newest, now.machine > known.adding(milliseconds: Self.longestOff)
        else {
            return
        }
        begin(.ahead, at: Tie(time: known, steady: now.steady), now)
    }

    private mutating func begin(_ cause: ClockDoubt.Cause, at tie: Tie, _ now: Instant) {
        (self.cause, anchor, last, since) = (cause, tie, tie, now.steady)
    }

    private static func isFar(_ a: Timestamp, _ b: Timestamp) -> Bool {
        let (difference, isOverflow) = a.milliseconds.subtractingReportingOverflow(b.milliseconds)
        return isOverflow || difference.magnitude > UInt64(tolerance)
    }

    private mutating func believe(_ now: Instant) {
        let here = Tie(time: now.machine, steady: now.steady)
        (anchor, last, cause, since, setAt) = (here, here, nil, now.steady, now.steady)
        wasKept = now.isKept == true
    }

    // MARK: reading

    /// What time it is.
    public mutating func read(_ now: Instant) -> Timestamp {
        if cause == .neverSet { return now.machine >= Self.earliest ? confirm(now) : now.machine }
        if isRight(now) {
            if cause != nil { believe(now) }
            last = Tie(time: now.machine, steady: now.steady)
            if now.isKept == true { wasKept = true }
            if now.steady >= anchor.steady + Self.anchorLife { anchor = last }
            return now.machine
        }
        // Nobody had set it since the start, and now a time service has.
        if !wasKept, now.isKept == true { return confirm(now) }
        if cause == nil { (cause, since) = (.jumped, now.steady) }
        return last.time(at: now.steady)
    }

    /// Whether the clock of the day shows what it should, as far as that is known.
    private func isRight(_ now: Instant) -> Bool {
        let expected = anchor.time(at: now.steady)
        switch cause {
        // How long the machine was off nobody knows: only what is too early, and what is too late.
        case .behind, .ahead:
            return now.machine >= expected.adding(milliseconds: -Self.tolerance)
                && now.machine <= expected.adding(milliseconds: Self.longestOff)
        case .jumped, .contradicted, .neverSet, nil: return !Self.isFar(now.machine, expected)
        }
    }

    /// Why the clock of the day is not believed; nil: it is.
    public mutating func doubt(_ now: Instant) -> ClockDoubt? {
        let own = read(now)
        return cause.map { ClockDoubt(cause: $0, machine: now.machine, own: own) }
    }

    /// Whether what is old may be removed by its age.
    public mutating func mayRemoveByAge(_ now: Instant) -> Bool {
        _ = read(now)
        return cause == nil && now.steady >= since + Self.firstMinutes
    }

    /// Whether gates and boxes have had the time to take it over, where it was set.
    public mutating func isFirm(_ now: Instant) -> Bool {
        _ = read(now)
        return cause == nil && now.steady >= (setAt.map { $0 + Self.settling } ?? 0)
    }

    /// Whether it wants to hear what clocks elsewhere say.
    public mutating func asks(_ now: Instant) -> Bool {
        _ = read(now)
        return cause != nil || isOnProbation
    }

    /// What is to be kept over a start.
    public mutating func mark(_ now: Instant, boot: [UInt8]) -> Mark {
        Mark(boot: boot, time: read(now), steady: now.steady)
    }

    /// Somebody says that the clock of the day is right as it is.
    /// - Returns: what time it is.
    @discardableResult
    public mutating func confirm(_ now: Instant) -> Timestamp {
        guard now.machine >= Self.earliest else { return read(now) }
        believe(now)
        isOnProbation = false
        return now.machine
    }

    /// Hears what a clock elsewhere says that was never set by this one since its doubt: a gate's, which counts by itself. When most agree that the
    /// clock of the day is right, it is believed; when most of them contradict one that nothing else speaks for, it is not.
    /// - Parameter voice: whose clock it is: it counts once.
    public mutating func hear(_ voice: [UInt8], says time: Timestamp, _ now: Instant) {
        _ = read(now)
        guard cause != .neverSet else { return }
        voices = voices.filter { $0.value.at + Self.voiceLife >= now.steady }
        guard voices[voice] != nil || voices.count < Self.mostVoices else { return }
        let (offset, isOverflow) = time.milliseconds.subtractingReportingOverflow(Int64(clamping: now.steady))
        if isOverflow { return }
        voices[voice] = (offset, now.steady)
        let agreeing = voices.values.count {
            !Self.isFar(
                Timestamp(milliseconds: $0.offset).adding(milliseconds: Int64(clamping: now.steady)), now.machine)
        }
        if cause != nil {
            let isGathered = now.steady >= since + Self.gathering
            if isGathered, agreeing >= Self.fewestVoices, agreeing * 2 > voices.count { confirm(now) }
        } else if isOnProbation {
            if now.steady >= since + Self.probation {
                isOnProbation = false
            } else if voices.count - agreeing >= Self.fewestVoices, agreeing * 2 < voices.count {
                contradict(now)
            }
        }
    }

    /// Held against the middle of what the others say; time itself goes on as it was.
    private mutating func contradict(_ now: Instant) {
        let sorted = voices.values.map(\.offset).sorted()
        let middle = Timestamp(milliseconds: sorted[sorted.count / 2]).adding(milliseconds: Int64(clamping: now.steady))
        (cause, since) = (.contradicted, now.steady)
        anchor = Tie(time: middle, steady: now.steady)
    }
}
