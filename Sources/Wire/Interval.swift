/// A stretch of time, half-open: from `start` until just before `end`. UTC in Unix seconds; under a `hub` header the
/// gate's uptime in seconds.
public struct Interval: Hashable, Sendable {
    /// The first second inside.
    public let start: UInt64
    /// The first second after it.
    public let end: UInt64

    /// Takes the bounds as they are: `PassHeader` checks them.
    @inlinable
    public init(start: UInt64, end: UInt64) {
        self.start = start
        self.end = end
    }

    /// Whether `time` lies inside.
    @inlinable
    public func contains(_ time: UInt64) -> Bool {
        start <= time && time < end
    }
}
